"""A system with clocks as a plain transition system: each state has the zone of all values that its clocks may take
while time passes in it. Slow and clear; simulation and replay walk on it, and it judges what the search finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from homing.core import evaluate, interpreter
from homing.core.errors import ModelError
from homing.core.system import Group, Notation, Read, Shape, Slot, Step
from homing.core.values import Short, State, Value
from homing.timed import zones
from homing.timed.system import EVERYWHERE, NOWHERE, Action, Cell, Constraints, Part, TimedSystem
from homing.timed.zones import Zone


@dataclass(frozen=True)
class Timing:
    """What all parts of a discrete state say about time, together."""

    invariant: Constraints
    delay: bool
    committed: bool


@dataclass(frozen=True)
class Option:
    """A step of the discrete system from some state, which the clocks may forbid."""

    group: int
    step: Step
    target: State

    @property
    def action(self) -> Action:
        """What it does to the clocks."""
        assert isinstance(self.step.event, Action)
        return self.step.event


class ZoneGraph:
    """The zone graph of a system, with exact zones."""

    def __init__(self, system: TimedSystem) -> None:
        self.system = system
        shape, everything = system.shape, tuple(Read(slot) for slot in range(len(system.shape.slots) + 1))
        self.zone_slot = len(shape.slots)
        slots = (*shape.slots, Slot("zone"))
        writes = tuple(range(len(slots)))
        groups = tuple(Group(group.name, everything, writes, group.place) for group in shape.groups)
        self.shape: Shape = replace(shape, slots=slots, groups=groups, notation=self._notation(shape))
        self.timing = lru_cache(maxsize=1 << 12)(self._timing)
        self.options = lru_cache(maxsize=1 << 12)(self._options)

    def _notation(self, shape: Shape) -> Notation:
        known, clocks = shape.notation, self.system.clocks

        def state(given: State) -> State:
            *values, zone = given
            assert isinstance(zone, bytes)
            shown = tuple(values) if known.state is None else known.state(tuple(values))
            return (*shown, zones.show(zone, clocks))

        names = known.slots if known.slots is not None else tuple(map(str, shape.slots))
        return replace(known, slots=(*names, "zone"), state=state)

    # As a transition system

    def initial(self) -> Iterable[State]:
        """The initial states, in those zones that the invariants allow."""
        for state in evaluate.initial(self.system):
            zone = self.settle(state, zones.zero(len(self.system.clocks)))
            if zone is not None:
                yield (*state, zone)

    def next(self, group: int, read: Short) -> Iterable[Step]:
        """The steps of a group; where priorities split a zone, one for each part."""
        *values, zone = read
        state = tuple(values)
        assert isinstance(zone, bytes)
        for option in self.options(state):
            if option.group == group:
                for _, after in self.after(state, zone, option):
                    self._check(option)
                    writes: dict[int, Value] = dict(enumerate((*option.target, after)))
                    yield Step(option.step.event, writes)

    def label(self, label: int, read: Short) -> bool | int:
        """Labels are about the discrete part."""
        return self.system.label(label, read)

    def _check(self, option: Option) -> None:
        if option.action.failure:
            raise ModelError(option.action.failure)

    # What it is made of

    def _timing(self, state: State) -> Timing:
        parts = self.parts(state)
        invariant = tuple(constraint for part in parts for constraint in part.invariant)
        committed = any(part.committed for part in parts)
        delay = not committed and all(part.delay for part in parts)
        return Timing(invariant, delay and not any(option.action.urgent for option in self.options(state)), committed)

    def parts(self, state: State) -> list[Part]:
        """What each part says in a discrete state."""
        return [self.system.part(int(interpreter.label(self.system, label, state))) for label in self.system.parts]

    def condition(self, label: int, state: State) -> tuple[Cell, ...]:
        """Where in a discrete state a condition holds."""
        number = int(interpreter.label(self.system, label, state))
        return () if number == NOWHERE else (Cell(),) if number == EVERYWHERE else self.system.cells(number)

    def _options(self, state: State) -> tuple[Option, ...]:
        shape = self.system.shape
        found = []
        for number, group in enumerate(shape.groups):
            for step in evaluate.steps(self.system, number, interpreter.short(shape, group.reads, state)):
                found.append(Option(number, step, interpreter.apply(shape, step, state)))
        committed = any(part.committed for part in self.parts(state))
        return tuple(option for option in found if option.action.committed or not committed)

    def settle(self, state: State, zone: Zone) -> Zone | None:
        """What a zone becomes while time passes; None where the invariant forbids to be there."""
        timing = self.timing(state)
        inside = zones.constrain(zone, timing.invariant)
        if inside is None or not timing.delay:
            return inside
        return zones.constrain(zones.up(inside), timing.invariant)

    def after(self, state: State, zone: Zone, option: Option) -> Iterator[tuple[Constraints, Zone]]:
        """The zones that a step leads to, each with the guard for it: where actions of a higher priority are possible
        this one is not."""
        enabled = zones.constrain(zone, option.action.guard)
        if enabled is None:
            return
        blocking = [
            part
            for other in (self.options(state) if self.system.ranked else ())
            if other.action.priority > option.action.priority and (part := self.enabling(state, other)) is not None
        ]
        for piece in zones.subtract(enabled, blocking) if blocking else [enabled]:
            guard = zones.constraints_of(piece) if blocking else option.action.guard
            reset = zones.reset(piece, option.action.resets)
            settled = reset if option.action.failure else self.settle(option.target, reset)
            if settled is not None:
                yield guard, settled

    def enabling(self, state: State, option: Option) -> Zone | None:
        """All points of a discrete state at which a step is possible."""
        inside = zones.constrain(zones.universe(len(self.system.clocks)), self.timing(state).invariant)
        enabled = None if inside is None else zones.constrain(inside, option.action.guard)
        return None if enabled is None else zones.constrain(enabled, self._before(option))

    def _before(self, option: Option) -> Constraints:
        """The invariant of the target, in terms of the clocks before the resets."""
        source, value = list(range(len(self.system.clocks) + 1)), [0] * (len(self.system.clocks) + 1)
        for reset in option.action.resets:
            source[reset.clock], value[reset.clock] = source[reset.source], value[reset.source] + reset.value
        invariant = self.timing(option.target).invariant
        return tuple((source[i], source[j], bound + 2 * (value[j] - value[i])) for i, j, bound in invariant)

    def deadlocked(self, state: State, zone: Zone) -> list[Zone]:
        """The points of a zone from which no step is possible, now or after any delay."""
        acting = [part for option in self.options(state) if (part := self.enabling(state, option)) is not None]
        if self.timing(state).delay:
            acting = [zones.down(part) for part in acting]
        return zones.subtract(zone, acting)
