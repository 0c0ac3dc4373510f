"""The notations that have a catalogue."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec

from tests.languages.catalogue.case import Notation

NAMES = ("csp", "tla", "uppaal", "smv")


def notation(name: str) -> Notation:
    found: Notation = import_module(f"tests.languages.catalogue.{name}").NOTATION
    return found


def notations() -> Iterator[Notation]:
    for name in NAMES:
        if find_spec(f"tests.languages.catalogue.{name}"):
            yield notation(name)
