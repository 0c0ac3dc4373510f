"""The visited set: every state found, in full, in partitions by hash, level by level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from homing.core.stop import Stopped
from homing.engines.local import kernels
from homing.engines.local.kernels import PARTITIONS, Array
from homing.engines.local.pool import Pool

GROWTH = ((1 << 12, 2.0), (1 << 16, 1.5), (1 << 30, 1.25))
"""By how much a partition of less than so many rows grows: large ones by little, to waste little."""
FEWEST = 512
"""Rows that a partition has room for once it has one."""
TOGETHER = 32
"""Partitions that are moved to another layout at once."""
ROOM = 1.4
"""Cells of the table for each row that fits."""
ALONE = Pool(1, 0)


@dataclass(frozen=True)
class Level:
    """The rows low .. high of each partition."""

    low: Array
    high: Array

    def __len__(self) -> int:
        return int((self.high - self.low).sum())


class Visited:
    """Rows by partition. Within one, the rows of a level stand together, in the order of the levels."""

    def __init__(self, words: int) -> None:
        self.words = words
        self._rows: list[Array] = [np.empty((0, words), np.uint32) for _ in range(PARTITIONS)]
        self._tables: list[Array] = [np.empty(0, np.uint32) for _ in range(PARTITIONS)]
        self.store = kernels.Store(
            np.zeros(PARTITIONS, np.uint64),
            np.zeros(PARTITIONS, np.uint64),
            np.zeros(PARTITIONS, np.int64),
            np.zeros(PARTITIONS, np.int64),
            np.zeros(PARTITIONS, np.int64),
        )
        self.levels: list[tuple[Array, Array]] = []
        self.end: Array = np.zeros(PARTITIONS, np.int64)

    def __len__(self) -> int:
        return int(self.store.size.sum())

    @property
    def bytes(self) -> int:
        """Memory of rows and tables, with the room they have to grow."""
        return sum(rows.nbytes + table.nbytes for rows, table in zip(self._rows, self._tables, strict=True))

    # Adding

    def insert(self, plan: kernels.Plan, out: kernels.Chunks, pool: Pool) -> None:
        """Adds the rows that are new."""
        done = np.zeros((PARTITIONS, 2), np.int64)
        chunks = len(out.filled)
        while True:
            pool.run(partial(kernels.insert, plan, self.store, out, done), int(out.filled.sum()))
            short = np.flatnonzero(done[:, 0] < chunks)
            if not len(short):
                return
            for part in short:
                self._grow(int(part))
            self._fill(short, plan, pool)

    def _grow(self, part: int) -> None:
        capacity = int(self.store.capacity[part])
        if capacity == kernels.MOST_ROWS:
            raise Stopped(f"a part of the visited set is full: it holds {capacity} states, and no more can be numbered")
        factor = next(factor for below, factor in GROWTH if capacity < below)
        capacity = min(max(FEWEST, int(capacity * factor)), kernels.MOST_ROWS)
        count = int(self.store.size[part])
        rows = np.empty((capacity, self.words), np.uint32)
        rows[:count] = self._rows[part][:count]
        self._place(part, rows, count)

    def _place(self, part: int, rows: Array, count: int) -> None:
        table = np.zeros(int(len(rows) * ROOM) + 1, np.uint32)
        self._rows[part], self._tables[part] = rows, table
        self.store.rows[part], self.store.tables[part] = rows.ctypes.data, table.ctypes.data
        self.store.size[part], self.store.capacity[part] = count, len(rows)
        self.store.table_size[part] = len(table)

    def _fill(self, parts: Array, plan: kernels.Plan, pool: Pool) -> None:
        """Enters the rows of some partitions into their new tables."""
        rows = int(self.store.size[parts].sum())
        pool.run(partial(kernels.fill_tables, plan, self.store, self.words, parts), rows)

    def repack(self, old: kernels.Plan, new: kernels.Plan, words: int, pool: Pool = ALONE) -> None:
        """Turns every row to another layout; numbers, tables and levels stay."""
        used = np.flatnonzero(self.store.capacity)
        self._rows = [rows if len(rows) else np.empty((0, words), np.uint32) for rows in self._rows]
        # A few at once: as long as both layouts are there, each row takes its room twice.
        for parts in np.array_split(used, -(-len(used) // TOGETHER)) if len(used) else ():
            rows = [np.empty((len(self._rows[part]), words), np.uint32) for part in parts]
            addresses = np.array([each.ctypes.data for each in rows], np.uint64)
            repack = partial(kernels.repack_parts, old, new, self.store, self.words, parts, addresses, words)
            pool.run(repack, int(self.store.size[parts].sum()))
            self.store.rows[parts] = addresses
            for part, moved in zip(parts, rows, strict=True):
                self._rows[part] = moved
        self.words = words

    # Levels

    def close_level(self) -> Level:
        """Ends the level that was being added to, remembers it and returns it."""
        low = self.end
        self.end = self.store.size.copy()
        sizes = self.end - low
        parts = np.flatnonzero(sizes)
        self.levels.append((parts.astype(np.uint8), sizes[parts].astype(np.uint32)))
        return Level(low, self.end)

    def backwards(self, number: int) -> Iterator[Level]:
        """The levels from number `number` down to the first."""
        high = np.zeros(PARTITIONS, np.int64)
        for parts, sizes in self.levels[: number + 1]:
            high[parts] += sizes
        for parts, sizes in reversed(self.levels[: number + 1]):
            low = high.copy()
            low[parts] -= sizes
            yield Level(low, high)
            high = low

    def forwards(self) -> Iterator[Level]:
        """All closed levels, the first one first."""
        low = np.zeros(PARTITIONS, np.int64)
        for parts, sizes in self.levels:
            high = low.copy()
            high[parts] += sizes
            yield Level(low, high)
            low = high

    def rows(self, level: Level, skip: int, most: int) -> Array:
        """A copy of some rows of a level, in their order."""
        rows = np.empty((max(0, min(most, len(level) - skip)), self.words), np.uint32)
        kernels.gather(self.store, level.low, level.high, skip, rows)
        return rows

    def locate(self, plan: kernels.Plan, out: kernels.Chunks, base: Array, pool: Pool) -> Array:
        """For each row produced, chunk by chunk, its place: the base of its partition plus its number there, or -1."""
        offset = np.cumsum(out.filled) - out.filled
        places = np.empty(int(out.filled.sum()), np.int64)
        pool.run(partial(kernels.locate, plan, self.store, out, base, offset, places), len(places))
        return places

    def row(self, part: int, number: int) -> Array:
        """One row."""
        row: Array = self._rows[part][number]
        return row

    def contents(self) -> Iterator[Array]:
        """The rows of each partition."""
        for part in range(PARTITIONS):
            yield self._rows[part][: int(self.store.size[part])]

    def restore(self, plan: kernels.Plan, contents: list[Array], levels: list[tuple[Array, Array]], pool: Pool) -> None:
        """Takes over rows and levels that an earlier run had stored."""
        for part, rows in enumerate(contents):
            if len(rows):
                self._place(part, np.ascontiguousarray(rows), len(rows))
        self._fill(np.flatnonzero(self.store.size), plan, pool)
        self.levels = levels
        self.end = np.zeros(PARTITIONS, np.int64)
        for parts, sizes in levels:
            self.end[parts] += sizes
