"""What becomes of rows that steps lead to: they are kept, come nearer, or are sent to their owner."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.compiled import prefetch
from homing.engines.spark.kernels.arrays import NEVER
from homing.engines.spark.kernels.compiling import inner, kernel

HALF = np.uint64(0xFFFFFFFF)
HIGH = ~HALF
FINGERPRINT = 40
"""Bits of a fingerprint in what stands for a parent; the others are of its owner's hash."""
BLOCK = 32


@inner(inline="always")
def _cell(h: Any, size: Any) -> Any:
    """The low half of a hash, scaled to 0 .. size - 1."""
    return np.int64(((h & HALF) * np.uint64(size)) >> np.uint64(32))


@inner(inline="always")
def _same(one: Any, at: Any, other: Any, start: Any, n: Any) -> Any:
    for k in range(n):
        if one[at + k] != other[start + k]:
            return False
    return True


@inner(inline="always")
def _hash(form: Any, table: Any, rows: Any, base: Any) -> Any:
    """The exclusive or of what each slot's value contributes."""
    h = np.uint64(0)
    for s in range(form.word.shape[0]):
        number = (rows[base + np.int64(form.word[s])] >> form.shift[s]) & form.mask[s]
        h ^= table[np.int64(form.start[s]) + number]
    return h


@inner(inline="always")
def _owning(form: Any, owners: Any, rows: Any, base: Any) -> Any:
    """The same of the slots that decide who owns a row."""
    h = np.uint64(0)
    for n in range(owners.slots.shape[0]):
        s = owners.slots[n]
        number = (rows[base + np.int64(form.word[s])] >> form.shift[s]) & form.mask[s]
        h ^= owners.owning[np.int64(form.start[s]) + number]
    return h


@inner(inline="always")
def _part(owners: Any, owning: Any, print_: Any) -> Any:
    """The partition of a cell: first bits of the owner's hash, then of the fingerprint."""
    cell = np.int64(0)
    if owners.bits > 0:
        cell = np.int64(owning >> np.uint64(64 - owners.bits))
    if owners.more > 0:
        cell = (cell << owners.more) | np.int64(print_ >> np.uint64(64 - owners.more))
    return np.int64(owners.parts[cell])


@kernel(nogil=True)
def parts(form: Any, owners: Any, rows: Any, to: Any) -> None:
    """The owner of each row."""
    words, flat = rows.shape[1], rows.ravel()
    for i in range(rows.shape[0]):
        owning = _owning(form, owners, flat, i * words)
        print_ = _hash(form, owners.print, flat, i * words) if owners.more > 0 else np.uint64(0)
        to[i] = _part(owners, owning, print_)


@kernel(nogil=True)
def pointers(form: Any, owners: Any, rows: Any, to: Any) -> None:
    """What stands for each row as a parent: the first bits of its owner's hash, and of its fingerprint."""
    words, flat = rows.shape[1], rows.ravel()
    for i in range(rows.shape[0]):
        owning = _owning(form, owners, flat, i * words)
        print_ = _hash(form, owners.print, flat, i * words)
        to[i] = ((owning >> np.uint64(FINGERPRINT)) << np.uint64(FINGERPRINT)) | (print_ >> np.uint64(64 - FINGERPRINT))


@inner()
def _find(table: Any, rows: Any, words: Any, visible: Any, row: Any, start: Any, h: Any) -> Any:
    """Where a row is: its number, or -1 - the free cell."""
    size, tag = table.shape[0], h & HIGH
    at = _cell(h, size)
    while table[at] != 0:
        found = table[at]
        if found & HIGH == tag:
            number = np.int64(found & HALF) - 1
            if _same(rows, number * words, row, start, visible):
                return number
        at += 1
        if at == size:
            at = 0
    return -1 - at


