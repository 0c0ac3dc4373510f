"""Following next hops through tables of any origin, compiled; and tables of several colours mixed."""

from __future__ import annotations

import numpy as np

from homing.overlay.kernels.compiling import kernel
from homing.overlay.kernels.trees import INFINITE, choose, settle

NO_BROKER = np.uint16(65535)
DELIVERED, PARTITIONED, LOOPED, WRONG, LATE, ABSENT = (np.uint8(i) for i in range(6))
UNKNOWN, WALKING = np.uint8(254), np.uint8(255)
ONE = np.uint64(1)


@kernel(nogil=True, boundscheck=False)
def arc_to(u, v, first, target, weight):
    """The arc that carries a message from u to v: the first of those that are up; the number of arcs if none is."""
    for e in range(first[u], first[u + ONE]):
        if np.uint64(target[e]) == np.uint64(v) and weight[e] < INFINITE:
            return np.uint64(e)
    return np.uint64(len(target))


@kernel(nogil=True, boundscheck=False)
def reference(d, n, first, source, target, weight, back_first, back, dist, via):
    """Distances and arcs towards d from scratch, into row d of the tables."""
    keys = np.empty(len(target) + n + 2, np.int64)
    items = np.empty(len(target) + n + 2, np.uint32)
    settled = np.empty(n + 1, np.uint32)
    settle(d, n, back_first, back, source, weight, dist, keys, items, settled)
    choose(d, n, first, target, weight, dist, via)


@kernel(nogil=True, boundscheck=False)
def walk(d, n, hops, first, target, weight, latency, dist, outcome, culprit, delay):
    """What becomes of a message to d from every broker, following `hops`.

    `dist` tells where a path exists. A walk that cannot go on is partitioned if its source has no path, else the
    table is wrong; `culprit` is the broker it gets stuck at, or the first of the loop it runs into.
    """
    stack = np.empty(n + 1, np.uint32)
    for u in range(np.uint64(n)):
        outcome[u] = UNKNOWN
        culprit[u] = np.uint32(n)
        delay[u] = np.int64(0)
    outcome[d] = DELIVERED
    for start in range(np.uint64(n)):
        depth = np.uint64(0)
        u = np.uint64(start)
        while outcome[u] == UNKNOWN:
            outcome[u] = WALKING
            stack[depth] = np.uint32(u)
            depth += ONE
            if hops[u] == NO_BROKER:
                break
            if arc_to(u, np.uint64(hops[u]), first, target, weight) == np.uint64(len(target)):
                break
            u = np.uint64(hops[u])
        if depth == np.uint64(0):
            continue
        # Still walking: stuck if it is the last one reached, else met a second time.
        looped = outcome[u] == WALKING and u != np.uint64(stack[depth - ONE])
        end = outcome[u]
        for i in range(depth):
            x = np.uint64(stack[depth - ONE - i])
            if end == WALKING:
                outcome[x] = LOOPED if looped else WRONG
                culprit[x] = np.uint32(u)
            else:
                outcome[x] = end
                culprit[x] = culprit[u]
            if outcome[x] == WRONG and dist[x] >= INFINITE:
                outcome[x] = PARTITIONED
            elif outcome[x] == PARTITIONED and dist[x] < INFINITE:
                outcome[x] = WRONG
            if outcome[x] == DELIVERED:
                e = arc_to(x, np.uint64(hops[x]), first, target, weight)
                delay[x] = latency[e] + delay[hops[x]]


@kernel(nogil=True, boundscheck=False)
def hop_of(cell, turn, old, others):
    """An entry of one of several tables: `old` is the first of them."""
    return old[cell] if turn == np.uint64(0) else others[turn - ONE, cell]


@kernel(nogil=True, boundscheck=False)
def is_repeated(cell, turn, old, others):
    """Whether a table before this one has the same entry."""
    hop = hop_of(cell, turn, old, others)
    for before in range(turn):
        if hop_of(cell, before, old, others) == hop:
            return True
    return False


@kernel(nogil=True, boundscheck=False)
def compare(d, n, old, others, differ):
    """Marks brokers whose entries towards d differ from table to table; returns whether there are any."""
    low = np.uint64(d) * np.uint64(n)
    row = old[low : low + np.uint64(n)]
    found = False
    for at in range(others.shape[0]):
        other = others[at, low : low + np.uint64(n)]
        same = True
        for u in range(np.uint64(n)):
            same &= row[u] == other[u]
        if same:
            continue
        if not found:
            found = True
            for u in range(np.uint64(n)):
                differ[u] = np.uint8(0)
        for u in range(np.uint64(n)):
            differ[u] |= np.uint8(row[u] != other[u])
    return found


