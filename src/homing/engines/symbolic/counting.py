"""Counts that are the local engine's: states, steps, depth, states without a step."""

from __future__ import annotations

from math import prod

from homing.engines.local.numbering import Interner
from homing.engines.symbolic.described import Written
from homing.engines.symbolic.groups import Group
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Field, Set

MOST_NODES = 1_000_000
"""Of the relation between states and choices that counts the steps of a joint system; above it they are not counted."""


def transitions(search: Search, states: Set) -> int | None:
    """How many steps these states have, two with the same end counting as two; None when that is too much work."""
    relation = search.relation
    if relation.joint:
        return _together(search, states)
    found = 0
    for group in relation.groups:
        if isinstance(group, Written):
            then = [search.space.then[slot] for slot in group.slots]
            found += search.space.count(states & group.relation(), [*search.space.now, *then])
            continue
        for count in group.branching:
            if count:
                found += count * search.space.states(states & group.with_steps(count))
        search.space.tick()
    return found


class _Described:
    """The same for a group that is given by conditions: its choices are what it writes."""

    def __init__(self, search: Search, group: Written) -> None:
        self.fields = [search.space.then[slot] for slot in group.slots]
        self.quiet = group.relation()
        self.loud = search.space.false


class _Choices:
    """By group of a joint system the choices it has in a state, numbered in a field of its own."""

    def __init__(self, search: Search, group: Group) -> None:
        self.space = search.space
        self.most = max(group.branching, default=0)
        self.field: Field = self._field()
        self.fields = [self.field]
        rows: dict[bool, list[tuple[int, ...]]] = {True: [], False: []}
        number: dict[tuple[int, ...], int] = {}
        for pattern in group.patterns.values():
            for entry in pattern.entries:
                number[entry.read] = number.get(entry.read, -1) + 1
                event = () if entry.event == 0 else (entry.event,)
                rows[entry.event == 0].append((*entry.read, number[entry.read], *event))
        fields = [*group.reader.fields, self.field]
        self.quiet = group.reader.spread(self.space.of_rows(rows[True], fields))
        self.loud = self.space.false
        if rows[False]:
            assert group.events.field is not None
            self.loud = group.reader.spread(self.space.of_rows(rows[False], [*fields, group.events.field]))

    def _field(self) -> Field:
        interner = Interner()
        for number in range(self.most):
            interner.intern(number)
        (field,) = self.space.above(interner)
        self.space.fit()
        return field


def _together(search: Search, states: Set) -> int | None:
    """Choices that agree on the event; those of groups with as many everywhere are left to multiplication."""
    space, groups = search.space, search.relation.groups
    kept = search.kept(states)
    if search.relation.events.field is None:
        factors, varying = [], []
        for group in groups:
            counts = []
            if isinstance(group, Group):
                counts = [n for n in group.branching if (kept.set & group.with_steps(n)).satisfiable()]
            if len(counts) == 1:
                factors.append(counts[0])
            else:
                varying.append(group)
        if 0 in factors:
            return 0
    else:
        factors, varying = [], groups
    choices = [
        _Described(search, group) if isinstance(group, Written) else _Choices(search, group) for group in varying
    ]
    fields = [*space.now, *(field for choice in choices for field in choice.fields)]
    total = _joined(space, kept.set, [choice.quiet for choice in choices], fields)
    event = search.relation.events.field
    for first, choice in enumerate(choices if event is not None else []):
        assert event is not None
        if total is None:
            return None
        parts = [each.quiet for each in choices[:first]]
        parts += [choice.loud, *(each.quiet | each.loud for each in choices[first + 1 :])]
        more = _joined(space, kept.set, parts, [*fields, event])
        total = None if more is None else total + more
    return None if total is None else total * prod(factors)


def _joined(space: object, states: Set, parts: list[Set], fields: list[Field]) -> int | None:
    left = states
    for part in parts:
        left = left & part
        if left.node_count() > MOST_NODES:
            return None
    return left.sat_count(sum(len(field.bits) for field in fields))
