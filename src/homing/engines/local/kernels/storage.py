"""Kernels of the visited set."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, types
from numba.extending import intrinsic

from homing.compiled import prefetch
from homing.engines.local.kernels.arrays import MOST_ROWS, NUMBER_BITS, PARTITION_BITS, PARTITIONS
from homing.engines.local.kernels.compiling import inner, kernel
from homing.engines.local.kernels.expansion import repack
from homing.engines.local.kernels.hashing import cell, equal, hash_rows

HIGH = np.uint64(64 - PARTITION_BITS)
NUMBER = np.uint32(MOST_ROWS)
BLOCK = 64
"""Rows whose places in the table are fetched together."""


@intrinsic
def _pointer(_typing: Any, _address: Any) -> Any:
    """An address as a pointer: Numba takes no list of arrays that grow, so partitions come by address."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

    return types.CPointer(types.uint32)(types.uint64), generate


@inner(inline="always")
def _tag(h: Any) -> Any:
    """Hash bits that neither the partition nor the cell is chosen by."""
    return np.uint32(h >> np.uint64(40 - NUMBER_BITS)) & ~NUMBER


@kernel(nogil=True)
def scatter(out: Any, first: Any, stride: Any) -> None:
    """Sorts the rows of every stride-th chunk by partition, keeping their order within one."""
    capacity, words = out.rows.shape[1], out.rows.shape[2]
    rows, target, bounds = out.rows.ravel(), out.sorted.ravel(), out.bounds
    hashes, target_hashes = out.hashes.ravel(), out.sorted_hashes.ravel()
    parts = np.empty(capacity, np.uint8)
    fill = np.empty(PARTITIONS, np.int64)
    for c in range(first, out.filled.shape[0], stride):
        base = c * capacity
        n = out.filled[c]
        for p in range(PARTITIONS + 1):
            bounds[c, p] = 0
        for j in range(n):
            part = np.uint8(hashes[base + j] >> HIGH)
            parts[j] = part
            bounds[c, np.int64(part) + 1] += 1
        for p in range(PARTITIONS):
            fill[p] = bounds[c, p]
            bounds[c, p + 1] += bounds[c, p]
        for j in range(n):
            to = fill[parts[j]]
            fill[parts[j]] = to + 1
            target_hashes[base + to] = hashes[base + j]
            for k in range(words):
                target[(base + to) * words + k] = rows[(base + j) * words + k]


@inner()
def _warm(
    table_address: Any, size: Any, rows_address: Any, table: Any, words: Any, hashes: Any, begin: Any, n: Any
) -> None:
    """Brings cells, then the rows they point to, into the cache: one after the other each would be waited for."""
    for b in range(begin, begin + n):
        prefetch(table_address + np.uint64(4 * cell(hashes[b], size)))
    for b in range(begin, begin + n):
        number = np.int64(table[cell(hashes[b], size)] & NUMBER)
        prefetch(rows_address + np.uint64(4 * words * max(0, number - 1)))


@inner()
def _add(rows: Any, count: Any, table: Any, words: Any, visible: Any, row: Any, start: Any, h: Any) -> Any:
    """Adds a row unless it is there; returns the number of rows."""
    size, tag = table.shape[0], _tag(h)
    at = cell(h, size)
    while table[at] != 0:
        found = table[at]
        if found & ~NUMBER == tag and equal(rows, (np.int64(found & NUMBER) - 1) * words, row, start, visible):
            return count
        at += 1
        if at == size:
            at = 0
    for k in range(words):
        rows[count * words + k] = row[start + k]
    table[at] = np.uint32(count + 1) | tag
    return count + 1


