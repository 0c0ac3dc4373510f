"""Shortest paths inside a component."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.properties.kernels.compiling import kernel

Array = NDArray[Any]


@kernel(nogil=True)
def shortest(start: Array, target: Array, alive: Array, source: int, wanted: Array, goal: int) -> Array:
    """The edges of a shortest path of live edges from `source`, at least one, whose last edge is wanted or ends in
    `goal` (none when it is negative); empty when there is none."""
    n = len(start) - 1
    parent = np.full(n, -1, np.int64)  # the position in the queue of the node before
    via = np.empty(n, np.int64)
    queue = np.empty(n + 1, np.int64)
    before = np.empty(n + 1, np.int64)
    queue[0] = source
    before[0] = -1
    filled = np.int64(1)
    done = np.int64(0)
    last: Any = np.int64(-1)
    while done < filled and last < 0:
        v = queue[done]
        for e in range(start[v], start[v + 1]):
            if alive[e]:
                w = np.int64(target[e])
                if wanted[e] or w == goal:
                    last = e
                    break
                if parent[w] < 0 and w != source:
                    parent[w] = done
                    via[w] = e
                    queue[filled] = w
                    filled += 1
        if last < 0:
            done += 1
    if last < 0:
        return np.empty(0, np.int64)
    length = np.int64(1)
    at = done
    while queue[at] != source:
        at = parent[queue[at]]
        length += 1
    path = np.empty(length, np.int64)
    path[length - 1] = last
    at = done
    for k in range(length - 2, -1, -1):
        path[k] = via[queue[at]]
        at = parent[queue[at]]
    return path
