"""Leaps over many levels: relations of one, two, four, … steps, for states that lie in a long row.

A counter of twenty bits has a million levels of one state each, but its relation squared is as small as it was.
Squaring is in Burch, Clarke, McMillan, Dill and Hwang, "Symbolic model checking: 10^20 states and beyond" (1990); that
the number of levels comes out of the same powers, from the highest down, is binary lifting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from homing.engines.symbolic.arrows import Single, Together
from homing.engines.symbolic.described import Written
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import AND, Kept, Set, Space

MOST_NODES = 3_000
"""Of a relation: where squares grow, levels are the better way."""


@dataclass(frozen=True)
class Leap:
    """All states that can be reached from those known, and on how many more levels they lie."""

    reached: Kept
    levels: int


def leap(search: Search, known: Kept) -> Leap | None:
    """The rest of the way from whole levels; None where the relation has to be learnt, or gets too large."""
    shape = search.system.shape
    if (
        shape.constraints
        or shape.hidden
        or search.orbits is not None
        or not all(isinstance(group, Written) for group in search.relation.groups)
    ):
        return None
    search.space.in_two_steps()
    step = _step(search)
    if step is None:
        return None
    powers, reached = [step], known.set
    while (further := _after(search.space, powers[-1], reached)) != reached:
        reached = further
        square = _squared(search.space, powers[-1])
        if square.node_count() > MOST_NODES:
            return None
        powers.append(square)
    return Leap(search.kept(reached), _levels(search.space, powers, known.set, reached))


def _step(search: Search) -> Set | None:
    """One step, or none, as a relation of all slots."""
    space = search.space
    every = frozenset(range(len(space.now)))
    found = _same(space, every)
    for arrow in search.relation.arrows():
        match arrow:
            case Single(relation=relation):
                whole = relation
            case Together():
                whole = arrow.whole().exists(space.bits(arrow.inner))
            case _:
                return None
        found = found | whole & _same(space, every - arrow.slots)
        if found.node_count() > MOST_NODES:
            return None
    return found


def _same(space: Space, slots: frozenset[int]) -> Set:
    found = space.true
    for slot in slots:
        found = found & space.same(slot)
    return found


def _after(space: Space, relation: Set, states: Set) -> Set:
    gone = space.bits(space.now)
    space.tick()
    return space.backwards(states.apply_exists(AND, relation, gone), frozenset(range(len(space.now))))


def _squared(space: Space, relation: Set) -> Set:
    """Twice as many steps: to some state in between, and on from there."""
    first = space.renamed(relation, space.then, space.between)
    second = space.renamed(relation, space.now, space.between)
    space.tick()
    return first.apply_exists(AND, second, space.bits(space.between))


def _levels(space: Space, powers: Sequence[Set], known: Set, reached: Set) -> int:
    """The most steps after which something is still missing, and one more."""
    if known == reached:
        return 0
    count = 0
    for power in reversed(range(len(powers))):
        further = _after(space, powers[power], known)
        if further != reached:
            known, count = further, count + (1 << power)
    return count + 1
