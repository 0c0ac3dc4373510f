"""A fault in retransmission.py: the link may go down for good.

Caught by "the sender can always finish".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

retransmission = execute(Path(__file__).parent / "../retransmission.py")


def model() -> Model:
    return retransmission.model(closes=True)
