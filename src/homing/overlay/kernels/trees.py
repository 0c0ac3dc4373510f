"""Shortest-path trees towards every broker, compiled: the normal state, or any other from scratch.

All tables are flat and by destination: entry `d * n + u` is about the way from u to d. `via` is the arc taken
first. In a tree the brokers stand in preorder, so those behind u are one run: `order[at[u] : at[u] + size[u]]`.
"""

from __future__ import annotations

import numpy as np

from homing.overlay.kernels.compiling import kernel
from homing.overlay.kernels.heap import drop_first, push

NO_ARC = np.uint16(65535)
INFINITE = np.int64(2**61)  # twice it still fits, so sums need no test


@kernel(nogil=True, boundscheck=False)
def settle(d, n, back_first, back, source, weight, dist, keys, items, settled):
    """Distances of all brokers to d, and the brokers in the order of their distance; returns how many reach it."""
    base = np.uint64(d) * np.uint64(n)
    for u in range(np.uint64(n)):
        dist[base + u] = INFINITE
    dist[base + np.uint64(d)] = np.int64(0)
    size = push(keys, items, np.uint64(0), np.int64(0), np.uint32(d))
    count = np.uint64(0)
    while size > np.uint64(0):
        key = keys[0]
        u = np.uint64(items[0])
        size = drop_first(keys, items, size)
        if key != dist[base + u]:
            continue
        settled[count] = u
        count += np.uint64(1)
        for i in range(back_first[u], back_first[u + np.uint64(1)]):
            e = back[i]
            x = source[e]
            away = key + weight[e]
            if away < dist[base + x]:
                dist[base + x] = away
                size = push(keys, items, size, away, x)
    return count


@kernel(nogil=True, boundscheck=False)
def choose(d, n, first, target, weight, dist, via):
    """The first arc, in the order of the tie-break, of a shortest path of each broker to d."""
    base = np.uint64(d) * np.uint64(n)
    for u in range(np.uint64(n)):
        via[base + u] = NO_ARC
        if u == np.uint64(d) or dist[base + u] >= INFINITE:
            continue
        for e in range(first[u], first[u + np.uint64(1)]):
            if weight[e] + dist[base + target[e]] == dist[base + u]:
                via[base + u] = np.uint16(e)
                break


@kernel(nogil=True, boundscheck=False)
def arrange(d, n, count, settled, target, via, order, at, size, free):
    """Preorder of the tree towards d."""
    base = np.uint64(d) * np.uint64(n)
    one = np.uint64(1)
    for u in range(np.uint64(n)):
        size[base + u] = np.uint16(1)
    for i in range(count - one):
        u = np.uint64(settled[count - one - i])
        up = np.uint64(target[via[base + u]])
        size[base + up] += size[base + u]
    at[base + np.uint64(d)] = np.uint16(0)
    order[base] = np.uint16(d)
    free[d] = one
    for i in range(one, count):
        u = np.uint64(settled[i])
        up = np.uint64(target[via[base + u]])
        here = np.uint64(free[up])
        at[base + u] = np.uint16(here)
        order[base + here] = np.uint16(u)
        free[up] = here + np.uint64(size[base + u])
        free[u] = here + one


@kernel(nogil=True, boundscheck=False)
def all_trees(
    low, high, n, first, source, target, weight, latency, back_first, back, dist, via, order, at, size, delay
):
    """Fills the tables for the destinations low to high - 1; `delay` is the latency along each route."""
    keys = np.empty(len(target) + n + 2, np.int64)
    items = np.empty(len(target) + n + 2, np.uint32)
    settled = np.empty(n + 1, np.uint32)
    free = np.empty(n + 1, np.uint64)
    for d in range(np.uint64(low), np.uint64(high)):
        base = d * np.uint64(n)
        count = settle(d, n, back_first, back, source, weight, dist, keys, items, settled)
        choose(d, n, first, target, weight, dist, via)
        arrange(d, n, count, settled, target, via, order, at, size, free)
        for u in range(np.uint64(n)):
            delay[base + u] = np.int64(0)
        for i in range(np.uint64(1), count):
            u = np.uint64(settled[i])
            e = via[base + u]
            delay[base + u] = latency[e] + delay[base + target[e]]
