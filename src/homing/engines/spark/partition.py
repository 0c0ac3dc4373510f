"""The states of one partition, in memory while a round works on them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa

from homing.engines.spark import kernels
from homing.engines.spark.batches import batch, column, rows_of
from homing.engines.spark.kernels import NEVER, Array, Held, Owners, Produced, Sent
from homing.engines.spark.machine import Machine, moved

FIRST = 1 << 10
ROOM = 1.5
"""Cells of the table for each row that fits."""
GROWTH = 1.6
RECENT = 1 << 16
MOST_SENT = 1 << 20
"""Rows that wait to be sent before they are made a message."""


class Partition:
    """States by number, found by their rows; what crosses waits beside them."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.held = _held(machine, FIRST)
        self.sent = _sent(machine.layout.words, FIRST)
        self.by_depth: Array = np.zeros(64, np.int64)
        """How many states there are at each depth."""
        self._plan, self._words = machine.plan, machine.layout.words

    def __len__(self) -> int:
        return int(self.held.size[0])

    @property
    def bytes(self) -> int:
        """The memory that its states take, room to grow left out."""
        per_state = 4 * self._words + 17 + 8 * ROOM
        return int(len(self) * per_state)

    @property
    def rows(self) -> Array:
        rows: Array = self.held.rows[: len(self)]
        return rows

    @property
    def depth(self) -> Array:
        depth: Array = self.held.depth[: len(self)]
        return depth

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
        deepest = int(found.depth.max(initial=0))
        if deepest >= len(self.by_depth):
            self.by_depth = np.concatenate([self.by_depth, np.zeros(deepest + 64, np.int64)])
        numbers, begin, parts = np.empty(len(found.hashes), np.int64), 0, []
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
            self.held = self._larger(_held(self.machine, int(count * GROWTH)), count)
        if going == len(self.sent.depth):
            bigger = _sent(self._words, 2 * going)
            for name in ("rows", "depth", "parent", "owner"):
                getattr(bigger, name)[:going] = getattr(self.sent, name)
            bigger.size[0] = going
            self.sent = bigger

    def _larger(self, bigger: Held, count: int) -> Held:
        for name in ("rows", "depth", "parent", "counted", "changed"):
            getattr(bigger, name)[:count] = getattr(self.held, name)[:count]
        bigger.size[0] = count
        kernels.index(self.machine.hashes(bigger.rows[:count]), bigger.table)
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

    # On disk

    def changed(self) -> Array:
        """The numbers of rows that came or came nearer since, by depth."""
        numbers = np.flatnonzero(self.held.changed[: len(self)])
        order: Array = numbers[np.argsort(self.held.depth[numbers], kind="stable")]
        return order

    def save(self, closed: int) -> pa.Table | None:
        """The rows that came or came nearer since, as a table.

        States of less depth than `closed` are expanded, but for those whose `counted` is not their depth.
        """
        numbers, held = self.changed(), self.held
        depth = held.depth[numbers]
        open_ = (depth < held.counted[numbers]) & (depth < closed)
        held.changed[: len(self)] = 0
        held.changed[numbers[open_]] = 1  # to be saved again when it is expanded
        if not len(numbers):
            return None
        counted = np.where(open_, held.counted[numbers], depth)
        return batch(self.machine, held.rows[numbers], depth=depth, parent=held.parent[numbers], counted=counted)

    def load(self, tables: Iterable[pa.Table], owners: Callable[[], Owners], closed: int) -> None:
        """Takes back what earlier rounds saved, later ones overriding."""
        for table in tables:
            found = produced(self.machine, table)
            mine = self.absorb_own(found, owners())
            self._reopen(Produced(*(array[mine] for array in found)), column(table, "counted")[mine])
        held, count = self.held, len(self)
        expanded = (held.changed[:count] == 0) & (held.depth[:count] < closed)
        held.counted[:count][expanded] = held.depth[:count][expanded]

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


def _held(machine: Machine, capacity: int) -> Held:
    return Held(
        np.empty((capacity, machine.layout.words), np.uint32),
        np.empty(capacity, np.uint32),
        np.empty(capacity, np.uint64),
        np.empty(capacity, np.uint32),
        np.zeros(capacity, np.uint8),
        np.zeros(int(capacity * ROOM) + 1, np.uint64),
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
