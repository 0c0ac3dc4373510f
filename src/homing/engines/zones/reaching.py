"""What can be reached: conditions that hold somewhere, and the bounds of clocks and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from homing.engines.local.watch import Watch
from homing.engines.zones.searching import Searching
from homing.engines.zones.staying import Beginning
from homing.engines.zones.symbolic import Symbolic
from homing.timed import zones
from homing.timed.kernels.arrays import Array
from homing.timed.kernels.conditions import extremes, first_dead, first_meeting
from homing.timed.property import Bound, LeadsTo
from homing.timed.system import EVERYWHERE, INFINITY, NOWHERE, Cell, Constraints


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
        self.take(int(least[low]), int(found[low]), int(most[high]), int(found[high]))
        if self.clock:
            self.endless += found[most >= INFINITY].tolist()

    def take(self, least: int, least_at: int, most: int, most_at: int) -> None:
        """Takes in what was measured in some states."""
        if self.least is None or (least > self.least if self.clock else least < self.least):
            self.least, self.least_at = least, least_at
        if self.most is None or most > self.most:
            self.most, self.most_at = most, most_at


class Reaching(Searching):
    """One search for the answers to several questions."""

    def __init__(
        self, symbolic: Symbolic, watch: Watch, questions: Sequence[Question], extents: Sequence[Extent] = ()
    ) -> None:
        super().__init__(symbolic, watch)
        self.questions = questions
        self.extents = extents
        self.asked = 0
        """How many questions have been asked of all of the wave."""

    def run(self) -> None:
        """Searches until all is found or all is seen; raises what the model raises. Where there is no question, all
        is to be seen."""
        self.explore(self.symbolic.start)

    def see(self, wave: Array) -> None:
        for number, question in enumerate(self.questions):
            self.asked = number
            if question.state is None:
                self._ask(question, wave)
        for extent in self.extents:
            self._measure(extent, wave)
        self.asked = len(self.questions)

    @property
    def is_decided(self) -> bool:
        return bool(self.questions) and not self.extents and all(one.state is not None for one in self.questions)

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

    # What is asked when all was seen

    def beginning(self, prop: LeadsTo) -> Beginning:
        """Where `p --> q` begins to matter: all parts of symbolic states where p holds and q does not."""
        symbolic = self.symbolic
        every = np.flatnonzero(symbolic.states.covered[: symbolic.states.size[0]] == 0)
        found, triggered = beginnings(symbolic, every, prop)
        return Beginning(self, prop, found, triggered)

    def waits(self, prop: Bound, extent: Extent) -> bool:
        """Whether a run may stay where nothing bounds the clock, and the condition hold, for as long as you like."""
        return any(waits(self.symbolic, prop.where, state) for state in extent.endless)


def beginnings(symbolic: Symbolic, every: Array, prop: LeadsTo) -> tuple[list[tuple[int, Array]], bool]:
    """The parts of symbolic states where p holds and q does not, and whether p holds anywhere."""
    when, until = symbolic.condition(prop.where, every), symbolic.condition(prop.until, every)
    every = every[when[symbolic.states.discrete[every]] != NOWHERE]
    found: list[tuple[int, Array]] = []
    triggered = False
    for state in every.tolist():
        number = int(symbolic.states.discrete[state])
        zone = zones.zone_of(symbolic.zones.dbm[symbolic.states.zone[state]])
        for cell in _cells(symbolic, int(when[number])):
            part = zones.constrain(zone, cell.constraints)
            if part is None:
                continue
            triggered = True
            for other in _cells(symbolic, int(until[number])):
                piece = zones.constrain(part, other.constraints)
                if piece is not None:
                    found.append((state, zones.matrix(piece)))
    return found, triggered


def waits(symbolic: Symbolic, where: int, state: int) -> bool:
    """Whether a run may stay in a symbolic state, and the condition hold, for as long as you like."""
    number = int(symbolic.states.discrete[state])
    timing, timings = int(symbolic.discrete.edges.timing[number]), symbolic.discrete.timings
    if not timings.delay[timing]:
        return False
    low, high = timings.invariant_start[timing], timings.invariant_start[timing + 1]
    zone = zones.zone_of(symbolic.zones.dbm[symbolic.states.zone[state]])
    condition = symbolic.condition(where, np.array([state]))
    for cell in _cells(symbolic, int(condition[number])):
        bounded = any(j == 0 and i > 0 for i, j, _ in (*timings.invariants[low:high].tolist(), *cell.constraints))
        if not bounded and zones.satisfies(zone, cell.constraints):
            return True
    return False


def _cells(symbolic: Symbolic, number: int) -> Iterator[Cell]:
    if number == EVERYWHERE:
        yield Cell()
    elif number != NOWHERE:
        yield from symbolic.system.cells(number)
