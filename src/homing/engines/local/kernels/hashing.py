"""Hashing of rows and keys."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.local.kernels.arrays import FIELD, NONE
from homing.engines.local.kernels.compiling import inner, kernel


@inner(inline="always")
def hashed(words: Any, start: Any, n: Any) -> Any:
    """64 well mixed bits of n words."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for k in range(n):
        h = (h ^ np.uint64(words[start + k])) * np.uint64(0xFF51AFD7ED558CCD)
        h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@inner(inline="always")
def part_of_hash(seed: Any, number: Any) -> Any:
    """What one slot adds to the hash of a row, nothing if its seed is 0.

    A row's hash is the exclusive or of these: a step changes it by the slots that it writes, and it does not depend
    on the layout, so that a change of layout moves no row.
    """
    if seed == np.uint64(0):
        return np.uint64(0)
    h = (np.uint64(number) + seed) * np.uint64(0xFF51AFD7ED558CCD)
    h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@inner(inline="always")
def cell(h: Any, size: Any) -> Any:
    """The low half of a hash, scaled to 0 .. size - 1: sizes need not be powers of two."""
    return np.int64(((h & np.uint64(0xFFFFFFFF)) * np.uint64(size)) >> np.uint64(32))


@inner(inline="always")
def equal(one: Any, at: Any, other: Any, start: Any, n: Any) -> Any:
    """Whether n words are the same."""
    for k in range(n):
        if one[at + k] != other[start + k]:
            return False
    return True


@kernel(nogil=True)
def hash_rows(plan: Any, rows: Any, low: Any, high: Any, hashes: Any, to: Any) -> None:
    """The hashes of the rows low .. high, written from `hashes[to]` on.

    Slots that lie side by side are looked up together.
    """
    words, flat, fields, parts = rows.shape[1], rows.ravel(), plan.fields, plan.parts
    for i in range(high - low):
        hashes[to + i] = 0
    for f in range(0, fields.shape[0], FIELD):
        word, shift, mask = np.int64(fields[f]), fields[f + 1], fields[f + 2]
        if fields[f + 3] == NONE:
            seed = plan.seed[fields[f + 4]]
            for i in range(high - low):
                hashes[to + i] ^= part_of_hash(seed, (flat[(low + i) * words + word] >> shift) & mask)
        else:
            start = np.int64(fields[f + 3])
            for i in range(high - low):
                hashes[to + i] ^= parts[start + ((flat[(low + i) * words + word] >> shift) & mask)]


@kernel()
def tabulate(seed: Any, shift: Any, mask: Any, table: Any) -> None:
    """What slots add to the hash of a row, by the bits that they have side by side."""
    for bits in range(table.shape[0]):
        table[bits] = 0
        for s in range(seed.shape[0]):
            table[bits] ^= part_of_hash(seed[s], (np.uint32(bits) >> shift[s]) & mask[s])
