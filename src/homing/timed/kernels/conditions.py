"""Kernels that decide conditions on symbolic states: constraints on clocks, deadlock, and runs that end."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.arrays import ANY, DEAD
from homing.timed.kernels.compiling import inner, kernel
from homing.timed.kernels.dbm import assign, down, meet, unbounded, universe, up
from homing.timed.kernels.delaying import cells_within
from homing.timed.kernels.federations import subtract_all, without
from homing.timed.kernels.firing import constrain_all, enabling
from homing.timed.kernels.settling import within_invariant


@inner()
def _acting(discrete: Any, edge: Any, edges: Any, actions: Any, timings: Any, d: Any) -> Any:
    """Makes of d all points of a discrete state from which an edge is possible, now or after some delay; whether
    there are any."""
    universe(d)
    timing = edges.timing[discrete]
    within_invariant(d, timings, timing)
    if not enabling(d, actions, edges.action[edge], timings, edges.timing[edges.target[edge]]):
        return False
    if timings.delay[timing]:
        down(d)
    return True


@inner()
def deadlocked(d: Any, discrete: Any, edges: Any, actions: Any, timings: Any) -> Any:
    """The points of a zone from which no edge is possible, now or after any delay, as pieces; and how many."""
    pieces = np.empty((1, d.shape[0], d.shape[0]), np.int32)
    assign(pieces[0], d)
    count = 1
    other = np.empty_like(d)
    for edge in range(edges.low[discrete], edges.high[discrete]):
        if count and _acting(discrete, edge, edges, actions, timings, other):
            pieces, count = subtract_all(pieces, count, other)
    return pieces, count


@inner()
def _is_alive(d: Any, discrete: Any, edges: Any, actions: Any, timings: Any) -> Any:
    """Whether from some point of a zone an edge is possible, now or after some delay."""
    other = np.empty_like(d)
    for edge in range(edges.low[discrete], edges.high[discrete]):
        if _acting(discrete, edge, edges, actions, timings, other) and meet(other, d):
            return True
    return False


@kernel(nogil=True)
def first_meeting(found: Any, values: Any, states: Any, cells: Any, zones: Any) -> Any:
    """The first of the symbolic states in which a condition holds, by its position in `found`, and the cell; or -1.

    `values` says by discrete state which cells the condition has there; what they say of deadlock is not looked at.
    """
    d = np.empty(zones.dbm.shape[1:], np.int32)
    for position in range(found.shape[0]):
        state = found[position]
        condition = values[states.discrete[state]]
        for cell in range(cells.start[condition], cells.start[condition + 1]):
            assign(d, zones.dbm[states.zone[state]])
            if constrain_all(d, cells.constraints, cells.constraint_start[cell], cells.constraint_start[cell + 1]):
                return position, cell
    return -1, -1


@kernel(nogil=True)
def first_dead(
    found: Any, values: Any, states: Any, cells: Any, zones: Any, edges: Any, actions: Any, timings: Any
) -> Any:
    """The same, for conditions that speak of deadlock."""
    d = np.empty(zones.dbm.shape[1:], np.int32)
    for position in range(found.shape[0]):
        state = found[position]
        discrete = states.discrete[state]
        condition = values[discrete]
        for cell in range(cells.start[condition], cells.start[condition + 1]):
            assign(d, zones.dbm[states.zone[state]])
            if not constrain_all(d, cells.constraints, cells.constraint_start[cell], cells.constraint_start[cell + 1]):
                continue
            asked = cells.deadlock[cell]
            if asked == DEAD:
                met = deadlocked(d, discrete, edges, actions, timings)[1] > 0
            else:
                met = asked == ANY or _is_alive(d, discrete, edges, actions, timings)
            if met:
                return position, cell
    return -1, -1


WAITS, STUCK = 1, 2


@inner()
def _is_stuck(d: Any, discrete: Any, cells: Any, edges: Any, actions: Any, timings: Any) -> Any:
    """Whether from some point no edge is possible at any time, and the condition of the timing holds all that time."""
    pieces, count = deadlocked(d, discrete, edges, actions, timings)
    timing = edges.timing[discrete]
    if count == 0 or not timings.delay[timing] or timings.cells[timing] == 1:
        return count > 0
    later = np.empty_like(d)
    assign(later, d)
    up(later)
    within_invariant(later, timings, timing)
    allowed, many = cells_within(cells, timings.cells[timing], timings, timing, len(d))
    outside, escapes = without(later, allowed, many)
    for e in range(escapes):
        down(outside[e])
        pieces, count = subtract_all(pieces, count, outside[e])
    return count > 0


@kernel(nogil=True)
def endings(
    found: Any, states: Any, cells: Any, zones: Any, edges: Any, actions: Any, timings: Any, verdicts: Any
) -> None:
    """By symbolic state: WAITS where a run may stay in it for ever, STUCK where it cannot go on, or 0."""
    for position in range(found.shape[0]):
        state = found[position]
        discrete = states.discrete[state]
        d = zones.dbm[states.zone[state]]
        if timings.delay[edges.timing[discrete]] and unbounded(d):
            verdicts[position] = WAITS
        elif _is_stuck(d, discrete, cells, edges, actions, timings):
            verdicts[position] = STUCK
        else:
            verdicts[position] = 0


@kernel(nogil=True)
def extremes(found: Any, values: Any, clock: Any, states: Any, cells: Any, zones: Any, least: Any, most: Any) -> None:
    """By symbolic state, the bounds of a clock where a condition holds: `least` is coded as the bound of minus the
    clock, `most` as that of the clock. Where it holds nowhere they stay as they are."""
    d = np.empty(zones.dbm.shape[1:], np.int32)
    for position in range(found.shape[0]):
        state = found[position]
        condition = values[states.discrete[state]]
        for cell in range(cells.start[condition], cells.start[condition + 1]):
            assign(d, zones.dbm[states.zone[state]])
            if constrain_all(d, cells.constraints, cells.constraint_start[cell], cells.constraint_start[cell + 1]):
                least[position] = max(least[position], d[0, clock])
                most[position] = max(most[position], d[clock, 0])
