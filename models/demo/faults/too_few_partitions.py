"""A fault in partitions.py: there are more consumers than partitions, so one is always idle.

Caught by "all consumers have work".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

partitions = execute(Path(__file__).parent / "../partitions.py")


def model() -> Model:
    return partitions.model(partitions=2)
