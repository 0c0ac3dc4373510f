"""Strongly connected components, and what their edges have in common."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.compiled import prefetch
from homing.properties.kernels.compiling import kernel

Array = NDArray[Any]


@kernel(nogil=True)
def components(start: Array, target: Array, alive: Array, nodes: Array, comp: Array) -> Any:
    """Numbers the components of these nodes from 0 in `comp`, a component after those it leads to; returns how many.

    Live edges from `nodes` must lead to `nodes`. Pearce's variant of Tarjan's algorithm ("A space-efficient algorithm
    for finding strongly connected components", 2016): one number a node is an index first and a component at the end.
    """
    count = len(nodes)
    last = np.int64(2 * count + 1)
    for k in range(count):
        comp[nodes[k]] = 0
    calls = np.empty(count, np.uint32)
    position = np.empty(count, np.int64)
    limit = np.empty(count, np.int64)
    waiting = np.empty(count, np.uint32)
    root = np.empty(count, np.bool_)
    waits = np.int64(0)
    index = np.int64(1)
    found = np.int64(0)
    where = np.uint64(comp.ctypes.data)
    width = np.uint64(comp.itemsize)
    for k in range(count):
        if comp[nodes[k]] != 0:
            continue
        depth = np.int64(0)
        calls[0] = nodes[k]
        position[0] = start[nodes[k]]
        limit[0] = start[nodes[k] + 1]
        root[0] = True
        comp[nodes[k]] = index
        index += 1
        while depth >= 0:
            v = calls[depth]
            e = position[depth]
            end = limit[depth]
            low = comp[v]
            descend = False
            while e < end:
                if alive[e]:
                    w = target[e]
                    other = comp[w]
                    if other == 0:
                        descend = True
                        break
                    if other < low:
                        low = other
                        root[depth] = False
                e += 1
            comp[v] = low
            if descend:
                position[depth] = e
                depth += 1
                calls[depth] = w
                position[depth] = start[w]
                limit[depth] = start[w + 1]
                root[depth] = True
                comp[w] = index
                index += 1
                for ahead in range(position[depth], limit[depth]):
                    prefetch(where + np.uint64(target[ahead]) * width)
                continue
            depth -= 1
            if not root[depth + 1]:
                waiting[waits] = v
                waits += 1
                continue
            index -= 1
            while waits > 0 and comp[waiting[waits - 1]] >= low:
                waits -= 1
                comp[waiting[waits]] = last - found
                index -= 1
            comp[v] = last - found
            found += 1
    for k in range(count):
        comp[nodes[k]] = last - comp[nodes[k]]
    return found


@kernel(nogil=True)
def gather(
    start: Array, target: Array, alive: Array, nodes: Array, comp: Array, mark: Array, union: Array, inner: Array
) -> None:
    """By component, the union of the marks on its inner edges, and whether it has any; edges that leave it die."""
    for k in range(len(nodes)):
        v = nodes[k]
        c = comp[v]
        for e in range(start[v], start[v + 1]):
            if alive[e]:
                if comp[target[e]] == c:
                    union[c] |= mark[e]
                    inner[c] = True
                else:
                    alive[e] = False


@kernel(nogil=True)
def gather_through(
    start: Array, alive: Array, nodes: Array, comp: Array, through: Array, mark: Array, union: Array
) -> None:
    """The same, once edges that leave have died, for marks kept by the edge that an edge stands for."""
    for k in range(len(nodes)):
        v = nodes[k]
        c = comp[v]
        for e in range(start[v], start[v + 1]):
            if alive[e]:
                union[c] |= mark[through[e]]


@kernel(nogil=True)
def drop_edges(
    start: Array, alive: Array, nodes: Array, comp: Array, through: Array, mark: Array, unwanted: Array
) -> None:
    """Kills the edges with a mark that their component does not want."""
    for k in range(len(nodes)):
        v = nodes[k]
        bad = unwanted[comp[v]]
        if bad != 0:
            for e in range(start[v], start[v + 1]):
                if alive[e] and (mark[through[e]] & bad) != 0:
                    alive[e] = False


@kernel(nogil=True)
def uncovered(
    start: Array,
    alive: Array,
    order: Array,
    comp: Array,
    through: Array,
    state: Array,
    arena_start: Array,
    real: Array,
    bad: Array,
) -> None:
    """Marks components that visit a state without taking all its real steps; `order` lists nodes by component."""
    stamp = np.full(len(real), -1, np.int64)
    low = np.int64(0)
    while low < len(order):
        c = np.int64(comp[order[low]])
        high = low
        while high < len(order) and comp[order[high]] == c:
            v = order[high]
            for e in range(start[v], start[v + 1]):
                if alive[e]:
                    stamp[through[e]] = c
            high += 1
        for k in range(low, high):
            s = state[order[k]]
            for e in range(arena_start[s], arena_start[s + 1]):
                if real[e] and stamp[e] != c:
                    bad[c] = True
        low = high
