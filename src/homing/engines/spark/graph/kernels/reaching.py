"""Closures over a partition's own edges: forwards and backwards."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.engines.spark.graph.kernels.arrays import FAR
from homing.engines.spark.graph.kernels.compiling import inner, kernel


@kernel(nogil=True)
def prints(form: Any, table: Any, rows: Any, to: Any) -> None:
    """64 bits that stand for each row in every process."""
    words, flat = rows.shape[1], rows.ravel()
    for i in range(rows.shape[0]):
        h = np.uint64(0)
        for s in range(form.word.shape[0]):
            number = (flat[i * words + np.int64(form.word[s])] >> form.shift[s]) & form.mask[s]
            h ^= table[np.int64(form.start[s]) + np.int64(number)]
        to[i] = h


@kernel(nogil=True)
def backwards(target: Any, states: Any) -> Any:
    """Edges by the state that they reach: those into v are `into[v] .. into[v + 1]` in the second array."""
    into = np.zeros(states + 2, np.int64)
    for e in range(target.shape[0]):
        into[np.int64(target[e]) + 2] += 1
    for v in range(2, states + 2):
        into[v] += into[v - 1]
    back = np.empty(target.shape[0], np.uint32)
    for e in range(target.shape[0]):
        at = np.int64(target[e]) + 1
        back[into[at]] = e
        into[at] += 1
    return into[: states + 1], back


@kernel(nogil=True)
def reach(view: Any, reached: Any, seeds: Any) -> Any:
    """Marks all pairs that the seeds, marked already, lead to; returns the ghosts among them."""
    states, own = view.states, view.own * view.states
    queue = np.empty(own + seeds.shape[0], np.int64)
    ghosts = np.empty(reached.shape[0] - own, np.int64)
    filled, going = seeds.shape[0], 0
    queue[:filled] = seeds
    done = 0
    while done < filled:
        v = queue[done]
        done += 1
        s = v // states
        row = (v - s * states) * view.letters
        for e in range(view.start[s], view.start[s + 1]):
            at = row + np.int64(view.letter[e])
            base = np.int64(view.target[e]) * states
            for d in range(view.delta_start[at], view.delta_start[at + 1]):
                w = base + np.int64(view.delta_target[d])
                if reached[w] == 0:
                    reached[w] = 1
                    if w < own:
                        queue[filled] = w
                        filled += 1
                    else:
                        ghosts[going] = w
                        going += 1
    return ghosts[:going]


@kernel(nogil=True)
def until(into: Any, back: Any, source: Any, allowed: Any, found: Any, seeds: Any) -> Any:
    """Marks all allowed states from which the seeds, marked already, are reached; returns the new ones."""
    queue = np.empty(found.shape[0] + seeds.shape[0], np.int64)
    filled = seeds.shape[0]
    queue[:filled] = seeds
    done = 0
    while done < filled:
        v = queue[done]
        done += 1
        for k in range(into[v], into[v + 1]):
            u = np.int64(source[back[k]])
            if allowed[u] != 0 and found[u] == 0:
                found[u] = 1
                queue[filled] = u
                filled += 1
    return queue[seeds.shape[0] : filled]


@inner(inline="always")
def open_(cut: Any, v: Any, e: Any) -> Any:
    """Whether the edge, from this pair, asks for nothing that was given up."""
    for n in range(cut.need.shape[0]):
        if cut.need[n, e] & cut.bad[n, v] != 0:
            return False
    return True


@kernel(nogil=True)
def distances(view: Any, cut: Any, expanding: Any, cyclic: Any, dist: Any, seeds: Any) -> Any:
    """Shortens distances from seeds, nearest first, along edges from expanding pairs to pairs that are alive; those of
    a cycle must stay in a component of the automaton. Returns the ghosts that came nearer."""
    states, own = view.states, view.own * view.states
    queue = np.empty(own + 1, np.int64)
    ghosts = np.empty(dist.shape[0] - own, np.int64)
    near = np.zeros(dist.shape[0] - own, np.uint8)
    going, next_seed = 0, 0
    done, filled = 0, 0
    waiting = np.zeros(own, np.uint8)
    while done != filled or next_seed < seeds.shape[0]:
        # The queue is in order of distance, and so are the seeds.
        if done == filled or (next_seed < seeds.shape[0] and dist[seeds[next_seed]] < dist[queue[done]]):
            v = seeds[next_seed]
            next_seed += 1
        else:
            v = queue[done]
            done = done + 1 if done < own else 0
            waiting[v] = 0
        if expanding[v] == 0:
            continue
        further = dist[v] + 1
        s = v // states
        q = v - s * states
        row = q * view.letters
        for e in range(view.start[s], view.start[s + 1]):
            if not open_(cut, v, e):
                continue
            at = row + np.int64(view.letter[e])
            base = np.int64(view.target[e]) * states
            for d in range(view.delta_start[at], view.delta_start[at + 1]):
                other = np.int64(view.delta_target[d])
                w = base + other
                if cut.alive[w] == 0 or (cyclic and view.component[other] != view.component[q]):
                    continue
                if further < dist[w] or dist[w] == FAR:
                    dist[w] = further
                    if w >= own:
                        if near[w - own] == 0:
                            near[w - own] = 1
                            ghosts[going] = w
                            going += 1
                    elif waiting[w] == 0:
                        waiting[w] = 1
                        queue[filled] = w
                        filled = filled + 1 if filled < own else 0
    return ghosts[:going]
