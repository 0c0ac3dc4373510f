"""Fixpoints of CTL: linear in the edges."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.properties.kernels.compiling import kernel

Array = NDArray[Any]


@kernel(nogil=True)
def stutters(
    start: Array, target: Array, group: Array, event: Array, where: Array, no_group: int, no_event: int
) -> tuple[Array, Array, Array, Array]:
    """The graph with one more edge, to itself and last, for each state that `where` marks."""
    n = len(start) - 1
    added = np.int64(0)
    for s in range(n):
        if where[s]:
            added += 1
    size = len(target) + added
    new_start = np.empty(n + 1, np.int64)
    new_target = np.empty(size, np.uint32)
    new_group = np.empty(size, np.uint32)
    new_event = np.empty(size, np.uint32)
    at = np.int64(0)
    for s in range(n):
        new_start[s] = at
        for e in range(start[s], start[s + 1]):
            new_target[at] = target[e]
            new_group[at] = group[e]
            new_event[at] = event[e]
            at += 1
        if where[s]:
            new_target[at] = s
            new_group[at] = no_group
            new_event[at] = no_event
            at += 1
    new_start[n] = at
    return new_start, new_target, new_group, new_event


@kernel(nogil=True)
def reverse(start: Array, target: Array) -> tuple[Array, Array]:
    """Predecessors: those of v are `into[v] .. into[v + 1]` in the second array."""
    n = len(start) - 1
    into = np.zeros(n + 2, np.int64)
    for e in range(len(target)):
        into[target[e] + 2] += 1
    for v in range(2, n + 2):
        into[v] += into[v - 1]
    source = np.empty(len(target), np.uint32)
    for v in range(n):
        for e in range(start[v], start[v + 1]):
            w = target[e] + 1
            source[into[w]] = v
            into[w] += 1
    return into[: n + 1], source


@kernel(nogil=True)
def meets(start: Array, target: Array, goal: Array) -> Array:
    """Where some edge leads to the goal."""
    n = len(start) - 1
    found = np.zeros(n, np.bool_)
    for s in range(n):
        for e in range(start[s], start[s + 1]):
            if goal[target[e]]:
                found[s] = True
                break
    return found


@kernel(nogil=True)
def reach_back(into: Array, source: Array, allowed: Array, goal: Array) -> Array:
    """Where a path through allowed states leads to the goal: the least fixpoint of E[allowed U goal]."""
    n = len(goal)
    found = goal.copy()
    queue = np.empty(n, np.uint32)
    filled = np.int64(0)
    for s in range(n):
        if goal[s]:
            queue[filled] = s
            filled += 1
    done = np.int64(0)
    while done < filled:
        v = queue[done]
        done += 1
        for k in range(into[v], into[v + 1]):
            u = source[k]
            if allowed[u] and not found[u]:
                found[u] = True
                queue[filled] = u
                filled += 1
    return found


@kernel(nogil=True)
def can_stay(start: Array, target: Array, into: Array, source: Array, allowed: Array) -> Array:
    """Where an infinite path stays in allowed states: the greatest fixpoint of EG, by counting ways on."""
    n = len(allowed)
    stays = allowed.copy()
    ways = np.zeros(n, np.uint32)
    queue = np.empty(n, np.uint32)
    filled = np.int64(0)
    for s in range(n):
        if allowed[s]:
            for e in range(start[s], start[s + 1]):
                if allowed[target[e]]:
                    ways[s] += 1
            if ways[s] == 0:
                stays[s] = False
                queue[filled] = s
                filled += 1
    done = np.int64(0)
    while done < filled:
        v = queue[done]
        done += 1
        for k in range(into[v], into[v + 1]):
            u = source[k]
            if stays[u]:
                ways[u] -= 1
                if ways[u] == 0:
                    stays[u] = False
                    queue[filled] = u
                    filled += 1
    return stays
