"""Runs on which a condition always holds: for ever, or until nothing more can happen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import breadth_first_order, connected_components

from homing.engines.local.watch import Stopped, Watch
from homing.engines.zones.paths import Run, run_of, run_to
from homing.engines.zones.symbolic import Symbolic
from homing.engines.zones.ticking import TICK
from homing.timed.kernels.arrays import Array
from homing.timed.kernels.conditions import STUCK, WAITS, endings


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


class Staying:
    """A search for such runs, without inclusion: a run through a larger zone need not be one through a smaller."""

    def __init__(self, symbolic: Symbolic, watch: Watch) -> None:
        self.symbolic = symbolic
        self.watch = watch
        self.depth = 0
        self.reason: str | None = None
        self._stuck: int | None = None
        self.empty = False

    def run(self, begin: Callable[[], Array], *, ticking: bool = False) -> Stay | None:
        """The best run there is: one that waits, else one that loops, else one that is stuck.

        With `ticking`, only runs on which time diverges: those that wait, or tick in their loop.
        """
        symbolic = self.symbolic
        try:
            start = begin()
            self.empty = len(start) == 0
            for wave in symbolic.waves(start):
                self.depth += 1
                waiting = self._endings(wave)
                if waiting is not None:
                    return Stay(Ending.WAITS, *run_to(symbolic, waiting))
                self.watch.count(int(symbolic.states.size[0]), len(wave), self.depth)
        except Stopped as stopped:
            self.reason = str(stopped)
        found = self._loop(ticking)
        if found is None and self._stuck is not None and not ticking:
            return Stay(Ending.STUCK, *run_to(symbolic, self._stuck))
        return found

    def _endings(self, wave: Array) -> int | None:
        symbolic, discrete = self.symbolic, self.symbolic.discrete
        verdicts = np.zeros(len(wave), np.int64)
        edges, timings = discrete.edges, discrete.timings
        endings(
            wave, symbolic.states, symbolic.cells, symbolic.zones, edges, discrete.kernel_actions, timings, verdicts
        )
        if self._stuck is None and (verdicts == STUCK).any():
            self._stuck = int(wave[np.argmax(verdicts == STUCK)])
        return int(wave[np.argmax(verdicts == WAITS)]) if (verdicts == WAITS).any() else None

    # Loops

    def _loop(self, ticking: bool) -> Stay | None:
        """A run into a loop and once around it; the loop that is nearest to the start."""
        symbolic = self.symbolic
        count, many = int(symbolic.states.size[0]), int(symbolic.moves.size[0])
        source, target, edge = (column[:many] for column in symbolic.moves[:3])
        ones = np.ones(many, np.bool_)
        _, component = connected_components(
            coo_matrix((ones, (source, target)), shape=(count, count)).tocsr(), connection="strong"
        )
        inside = component[source] == component[target]
        if ticking:
            ticks = np.array([action.name == TICK for action in symbolic.discrete.actions], np.bool_)
            inside &= ticks[symbolic.discrete.edges.action[edge]]
        candidates = np.flatnonzero(inside)
        if not len(candidates):
            return None
        first = int(candidates[np.argmin(source[candidates])])
        kept = component[source] == component[source[first]]
        kept &= component[target] == component[source[first]]
        states, edges = self._path(source[kept], target[kept], edge[kept], int(target[first]), int(source[first]))
        root, stem = run_to(symbolic, int(source[first]))
        around = run_of(symbolic, [int(source[first]), *states], [int(edge[first]), *edges], loop=0)
        return Stay(Ending.LOOPS, root, around.after(stem))

    def _path(self, source: Array, target: Array, edge: Array, start: int, end: int) -> tuple[list[int], list[int]]:
        """A shortest path along these moves: its states, and the edges between them."""
        nodes, numbers = np.unique(np.concatenate([source, target]), return_inverse=True)
        sources, targets = numbers[: len(source)], numbers[len(source) :]
        first, last = int(np.searchsorted(nodes, start)), int(np.searchsorted(nodes, end))
        graph = coo_matrix((np.ones(len(source), np.bool_), (sources, targets)), shape=(len(nodes),) * 2).tocsr()
        _, before = breadth_first_order(graph, first)
        path = [last]
        while path[-1] != first:
            path.append(int(before[path[-1]]))
        path.reverse()
        edges = [int(edge[np.argmax((sources == one) & (targets == other))]) for one, other in pairwise(path)]
        return [int(nodes[node]) for node in path], edges
