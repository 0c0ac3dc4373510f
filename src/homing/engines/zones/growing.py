"""Arrays that grow at their end."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.arrays import Array, Memo


def enlarged(array: Array, size: int, fill: int | None = None) -> Array:
    """The same array with room for `size`; new elements are `fill`, or anything."""
    if size <= len(array):
        return array
    larger = np.empty((max(size, 2 * len(array)), *array.shape[1:]), array.dtype)
    larger[: len(array)] = array
    if fill is not None:
        larger[len(array) :] = fill
    return larger


class Growing:
    """An array with a count of those elements that are in use."""

    def __init__(self, kind: Any, *shape: int) -> None:
        self._all: Array = np.zeros((16, *shape), kind)
        self.count = 0

    @property
    def array(self) -> Array:
        """What is in use."""
        return self._all[: self.count]

    def extend(self, rows: Any) -> None:
        """Adds rows at the end."""
        rows = np.asarray(rows, self._all.dtype).reshape(-1, *self._all.shape[1:])
        self._all = enlarged(self._all, self.count + len(rows))
        self._all[self.count : self.count + len(rows)] = rows
        self.count += len(rows)


class Lists:
    """Lists of rows, one after the other: list k is rows[start[k] : start[k + 1]]."""

    def __init__(self, *shape: int) -> None:
        self._start = Growing(np.int64)
        self._start.extend([0])
        self._rows = Growing(np.int32, *shape)

    def append(self, rows: Any) -> None:
        """One more list."""
        self._rows.extend(rows)
        self._start.extend([self._rows.count])

    def extend(self, rows: Array, many: Array) -> None:
        """More lists, one after the other, and how long each is."""
        before = self._rows.count
        self._rows.extend(rows)
        self._start.extend(before + np.cumsum(many))

    @property
    def start(self) -> Array:
        """Where each list begins; one more than there are lists."""
        return self._start.array

    @property
    def rows(self) -> Array:
        """The rows of all lists."""
        return self._rows.array


def nothing() -> Array:
    """A count that begins."""
    return np.zeros(1, np.int64)


def columns(many: int, size: int) -> list[Array]:
    """Arrays with room for so many numbers."""
    return [np.empty(size, np.int64) for _ in range(many)]


def empty_memo(size: int) -> Memo:
    """A memo with room for so many results."""
    return Memo(
        np.zeros(2 * size, np.uint64),
        np.empty(2 * size, np.int64),
        np.empty(2 * size, np.int32),
        np.empty(size, np.int64),
        np.zeros(2, np.int64),
    )
