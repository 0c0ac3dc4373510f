"""The same as `scan` for at most 64 brokers and links of one cost: a set of brokers is one machine word.

Behind a failed element lies a set; level by level, those of it that have a neighbour in the level before find
their way again, through the lowest-numbered such neighbour. Verified on the way: nobody has a neighbour two
levels nearer, and nobody who is cut off has a neighbour that is not.
"""

from __future__ import annotations

import numpy as np
from numba.cpython.unsafe.numbers import trailing_zeros

from homing.overlay.kernels.compiling import kernel
from homing.overlay.kernels.patches import ABSENT, AFFECTED, CHANGED, COUNTS, CUT, ERRORS, LATE
from homing.overlay.kernels.trees import INFINITE, NO_ARC

ZERO, ONE = np.uint64(0), np.uint64(1)
NO_BROKER = np.uint16(65535)
WORD = 64


@kernel(nogil=True, boundscheck=False)
def count_bits(word):
    count = np.int64(0)
    while word:
        word &= word - ONE
        count += np.int64(1)
    return count


@kernel(nogil=True, boundscheck=False)
def sets(n, first, target, dist, via, order, at, size, wanted):
    """The normal state as words: neighbours, who is behind whom, levels, trees that use an arc, wanted pairs."""
    neighbours = np.zeros(n, np.uint64)
    behind = np.zeros(n * n, np.uint64)
    levels = np.zeros(n * (n + 2), np.uint64)
    uses = np.zeros(len(target), np.uint64)
    needed = np.zeros(n, np.uint64)
    for u in range(np.uint64(n)):
        for e in range(first[u], first[u + ONE]):
            neighbours[u] |= ONE << np.uint64(target[e])
    for d in range(np.uint64(n)):
        base = d * np.uint64(n)
        for u in range(np.uint64(n)):
            if wanted[base + u]:
                needed[d] |= ONE << u
            if dist[base + u] >= INFINITE:
                continue
            levels[d * np.uint64(n + 2) + np.uint64(dist[base + u])] |= ONE << u
            if via[base + u] != NO_ARC:
                uses[via[base + u]] |= ONE << d
            start = base + np.uint64(at[base + u])
            for i in range(start, start + np.uint64(size[base + u])):
                behind[base + u] |= ONE << np.uint64(order[i])
    return neighbours, behind, levels, uses, needed


@kernel(nogil=True, boundscheck=False)
def cut_arcs(
    low, high, elements, links, link_first, link_arcs, first, back_first, back, source, target, neighbours, down
):
    """Takes the arcs of one failure out of the neighbours; returns how many, listed, and the failed brokers."""
    count = ZERO
    dead = ZERO
    for i in range(low, high):
        element = np.uint64(elements[i])
        if element < links:
            for j in range(link_first[element], link_first[element + ONE]):
                down[count] = link_arcs[j]
                count += ONE
            continue
        x = element - np.uint64(links)
        dead |= ONE << x
        for e in range(first[x], first[x + ONE]):
            down[count] = np.uint32(e)
            count += ONE
        for j in range(back_first[x], back_first[x + ONE]):
            down[count] = back[j]
            count += ONE
    for i in range(count):
        e = down[i]
        neighbours[source[e]] &= ~(ONE << np.uint64(target[e]))
    return count, dead


@kernel(nogil=True, boundscheck=False)
def keep_parallels(low, high, elements, links, count, down, first, source, target, link, dead, neighbours):
    """Puts a neighbour back who still has another link."""
    for i in range(count):
        u = np.uint64(source[down[i]])
        v = np.uint64(target[down[i]])
        if ((dead >> u) | (dead >> v)) & ONE:
            continue
        for e in range(first[u], first[u + ONE]):
            if target[e] == v:
                alive = True
                for j in range(low, high):
                    if elements[j] == link[e]:
                        alive = False
                if alive:
                    neighbours[u] |= ONE << v


@kernel(nogil=True, boundscheck=False)
def count_absent(dead, alive, n, needed, base_cut, counts, row):
    """Pairs with an end at a failed broker."""
    for d in range(np.uint64(n)):
        absent = needed[d]
        if not (dead >> d) & ONE:
            absent &= dead
        counts[row + ABSENT] += count_bits(absent)
        counts[row + CUT] -= count_bits(absent & base_cut[d])


