"""The product of a state graph with an automaton that reads a letter a step."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from homing.compiled import prefetch
from homing.properties.kernels.compiling import kernel

Array = NDArray[Any]

NONE = np.uint32(0xFFFFFFFF)
AHEAD = 4
"""Pairs that are looked ahead, so that what they need is in the cache."""


class Pairs(NamedTuple):
    """Pairs of a state and an automaton state in breadth-first order, and the edges that a cycle may use.

    By pair: its state, its automaton state, the position of the pair before it, the edge between them, and where its
    edges start. By edge: the pair it leads to, the edge of the graph, its marks. Only edges inside one component of
    the automaton are there, and only if it can accept.
    """

    state: Array
    automaton: Array
    parent: Array
    via: Array
    start: Array
    target: Array
    edge: Array
    mark: Array


def explore(
    start: Array,
    target: Array,
    letter: Array,
    by_edge: bool,
    roots: Array,
    starts: Array,
    letters: int,
    delta_start: Array,
    delta_target: Array,
    delta_mark: Array,
    component: Array,
) -> Pairs:
    """All pairs that are reachable; `component` of an automaton state is negative where it cannot accept."""
    states = len(component)
    number = np.full((len(start) - 1) * states, NONE, np.uint32)
    first = (np.asarray(roots, np.int64)[:, None] * states + starts[None, :]).reshape(-1)
    number[first] = np.arange(len(first))
    count, space = max(1024, len(start) + len(start) // 4, len(first)), max(1024, len(target))
    most = int(np.max(np.diff(start), initial=0)) * int(np.max(np.diff(delta_start), initial=0))
    # How much there will be is not known. The compiled loop stops when it is full, since arrays that are replaced
    # inside a loop are counted references there, at twice the time.
    nodes: list[Any] = [np.empty(count, np.uint32) for _ in range(4)]
    begins = np.empty(count + 1, np.int64)
    edges: list[Any] = [np.empty(space, np.uint32), np.empty(space, np.uint32), np.empty(space, np.uint64)]
    nodes[0][: len(first)], nodes[1][: len(first)] = first // states, first % states
    nodes[2][: len(first)] = nodes[3][: len(first)] = NONE
    done, filled, size = 0, len(first), 0
    given: Any = (start, target, letter, by_edge, letters, delta_start, delta_target, delta_mark, component, number)
    while done < filled:
        room: Any = (*nodes, begins, *edges, done, filled, size, most)
        done, filled, size = _expand(*given, *room)
        if filled + most > len(nodes[0]):
            nodes = [_longer(column, most) for column in nodes]
            begins = _longer(begins, most)
        if size + most > len(edges[0]):
            edges = [_longer(column, most) for column in edges]
    begins[filled] = size
    state, automaton, parent, via = (column[:filled] for column in nodes)
    reached, edge, mark = (column[:size] for column in edges)
    return Pairs(state, automaton, parent, via, begins[: filled + 1], reached, edge, mark)


def _longer(array: Array, more: int) -> Array:
    return np.concatenate([array, np.empty(len(array) + more, array.dtype)])


@kernel(nogil=True)
def _expand(
    start: Array,
    target: Array,
    letter: Array,
    by_edge: bool,
    letters: int,
    delta_start: Array,
    delta_target: Array,
    delta_mark: Array,
    component: Array,
    number: Array,
    state: Array,
    automaton: Array,
    parent: Array,
    via: Array,
    begins: Array,
    reached: Array,
    edge: Array,
    mark: Array,
    done: int,
    filled: int,
    size: int,
    most: int,
) -> tuple[int, int, int]:
    """Expands pairs until there is none left, or no room for the `most` that one can add."""
    states = np.int64(len(component))
    where = np.uint64(number.ctypes.data)
    width = np.uint64(4 * states)
    while done < filled and filled + most <= len(state) and size + most <= len(reached):
        if done + AHEAD < filled:
            later = np.int64(state[done + AHEAD])
            for e in range(start[later], start[later + 1]):
                prefetch(where + np.uint64(target[e]) * width)
        s = np.int64(state[done])
        q = np.int64(automaton[done])
        begins[done] = size
        own = component[q]
        row = q * letters
        if not by_edge:
            row += np.int64(letter[s])
        for e in range(start[s], start[s + 1]):
            at = row + np.int64(letter[e]) if by_edge else row
            t = np.int64(target[e])
            for d in range(delta_start[at], delta_start[at + 1]):
                other = np.int64(delta_target[d])
                p = t * states + other
                found = number[p]
                if found == NONE:
                    found = np.uint32(filled)
                    number[p] = found
                    state[filled] = t
                    automaton[filled] = other
                    parent[filled] = done
                    via[filled] = e
                    filled += 1
                if own >= 0 and component[other] == own:
                    reached[size] = found
                    edge[size] = e
                    mark[size] = delta_mark[d]
                    size += 1
        done += 1
    return done, filled, size
