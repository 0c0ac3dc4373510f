"""Unions of zones: what is left when zones are taken away, and how time passes inside a union."""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.compiling import inner
from homing.timed.kernels.dbm import ZERO, add, assign, constrain, includes, meet, negated, up
from homing.timed.system import INFINITY


@inner()
def apart(d: Any, e: Any) -> Any:
    """Whether one look is enough to see that the zones have no point in common; False decides nothing."""
    n = len(d)
    for i in range(n):
        for j in range(n):
            if add(d[i, j], e[j, i]) < ZERO:
                return True
    return False


@inner()
def subtract(d: Any, e: Any, out: Any) -> Any:
    """Writes disjoint zones whose union is d without e to out[0], out[1], …, which has room for n * n; how many."""
    n = len(d)
    if apart(d, e):
        assign(out[0], d)
        return 1
    rest = np.empty((n, n), np.int32)
    assign(rest, d)
    count = 0
    # Bounds on differences come last: most follow from those on single clocks, and then cut off nothing.
    for diagonal in range(2):
        for i in range(n):
            for j in range(n):
                if (i > 0 and j > 0) == (diagonal == 1) and e[i, j] < rest[i, j]:
                    assign(out[count], rest)
                    if constrain(out[count], j, i, negated(e[i, j])):
                        count += 1
                    if not constrain(rest, i, j, e[i, j]):
                        return count
    return count


@inner()
def room(zones: Any, count: Any) -> Any:
    """The same zones in an array with room for this many, at least."""
    if count <= len(zones):
        return zones
    grown = np.empty((max(count, 2 * len(zones)), zones.shape[1], zones.shape[2]), np.int32)
    for k in range(len(zones)):
        assign(grown[k], zones[k])
    return grown


@inner()
def subtract_all(pieces: Any, count: Any, e: Any) -> Any:
    """Disjoint pieces of the first `count` zones without e (if those were disjoint), in a new array; and how many."""
    n = len(e)
    left = np.empty((count + n * n, n, n), np.int32)
    size = 0
    for k in range(count):
        left = room(left, size + n * n)
        size += subtract(pieces[k], e, left[size:])
    return left, size


@inner()
def without(d: Any, zones: Any, count: Any) -> Any:
    """Disjoint pieces of d without any of the first `count` zones, in a new array; and how many."""
    n = len(d)
    left = np.empty((1, n, n), np.int32)
    assign(left[0], d)
    size = 1
    for k in range(count):
        if size > 0:
            left, size = subtract_all(left, size, zones[k])
    return left, size


@inner()
def crossing_inside(piece: Any, target: Any, to: Any) -> Any:
    """Makes `to` the points of the piece that are in the target or from which time leads there at once; whether there
    are any.

    That is what the target becomes when its strict lower bounds are loosened. Where an upper bound is met, too, time
    does not lead there, but then no later point is in the target either, and none is taken for it.
    """
    assign(to, piece)
    n = len(piece)
    for i in range(n):
        for j in range(n):
            bound = target[i, j]
            if i == 0:
                bound |= 1
            if not constrain(to, i, j, bound):
                return False
    return True


@inner()
def crossing_behind(piece: Any, cell: Any, target: Any, to: Any) -> Any:
    """Makes `to` the points of the target that time reaches from the piece with all earlier points inside the cell;
    whether there are any.

    That is up to the cell's upper bounds, though they may be strict.
    """
    assign(to, piece)
    up(to)
    for i in range(1, len(piece)):
        if cell[i, 0] < INFINITY and not constrain(to, i, 0, cell[i, 0] | 1):
            return False
    return meet(to, target)


@inner()
def is_known(pieces: Any, owner: Any, count: Any, candidate: Any, cell: Any) -> Any:
    """Whether one of the pieces in this cell includes the candidate."""
    for k in range(count):
        if owner[k] == cell and includes(pieces[k], candidate):
            return True
    return False


@inner()
def delay_all(pieces: Any, owner: Any, size: Any, cells: Any, count: Any) -> Any:
    """As `delay_within`, from several zones at once: the first `size` pieces, each inside the cell that owns it."""
    for k in range(size):
        up(pieces[k])
        meet(pieces[k], cells[owner[k]])
    n = cells.shape[1]
    candidate = np.empty((n, n), np.int32)
    k = 0
    # A delay meets each cell in an interval, so that it never comes back to a cell: this ends.
    while k < size:
        for target in range(count):
            for side in range(2):
                if target == owner[k]:
                    continue
                if side == 0:
                    crosses = crossing_inside(pieces[k], cells[target], candidate)
                else:
                    crosses = crossing_behind(pieces[k], cells[owner[k]], cells[target], candidate)
                if not crosses:
                    continue
                up(candidate)
                if meet(candidate, cells[target]) and not is_known(pieces, owner, size, candidate, target):
                    pieces = room(pieces, size + 1)
                    if len(owner) < len(pieces):
                        longer = np.empty(len(pieces), np.int64)
                        for m in range(size):
                            longer[m] = owner[m]
                        owner = longer
                    assign(pieces[size], candidate)
                    owner[size] = target
                    size += 1
        k += 1
    return pieces, owner, size


@inner()
def delay_within(d: Any, cell: Any, cells: Any, count: Any) -> Any:
    """All points that time reaches from d without ever leaving the union of the first `count` cells.

    `d` is inside `cells[cell]`; cells may overlap. The result is pieces, the cells that they are in, and how many:
    pieces may overlap, and each is all that time makes of it within its cell.
    """
    n = len(d)
    pieces = np.empty((count, n, n), np.int32)
    owner = np.empty(count, np.int64)
    assign(pieces[0], d)
    owner[0] = cell
    return delay_all(pieces, owner, 1, cells, count)
