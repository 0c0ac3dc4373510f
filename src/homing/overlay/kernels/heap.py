"""A binary heap of (key, broker) in two flat arrays, compiled."""

from __future__ import annotations

import numpy as np

from homing.overlay.kernels.compiling import kernel

ONE, TWO = np.uint64(1), np.uint64(2)


@kernel(nogil=True, boundscheck=False)
def push(keys, items, size, key, item):
    """Adds an item; returns the new size. The arrays must have room."""
    at = np.uint64(size)
    while at > np.uint64(0):
        up = (at - ONE) >> ONE
        if keys[up] <= key:
            break
        keys[at] = keys[up]
        items[at] = items[up]
        at = up
    keys[at] = key
    items[at] = item
    return np.uint64(size) + ONE


@kernel(nogil=True, boundscheck=False)
def drop_first(keys, items, size):
    """Removes the item at the front; returns the new size."""
    size = np.uint64(size) - ONE
    key = keys[size]
    item = items[size]
    at = np.uint64(0)
    child = ONE
    while child < size:
        if child + ONE < size and keys[child + ONE] < keys[child]:
            child = child + ONE
        if keys[child] >= key:
            break
        keys[at] = keys[child]
        items[at] = items[child]
        at = child
        child = at * TWO + ONE
    keys[at] = key
    items[at] = item
    return size