@kernel(nogil=True, boundscheck=False)
def scan_words(graph, words, via, pairs, failures, tallies, record, slot, normal, first_colour, begin, end, counts):
    """Runs scenarios `begin` to `end`, or stops early when the record is full; arguments as of `scan`."""
    n, links, parallel, first, source, target, link, back_first, back, link_first, link_arcs = graph
    normal_neighbours, behind, levels, uses, needed, base_cut = words
    (destinations,) = pairs
    starts, elements = failures
    changes, earliest, losses = tallies
    r_colour, r_source, r_destination, r_hop, r_dist = record
    neighbours = normal_neighbours.copy()
    down = np.empty(len(target) * 3 + 1, np.uint32)
    arcs = np.uint64(len(target))
    tallied = len(changes) > 0
    room = np.uint64(len(r_colour))
    used = ZERO
    n64 = np.uint64(n)
    everyone = ~ZERO >> np.uint64(WORD - n)
    for s in range(begin, end):
        if room > ZERO and used + n64 * n64 > room:
            return s, used
        row = np.uint64(s) * COUNTS
        colour = np.uint32(first_colour + s)
        counts[row + CUT] = normal[0]
        low, high = starts[s], starts[s + 1]
        count, dead = cut_arcs(
            low, high, elements, links, link_first, link_arcs, first, back_first, back, source, target, neighbours, down
        )
        if parallel:
            keep_parallels(low, high, elements, links, count, down, first, source, target, link, dead, neighbours)
        if dead:
            count_absent(dead, everyone & ~dead, n, needed, base_cut, counts, row)
        touched = ZERO
        for i in range(count):
            touched |= uses[down[i]]
        touched &= destinations & ~dead
        affected = np.int64(0)
        changed = np.int64(0)
        cut = np.int64(0)
        errors = np.int64(0)
        while touched:
            d = np.uint64(trailing_zeros(touched))
            touched &= touched - ONE
            base = d * n64
            lost = ZERO
            for i in range(count):
                e = down[i]
                if (uses[e] >> d) & ONE:
                    lost |= behind[base + np.uint64(source[e])]
            # Levels before the first that is hit stay as they are.
            here = d * (n64 + np.uint64(2))
            while levels[here] & lost == ZERO:
                here += ONE
            front = levels[here - ONE]
            nearer = ZERO
            if here - ONE > d * (n64 + np.uint64(2)):
                for level in range(d * (n64 + np.uint64(2)), here - ONE):
                    nearer |= levels[level]
            rest = lost & ~dead
            away = np.int64(here - d * (n64 + np.uint64(2)))
            affected += count_bits(lost)
            while rest and front:
                got = ZERO
                left = rest
                while left:
                    u = np.uint64(trailing_zeros(left))
                    left &= left - ONE
                    near = neighbours[u] & front
                    if near == ZERO:
                        continue
                    got |= ONE << u
                    if neighbours[u] & nearer:
                        errors += np.int64(1)
                    hop = np.uint64(trailing_zeros(near))
                    if np.uint64(target[via[base + u]]) != hop:
                        changed += np.int64(1)
                        if tallied:
                            e = np.uint64(first[u])
                            while np.uint64(target[e]) != hop:
                                e += ONE
                            entry = d * arcs + np.uint64(slot[e])
                            if changes[entry] == 0 or earliest[entry] > colour:
                                earliest[entry] = colour
                            changes[entry] += np.int64(1)
                    elif room == ZERO or not (needed[d] >> u) & ONE or (levels[here] >> u) & ONE:
                        continue
                    if room > ZERO:
                        r_colour[used] = colour
                        r_source[used] = np.uint16(u)
                        r_destination[used] = np.uint16(d)
                        r_hop[used] = np.uint16(hop)
                        r_dist[used] = away
                        used += ONE
                rest &= ~got
                nearer |= front
                front = got | (levels[here] & ~lost)
                here += ONE
                away += np.int64(1)
            while rest:
                u = np.uint64(trailing_zeros(rest))
                rest &= rest - ONE
                if neighbours[u] & (nearer | front):
                    errors += np.int64(1)
                changed += np.int64(1)
                if (needed[d] >> u) & ONE:
                    cut += np.int64(1)
                if tallied:
                    losses[base + u] += np.int64(1)
                if room > ZERO:
                    r_colour[used] = colour
                    r_source[used] = np.uint16(u)
                    r_destination[used] = np.uint16(d)
                    r_hop[used] = NO_BROKER
                    r_dist[used] = INFINITE
                    used += ONE
        counts[row + AFFECTED] = affected
        counts[row + CHANGED] = changed
        counts[row + CUT] += cut
        counts[row + LATE] = np.int64(0)
        counts[row + ERRORS] = errors
        for i in range(count):
            u = source[down[i]]
            neighbours[u] = normal_neighbours[u]
    return end, used
