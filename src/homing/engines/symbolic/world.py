"""What is known of a system while it is explored: values and their numbers, and projections of slots as relations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homing.core import evaluate
from homing.core.errors import HomingError
from homing.core.system import Projection, Read, TransitionSystem
from homing.core.values import NotAValue, State, Value, encode
from homing.engines.local.numbering import Interner, Numbering
from homing.engines.symbolic.space import AND, Set, Space


class Failed(Exception):
    """The model failed in some of these states."""

    def __init__(self, error: HomingError, states: Set) -> None:
        super().__init__(str(error))
        self.error = error
        self.states = states


class Projected:
    """A projection of a slot: which of its values have which result."""

    def __init__(self, world: World, slot: int, through: Projection) -> None:
        self.world, self.slot, self.through = world, slot, through
        self.field = world.space.beside(slot, Interner())
        space = world.space
        self.relation = space.keep(space.false, (space.now[slot], self.field))
        self.failing = space.keep(space.false, (space.now[slot],))
        """The values that it cannot be applied to. Perhaps nobody needs it there."""
        self.version = 0
        self._done = 0
        self._waiting: list[tuple[int, int]] = []
        self._failed: list[tuple[int]] = []

    def tabulate(self) -> None:
        """Applies it to the values that are new; they get their bits afterwards."""
        values = self.world.slots[self.slot].values
        for number in range(self._done, len(values)):
            try:
                result = self.field.interner.intern(self._apply(values[number]))
                self._waiting.append((number, result))
            except (HomingError, NotAValue, RecursionError):
                self._failed.append((number,))
        self._done = len(values)

    def _apply(self, value: Value) -> Value:
        shape = self.world.shape
        return evaluate.pure(self.through, value, f"read from slot '{shape.slots[self.slot]}'", shape.place)

    def extend(self) -> None:
        """Takes in what was tabulated."""
        space = self.world.space
        if self._waiting:
            fields = (space.now[self.slot], self.field)
            self.relation.set = self.relation.set | space.of_rows(self._waiting, fields)
            self.version += 1
            self.world.revision += 1
            self._waiting = []
        if self._failed:
            self.failing.set = self.failing.set | space.of_rows(self._failed, (space.now[self.slot],))
            self._failed = []

    def where(self, value: Value) -> Set:
        """The states where the result is this."""
        number = self.field.interner.find(value)
        space = self.world.space
        if number is None:
            return space.false
        return self.relation.set.apply_exists(AND, space.cube(self.field, number), space.bits((self.field,)))


class World:
    """The numbering of all values, with the projections that somebody reads."""

    def __init__(
        self, system: TransitionSystem, slots: Sequence[Interner], space: Space, values: Numbering | None = None
    ) -> None:
        """`values`: where images of values under a symmetry are wanted, their numbering."""
        self.system = system
        self.shape = system.shape
        self.slots = slots
        self.space = space
        self.evaluations = 0
        self.revision = 0
        """Changes when a label or projection has learnt something."""
        self.also: World | None = None
        """Another system on the same slots, whose projections have to follow, too."""
        self._projections: dict[object, Projected] = {}
        self._values = values

    def projection(self, read: Read) -> Projected | None:
        """The projection that a read goes through; None for the whole slot."""
        if read.through is None:
            return None
        key = (read.slot, read.through.function, encode(read.through.arguments))
        if key not in self._projections:
            self._projections[key] = Projected(self, read.slot, read.through)
        return self._projections[key]

    def intern(self, slot: int, value: Value) -> int:
        """The number of a value; `settle` gives it its bits."""
        return self.slots[slot].intern(value) if self._values is None else self._values.intern(slot, value)

    def settle(self) -> None:
        """Gives all that is new its bits, and puts it through the projections."""
        projections = [*self._projections.values(), *(self.also._projections.values() if self.also else ())]
        for projection in projections:
            projection.tabulate()
        self.space.fit()
        for projection in projections:
            projection.extend()

    def numbers(self, state: State) -> list[int]:
        """The numbers of a state's values, new ones where need be."""
        return [self.intern(slot, value) for slot, value in enumerate(state)]

    def of_states(self, states: Iterable[State]) -> Set:
        """The set of these states."""
        rows = [self.numbers(state) for state in states]
        self.settle()
        return self.space.of_rows(rows, self.space.now)

    def state(self, states: Set) -> State:
        """One of the states, always the same."""
        return self.decoded(self.space.one(states, self.space.now))

    def decoded(self, row: Sequence[int]) -> State:
        """The state of these numbers."""
        return tuple(slot.values[number] for slot, number in zip(self.slots, row, strict=True))
