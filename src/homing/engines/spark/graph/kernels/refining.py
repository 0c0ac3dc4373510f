"""Pairs of a partition's states and states of a normal specification, nearest first, until one breaks the refinement.

As `homing.properties.kernels.refinement`, but a pair may come nearer when another partition tells of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from homing.engines.spark.graph.kernels.arrays import Array
from homing.engines.spark.graph.kernels.compiling import inner, kernel

NOBODY = np.uint32(0xFFFFFFFF)
FINE, TRACE, REFUSAL, DIVERGENCE = range(4)
SHIFT = 32
"""A pair is a state, shifted by so many bits, and a normal state."""
NORMAL = (1 << SHIFT) - 1


class Pairs(NamedTuple):
    """The pairs that a partition knows of; those of ghosts are expanded by their owners."""

    table: Array  # by hash: positions in the others
    pair: Array
    depth: Array  # steps from the start
    parent: Array  # position of the pair before it; -1 at the start, -2 - p where partition p told of it
    edge: Array  # from the pair before it
    done: Array  # 1 once it was expanded with this depth, or its owner told
    filled: Any


class Specification(NamedTuple):
    """A normal specification, as far as it is known; see `homing.properties.processes.Normal`."""

    known: Array
    next: Array
    accept_start: Array
    accept: Array
    divergent: Array
    events: int


class Behaviour(NamedTuple):
    """A partition's states as a process."""

    own: int
    start: Array
    target: Array
    number: Array  # by edge: its event in the specification's alphabet, -1 when internal, one past the last if unknown
    offers: Array  # by state, bits of the events that it offers, in `words` words
    words: int
    divergent: Array  # by own state; empty where that does not matter


@inner()
def _place(table: Any, pair: Any, p: Any) -> Any:
    """Where in the hash table a pair is, or goes; the size is a power of two."""
    mask = np.int64(table.shape[0] - 1)
    mixed = (p ^ (p >> 31)) * np.int64(0x5851F42D4C957F2D)
    at = (mixed ^ (mixed >> 29)) & mask
    while table[at] != NOBODY and pair[table[at]] != p:
        at = (at + 1) & mask
    return at


@inner()
def _longer(array: Any, room: Any) -> Any:
    longer = np.empty(room, array.dtype)
    longer[: array.shape[0]] = array
    return longer


@kernel(nogil=True)
def roomy(pairs: Any) -> Any:
    """The same pairs with room for as many again, and a table that is at most half full."""
    room = np.int64(1024)
    while room < 2 * pairs.filled:
        room *= 2
    pair = _longer(pairs.pair[: pairs.filled], room)
    table = np.full(2 * room, NOBODY, np.uint32)
    for k in range(pairs.filled):
        table[_place(table, pair, pair[k])] = k
    return Pairs(
        table,
        pair,
        _longer(pairs.depth[: pairs.filled], room),
        _longer(pairs.parent[: pairs.filled], room),
        _longer(pairs.edge[: pairs.filled], room),
        _longer(pairs.done[: pairs.filled], room),
        pairs.filled,
    )


@inner()
def _put(pairs: Any, p: Any, depth: Any, parent: Any, edge: Any) -> Any:
    """Notes a pair at a depth, where that is new; there must be room. Returns the position or -1, whether it is to be
    looked at that was not already, and how many pairs there are."""
    slot = _place(pairs.table, pairs.pair, p)
    k, filled, waiting = np.int64(pairs.table[slot]), pairs.filled, False
    if pairs.table[slot] == NOBODY:
        k = filled
        pairs.table[slot] = k
        pairs.pair[k] = p
        filled += 1
    elif depth >= pairs.depth[k]:
        return np.int64(-1), False, filled
    else:
        waiting = pairs.done[k] == 0
    pairs.depth[k] = depth
    pairs.parent[k] = parent
    pairs.edge[k] = edge
    pairs.done[k] = 0
    return k, not waiting, filled


@inner()
def _counted(pairs: Any, filled: Any) -> Any:
    return Pairs(pairs.table, pairs.pair, pairs.depth, pairs.parent, pairs.edge, pairs.done, filled)


@kernel(nogil=True)
def heard(pairs: Any, told: Any, depths: Any, parent: Any) -> Any:
    """Takes in pairs that another partition tells of."""
    for n in range(told.shape[0]):
        if pairs.filled == pairs.pair.shape[0]:
            pairs = roomy(pairs)
        _, _, filled = _put(pairs, told[n], depths[n], parent, np.uint32(0))
        pairs = _counted(pairs, filled)
    return pairs


