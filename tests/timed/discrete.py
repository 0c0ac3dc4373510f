"""What the oracles share: a timed system asked at single points, by the plain interpreter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from homing.core import interpreter
from homing.core.values import State
from homing.timed.system import EVERYWHERE, INFINITY, NOWHERE, Action, Cell, Constraints, TimedSystem


class Option(NamedTuple):
    action: Action
    target: State


class Timing(NamedTuple):
    """Of a discrete state: where the clocks may be, whether time may pass, and what may be done if the clocks agree."""

    invariant: Constraints
    delay: bool
    options: tuple[Option, ...]


@dataclass
class Asked:
    """A system, remembering its answers."""

    system: TimedSystem

    def __post_init__(self) -> None:
        self._timings: dict[State, Timing] = {}
        self._conditions: dict[tuple[int, State], tuple[Cell, ...]] = {}

    @property
    def clocks(self) -> int:
        return len(self.system.clocks)

    def timing(self, state: State) -> Timing:
        if state not in self._timings:
            self._timings[state] = self._timing(state)
        return self._timings[state]

    def _timing(self, state: State) -> Timing:
        system = self.system
        parts = [system.part(int(interpreter.label(system, label, state))) for label in system.parts]
        options = []
        for move, target in interpreter.successors(system, state):
            assert isinstance(move.event, Action)
            options.append(Option(move.event, target))
        committed = any(part.committed for part in parts)
        if committed:
            options = [option for option in options if option.action.committed]
        stopped = committed or any(option.action.urgent for option in options)
        delay = not stopped and all(part.delay for part in parts)
        return Timing(tuple(c for part in parts for c in part.invariant), delay, tuple(options))

    def cells(self, label: int, state: State) -> tuple[Cell, ...]:
        """Where a condition holds."""
        key = label, state
        if key not in self._conditions:
            number = int(interpreter.label(self.system, label, state))
            plain = {NOWHERE: (), EVERYWHERE: (Cell(),)}
            self._conditions[key] = plain[number] if number in plain else self.system.cells(number)
        return self._conditions[key]

    @cached_property
    def states(self) -> tuple[State, ...]:
        """All discrete states that could be reached if clocks forbade nothing."""
        found = dict.fromkeys(self.system.initial())
        waiting = list(found)
        while waiting:
            for option in self.timing(waiting.pop()).options:
                if option.target not in found:
                    found[option.target] = None
                    waiting.append(option.target)
        return tuple(found)

    def occurring(self, labels: Sequence[int]) -> Iterator[Constraints]:
        """All constraints, in guards, invariants, and the conditions with these labels."""
        for state in self.states:
            yield self.timing(state).invariant
            yield from (option.action.guard for option in self.timing(state).options)
            for label in labels:
                yield from (cell.constraints for cell in self.cells(label, state))

    def greatest(self, labels: Sequence[int]) -> list[int]:
        """By clock, from number 0 on, the greatest constant that it is compared with; without diagonals only."""
        most = [0] * (self.clocks + 1)
        for constraints in self.occurring(labels):
            for i, j, bound in constraints:
                assert not (i and j), "a diagonal constraint"
                if bound != INFINITY:
                    most[i or j] = max(most[i or j], abs(bound // 2))
        copies = [reset for state in self.states for o in self.timing(state).options for reset in o.action.resets]
        if any(reset.source for reset in copies):
            # A clock may take the part of any other.
            most = [0] + [max(most)] * self.clocks
        return most


def holds(values: Sequence[int], constraints: Constraints, unit: int = 1) -> bool:
    """Whether clock values, counted in parts of 1, satisfy all of them; values[0] is 0."""
    for i, j, bound in constraints:
        if bound != INFINITY:
            difference, constant = values[i] - values[j], bound // 2 * unit
            if difference > constant or (difference == constant and bound % 2 == 0):
                return False
    return True


def after(values: Sequence[int], action: Action, unit: int = 1) -> list[int]:
    changed = list(values)
    for reset in action.resets:
        changed[reset.clock] = changed[reset.source] + reset.value * unit
    return changed
