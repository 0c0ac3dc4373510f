"""A fault in redelivery.py: the place of a message that was handed out is given away, so it does not fit when it comes
back.

Caught by "the queue keeps its bound".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

redelivery = execute(Path(__file__).parent / "../redelivery.py")


def model() -> Model:
    return redelivery.model(bounds_only_the_queue=True)
