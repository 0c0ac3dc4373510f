"""The arrays that the kernels of the search work on, in named tuples; Numba takes these as they are.

Whatever grows is made larger by the caller: a kernel that runs out of room stops between two pieces of work, says
how far it came, and is called again.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

ROOM = 4096
"""The zones, results and pieces for which there has to be room before a piece of work begins."""
EXTRAPOLATED, EXACT = 0, 1
"""What is done with zones."""
ANY, ALIVE, DEAD = -1, 0, 1
"""What a cell says of deadlock."""

UNRANKED = -(2**31)
"""The priority of an action that no other blocks, and that blocks none."""


class Zones(NamedTuple):
    """Every zone once: equal zones have one number."""

    dbm: Array  # by number
    hashes: Array
    table: Array  # open addressing: number + 1
    size: Array  # of one element


class Memo(NamedTuple):
    """What a function of a number and a zone gave: a list of zones."""

    keys: Array  # open addressing: function << 32 | zone, plus 1
    first: Array  # by cell: where its part of results begins
    many: Array  # and how long it is
    results: Array
    used: Array  # of two elements: keys, results


class Actions(NamedTuple):
    """By action, the part of guards and resets that is its own."""

    guard_start: Array
    guards: Array  # left, right, bound
    reset_start: Array
    resets: Array  # clock, source, value
    priority: Array


class Timings(NamedTuple):
    """By timing, what a discrete state says about time."""

    invariant_start: Array
    invariants: Array  # left, right, bound
    delay: Array
    lower: Array  # by timing and clock
    upper: Array
    cells: Array  # the condition that has to hold all the time: as in Cells


class Cells(NamedTuple):
    """By condition its cells, by cell its constraints. Condition 0 has no cell, condition 1 one without constraints."""

    start: Array
    constraint_start: Array
    constraints: Array
    deadlock: Array


class Edges(NamedTuple):
    """By discrete state the edges low .. high, by edge its target and action."""

    low: Array
    high: Array
    target: Array
    action: Array
    timing: Array  # by discrete state


class Symbolic(NamedTuple):
    """The states of the search: a discrete state with a zone; those of one discrete state are chained."""

    discrete: Array
    zone: Array
    parent: Array  # or -1 - k: the k-th of those that the search begins in
    edge: Array  # from the parent
    following: Array  # in the chain, or -1
    covered: Array  # 1 when another state includes it
    head: Array  # by discrete state: the first of its chain, or -1
    size: Array  # of two elements: how many there are, and how many were found, again or anew


class Fired(NamedTuple):
    """What came of firing edges, before time passes."""

    source: Array  # symbolic state
    edge: Array
    zone: Array
    size: Array  # of one element


class Moves(NamedTuple):
    """Which symbolic state leads to which, where that is recorded."""

    source: Array
    target: Array
    edge: Array
    size: Array  # of one element
