"""Kernels that number zones and remember results."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.arrays import ROOM
from homing.timed.kernels.compiling import inner, kernel
from homing.timed.kernels.dbm import assign, equal, hashed


@inner()
def intern(zones: Any, d: Any) -> Any:
    """The number of a zone."""
    mask = np.uint64(zones.table.shape[0] - 1)
    h = hashed(d)
    at = np.int64(h & mask)
    while True:
        number = np.int64(zones.table[at]) - 1
        if number < 0:
            break
        if zones.hashes[number] == h and equal(zones.dbm[number], d):
            return number
        at = np.int64(np.uint64(at + 1) & mask)
    number = zones.size[0]
    assign(zones.dbm[number], d)
    zones.hashes[number] = h
    zones.table[at] = number + 1
    zones.size[0] = number + 1
    return number


@kernel(nogil=True)
def intern_all(zones: Any, given: Any, numbers: Any) -> None:
    """The numbers of zones; there is room for them."""
    for i in range(given.shape[0]):
        numbers[i] = intern(zones, given[i])


@inner(inline="always")
def _start(key: Any, mask: Any) -> Any:
    h = key * np.uint64(0xFF51AFD7ED558CCD)
    h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return np.int64((h ^ (h >> np.uint64(32))) & mask)


@inner()
def recall(memo: Any, function: Any, zone: Any) -> Any:
    """The cell of a key, with whether it is filled."""
    mask = np.uint64(memo.keys.shape[0] - 1)
    key = ((np.uint64(function) << np.uint64(32)) | np.uint64(zone)) + np.uint64(1)
    at = _start(key, mask)
    while True:
        if memo.keys[at] == key:
            return at, True
        if memo.keys[at] == 0:
            return at, False
        at = np.int64(np.uint64(at + 1) & mask)


@inner()
def remember(memo: Any, at: Any, function: Any, zone: Any, first: Any, many: Any) -> None:
    """Fills a cell that `recall` found empty; the results are there already, from `first` on."""
    memo.keys[at] = ((np.uint64(function) << np.uint64(32)) | np.uint64(zone)) + np.uint64(1)
    memo.first[at] = first
    memo.many[at] = many
    memo.used[0] += 1
    memo.used[1] = first + many


@inner()
def has_room(zones: Any, memo: Any) -> Any:
    """Whether a piece of work may begin."""
    return (
        zones.size[0] + ROOM <= zones.dbm.shape[0]
        and 2 * memo.used[0] + 2 <= memo.keys.shape[0]
        and memo.used[1] + ROOM <= memo.results.shape[0]
    )


@kernel(nogil=True)
def move_memo(keys: Any, first: Any, many: Any, memo: Any) -> None:
    """Fills a larger memo with the keys of a smaller one."""
    mask = np.uint64(memo.keys.shape[0] - 1)
    for i in range(keys.shape[0]):
        if keys[i] != 0:
            at = _start(keys[i], mask)
            while memo.keys[at] != 0:
                at = np.int64(np.uint64(at + 1) & mask)
            memo.keys[at], memo.first[at], memo.many[at] = keys[i], first[i], many[i]
