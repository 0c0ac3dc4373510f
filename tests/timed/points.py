"""Clock values on a grid that is fine enough to tell zones apart, and what it means to be inside of one.

With n clocks, each region has a point whose fractions are multiples of 1 / (n + 1), and times halfway between those
see whatever happens while time passes from such a point.
"""

from __future__ import annotations

from itertools import product
from typing import Any, TypeAlias

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from homing.timed import zones
from homing.timed.system import INFINITY, Constraints, at_most
from homing.timed.zones import Zone

GREATEST = 3
"""In constraints."""
Points: TypeAlias = NDArray[np.int64]
"""A row a point: 0, then the clocks."""
Inside: TypeAlias = NDArray[np.bool_]


def unit(clocks: int) -> int:
    """The number that stands for 1."""
    return 2 * (clocks + 1)


def grid(clocks: int) -> Points:
    """Beyond all that constraints can say, even on one another."""
    axis = range(0, (GREATEST * clocks + 1) * unit(clocks) + 1, 2)
    return np.array([(0, *point) for point in product(axis, repeat=clocks)])


def inside(zone: Zone | None, points: Points) -> Inside:
    """Which points are in the zone, by its bounds one by one."""
    found = np.ones(len(points), bool)
    if zone is None:
        return ~found
    bounds, scale = zones.matrix(zone), unit(points.shape[1] - 1)
    for (i, j), bound in np.ndenumerate(bounds):
        if bound != INFINITY:
            difference, constant = points[:, i] - points[:, j], int(bound) // 2 * scale
            found &= difference <= constant if bound % 2 else difference < constant
    return found & (points >= 0).all(axis=1)


def later(points: Points, time: int) -> Points:
    moved = points.copy()
    moved[:, 1:] += time
    return moved


def with_clock(points: Points, clock: int, values: Any) -> Points:
    moved = points.copy()
    moved[:, clock] = values
    return moved


def is_canonical(zone: Zone) -> bool:
    """No bound follows from two others, and no clock is negative."""
    bounds = [[None if bound == INFINITY else bound for bound in row] for row in zones.matrix(zone).tolist()]
    size = range(len(bounds))
    for i, j, k in product(size, repeat=3):
        first, second, direct = bounds[i][k], bounds[k][j], bounds[i][j]
        if first is not None and second is not None:
            through = 2 * (first // 2 + second // 2) + (first % 2 and second % 2)
            if direct is None or direct > through:
                return False
    return all(bounds[i][i] == 1 for i in size) and all(bound is not None and bound <= 1 for bound in bounds[0])


def constraints(clocks: int, *, diagonal: bool = True) -> st.SearchStrategy[Constraints]:
    pairs = [(i, j) for i in range(clocks + 1) for j in range(clocks + 1) if i != j and (diagonal or not i or not j)]
    bound = st.builds(lambda constant, strict: at_most(constant, strict=strict), st.integers(-3, 3), st.booleans())
    one = st.builds(lambda pair, bound: (*pair, bound), st.sampled_from(pairs), bound)
    return st.lists(one, max_size=5).map(tuple)


@st.composite
def drawn_zones(draw: st.DrawFn, clocks: int, *, diagonal: bool = True) -> Zone:
    """A zone that is not empty: constraints are left out where they would make it so."""
    zone = zones.universe(clocks)
    for constraint in draw(constraints(clocks, diagonal=diagonal)):
        zone = zones.constrain(zone, (constraint,)) or zone
    return zone
