"""Kernels that find what functions say of rows, and note what is not known yet."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.local.kernels.arrays import NONE, NOTHING, READ
from homing.engines.local.kernels.compiling import inner, kernel
from homing.engines.local.kernels.hashing import cell, equal, hashed
from homing.engines.local.kernels.trees import descend, end_of

LATEST = 64
"""Misses among which a key is not noted twice: neighbours mostly miss the same."""


@inner()
def lookup(table: Any, key_start: Any, keys: Any, key: Any, begin: Any, n: Any) -> Any:
    """The entry of a key, or -1."""
    size = table.shape[0]
    at = cell(hashed(key, begin, n), size)
    while True:
        number = table[at]
        if number == 0:
            return np.int64(-1)
        entry = np.int64(number) - 1
        start = np.int64(key_start[entry])
        if key_start[entry + 1] - start == n and equal(keys, start, key, begin, n):
            return entry
        at += 1
        if at == size:
            at = 0


@inner()
def miss(misses: Any, count: Any, row: Any, key: Any, n: Any) -> Any:
    """Notes a key to be learnt, unless it just was; when the buffer is full, the state simply comes again."""
    if count >= misses.shape[0]:
        return count
    for k in range(count - 1, max(-1, count - 1 - LATEST), -1):
        if misses[k, 1] == n and equal(misses[k], 2, key, 0, n):
            return count
    misses[count, 0] = row
    misses[count, 1] = n
    for k in range(n):
        misses[count, 2 + k] = key[k]
    return count + 1


@kernel()
def index_entries(plan: Any, memo: Any, low: Any, high: Any) -> None:
    """Makes entries findable: in their function's dense part, or in the hash table."""
    functions = plan.dense_start.shape[0]
    size = memo.table.shape[0]
    for entry in range(low, high):
        start = np.int64(memo.key_start[entry])
        n = np.int64(memo.key_start[entry + 1]) - start
        if n == 0:
            continue
        function = np.int64(memo.keys[start])
        if function < functions and plan.dense_start[function] != NONE:
            position = np.int64(plan.dense_start[function])
            first = np.int64(plan.read_start[function])
            for k in range(1, n):
                shift = np.int64(plan.reads[(first + k - 1) * READ + 4])
                position += np.int64(memo.keys[start + k]) << shift
            memo.dense[position] = entry + 1
        else:
            at = cell(hashed(memo.keys, start, n), size)
            while memo.table[at] != 0:
                at += 1
                if at == size:
                    at = 0
            memo.table[at] = entry + 1


@inner()
def _values(reads: Any, unary: Any, at: Any, rows: Any, low: Any, high: Any, words: Any, values: Any) -> None:
    """What one read finds in each row, by its number; NONE where a unary result is missing."""
    word, shift, mask = np.int64(reads[at]), reads[at + 1], reads[at + 2]
    through = reads[at + 3]
    for i in range(low, high):
        values[i - low] = (rows[i * words + word] >> shift) & mask
    if through != NONE:
        start = np.int64(through)
        for i in range(high - low):
            values[i] = np.uint32(unary[start + values[i]])


@inner()
def _positions(
    reads: Any,
    unary: Any,
    first: Any,
    last: Any,
    rows: Any,
    low: Any,
    n: Any,
    words: Any,
    left: Any,
    position: Any,
) -> Any:
    """Lists the rows in which no guard is false, with their positions in the dense part; returns how many there are.

    Most guards are false in most rows, so what comes after the first one looks at few of them.
    """
    count = n
    for i in range(n):
        left[i] = i
        position[i] = 0
    for r in range(first, last):
        at = r * READ
        word, shift, mask, through = np.int64(reads[at]), reads[at + 1], reads[at + 2], reads[at + 3]
        to, guard, kept = reads[at + 4], reads[at + 5], 0
        for k in range(count):
            i = left[k]
            value = (rows[(low + np.int64(i)) * words + word] >> shift) & mask
            if through != NONE:
                value = np.uint32(unary[np.int64(through) + value])
            # Where a unary result is missing all bits stay set, which no position has.
            position[kept] = NONE if value == NONE else position[k] | (value << to)
            left[kept] = i
            kept += guard == 0 or value != 0
        count = kept
    return count


