"""The thesis's tables come out exactly, and condensed tables answer like plain ones."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings

from homing.overlay.colours import scenarios
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.tables import Order, SuperTable, Tables, plan
from homing.overlay.trees import NO_BROKER
from tests.overlay.networks import networks

NETWORKS = Path(__file__).parents[2] / "networks"


def ring() -> Tables:
    return plan(scenarios(load(str(NETWORKS / "ring.toml"))))


def rows(broker: str, order: Order = "first seen") -> list[tuple[int, str, str, tuple[int, ...]]]:
    tables = ring()
    entries = tables.condense(tables.network.broker_number[broker], order).entries
    return [(entry.address, entry.destination, entry.next_hop, entry.colours) for entry in entries]


def test_table_6_3_colours_and_failures_map_both_ways() -> None:
    found = ring().scenarios
    assert [found.text(colour) for colour in range(1, 5)] == ["None", "F(1, 2)", "F(1, 3)", "F(2, 3)"]
    assert [found.colour(found.failure(colour)) for colour in range(1, 5)] == [1, 2, 3, 4]


def test_table_6_4() -> None:
    assert rows("1") == [(1, "2", "2", (1, 3, 4)), (2, "3", "3", (1, 2, 4)), (3, "2", "3", (2,)), (4, "3", "2", (3,))]


def test_table_6_7_is_numbered_by_destination() -> None:
    # The thesis's own algorithm would number these as first seen, like its Tables 6-4 and 6-9.
    expected = [(1, "1", "1", (1, 3, 4)), (2, "1", "3", (2,)), (3, "3", "3", (1, 2, 3)), (4, "3", "1", (4,))]
    assert rows("2", "destination") == expected
    assert sorted(row[1:] for row in rows("2")) == sorted(row[1:] for row in expected)


def test_table_6_9() -> None:
    assert rows("3") == [(1, "1", "1", (1, 2, 4)), (2, "2", "2", (1, 2, 3)), (3, "1", "2", (3,)), (4, "2", "1", (4,))]


def test_arrays_6_3_and_6_10() -> None:
    tables = ring()
    assert tables.condense(0).next_hops() == [list("1111"), list("2322"), list("3323")]
    assert tables.condense(2).next_hops() == [list("1121"), list("2221"), list("3333")]


def test_sizes_of_the_ring() -> None:
    sizes = ring().sizes()
    assert (sizes.plain_entries, sizes.super_entries, sizes.lookup_entries) == (24, 12, 36)
    assert (sizes.normal_entries, sizes.change_entries) == (6, 6)


def test_the_thesis_counts_one_entry_too_many_for_fifty_brokers() -> None:
    # Equation 6-9 gives 5049 for 50 brokers of degree 4; 101 tables of 49 entries are 4949.
    tables = plan(scenarios(load("random:50:100:seed=7")))
    assert tables.sizes().plain_entries == 50 * 4949


@settings(max_examples=60, deadline=None)
@given(networks())
def test_condensed_tables_answer_like_plain_ones(network: Network) -> None:
    tables = plan(scenarios(network, "links:1-2,brokers"))
    names = network.broker_names
    for broker in range(len(names)):
        condensed: SuperTable = tables.condense(broker)
        assert len({(e.destination, e.next_hop) for e in condensed.entries}) == len(condensed.entries)
        for colour in range(1, len(tables.scenarios) + 1):
            plain = tables.hops(colour)
            for destination in range(len(names)):
                hop = plain[destination, broker]
                expected = None if hop == NO_BROKER or destination == broker else names[hop]
                assert condensed.lookup(colour, destination) == expected
                lean = tables.next_hop(colour, broker, destination)
                assert (None if lean is None else names[lean]) == expected
