"""A fault in requests.py: the server takes requests and never replies.

Caught by "all clients get a reply".
"""

from pathlib import Path

from homing.core.model import Model
from homing.languages.python_model import execute

requests = execute(Path(__file__).parent / "../requests.py")


def model() -> Model:
    return requests.model(never_replies=True)
