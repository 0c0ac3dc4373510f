"""An order of the slots in which those that depend on each other are near each other.

At first all that is known is which slots groups use together. Once there are states, a sample of them shows which slots
depend on each other, and how small an order makes the sample's diagram.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from homing.core.system import Shape

ROUNDS = 60
Rows = npt.NDArray[np.int64]
"""States as rows of numbers, one a slot."""
Weights = npt.NDArray[np.float64]


def order_of(shape: Shape) -> list[int]:
    """After Aloul, Markov and Sakallah, "FORCE: a fast and easy-to-implement variable-ordering heuristic" (2003): every
    group pulls its slots to their centre of gravity, and the order with the least span is kept."""
    edges = [sorted({*(read.slot for read in group.reads), *group.writes}) for group in shape.groups]
    edges = [edge for edge in edges if len(edge) > 1]
    order = list(range(len(shape.slots)))
    best, least = order, _span(edges, order)
    for _ in range(ROUNDS):
        order = _pulled(edges, order)
        span = _span(edges, order)
        if span >= least:
            break
        best, least = order, span
    return best


def _pulled(edges: list[list[int]], order: list[int]) -> list[int]:
    place = {slot: number for number, slot in enumerate(order)}
    pull: dict[int, list[float]] = {slot: [] for slot in order}
    for edge in edges:
        centre = sum(place[slot] for slot in edge) / len(edge)
        for slot in edge:
            pull[slot].append(centre)
    centres = {slot: sum(pulls) / len(pulls) if pulls else place[slot] for slot, pulls in pull.items()}
    return sorted(order, key=lambda slot: (centres[slot], place[slot]))


def _span(edges: list[list[int]], order: list[int]) -> int:
    place = {slot: number for number, slot in enumerate(order)}
    return sum(max(place[slot] for slot in edge) - min(place[slot] for slot in edge) for edge in edges)


# Orders from a sample


def better(rows: Rows, order: Sequence[int]) -> list[int]:
    """The best of this order and those that the sample suggests."""
    varying = [slot for slot in order if (rows[:, slot] != rows[0, slot]).any()]
    if len(varying) < 2:
        return list(order)
    sample = Sample(rows, varying)
    suggested = [_drawn(varying, weights) for weights in sample.pulls()]
    best = min([varying, *suggested], key=sample.nodes)
    return [*best, *(slot for slot in order if slot not in sample.columns)]


class Sample:
    """Some states, of slots that vary."""

    def __init__(self, rows: Rows, slots: list[int]) -> None:
        self.rows = np.unique(rows[:, slots], axis=0)
        self.columns = {slot: number for number, slot in enumerate(slots)}
        self.bits = [int(column.max()).bit_length() for column in self.rows.T]

    def nodes(self, order: Sequence[int]) -> int:
        """About as many as the sample's diagram has in this order: by slot, the different sets of what may follow.

        A set is known by a sum of hashes, from the last slot upwards.
        """
        columns = [self.columns[slot] for slot in order]
        rows = self.rows[:, columns]
        rows = rows[np.lexsort(rows.T[::-1])]
        differs = np.logical_or.accumulate(rows[1:] != rows[:-1], axis=1)
        starts = np.arange(len(rows))
        hashes = np.ones(len(rows), dtype=np.uint64)
        found = 0
        for depth in reversed(range(len(columns))):
            mixed = _mixed(hashes, rows[starts, depth].astype(np.uint64))
            first = np.ones(len(rows), dtype=bool)
            first[1:] = differs[:, depth - 1] if depth else False
            new = np.flatnonzero(first)
            hashes = np.add.reduceat(mixed, np.searchsorted(starts, new))
            starts = new
            found += len(np.unique(hashes)) * self.bits[columns[depth]]
        return found

    def pulls(self) -> list[Weights]:
        """How much every two slots pull each other. Each of these is best for some model."""
        single, mutual = self._dependence()
        return [mutual**2, mutual / np.minimum(single[:, None], single[None, :]), mutual]

    def _dependence(self) -> tuple[Weights, Weights]:
        """The entropy of each slot, and of each two of them what one says of the other, in bits."""
        columns = [np.unique(column, return_inverse=True)[1].reshape(-1) for column in self.rows.T]
        sizes = [int(column.max()) + 1 for column in columns]
        single = np.array([_entropy(column) for column in columns])
        mutual = np.zeros((len(columns), len(columns)))
        for one, column in enumerate(columns):
            for other in range(one):
                both = _entropy(column * sizes[other] + columns[other])
                mutual[one, other] = mutual[other, one] = max(0.0, single[one] + single[other] - both)
        return single, mutual


def _mixed(hashes: npt.NDArray[np.uint64], values: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """What a value and what may follow on it stand for in a sum."""
    mixed = (hashes ^ (values * np.uint64(0x9E3779B97F4A7C15))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(29)
    mixed *= np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(32))


def _entropy(values: npt.NDArray[np.int64]) -> float:
    counts = np.bincount(values)
    shares = counts[counts > 0] / len(values)
    return float(-(shares * np.log2(shares)).sum())


def _drawn(slots: list[int], weights: Weights) -> list[int]:
    """FORCE where every two slots pull each other."""
    count = len(slots)
    degree = np.maximum(weights.sum(axis=1), 1e-12)
    place = np.arange(count, dtype=np.float64)
    best, least = place, np.inf
    for _ in range(ROUNDS):
        span = float((weights * np.abs(place[:, None] - place[None, :])).sum())
        if span < least:
            best, least = place, span
        centres = (place + weights @ place / degree) / 2
        moved = np.empty(count)
        moved[np.lexsort((place, centres))] = np.arange(count)
        if (moved == place).all():
            break
        place = moved
    return [slots[number] for number in np.argsort(best)]
