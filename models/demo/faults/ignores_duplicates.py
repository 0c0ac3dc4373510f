"""A fault in redelivery.py: the consumer does not acknowledge a message that it knows already, and the broker waits for
ever.

Caught by "deadlock free".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

redelivery = execute(Path(__file__).parent / "../redelivery.py")


def model() -> Model:
    return redelivery.model(ignores_duplicates=True)
