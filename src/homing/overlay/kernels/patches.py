"""Failures as patches of the normal state, compiled: only what lies behind a failed element is recomputed.

For each destination the brokers behind a failed arc or broker are one run of the tree's preorder. Their
distances are set to infinity in place, found again by Dijkstra's algorithm from their surroundings, and put
back after the scenario. All others keep distance and next hop: their way is intact, and what they did not
choose before can only have become longer.

Verified on the way: each new distance is compared with the minimum over all arcs that are left, and each
broker found cut off must have no arc to one that is not. Since weights are positive, distances that pass are
the shortest ones and next hops lead home without a loop, whatever the search above did. Failed checks are
counted as errors.
"""

from __future__ import annotations

import numpy as np

from homing.overlay.kernels.compiling import kernel
from homing.overlay.kernels.heap import drop_first, push
from homing.overlay.kernels.trees import INFINITE, NO_ARC

# Columns of the counts, one row a scenario.
AFFECTED, CHANGED, CUT, LATE, ABSENT, ERRORS = (np.uint64(i) for i in range(6))
COUNTS = np.uint64(6)
ONE = np.uint64(1)


@kernel(nogil=True, boundscheck=False)
def arcs_down(starts, elements, links, link_first, link_arcs, first, back_first, back, out_starts, out):
    """Lists the arcs that each failure takes down; only counts them when `out` is empty."""
    count = np.uint64(0)
    keep = len(out) > 0
    for s in range(len(starts) - 1):
        out_starts[s] = count
        for i in range(starts[s], starts[s + 1]):
            element = np.uint64(elements[i])
            if element < links:
                for j in range(link_first[element], link_first[element + ONE]):
                    if keep:
                        out[count] = link_arcs[j]
                    count += ONE
                continue
            x = element - np.uint64(links)
            for e in range(first[x], first[x + ONE]):
                if keep:
                    out[count] = np.uint32(e)
                count += ONE
            for j in range(back_first[x], back_first[x + ONE]):
                if keep:
                    out[count] = back[j]
                count += ONE
    out_starts[len(starts) - 1] = count
    return count


@kernel(nogil=True, boundscheck=False)
def touches(base, low, high, down, source, via):
    """Whether a tree uses one of the arcs that are down."""
    for i in range(low, high):
        e = down[i]
        if np.uint32(via[base + source[e]]) == e:
            return True
    return False


@kernel(nogil=True, boundscheck=False)
def collect(base, low, high, down, source, via, order, at, size, dist, behind, old):
    """Lists the brokers behind failed arcs of one tree, keeps their distances and makes them infinite."""
    found = np.uint64(0)
    for i in range(low, high):
        e = down[i]
        u = source[e]
        if np.uint32(via[base + u]) != e or dist[base + u] >= INFINITE:
            continue  # not in this tree, or inside a run taken before
        start = base + np.uint64(at[base + u])
        for j in range(start, start + np.uint64(size[base + u])):
            x = order[j]
            away = dist[base + x]
            if away < INFINITE:
                behind[found] = np.uint32(x)
                old[found] = away
                dist[base + x] = INFINITE
                found += ONE
    return found


@kernel(nogil=True, boundscheck=False)
def seed(base, found, first, target, weight, dist, behind, seeds):
    """The best way out for each broker behind, straight to one that is not."""
    for i in range(found):
        u = behind[i]
        best = INFINITE
        for e in range(first[u], first[u + ONE]):
            away = weight[e] + dist[base + target[e]]
            if away < best:
                best = away
        seeds[i] = best


@kernel(nogil=True, boundscheck=False)
def choose_way(base, u, first, target, weight, dist):
    """The least distance over the arcs that are left, and the first arc that has it."""
    best = INFINITE
    way = NO_ARC
    for e in range(first[u], first[u + ONE]):
        away = weight[e] + dist[base + target[e]]
        if away < best:
            best = away
            way = np.uint16(e)
    return best, way


@kernel(nogil=True, boundscheck=False)
def search(
    base, found, first, source, target, weight, back_first, back, dist, behind, seeds, keys, items, settled, ways
):
    """New distances and arcs for the brokers behind; returns how many were reached, and the failed checks."""
    size = np.uint64(0)
    for i in range(found):
        if seeds[i] < INFINITE:
            dist[base + behind[i]] = seeds[i]
            size = push(keys, items, size, seeds[i], behind[i])
    reached = np.uint64(0)
    errors = np.int64(0)
    while size > np.uint64(0):
        key = keys[0]
        u = items[0]
        size = drop_first(keys, items, size)
        if key != dist[base + u]:
            continue
        best, way = choose_way(base, u, first, target, weight, dist)
        if best != key:
            errors += np.int64(1)
        settled[reached] = u
        ways[reached] = way
        reached += ONE
        for i in range(back_first[u], back_first[u + ONE]):
            e = back[i]
            x = source[e]
            away = key + weight[e]
            if away < dist[base + x]:
                dist[base + x] = away
                size = push(keys, items, size, away, x)
    return reached, errors


@kernel(nogil=True, boundscheck=False)
def search_by_hops(
    base,
    found,
    first,
    source,
    target,
    weight,
    back_first,
    back,
    dist,
    behind,
    seeds,
    heads,
    items,
    links,
    settled,
    ways,
):
    """The same when every arc weighs 1: lists of brokers by distance (`heads`) instead of a heap.

    List entries are `items` chained by `links`, 0 ends a chain; `heads` is all 0 before and after.
    """
    size = np.uint64(0)
    level = INFINITE
    for i in range(found):
        if seeds[i] < INFINITE:
            away = seeds[i]
            dist[base + behind[i]] = away
            size += ONE
            items[size] = behind[i]
            links[size] = heads[np.uint64(away)]
            heads[np.uint64(away)] = np.uint32(size)
            level = min(level, away)
    reached = np.uint64(0)
    errors = np.int64(0)
    seen = np.uint64(0)
    while seen < size:
        entry = np.uint64(heads[np.uint64(level)])
        heads[np.uint64(level)] = np.uint32(0)
        while entry != np.uint64(0):
            seen += ONE
            u = items[entry]
            entry = np.uint64(links[entry])
            if dist[base + u] != level:
                continue
            best, way = choose_way(base, u, first, target, weight, dist)
            if best != level:
                errors += np.int64(1)
            settled[reached] = u
            ways[reached] = way
            reached += ONE
            for i in range(back_first[u], back_first[u + ONE]):
                e = back[i]
                x = source[e]
                away = level + weight[e]
                if away < dist[base + x]:
                    dist[base + x] = away
                    size += ONE
                    items[size] = x
                    links[size] = heads[np.uint64(away)]
                    heads[np.uint64(away)] = np.uint32(size)
        level += np.int64(1)
    return reached, errors


@kernel(nogil=True, boundscheck=False)
def certify_cut(base, found, first, target, weight, dist, behind):
    """Brokers left at infinity must have no arc to one that is not; returns the failed checks."""
    errors = np.int64(0)
    for i in range(found):
        u = behind[i]
        if dist[base + u] >= INFINITE:
            for e in range(first[u], first[u + ONE]):
                if weight[e] + dist[base + target[e]] < INFINITE:
                    errors += np.int64(1)
    return errors
