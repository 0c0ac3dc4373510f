"""Unions of zones, against points on a grid."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale import scaled
from tests.timed.points import Inside, Points, drawn_zones, grid, inside, is_canonical, later

from homing.timed import zones
from homing.timed.system import at_most

few = settings(max_examples=scaled(80))


@cache
def some_points(clocks: int) -> Points:
    points = grid(clocks)
    return points[np.random.default_rng(7).permutation(len(points))[:1000]]


@pytest.mark.parametrize("clocks", [1, 2, 3])
@few
@given(st.data())
def test_subtraction_leaves_disjoint_pieces(clocks: int, data: st.DataObject) -> None:
    zone = data.draw(drawn_zones(clocks))
    others = data.draw(st.lists(drawn_zones(clocks), min_size=1, max_size=3))
    points = some_points(clocks)
    expected = inside(zone, points)
    for other in others:
        expected = expected & ~inside(other, points)
    pieces = zones.subtract(zone, others)
    assert all(map(is_canonical, pieces))
    times_covered = np.zeros(len(points), int)
    for piece in pieces:
        times_covered += inside(piece, points)
    assert (times_covered == expected).all()
    assert not any(zones.meet(one, other) for one in pieces for other in pieces if one is not other)


@pytest.mark.parametrize("clocks", [1, 2, 3])
@pytest.mark.parametrize("diagonal", [False, True])
@few
@given(st.data())
def test_delay_within_a_union_is_exact(clocks: int, diagonal: bool, data: st.DataObject) -> None:
    zone = data.draw(drawn_zones(clocks))
    cells = data.draw(st.lists(drawn_zones(clocks, diagonal=diagonal), min_size=1, max_size=4))
    check_delay(zone, cells)


@few
@given(st.data())
def test_delay_within_what_is_left_of_a_zone(data: st.DataObject) -> None:
    """Cells that touch but do not overlap, as those of a negation."""
    hole = data.draw(drawn_zones(2))
    check_delay(data.draw(drawn_zones(2)), zones.subtract(zones.universe(2), [hole]))


def check_delay(zone: zones.Zone, cells: list[zones.Zone]) -> None:
    pieces = zones.delay_within(zone, cells)
    for piece, number in pieces:
        assert is_canonical(piece)
        assert zones.includes(cells[number], piece)
        assert zones.meet(zones.up(piece), cells[number]) == piece
    points = some_points(zones.clocks_of(zone))
    reached = np.zeros(len(points), bool)
    for piece, _ in pieces:
        reached |= inside(piece, points)
    assert (reached == reached_by_waiting(zone, cells, points)).all()


def reached_by_waiting(zone: zones.Zone, cells: list[zones.Zone], points: Points) -> Inside:
    """Goes back in time for as long as it stays in the union."""
    reached = np.zeros(len(points), bool)
    allowed = np.ones(len(points), bool)
    for time in range(int(points.max()) + 1):
        earlier = later(points, -time)
        union = np.zeros(len(points), bool)
        for cell in cells:
            union |= inside(cell, earlier)
        allowed &= union
        reached |= allowed & inside(zone, earlier)
    return reached


def test_time_crosses_from_cell_to_cell() -> None:
    """x < 1, x = 1, 1 < x <= 2, and a gap before x >= 3."""
    cells = [
        ((1, 0, at_most(1, strict=True)),),
        ((1, 0, at_most(1)), (0, 1, at_most(-1))),
        ((0, 1, at_most(-1, strict=True)), (1, 0, at_most(2))),
        ((0, 1, at_most(-3)),),
    ]
    found = zones.delay_within(zones.zero(1), [zones.constrain(zones.universe(1), cell) or b"" for cell in cells])
    assert [(zones.show(piece, "x"), number) for piece, number in found] == [
        ("x < 1", 0),
        ("x = 1", 1),
        ("1 < x <= 2", 2),
    ]
