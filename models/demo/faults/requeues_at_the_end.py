"""A fault in redelivery.py: a message that comes back goes to the end of the queue, behind later ones.

Caught by "messages are processed in order".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

redelivery = execute(Path(__file__).parent / "../redelivery.py")


def model() -> Model:
    return redelivery.model(requeues_at_the_end=True)
