"""Rows of words, each numbered once."""

from __future__ import annotations

import numpy as np

from homing.engines.zones.growing import enlarged
from homing.timed.kernels.arrays import Array
from homing.timed.kernels.rows import hash_words, number_rows, place_rows


class Numbers:
    """Numbers rows in the order in which they come; the first `visible` words count."""

    def __init__(self, words: int, visible: int | None = None) -> None:
        self._rows = np.empty((16, words), np.uint32)
        self._hashes = np.empty(16, np.uint64)
        self._table = np.zeros(64, np.uint32)
        self._visible = words if visible is None else visible
        self.count = 0

    @property
    def rows(self) -> Array:
        """All rows, by number."""
        return self._rows[: self.count]

    def of(self, rows: Array, hashes: Array | None = None) -> Array:
        """The number of each row."""
        rows = np.ascontiguousarray(rows)
        if hashes is None:
            hashes = np.empty(len(rows), np.uint64)
            hash_words(rows, hashes)
        self._make_room(self.count + len(rows))
        numbers = np.empty(len(rows), np.int64)
        before = self.count
        self.count = number_rows(rows, hashes, self._visible, self._rows, self._table, before, numbers)
        new = numbers >= before
        self._hashes[numbers[new]] = hashes[new]
        return numbers

    def _make_room(self, size: int) -> None:
        self._rows = enlarged(self._rows, size)
        self._hashes = enlarged(self._hashes, size)
        if 2 * size > len(self._table):
            self._table = np.zeros(1 << (4 * size).bit_length(), np.uint32)
            place_rows(self._hashes[: self.count], self._table)

    def replace(self, rows: Array, visible: int) -> None:
        """The same rows in another layout, under which their hashes stay."""
        self._visible = visible
        self._rows = np.empty((len(self._rows), rows.shape[1]), np.uint32)
        self._rows[: self.count] = rows
