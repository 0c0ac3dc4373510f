"""A system with clocks at given times: its states have the values of clocks, in fractions, and time passes by given
delays only. It judges traces that say when something happens, without a zone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from homing.core import evaluate
from homing.core.errors import ModelError
from homing.core.system import Event, Group, Read, Shape, Slot, Step
from homing.core.values import Short, State, Value
from homing.timed.system import Action, Constraints, Reset, TimedSystem
from homing.timed.zonegraph import Option, ZoneGraph

TIME = "time"
"""The group of steps in which only time passes."""


def wait(delay: Fraction) -> Event:
    """The event of letting time pass."""
    return Event("wait", (shown(delay),), text=f"wait {delay}")


def shown(time: Fraction) -> Value:
    """A number where it is whole, and a fraction as text."""
    return time.numerator if time.denominator == 1 else str(time)


def names(system: TimedSystem) -> tuple[str, ...]:
    """What is known of time in a state: how late it is, and the clocks."""
    if not system.clocks:
        return ()
    taken = {*map(str, system.shape.slots), *system.clocks}
    now = next(name for name in ("time", "elapsed", "time since the start") if name not in taken)
    return now, *system.clocks


def advanced(clocks: Sequence[Fraction], delay: Fraction) -> list[Fraction]:
    """The clocks, from number 0 on, after a delay."""
    return [Fraction(0), *(clock + delay for clock in clocks[1:])]


def reset(clocks: Sequence[Fraction], resets: Iterable[Reset]) -> list[Fraction]:
    """The clocks after resets, in their order."""
    after = list(clocks)
    for each in resets:
        after[each.clock] = after[each.source] + each.value
    return after


def satisfied(clocks: Sequence[Fraction], constraints: Constraints) -> bool:
    """Whether all of them hold."""
    return all(
        clocks[i] - clocks[j] <= bound >> 1 if bound & 1 else clocks[i] - clocks[j] < bound >> 1
        for i, j, bound in constraints
    )


class Timeline:
    """The system at times that are sums of the delays."""

    def __init__(self, system: TimedSystem, delays: Iterable[Fraction]) -> None:
        self._system = system
        self._graph = ZoneGraph(system)
        self._delays = sorted({delay for delay in delays if delay > 0})
        shape = system.shape
        timed = tuple(map(Slot, names(system)))
        self._discrete = len(shape.slots)
        slots = (*shape.slots, *timed)
        every = tuple(range(len(slots)))
        reads = tuple(map(Read, every))
        groups = [Group(group.name, reads, every, group.place) for group in shape.groups]
        known = shape.notation
        notation = replace(
            known,
            slots=None if known.slots is None else (*known.slots, *names(system)),
            state=None if known.state is None else self._shown,
        )
        self.shape: Shape = replace(
            shape, slots=slots, groups=(*groups, Group(TIME, reads, every)), notation=notation, hidden=frozenset()
        )

    def _shown(self, state: State) -> State:
        known = self._system.shape.notation.state
        assert known is not None
        return (*known(state[: self._discrete]), *state[self._discrete :])

    def initial(self) -> Iterable[State]:
        """The initial states that the invariants allow, at time 0."""
        zeros = [Fraction(0)] * (len(self._system.clocks) + 1)
        for state in evaluate.initial(self._system):
            if satisfied(zeros, self._graph.timing(state).invariant):
                yield self._state(state, Fraction(0), zeros)

    def _state(self, discrete: State, now: Fraction, clocks: Sequence[Fraction]) -> State:
        if not self._system.clocks:
            return discrete
        return (*discrete, shown(now), *map(shown, clocks[1:]))

    def next(self, group: int, read: Short) -> Iterable[Step]:
        """What is possible at once, or a delay."""
        state = tuple(read[: self._discrete])
        timed = [Fraction(str(value)) for value in read[self._discrete :]] or [Fraction(0)]
        now, clocks = timed[0], [Fraction(0), *timed[1:]]
        if self.shape.groups[group].name == TIME:
            yield from self._waits(state, now, clocks)
            return
        possible = [option for option in self._graph.options(state) if self._is_possible(option, clocks)]
        for option in possible:
            if option.group == group and not any(other.action.priority > option.action.priority for other in possible):
                yield self._step(option, now, clocks)

    def _waits(self, state: State, now: Fraction, clocks: Sequence[Fraction]) -> Iterable[Step]:
        timing = self._graph.timing(state)
        for delay in self._delays if timing.delay else ():
            later = advanced(clocks, delay)
            if satisfied(later, timing.invariant):
                yield Step(wait(delay), dict(enumerate(self._state(state, now + delay, later))))

    def _is_possible(self, option: Option, clocks: Sequence[Fraction]) -> bool:
        action = option.action
        if not satisfied(clocks, action.guard):
            return False
        return bool(action.failure) or satisfied(
            reset(clocks, action.resets), self._graph.timing(option.target).invariant
        )

    def _step(self, option: Option, now: Fraction, clocks: Sequence[Fraction]) -> Step:
        action: Action = option.action
        if action.failure:
            raise ModelError(action.failure)
        after = reset(clocks, action.resets)
        return Step(action, dict(enumerate(self._state(option.target, now, after))))

    def label(self, label: int, read: Short) -> bool | int:
        """Labels are about the discrete part."""
        return self._system.label(label, read)
