"""The state graph: what temporal properties are checked on, whichever engine built it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.system import Event
from homing.core.values import State

Numbers = NDArray[Any]


def stable_order(numbers: Numbers) -> Numbers:
    """What sorts 32-bit numbers, equal ones in their order: numpy sorts 16-bit numbers by radix, 32-bit ones not."""
    order = np.argsort((numbers & 0xFFFF).astype(np.uint16), kind="stable")
    high = (numbers >> 16).astype(np.uint16)
    return order[np.argsort(high[order], kind="stable")] if high.any() else order


@dataclass(frozen=True)
class Graph:
    """States numbered in breadth-first order; the edges of state s are `start[s] .. start[s + 1]`.

    Edges keep the order of the groups. States outside the constraints, and edges to them, are left out.
    """

    start: Numbers
    target: Numbers
    group: Numbers
    event: Numbers
    """By edge, a position in `events`."""
    events: tuple[Event, ...]
    level: Numbers
    """By level, its first state; the last entry is the number of states."""
    state: Callable[[int], State] = field(repr=False)
    """The state with a number."""
    label: Callable[[int], Numbers] = field(repr=False)
    """By state, the value of a label."""

    @property
    def states(self) -> int:
        """How many states there are."""
        return len(self.start) - 1

    @property
    def edges(self) -> int:
        """How many edges there are."""
        return len(self.target)

    @property
    def ends(self) -> Numbers:
        """The states without an edge."""
        return np.flatnonzero(np.diff(self.start) == 0)

    @property
    def initial(self) -> Numbers:
        """The initial states."""
        return np.arange(int(self.level[1]))

    @cached_property
    def source(self) -> Numbers:
        """By edge, the state that it leaves."""
        return np.repeat(np.arange(self.states, dtype=np.uint32), np.diff(self.start))

    @cached_property
    def predecessors(self) -> tuple[Numbers, Numbers]:
        """Edges by the state that they reach: `edge[start[s] : start[s + 1]]` are those into s."""
        edge = stable_order(self.target)
        into = np.bincount(self.target, minlength=self.states)
        return np.concatenate([[0], np.cumsum(into)]), edge

    @property
    def deadlocks(self) -> Numbers:
        """The states without an edge; at the border of a constraint there may be some that do have steps."""
        return np.flatnonzero(np.diff(self.start) == 0)
