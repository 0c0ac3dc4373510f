"""Where steps lead, forwards and backwards: images of sets under relations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from homing.engines.symbolic.space import AND, Field, Set, Space


class Arrow(Protocol):
    """Some of the steps of a system."""

    def after(self, states: Set) -> Set:
        """The states that these steps lead to from some."""

    def before(self, states: Set) -> Set:
        """The states that these steps lead from to some."""

    def only(self, condition: Set) -> Arrow:
        """Those that satisfy a condition on the slots before and, of those it writes, after."""

    @property
    def slots(self) -> frozenset[int]:
        """The slots that it writes."""

    @property
    def possible(self) -> bool:
        """False where there are no such steps; True need not mean that there are."""


@dataclass(frozen=True, eq=False)
class Single:
    """Steps given by one relation, between a state and the slots that they write."""

    space: Space
    slots: frozenset[int]
    relation: Set

    def after(self, states: Set) -> Set:
        space = self.space
        gone = space.bits(space.now[slot] for slot in self.slots)
        return space.backwards(states.apply_exists(AND, self.relation, gone), self.slots)

    def before(self, states: Set) -> Set:
        space = self.space
        gone = space.bits(space.then[slot] for slot in self.slots)
        return space.forwards(states, self.slots).apply_exists(AND, self.relation, gone)

    def only(self, condition: Set) -> Arrow:
        return Single(self.space, self.slots, self.relation & condition)

    @property
    def possible(self) -> bool:
        return self.relation.satisfiable()


@dataclass(frozen=True, eq=False)
class Still:
    """Steps that change nothing, from some states."""

    space: Space
    states: Set
    slots: frozenset[int] = frozenset()

    def after(self, states: Set) -> Set:
        return states & self.states

    def before(self, states: Set) -> Set:
        return states & self.states

    def only(self, condition: Set) -> Arrow:
        return Still(self.space, self.states & condition)

    @property
    def possible(self) -> bool:
        return self.states.satisfiable()


@dataclass(frozen=True, eq=False)
class Conjunct:
    """Part of a relation that is a conjunction: the slots it speaks of, before and after a step."""

    relation: Set
    now: frozenset[int]
    then: frozenset[int]


class Together:
    """Steps given by a conjunction, with slots quantified as soon as no other part speaks of them.

    Burch, Clarke and Long, "Symbolic model checking with partitioned transition relations" (1991); the order of the
    parts after Ranjan, Aziz, Brayton, Plessier and Pixley, "Efficient BDD algorithms for FSM synthesis and
    verification" (1995).
    """

    def __init__(
        self, space: Space, parts: Sequence[Conjunct], inner: Iterable[Field], cluster: int, ordered: bool = False
    ) -> None:
        """`inner`: fields that all parts may speak of and that are no slots."""
        self.space = space
        self.inner = tuple(inner)
        self.cluster = cluster
        self.parts = list(parts) if ordered else _clusters(space, _ordered(space, parts), cluster)
        self.slots = frozenset(slot for part in parts for slot in part.then)
        self._forwards = self._schedule()

    def _schedule(self) -> list[Set]:
        """By part, what is quantified once it is joined; the first entry is what no part speaks of."""
        space = self.space
        last = dict.fromkeys(self.slots, -1)
        for number, part in enumerate(self.parts):
            last.update((slot, number) for slot in part.now & self.slots)
        gone: list[list[Field]] = [[] for _ in range(len(self.parts) + 1)]
        for slot, number in last.items():
            gone[number + 1].append(space.now[slot])
        gone[-1] += self.inner
        return [space.bits(fields) for fields in gone]

    def after(self, states: Set) -> Set:
        space = self.space
        left = states.exists(self._forwards[0])
        for part, gone in zip(self.parts, self._forwards[1:], strict=True):
            left = left.apply_exists(AND, part.relation, gone)
            space.tick()
        return space.backwards(left, self.slots)

    def before(self, states: Set) -> Set:
        space = self.space
        left = space.forwards(states, self.slots)
        for number, part in enumerate(self.parts):
            later: set[int] = set()
            for other in self.parts[number + 1 :]:
                later |= other.then
            fields = [space.then[slot] for slot in part.then - later]
            if number == len(self.parts) - 1:
                fields += self.inner
            left = left.apply_exists(AND, part.relation, space.bits(fields))
            space.tick()
        return left

    def only(self, condition: Set) -> Arrow:
        every = frozenset(range(len(self.space.now)))
        part = Conjunct(condition, every, self.slots)
        return Together(self.space, [*self.parts, part], self.inner, self.cluster, ordered=True)

    @property
    def possible(self) -> bool:
        return all(part.relation.satisfiable() for part in self.parts)

    def whole(self) -> Set:
        """The relation as one; may be large."""
        found = self.space.true
        for part in self.parts:
            found = found & part.relation
        return found


def _ordered(space: Space, parts: Sequence[Conjunct]) -> list[Conjunct]:
    """Next comes the part that lets most bits go, and brings the fewest."""
    left = list(parts)
    users: dict[int, int] = {}
    for part in left:
        for slot in part.now:
            users[slot] = users.get(slot, 0) + 1
    found: list[Conjunct] = []

    def gain(part: Conjunct) -> tuple[int, int]:
        going = sum(len(space.now[slot].bits) for slot in part.now if users[slot] == 1)
        coming = sum(len(space.then[slot].bits) for slot in part.then)
        level = min((space.level(space.now[slot]) for slot in part.now), default=0)
        return going - coming, -level

    while left:
        best = max(left, key=gain)
        left.remove(best)
        found.append(best)
        for slot in best.now:
            users[slot] -= 1
    return found


def _clusters(space: Space, parts: list[Conjunct], most: int) -> list[Conjunct]:
    """Neighbours joined while they are small."""
    found: list[Conjunct] = []
    for part in parts:
        if found:
            joined = found[-1].relation & part.relation
            if joined.node_count() <= most:
                found[-1] = Conjunct(joined, found[-1].now | part.now, found[-1].then | part.then)
                continue
        found.append(part)
    return found
