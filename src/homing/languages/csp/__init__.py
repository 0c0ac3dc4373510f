"""CSP# as PAT reads it: text in, transition systems and properties out."""

from __future__ import annotations

import hashlib
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.languages.common.files import text_of
from homing.languages.csp.assertions import models
from homing.languages.csp.growth import refuse_growth
from homing.languages.csp.parsing import parse
from homing.languages.csp.program import program
from homing.languages.csp.resolving import check


def load(path: Path, fairness: str | None = None) -> tuple[Model, ...]:
    """The models in a file, one for each process that it asserts something of."""
    text = text_of(path)
    source = parse(text, str(path))
    check(source)
    refuse_growth(source)
    digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
    try:
        return models(program(source), digest, fairness)
    except RecursionError:
        raise HomingError("a process nests within itself without end", Place(str(path))) from None
