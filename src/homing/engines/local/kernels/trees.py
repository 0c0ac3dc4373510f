"""Trees of reads: what a lazy function looked at before it answered, so that it is asked once for all that agrees.

A node has one read; an edge leads from a node, by the number that is read, to a node or to an entry of the memo. Where
it leads is 0 for nowhere yet, a node's number + 1, or, with the highest bit set, an entry + 1.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.local.kernels.arrays import EDGE, GROWING, LEAF, NONE, READ
from homing.engines.local.kernels.compiling import inner, kernel
from homing.engines.local.kernels.hashing import cell


@inner()
def _number(reads: Any, unary: Any, read: Any, rows: Any, base: Any) -> Any:
    """What a read finds in a row, by its number; NONE where a unary result is missing."""
    at = np.int64(read) * READ
    value = (rows[base + np.int64(reads[at])] >> reads[at + 1]) & reads[at + 2]
    if reads[at + 3] != NONE:
        value = np.uint32(unary[np.int64(reads[at + 3]) + value])
    return value


@inner(inline="always")
def _mixed(node: Any, number: Any) -> Any:
    """64 well mixed bits of an edge."""
    h = (np.uint64(node) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number)) * np.uint64(0xFF51AFD7ED558CCD)
    return h ^ (h >> np.uint64(32))


@inner()
def _edge(edges: Any, node: Any, number: Any) -> Any:
    """Where an edge is among all, or where it would be."""
    edge = cell(_mixed(node, number), edges.shape[0] // EDGE) * EDGE
    while edges[edge + 2] != 0 and (edges[edge] != node or edges[edge + 1] != number):
        edge = edge + EDGE if edge + EDGE < edges.shape[0] else 0
    return edge


@inner()
def descend(plan: Any, memo: Any, root: Any, rows: Any, low: Any, high: Any, words: Any, entries: Any) -> None:
    """For each of the rows the entry + 1 that it leads to from a root, or 0. What `_number` and `_edge` do is written
    out: most rows are done after one read, and a call with so many arrays would take longer."""
    reads, unary, looks, edges = plan.reads, plan.unary, memo.looks, memo.edges
    leaf, size = np.uint32(LEAF), np.uint64(edges.shape[0] // EDGE)
    for i in range(low, high):
        target, base = root, i * words
        while target != 0 and target < leaf:
            node = target - np.uint32(1)
            at = np.int64(looks[node]) * READ
            number = (rows[base + np.int64(reads[at])] >> reads[at + 1]) & reads[at + 2]
            if reads[at + 3] != NONE:
                number = np.uint32(unary[np.int64(reads[at + 3]) + number])
            edge = cell(_mixed(node, number), size) * EDGE
            while edges[edge + 2] != 0 and (edges[edge] != node or edges[edge + 1] != number):
                edge = edge + EDGE if edge + EDGE < edges.shape[0] else 0
            target = edges[edge + 2]
        entries[i] = target & np.uint32(LEAF - 1)


@inner()
def end_of(plan: Any, memo: Any, function: Any, rows: Any, base: Any, key: Any) -> Any:
    """Fills in where the tree of a function has to grow for a row: a node, NONE if there is none, and a number."""
    key[0], key[1], key[2] = np.uint32(function) | np.uint32(GROWING), NONE, 0
    target = memo.roots[function]
    while target != 0 and target < LEAF:
        key[1] = target - 1
        key[2] = _number(plan.reads, plan.unary, memo.looks[target - 1], rows, base)
        target = memo.edges[_edge(memo.edges, key[1], key[2]) + 2]
    return np.int64(3)


@kernel()
def grow(plan: Any, roots: Any, looks: Any, edges: Any, nodes: Any, rows: Any, planted: Any, seen: Any) -> Any:
    """Adds what was asked, where there is room for it: `planted` has four numbers each, the row, the function, the
    entry + 1, and how many of `seen` belong to it, the reads that it looked at. Returns how many nodes there are."""
    reads, unary, flat = plan.reads, plan.unary, rows.ravel()
    tested = np.zeros(reads.shape[0] // READ, np.bool_)
    end = 0
    for p in range(planted.shape[0]):
        base, function = planted[p, 0] * rows.shape[1], planted[p, 1]
        start, end = end, end + planted[p, 3]
        first, last = np.int64(plan.read_start[function]), np.int64(plan.read_start[function + 1])
        tested[first:last] = False
        target, at = roots[function], np.int64(-1)
        while target != 0 and target < LEAF:
            node = np.uint32(target - 1)
            tested[looks[node]] = True
            at = _edge(edges, node, _number(reads, unary, looks[node], flat, base))
            edges[at], edges[at + 1] = node, _number(reads, unary, looks[node], flat, base)
            target = edges[at + 2]
        for k in range(start, end):
            if tested[seen[k]]:
                continue
            looks[nodes] = seen[k]
            nodes += 1
            if at < 0:
                roots[function] = nodes
            else:
                edges[at + 2] = nodes
            number = _number(reads, unary, seen[k], flat, base)
            at = _edge(edges, np.uint32(nodes - 1), number)
            edges[at], edges[at + 1] = nodes - 1, number
        if at < 0:
            roots[function] = planted[p, 2] | LEAF
        else:
            edges[at + 2] = planted[p, 2] | LEAF
    return nodes


@kernel()
def move_edges(old: Any, new: Any) -> Any:
    """Puts edges into a larger array; returns how many there are."""
    count = 0
    for at in range(0, old.shape[0], EDGE):
        if old[at + 2] != 0:
            to = _edge(new, old[at], old[at + 1])
            new[to], new[to + 1], new[to + 2] = old[at], old[at + 1], old[at + 2]
            count += 1
    return count
