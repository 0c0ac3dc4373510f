"""What the model returned, so that it is asked once: a bounded table from keys to results."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homing.engines.local import kernels
from homing.engines.local.kernels import Array
from homing.engines.local.trees import Trees

LOAD = 2
"""Cells of the hash table for each entry; at half load a lookup seldom needs a second probe."""


class Grown:
    """An array that is appended to."""

    def __init__(self, dtype: type[np.generic], start: Sequence[int] = ()) -> None:
        self.data: Array = np.zeros(1024, dtype)
        self.size = 0
        self.extend(start)

    def extend(self, items: Sequence[int]) -> None:
        """Appends the items, doubling the room when it is short."""
        end = self.size + len(items)
        if end > len(self.data):
            bigger = np.zeros(max(end, 2 * len(self.data)), self.data.dtype)
            bigger[: self.size] = self.data[: self.size]
            self.data = bigger
        self.data[self.size : end] = items
        self.size = end


class Memo:
    """Entries in the order they were learnt, and the two indexes that find them by key."""

    def __init__(self, trees: Trees) -> None:
        self.dense: Array = np.zeros(1, np.uint32)
        self.trees = trees
        self.clear()

    def clear(self) -> None:
        """Forgets everything; what is needed again is evaluated again."""
        self.table: Array = np.zeros(1024, np.uint32)
        self.dense[:] = 0
        # The first entry has no key and no results: it stands for a group with a false guard.
        self.key_start = Grown(np.uint32, [0, 0])
        self.keys = Grown(np.uint32)
        self.result_start = Grown(np.uint32, [0, 0])
        self.results = Grown(np.int32)
        self.trees.clear()
        self._arrays()

    def __len__(self) -> int:
        return self.key_start.size - 2

    @property
    def bytes(self) -> int:
        """Memory of what was learnt; the dense index is not in it: it grows with the plan, not with what is learnt."""
        return sum(array.nbytes for array in self.arrays) - self.dense.nbytes

    def _arrays(self) -> None:
        self.arrays = kernels.Memo(
            self.table,
            self.dense,
            self.key_start.data,
            self.keys.data,
            self.result_start.data,
            self.results.data,
            *self.trees.arrays,
        )

    def add(self, plan: kernels.Plan, learnt: list[tuple[tuple[int, ...], list[int]]]) -> None:
        """Adds entries, keys all new."""
        before = len(self) + 1
        key_ends = self.keys.size + np.cumsum([len(key) for key, _ in learnt])
        result_ends = self.results.size + np.cumsum([len(results) for _, results in learnt])
        self.key_start.extend(key_ends.tolist())
        self.result_start.extend(result_ends.tolist())
        self.keys.extend([part for key, _ in learnt for part in key])
        self.results.extend([part for _, results in learnt for part in results])
        if len(self) * LOAD > len(self.table):
            self.table = np.zeros(2 * LOAD * len(self), np.uint32)
            before = 0
        self._arrays()
        kernels.index_entries(plan, self.arrays, before, len(self) + 1)

    def reindex(self, plan: kernels.Plan, dense_size: int) -> None:
        """Builds both indexes anew, for a plan with other dense parts."""
        self.dense = np.zeros(max(1, dense_size), np.uint32)
        self.table = np.zeros(len(self.table), np.uint32)
        self._arrays()
        kernels.index_entries(plan, self.arrays, 0, len(self) + 1)