@inner()
def _look(
    plan: Any, memo: Any, function: Any, rows: Any, low: Any, high: Any, words: Any, scratch: Any, to: Any, entries: Any
) -> Any:
    """For each of the rows the entry + 1 of a function, or 0; read by read, so that the loops run in registers.

    They are written from `entries[to]` on. Returns whether all were found. `scratch` has two numbers a row, and then
    room for a key.
    """
    n, size = high - low, scratch.shape[0] // 3
    reads, unary, table, key_start, keys = plan.reads, plan.unary, memo.table, memo.key_start, memo.keys
    dense = memo.dense
    first, last = np.int64(plan.read_start[function]), np.int64(plan.read_start[function + 1])
    start = np.int64(plan.dense_start[function])
    position, values, key = scratch[:size], scratch[size : 2 * size], scratch[2 * size :]
    found = True
    guarded = False
    for r in range(first, last):
        guarded |= reads[r * READ + 5] != 0
    if start != NONE and guarded:
        for i in range(n):
            entries[to + i] = NOTHING
        left = _positions(reads, unary, first, last, rows, low, n, words, values, position)
        for k in range(left):
            i = to + np.int64(values[k])
            entries[i] = 0 if position[k] == NONE else dense[start + position[k]]
            found &= entries[i] != 0
        return found
    if start != NONE:
        for i in range(n):
            position[i] = 0
        for r in range(first, last):
            _values(reads, unary, r * READ, rows, low, high, words, values)
            shift = reads[r * READ + 4]
            for i in range(n):
                # Where a unary result is missing all bits stay set, which no position has.
                position[i] = NONE if values[i] == NONE else position[i] | (values[i] << shift)
        for i in range(n):
            entries[to + i] = 0 if position[i] == NONE else dense[start + position[i]]
            found &= entries[to + i] != 0
        return found
    for i in range(n):
        length = _key(reads, unary, function, first, last, rows, (low + i) * words, key)
        entries[to + i] = NOTHING if length == 0 else lookup(table, key_start, keys, key, 0, length) + 1
        found &= entries[to + i] != 0
    return found


@inner()
def _key(reads: Any, unary: Any, function: Any, first: Any, last: Any, rows: Any, base: Any, key: Any) -> Any:
    """Fills in the key of a function on a row, and returns its length: 1 where a unary result is missing, 0 where a
    guard is false."""
    key[0] = function
    length = 1 + last - first
    for r in range(first, last):
        at = r * READ
        value = (rows[base + np.int64(reads[at])] >> reads[at + 1]) & reads[at + 2]
        if reads[at + 3] != NONE:
            value = np.uint32(unary[np.int64(reads[at + 3]) + value])
            if value == 0 and reads[at + 5]:
                return 0
            if value == NONE:
                length = 1
        key[1 + r - first] = value
    return length


@inner()
def seek(
    plan: Any,
    memo: Any,
    groups: Any,
    rows: Any,
    low: Any,
    high: Any,
    words: Any,
    scratch: Any,
    key: Any,
    entries: Any,
    width: Any,
    c: Any,
    out: Any,
) -> None:
    """By group and row the entry + 1; where there is none, the row is deferred and the key noted."""
    read_start, reads, unary = plan.read_start, plan.reads, plan.unary
    for g in range(groups):
        if _look(plan, memo, g, rows, low, high, words, scratch, g * width, entries):
            continue
        for i in range(low, high):
            if entries[g * width + i - low] == 0:
                out.deferred[i] = 1
                last = np.int64(read_start[g + 1])
                length = _key(reads, unary, g, np.int64(read_start[g]), last, rows, i * words, key)
                out.missed[c] = miss(out.misses[c], out.missed[c], i, key, length)


@inner()
def _descend(plan: Any, memo: Any, function: Any, rows: Any, n: Any, words: Any, scratch: Any, entries: Any) -> None:
    """What `_look` does, of a function with a tree. What that knows goes to the dense part, too: next time it is found
    there."""
    start, root, dense = plan.dense_start[function], memo.roots[function], memo.dense
    if start == NONE:
        descend(plan, memo, root, rows, 0, n, words, entries)
    elif not _look(plan, memo, function, rows, 0, n, words, scratch, 0, entries):
        for i in range(n):
            if entries[i] == 0:
                descend(plan, memo, root, rows, i, i + 1, words, entries)
                if scratch[i] != NONE:  # its position
                    dense[np.int64(start) + scratch[i]] = entries[i]


@kernel(nogil=True)
def observe(plan: Any, memo: Any, rows: Any, functions: Any, values: Any, misses: Any) -> Any:
    """The value of each label on each row, where it can be looked up; labels that are NONE are left out. Returns the
    number of misses."""
    n, words = rows.shape
    flat = rows.ravel()
    reads, unary, result_start, results = plan.reads, plan.unary, memo.result_start, memo.results
    entries, key = np.empty(n, np.uint32), np.empty(misses.shape[1], np.uint32)
    scratch = np.empty(3 * max(n, misses.shape[1]), np.uint32)
    missed = 0
    for f in range(functions.shape[0]):
        if functions[f] == NONE:
            continue
        first, last = np.int64(plan.read_start[functions[f]]), np.int64(plan.read_start[functions[f] + 1])
        has_tree = memo.roots[functions[f]] != NONE
        if has_tree:
            _descend(plan, memo, functions[f], flat, n, words, scratch, entries)
        else:
            _look(plan, memo, functions[f], flat, 0, n, words, scratch, 0, entries)
        for i in range(n):
            if entries[i] != 0:
                values[f, i] = results[result_start[np.int64(entries[i]) - 1]]
            else:
                if has_tree:
                    length = end_of(plan, memo, functions[f], flat, i * words, key)
                else:
                    length = _key(reads, unary, functions[f], first, last, flat, i * words, key)
                missed = miss(misses, missed, i, key, length)
    return missed
