"""The compiled inner loops of a partition."""

from homing.engines.spark.kernels.arrays import NEVER, Array, Form, Held, Owners, Produced, Sent, Steps
from homing.engines.spark.kernels.closing import FINGERPRINT, absorb, index, locate, parts, pointers
from homing.engines.spark.kernels.translating import mark, represent, translate

__all__ = [
    "FINGERPRINT",
    "NEVER",
    "Array",
    "Form",
    "Held",
    "Owners",
    "Produced",
    "Sent",
    "Steps",
    "absorb",
    "index",
    "locate",
    "mark",
    "parts",
    "pointers",
    "represent",
    "translate",
]
