"""Scenario after scenario on the patched trees, compiled: counts, changed entries, tallies for the super tables.

The caller's tuples, in the order they are unpacked below:
  graph     brokers, links, uniform, first, source, target, weight, latency, back_first, back, link_first, link_arcs
  trees     dist, via, order, at, size, delay
  pairs     wanted (1 where a delivery counts), deadline (microseconds; empty: none), destinations
  failures  starts, elements
  tallies   changes for each destination and arc, the first colour of each, losses for each destination and source
  record    colour, source, destination, next hop, distance, delay of changed entries (empty: do not record)
"""

from __future__ import annotations

import numpy as np

from homing.overlay.kernels.compiling import kernel
from homing.overlay.kernels.patches import (
    ABSENT,
    AFFECTED,
    CHANGED,
    COUNTS,
    CUT,
    ERRORS,
    LATE,
    arcs_down,
    certify_cut,
    collect,
    search,
    search_by_hops,
    seed,
    touches,
)
from homing.overlay.kernels.trees import INFINITE, NO_ARC

NO_BROKER = np.uint16(65535)
ONE = np.uint64(1)


@kernel(nogil=True, boundscheck=False)
def is_down(x, low, high, elements, links):
    for i in range(low, high):
        if np.uint64(elements[i]) == np.uint64(links) + np.uint64(x):
            return True
    return False


@kernel(nogil=True, boundscheck=False)
def count_absent(n, elements, low, high, links, wanted, dist, deadline, delay, counts, at):
    """Pairs with an end at a failed broker are nobody's fault; normal faults among them do not count either."""
    for i in range(low, high):
        if np.uint64(elements[i]) < links:
            continue
        x = np.uint64(elements[i]) - np.uint64(links)
        for y in range(np.uint64(n)):
            for turn in range(2):
                entry = x * np.uint64(n) + y
                if turn == 1:
                    # A pair of two failed brokers is counted once, at its destination.
                    if is_down(y, low, high, elements, links):
                        continue
                    entry = y * np.uint64(n) + x
                if wanted[entry]:
                    counts[at + ABSENT] += np.int64(1)
                    if dist[entry] >= INFINITE:
                        counts[at + CUT] -= np.int64(1)
                    elif len(deadline) and delay[entry] > deadline[entry]:
                        counts[at + LATE] -= np.int64(1)


@kernel(nogil=True, boundscheck=False)
def renew_delays(base, reached, settled, ways, target, latency, delay):
    """Latencies along the new routes, nearest first."""
    for i in range(reached):
        e = ways[i]
        delay[base + settled[i]] = latency[e] + delay[base + target[e]]


@kernel(nogil=True, boundscheck=False)
def tally(d, n, u, way, colour, arcs, slot, changes, first_colour, losses):
    """Remembers for the condensed tables that u used this next hop for d under this colour."""
    if way == NO_ARC:
        losses[np.uint64(d) * np.uint64(n) + u] += np.int64(1)
        return
    entry = np.uint64(d) * np.uint64(arcs) + np.uint64(slot[way])
    if changes[entry] == 0 or first_colour[entry] > colour:
        first_colour[entry] = colour
    changes[entry] += np.int64(1)


