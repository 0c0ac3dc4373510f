"""Kernels that apply functions to rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.local.kernels.arrays import KEEP, WRITE
from homing.engines.local.kernels.compiling import inner, kernel
from homing.engines.local.kernels.hashing import equal, hash_rows, part_of_hash
from homing.engines.local.kernels.looking import lookup, miss, seek


@inner()
def visible_first(word: Any, visible: Any) -> Any:
    """All slots, those of the words that count for identity first."""
    turns, count = np.empty(word.shape[0], np.int64), 0
    for hidden in range(2):
        for s in range(word.shape[0]):
            if (word[s] >= visible) == (hidden == 1):
                turns[count] = s
                count += 1
    return turns


@kernel(nogil=True)
def canonical_rows(plan: Any, rows: Any, low: Any, high: Any) -> None:
    """Replaces rows by the least of their orbits, comparing numbers slot by slot: the layout may change, they not.

    Visible slots are compared before hidden ones: rows whose visible parts are alike must get the same visible part.
    """
    slots, elements, words = plan.word.shape[0], plan.source.shape[0], rows.shape[1]
    word, shift, mask, unary = plan.word, plan.shift, plan.mask, plan.unary
    source, image = plan.source, plan.image
    ids, best, other = np.empty(slots, np.uint32), np.empty(slots, np.uint32), np.empty(slots, np.uint32)
    turns = visible_first(word, plan.visible)
    for i in range(low, high):
        for s in range(slots):
            ids[s] = (rows[i, word[s]] >> shift[s]) & mask[s]
            best[s] = ids[s]
        moved = False
        for e in range(elements):
            order = 0
            for s in turns:
                other[s] = unary[np.int64(image[e, s]) + ids[source[e, s]]]
                if order == 0:
                    if other[s] > best[s]:
                        order = 1
                        break
                    if other[s] < best[s]:
                        order = -1
            if order < 0:
                moved = True
                for s in range(slots):
                    best[s] = other[s]
        if moved:
            for k in range(words):
                rows[i, k] = 0
            for s in range(slots):
                rows[i, word[s]] |= best[s] << shift[s]


@inner(inline="always")
def _enabled(groups: Any, entries: Any, width: Any, column: Any, result_start: Any, enabled: Any) -> Any:
    """Lists the groups that have a step, and returns how many there are."""
    count = 0
    for g in range(groups):
        # Without a branch: which groups are enabled is what a processor cannot foresee.
        entry = np.int64(entries[g * width + column])
        enabled[count] = g
        count += result_start[entry] != result_start[entry - 1]
    return count


@inner()
def _follow(
    plan: Any,
    memo: Any,
    groups: Any,
    rows: Any,
    hashes: Any,
    low: Any,
    high: Any,
    entries: Any,
    width: Any,
    c: Any,
    out: Any,
) -> Any:
    """Writes the steps of rows whose entries are known; returns the row at which the output was full."""
    capacity, words = out.rows.shape[1], out.rows.shape[2]
    produced, deferred, dead = out.rows.ravel(), out.deferred, out.dead
    produced_hashes, seed = out.hashes.ravel(), plan.seed
    recording = out.origin.shape[1] > 0
    write_start, writes, functions = plan.write_start, plan.writes, plan.dense_start.shape[0]
    table, key_start, keys = memo.table, memo.key_start, memo.keys
    result_start, results = memo.result_start, memo.results
    key = np.empty(2, np.uint32)
    enabled = np.empty(groups, np.uint32)
    n = out.filled[c]
    for i in range(low, high):
        if deferred[i]:
            continue
        base, start = i * words, n
        for e in range(_enabled(groups, entries, width, i - low, result_start, enabled)):
            group = np.int64(enabled[e])
            entry = np.int64(entries[group * width + i - low])
            first, last = np.int64(write_start[group]), np.int64(write_start[group + 1])
            at, stop = np.int64(result_start[entry - 1]), np.int64(result_start[entry])
            while at < stop:
                if n == capacity:
                    out.filled[c] = start
                    return i
                target = (c * capacity + n) * words
                h = hashes[i - low]
                for k in range(words):
                    produced[target + k] = rows[base + k]
                if recording:
                    out.origin[c, n], out.group[c, n], out.event[c, n] = i, group, results[at]
                at += 1
                for w in range(first, last):
                    value = np.int64(results[at])
                    at += 1
                    if value == KEEP:
                        continue
                    word = np.int64(writes[w * WRITE])
                    shift, mask = writes[w * WRITE + 1], writes[w * WRITE + 2]
                    old = (rows[base + word] >> shift) & mask
                    if value < 0:
                        key[0] = np.uint32(functions - value - 2)
                        key[1] = old
                        updated = lookup(table, key_start, keys, key, 0, 2)
                        if updated < 0:
                            deferred[i] = 1
                            out.missed[c] = miss(out.misses[c], out.missed[c], i, key, 2)
                            continue
                        value = np.int64(results[result_start[updated]])
                    spot = target + word
                    produced[spot] = (produced[spot] & ~(mask << shift)) | (np.uint32(value) << shift)
                    mine = seed[writes[w * WRITE + 3]]
                    h ^= part_of_hash(mine, old) ^ part_of_hash(mine, value)
                produced_hashes[c * capacity + n] = h
                n += 1
        if deferred[i]:
            n = start
        elif n == start:
            dead[i] = 1
    out.filled[c] = n
    return high


@kernel(nogil=True)
def expand(plan: Any, memo: Any, groups: Any, batch: Any, chunk_size: Any, out: Any, first: Any, stride: Any) -> None:
    """Writes the steps from every stride-th chunk; stops early in a chunk whose output is full."""
    size, words = batch.shape
    rows = batch.ravel()
    entries = np.empty(groups * chunk_size, np.uint32)
    hashes = np.empty(chunk_size, np.uint64)
    scratch = np.empty(3 * max(chunk_size, out.misses.shape[2]), np.uint32)
    key = np.empty(out.misses.shape[2], np.uint32)
    for c in range(first, out.filled.shape[0], stride):
        low, high = out.position[c], min(size, (c + 1) * chunk_size)
        if low == high:
            continue
        seek(plan, memo, groups, rows, low, high, words, scratch, key, entries, chunk_size, c, out)
        start = out.filled[c]
        hash_rows(plan, batch, low, high, hashes, 0)
        out.position[c] = _follow(plan, memo, groups, rows, hashes, low, high, entries, chunk_size, c, out)
        if plan.source.shape[0] > 0:
            canonical_rows(plan, out.rows[c], start, out.filled[c])
            hash_rows(plan, out.rows[c], start, out.filled[c], out.hashes[c], start)


@kernel(nogil=True)
def repack(old: Any, new: Any, rows: Any, packed: Any) -> None:
    """The same states in another layout."""
    for i in range(rows.shape[0]):
        for k in range(packed.shape[1]):
            packed[i, k] = 0
        for s in range(new.word.shape[0]):
            value = (rows[i, old.word[s]] >> old.shift[s]) & old.mask[s]
            packed[i, new.word[s]] |= value << new.shift[s]


@kernel(nogil=True)
def match(out: Any, target: Any) -> Any:
    """The first row produced that equals the target in every word: its chunk and number, or -1."""
    capacity, words = out.rows.shape[1], out.rows.shape[2]
    rows = out.rows.ravel()
    for c in range(out.filled.shape[0]):
        for j in range(out.filled[c]):
            if equal(rows, (c * capacity + j) * words, target, 0, words):
                return c, j
    return -1, -1
