"""Operations on difference bound matrices, against points on a grid."""

from __future__ import annotations

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale import scaled
from tests.timed.points import (
    GREATEST,
    Points,
    constraints,
    drawn_zones,
    grid,
    inside,
    is_canonical,
    later,
    unit,
    with_clock,
)

from homing.timed import zones
from homing.timed.kernels import calls
from homing.timed.system import INFINITY, Reset

CLOCKS = [1, 2, 3]
few = settings(max_examples=scaled(40))
all_points = cache(grid)


def moments(clocks: int) -> range:
    """Long enough to reach any zone from any point."""
    return range((2 * GREATEST * clocks + 2) * unit(clocks))


@cache
def some_points(clocks: int) -> Points:
    points = all_points(clocks)
    return points[np.random.default_rng(7).permutation(len(points))[:2000]]


def agree(zone: zones.Zone | None, points: Points, expected: np.ndarray) -> bool:
    return (zone is None or is_canonical(zone)) and bool((inside(zone, points) == expected).all())


@pytest.mark.parametrize("clocks", CLOCKS)
def test_universe_and_zero(clocks: int) -> None:
    points = all_points(clocks)
    assert agree(zones.universe(clocks), points, np.ones(len(points), bool))
    assert agree(zones.zero(clocks), points, (points == 0).all(axis=1))


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_constraining_keeps_what_satisfies_all(clocks: int, data: st.DataObject) -> None:
    zone, more = data.draw(drawn_zones(clocks)), data.draw(constraints(clocks))
    points, scale = all_points(clocks), unit(clocks)
    expected = inside(zone, points)
    for i, j, bound in more:
        difference = points[:, i] - points[:, j]
        expected &= difference <= bound // 2 * scale if bound % 2 else difference < bound // 2 * scale
    kept = zones.constrain(zone, more)
    assert (kept is not None) == expected.any()
    assert agree(kept, points, expected)


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_one_constraint_is_satisfied_where_its_zone_is_not_empty(clocks: int, data: st.DataObject) -> None:
    zone = data.draw(drawn_zones(clocks))
    for constraint in data.draw(constraints(clocks)):
        operation = np.array([(calls.SATISFIES, *constraint)], np.int32)
        bounds = zones.matrix(zone)
        assert calls.perform(bounds, operation) == (zones.constrain(zone, (constraint,)) is not None)
        assert zones.zone_of(bounds) == zone


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_closing_gives_the_same_as_constraining(clocks: int, data: st.DataObject) -> None:
    zone, more = data.draw(drawn_zones(clocks)), data.draw(constraints(clocks))
    bounds = zones.matrix(zone)
    for i, j, bound in more:
        bounds[i, j] = min(bounds[i, j], bound)
    assert zones.closed(bounds) == zones.constrain(zone, more)


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_time_passes_and_goes_back(clocks: int, data: st.DataObject) -> None:
    zone, points = data.draw(drawn_zones(clocks)), some_points(clocks)
    before = np.zeros(len(points), bool)
    after = np.zeros(len(points), bool)
    for time in moments(clocks):
        before |= inside(zone, later(points, time))
        after |= inside(zone, later(points, -time))
    assert agree(zones.up(zone), points, after)
    assert agree(zones.down(zone), points, before)


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_resetting_copying_and_freeing(clocks: int, data: st.DataObject) -> None:
    zone, points = data.draw(drawn_zones(clocks)), some_points(clocks)
    clock, source = data.draw(st.integers(1, clocks)), data.draw(st.integers(0, clocks))
    value = data.draw(st.integers(0, GREATEST))
    scale = unit(clocks)
    somewhere = np.zeros(len(points), bool)
    for time in moments(clocks):
        somewhere |= inside(zone, with_clock(points, clock, time))
    if source == clock:
        expected = inside(zone, with_clock(points, clock, points[:, clock] - value * scale))
    else:
        expected = somewhere & (points[:, clock] == points[:, source] + value * scale)
    assert agree(zones.reset(zone, [Reset(clock, value, source)]), points, expected)
    assert agree(zones.free(zone, [clock]), points, somewhere)


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_inclusion_and_equality(clocks: int, data: st.DataObject) -> None:
    big, small = data.draw(drawn_zones(clocks)), data.draw(drawn_zones(clocks))
    small = data.draw(st.sampled_from([small, zones.meet(big, small) or small]))
    one, other = inside(big, all_points(clocks)), inside(small, all_points(clocks))
    assert zones.includes(big, small) == bool((one | ~other).all())
    assert (big == small) == bool((one == other).all())


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_time_diverges_where_no_clock_is_bounded(clocks: int, data: st.DataObject) -> None:
    zone = data.draw(drawn_zones(clocks))
    assert zones.unbounded(zones.up(zone))
    assert zones.unbounded(zone) == all(bound == INFINITY for bound in zones.matrix(zone)[1:, 0])


@pytest.mark.parametrize("clocks", CLOCKS)
def test_hashes_differ(clocks: int) -> None:
    """Also in their low and in their high bits, which tables use."""
    steps = [zones.zero(clocks)]
    for value in range(400):
        steps.append(zones.reset(zones.up(steps[-1]), [Reset(1 + value % clocks, value)]))
    hashes = {int(calls.hash_of(zones.matrix(zone))) & 0xFFFFFFFFFFFFFFFF for zone in set(steps)}
    assert len(hashes) == len(set(steps))
    assert len({value & 0xFF for value in hashes}) > 150
    assert len({value >> 56 for value in hashes}) > 150


@pytest.mark.parametrize("clocks", CLOCKS)
@few
@given(st.data())
def test_a_point_is_inside(clocks: int, data: st.DataObject) -> None:
    zone = data.draw(drawn_zones(clocks))
    point = zones.point(zone)
    values = [Fraction(0), *point]
    for i, j, bound in zones.constraints_of(zone):
        difference = values[i] - values[j]
        assert difference <= bound // 2 if bound % 2 else difference < bound // 2
    assert len(point) == clocks
    assert min(point) >= 0
