"""A fault in partitions.py: the coordinator expels a consumer that is only slow, which goes on reading.

Caught by "no partition has two readers".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

partitions = execute(Path(__file__).parent / "../partitions.py")


def model() -> Model:
    return partitions.model(takes_slow_for_dead=True)
