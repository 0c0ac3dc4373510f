"""Zones as values, and as people read them."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale import scaled
from tests.timed.networks import above, below, exactly
from tests.timed.points import drawn_zones

from homing.timed import zones
from homing.timed.picking import Interval, simplest
from homing.timed.system import Constraints, Reset, at_most

X, Y, Z = 1, 2, 3


def read(part: str, names: str) -> Constraints:
    """What a part of the sentence says."""
    terms = re.split(r" (<=|<|>=|>|=) ", part)
    found: Constraints = ()
    for left, sign, right in zip(terms[::2], terms[1::2], terms[2::2]):
        (plus, minus, constant), (plus_right, minus_right, constant_right) = term(left, names), term(right, names)
        clocks = {0: 0, 1: 0, -1: 0}
        for clock, count in ((plus, 1), (minus, -1), (plus_right, -1), (minus_right, 1)):
            if clock:
                assert clocks[count] == 0
                clocks[count] = clock
        difference = constant_right - constant
        if sign[0] in "<=":
            found += ((clocks[1], clocks[-1], at_most(difference, strict=sign == "<")),)
        if sign[0] in ">=":
            found += ((clocks[-1], clocks[1], at_most(-difference, strict=sign == ">")),)
    return found


def term(text: str, names: str) -> tuple[int, int, int]:
    """`x`, `x - y`, `x + 2`, `2`: a clock, one less, and a constant."""
    first, *rest = text.split()
    if first.lstrip("-").isdigit():
        return 0, 0, int(first)
    clock = names.index(first) + 1
    if not rest:
        return clock, 0, 0
    sign, second = rest
    return (clock, 0, int(second)) if sign == "+" else (clock, names.index(second) + 1, 0)


def meaning(parts: list[str]) -> zones.Zone | None:
    zone: zones.Zone | None = zones.universe(3)
    for part in parts:
        zone = zone and zones.constrain(zone, read(part, "xyz"))
    return zone


@settings(max_examples=scaled(200))
@given(drawn_zones(3), st.lists(st.builds(Reset, st.integers(1, 3), st.integers(0, 2), st.integers(0, 3)), max_size=3))
def test_a_zone_is_what_it_says_and_says_no_more_than_it_must(zone: zones.Zone, resets: list[Reset]) -> None:
    zone = zones.reset(zone, resets)
    shown = zones.show(zone, "xyz")
    parts = [] if shown == "true" else shown.split(", ")
    assert meaning(parts) == zone
    for part in parts:
        assert meaning([other for other in parts if other != part]) != zone


@pytest.mark.parametrize(
    ("constraints", "shown"),
    [
        ((), "true"),
        (exactly(X, 3), "x = 3"),
        (exactly(X, 3) + exactly(Z, 3), "x = z = 3"),
        (exactly(X, 3) + above(Z, 4, strict=True), "x = 3, z > 4"),
        (((Y, X, 4), (X, Y, -1)), "1 <= y - x < 2"),
        (((Y, X, 1), (X, Y, 1), *below(X, 5)), "x = y, x <= 5"),
        (((Y, X, 5), (X, Y, -3)), "y = x + 2"),
        (((Y, X, -4),), "x - y > 2"),
        (((Y, X, 0),), "x > y"),
        (((Y, X, 7),), "y - x <= 3"),
        (below(X, 2) + above(X, 1, strict=True), "1 < x <= 2"),
    ],
)
def test_showing(constraints: Constraints, shown: str) -> None:
    zone = zones.constrain(zones.universe(3), constraints)
    assert zone is not None
    assert zones.show(zone, "xyz") == shown


def test_without_clocks() -> None:
    assert zones.universe(0) == zones.zero(0)
    assert zones.show(zones.zero(0), "") == "true"
    assert zones.point(zones.zero(0)) == ()
    assert zones.unbounded(zones.zero(0))
    assert zones.subtract(zones.zero(0), [zones.zero(0)]) == []


@given(drawn_zones(2))
def test_a_value_becomes_a_matrix_and_back(zone: zones.Zone) -> None:
    assert zones.zone_of(zones.matrix(zone)) == zone
    assert zones.closed(zones.matrix(zone)) == zone
    assert zones.clocks_of(zone) == 2


@pytest.mark.parametrize(
    ("interval", "expected"),
    [
        (Interval(Fraction(3), False, None, False), Fraction(3)),
        (Interval(Fraction(3), True, None, False), Fraction(4)),
        (Interval(Fraction(3), True, Fraction(4), True), Fraction(7, 2)),
        (Interval(Fraction(3), True, Fraction(4), False), Fraction(4)),
        (Interval(Fraction(1, 2), True, Fraction(1), True), Fraction(2, 3)),
        (Interval(Fraction(1, 2), False, Fraction(1), True), Fraction(1, 2)),
    ],
)
def test_simple_numbers(interval: Interval, expected: Fraction) -> None:
    assert simplest(interval) == expected
