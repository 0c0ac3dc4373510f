"""Which edges satisfy a fairness condition."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.properties.kernels.compiling import kernel

Array = NDArray[Any]

NEVER, EVERY, MOVING, LISTED = 0, 1, 2, 3
"""By group: none of its steps count, all do, those that change the state, those that a mask lists."""


@kernel(nogil=True)
def mark_steps(start: Array, target: Array, group: Array, kind: Array, listed: Array) -> tuple[Array, Array]:
    """By edge whether it is a step of the action; by state whether the action is enabled."""
    n = len(start) - 1
    taken = np.zeros(len(target), np.bool_)
    enabled = np.zeros(n, np.bool_)
    for s in range(n):
        for e in range(start[s], start[s + 1]):
            how = kind[group[e]]
            if how == EVERY or (how == MOVING and target[e] != s) or (how == LISTED and listed[e]):
                taken[e] = True
                enabled[s] = True
    return taken, enabled


@kernel(nogil=True)
def mark_fair(
    start: Array,
    target: Array,
    group: Array,
    kind: Array,
    listed: Array,
    strong: bool,
    bit: Array,
    need: Array,
    give: Array,
) -> None:
    """Sets the bit: weak in `give` where the action is taken or disabled; strong in `need` where it is enabled."""
    n = len(start) - 1
    mask = bit[0]
    for s in range(n):
        low, high = start[s], start[s + 1]
        enabled = False
        for e in range(low, high):
            how = kind[group[e]]
            if how == EVERY or (how == MOVING and target[e] != s) or (how == LISTED and listed[e]):
                give[e] |= mask
                enabled = True
        if strong and enabled:
            for e in range(low, high):
                need[e] |= mask
        if not strong and not enabled:
            for e in range(low, high):
                give[e] |= mask
