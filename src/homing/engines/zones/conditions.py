"""Conditions on clocks, as kernels read them."""

from __future__ import annotations

import numpy as np

from homing.engines.zones.growing import Lists
from homing.timed.kernels.arrays import ALIVE, ANY, DEAD, Cells
from homing.timed.system import TimedSystem


class Conditions:
    """The cells of all conditions that have turned up, for the kernels."""

    def __init__(self, system: TimedSystem) -> None:
        self._system = system
        self._start = [0, 0]
        self._constraints = Lists(3)
        self._deadlock: list[int] = []
        self._add([((), None)])
        self._made()

    def reach(self, number: int) -> None:
        """Has all conditions up to this one."""
        if number + 2 > len(self._start):
            while number + 2 > len(self._start):
                found = self._system.cells(len(self._start) - 1)
                self._add([(cell.constraints, cell.deadlock) for cell in found])
            self._made()

    def _add(self, cells: list[tuple[object, bool | None]]) -> None:
        for constraints, deadlock in cells:
            self._constraints.append(constraints)
            self._deadlock.append(ANY if deadlock is None else DEAD if deadlock else ALIVE)
        self._start.append(len(self._deadlock))

    def _made(self) -> None:
        self.cells = Cells(
            np.array(self._start, np.int64),
            self._constraints.start,
            self._constraints.rows,
            np.array(self._deadlock, np.int64),
        )
