"""Conditions on steps that a model asks about, as the system of this process knows them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from homing.core.formula import Between, Formula
from homing.core.property import OnGraph, Property
from homing.core.temporal import Compassion, Justice

LOOKED_INTO = (OnGraph, Formula, Justice, Compassion)


def conditions_of(properties: tuple[Property, ...]) -> dict[tuple[int, int, int], Callable[[int, int], bool]]:
    """By the labels that each compares, and its number, what to ask; not where these do not tell which one is meant.

    A label may number what it read in the order that it came, so that a condition from another process, on its way
    with a formula, would take the numbers of this one for something else.
    """
    known: dict[tuple[int, int, int], set[Callable[[int, int], bool]]] = {}
    for one in _conditions(properties):
        known.setdefault(one.key, set()).add(one.holds)
    return {key: holds.pop() for key, holds in known.items() if len(holds) == 1}


def _conditions(one: Any) -> Iterator[Between]:
    if isinstance(one, Between):
        yield one
        yield from _conditions(one.only)
    elif isinstance(one, tuple):
        for each in one:
            yield from _conditions(each)
    elif isinstance(one, LOOKED_INTO) and is_dataclass(one):
        for field in fields(one):
            yield from _conditions(getattr(one, field.name))
