"""A fault in requests.py: a client takes a late reply to its first attempt for the reply to its second.

Caught by "a reply is to the last attempt".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

requests = execute(Path(__file__).parent / "../requests.py")


def model() -> Model:
    return requests.model(takes_any_reply=True)
