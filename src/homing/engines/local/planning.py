"""The kernels' plan: how rows are laid out, and where each function finds what it reads."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import numpy as np

from homing.engines.local import kernels
from homing.engines.local.kernels import NONE, Array
from homing.engines.local.numbering import Numbering
from homing.engines.local.packing import Layout, pack

DENSE_BITS = 14
"""Functions with no more bits of arguments than this are looked up by position, without hashing."""
FIELD_BITS = 8
"""Bits of a row whose part of the hash is looked up at once."""


class Planner:
    """Keeps the plan fit for the values known; `layout` changes only when some slot has outgrown its bits."""

    def __init__(self, numbering: Numbering) -> None:
        self._numbering = numbering
        self._shape = numbering.shape
        reads = [read for function in numbering.reads for read in function]
        self._slots, self._unaries = np.array(reads, np.int64).reshape(-1, 2).T
        """Of all reads, function by function; -1 where a whole slot is read."""
        self._guards = _numbers(guard for function in numbering.guards for guard in function)
        self._read_start = _starts(map(len, numbering.reads))
        self._written = np.array([slot for group in self._shape.groups for slot in group.writes], np.int64)
        self._capacities: list[int] = []
        self._filled = [0] * len(numbering.unaries)
        self.layout: Layout = pack([1] * len(self._shape.slots), self._shape.hidden)
        self.dense_size = 0
        self._seed = _seeds(len(self._shape.slots), self._shape.hidden)
        self._fields = _fields(self.layout, self._seed)
        self.fit()

    def fit(self) -> bool:
        """Takes in new values; True when the plan had to be made anew."""
        numbering = self._numbering
        counts = [max(1, len(slot)) for slot in numbering.slots]
        capacities = [slot.capacity for slot in numbering.slots]
        capacities += [unary.results.capacity for unary in numbering.unaries]
        fits = self.layout.holds(counts)
        if not fits:
            self.layout = pack(counts, self._shape.hidden)
            self._fields = _fields(self.layout, self._seed)
        renewed = not fits or capacities != self._capacities
        if renewed:
            self._capacities = capacities
            self.plan = self._make()
        self._tabulate()
        return renewed

    def _make(self) -> kernels.Plan:
        numbering, layout = self._numbering, self.layout
        unary_sizes = [numbering.slots[unary.slot].capacity for unary in numbering.unaries]
        self._unary_start = _starts(unary_sizes)
        self._filled = [0] * len(numbering.unaries)
        dense_start, dense_shift = self._dense()
        through = np.where(self._unaries >= 0, self._unary_start[self._unaries], NONE)
        source, image = self._symmetry()
        return kernels.Plan(
            word=layout.word,
            shift=layout.shift,
            mask=layout.mask,
            read_start=self._read_start,
            reads=_rows(*_spots(layout, self._slots), through, dense_shift, self._guards),
            write_start=_starts(len(group.writes) for group in self._shape.groups),
            writes=_rows(*_spots(layout, self._written), self._written),
            dense_start=dense_start,
            unary=np.full(max(1, int(self._unary_start[-1])), -1, np.int32),
            source=source,
            image=image,
            seed=self._seed,
            fields=self._fields[0],
            parts=self._fields[1],
            visible=layout.visible,
        )

    def _dense(self) -> tuple[Array, Array]:
        """By function where its dense part starts (or NONE); by read where its number goes in the position."""
        bits = np.array([capacity.bit_length() - 1 for capacity in self._capacities] or [0])
        whole = self._unaries < 0
        of_read = bits[np.where(whole, self._slots, len(self._shape.slots) + self._unaries)]
        before = np.concatenate([[0], np.cumsum(of_read)])
        first = before[self._read_start[:-1]]
        of_function = before[self._read_start[1:]] - first
        dense = of_function <= DENSE_BITS
        sizes = np.where(dense, np.int64(1) << np.minimum(of_function, DENSE_BITS), 0)
        self.dense_size = int(sizes.sum())
        starts = np.where(dense, np.cumsum(sizes) - sizes, NONE)
        lengths = self._read_start[1:] - self._read_start[:-1]
        shifts = np.where(np.repeat(dense, lengths), before[:-1] - np.repeat(first, lengths), 0)
        return starts.astype(np.uint32), shifts

    def _symmetry(self) -> tuple[Array, Array]:
        numbering = self._numbering
        image = np.array(numbering.images, np.int64).reshape(-1, len(numbering.slots))
        slots = np.array([unary.slot for unary in numbering.unaries] or [0], np.int64)
        return slots[image].astype(np.uint32), self._unary_start[image]

    def _tabulate(self) -> None:
        """Copies what unary functions newly returned into the plan."""
        for number, unary in enumerate(self._numbering.unaries):
            start, done = int(self._unary_start[number]), self._filled[number]
            if done < len(unary.table):
                self.plan.unary[start + done : start + len(unary.table)] = unary.table[done:]
                self._filled[number] = len(unary.table)


def _seeds(slots: int, hidden: Collection[int]) -> Array:
    """Odd multiples of a constant: different, never 0, and the same in every run."""
    seeds = (2 * np.arange(slots, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    seeds[sorted(hidden)] = 0
    return seeds


def _fields(layout: Layout, seed: Array) -> tuple[Array, Array]:
    """Slots side by side, with a table of what they add to a hash; one that is wide, or without any bits, alone."""
    fields, tables, size = list[int](), [np.empty(0, np.uint64)], 0
    for word, start, slots in layout.fields(FIELD_BITS):
        spots = layout.shift[slots] - np.uint32(start), layout.mask[slots]
        bits = int(spots[0][-1]) + int(spots[1][-1]).bit_length()
        if bits > FIELD_BITS:
            fields += [word, start, int(spots[1][0]), NONE, slots[0]]
            continue
        tables.append(np.empty(1 << bits, np.uint64))
        kernels.tabulate(seed[slots], *spots, tables[-1])
        fields += [word, start, (1 << bits) - 1, size, 0]
        size += 1 << bits
    return _numbers(fields), np.concatenate(tables)


def _spots(layout: Layout, slots: Array) -> tuple[Array, Array, Array]:
    return layout.word[slots], layout.shift[slots], layout.mask[slots]


def _rows(*columns: Array) -> Array:
    """Columns side by side, row by row."""
    return np.stack(columns, axis=1).astype(np.uint32).ravel()


def _numbers(numbers: Iterable[int]) -> Array:
    return np.fromiter(numbers, np.uint32)


def _starts(sizes: Iterable[int]) -> Array:
    return np.concatenate([[0], np.cumsum(np.fromiter(sizes, np.int64))]).astype(np.uint32)
