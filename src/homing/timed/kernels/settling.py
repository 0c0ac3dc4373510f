"""Kernels that let time pass after an edge, and keep what is new."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.arrays import EXACT
from homing.timed.kernels.compiling import inner, kernel
from homing.timed.kernels.dbm import assign, extrapolate_lu, includes, up
from homing.timed.kernels.firing import constrain_all
from homing.timed.kernels.storage import has_room, intern, recall, remember


@inner()
def within_invariant(d: Any, timings: Any, timing: Any) -> Any:
    low, high = timings.invariant_start[timing], timings.invariant_start[timing + 1]
    return constrain_all(d, timings.invariants, low, high)


@inner()
def abstract(d: Any, timings: Any, timing: Any, how: Any) -> None:
    """Extrapolates."""
    if how != EXACT:
        extrapolate_lu(d, timings.lower[timing], timings.upper[timing])


@inner()
def is_plain(timings: Any, timing: Any, how: Any, diagonals: Any) -> Any:
    """Whether time makes one zone of a zone, or none."""
    return timings.cells[timing] <= 1 and (how == EXACT or diagonals.shape[0] == 0)


@inner()
def target_of(fired: Any, position: Any, edges: Any) -> Any:
    """The discrete state that an edge that was fired leads to.

    A negative edge -1 - k is for the k-th of the states that the search begins in, whose discrete state is the source.
    """
    edge = fired.edge[position]
    return fired.source[position] if edge < 0 else edges.target[edge]


@inner()
def _learn(zone: Any, timings: Any, timing: Any, how: Any, zones: Any, memo: Any, at: Any, d: Any) -> None:
    assign(d, zones.dbm[zone])
    first, many = memo.used[1], 0
    if timings.cells[timing] == 1 and within_invariant(d, timings, timing):
        if timings.delay[timing]:
            up(d)
            within_invariant(d, timings, timing)
        abstract(d, timings, timing, how)
        memo.results[first] = intern(zones, d)
        many = 1
    remember(memo, at, timing, zone, first, many)


@inner()
def _insert(states: Any, zones: Any, discrete: Any, zone: Any, parent: Any, edge: Any, inclusion: Any) -> Any:
    """The symbolic state that has the zone, or includes it; a new one where there was none."""
    states.size[1] += 1
    before, at = -1, states.head[discrete]
    while at >= 0:
        following = states.following[at]
        if states.zone[at] == zone or (inclusion and includes(zones.dbm[states.zone[at]], zones.dbm[zone])):
            return at
        if inclusion and includes(zones.dbm[zone], zones.dbm[states.zone[at]]):
            states.covered[at] = 1
            if before < 0:
                states.head[discrete] = following
            else:
                states.following[before] = following
        else:
            before = at
        at = following
    new = states.size[0]
    states.discrete[new], states.zone[new], states.parent[new], states.edge[new] = discrete, zone, parent, edge
    states.covered[new] = 0
    states.following[new] = states.head[discrete]
    states.head[discrete] = new
    states.size[0] = new + 1
    return new


@kernel(nogil=True)
def settle(
    fired: Any,
    begin: Any,
    edges: Any,
    timings: Any,
    how: Any,
    diagonals: Any,
    zones: Any,
    memo: Any,
    states: Any,
    inclusion: Any,
    moves: Any,
) -> Any:
    """Lets time pass after what was fired, from position `begin` on, and inserts the result. Returns the position at
    which room ran out, or something has to be learnt first that takes more than one zone."""
    d = np.empty(zones.dbm.shape[1:], np.int32)
    recording = moves.source.shape[0] > 0
    for position in range(begin, fired.size[0]):
        source, edge = fired.source[position], fired.edge[position]
        discrete = target_of(fired, position, edges)
        timing = edges.timing[discrete]
        if not has_room(zones, memo):
            return position
        at, known = recall(memo, timing, fired.zone[position])
        if not known:
            if not is_plain(timings, timing, how, diagonals):
                return position
            _learn(fired.zone[position], timings, timing, how, zones, memo, at, d)
        many, first = memo.many[at], memo.first[at]
        if states.size[0] + many > states.discrete.shape[0]:
            return position
        if recording and moves.size[0] + many > moves.source.shape[0]:
            return position
        for r in range(first, first + many):
            parent = edge if edge < 0 else source
            found = _insert(states, zones, discrete, memo.results[r], parent, edge, inclusion)
            if recording:
                m = moves.size[0]
                moves.source[m], moves.target[m], moves.edge[m] = source, found, edge
                moves.size[0] = m + 1
    return fired.size[0]


@kernel(nogil=True)
def put_back(discrete: Any, zone: Any, zones: Any, states: Any, inclusion: Any, numbers: Any) -> None:
    """Inserts symbolic states that were found before, time and all; there is room for them."""
    for k in range(discrete.shape[0]):
        numbers[k] = _insert(states, zones, discrete[k], zone[k], -1 - k, -1 - k, inclusion)
