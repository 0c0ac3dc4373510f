"""The kernel that expands rows of joint systems: every group takes a step at once."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.local.kernels.arrays import KEEP, QUIET, WRITE
from homing.engines.local.kernels.compiling import inner, kernel
from homing.engines.local.kernels.expansion import canonical_rows
from homing.engines.local.kernels.hashing import hash_rows, part_of_hash
from homing.engines.local.kernels.looking import lookup, miss, seek


@inner()
def _agreeing(results: Any, at: Any, stop: Any, size: Any, event: Any) -> Any:
    """The first step from `at` on that can be taken together with an event; `stop` if there is none."""
    while at < stop:
        if event == QUIET or results[at] == QUIET or results[at] == event:
            return at
        at += size
    return stop


@inner()
def _write(plan: Any, memo: Any, group: Any, at: Any, rows: Any, base: Any, row: Any, key: Any, h: Any) -> Any:
    """Puts what a step of a group writes into a row: the hash after it, and whether an update's result is missing,
    which then is in the key. All of the group's slots are written, so that nothing is left of another step of it."""
    writes, results, seed = plan.writes, memo.results, plan.seed
    for w in range(np.int64(plan.write_start[group]), np.int64(plan.write_start[group + 1])):
        at += 1
        value = np.int64(results[at])
        word = np.int64(writes[w * WRITE])
        shift, mask = writes[w * WRITE + 1], writes[w * WRITE + 2]
        old = (rows[base + word] >> shift) & mask
        if value == KEEP:
            value = np.int64(old)
        elif value < 0:
            key[0] = np.uint32(plan.dense_start.shape[0] - value - 2)
            key[1] = old
            updated = lookup(memo.table, memo.key_start, memo.keys, key, 0, 2)
            if updated < 0:
                return h, True
            value = np.int64(results[memo.result_start[updated]])
        row[word] = (row[word] & ~(mask << shift)) | (np.uint32(value) << shift)
        mine = seed[writes[w * WRITE + 3]]
        h ^= part_of_hash(mine, old) ^ part_of_hash(mine, value)
    return h, False


@inner()
def _follow_together(
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
    """Writes the steps of rows whose entries are known; returns the row at which the output was full.

    Counts through the groups' steps like an odometer whose last wheel turns fastest, and skips what cannot go together.
    """
    capacity, words = out.rows.shape[1], out.rows.shape[2]
    produced, produced_hashes = out.rows.ravel(), out.hashes.ravel()
    recording = out.origin.shape[1] > 0
    write_start, result_start, results = plan.write_start, memo.result_start, memo.results
    key, row = np.empty(2, np.uint32), np.empty(words, np.uint32)
    after, event = np.empty(groups + 1, np.uint64), np.empty(groups + 1, np.int64)
    position = np.empty(groups, np.int64)
    n = out.filled[c]
    for i in range(low, high):
        if out.deferred[i]:
            continue
        base, start = i * words, n
        for k in range(words):
            row[k] = rows[base + k]
        after[0], event[0] = hashes[i - low], QUIET
        g = 0
        position[0] = np.int64(result_start[np.int64(entries[i - low]) - 1])
        while g >= 0:
            stop = np.int64(result_start[np.int64(entries[g * width + i - low])])
            size = 1 + np.int64(write_start[g + 1]) - np.int64(write_start[g])
            at = _agreeing(results, position[g], stop, size, event[g])
            if at == stop:
                g -= 1
                continue
            position[g] = at + size
            after[g + 1], missing = _write(plan, memo, g, at, rows, base, row, key, after[g])
            if missing:
                out.deferred[i] = 1
                out.missed[c] = miss(out.misses[c], out.missed[c], i, key, 2)
                continue
            event[g + 1] = event[g] if results[at] == QUIET else results[at]
            if g + 1 < groups:
                g += 1
                position[g] = np.int64(result_start[np.int64(entries[g * width + i - low]) - 1])
                continue
            if n == capacity:
                out.filled[c] = start
                return i
            target = (c * capacity + n) * words
            for k in range(words):
                produced[target + k] = row[k]
            produced_hashes[c * capacity + n] = after[groups]
            if recording:
                out.origin[c, n], out.group[c, n], out.event[c, n] = i, 0, event[groups]
            n += 1
        if out.deferred[i]:
            n = start
        elif n == start:
            out.dead[i] = 1
    out.filled[c] = n
    return high


@kernel(nogil=True)
def expand_together(
    plan: Any, memo: Any, groups: Any, batch: Any, chunk_size: Any, out: Any, first: Any, stride: Any
) -> None:
    """Like `expand`, for a joint system."""
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
        out.position[c] = _follow_together(plan, memo, groups, rows, hashes, low, high, entries, chunk_size, c, out)
        if plan.source.shape[0] > 0:
            canonical_rows(plan, out.rows[c], start, out.filled[c])
            hash_rows(plan, out.rows[c], start, out.filled[c], out.hashes[c], start)
