"""A fault in channel.py: the sender takes every acknowledgement for that of its message.

Caught by "arrived".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

channel = execute(Path(__file__).parent / "../channel.py")


def model() -> Model:
    return channel.model(takes_any_ack=True)
