"""Zones as values: for what is slow and clear. Searches use the kernels themselves."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import isqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from homing.timed.kernels import calls
from homing.timed.picking import Interval, simplest
from homing.timed.showing import sentence
from homing.timed.system import INFINITY, Constraints, Reset

Zone: TypeAlias = bytes
"""The bounds of a canonical difference bound matrix, row by row, as 32-bit numbers, little end first."""
Matrix: TypeAlias = NDArray[np.int32]

KIND = np.dtype("<i4")


def matrix(zone: Zone) -> Matrix:
    """The zone's bounds, to be changed at will."""
    size = clocks_of(zone) + 1
    return np.frombuffer(zone, KIND).astype(np.int32).reshape(size, size)


def matrices(zones: Iterable[Zone], clocks: int) -> NDArray[np.int32]:
    """All of them in one array."""
    size = clocks + 1
    return np.frombuffer(b"".join(zones), KIND).astype(np.int32).reshape(-1, size, size)


def zone_of(bounds: Matrix) -> Zone:
    """The value that stands for canonical bounds."""
    return bounds.astype(KIND).tobytes()


def clocks_of(zone: Zone) -> int:
    """How many clocks a zone is about."""
    return isqrt(len(zone) // KIND.itemsize) - 1


def _perform(bounds: Matrix, *operations: tuple[int, int, int, int]) -> bool:
    return bool(calls.perform(bounds, np.array(operations, np.int32).reshape(-1, 4)))


def _changed(zone: Zone, *operations: tuple[int, int, int, int]) -> Zone | None:
    bounds = matrix(zone)
    return zone_of(bounds) if _perform(bounds, *operations) else None


def _sure(zone: Zone | None) -> Zone:
    assert zone is not None
    return zone


def universe(clocks: int) -> Zone:
    """All clock values."""
    return _sure(_changed(bytes(KIND.itemsize * (clocks + 1) ** 2), (calls.UNIVERSE, 0, 0, 0)))


def zero(clocks: int) -> Zone:
    """All clocks are 0."""
    return _sure(_changed(bytes(KIND.itemsize * (clocks + 1) ** 2), (calls.ZEROS, 0, 0, 0)))


def constrain(zone: Zone, constraints: Constraints) -> Zone | None:
    """What satisfies all of them; None when nothing does."""
    return _changed(zone, *((calls.CONSTRAIN, *constraint) for constraint in constraints))


def satisfies(zone: Zone, constraints: Constraints) -> bool:
    """Whether some point satisfies all of them."""
    return constrain(zone, constraints) is not None


def up(zone: Zone) -> Zone:
    """Lets any time pass."""
    return _sure(_changed(zone, (calls.UP, 0, 0, 0)))


def down(zone: Zone) -> Zone:
    """The points from which time leads into the zone."""
    return _sure(_changed(zone, (calls.DOWN, 0, 0, 0)))


def reset(zone: Zone, resets: Iterable[Reset]) -> Zone:
    """Does them in their order."""
    return _sure(_changed(zone, *((calls.COPY, reset.clock, reset.source, reset.value) for reset in resets)))


def free(zone: Zone, clocks: Iterable[int]) -> Zone:
    """Forgets the values of these clocks."""
    return _sure(_changed(zone, *((calls.FREE, clock, 0, 0) for clock in clocks)))


def unbounded(zone: Zone) -> bool:
    """Whether no clock has an upper bound."""
    return _changed(zone, (calls.UNBOUNDED, 0, 0, 0)) is not None


def includes(big: Zone, small: Zone) -> bool:
    """Whether every point of the small zone is in the big one."""
    return bool(calls.is_included(matrix(small), matrix(big)))


def closed(bounds: Matrix) -> Zone | None:
    """The zone of any bounds, canonical or not; None when it is empty."""
    bounds = bounds.astype(np.int32)
    return zone_of(bounds) if _perform(bounds, (calls.CLOSE, 0, 0, 0)) else None


def extrapolate_lu(zone: Zone, lower: Sequence[int], upper: Sequence[int]) -> Zone:
    """Extra⁺_LU; by clock, from number 0 on, constants or NEVER."""
    bounds = matrix(zone)
    calls.extrapolate(bounds, np.array(lower, np.int32), np.array(upper, np.int32))
    return zone_of(bounds)


def extrapolate_m(zone: Zone, most: Sequence[int]) -> Zone:
    """Extra⁺_M: the same with one constant for both, which gains only points of regions that were there."""
    return extrapolate_lu(zone, most, most)


def subtract(zone: Zone, others: Iterable[Zone]) -> list[Zone]:
    """Disjoint zones whose union is the zone without the others."""
    left = calls.pieces_without(matrix(zone), matrices(others, clocks_of(zone)))
    return [zone_of(piece) for piece in left]


def delay_within(zone: Zone, cells: Sequence[Zone]) -> list[tuple[Zone, int]]:
    """What time makes of the part of the zone that is in the union of the cells without ever leaving it: pieces, each
    with the number of a cell that it is in."""
    starts = [(part, number) for number, cell in enumerate(cells) if (part := meet(zone, cell)) is not None]
    if not starts:
        return []
    pieces = matrices((part for part, _ in starts), clocks_of(zone))
    owner = np.array([number for _, number in starts], np.int64)
    pieces, owner = calls.delays(pieces, owner, matrices(cells, clocks_of(zone)))
    return [(zone_of(piece), int(number)) for piece, number in zip(pieces, owner)]


def meet(zone: Zone, other: Zone) -> Zone | None:
    """What is in both; None when nothing is."""
    return constrain(zone, constraints_of(other))


def constraints_of(zone: Zone) -> Constraints:
    """All bounds that are not trivial, redundant ones, too."""
    bounds = matrix(zone)
    trivial = matrix(universe(clocks_of(zone)))
    return tuple((int(i), int(j), int(bounds[i, j])) for i, j in zip(*np.nonzero(bounds < trivial)))


def point(zone: Zone) -> tuple[Fraction, ...]:
    """Values of all clocks inside the zone, early and easy to read."""
    bounds = matrix(zone)
    values = [Fraction(0)]
    # In canonical form, whatever satisfies the bounds among the first clocks can be extended to the others.
    for clock in range(1, len(bounds)):
        lows = [(value - (int(bounds[j, clock]) >> 1), not bounds[j, clock] & 1) for j, value in enumerate(values)]
        highs = [
            (value + (int(bounds[clock, j]) >> 1), bool(bounds[clock, j] & 1))
            for j, value in enumerate(values)
            if bounds[clock, j] < INFINITY
        ]
        low, open_low = max(lows)
        high, closed_high = min(highs, default=(None, True))
        values.append(simplest(Interval(low, open_low, high, not closed_high)))
    return tuple(values[1:])


def show(zone: Zone, clocks: Sequence[str]) -> str:
    """`x = 3, 1 <= y - x < 2, z > 4`: no more than is needed, and `true` where nothing is."""
    return sentence(matrix(zone).tolist(), clocks)
