"""A fault in redelivery.py: the broker forgets a message when it hands it out, so a crash of the consumer loses it.

Caught by "no message is lost".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

redelivery = execute(Path(__file__).parent / "../redelivery.py")


def model() -> Model:
    return redelivery.model(forgets_on_delivery=True)
