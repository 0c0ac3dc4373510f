"""The packets of a run as arrays."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from homing.overlay.simulation.packets import DELIVERED, OUTCOMES, QUEUE_FULL

if TYPE_CHECKING:
    from homing.overlay.simulation.world import World

F64 = npt.NDArray[np.float64]
Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Packets:
    """All packets in the order in which they were sent; `path` numbers `paths`, which are brokers visited."""

    source: npt.NDArray[np.int32]
    destination: npt.NDArray[np.int32]
    sent: F64
    ended: F64  # delivered or lost; NaN if in flight at the end
    outcome: npt.NDArray[np.int8]
    path: npt.NDArray[np.int32]
    paths: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.sent)

    @property
    def latency(self) -> F64:
        """Of packets that were delivered; NaN of others."""
        return np.where(self.outcome == DELIVERED, self.ended - self.sent, np.nan)

    def counts(self) -> dict[str, int]:
        found = np.bincount(self.outcome, minlength=len(OUTCOMES))
        return {name: int(count) for name, count in zip(OUTCOMES, found)}

    @cached_property
    def _lost(self) -> tuple[Rows, F64]:
        """Rows of packets that were lost, in order of when, and these moments."""
        rows = np.flatnonzero(self.outcome >= QUEUE_FULL)
        rows = rows[np.argsort(self.ended[rows], kind="stable")]
        return rows, self.ended[rows]

    @cached_property
    def _delivered(self) -> dict[tuple[int, int], Rows]:
        """Rows of packets that arrived, by pair, in the order in which they were sent."""
        rows = np.flatnonzero(self.outcome == DELIVERED)
        source, destination = self.source[rows], self.destination[rows]
        order = np.lexsort((rows, destination, source))
        ends = np.flatnonzero((np.diff(source[order]) != 0) | (np.diff(destination[order]) != 0)) + 1
        parts = np.split(rows[order], ends) if len(rows) else []
        return {(int(self.source[part[0]]), int(self.destination[part[0]])): part for part in parts}

    def lost(self, start: float, end: float) -> Rows:
        """Rows of packets lost from `start` until before `end`."""
        rows, moments = self._lost
        low, high = np.searchsorted(moments, [start, end])
        return rows[low:high]

    def served_again(self, lost: Rows, end: float) -> float | None:
        """When the last pair of those that lost packets got one that was sent after them; None: not before `end`."""
        last: dict[tuple[int, int], float] = {}
        for row in lost.tolist():
            pair = (int(self.source[row]), int(self.destination[row]))
            last[pair] = max(last.get(pair, 0.0), float(self.sent[row]))
        moments = []
        for pair, sent in last.items():
            rows = self._delivered.get(pair, np.zeros(0, np.intp))
            later = self.ended[rows[np.searchsorted(self.sent[rows], sent, side="right") :]]
            moments.append(float(later.min(initial=np.inf)))
        return max(moments) if moments and max(moments) < end else None

    def first_over(self, hops: Collection[tuple[int, int]], start: float, end: float) -> float | None:
        """The first arrival before `end` of a packet sent from `start` on that took one of the hops."""
        takes = np.array([not set(pairwise(path)).isdisjoint(hops) for path in self.paths], bool)
        rows = slice(*np.searchsorted(self.sent, [start, end]))
        taken = (self.outcome[rows] == DELIVERED) & takes[self.path[rows]]
        first = float(self.ended[rows][taken].min(initial=np.inf))
        return first if first < end else None


def columns(world: World) -> Packets:
    """The packets of a world as arrays."""
    numbers: dict[tuple[int, ...], int] = {}
    path = [numbers.setdefault(tuple(packet.path), len(numbers)) for packet in world.packets]
    return Packets(
        source=np.array([packet.path[0] for packet in world.packets], np.int32),
        destination=np.array([packet.destination for packet in world.packets], np.int32),
        sent=np.array([packet.sent for packet in world.packets], np.float64),
        ended=np.array([packet.ended for packet in world.packets], np.float64),
        outcome=np.array([packet.outcome for packet in world.packets], np.int8),
        path=np.array(path, np.int32),
        paths=tuple(numbers),
    )
