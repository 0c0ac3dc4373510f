"""The arrays that kernels work on, in named tuples."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

FAR = 0xFFFFFFFF
"""As a distance: none."""


class View(NamedTuple):
    """A partition's share of the product of a graph with an automaton; pairs are not stored but follow from both.

    Pair (s, q) has the number s * states + q. States below `own` are the partition's own; those behind are ghosts:
    states of other partitions that its edges lead to.
    """

    own: int
    start: Array  # by state, its edges; ghosts have none here
    target: Array  # by edge
    source: Array  # by edge
    letter: Array  # by edge: what the automaton reads
    into: Array  # by state: its part of `back`
    back: Array  # edges, by the state that they reach
    states: int  # of the automaton
    letters: int
    delta_start: Array  # by automaton state * letters + letter: transitions
    delta_target: Array
    delta_mark: Array
    origin_start: Array  # the same by the state that transitions lead to
    origin_source: Array
    component: Array  # by automaton state: where cycles may stay, or -1


class Cut(NamedTuple):
    """What is left of a product while cycles are looked for."""

    alive: Array  # by pair: 0 where it is gone
    need: Array  # by word of conditions and edge: what it asks for
    bad: Array  # by word and own pair: an edge from it that asks for one of these is gone
