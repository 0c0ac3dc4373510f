"""Transition groups as relations, learnt as they are asked about what turns up.

The steps of a group fall into *patterns*: which slots they set to a value, which they update, which they keep. What a
pattern says is a relation between what the group reads and the values it sets. Projections and updates are relations of
one slot that all groups share, and are joined to it afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeAlias

from homing.core import evaluate
from homing.core.errors import HomingError, Place
from homing.core.system import QUIET, Event, Pure, Step
from homing.core.values import NotAValue, Value, encode
from homing.engines.local.numbering import Interner
from homing.engines.symbolic.asking import Reader
from homing.engines.symbolic.space import AND, Field, Kept, Set
from homing.engines.symbolic.world import Failed, World

Written: TypeAlias = "Updated | bool"
"""An update, a value (True), or nothing (False)."""


class Updated:
    """An update of a slot: from which value it leads to which."""

    def __init__(self, world: World, slot: int, function: Pure) -> None:
        space = world.space
        self.world, self.slot, self.function = world, slot, function
        self.relation = space.keep(space.false, (space.now[slot], space.then[slot]))
        self.known = space.keep(space.false, (space.now[slot],))
        self.version = 0

    def learn(self, values: Set, where: Callable[[], Set]) -> None:
        """Applies it to the values that the slot has in some states; `where` gives the states, if that fails."""
        world, space = self.world, self.world.space
        field = space.now[self.slot]
        rows = []
        for (number,) in space.rows(values & ~self.known.set, (field,)):
            try:
                rows.append((number, self._apply(world.slots[self.slot].values[number])))
            except HomingError as error:
                raise Failed(error, where() & space.cube(field, number)) from None
        if rows:
            world.settle()
            self.relation.set = self.relation.set | space.of_rows(rows, (field, space.then[self.slot]))
            self.known.set = self.known.set | space.of_rows([row[:1] for row in rows], (field,))
            self.version += 1

    def _apply(self, value: Value) -> int:
        world = self.world
        world.evaluations += 1
        shape = world.shape
        name = f"slot '{shape.slots[self.slot]}'"
        found = evaluate.pure(self.function, value, f"written to {name}", shape.place)
        return interned(world, self.slot, found, f"the result of {self.function}", shape.place)


def interned(world: World, slot: int, value: Value, what: str, place: Place | None) -> int:
    """The number of a value that a model made."""
    try:
        return world.intern(slot, value)
    except (NotAValue, RecursionError) as found:
        raise evaluate.no_value(found, f"{what} to slot '{world.shape.slots[slot]}'", place) from None


@dataclass(frozen=True)
class Entry:
    """One step, as numbers: what was read, the values set, the event."""

    read: tuple[int, ...]
    values: tuple[int, ...]
    event: int


class Pattern:
    """The steps of a group that treat the slots alike."""

    def __init__(self, group: Group, kinds: tuple[Written, ...]) -> None:
        self.group = group
        self.world = group.world
        slots = group.declared.writes
        self.set_ = [slot for slot, kind in zip(slots, kinds, strict=True) if kind is True]
        self.kept = [slot for slot, kind in zip(slots, kinds, strict=True) if kind is False]
        self.updates = [kind for kind in kinds if isinstance(kind, Updated)]
        self.slots = frozenset(slots) - frozenset(self.kept)
        self.entries: list[Entry] = []
        space = self.world.space
        self.fields = [*group.reader.fields, *(space.then[slot] for slot in self.set_)]
        self._learnt: dict[bool, Kept] = {}
        self._domain: tuple[object, Set] | None = None

    def add(self, entries: list[Entry]) -> None:
        """Takes in steps whose values have their bits."""
        self.entries += entries
        for quiet in (True, False):
            some = [entry for entry in entries if (entry.event == 0) == quiet]
            if some:
                space = self.world.space
                kept = self._learnt.setdefault(quiet, space.keep(space.false, self._fields(quiet)))
                kept.set = kept.set | self._rows(some, quiet)

    def _fields(self, quiet: bool) -> list[Field]:
        events = self.group.events
        return self.fields if quiet or events.field is None else [*self.fields, events.field]

    def _rows(self, entries: Iterable[Entry], quiet: bool) -> Set:
        fields = self._fields(quiet)
        more = len(fields) > len(self.fields)
        rows = [(*entry.read, *entry.values, *((entry.event,) if more else ())) for entry in entries]
        return self.world.space.of_rows(rows, fields)

    def domain(self) -> Set:
        """The states that have such a step."""
        space = self.world.space
        read = tuple(projection.version for projection in self.group.reader.projections)
        version = (space.version, len(self.entries), read)
        if self._domain is None or self._domain[0] != version:
            self._domain = (version, self._where())
        return self._domain[1]

    def _where(self) -> Set:
        space = self.world.space
        hidden = [space.then[slot] for slot in self.set_]
        if self.group.events.field is not None:
            hidden.append(self.group.events.field)
        found = space.false
        for kept in self._learnt.values():
            found = found | kept.set.exists(space.bits(hidden))
        return self.group.reader.spread(found)

    def relation(self, quiet: bool | None, events: frozenset[int] | None = None) -> Set:
        """From which state to what it writes (in joint systems also keeps), of steps that show one of these events."""
        space = self.world.space
        found = space.false
        for kind, kept in self._learnt.items():
            if quiet is None or quiet == kind:
                found = found | (kept.set if events is None else self._of(kind, events))
        found = self.group.reader.spread(found)
        for update in self.updates:
            found = found & update.relation.set
        if self.world.shape.joint:
            for slot in self.kept:
                found = found & space.same(slot)
        return found

    def _of(self, quiet: bool, events: frozenset[int]) -> Set:
        return self._rows([e for e in self.entries if (e.event == 0) == quiet and e.event in events], quiet)

    @property
    def version(self) -> tuple[int, ...]:
        """Changes when the relation may have."""
        return (len(self.entries), *(update.version for update in self.updates))


class Events:
    """The events that steps show, numbered; where groups have to agree on them, in a field."""

    def __init__(self, world: World) -> None:
        self.shown: list[Event] = []
        self._numbers: dict[object, int] = {}
        self._interner = Interner()
        self.field: Field | None = None
        self._joint = world.shape.joint
        self._space = world.space
        if self._joint:
            self.number(QUIET)

    def number(self, event: Event) -> int:
        """The number of an event; of a joint system's, 0 is the quiet one."""
        key = event.key
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.shown)
            self.shown.append(event)
            self._interner.intern(number)
            if self._joint and number and self.field is None:
                (self.field,) = self._space.above(self._interner)
        # Where groups need not agree, all events are alike to the relations.
        return number


