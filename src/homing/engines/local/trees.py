"""What lazy functions looked at before they answered: by function a tree of reads, which kernels descend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from homing.engines.local import kernels
from homing.engines.local.kernels import EDGE, NONE, Array

LOAD = 2
"""Room for edges, for each that there is."""


@dataclass(frozen=True)
class Asked:
    """A function that was asked about a row, by their numbers; what it said is an entry of the memo."""

    row: int
    function: int
    entry: int
    seen: Sequence[int]
    """The positions of the reads that it looked at."""


class Trees:
    """The trees of all functions that are lazy, as arrays for kernels: roots, nodes and edges."""

    def __init__(self, lazy: Sequence[bool]) -> None:
        self._lazy = np.array(lazy, np.bool_)
        self.clear()

    def clear(self) -> None:
        """Forgets everything."""
        self._nodes, self._edges = 0, 0
        roots = np.where(self._lazy, 0, NONE).astype(np.uint32)
        self.arrays: tuple[Array, Array, Array] = roots, np.zeros(256, np.uint32), np.zeros(1024 * EDGE, np.uint32)

    def grow(self, plan: kernels.Plan, rows: Array, asked: Sequence[Asked]) -> None:
        """Adds what was asked, about rows in the layout of the plan."""
        if not asked:
            return
        self._room(sum(len(one.seen) + 1 for one in asked))  # an edge for each node, and one that leads to the first
        first = plan.read_start
        seen = [int(first[one.function]) + position for one in asked for position in one.seen]
        numbers = [(one.row, one.function, one.entry + 1, len(one.seen)) for one in asked]
        self._nodes = kernels.grow(
            plan, *self.arrays, self._nodes, rows, np.array(numbers, np.int64), np.array(seen, np.int64)
        )

    def _room(self, more: int) -> None:
        """Makes room for so many more nodes and edges."""
        roots, looks, edges = self.arrays
        if self._nodes + more > len(looks):
            looks = np.concatenate([looks, np.zeros(max(more, len(looks)), np.uint32)])
        if (self._edges + more) * LOAD * EDGE > len(edges):
            roomy = np.zeros(2 * LOAD * EDGE * (self._edges + more), np.uint32)
            self._edges = kernels.move_edges(edges, roomy)
            edges = roomy
        self._edges += more
        self.arrays = roots, looks, edges
