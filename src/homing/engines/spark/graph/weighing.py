"""How much memory pieces take."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from homing.core.system import Event
from homing.engines.spark.graph.catalog import Filed
from homing.engines.spark.machine import Machine

STATE_BYTES, EDGE_BYTES = 150, 70
"""That a piece takes in memory while a program works on it, about; an automaton multiplies the first."""


def bytes_of(filed: Filed, states: int = 1) -> int:
    """The memory that a piece takes, about, multiplied with an automaton of so many states."""
    return STATE_BYTES * states * (filed.size + filed.ghosts) + EDGE_BYTES * filed.edges + 1


def held(one: object) -> int:
    """The bytes of all arrays that something has: a piece, say."""
    found: dict[int, int] = {}
    seen: set[int] = set()
    todo: list[Any] = [one]
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, np.ndarray):
            whole = one.base if isinstance(one.base, np.ndarray) else one
            found[id(whole)] = whole.nbytes
        else:
            todo += _parts(one)
    return sum(found.values())


def _parts(one: Any) -> Iterable[Any]:
    if isinstance(one, dict):
        return one.values()
    if isinstance(one, list | tuple):
        return one
    homemade = type(one).__module__.startswith("homing.") and not isinstance(one, Machine | Event)
    return vars(one).values() if homemade and hasattr(one, "__dict__") else ()