@kernel(nogil=True, boundscheck=False)
def scan(graph, trees, pairs, failures, tallies, record, slot, normal, first_colour, begin, end, block, counts):
    """Runs scenarios `begin` to `end`, or stops early when the record is full.

    Scenario i has colour `first_colour + i` and its counts at `i * COUNTS`; `normal` is how many pairs are cut
    off and late in the normal state. Trees stay in the cache for a `block` of scenarios; entries are recorded
    in order of colours only when it is 1. Returns the next scenario to run and the number of recorded entries.

    Long on purpose: handing its thirty arrays to functions for each patch took 1.8 times as long.
    """
    n, links, uniform, first, source, target, weight, latency, back_first, back, link_first, link_arcs = graph
    dist, via, order, at, size, delay = trees
    wanted, deadline, destinations = pairs
    starts, elements = failures
    changes, earliest, losses = tallies
    r_colour, r_source, r_destination, r_hop, r_dist, r_delay = record
    nothing = np.empty(0, np.uint32)
    down_starts = np.empty(len(starts), np.uint64)
    total = arcs_down(starts, elements, links, link_first, link_arcs, first, back_first, back, down_starts, nothing)
    down = np.empty(total, np.uint32)
    arcs_down(starts, elements, links, link_first, link_arcs, first, back_first, back, down_starts, down)
    arcs = np.uint64(len(target))
    saved = np.empty(len(target) * 3 + 1, np.int64)  # an arc may go down with its link and both brokers
    keys = np.empty(len(target) + n + 2, np.int64)
    items = np.empty(len(target) + n + 2, np.uint32)
    chain = np.empty(len(target) + n + 2, np.uint32)
    heads = np.zeros(n + 2, np.uint32)
    seeds = np.empty(n + 1, np.int64)
    behind = np.empty(n + 1, np.uint32)
    settled = np.empty(n + 1, np.uint32)
    ways = np.empty(n + 1, np.uint16)
    old = np.empty(n + 1, np.int64)
    old_delay = np.empty(n + 1, np.int64)
    timed = len(delay) > 0
    strict = len(deadline) > 0
    tallied = len(changes) > 0
    room = np.uint64(len(r_colour))
    used = np.uint64(0)
    n64 = np.uint64(n)
    for low_s in range(begin, end, block):
        if room > np.uint64(0) and used + n64 * n64 * np.uint64(block) > room:
            return low_s, used
        high_s = min(low_s + block, end)
        for s in range(low_s, high_s):
            row = np.uint64(s) * COUNTS
            counts[row + CUT] = normal[0]
            counts[row + LATE] = normal[1]
            count_absent(n, elements, starts[s], starts[s + 1], links, wanted, dist, deadline, delay, counts, row)
        for q in range(len(destinations)):
            d = np.uint64(destinations[q])
            base = d * n64
            for s in range(low_s, high_s):
                low, high = down_starts[s], down_starts[s + 1]
                if not touches(base, low, high, down, source, via):
                    continue
                brokers_fail = np.uint64(elements[starts[s + 1] - 1]) >= links
                if brokers_fail and is_down(d, starts[s], starts[s + 1], elements, links):
                    continue
                for i in range(low, high):
                    saved[i - low] = weight[down[i]]
                    weight[down[i]] = INFINITE
                found = collect(base, low, high, down, source, via, order, at, size, dist, behind, old)
                seed(base, found, first, target, weight, dist, behind, seeds)
                if uniform:
                    reached, errors = search_by_hops(
                        base, found, first, source, target, weight, back_first, back, dist, behind, seeds, heads,
                        items, chain, settled, ways,
                    )  # fmt: skip
                else:
                    reached, errors = search(
                        base, found, first, source, target, weight, back_first, back, dist, behind, seeds, keys,
                        items, settled, ways,
                    )  # fmt: skip
                if reached < found:
                    errors += certify_cut(base, found, first, target, weight, dist, behind)
                    # Those cut off follow the others, so that one loop sees all.
                    last = reached
                    for i in range(found):
                        if dist[base + behind[i]] >= INFINITE:
                            settled[last] = behind[i]
                            ways[last] = NO_ARC
                            last += ONE
                if timed:
                    for i in range(found):
                        old_delay[behind[i]] = delay[base + behind[i]]
                    renew_delays(base, reached, settled, ways, target, latency, delay)
                row = np.uint64(s) * COUNTS
                colour = np.uint32(first_colour + s)
                for i in range(found):
                    seeds[behind[i]] = old[i]
                changed = np.int64(0)
                for i in range(found):
                    u = np.uint64(settled[i])
                    new = dist[base + u]
                    way = ways[i]
                    if brokers_fail and is_down(u, starts[s], starts[s + 1], elements, links):
                        continue
                    if new < seeds[u]:
                        errors += np.int64(1)
                    if wanted[base + u]:
                        if way == NO_ARC:
                            counts[row + CUT] += np.int64(1)
                        if strict:
                            if old_delay[u] > deadline[base + u]:
                                counts[row + LATE] -= np.int64(1)
                            if way != NO_ARC and delay[base + u] > deadline[base + u]:
                                counts[row + LATE] += np.int64(1)
                    moved = way == NO_ARC or target[way] != target[via[base + u]]
                    if moved:
                        changed += np.int64(1)
                        if tallied:
                            tally(d, n, u, way, colour, arcs, slot, changes, earliest, losses)
                    if room > np.uint64(0):
                        slower = timed and delay[base + u] != old_delay[u]
                        if moved or (wanted[base + u] and (new != seeds[u] or slower)):
                            r_colour[used] = colour
                            r_source[used] = np.uint16(u)
                            r_destination[used] = np.uint16(d)
                            r_hop[used] = NO_BROKER if way == NO_ARC else np.uint16(target[way])
                            r_dist[used] = new
                            if timed:
                                r_delay[used] = delay[base + u]
                            used += ONE
                counts[row + AFFECTED] += np.int64(found)
                counts[row + CHANGED] += changed
                counts[row + ERRORS] += errors
                for i in range(found):
                    dist[base + behind[i]] = old[i]
                    if timed:
                        delay[base + behind[i]] = old_delay[behind[i]]
                for i in range(high - low):
                    j = high - ONE - i
                    weight[down[j]] = saved[j - low]
    return end, used
