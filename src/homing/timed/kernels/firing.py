"""Kernels that fire edges: guards and resets, and which part of a zone enables them."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.compiling import inner, kernel
from homing.timed.kernels.dbm import assign, constrain, copy, reset
from homing.timed.kernels.storage import has_room, intern, recall, remember


@inner()
def constrain_all(d: Any, constraints: Any, low: Any, high: Any) -> Any:
    """Whether the zone, with all these constraints, is not empty."""
    for c in range(low, high):
        if not constrain(d, constraints[c, 0], constraints[c, 1], constraints[c, 2]):
            return False
    return True


@inner()
def reset_all(d: Any, actions: Any, action: Any) -> None:
    """Does the resets of an action."""
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
def put(fired: Any, source: Any, edge: Any, zone: Any) -> None:
    """Notes what an edge led to."""
    at = fired.size[0]
    fired.source[at], fired.edge[at], fired.zone[at] = source, edge, zone
    fired.size[0] = at + 1


@inner()
def _learn(zones: Any, memo: Any, at: Any, action: Any, zone: Any, actions: Any, d: Any) -> None:
    assign(d, zones.dbm[zone])
    first, many = memo.used[1], 0
    if guarded(d, actions, action):
        reset_all(d, actions, action)
        memo.results[first] = intern(zones, d)
        many = 1
    remember(memo, at, action, zone, first, many)


@kernel(nogil=True)
def fire(todo: Any, begin: Any, states: Any, edges: Any, actions: Any, zones: Any, memo: Any, fired: Any) -> Any:
    """Fires all edges of the symbolic states from todo[begin] on; returns the position at which room ran out."""
    d = np.empty(zones.dbm.shape[1:], np.int32)
    for position in range(begin, todo.shape[0]):
        state = todo[position]
        discrete, zone = states.discrete[state], states.zone[state]
        low, high = edges.low[discrete], edges.high[discrete]
        if fired.size[0] + high - low > fired.source.shape[0]:
            return position
        start = fired.size[0]
        for edge in range(low, high):
            if not has_room(zones, memo):
                fired.size[0] = start
                return position
            action = edges.action[edge]
            at, known = recall(memo, action, zone)
            if not known:
                _learn(zones, memo, at, action, zone, actions, d)
            if memo.many[at]:
                put(fired, state, edge, memo.results[memo.first[at]])
    return todo.shape[0]
