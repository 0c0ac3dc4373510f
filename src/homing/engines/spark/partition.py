"""The states of one partition, in memory while a round works on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from homing.engines.spark import kernels
from homing.engines.spark.batches import Code, batch, column, rows_of
from homing.engines.spark.cells import Cells
from homing.engines.spark.kernels import NEVER, Array, Held, Owners, Produced, Sent, Steps
from homing.engines.spark.machine import Machine, moved

FIRST = 1 << 10
CELLS = 3
"""Of the table, for each two rows that fit."""
FARTHER = 4
"""By how much room for rows grows: memory that was never written to costs nothing, but copying does."""
RECENT = 1 << 16
SLICE = 1 << 18
"""Rows that are written at once."""
LEAST_SENT, MOST_SENT = 1 << 14, 1 << 20
"""Rows that wait to be sent before they are made a message: the less memory, the fewer."""


class Partition:
    """States by number, found by their rows; what crosses waits beside them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.held = _held(machine, FIRST, np.zeros(CELLS * FIRST // 2, np.uint64))
        self.sent = _sent(machine.layout.words, FIRST)
        self.by_depth: Array = np.zeros(64, np.int64)
        """How many states there are at each depth."""
        self._numbers: Array = np.empty(0, np.int64)
        self._plan, self._words = machine.plan, machine.layout.words

    def __len__(self) -> int:
        return int(self.held.size[0])

    @property
    def bytes(self) -> int:
        """The memory that its states take where the table has just grown; room for rows that is not yet used costs
        none."""
        return len(self) * (4 * self._words + 17 + 2 * 8 * CELLS // 2)

    @property
    def rows(self) -> Array:
        rows: Array = self.held.rows[: len(self)]
        return rows

    @property
    def depth(self) -> Array:
        depth: Array = self.held.depth[: len(self)]
        return depth

    @property
    def open(self) -> Array:
        """The numbers of states that are yet to be expanded, by depth."""
        held, count = self.held, len(self)
        found = np.flatnonzero(held.depth[:count] < held.counted[:count])
        by_depth: Array = found[np.argsort(held.depth[found], kind="stable")]
        return by_depth

    # Layouts

    def activate(self) -> None:
        """Makes it the one whose rows follow the machine's layout, which may have changed meanwhile."""
        machine = self.machine
        if self._plan.word is not machine.plan.word:
            self.repack(self._plan, machine.plan, machine.layout.words)
        machine.holding(self)

    def repack(self, old: Any, new: Any, words: int, pool: Any = None) -> None:
        """Moves the rows to another layout; their numbers stay, and so do their hashes. A task has one thread."""
        count, going = len(self), int(self.sent.size[0])
        rows = moved(self.held.rows[:count], old, new, words, len(self.held.depth))
        self.held = self.held._replace(rows=rows)
        self.sent = self.sent._replace(rows=moved(self.sent.rows[:going], old, new, words, len(self.sent.depth)))
        self._plan, self._words = new, words

    # Taking rows in

    def absorb(self, found: Produced, owners: Owners) -> Array:
        """Keeps what is its own, puts aside what is not; returns the numbers of rows that are new or nearer."""
        origin = np.arange(len(found.hashes), dtype=np.uint32)
        return self.follow(Steps(found.rows, found.hashes, origin, found.parent, found.depth), owners)

    def follow(self, found: Steps, owners: Owners) -> Array:
        """The same with rows that have origins in common."""
        deepest = int(found.depth.max(initial=0))
        if deepest >= len(self.by_depth):
            self.by_depth = np.concatenate([self.by_depth, np.zeros(deepest + 64, np.int64)])
        if len(self._numbers) < len(found.hashes):
            self._numbers = np.empty(2 * len(found.hashes), np.int64)
        numbers, begin, parts = self._numbers, 0, []
        while begin < len(found.hashes):
            machine = self.machine
            begin, fresh = kernels.absorb(
                machine.form, owners, self.held, self.sent, found, numbers, self.by_depth, begin, machine.visible
            )
            parts.append(numbers[:fresh].copy())
            if begin < len(found.hashes):
                self._grow()
        return np.concatenate(parts) if parts else numbers[:0]

    def absorb_own(self, found: Produced, owners: Owners) -> Array:
        """The same with rows of a file, which may be of a time with fewer partitions: the rest is someone else's.

        Returns which rows were its own.
        """
        part = np.empty(len(found.hashes), np.int64)
        kernels.parts(self.machine.form, owners, found.rows, part)
        mine: Array = part == owners.me
        self.absorb(found if mine.all() else Produced(*(array[mine] for array in found)), owners)
        return mine

    def _grow(self) -> None:
        count, going = len(self), int(self.sent.size[0])
        if count == len(self.held.depth):
            self.held = self._longer(count)
        if count >= 2 * (len(self.held.table) // 3):
            # The old table is gone before there are hashes.
            self.held = self.held._replace(table=np.zeros(2 * len(self.held.table), np.uint64))
            kernels.index(self.machine.hashes(self.rows), self.held.table)
        if going == len(self.sent.depth):
            bigger = _sent(self._words, 2 * going)
            for name in ("rows", "depth", "parent", "owner"):
                getattr(bigger, name)[:going] = getattr(self.sent, name)
            bigger.size[0] = going
            self.sent = bigger

    def _longer(self, count: int) -> Held:
        bigger = _held(self.machine, count * FARTHER, self.held.table)
        for name in ("rows", "depth", "parent", "counted", "changed"):
            getattr(bigger, name)[:count] = getattr(self.held, name)[:count]
        bigger.size[0] = count
        return bigger

    # What crosses

    def messages(self) -> Iterable[tuple[int, pa.Table]]:
        """What waits for each other partition, which then waits no more."""
        going = int(self.sent.size[0])
        order = np.argsort(self.sent.owner[:going], kind="stable")
        owner = self.sent.owner[:going][order]
        bounds = np.flatnonzero(np.diff(owner, prepend=-1, append=-1))
        for low, high in pairwise(bounds):
            chosen = order[low:high]
            columns = {"depth": self.sent.depth[chosen], "parent": self.sent.parent[chosen]}
            yield int(owner[low]), batch(self.machine, self.sent.rows[chosen], **columns)
        self.sent.size[0] = 0
        self.sent.recent[:] = 0

    @property
    def crossing(self) -> int:
        """How many rows wait."""
        return int(self.sent.size[0])

    def counts(self, cells: Cells) -> tuple[int, ...]:
        """How many states there are in each cell."""
        found = np.empty(len(self), np.int64)
        kernels.parts(self.machine.form, self.machine.owners(cells.bits, cells.more, 0), self.rows, found)
        return tuple(np.bincount(found, minlength=len(cells.parts)).tolist())

    # On disk

    def _changed(self) -> Iterator[Array]:
        """The numbers of rows that came or came nearer since, some at a time: new memory costs more than copying."""
        for low in range(0, len(self), SLICE):
            numbers = low + np.flatnonzero(self.held.changed[low : min(low + SLICE, len(self))])
            if len(numbers):
                yield numbers

    def save(self, closed: int) -> Iterator[pa.Table]:
        """The rows that came or came nearer since, as tables.

        States of less depth than `closed` are expanded, but for those whose `counted` is not their depth.
        """
        code, held = Code(self.machine), self.held
        for numbers in self._changed():
            code.use(held.rows[numbers])
        for numbers in self._changed():
            depth, counted = held.depth[numbers], held.counted[numbers]
            open_ = (depth < counted) & (depth < closed)
            held.changed[numbers] = open_  # to be saved again when it is expanded
            columns = {"depth": depth, "parent": held.parent[numbers], "counted": np.where(open_, counted, depth)}
            yield code.table(held.rows[numbers], **columns)

    def load(self, tables: Iterable[pa.Table], owners: Callable[[], Owners], closed: int) -> bool:
        """Takes back what earlier rounds saved, later ones overriding; whether all of it was its own."""
        whole = True
        for table in tables:
            found = produced(self.machine, table)
            mine = self.absorb_own(found, owners())
            whole = whole and bool(mine.all())
            self._reopen(Produced(*(array[mine] for array in found)), column(table, "counted")[mine])
        held, count = self.held, len(self)
        expanded = (held.changed[:count] == 0) & (held.depth[:count] < closed)
        held.counted[:count][expanded] = held.depth[:count][expanded]
        return whole

    def renew(self) -> None:
        """Has all its rows saved, though none came: files of a time before it was split have rows of others, too."""
        self.held.changed[: len(self)] = 1

    def _reopen(self, found: Produced, counted: Array) -> None:
        """Notes which rows of a file were not expanded when it was written."""
        numbers = np.empty(len(counted), np.int64)
        kernels.locate(self.held, found.rows, found.hashes, self.machine.visible, numbers)
        open_ = counted != found.depth
        self.held.changed[numbers] = open_
        self.held.counted[numbers] = np.where(open_, counted, NEVER)


def produced(machine: Machine, table: pa.Table) -> Produced:
    """The rows of a table, ready to be taken in."""
    rows = rows_of(machine, table)
    return Produced(rows, machine.hashes(rows), column(table, "parent"), column(table, "depth"))


def _held(machine: Machine, capacity: int, table: Array) -> Held:
    return Held(
        np.empty((capacity, machine.layout.words), np.uint32),
        np.empty(capacity, np.uint32),
        np.empty(capacity, np.uint64),
        np.empty(capacity, np.uint32),
        np.zeros(capacity, np.uint8),
        table,
        np.zeros(1, np.int64),
    )


def _sent(words: int, capacity: int) -> Sent:
    return Sent(
        np.empty((capacity, words), np.uint32),
        np.empty(capacity, np.uint32),
        np.empty(capacity, np.uint64),
        np.empty(capacity, np.int32),
        np.zeros(max(RECENT, 2 * capacity), np.uint32),
        np.zeros(1, np.int64),
    )