@inner()
def _warm(held: Any, words: Any, hashes: Any, begin: Any, end: Any) -> None:
    """Brings cells, then what they point to, into the cache: one after the other each would be waited for."""
    table, size = held.table, held.table.shape[0]
    for b in range(begin, end):
        prefetch(np.uint64(table.ctypes.data) + np.uint64(8 * _cell(hashes[b], size)))
    for b in range(begin, end):
        number = np.int64(table[_cell(hashes[b], size)] & HALF)
        number -= number > 0
        prefetch(np.uint64(held.rows.ctypes.data) + np.uint64(4 * words * number))
        prefetch(np.uint64(held.depth.ctypes.data) + np.uint64(4 * number))


@kernel(nogil=True)
def absorb(
    form: Any, owners: Any, held: Any, sent: Any, found: Any, numbers: Any, by_depth: Any, begin: Any, visible: Any
) -> Any:
    """Takes in rows from `begin` on; returns how far it came before some array was full, and how many numbers of rows
    that are new, or nearer than before, it wrote to `numbers`."""
    alone = owners.parts.shape[0] == 1
    words = found.rows.shape[1]
    rows, hashes = found.rows.ravel(), found.hashes
    kept, table = held.rows.ravel(), held.table
    out, recent = sent.rows.ravel(), sent.recent
    capacity, room = min(held.depth.shape[0], 2 * (table.shape[0] // 3)), sent.depth.shape[0]
    count, going = held.size[0], sent.size[0]
    fresh = 0
    i = begin
    while i < hashes.shape[0] and count < capacity and going < room:
        if (i - begin) % BLOCK == 0:
            _warm(held, words, hashes, i, min(i + BLOCK, hashes.shape[0]))
        base, origin = i * words, found.origin[i]
        depth, part = found.depth[origin], np.int64(owners.me)
        if not alone:
            owning = _owning(form, owners, rows, base)
            print_ = _hash(form, owners.print, rows, base) if owners.more > 0 else np.uint64(0)
            part = _part(owners, owning, print_)
        if part == owners.me:
            number = _find(table, kept, words, visible, rows, base, hashes[i])
            if number < 0:
                table[-1 - number] = (hashes[i] & HIGH) | np.uint64(count + 1)
                number = count
                count += 1
                held.counted[number] = NEVER
            elif depth < held.depth[number]:
                by_depth[held.depth[number]] -= 1
            else:
                i += 1
                continue
            by_depth[depth] += 1
            for k in range(words):
                kept[number * words + k] = rows[base + k]
            held.depth[number] = depth
            held.parent[number] = found.parent[origin]
            held.changed[number] = 1
            numbers[fresh] = number
            fresh += 1
        else:
            at = _cell(hashes[i] ^ (hashes[i] >> np.uint64(32)), recent.shape[0])
            known = np.int64(recent[at]) - 1
            if known >= 0 and sent.depth[known] <= depth and _same(out, known * words, rows, base, visible):
                i += 1
                continue
            for k in range(words):
                out[going * words + k] = rows[base + k]
            sent.depth[going] = depth
            sent.parent[going] = found.parent[origin]
            sent.owner[going] = part
            going += 1
            recent[at] = going
        i += 1
    held.size[0] = count
    sent.size[0] = going
    return i, fresh


@kernel(nogil=True)
def index(hashes: Any, table: Any) -> None:
    """Makes rows, all different, findable."""
    size = table.shape[0]
    for number in range(hashes.shape[0]):
        if number % BLOCK == 0:
            for b in range(number, min(number + BLOCK, hashes.shape[0])):
                prefetch(np.uint64(table.ctypes.data) + np.uint64(8 * _cell(hashes[b], size)))
        at = _cell(hashes[number], size)
        while table[at] != 0:
            at += 1
            if at == size:
                at = 0
        table[at] = (hashes[number] & HIGH) | np.uint64(number + 1)


@kernel(nogil=True)
def locate(held: Any, rows: Any, hashes: Any, visible: Any, numbers: Any) -> None:
    """The number of each row, or -1."""
    words, flat, kept = rows.shape[1], rows.ravel(), held.rows.ravel()
    for i in range(rows.shape[0]):
        number = _find(held.table, kept, words, visible, flat, i * words, hashes[i])
        numbers[i] = max(number, -1)