@kernel(nogil=True, boundscheck=False)
def exposed(d, n, old, others, differ, first, target, weight, heads, chain, owner, ways_on, stack, at_risk):
    """Brokers whose messages to d can get into a loop while each broker follows any of the tables.

    Arcs that are down carry nothing, so they make no loop. Brokers from which every way ends are peeled off,
    backwards; what remains, marked in `at_risk`, leads into a circle.
    """
    tables = np.uint64(others.shape[0] + 1)
    low = np.uint64(d) * np.uint64(n)
    for u in range(np.uint64(n)):
        heads[u] = np.uint64(0)
        ways_on[u] = np.uint32(0)
        at_risk[u] = np.uint8(1)
    entries = np.uint64(0)
    for u in range(np.uint64(n)):
        for turn in range(tables if differ[u] else ONE):
            hop = hop_of(low + u, turn, old, others)
            if (
                hop == NO_BROKER
                or u == np.uint64(d)
                or (turn > np.uint64(0) and is_repeated(low + u, turn, old, others))
            ):
                continue
            if arc_to(u, np.uint64(hop), first, target, weight) < np.uint64(len(target)):
                ways_on[u] += np.uint32(1)
                entries += ONE  # 0 ends a chain
                owner[entries] = np.uint32(u)
                chain[entries] = heads[hop]
                heads[hop] = entries
    size = np.uint64(0)
    for u in range(np.uint64(n)):
        if ways_on[u] == 0:
            stack[size] = np.uint32(u)
            size += ONE
    while size > np.uint64(0):
        size -= ONE
        v = np.uint64(stack[size])
        at_risk[v] = np.uint8(0)
        entry = heads[v]
        while entry != np.uint64(0):
            u = np.uint64(owner[entry])
            ways_on[u] -= np.uint32(1)
            if ways_on[u] == 0:
                stack[size] = np.uint32(u)
                size += ONE
            entry = chain[entry]


@kernel(nogil=True, boundscheck=False)
def has_circle(d, n, old, others, differ, first, target, weight, state, stack, turns):
    """Whether a mixture of the tables can loop: a search from the brokers whose entries differ."""
    tables = np.uint64(others.shape[0] + 1)
    low = np.uint64(d) * np.uint64(n)
    for u in range(np.uint64(n)):
        state[u] = np.uint8(0)
    state[d] = np.uint8(2)
    for start in range(np.uint64(n)):
        if state[start] != 0 or not differ[start]:
            continue
        depth = np.uint64(1)
        stack[0] = np.uint32(start)
        turns[0] = np.uint32(0)
        state[start] = np.uint8(1)
        while depth > np.uint64(0):
            u = np.uint64(stack[depth - ONE])
            turn = np.uint64(turns[depth - ONE])
            if turn == tables or (turn == ONE and not differ[u]):
                state[u] = np.uint8(2)
                depth -= ONE
                continue
            turns[depth - ONE] = np.uint32(turn + ONE)
            hop = hop_of(low + u, turn, old, others)
            if hop == NO_BROKER or state[hop] == np.uint8(2):
                continue
            if arc_to(u, np.uint64(hop), first, target, weight) == np.uint64(len(target)):
                continue
            if state[hop] == np.uint8(1):
                return True
            state[hop] = np.uint8(1)
            stack[depth] = np.uint32(hop)
            turns[depth] = np.uint32(0)
            depth += ONE
    return False


@kernel(nogil=True, boundscheck=False)
def mix(n, old, others, first, target, weight, wanted, dead, risky):
    """Mixes whole tables; marks wanted pairs that can loop in `risky`; returns how many there are."""
    state = np.empty(n + 1, np.uint8)
    stack = np.empty(n + 1, np.uint32)
    turns = np.empty(n + 1, np.uint32)
    at_risk = np.empty(n + 1, np.uint8)
    differ = np.empty(n + 1, np.uint8)
    heads = np.empty(n + 1, np.uint64)
    chain = np.empty((others.shape[0] + 1) * n + 1, np.uint64)
    owner = np.empty((others.shape[0] + 1) * n + 1, np.uint32)
    ways_on = np.empty(n + 1, np.uint32)
    total = np.int64(0)
    for d in range(np.uint64(n)):
        if dead[d]:
            continue
        low = d * np.uint64(n)
        if not compare(d, n, old, others, differ):
            continue
        if not has_circle(d, n, old, others, differ, first, target, weight, state, stack, turns):
            continue
        exposed(d, n, old, others, differ, first, target, weight, heads, chain, owner, ways_on, stack, at_risk)
        for u in range(np.uint64(n)):
            if at_risk[u] and wanted[low + u] and not dead[u]:
                total += np.int64(1)
                if len(risky):
                    risky[low + u] = np.uint8(1)
    return total
