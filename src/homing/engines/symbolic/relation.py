"""The transition relation of a system, as far as it was learnt: a disjunction of arrows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from homing.core.system import QUIET, Event
from homing.engines.symbolic.arrows import Arrow, Conjunct, Single, Together
from homing.engines.symbolic.described import Describing, Written
from homing.engines.symbolic.groups import Events, Group, Updated
from homing.engines.symbolic.space import Kept, Set
from homing.engines.symbolic.world import World

Learnt: TypeAlias = Group | Written
"""What a group is known as."""


class Relation:
    """All groups of a system."""

    def __init__(self, world: World, cluster: int) -> None:
        self.world = world
        self.events = Events(world)
        self.cluster = cluster
        self.groups: list[Learnt] = []
        self._known: dict[object, tuple[object, list[Arrow]]] = {}
        self._domains: dict[int, tuple[object, Set]] = {}

    def begin(self, describing: Describing) -> None:
        """Takes in what groups say of themselves."""
        updates: dict[object, Updated] = {}
        groups = list[Learnt]()
        for number in range(len(self.world.shape.groups)):
            told = describing.group(number)
            groups.append(
                Group(self.world, number, self.events, updates) if told is None else Written(self.world, number, told)
            )
            self.world.space.tick()
        self.groups = groups
        self.world.settle()

    @property
    def joint(self) -> bool:
        """Whether all groups move at once."""
        return self.world.shape.joint

    @property
    def quiet(self) -> int:
        """The number of the event of those who show none."""
        return self.events.number(QUIET)

    # Arrows

    def arrows(self) -> list[Arrow]:
        """All steps; of interleaved groups one after the other."""
        if self.joint:
            return self._joint()
        return list(chain.from_iterable(self.of_group(group) for group in self.groups))

    def of_group(self, group: Learnt) -> list[Arrow]:
        """The steps of a group, one arrow for each set of slots that it writes."""
        version = (self.world.space.version, group.version)
        known = self._known.get(group.number)
        if known is None or known[0] != version:
            known = self._known[group.number] = (version, list(self._singles(group, None)))
        return known[1]

    def with_events(self, group: Learnt, events: frozenset[int]) -> list[Arrow]:
        """The steps of a group that show one of these events."""
        return list(self._singles(group, events))

    def _singles(self, group: Learnt, events: frozenset[int] | None) -> Iterator[Arrow]:
        space = self.world.space
        if isinstance(group, Written):
            if events is None or self.quiet in events:
                yield Single(space, group.slots, group.relation())
            return
        written: dict[frozenset[int], Set] = {}
        for pattern in group.patterns.values():
            relation = pattern.relation(None, events)
            if relation.satisfiable():
                written[pattern.slots] = written.get(pattern.slots, space.false) | relation
        for slots, relation in written.items():
            yield Single(space, slots, relation)

    def _joint(self) -> list[Arrow]:
        version = (self.world.space.version, *(group.version for group in self.groups))
        known = self._known.get("joint")
        if known is None or known[0] != version:
            known = self._known["joint"] = (version, list(self._disjuncts(None)))
        return known[1]

    def showing(self, keys: set[object]) -> list[Arrow]:
        """The steps of a joint system whose event has one of these keys."""
        return list(self._disjuncts(lambda event: event.key in keys))

    def _disjuncts(self, wanted: Callable[[Event], bool] | None) -> Iterator[Arrow]:
        """Nobody shows an event; or one does, and is the first; those after it are quiet or show the same."""
        field, space = self.events.field, self.world.space
        quiet = [self._conjuncts(group, True) for group in self.groups]
        if (wanted is None or wanted(self.events.shown[0])) and all(map(_possible, quiet)):
            yield Together(space, list(chain.from_iterable(quiet)), (), self.cluster)
        if field is None:
            return
        shown = [n for n, event in enumerate(self.events.shown) if n and (wanted is None or wanted(event))]
        loud = [self._conjuncts(group, False) for group in self.groups]
        some = Conjunct(space.of_rows([(n,) for n in shown], (field,)), frozenset(), frozenset())
        for first in range(len(self.groups)):
            if not _possible(loud[first]) or not all(map(_possible, quiet[:first])):
                continue
            either = [_either(a, b) for a, b in zip(quiet[first + 1 :], loud[first + 1 :], strict=True)]
            parts = [*chain.from_iterable(quiet[:first]), *loud[first], *chain.from_iterable(either), some]
            yield Together(space, parts, (field,), self.cluster)

    def _conjuncts(self, group: Learnt, quiet: bool) -> list[Conjunct]:
        """What a group of a joint system does, showing no event or some."""
        found = self.world.space.false
        if isinstance(group, Written):
            (way,) = group.ways
            return way if quiet else [Conjunct(found, frozenset(), frozenset())]
        for pattern in group.patterns.values():
            found = found | pattern.relation(quiet)
        reads = frozenset(read.slot for read in group.declared.reads)
        writes = frozenset(group.declared.writes)
        return [Conjunct(found, reads | writes, writes)]

    # States without a step

    def dead(self, states: Set) -> Set:
        """Those of some states that have no step: group by group, since all states with a step are no small set."""
        space = self.world.space
        if self.joint:
            for arrow in self._joint():
                states = states & ~arrow.before(space.true)
            return states
        for group in self.groups:
            states = states & ~self._enabled(group)
        return states

    def _enabled(self, group: Learnt) -> Set:
        version = (self.world.space.version, group.version)
        known = self._domains.get(group.number)
        if known is None or known[0] != version:
            known = self._domains[group.number] = (version, group.enabled())
        return known[1]

    def learn(self, states: Kept) -> None:
        """Asks every group about what it reads in these states."""
        for group in self.groups:
            group.learn(states)
        self.world.space.tick()


def _possible(parts: list[Conjunct]) -> bool:
    return all(part.relation.satisfiable() for part in parts)


def _either(some: list[Conjunct], others: list[Conjunct]) -> list[Conjunct]:
    """One or the other; where one can never be, the other as it stands."""
    if not _possible(others):
        return some
    if not _possible(some):
        return others
    (one,), (other,) = some, others
    return [Conjunct(one.relation | other.relation, one.now | other.now, one.then | other.then)]
