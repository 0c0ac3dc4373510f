"""Kernels that fire edges where priorities matter: where an action is possible, those of a lower priority are not."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.arrays import ROOM, UNRANKED
from homing.timed.kernels.compiling import inner, kernel
from homing.timed.kernels.dbm import assign
from homing.timed.kernels.federations import subtract_all
from homing.timed.kernels.firing import enabling, guarded, put, reset_all
from homing.timed.kernels.storage import intern


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
def _is_outranked(edge: Any, state: Any, edges: Any, actions: Any) -> Any:
    if actions.priority[edges.action[edge]] == UNRANKED:
        return False
    for e in range(edges.low[state], edges.high[state]):
        if actions.priority[edges.action[e]] > actions.priority[edges.action[edge]]:
            return True
    return False


@inner()
def _pieces(d: Any, edge: Any, state: Any, edges: Any, actions: Any, timings: Any) -> Any:
    """What is left of a zone where the edge's guard holds: all of it, where nothing outranks the edge."""
    if _is_outranked(edge, state, edges, actions):
        return _unblocked(d, edge, state, edges, actions, timings)
    pieces = np.empty((1, d.shape[0], d.shape[0]), np.int32)
    assign(pieces[0], d)
    return pieces, 1


@kernel(nogil=True)
def fire_ranked(
    todo: Any, begin: Any, states: Any, edges: Any, actions: Any, timings: Any, zones: Any, fired: Any
) -> Any:
    """As `fire`, with priorities, and without a memo: what is possible depends on all edges of a state."""
    d = np.empty(zones.dbm.shape[1:], np.int32)
    for position in range(begin, todo.shape[0]):
        state = todo[position]
        discrete, start = states.discrete[state], fired.size[0]
        for edge in range(edges.low[discrete], edges.high[discrete]):
            assign(d, zones.dbm[states.zone[state]])
            if not guarded(d, actions, edges.action[edge]):
                continue
            pieces, count = _pieces(d, edge, discrete, edges, actions, timings)
            if fired.size[0] + count > fired.source.shape[0] or zones.size[0] + count + ROOM > zones.dbm.shape[0]:
                fired.size[0] = start
                return position
            for p in range(count):
                reset_all(pieces[p], actions, edges.action[edge])
                put(fired, state, edge, intern(zones, pieces[p]))
    return todo.shape[0]
