"""NuSMV's language, its finite and synchronous part: text in, transition system and properties out."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.languages.common.files import text_of
from homing.languages.smv.assigning import settle
from homing.languages.smv.flattening import flatten
from homing.languages.smv.parsing import parse
from homing.languages.smv.relation import Relation
from homing.languages.smv.specifications import Specifications
from homing.languages.smv.system import System
from homing.languages.smv.tokens import Source

DEEPEST = 10_000
"""Definitions build on definitions by the hundred, and each takes some calls; Python's own limit is 1000."""


def load(path: Path) -> tuple[Model, ...]:
    """The model in a file."""
    return (model(Source(str(path), text_of(path))),)


def model(source: Source) -> Model:
    """The model that a text is."""
    sys.setrecursionlimit(max(DEEPEST, sys.getrecursionlimit()))
    try:
        flat = flatten(source, parse(source))
        settle(flat)
        asked = Specifications(flat)
        relation = Relation(flat, asked.inputs)
        properties = asked.properties(relation.total)
        system = System(relation, asked.labels)
    except RecursionError:
        raise HomingError("an expression is nested too deeply", Place(source.file)) from None
    digest = hashlib.blake2b(source.text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return Model(source.file, system, properties, digest, Place(source.file), notes=asked.notes)
