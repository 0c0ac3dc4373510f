"""A fault in retransmission.py: the link is only weakly fair, so it may lose every message for ever.

Caught by "every message arrives".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

retransmission = execute(Path(__file__).parent / "../retransmission.py")


def model() -> Model:
    return retransmission.model(unfair_link=True)
