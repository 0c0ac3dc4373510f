"""Kernels that fire edges: guards and resets, and which part of a zone enables them."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.arrays import UNRANKED
from homing.timed.kernels.compiling import inner, kernel
from homing.timed.kernels.dbm import assign, constrain, copy, reset
from homing.timed.kernels.federations import subtract_all
from homing.timed.kernels.storage import has_room, intern, recall, remember


@inner()
def constrain_all(d: Any, constraints: Any, low: Any, high: Any) -> Any:
    """Whether the zone, with all these constraints, is not empty."""
    for c in range(low, high):
        if not constrain(d, constraints[c, 0], constraints[c, 1], constraints[c, 2]):
            return False
    return True


@inner()
def _reset_all(d: Any, actions: Any, action: Any) -> None:
    for r in range(actions.reset_start[action], actions.reset_start[action + 1]):
        clock, source, value = actions.resets[r, 0], actions.resets[r, 1], actions.resets[r, 2]
        if source == 0:
            reset(d, clock, value)
        else:
            copy(d, clock, source, value)


@inner()
def guarded(d: Any, actions: Any, action: Any) -> Any:
    """Whether the zone, where the action's guard holds, is not empty."""
    return constrain_all(d, actions.guards, actions.guard_start[action], actions.guard_start[action + 1])


@inner()
def enabling(d: Any, actions: Any, action: Any, timings: Any, timing: Any) -> Any:
    """Leaves of the zone the points where an action is possible; the invariant of its target, which holds after the
    resets, is read back to what it means before them. False where there are none."""
    if not guarded(d, actions, action):
        return False
    n = d.shape[0]
    source, value = np.arange(n), np.zeros(n, np.int64)
    for r in range(actions.reset_start[action], actions.reset_start[action + 1]):
        clock, given = actions.resets[r, 0], actions.resets[r, 1]
        source[clock], value[clock] = source[given], value[given] + actions.resets[r, 2]
    for c in range(timings.invariant_start[timing], timings.invariant_start[timing + 1]):
        left, right = timings.invariants[c, 0], timings.invariants[c, 1]
        bound = np.int64(timings.invariants[c, 2]) + 2 * (value[right] - value[left])
        if source[left] == source[right]:
            if bound < 1:
                return False
        elif not constrain(d, source[left], source[right], np.int32(bound)):
            return False
    return True


@inner()
def _unblocked(d: Any, edge: Any, state: Any, edges: Any, actions: Any, timings: Any) -> Any:
    """The parts of a zone, where the edge's guard holds, in which no edge of a higher priority is possible."""
    pieces = np.empty((1, d.shape[0], d.shape[0]), np.int32)
    assign(pieces[0], d)
    count = 1
    other = np.empty_like(d)
    for e in range(edges.low[state], edges.high[state]):
        if actions.priority[edges.action[e]] > actions.priority[edges.action[edge]]:
            assign(other, d)
            if enabling(other, actions, edges.action[e], timings, edges.timing[edges.target[e]]):
                pieces, count = subtract_all(pieces, count, other)
    return pieces, count


@inner()
def _put(fired: Any, source: Any, edge: Any, zone: Any) -> None:
    at = fired.size[0]
    fired.source[at], fired.edge[at], fired.zone[at] = source, edge, zone
    fired.size[0] = at + 1


@inner()
def _learn(zones: Any, memo: Any, at: Any, action: Any, zone: Any, actions: Any, d: Any) -> None:
    assign(d, zones.dbm[zone])
    first, many = memo.used[1], 0
    if guarded(d, actions, action):
        _reset_all(d, actions, action)
        memo.results[first] = intern(zones, d)
        many = 1
    remember(memo, at, action, zone, first, many)


@kernel(nogil=True)
def fire(
    todo: Any,
    begin: Any,
    states: Any,
    edges: Any,
    actions: Any,
    timings: Any,
    zones: Any,
    memo: Any,
    ranked: Any,
    fired: Any,
) -> Any:
    """Fires all edges of the symbolic states from todo[begin] on; returns the position at which room ran out."""
    d = np.empty(zones.dbm.shape[1:], np.int32)
    for position in range(begin, todo.shape[0]):
        state = todo[position]
        if states.covered[state]:
            continue
        discrete, zone = states.discrete[state], states.zone[state]
        start = fired.size[0]
        for edge in range(edges.low[discrete], edges.high[discrete]):
            if not has_room(zones, memo) or fired.size[0] == fired.source.shape[0]:
                fired.size[0] = start
                return position
            action = edges.action[edge]
            if ranked and _is_outranked(edge, discrete, edges, actions):
                assign(d, zones.dbm[zone])
                if guarded(d, actions, action):
                    pieces, count = _unblocked(d, edge, discrete, edges, actions, timings)
                    if fired.size[0] + count > fired.source.shape[0] or zones.size[0] + count > zones.dbm.shape[0]:
                        fired.size[0] = start
                        return position
                    for p in range(count):
                        _reset_all(pieces[p], actions, action)
                        _put(fired, state, edge, intern(zones, pieces[p]))
                continue
            at, known = recall(memo, action, zone)
            if not known:
                _learn(zones, memo, at, action, zone, actions, d)
            if memo.many[at]:
                _put(fired, state, edge, memo.results[memo.first[at]])
    return todo.shape[0]


@inner()
def _is_outranked(edge: Any, state: Any, edges: Any, actions: Any) -> Any:
    if actions.priority[edges.action[edge]] == UNRANKED:
        return False
    for e in range(edges.low[state], edges.high[state]):
        if actions.priority[edges.action[e]] > actions.priority[edges.action[edge]]:
            return True
    return False
