"""What can be reached: conditions that hold somewhere, and the bounds of clocks and numbers."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from homing.core.result import Counts
from homing.engines.local.watch import Stopped, Watch
from homing.engines.zones.symbolic import Symbolic
from homing.timed.kernels.arrays import Array
from homing.timed.kernels.conditions import extremes, first_dead, first_meeting
from homing.timed.system import INFINITY, Constraints


@dataclass
class Question:
    """A condition, and where it was found to hold: a symbolic state, and the constraints of the cell."""

    label: int
    state: int | None = None
    goal: Constraints = ()
    deadlock: bool | None = None


@dataclass
class Extent:
    """Something to be measured wherever a condition holds: a clock, or an int label."""

    label: int
    of: int
    clock: bool
    least: int | None = None
    """Of a clock, coded as the bound of minus the clock."""
    most: int | None = None
    least_at: int = -1
    most_at: int = -1
    endless: list[int] = field(default_factory=list)
    """Symbolic states in which nothing bounds the clock, for all that is kept of them."""

    def see(self, least: Array, most: Array, found: Array) -> None:
        """Takes in values at symbolic states."""
        if not len(found):
            return
        # Of a clock, the bound of minus the clock is greatest where the clock is least.
        low = int(np.argmax(least)) if self.clock else int(np.argmin(least))
        high = int(np.argmax(most))
        if self.least is None or (least[low] > self.least if self.clock else least[low] < self.least):
            self.least, self.least_at = int(least[low]), int(found[low])
        if self.most is None or most[high] > self.most:
            self.most, self.most_at = int(most[high]), int(found[high])
        if self.clock:
            self.endless += found[most >= INFINITY].tolist()


@dataclass
class Reaching:
    """One search for the answers to several questions."""

    symbolic: Symbolic
    watch: Watch
    questions: list[Question]
    extents: list[Extent] = field(default_factory=list)
    depth: int = 0
    reason: str | None = None
    """Why not all was seen."""

    def run(self, *, all_of_it: bool = False) -> None:
        """Searches until all is found or all is seen; raises what the model raises."""
        symbolic = self.symbolic
        try:
            for wave in symbolic.waves(symbolic.start()):
                self.depth += 1
                self._look(wave)
                if not self.extents and not all_of_it and all(one.state is not None for one in self.questions):
                    return
                self.watch.count(int(symbolic.states.size[0]), len(wave), self.depth)
        except Stopped as stopped:
            self.reason = str(stopped)

    def _look(self, wave: Array) -> None:
        for question in self.questions:
            if question.state is None:
                self._ask(question, wave)
        for extent in self.extents:
            self._measure(extent, wave)

    def _ask(self, question: Question, wave: Array) -> None:
        symbolic, discrete = self.symbolic, self.symbolic.discrete
        values = symbolic.condition(question.label, wave)
        candidates = wave[values[symbolic.states.discrete[wave]] != 0]
        where = (candidates, values, symbolic.states, symbolic.cells, symbolic.zones)
        if symbolic.system.asks_deadlock(question.label):
            position, cell = first_dead(*where, discrete.edges, discrete.kernel_actions, discrete.timings)
        else:
            position, cell = first_meeting(*where)
        if position >= 0:
            cells = symbolic.cells
            question.state = int(candidates[position])
            low, high = cells.constraint_start[cell], cells.constraint_start[cell + 1]
            question.goal = tuple((int(i), int(j), int(bound)) for i, j, bound in cells.constraints[low:high])
            question.deadlock = None if cells.deadlock[cell] < 0 else bool(cells.deadlock[cell])

    def _measure(self, extent: Extent, wave: Array) -> None:
        symbolic = self.symbolic
        values = symbolic.condition(extent.label, wave)
        wave = wave[values[symbolic.states.discrete[wave]] != 0]
        nothing = np.int32(-(2**31))
        least, most = np.full(len(wave), nothing), np.full(len(wave), nothing)
        clock = extent.of if extent.clock else 0
        extremes(wave, values, clock, symbolic.states, symbolic.cells, symbolic.zones, least, most)
        met = most != nothing
        wave = wave[met]
        if extent.clock:
            extent.see(least[met], most[met], wave)
        else:
            numbers = symbolic.states.discrete[wave]
            known = symbolic.discrete.values(extent.of, numbers)[numbers] if len(wave) else np.empty(0, np.int32)
            extent.see(known, known, wave)

    @property
    def counts(self) -> Counts:
        """What was counted so far."""
        return counted(self.symbolic, self.depth)


def counted(symbolic: Symbolic, depth: int) -> Counts:
    """What was counted in a search; states that others cover are not distinct."""
    count = int(symbolic.states.size[0])
    return Counts(
        distinct=count - int(symbolic.states.covered[:count].sum()),
        generated=int(symbolic.states.size[1]),
        depth=depth,
        transitions=int(symbolic.states.size[1]) - symbolic.begun,
        evaluations=symbolic.search.evaluator.evaluations,
    )
