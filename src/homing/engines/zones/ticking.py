"""A system with one more clock, which ticks: a run that ticks for ever lets time diverge."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from homing.core.system import Group, Shape, Step
from homing.core.values import Short, State
from homing.timed.kernels.arrays import UNRANKED
from homing.timed.system import NEVER, Action, Cell, Constraints, Part, Reset, TimedSystem

TICK = "tick"


class Ticking:
    """Any time that at least one unit has passed since the last tick, there may be the next; nothing else changes."""

    def __init__(self, system: TimedSystem) -> None:
        self._system = system
        shape = system.shape
        self.clock = len(system.clocks) + 1
        self.clocks = (*system.clocks, TICK)
        self.shape: Shape = replace(shape, groups=(*shape.groups, Group(TICK, (), ())))
        self.parts = system.parts
        self.ranked = system.ranked
        self.diagonals: Constraints = system.diagonals
        self.part = lru_cache(maxsize=None)(self._part)
        self._step = Step(
            Action(TICK, guard=((0, self.clock, -1),), resets=(Reset(self.clock),), priority=UNRANKED), {}
        )

    def initial(self) -> Iterable[State]:
        return self._system.initial()

    def next(self, group: int, read: Short) -> Iterable[Step]:
        return [self._step] if group == len(self.shape.groups) - 1 else self._system.next(group, read)

    def label(self, label: int, read: Short) -> bool | int:
        return self._system.label(label, read)

    def _part(self, number: int) -> Part:
        part = self._system.part(number)
        return replace(part, lower=(*part.lower, NEVER), upper=(*part.upper, NEVER))

    def cells(self, number: int) -> tuple[Cell, ...]:
        return self._system.cells(number)

    def asks_deadlock(self, label: int) -> bool:
        return self._system.asks_deadlock(label)

    def constants(self, label: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        lower, upper = self._system.constants(label)
        return (*lower, 1), (*upper, NEVER)