class Group:
    """A transition group, asked about the combinations of what it reads."""

    def __init__(self, world: World, number: int, events: Events, updates: dict[object, Updated]) -> None:
        self.world, self.number, self.events = world, number, events
        self.declared = world.shape.groups[number]
        self.reader = Reader(world, self.declared.reads)
        self.patterns: dict[tuple[object, ...], Pattern] = {}
        self.branching: dict[int, list[tuple[int, ...]]] = {}
        """By number of steps, the combinations that have so many."""
        self._updates = updates

    def learn(self, states: Kept) -> None:
        """Asks about what is read in the states, and applies updates to what slots have there."""
        found: dict[Pattern, list[Entry]] = {}
        rows = []
        for row in self.reader.new(states.set):
            try:
                self._ask(row, found)
            except HomingError as error:
                raise Failed(error, states.set & self.reader.where(row)) from None
            rows.append(row)
        if rows:
            self.world.settle()
            self.reader.learnt(rows)
            for pattern, entries in found.items():
                pattern.add(entries)
        self._update(states)

    def _update(self, states: Kept) -> None:
        """Applies updates to what slots have where they are made."""
        updating = [pattern for pattern in self.patterns.values() if pattern.updates]
        if not updating:
            return
        space = self.world.space
        slots = {read.slot for read in self.declared.reads}
        slots |= {update.slot for pattern in updating for update in pattern.updates}
        seen = [space.now[slot] for slot in slots]
        # All that matters, and much less than the states.
        narrow = space.keep(states.set.exists(space.bits(set(space.now) - set(seen))), seen)
        for pattern in updating:
            for update in pattern.updates:
                others = space.bits(field for field in seen if field is not space.now[update.slot])
                values = narrow.set.apply_exists(AND, pattern.domain(), others)
                update.learn(values, lambda pattern=pattern: states.set & pattern.domain())  # type: ignore[misc]

    def _ask(self, row: tuple[int, ...], found: dict[Pattern, list[Entry]]) -> None:
        world = self.world
        world.evaluations += 1
        steps = evaluate.steps(world.system, self.number, self.reader.short(row))
        self.branching.setdefault(len(steps), []).append(row)
        for step in steps:
            pattern, values = self._read(step)
            found.setdefault(pattern, []).append(Entry(row, values, self.events.number(step.event)))

    def _read(self, step: Step) -> tuple[Pattern, tuple[int, ...]]:
        kinds: list[Written] = []
        values = []
        for slot in self.declared.writes:
            written = step.writes.get(slot, self)
            if written is self:
                kinds.append(False)
            elif isinstance(written, Pure):
                kinds.append(self._updated(slot, written))
            else:
                kinds.append(True)
                what = f"what group '{self.declared.name}' writes"
                values.append(interned(self.world, slot, written, what, self.declared.place))  # type: ignore[arg-type]
        key = tuple(kinds)
        if key not in self.patterns:
            self.patterns[key] = Pattern(self, key)
        return self.patterns[key], tuple(values)

    def _updated(self, slot: int, function: Pure) -> Updated:
        key = (slot, function.function, encode(function.arguments))
        if key not in self._updates:
            self._updates[key] = Updated(self.world, slot, function)
        return self._updates[key]

    @property
    def version(self) -> tuple[object, ...]:
        """Changes when its relations may have."""
        read = tuple(projection.version for projection in self.reader.projections)
        return (read, tuple(pattern.version for pattern in self.patterns.values()))

    def enabled(self) -> Set:
        """The states that have a step of it."""
        found = self.world.space.false
        for pattern in self.patterns.values():
            found = found | pattern.domain()
        return found

    def with_steps(self, count: int) -> Set:
        """The states that have so many steps of it."""
        rows = self.branching.get(count, [])
        return self.reader.spread(self.world.space.of_rows(rows, self.reader.fields))