@kernel(nogil=True)
def insert(plan: Any, store: Any, out: Any, done: Any, first: Any, stride: Any) -> None:
    """Adds the new rows of every stride-th partition; leaves one that is full, with `done` telling how far."""
    room, words = out.sorted.shape[1], out.sorted.shape[2]
    incoming, bounds = out.sorted.ravel(), out.bounds
    chunks, visible = out.filled.shape[0], plan.visible
    hashes = out.sorted_hashes.ravel()
    for p in range(first, PARTITIONS, stride):
        capacity, size = store.capacity[p], store.table_size[p]
        rows = carray(_pointer(store.rows[p]), (capacity * words,))
        table = carray(_pointer(store.tables[p]), (size,))
        count = store.size[p]
        while done[p, 0] < chunks:
            c = done[p, 0]
            j, end = max(bounds[c, p], done[p, 1]), bounds[c, p + 1]
            while j < end and count < capacity:
                n = min(BLOCK, end - j, capacity - count)
                begin = c * room + j
                _warm(store.tables[p], size, store.rows[p], table, words, hashes, begin, n)
                for b in range(begin, begin + n):
                    count = _add(rows, count, table, words, visible, incoming, b * words, hashes[b])
                j += n
            done[p, 1] = j
            if j < end:
                break
            done[p, 0] = c + 1
            done[p, 1] = 0
        store.size[p] = count


@kernel(nogil=True)
def locate(plan: Any, store: Any, out: Any, base: Any, offset: Any, places: Any, first: Any, stride: Any) -> None:
    """Where the rows of every stride-th chunk are stored: `base` of the partition plus number of the row, or -1."""
    room, words = out.rows.shape[1], out.rows.shape[2]
    rows, hashes, visible = out.rows.ravel(), out.hashes.ravel(), plan.visible
    for c in range(first, out.filled.shape[0], stride):
        for block in range(0, out.filled[c], BLOCK):
            begin = c * room + block
            n = min(BLOCK, out.filled[c] - block)
            for b in range(begin, begin + n):
                p = np.int64(hashes[b] >> HIGH)
                prefetch(store.tables[p] + np.uint64(4 * cell(hashes[b], store.table_size[p])))
            for b in range(begin, begin + n):
                p = np.int64(hashes[b] >> HIGH)
                size = store.table_size[p]
                stored = carray(_pointer(store.rows[p]), (store.capacity[p] * words,))
                table = carray(_pointer(store.tables[p]), (size,))
                tag, at = _tag(hashes[b]), cell(hashes[b], size)
                place = np.int64(-1)
                while table[at] != 0:
                    number = np.int64(table[at] & NUMBER) - 1
                    if table[at] & ~NUMBER == tag and equal(stored, number * words, rows, b * words, visible):
                        place = base[p] + number
                        break
                    at += 1
                    if at == size:
                        at = 0
                places[offset[c] + b - c * room] = place


@kernel(nogil=True)
def fill_tables(plan: Any, store: Any, words: Any, parts: Any, first: Any, stride: Any) -> None:
    """Enters the numbers of the rows of every stride-th of some partitions into their tables, which are empty."""
    for n in range(first, parts.shape[0], stride):
        p = parts[n]
        count, size = store.size[p], store.table_size[p]
        rows = carray(_pointer(store.rows[p]), (store.capacity[p], words))
        table = carray(_pointer(store.tables[p]), (size,))
        hashes = np.empty(count, np.uint64)
        hash_rows(plan, rows, 0, count, hashes, 0)
        for i in range(count):
            at = cell(hashes[i], size)
            while table[at] != 0:
                at += 1
                if at == size:
                    at = 0
            table[at] = np.uint32(i + 1) | _tag(hashes[i])


@kernel(nogil=True)
def repack_parts(
    old: Any, new: Any, store: Any, words: Any, parts: Any, addresses: Any, wide: Any, first: Any, stride: Any
) -> None:
    """Copies the rows of every stride-th of some partitions to other addresses, in another layout."""
    for n in range(first, parts.shape[0], stride):
        p = parts[n]
        capacity, count = store.capacity[p], store.size[p]
        rows = carray(_pointer(store.rows[p]), (capacity, words))
        packed = carray(_pointer(addresses[n]), (capacity, wide))
        repack(old, new, rows[:count], packed)


@kernel(nogil=True)
def gather(store: Any, low: Any, high: Any, skip: Any, rows: Any) -> None:
    """Copies the rows low .. high of each partition, in order, after skipping some."""
    words = rows.shape[1]
    flat = rows.ravel()
    filled, most = 0, rows.shape[0] * words
    for p in range(PARTITIONS):
        size = high[p] - low[p]
        if skip >= size:
            skip -= size
            continue
        stored = carray(_pointer(store.rows[p]), (store.capacity[p] * words,))
        for at in range((low[p] + skip) * words, high[p] * words):
            if filled == most:
                return
            flat[filled] = stored[at]
            filled += 1
        skip = 0
