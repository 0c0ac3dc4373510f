"""A fault in channel.py: the channel may lose everything, for ever.

Caught by "finishes".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

channel = execute(Path(__file__).parent / "../channel.py")


def model() -> Model:
    return channel.model(loses_all=True)
