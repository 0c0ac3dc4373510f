"""A fault in retransmission.py: the sender takes what it sent for arrived and does not repeat it.

Caught by "done means arrived".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

retransmission = execute(Path(__file__).parent / "../retransmission.py")


def model() -> Model:
    return retransmission.model(forgets=True)
