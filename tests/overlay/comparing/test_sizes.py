"""Table sizes: counted, by formula, and how they grow."""

from __future__ import annotations

import pytest

from homing.overlay.colours import scenarios
from homing.overlay.comparing import sizes
from homing.overlay.comparing.comparison import drawn
from homing.overlay.tables import plan


@pytest.mark.parametrize("brokers", [10, 30])
def test_entries_are_those_of_the_tables(brokers: int) -> None:
    """Against every broker's own super routing table, and its plain ones, entry by entry."""
    (network,) = drawn(f"random:{brokers}:{2 * brokers}", 1)
    tables = plan(scenarios(network, "links"))
    found = sizes.measure(brokers, 1)
    supers = [tables.condense(broker) for broker in range(brokers)]
    assert found["condensed"].mean == sum(len(each.entries) for each in supers) / brokers
    assert found["lookup array"].mean == supers[0].addresses.size
    colours = range(1, len(tables.scenarios) + 1)
    normal = tables.hops(1)
    changes = sum(int((tables.hops(colour) != normal).sum()) for colour in colours)
    assert found["normal and changes"].mean == brokers - 1 + changes / brokers
    assert found["plain"].mean == sizes.right(brokers, 4)


def test_the_formulas_sign() -> None:
    assert sizes.printed(50, 4) == 5049
    assert sizes.right(50, 4) == 4949 == (50 * 4 / 2 + 1) * (50 - 1)


def test_growth_tells_a_power_from_an_exponential() -> None:
    brokers = range(10, 101, 10)
    square = sizes.grow(brokers, [3 * n**2 for n in brokers])
    assert square.power == pytest.approx(2)
    assert square.fit == pytest.approx(1)
    assert square.exponential < 0.95
    doubled = sizes.grow(brokers, [1.1**n for n in brokers])
    assert doubled.exponential == pytest.approx(1)
    assert doubled.fit < 0.95


def test_comparison() -> None:
    found = sizes.compare(2, (10, 20, 30))
    assert "plain as N^2.0" in found.finding
    assert [row[0] for row in found.rows] == [10, 20, 30]
    assert "5049 as printed" in found.notes[0]
    formula = found.plots[2]
    assert formula.series[0].y == [20, 40, 60]
    assert formula.series[1].y == [0, 0, 0]
    assert [series.x[-1] for series in found.plots[3].series] == [9, 10, 10, 10]
