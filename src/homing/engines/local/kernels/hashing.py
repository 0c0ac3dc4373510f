"""Hashing of rows and keys."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True, inline="always")
def hashed(words: Any, start: Any, n: Any) -> Any:
    """64 well mixed bits of n words; the high ones choose a partition, the low ones a cell."""
    h = np.uint64(0x9E3779B97F4A7C15)
    for k in range(n):
        h = (h ^ np.uint64(words[start + k])) * np.uint64(0xFF51AFD7ED558CCD)
        h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@njit(cache=True, inline="always")
def cell(h: Any, size: Any) -> Any:
    """The low half of a hash, scaled to 0 .. size - 1: sizes need not be powers of two."""
    return np.int64(((h & np.uint64(0xFFFFFFFF)) * np.uint64(size)) >> np.uint64(32))


@njit(cache=True, inline="always")
def equal(one: Any, at: Any, other: Any, start: Any, n: Any) -> Any:
    """Whether n words are the same."""
    for k in range(n):
        if one[at + k] != other[start + k]:
            return False
    return True
