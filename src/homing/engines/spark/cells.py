"""Who owns what: hashes fall into cells, cells stand in a line, and a partition has a stretch of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

MOST_BITS = 20
EVEN = 1.5
"""A share of the line that is larger than so many times what it should be is worth more, smaller cells."""


@dataclass(frozen=True)
class Cells:
    """A cell is the first bits of the hash of the slots that decide, then as many as needed of the fingerprint."""

    bits: int = 0
    more: int = 0
    parts: tuple[int, ...] = (0,)
    """By cell, the partition."""
    line: tuple[int, ...] = (0,)
    """The cells, such that steps lead to near ones mostly."""
    weights: tuple[float, ...] = (1.0,)
    """By cell, how many states are expected, beside others."""

    @cached_property
    def partitions(self) -> int:
        return max(self.parts) + 1

    @property
    def order(self) -> list[int]:
        """The partitions as their stretches begin on the line."""
        parts, first = np.unique(np.array(self.parts)[np.array(self.line)], return_index=True)
        order: list[int] = parts[np.argsort(first)].tolist()
        return order

    def shares(self) -> list[float]:
        """By partition, which part of all states is expected."""
        found: list[float] = (np.bincount(self.parts, self.weights) / sum(self.weights)).tolist()
        return found

    def divided(self, number: int) -> Cells:
        """So many partitions in place of the only one."""
        found = self._cut(0, number)
        while max(found.shares()) > EVEN / number and found.bits + found.more < MOST_BITS:
            found = replace(found, parts=(0,) * len(found.parts))._finer()._cut(0, number)
        return found

    def split(self, part: int, counts: Sequence[int]) -> Cells:
        """One partition becomes two; `counts` are its states by cell, as it knew them. The same as before, if there are
        too many cells by now."""
        weights, counts = list(self.weights), np.repeat(counts, len(self.parts) // len(counts)).tolist()
        for cell, owner in enumerate(self.parts):
            if owner == part:
                weights[cell] = float(counts[cell])
        found = replace(self, weights=tuple(weights))
        mine = [weight for weight, owner in zip(weights, self.parts) if owner == part]
        while max(mine) > 2 / 3 * sum(mine):
            if found.bits + found.more >= MOST_BITS:
                return self
            # The fingerprint has nothing to do with the model: it halves every cell.
            found, mine = found._finer(), [weight / 2 for weight in mine for _ in range(2)]
        return found._cut(part, 2)

    def fitting(self, counts: Sequence[int], most: int) -> Cells:
        """Partitions with more states than so many become several; `counts` are all states by cell."""
        found = replace(self, weights=tuple(map(float, counts)))
        while max(found.weights) > most and found.bits + found.more < MOST_BITS:
            found = found._finer()
        sizes = np.bincount(found.parts, found.weights)
        parts, last, room = list(found.parts), found.partitions - 1, dict[int, float]()
        heirs = list(range(found.partitions))
        for cell in found.line:
            part, weight = found.parts[cell], found.weights[cell]
            if sizes[part] > most and weight > room.setdefault(part, float(most)):
                last += 1
                heirs[part], room[part] = last, float(most)
            parts[cell] = heirs[part]
            room[part] = room.get(part, 0.0) - weight
        return replace(found, parts=tuple(parts))

    def _finer(self) -> Cells:
        return Cells(
            self.bits,
            self.more + 1,
            tuple(np.repeat(self.parts, 2).tolist()),
            tuple(2 * cell + half for cell in self.line for half in (0, 1)),
            tuple((np.repeat(self.weights, 2) / 2).tolist()),
        )

    def _cut(self, part: int, number: int) -> Cells:
        """Cuts the stretch of a partition into so many of equal weight; the first keeps its number."""
        stretch = [cell for cell in self.line if self.parts[cell] == part]
        weights = np.array([self.weights[cell] for cell in stretch])
        middle = (np.cumsum(weights) - weights / 2) / max(weights.sum(), 1e-9)
        parts = list(self.parts)
        for cell, where in zip(stretch, (middle * number).astype(int).clip(0, number - 1).tolist()):
            parts[cell] = part if where == 0 else self.partitions + where - 1
        return replace(self, parts=tuple(parts))
