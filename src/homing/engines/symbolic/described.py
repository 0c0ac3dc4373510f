"""Systems that say what they do by conditions: relations that need not be asked for, combination by combination."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod
from typing import Any

from homing.core import evaluate, interpreter
from homing.core.errors import HomingError, ModelError
from homing.core.system import Description
from homing.core.values import Value
from homing.engines.symbolic.arrows import Conjunct
from homing.engines.symbolic.space import Field, Kept, Set, Space
from homing.engines.symbolic.world import Failed, World

MOST_VALUES = 4096
"""Of a slot that conditions speak of."""


class Conditions:
    """The algebra of sets."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._space = world.space

    @property
    def true(self) -> Set:
        return self._space.true

    @property
    def false(self) -> Set:
        return self._space.false

    def equals(self, slot: int, value: Value, after: bool) -> Set:
        """The slot has this value."""
        number = self._world.slots[slot].find(value)
        if number is None:
            return self._space.false
        return self._space.cube((self._space.then if after else self._space.now)[slot], number)

    def possible(self, condition: Set) -> bool:
        """Whether anything satisfies the condition."""
        return condition.satisfiable()


class Describing:
    """Asks a system for descriptions, where there is more to ask about than `wide`."""

    def __init__(self, world: World, wide: int) -> None:
        self.world = world
        self.wide = wide
        self._system: Any = world.system
        self._able = hasattr(world.system, "describe_group")

    def group(self, number: int) -> Description | None:
        """A group's, if it reads a lot."""
        declared = self.world.shape.groups[number]
        reads = {read.slot for read in declared.reads}
        return self._asked(reads, reads | set(declared.writes), lambda c: self._system.describe_group(number, c))

    def label(self, number: int) -> Description | None:
        """A label's, if it reads a lot."""
        reads = {read.slot for read in self.world.shape.labels[number].reads}
        return self._asked(reads, reads, lambda c: self._system.describe_label(number, c))

    def start(self, number: int, slots: Iterable[int]) -> Description | None:
        """Of some slots of the initial states, if they have many values together."""
        slots = set(slots)
        return self._asked(slots, slots, lambda c: self._system.describe_start(number, c))

    def _asked(
        self, deciding: set[int], slots: set[int], ask: Callable[[Conditions], Description | None]
    ) -> Description | None:
        if not self._able:
            return None
        domains = {slot: self._system.domain(slot) for slot in slots}
        if any(len(domain) > MOST_VALUES for domain in domains.values()):
            return None
        if self.wide and prod(len(domains[slot]) for slot in deciding) <= self.wide:
            return None
        # All values get their numbers first, so that nothing changes while conditions are put together.
        for slot, domain in domains.items():
            for value in domain:
                self.world.intern(slot, value)
        self.world.settle()
        return ask(Conditions(self.world))


def valid(space: Space, field: Field) -> Set:
    """The field holds one of its numbers."""
    count = len(field.interner)
    if count == 1 << len(field.bits):
        return space.true
    return space.of_rows([(number,) for number in range(count)], (field,))


class Written:
    """A group that is given by conditions."""

    def __init__(self, world: World, number: int, description: Description) -> None:
        self.world, self.number = world, number
        self.declared = world.shape.groups[number]
        self.description = description
        space = world.space
        self.slots = frozenset(self.declared.writes)
        self.ways = [
            [
                *(Conjunct(condition, now, then) for condition, now, then in way),
                *(Conjunct(valid(space, space.then[s]), frozenset(), frozenset({s})) for s in self.declared.writes),
            ]
            for way in description.ways
        ]

    @property
    def version(self) -> tuple[object, ...]:
        """It never changes."""
        return ()

    def learn(self, states: Kept) -> None:
        """There is nothing to learn, unless the model fails in one of the states."""
        if not self.description.failing.satisfiable():
            return
        failing = states.set & self.description.failing
        if failing.satisfiable():
            state = self.world.state(failing)
            read = interpreter.short(self.world.shape, self.declared.reads, state)
            _fail(self.world, failing, lambda: evaluate.steps(self.world.system, self.number, read))

    def relation(self) -> Set:
        """As one; may be large."""
        found = self.world.space.false
        for way in self.ways:
            every = self.world.space.true
            for part in way:
                every = every & part.relation
            found = found | every
        return found

    def enabled(self) -> Set:
        """The states that have a step of it."""
        space = self.world.space
        return self.relation().exists(space.bits(space.then[slot] for slot in self.slots))


def _fail(world: World, states: Set, ask: Callable[[], object]) -> None:
    try:
        ask()
    except HomingError as error:
        raise Failed(error, states) from None
    place = world.shape.place
    raise Failed(ModelError("the model describes itself otherwise than it behaves", place), states)


class Told:
    """A label that is given by conditions."""

    def __init__(self, world: World, number: int, description: Description) -> None:
        self.world, self.number, self.description = world, number, description
        self.true = world.space.false
        for way in description.ways:
            every = world.space.true
            for condition, _, _ in way:
                every = every & condition
            self.true = self.true | every

    def learn(self, states: Kept) -> None:
        """There is nothing to learn, unless the model fails in one of the states."""
        failing = states.set & self.description.failing
        if failing.satisfiable():
            world, state = self.world, self.world.state(failing)
            _fail(world, failing, lambda: interpreter.label(world.system, self.number, state))


def start(describing: Describing, number: int, slots: tuple[int, ...], values: Callable[[], Any]) -> Set:
    """What some slots are at the start: by conditions, or listed."""
    world = describing.world
    space = world.space
    description = describing.start(number, slots)
    if description is None:
        rows = [[world.intern(slot, value) for slot, value in zip(slots, each, strict=True)] for each in values()]
        world.settle()
        return space.of_rows(rows, [space.now[slot] for slot in slots])
    found = space.false
    for way in description.ways:
        every = space.true
        for condition, _, _ in way:
            every = every & condition
        found = found | every
    for slot in slots:
        found = found & valid(space, space.now[slot])
    failing: Set = description.failing
    if (found & failing).satisfiable():
        values()  # which says what is wrong
    return found & ~failing
