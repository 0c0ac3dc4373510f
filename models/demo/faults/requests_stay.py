"""A fault in requests.py: the server leaves a request in the network when it replies, and more is in flight than there
should be.

Caught by "most messages in flight".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

requests = execute(Path(__file__).parent / "../requests.py")


def model() -> Model:
    return requests.model(requests_stay=True)
