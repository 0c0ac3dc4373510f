"""Functions of few reads, asked once for each combination of values that turns up."""

from __future__ import annotations

from collections.abc import Iterator

from homing.core import evaluate, interpreter
from homing.core.errors import HomingError
from homing.core.system import Read
from homing.core.values import NotAValue, Short, Value, encode
from homing.engines.symbolic.space import AND, Field, Set
from homing.engines.symbolic.world import Failed, Projected, World


class Reader:
    """What a group or label reads, and the combinations that it was asked about."""

    def __init__(self, world: World, reads: tuple[Read, ...]) -> None:
        self.world = world
        self.reads = reads
        self.projected = [world.projection(read) for read in reads]
        now = world.space.now
        each = [now[read.slot] if p is None else p.field for read, p in zip(reads, self.projected, strict=True)]
        self.fields: list[Field] = list(dict.fromkeys(each))
        self._position = [self.fields.index(field) for field in each]
        self.known = world.space.keep(world.space.false, self.fields)
        self._whole = {read.slot for read in reads if read.through is None}
        self._partly = {read.slot for read in reads} - self._whole
        self.projections: list[Projected] = list(dict.fromkeys(p for p in self.projected if p is not None))
        """The projections that it reads through, each once."""
        guards = (p for read, p in zip(reads, self.projected, strict=True) if read.guard and p is not None)
        self._guards: list[Projected] = list(dict.fromkeys(guards))

    def shorts(self, states: Set) -> Set:
        """The combinations of what it reads in these states, guards that are false left out."""
        space = self.world.space
        read = self._whole | self._partly
        left = states.exists(space.bits(field for slot, field in enumerate(space.now) if slot not in read))
        for slot in sorted(self._whole | self._partly):
            here = [projection for projection in self.projections if projection.slot == slot]
            for number, projection in enumerate(here, 1):
                gone = space.bits((space.now[slot],) if number == len(here) and slot in self._partly else ())
                left = left.apply_exists(AND, projection.relation.set, gone)
        for projection in self._guards:
            false = projection.field.interner.find(False)
            if false is not None:
                left = left & ~space.cube(projection.field, false)
        return left

    def new(self, states: Set) -> Iterator[tuple[int, ...]]:
        """The combinations that it was not asked about yet; raises Failed where one cannot be read."""
        self._check(states)
        fresh = self.shorts(states) & ~self.known.set
        return self.world.space.rows(fresh, self.fields)

    def _check(self, states: Set) -> None:
        for projection in self.projections:
            failing = states & projection.failing.set
            for guard in self._guards:
                failing = failing & ~guard.where(False)
            if failing.satisfiable():
                self.fail(failing)

    def fail(self, states: Set) -> None:
        """Reads in one of the states, which raises."""
        world = self.world
        one = world.space.tuple(world.space.one(states, world.space.now), world.space.now)
        try:
            for value in interpreter.short(world.shape, self.reads, world.state(one)):
                _encode(value, world)
        except HomingError as error:
            raise Failed(error, one) from None
        raise AssertionError("a projection failed once and then did not: it is not pure")

    def learnt(self, rows: list[tuple[int, ...]]) -> None:
        """It was asked about these."""
        self.known.set = self.known.set | self.world.space.of_rows(rows, self.fields)

    def short(self, row: tuple[int, ...]) -> Short:
        """The values that a combination stands for."""
        values = [field.interner.values[number] for field, number in zip(self.fields, row, strict=True)]
        return tuple(values[position] for position in self._position)

    def where(self, row: tuple[int, ...]) -> Set:
        """The states in which it reads this combination."""
        return self.spread(self.world.space.tuple(row, self.fields))

    def spread(self, combinations: Set) -> Set:
        """The states in which it reads one of these combinations (and whatever else they speak of)."""
        found = combinations
        for projection in self.projections:
            gone = self.world.space.bits((projection.field,))
            found = found.apply_exists(AND, projection.relation.set, gone)
        return found


def _encode(value: Value, world: World) -> None:
    try:
        encode(value)
    except (NotAValue, RecursionError) as found:
        raise evaluate.no_value(found, "what is read", world.shape.place) from None
