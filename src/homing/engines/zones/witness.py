"""Traces of systems with clocks: a run is walked again by the plain zone graph, and given times at which it happens."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product

from homing.core.interpreter import ReplayFailed
from homing.core.system import Notation
from homing.core.values import State, same
from homing.core.witness import Move, Trace
from homing.engines.zones.paths import Run
from homing.engines.zones.ticking import TICK
from homing.timed import timeline, zones
from homing.timed.schedule import Stay, replay, schedule
from homing.timed.system import Action, Cell, Constraints, TimedSystem
from homing.timed.zonegraph import ZoneGraph
from homing.timed.zones import Zone

MOST_WAYS = 256
"""Ways to walk one run, of which the first that can be given times is told."""


@dataclass(frozen=True)
class Walk:
    """One way to walk a run: the zones that it goes through, and the guards, with what priorities add to them."""

    zones: tuple[Zone, ...]
    guards: tuple[Constraints, ...] = ()

    @property
    def end(self) -> Zone:
        return self.zones[-1]


class Witnesses:
    """Makes traces of runs of one system."""

    def __init__(self, system: TimedSystem) -> None:
        self.system = system
        self.graph = ZoneGraph(system)

    def trace(
        self, run: Run, goals: Sequence[Cell] = (), within: int | None = None, notes: Sequence[str] = ()
    ) -> Trace:
        """The trace of a run that ends where one of the goals holds; `within` is a condition that holds all the time.

        Raises ReplayFailed when the system has no such run.
        """
        plain = run.without_ticks()
        for walk, goal in product(self._walks(plain), goals or (Cell(),)):
            for end in self._ends(plain.states[-1], walk.end, goal):
                timed = self._timed(run, walk, end, within)
                if timed is not None:
                    return self._told(plain, walk, timed, notes)
        raise ReplayFailed(f"no times could be found for the run {', '.join(map(str, run.actions))}")

    # Walking

    def _walks(self, run: Run) -> list[Walk]:
        start = zones.zero(len(self.system.clocks))
        known = any(same(state, run.states[0]) for state in self.system.initial())
        zone = self.graph.settle(run.states[0], start) if known else None
        walks = [] if zone is None else [Walk((zone,))]
        if not walks:
            raise ReplayFailed(f"{run.states[0]} is no initial state")
        for position, action in enumerate(run.actions):
            further = (found for walk in walks for found in self._further(walk, run, position, action))
            walks = list(islice(dict.fromkeys(further), MOST_WAYS))
            if not walks:
                raise ReplayFailed(f"no step {action} is possible after {position} steps")
        return walks

    def _further(self, walk: Walk, run: Run, position: int, action: Action) -> Iterator[Walk]:
        """The ways to go on; there are several only where priorities leave several parts of a zone."""
        state, target = run.states[position], run.states[position + 1]
        taken = (
            option
            for option in self.graph.options(state)
            if option.action.key == action.key and same(option.target, target)
        )
        option = next(taken, None)  # others would be the same step again
        for guard, zone in () if option is None else self.graph.after(state, walk.end, option):
            yield Walk((*walk.zones, zone), (*walk.guards, guard))

    def _ends(self, state: State, zone: Zone, goal: Cell) -> list[Constraints]:
        """The ways in which the goal may hold at the end."""
        inside = zones.constrain(zone, goal.constraints)
        if inside is None:
            return []
        if goal.deadlock is None:
            return [goal.constraints]
        dead = self.graph.deadlocked(state, inside)
        parts = dead if goal.deadlock else zones.subtract(inside, dead)
        return [zones.constraints_of(part) for part in parts]

    # Times

    def _timed(self, run: Run, walk: Walk, end: Constraints, within: int | None) -> list[Fraction] | None:
        """The delays of the run without its ticks; they see to it that time passes in a loop that has one."""
        stays = [self._stay(state, within) for state in run.states]
        stays[-1] = replace(stays[-1], goal=end)
        guards = iter(walk.guards)
        ticks = [move.group == TICK for move in run.moves]
        actions = [
            action if tick else replace(action, guard=next(guards))
            for action, tick in zip(run.actions, ticks, strict=True)
        ]
        clocks = len(self.system.clocks) + any(ticks)
        delays = schedule(clocks, stays, actions)
        if delays is None:
            return None
        replay(clocks, stays, actions, delays)
        together = [Fraction(0)]
        for delay, tick in zip(delays, [*ticks, False], strict=True):
            together[-1] += delay
            if not tick:
                together.append(Fraction(0))
        return together[:-1]

    def _stay(self, state: State, within: int | None) -> Stay:
        timing = self.graph.timing(state)
        condition = () if within is None else self.graph.condition(within, state)
        # A condition of several cells may hold across them; times are then found without it.
        always = condition[0].constraints if len(condition) == 1 else ()
        return Stay((*timing.invariant, *always), timing.delay)

    # Telling

    def _told(self, run: Run, walk: Walk, delays: Sequence[Fraction], notes: Sequence[str]) -> Trace:
        """The trace with a step for each delay."""
        told = _Telling(self.system)
        for position, state in enumerate(run.states):
            told.arrive(state, walk.zones[position])
            if position == run.loop:
                told.loop = len(told.moves)
            if delays[position]:
                told.wait(delays[position])
            if position < len(run.moves):
                told.move(run.moves[position])
        return told.trace(notes)


class _Telling:
    """Puts a trace together, and runs the clocks."""

    def __init__(self, system: TimedSystem) -> None:
        self._system = system
        self._clocks = [Fraction(0)] * (len(system.clocks) + 1)
        self._time = Fraction(0)
        self._states: list[State] = []
        self.moves: list[Move] = []
        self.loop: int | None = None

    def arrive(self, state: State, zone: Zone) -> None:
        """A discrete state is reached."""
        notation = self._system.shape.notation
        self._discrete = state if notation.state is None else notation.state(state)
        self._zone = zones.show(zone, self._system.clocks)
        self._note()

    def wait(self, delay: Fraction) -> None:
        """Time passes."""
        self._time += delay
        self._clocks = timeline.advanced(self._clocks, delay)
        event = replace(timeline.wait(delay), text=f"wait {delay} (t = {self._time})")
        self.moves.append(Move(timeline.TIME, event))
        self._note()

    def move(self, move: Move) -> None:
        """An action is taken."""
        assert isinstance(move.event, Action)
        self._clocks = timeline.reset(self._clocks, move.event.resets)
        self.moves.append(move)

    def _note(self) -> None:
        times = map(timeline.shown, (self._time, *self._clocks[1:]))
        self._states.append((*self._discrete, *times, self._zone) if self._system.clocks else self._discrete)

    def trace(self, notes: Sequence[str]) -> Trace:
        """The trace as it is now."""
        notation = self._system.shape.notation
        discrete = notation.slots if notation.slots is not None else tuple(map(str, self._system.shape.slots))
        timed = (*timeline.names(self._system), "zone") if self._system.clocks else ()
        return Trace(
            (*discrete, *timed),
            tuple(self._states),
            tuple(self.moves),
            self.loop,
            notes=tuple(notes),
            notation=Notation(notation.show, lines=notation.lines),
        )
