"""Cycles in a product that several partitions share: trimming, colouring, and what components have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.spark.graph.kernels.compiling import inner, kernel
from homing.engines.spark.graph.kernels.reaching import open_

REPORTED = 2
"""As `alive` of a ghost: it is, but no edge of this partition leads to it any more."""


@kernel(nogil=True)
def trim(view: Any, cut: Any, holders: Any, inward: Any, outward: Any) -> Any:
    """Removes own pairs that no edge leaves (outward) or reaches (inward), until each has one; `holders` counts the
    other partitions with an edge to a pair. Returns those removed, and ghosts that no edge reaches any more."""
    states, own = view.states, view.own * view.states
    alive, component = cut.alive, view.component
    outs = np.zeros(own, np.uint32)
    ins = np.zeros(alive.shape[0], np.uint32)
    for v in range(own):
        if alive[v] == 0:
            continue
        s = v // states
        q = v - s * states
        for e in range(view.start[s], view.start[s + 1]):
            if not open_(cut, v, e):
                continue
            at = q * view.letters + np.int64(view.letter[e])
            base = np.int64(view.target[e]) * states
            for d in range(view.delta_start[at], view.delta_start[at + 1]):
                other = np.int64(view.delta_target[d])
                if component[other] == component[q] and alive[base + other] != 0:
                    outs[v] += 1
                    ins[base + other] += 1
    queue = np.empty(own, np.int64)
    filled = 0
    for v in range(own):
        if alive[v] != 0 and ((outward and outs[v] == 0) or (inward and ins[v] == 0 and holders[v] == 0)):
            alive[v] = 0
            queue[filled] = v
            filled += 1
    done = 0
    while done < filled:
        v = queue[done]
        done += 1
        s = v // states
        q = v - s * states
        for e in range(view.start[s], view.start[s + 1]):
            if not open_(cut, v, e):
                continue
            at = q * view.letters + np.int64(view.letter[e])
            base = np.int64(view.target[e]) * states
            for d in range(view.delta_start[at], view.delta_start[at + 1]):
                other = np.int64(view.delta_target[d])
                w = base + other
                if component[other] == component[q] and alive[w] != 0:
                    ins[w] -= 1
                    if inward and w < own and ins[w] == 0 and holders[w] == 0:
                        alive[w] = 0
                        queue[filled] = w
                        filled += 1
        for k in range(view.into[s], view.into[s + 1]):
            b = np.int64(view.back[k])
            base = np.int64(view.source[b]) * states
            at = q * view.letters + np.int64(view.letter[b])
            for o in range(view.origin_start[at], view.origin_start[at + 1]):
                other = np.int64(view.origin_source[o])
                u = base + other
                if component[other] == component[q] and alive[u] != 0 and open_(cut, u, b):
                    outs[u] -= 1
                    if outward and outs[u] == 0:
                        alive[u] = 0
                        queue[filled] = u
                        filled += 1
    going = 0
    ghosts = np.empty(alive.shape[0] - own, np.int64)
    if inward:
        for w in range(own, alive.shape[0]):
            if alive[w] == 1 and ins[w] == 0:
                alive[w] = REPORTED
                ghosts[going] = w
                going += 1
    return queue[:filled], ghosts[:going]


@kernel(nogil=True)
def ahead(view: Any, cut: Any, give: Any, mask: Any, seeds: Any, first: Any) -> Any:
    """By word (marks, then conditions) and pair, what edges on a way from it give: grows from all own pairs, or from
    seeds, ghosts of which more is known. Returns the own pairs whose masks grew."""
    states, own, size = view.states, view.own * view.states, cut.alive.shape[0]
    alive, component = cut.alive, view.component
    queue = np.empty(size + 1, np.int64)
    waiting, grown = np.zeros(size, np.uint8), np.zeros(own, np.uint8)
    done, filled = 0, 0
    for n in range(seeds.shape[0]):
        queue[filled] = seeds[n]
        waiting[seeds[n]] = 1
        filled += 1
    if first:
        for v in range(own):
            if alive[v] == 0:
                continue
            s = v // states
            q = v - s * states
            for e in range(view.start[s], view.start[s + 1]):
                if not open_(cut, v, e):
                    continue
                at = q * view.letters + np.int64(view.letter[e])
                base = np.int64(view.target[e]) * states
                for d in range(view.delta_start[at], view.delta_start[at + 1]):
                    other = np.int64(view.delta_target[d])
                    if component[other] == component[q] and alive[base + other] != 0:
                        mask[0, v] |= view.delta_mark[d]
                        for n in range(give.shape[0]):
                            mask[n + 1, v] |= give[n, e]
            queue[filled] = v
            waiting[v] = 1
            grown[v] = 1
            filled += 1
    while done != filled:
        v = queue[done]
        done = done + 1 if done < size else 0
        waiting[v] = 0
        t = v // states
        q = v - t * states
        for k in range(view.into[t], view.into[t + 1]):
            b = np.int64(view.back[k])
            base = np.int64(view.source[b]) * states
            at = q * view.letters + np.int64(view.letter[b])
            for o in range(view.origin_start[at], view.origin_start[at + 1]):
                other = np.int64(view.origin_source[o])
                u = base + other
                if component[other] != component[q] or alive[u] == 0 or not open_(cut, u, b):
                    continue
                more = False
                for n in range(mask.shape[0]):
                    if mask[n, v] & ~mask[n, u] != 0:
                        mask[n, u] |= mask[n, v]
                        more = True
                if more:
                    grown[u] = 1
                    if waiting[u] == 0:
                        waiting[u] = 1
                        queue[filled] = u
                        filled = filled + 1 if filled < size else 0
    return np.flatnonzero(grown)


@kernel(nogil=True)
def spread(view: Any, cut: Any, colour: Any, seeds: Any) -> Any:
    """Gives every pair the greatest colour that leads to it; seeds have theirs, and come greatest first. Returns the
    ghosts whose colour changed."""
    states, own = view.states, view.own * view.states
    alive, component = cut.alive, view.component
    queue = np.empty(own + 1, np.int64)
    ghosts = np.empty(colour.shape[0] - own, np.int64)
    changed = np.zeros(colour.shape[0] - own, np.uint8)
    spent = np.zeros(own, np.uint8)
    going = 0
    for n in range(seeds.shape[0]):
        if spent[seeds[n]] != 0:
            continue
        # What a greater colour has reached before is not reached again.
        spent[seeds[n]] = 1
        queue[0] = seeds[n]
        filled, done = 1, 0
        c = colour[seeds[n]]
        while done < filled:
            v = queue[done]
            done += 1
            s = v // states
            q = v - s * states
            for e in range(view.start[s], view.start[s + 1]):
                if not open_(cut, v, e):
                    continue
                at = q * view.letters + np.int64(view.letter[e])
                base = np.int64(view.target[e]) * states
                for d in range(view.delta_start[at], view.delta_start[at + 1]):
                    other = np.int64(view.delta_target[d])
                    w = base + other
                    if component[other] != component[q] or alive[w] == 0 or colour[w] >= c:
                        continue
                    colour[w] = c
                    if w < own:
                        spent[w] = 1
                        queue[filled] = w
                        filled += 1
                    elif changed[w - own] == 0:
                        changed[w - own] = 1
                        ghosts[going] = w
                        going += 1
    return ghosts[:going]


@kernel(nogil=True)
def collect(view: Any, cut: Any, colour: Any, comp: Any, seeds: Any) -> Any:
    """From seeds, which know their component, back to all pairs of the same colour; returns the new ones."""
    states, own = view.states, view.own * view.states
    alive, component = cut.alive, view.component
    queue = np.empty(own + seeds.shape[0], np.int64)
    filled = seeds.shape[0]
    queue[:filled] = seeds
    done = 0
    while done < filled:
        v = queue[done]
        done += 1
        c = comp[v]
        t = v // states
        q = v - t * states
        for k in range(view.into[t], view.into[t + 1]):
            b = np.int64(view.back[k])
            base = np.int64(view.source[b]) * states
            at = q * view.letters + np.int64(view.letter[b])
            for o in range(view.origin_start[at], view.origin_start[at + 1]):
                other = np.int64(view.origin_source[o])
                u = base + other
                if component[other] != component[q] or alive[u] == 0 or colour[u] != c or comp[u] != 0:
                    continue
                if open_(cut, u, b):
                    comp[u] = c
                    queue[filled] = u
                    filled += 1
    return queue[seeds.shape[0] : filled]


@inner(inline="always")
def _inside(view: Any, cut: Any, comp: Any, v: Any, q: Any, e: Any, other: Any, w: Any) -> Any:
    return view.component[other] == view.component[q] and cut.alive[w] != 0 and comp[w] == comp[v]


@kernel(nogil=True)
def gather(
    view: Any, cut: Any, comp: Any, position: Any, give: Any, mark: Any, inner: Any, gives: Any, needs: Any
) -> None:
    """By component, found by `position` of own pairs, what its edges have in common: marks, gives, needs."""
    states, own = view.states, view.own * view.states
    for v in range(own):
        c = position[v]
        if c < 0:
            continue
        s = v // states
        q = v - s * states
        for e in range(view.start[s], view.start[s + 1]):
            if not open_(cut, v, e):
                continue
            at = q * view.letters + np.int64(view.letter[e])
            base = np.int64(view.target[e]) * states
            for d in range(view.delta_start[at], view.delta_start[at + 1]):
                other = np.int64(view.delta_target[d])
                if _inside(view, cut, comp, v, q, e, other, base + other):
                    inner[c] = 1
                    mark[c] |= view.delta_mark[d]
                    for n in range(give.shape[0]):
                        gives[n, c] |= give[n, e]
                    for n in range(cut.need.shape[0]):
                        needs[n, c] |= cut.need[n, e]


@kernel(nogil=True)
def uncovered(view: Any, cut: Any, comp: Any, position: Any, real: Any, bad: Any) -> None:
    """Marks components that visit a state without taking all its real steps."""
    states = view.states
    for s in range(view.own):
        for q in range(states):
            v = s * states + q
            c = position[v]
            if c < 0 or bad[c] != 0:
                continue
            for e in range(view.start[s], view.start[s + 1]):
                if not real[e]:
                    continue
                base = np.int64(view.target[e]) * states
                taken = False
                for p in range(states):
                    u = s * states + p
                    if position[u] != c or not open_(cut, u, e):
                        continue
                    at = p * view.letters + np.int64(view.letter[e])
                    for d in range(view.delta_start[at], view.delta_start[at + 1]):
                        other = np.int64(view.delta_target[d])
                        if _inside(view, cut, comp, u, p, e, other, base + other):
                            taken = True
                if not taken:
                    bad[c] = 1


@kernel(nogil=True)
def inside(view: Any, cut: Any, node: Any, first: Any, start: Any, target: Any, edge: Any, mark: Any) -> Any:
    """The live edges between pairs that have a number, which those of its own have from `first` on, as a graph of its
    own; with arrays too short, only counts."""
    states, own = view.states, view.own * view.states
    size, room = 0, target.shape[0]
    for v in range(own):
        if node[v] < 0:
            continue
        start[node[v] - first] = size
        s = v // states
        q = v - s * states
        for e in range(view.start[s], view.start[s + 1]):
            if not open_(cut, v, e):
                continue
            at = q * view.letters + np.int64(view.letter[e])
            base = np.int64(view.target[e]) * states
            for d in range(view.delta_start[at], view.delta_start[at + 1]):
                other = np.int64(view.delta_target[d])
                w = node[base + other]
                if view.component[other] == view.component[q] and w >= 0:
                    if size < room:
                        target[size] = w
                        edge[size] = e
                        mark[size] = view.delta_mark[d]
                    size += 1
    start[start.shape[0] - 1] = size
    return size


@kernel(nogil=True)
def nearest(view: Any, cut: Any, dist: Any, lack: Any, give: Any, lacking: Any, taken: Any) -> Any:
    """The nearest edge inside what is alive that gives something lacking, or is not taken yet: distance of its source
    pair, that pair, the edge, the transition; -1 where there is none."""
    states, own = view.states, view.own * view.states
    best, pair, by, way = -1, -1, -1, -1
    for v in range(own):
        if cut.alive[v] == 0 or dist[v] == 0xFFFFFFFF or (best >= 0 and np.int64(dist[v]) >= best):
            continue
        s = v // states
        q = v - s * states
        for e in range(view.start[s], view.start[s + 1]):
            if not open_(cut, v, e):
                continue
            wanted = taken.shape[0] > 0 and taken[e] == 0
            for n in range(give.shape[0]):
                if give[n, e] & lacking[n] != 0:
                    wanted = True
            at = q * view.letters + np.int64(view.letter[e])
            base = np.int64(view.target[e]) * states
            for d in range(view.delta_start[at], view.delta_start[at + 1]):
                other = np.int64(view.delta_target[d])
                if view.component[other] != view.component[q] or cut.alive[base + other] == 0:
                    continue
                if wanted or (view.delta_mark[d] & lack[0]) != 0:
                    if best < 0 or np.int64(dist[v]) < best:
                        best, pair, by, way = int(dist[v]), v, e, d
    return best, pair, by, way
