"""Labels: the states in which they are true, or have a value."""

from __future__ import annotations

from collections.abc import Iterable

from homing.core import evaluate, interpreter
from homing.core.errors import HomingError
from homing.engines.local.numbering import Interner
from homing.engines.symbolic.asking import Reader
from homing.engines.symbolic.described import Describing, Told
from homing.engines.symbolic.space import Field, Kept, Set
from homing.engines.symbolic.world import Failed, World


class Observer:
    """One label, asked about what turns up."""

    def __init__(self, labels: Labels, number: int) -> None:
        self.labels = labels
        self.world = labels.world
        self.number = number
        self.declared = self.world.shape.labels[number]
        self.reader = Reader(self.world, self.declared.reads)
        description = labels.describing.label(number)
        self.told = None if description is None else Told(self.world, number, description)
        self._values: dict[int, Kept] = {}
        """By value, the combinations of what it reads."""
        self._true: tuple[object, Set] | None = None

    def learn(self, states: Kept) -> None:
        """Asks about the states, those left out where a label before is false."""
        world = self.world
        if self.told is not None:
            self.told.learn(world.space.keep(self._asked(states.set), states.fields))
            return
        rows: dict[int, list[tuple[int, ...]]] = {}
        for row in self.reader.new(self._asked(states.set)):
            world.evaluations += 1
            try:
                value = int(evaluate.label(world.system, self.number, self.reader.short(row)))
            except HomingError as error:
                raise Failed(error, states.set & self.reader.where(row)) from None
            rows.setdefault(value, []).append(row)
        if not rows:
            return
        space = world.space
        world.revision += 1
        for value, found in rows.items():
            kept = self._values.setdefault(value, space.keep(space.false, self.reader.fields))
            kept.set = kept.set | space.of_rows(found, self.reader.fields)
            self.reader.learnt(found)

    def _asked(self, states: Set) -> Set:
        for earlier in self.declared.after:
            states = states & self.labels.true(earlier)
        return states

    @property
    def seen(self) -> Iterable[int]:
        """Its values, where it is asked."""
        return self._values

    def values(self) -> dict[int, Set]:
        """By value, the states that have it; not those where a label before is false."""
        if self.told is not None:
            return {1: self.true()}
        return {value: self._asked(self.reader.spread(kept.set)) for value, kept in self._values.items()}

    def numbered(self, field: Field) -> Set:
        """The states with their value's number in a field; not those where a label before is false."""
        space, number = self.world.space, field.interner.intern
        if self.told is not None:
            return self.true() & space.cube(field, number(1))
        found = space.false
        for value, kept in self._values.items():
            found = found | kept.set & space.cube(field, number(value))
        return self._asked(self.reader.spread(found))

    def true(self) -> Set:
        """The states in which it is not 0."""
        version = (self.world.space.version, self.world.revision)
        if self._true is None or self._true[0] != version:
            self._true = (version, self._where())
        return self._true[1]

    def _where(self) -> Set:
        if self.told is not None:
            return self._asked(self.told.true)
        found = self.world.space.false
        for value, kept in self._values.items():
            if value:
                found = found | kept.set
        return self._asked(self.reader.spread(found))


class Labels:
    """All labels of a system, those that somebody asks for."""

    def __init__(self, world: World, describing: Describing) -> None:
        self.world = world
        self.describing = describing
        self._observers: dict[int, Observer] = {}
        self._pair: tuple[Field, Field] | None = None

    def __getitem__(self, number: int) -> Observer:
        if number not in self._observers:
            self._observers[number] = Observer(self, number)
            self.world.settle()
        return self._observers[number]

    def learn(self, number: int, states: Kept) -> None:
        """Asks a label, and those before it, about the states."""
        for each in self._before(number):
            self[each].learn(states)

    def _before(self, number: int) -> list[int]:
        """A label after all that it comes after, each once."""
        found: dict[int, None] = {}
        waiting = [(number, False)]
        while waiting:
            label, ready = waiting.pop()
            if ready:
                found[label] = None
            elif label not in found:
                waiting.append((label, True))
                waiting += [(earlier, False) for earlier in self[label].declared.after if earlier not in found]
        return list(found)

    def true(self, number: int) -> Set:
        """The states in which a label is true, among those it was asked about."""
        return self[number].true()

    def values(self, number: int, states: Set) -> dict[int, Set]:
        """By value of a label the states that have it, among these; where a label before is false it is 0."""
        found = {value: states & where for value, where in self[number].values().items()}
        rest = states
        for where in found.values():
            rest = rest & ~where
        if rest.satisfiable():
            found[0] = found.get(0, self.world.space.false) | rest
        return {value: where for value, where in found.items() if where.satisfiable()}

    def pair(self, *numbers: int) -> tuple[Field, Field]:
        """Two fields with room for every value that these labels were seen to have."""
        if self._pair is None:
            one, other = self.world.space.below(Interner(), Interner())
            self._pair = one, other
        for field in self._pair:
            for value in (0, 1, *(value for number in numbers for value in self[number].seen)):
                field.interner.intern(value)
        self.world.settle()
        return self._pair

    def numbered(self, number: int, states: Set, field: Field) -> Set:
        """The states, each with the number of a label's value in a field; where a label before is false it is 0."""
        space = self.world.space
        found = states & self[number].numbered(field)
        rest = states & ~found.exists(space.bits((field,)))
        return found | rest & space.cube(field, 0)

    def check(self, number: int, states: Set) -> bool | int:
        """What a label says of one of the states, asked in the plain way."""
        return interpreter.label(self.world.system, number, self.world.state(states))
