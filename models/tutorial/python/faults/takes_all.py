"""A fault in channel.py: the receiver takes every message for a new one.

Caught by "once".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

channel = execute(Path(__file__).parent / "../channel.py")


def model() -> Model:
    return channel.model(takes_all=True)
