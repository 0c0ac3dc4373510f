"""Kernels that let time pass where that leaves more than one zone: with constraints on differences of clocks, or
under a condition that has to hold all the time."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.arrays import EXACT
from homing.timed.kernels.compiling import inner, kernel
from homing.timed.kernels.dbm import assign, constrain, meet, negated, satisfies, universe, up
from homing.timed.kernels.federations import delay_within
from homing.timed.kernels.firing import constrain_all
from homing.timed.kernels.settling import abstract, is_plain, target_of, within_invariant
from homing.timed.kernels.storage import has_room, intern, recall, remember


@inner()
def _split(d: Any, diagonals: Any) -> Any:
    """Pieces of a zone, each on one side of every diagonal constraint.

    Extrapolation moves zones across diagonals, so where a model has some, it is done side by side and what was known
    of each diagonal is put back (Bengtsson and Yi, 2003).
    """
    pieces = np.empty((1, d.shape[0], d.shape[0]), np.int32)
    assign(pieces[0], d)
    count = 1
    for k in range(diagonals.shape[0]):
        i, j, bound = diagonals[k, 0], diagonals[k, 1], diagonals[k, 2]
        for p in range(count):
            if satisfies(pieces[p], i, j, bound) and satisfies(pieces[p], j, i, negated(bound)):
                if count == pieces.shape[0]:
                    larger = np.empty((2 * count, d.shape[0], d.shape[0]), np.int32)
                    for q in range(count):
                        assign(larger[q], pieces[q])
                    pieces = larger
                assign(pieces[count], pieces[p])
                constrain(pieces[p], i, j, bound)
                constrain(pieces[count], j, i, negated(bound))
                count += 1
    return pieces, count


@inner()
def _keep_sides(d: Any, before: Any, diagonals: Any) -> None:
    for k in range(diagonals.shape[0]):
        i, j, bound = diagonals[k, 0], diagonals[k, 1], diagonals[k, 2]
        if satisfies(before, i, j, bound):
            constrain(d, i, j, bound)
        else:
            constrain(d, j, i, negated(bound))


@inner()
def _check_room(zones: Any, memo: Any, filled: Any, count: Any) -> None:
    if filled + count > memo.results.shape[0] or zones.size[0] + count > zones.dbm.shape[0]:
        raise MemoryError("a zone falls into too many pieces")


@inner()
def _finish(d: Any, timings: Any, timing: Any, how: Any, diagonals: Any, zones: Any, memo: Any, filled: Any) -> Any:
    """Extrapolates and numbers a zone, as a result of the memo; returns how many results there are."""
    if diagonals.shape[0] == 0 or how == EXACT:
        _check_room(zones, memo, filled, 1)
        abstract(d, timings, timing, how)
        memo.results[filled] = intern(zones, d)
        return filled + 1
    pieces, count = _split(d, diagonals)
    _check_room(zones, memo, filled, count)
    before = np.empty_like(d)
    for p in range(count):
        assign(before, pieces[p])
        abstract(pieces[p], timings, timing, how)
        _keep_sides(pieces[p], before, diagonals)
        memo.results[filled] = intern(zones, pieces[p])
        filled += 1
    return filled


@inner()
def cells_within(cells: Any, condition: Any, timings: Any, timing: Any, n: Any) -> Any:
    """The cells of a condition within an invariant, those that are not empty."""
    low, high = cells.start[condition], cells.start[condition + 1]
    found = np.empty((max(high - low, 1), n, n), np.int32)
    count = 0
    for c in range(low, high):
        universe(found[count])
        constraints, first, last = cells.constraints, cells.constraint_start[c], cells.constraint_start[c + 1]
        if constrain_all(found[count], constraints, first, last) and within_invariant(found[count], timings, timing):
            count += 1
    return found, count


@inner()
def _learn_within(
    d: Any, timings: Any, timing: Any, cells: Any, how: Any, diagonals: Any, zones: Any, memo: Any, filled: Any
) -> Any:
    """Results for a condition that has to hold all the time, also while time passes."""
    n = d.shape[0]
    found, count = cells_within(cells, timings.cells[timing], timings, timing, n)
    part = np.empty_like(d)
    for c in range(count):
        assign(part, d)
        if not meet(part, found[c]):
            continue
        if not timings.delay[timing]:
            filled = _finish(part, timings, timing, how, diagonals, zones, memo, filled)
            continue
        pieces, _, many = delay_within(part, c, found, count)
        for p in range(many):
            filled = _finish(pieces[p], timings, timing, how, diagonals, zones, memo, filled)
    return filled


@inner()
def _learn(
    zone: Any,
    timings: Any,
    timing: Any,
    cells: Any,
    how: Any,
    diagonals: Any,
    zones: Any,
    memo: Any,
    at: Any,
    d: Any,
) -> None:
    assign(d, zones.dbm[zone])
    first = memo.used[1]
    filled = first
    if within_invariant(d, timings, timing):
        if timings.cells[timing] != 1:
            filled = _learn_within(d, timings, timing, cells, how, diagonals, zones, memo, filled)
        else:
            if timings.delay[timing]:
                up(d)
                within_invariant(d, timings, timing)
            filled = _finish(d, timings, timing, how, diagonals, zones, memo, filled)
    remember(memo, at, timing, zone, first, filled - first)


@kernel(nogil=True)
def learn_pieces(
    fired: Any,
    begin: Any,
    edges: Any,
    timings: Any,
    cells: Any,
    how: Any,
    diagonals: Any,
    zones: Any,
    memo: Any,
) -> None:
    """Learns what `settle` does not, for what was fired from position `begin` on, as long as there is room."""
    d = np.empty(zones.dbm.shape[1:], np.int32)
    for position in range(begin, fired.size[0]):
        timing = edges.timing[target_of(fired, position, edges)]
        if not has_room(zones, memo):
            return
        at, known = recall(memo, timing, fired.zone[position])
        if not known and not is_plain(timings, timing, how, diagonals):
            _learn(fired.zone[position], timings, timing, cells, how, diagonals, zones, memo, at, d)
