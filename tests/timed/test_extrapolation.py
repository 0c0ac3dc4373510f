"""What extrapolation may add to a zone, and what it must make equal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale import scaled
from tests.timed.points import drawn_zones, grid, inside, is_canonical, unit

from homing.timed import zones
from homing.timed.system import INFINITY, NEVER, Reset, at_most

few = settings(max_examples=scaled(60))
all_points = cache(grid)


def constants(clocks: int) -> st.SearchStrategy[tuple[int, ...]]:
    return st.lists(st.integers(NEVER, 3), min_size=clocks, max_size=clocks).map(lambda drawn: (0, *drawn))


@pytest.mark.parametrize("clocks", [1, 2, 3])
@few
@given(st.data())
def test_both_add_points_once_and_for_all(clocks: int, data: st.DataObject) -> None:
    zone, lower, upper = data.draw(drawn_zones(clocks)), data.draw(constants(clocks)), data.draw(constants(clocks))
    for bigger in (zones.extrapolate_lu(zone, lower, upper), zones.extrapolate_m(zone, lower)):
        assert is_canonical(bigger)
        assert zones.includes(bigger, zone)
        finite = [abs(bound) for bound in zones.matrix(bigger).flat if bound != INFINITY]
        assert max(finite) <= 2 * sum(max(0, *pair) for pair in zip(lower, upper)) + 1
    by_lu, by_m = zones.extrapolate_lu(zone, lower, upper), zones.extrapolate_m(zone, lower)
    assert zones.extrapolate_lu(by_lu, lower, upper) == by_lu
    assert zones.extrapolate_m(by_m, lower) == by_m


@pytest.mark.parametrize("clocks", [1, 2, 3])
@few
@given(st.data())
def test_each_point_of_extra_lu_is_matched_by_one_of_the_zone(clocks: int, data: st.DataObject) -> None:
    zone, lower, upper = data.draw(drawn_zones(clocks)), data.draw(constants(clocks)), data.draw(constants(clocks))
    bigger, points = zones.extrapolate_lu(zone, lower, upper), all_points(clocks)
    added = points[inside(bigger, points) & ~inside(zone, points)]
    draw = np.random.default_rng(data.draw(st.integers(0, 9)))
    for point in draw.permutation(added)[:20].tolist():
        assert zones.closed(matching(zone, point, lower, upper)) is not None


def matching(zone: zones.Zone, point: list[int], lower: Sequence[int], upper: Sequence[int]) -> zones.Matrix:
    """The points of the zone that can do all that the given one can, with time in the unit of the grid.

    A clock may only be greater where it is above its upper constant already, and smaller as long as it stays above its
    lower one.
    """
    bounds, scale = zones.matrix(zone), unit(len(point) - 1)
    finite = bounds != INFINITY
    bounds[finite] = bounds[finite] // 2 * scale * 2 + bounds[finite] % 2
    for clock in range(1, len(point)):
        if point[clock] <= upper[clock] * scale:
            bounds[clock, 0] = min(bounds[clock, 0], at_most(point[clock]))
        if point[clock] <= lower[clock] * scale:
            bounds[0, clock] = min(bounds[0, clock], at_most(-point[clock]))
        elif lower[clock] != NEVER:
            bounds[0, clock] = min(bounds[0, clock], at_most(-lower[clock] * scale, strict=True))
    return bounds


@pytest.mark.parametrize("clocks", [1, 2])
@few
@given(st.data())
def test_each_point_of_extra_m_is_in_a_region_of_the_zone(clocks: int, data: st.DataObject) -> None:
    zone, most = data.draw(drawn_zones(clocks)), data.draw(constants(clocks))
    points, bigger = all_points(clocks), zones.extrapolate_m(zone, most)
    known = {region(point, most) for point in points[inside(zone, points)].tolist()}
    assert {region(point, most) for point in points[inside(bigger, points)].tolist()} == known


def region(point: list[int], most: Sequence[int]) -> object:
    """All that matters of a point: whole numbers, and the order of fractions, as far as clocks are not above."""
    scale = unit(len(point) - 1)
    below = [clock for clock in range(1, len(point)) if point[clock] <= most[clock] * scale]
    fractions = sorted({0} | {point[clock] % scale for clock in below})
    return tuple((clock, point[clock] // scale, fractions.index(point[clock] % scale)) for clock in below)


@few
@given(st.data())
def test_a_clock_that_does_not_matter_makes_no_difference(data: st.DataObject) -> None:
    zone, clocks = data.draw(drawn_zones(3)), 3
    lower, upper = list(data.draw(constants(clocks))), list(data.draw(constants(clocks)))
    clock = data.draw(st.integers(1, clocks))
    lower[clock] = upper[clock] = NEVER
    for other in (
        zones.free(zone, [clock]),
        zones.reset(zone, [Reset(clock, data.draw(st.integers(0, 3)))]),
        zones.reset(zone, [Reset(clock, 1, clock % clocks + 1)]),
    ):
        assert zones.extrapolate_lu(zone, lower, upper) == zones.extrapolate_lu(other, lower, upper)
        assert zones.extrapolate_m(zone, lower) == zones.extrapolate_m(other, lower)


def test_bounds_that_nothing_depends_on_go() -> None:
    """x = 5, y = 1 after two loops of the usual example."""
    zone = zones.reset(zones.zero(2), [Reset(1, 5), Reset(2, 1)])
    assert zones.show(zones.extrapolate_m(zone, (0, 2, 3)), "xy") == "y = 1, x > 2"
    assert zones.show(zones.extrapolate_lu(zone, (0, 2, 0), (0, NEVER, 3)), "xy") == "y >= 1"
    assert zones.show(zones.extrapolate_lu(zone, (0, NEVER, 3), (0, 7, NEVER)), "xy") == "x >= 5, y <= 1"
