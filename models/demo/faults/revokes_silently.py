"""A fault in partitions.py: the coordinator revokes a partition and does not tell its reader.

Caught by "only the owner reads a partition".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

partitions = execute(Path(__file__).parent / "../partitions.py")


def model() -> Model:
    return partitions.model(revokes_silently=True)