@inner()
def _allowed(behaviour: Any, s: Any, specification: Any, d: Any) -> Any:
    """Whether the normal state may offer as little as the state does."""
    words, accept, offers = behaviour.words, specification.accept, behaviour.offers
    for k in range(specification.accept_start[d], specification.accept_start[d + 1]):
        inside = True
        for w in range(words):
            if (accept[k * words + w] & ~offers[s * words + w]) != 0:
                inside = False
                break
        if inside:
            return True
    return False


@inner()
def _follow(behaviour: Any, specification: Any, pairs: Any, at: Any, failures: Any, queue: Any, ghosts: Any) -> Any:
    """Expands a pair: the edges from it lead to others, or one breaks the refinement. Returns what is wrong, by which
    edge, and all that grew."""
    s, d = pairs.pair[at] >> SHIFT, pairs.pair[at] & NORMAL
    further, stable = pairs.depth[at] + np.uint32(1), True
    filled, going = queue[1], ghosts[1]
    waiting, leaving = queue[0], ghosts[0]
    for e in range(behaviour.start[s], behaviour.start[s + 1]):
        a = np.int64(behaviour.number[e])
        after = d
        if a < 0:
            stable = False
        elif a >= specification.events or specification.next[d * specification.events + a] < 0:
            return TRACE, np.int64(e), pairs, (waiting, filled), (leaving, going)
        else:
            after = np.int64(specification.next[d * specification.events + a])
        if pairs.filled == pairs.pair.shape[0]:
            pairs = roomy(pairs)
        target = np.int64(behaviour.target[e])
        k, fresh, count = _put(pairs, (target << SHIFT) + after, further, at, np.uint32(e))
        pairs = _counted(pairs, count)
        if k < 0:
            continue
        if target < behaviour.own:
            if filled == waiting.shape[0]:
                waiting = _longer(waiting, 2 * filled)
            waiting[filled] = k
            filled += 1
        elif fresh:
            if going == leaving.shape[0]:
                leaving = _longer(leaving, 2 * going)
            leaving[going] = k
            going += 1
    wrong = failures and stable and not _allowed(behaviour, s, specification, d)
    return (REFUSAL if wrong else FINE), np.int64(-1), pairs, (waiting, filled), (leaving, going)


@kernel(nogil=True)
def refine(
    behaviour: Any,
    specification: Any,
    pairs: Any,
    seeds: Any,
    limit: Any,
    failures: Any,
    divergences: Any,
) -> Any:
    """Expands pairs from the seeds on, nearest first, as long as they are nearer than the limit and what of the
    specification comes after them is known. Returns the position of the first that breaks the refinement or -1, what
    is wrong, by which edge; all pairs, and the positions of ghosts whose owners are to be told."""
    queue, ghosts = (np.empty(1024, np.int64), np.int64(0)), (np.empty(1024, np.int64), np.int64(0))
    done, next_seed = np.int64(0), np.int64(0)
    broken, what, edge = np.int64(-1), FINE, np.int64(-1)
    while done < queue[1] or next_seed < seeds.shape[0]:
        # The queue is in order of depth, and so are the seeds.
        depth = pairs.depth
        if done == queue[1] or (next_seed < seeds.shape[0] and depth[seeds[next_seed]] < depth[queue[0][done]]):
            at = seeds[next_seed]
            next_seed += 1
        else:
            at = queue[0][done]
            done += 1
        if depth[at] >= limit:
            break
        s, d = pairs.pair[at] >> SHIFT, pairs.pair[at] & NORMAL
        if pairs.done[at] != 0 or not specification.known[d]:
            continue
        pairs.done[at] = 1
        if divergences and specification.divergent[d]:
            continue  # a divergent specification allows anything
        if behaviour.divergent.shape[0] > 0 and behaviour.divergent[s] != 0:
            what = DIVERGENCE
        else:
            what, edge, pairs, queue, ghosts = _follow(behaviour, specification, pairs, at, failures, queue, ghosts)
        if what != FINE:
            broken = at
            break
    leaving = ghosts[0][: ghosts[1]]
    for n in range(leaving.shape[0]):
        pairs.done[leaving[n]] = 1
    return broken, what, edge, pairs, leaving
