"""The pairs of a system and a normal specification, until one of them breaks the refinement.

The specification is normalised as far as it is needed: the search waits where the rest of a normal state is not known.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from homing.properties.kernels.compiling import kernel

Array = NDArray[Any]

NONE = np.uint32(0xFFFFFFFF)
FINE, TRACE, REFUSAL, DIVERGENCE, WAITING = 0, 1, 2, 3, 4
SHIFT = 32
"""A pair is a state, shifted by so many bits, and a normal state."""


class Pairs(NamedTuple):
    """The pairs found so far, each with the one before it and the edge; `done` of them were looked at."""

    table: Array
    pair: Array
    parent: Array
    via: Array
    filled: Any
    done: Any


def first_pairs(roots: Array) -> Pairs:
    """The initial states, with what the specification may be before any event."""
    states = np.unique(roots).astype(np.int64)
    room = np.int64(1024)
    while room < len(states):
        room *= 2
    pair = np.empty(room, np.int64)
    pair[: len(states)] = states << SHIFT
    filled = np.int64(len(states))
    none = np.full(room, NONE, np.uint32)
    return Pairs(_rebuilt(pair, filled, 2 * room), pair, none, none.copy(), filled, np.int64(0))


@kernel(nogil=True)
def refine(
    start: Array,
    target: Array,
    event: Array,
    visible: Array,
    found: Pairs,
    normal: Array,
    known: Array,
    events: int,
    offers: Array,
    words: int,
    accept_start: Array,
    accept: Array,
    divergent: Array,
    spec_divergent: Array,
    failures: bool,
    divergences: bool,
) -> tuple[Any, Any, Any, Pairs]:
    """The first pair that breaks it: what and where (position, edge), and all pairs so far.

    `visible[x]` is the number of event x in the specification's alphabet, -1 when internal, `events` when the
    specification does not know it. `normal[d * events + a]` is the next normal state, -1 when there is none, where d is
    `known`. `offers` has, by state, the bits of all events it offers; `accept` the least sets of events that a normal
    state offers.
    """
    table, pair, parent, via = found.table, found.pair, found.parent, found.via
    filled, done = np.int64(found.filled), np.int64(found.done)
    room = np.int64(len(pair))
    low = (np.int64(1) << SHIFT) - 1
    while done < filled:
        s = pair[done] >> SHIFT
        d = pair[done] & low
        if not known[d]:
            return WAITING, done, -1, Pairs(table, pair, parent, via, filled, done)
        done += 1
        if divergences and spec_divergent[d]:
            continue  # a divergent specification allows anything
        if divergences and divergent[s]:
            return DIVERGENCE, done - 1, -1, Pairs(table, pair, parent, via, filled, done)
        stable = True
        for e in range(start[s], start[s + 1]):
            a = np.int64(visible[event[e]])
            next_d = d
            if a < 0:
                stable = False
            elif a >= events or normal[d * events + a] < 0:
                return TRACE, done - 1, e, Pairs(table, pair, parent, via, filled, done)
            else:
                next_d = np.int64(normal[d * events + a])
            p = (np.int64(target[e]) << SHIFT) + next_d
            at = _place(table, pair, p)
            if table[at] == NONE:
                if filled == room:
                    room = 2 * room
                    pair = _longer(pair, room)
                    parent = _longer(parent, room)
                    via = _longer(via, room)
                    table = _rebuilt(pair, filled, 2 * room)
                    at = _place(table, pair, p)
                table[at] = filled
                pair[filled] = p
                parent[filled] = done - 1
                via[filled] = e
                filled += 1
        if failures and stable and not _allowed(offers, s, words, accept_start, accept, d):
            return REFUSAL, done - 1, -1, Pairs(table, pair, parent, via, filled, done)
    return FINE, -1, -1, Pairs(table, pair, parent, via, filled, done)


@kernel(nogil=True)
def _place(table: Array, pair: Array, p: Any) -> Any:
    """Where in the hash table a pair is, or goes; the size is a power of two."""
    mask = np.int64(len(table) - 1)
    mixed = (p ^ (p >> 31)) * np.int64(0x5851F42D4C957F2D)
    at = (mixed ^ (mixed >> 29)) & mask
    while table[at] != NONE and pair[table[at]] != p:
        at = (at + 1) & mask
    return at


@kernel(nogil=True)
def _rebuilt(pair: Array, filled: Any, size: Any) -> Array:
    table = np.full(size, NONE, np.uint32)
    for k in range(filled):
        table[_place(table, pair, pair[k])] = k
    return table


@kernel(nogil=True)
def _longer(array: Array, room: Any) -> Array:
    longer = np.empty(room, array.dtype)
    longer[: len(array)] = array
    return longer


@kernel(nogil=True)
def _allowed(offers: Array, s: int, words: int, accept_start: Array, accept: Array, d: int) -> bool:
    """Whether the normal state may offer as little as the state does."""
    for k in range(accept_start[d], accept_start[d + 1]):
        inside = True
        for w in range(words):
            if (accept[k * words + w] & ~offers[s * words + w]) != 0:
                inside = False
                break
        if inside:
            return True
    return False
