"""Runs on which a condition always holds: for ever, or until nothing more can happen."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from homing.core.values import State
from homing.engines.local.watch import Watch
from homing.engines.zones.paths import Run, run_of
from homing.engines.zones.searching import Searching
from homing.engines.zones.symbolic import Symbolic
from homing.engines.zones.ticking import TICK
from homing.properties import kernels
from homing.timed import zones
from homing.timed.kernels.arrays import Array
from homing.timed.kernels.conditions import STUCK, WAITS, endings
from homing.timed.property import LeadsTo


class Ending(Enum):
    """How a maximal run goes on at its end."""

    WAITS = "waits for ever"
    LOOPS = "goes round for ever"
    STUCK = "is stuck: no step is possible, nor may time pass for ever"


@dataclass(frozen=True)
class Stay:
    """A maximal run on which the condition holds throughout; `root` says in which first state it begins."""

    ending: Ending
    root: int
    run: Run


class Beginning:
    """Where runs begin: discrete states with zones, and how they are reached."""

    def __init__(self, search: Searching, prop: LeadsTo, found: list[tuple[int, Array]], triggered: bool) -> None:
        self._search = search
        self.prop = prop
        self._found = found
        self.triggered = triggered
        """Whether the left side holds anywhere."""

    def __len__(self) -> int:
        return len(self._found)

    def enter(self, symbolic: Symbolic) -> Array:
        """Has a search begin there."""
        discrete, numbers = self._search.symbolic.discrete, self._search.symbolic.states.discrete
        states: list[State] = [discrete.state(int(numbers[state])) for state, _ in self._found]
        return symbolic.start_in(states, widened([zone for _, zone in self._found], len(symbolic.system.clocks)))

    def run(self, root: int) -> Run:
        """The run to one of the beginnings."""
        return self._search.run_to(self._found[root][0])[1]


def widened(narrow: list[Array], clocks: int) -> Array:
    """Zones for so many clocks: those that are not known yet are 0."""
    wider = [zones.matrix(zones.zero(clocks)) for _ in narrow]
    for zone, known in zip(wider, narrow, strict=True):
        n = len(known)
        zone[:n, :n] = known
        zone[:n, n:] = known[:, :1]
        zone[n:, :n] = known[:1]
    return np.array(wider, np.int32).reshape(-1, clocks + 1, clocks + 1)


class Staying(Searching):
    """A search for such runs, without inclusion: a run through a larger zone need not be one through a smaller."""

    def __init__(self, symbolic: Symbolic, watch: Watch, beginning: Beginning | None = None) -> None:
        super().__init__(symbolic, watch)
        self.beginning = beginning
        self.waiting: int | None = None
        self.stuck: int | None = None

    @property
    def is_empty(self) -> bool:
        """Whether there is no state in which a run could begin."""
        return self.counts.depth == 0

    def run(self, *, ticking: bool = False) -> Stay | None:
        """The best run there is: one that waits, else one that loops, else one that is stuck.

        With `ticking`, only runs on which time diverges: those that wait, or tick in their loop.
        """
        self.explore(self._begin)
        if self.waiting is not None:
            return Stay(Ending.WAITS, *self.run_to(self.waiting))
        found = self._loop(ticking)
        if found is None and self.stuck is not None and not ticking:
            return Stay(Ending.STUCK, *self.run_to(self.stuck))
        return found

    def _begin(self) -> Array:
        return self.symbolic.start() if self.beginning is None else self.beginning.enter(self.symbolic)

    @property
    def is_decided(self) -> bool:
        return self.waiting is not None

    def see(self, wave: Array) -> None:
        symbolic, discrete = self.symbolic, self.symbolic.discrete
        verdicts = np.zeros(len(wave), np.int64)
        edges, timings = discrete.edges, discrete.timings
        endings(
            wave, symbolic.states, symbolic.cells, symbolic.zones, edges, discrete.kernel_actions, timings, verdicts
        )
        if self.stuck is None and (verdicts == STUCK).any():
            self.stuck = int(wave[np.argmax(verdicts == STUCK)])
        if (verdicts == WAITS).any():
            self.waiting = int(wave[np.argmax(verdicts == WAITS)])

    # Loops

    def _loop(self, ticking: bool) -> Stay | None:
        """A run into a loop and once around it; the loop that is nearest to the start."""
        symbolic = self.symbolic
        source, target, edge = (column[: symbolic.moves.size[0]] for column in symbolic.moves[:3])
        ticks = np.array([action.name == TICK for action in symbolic.discrete.actions], np.bool_)
        wanted = ticks[symbolic.discrete.edges.action[edge]] if ticking else np.ones(len(edge), np.bool_)
        moves = nearest_loop(source, target, wanted)
        if moves is None:
            return None
        states = [int(source[moves[0]]), *(int(target[move]) for move in moves)]
        root, stem = self.run_to(states[0])
        around = run_of(symbolic, states, [int(edge[move]) for move in moves], loop=0)
        return Stay(Ending.LOOPS, root, around.after(stem))


def nearest_loop(source: Array, target: Array, wanted: Array) -> list[int] | None:
    """Moves that go round once, the first of them wanted, from the state with the least number that has such a loop."""
    count = int(max(source.max(initial=-1), target.max(initial=-1))) + 1
    order = np.argsort(source.astype(np.int64) * count + target, kind="stable")  # searches list moves by source already
    start = np.searchsorted(source[order], np.arange(count + 1)).astype(np.int64)
    onward = target[order].astype(np.uint32)
    component = np.empty(count, np.int32)
    kernels.components(start, onward, np.ones(len(order), np.bool_), np.arange(count, dtype=np.uint32), component)
    inside = component[source] == component[target]
    candidates = np.flatnonzero(inside & wanted)
    if not len(candidates):
        return None
    first = int(candidates[np.argmin(source[candidates])])
    begin, end = int(source[first]), int(target[first])
    if begin == end:
        return [first]
    nothing = np.zeros(len(order), np.bool_)
    back = kernels.shortest(start, onward, inside[order], end, nothing, begin)
    return [first, *order[back].tolist()]
