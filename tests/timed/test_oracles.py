"""The oracles themselves: they agree where both know the answer, and know what is plain to see."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from tests.scale import scaled
from tests.timed.networks import Claim, Edge, Location, Network, Process, above, below, exactly
from tests.timed.oracles import RegionGraph, reachable_discretely
from tests.timed.systems import CLOSED, networks

from homing.timed.system import Cell, Reset, at_most

X, Y = 1, 2
HERE, THERE = frozenset({0}), frozenset({1})


@settings(max_examples=scaled(150))
@given(networks(CLOSED))
def test_digital_clocks_reach_what_regions_do(network: Network) -> None:
    assert {state for state, _ in RegionGraph(network).reachable} == reachable_discretely(network)


def one_process(locations: list[Location], edges: list[Edge], *claims: Claim, clocks: int = 1) -> Network:
    return Network(clocks, (Process(tuple(locations), tuple(edges)),), conditions=(claims,))


STEP = Edge(0, 1, above(X, 2))


@pytest.mark.parametrize(
    ("locations", "edges", "claim", "stays", "divergent"),
    [
        # Waiting for ever.
        ([Location(), Location()], [STEP], Claim(0, HERE), True, True),
        # Nothing to wait for: time is blocked, and nothing can be done.
        ([Location(below(X, 1)), Location()], [STEP], Claim(0, HERE), True, False),
        ([Location(below(X, 1, strict=True)), Location()], [STEP], Claim(0, HERE), True, False),
        # Time is blocked, but there is something to do.
        ([Location(below(X, 2)), Location()], [STEP], Claim(0, HERE), False, False),
        ([Location(below(X, 3, strict=True)), Location()], [STEP], Claim(0, HERE), False, False),
        # The condition ends before time does.
        ([Location(), Location()], [STEP], Claim(0, HERE, Cell(below(X, 1))), False, False),
        # For ever and ever, in no time.
        ([Location(urgent=True)], [Edge(0, 0)], Claim(0, HERE), True, False),
        ([Location(below(X, 1))], [Edge(0, 0)], Claim(0, HERE), True, False),
        # Once a unit, or whenever some time has passed, which may be less and less.
        ([Location(below(X, 1))], [Edge(0, 0, exactly(X, 1), (Reset(X),))], Claim(0, HERE), True, True),
        ([Location(below(X, 1))], [Edge(0, 0, above(X, 0, strict=True), (Reset(X),))], Claim(0, HERE), True, True),
        ([Location(below(X, 1))], [Edge(0, 0, (), (Reset(X, 1),))], Claim(0, HERE), True, False),
        # With x in [1, 2] only, and never more than once a unit.
        (
            [Location(below(X, 2))],
            [Edge(0, 0, exactly(X, 2), (Reset(X, 1),))],
            Claim(0, HERE, Cell(above(X, 1))),
            False,
            False,
        ),
    ],
)
def test_staying(locations: list[Location], edges: list[Edge], claim: Claim, stays: bool, divergent: bool) -> None:
    network = one_process(locations, edges, claim)
    label = network.condition(0)
    assert RegionGraph(network, [label]).can_stay(label) == stays
    ticking = RegionGraph(network, [label], ticking=True)
    assert ticking.can_stay(label) == stays
    assert ticking.can_stay(label, divergent=True) == divergent


def test_strict_bounds_matter() -> None:
    """x < 1 when y > 1 is not possible if both start at 0, but is if x is reset."""
    never = Cell(below(X, 1, strict=True) + above(Y, 1, strict=True))
    network = one_process([Location()], [], Claim(0, HERE, never), clocks=2)
    assert not RegionGraph(network, [1]).is_reachable(1)
    network = one_process([Location()], [Edge(0, 0, (), (Reset(X),))], Claim(0, HERE, never), clocks=2)
    assert RegionGraph(network, [1]).is_reachable(1)


def test_deadlock_is_for_good() -> None:
    """A step that will be possible is no deadlock, one that was possible is."""
    network = one_process([Location(), Location()], [Edge(0, 0, exactly(X, 2))], Claim(0, HERE, Cell((), True)))
    graph = RegionGraph(network, [1])
    dead = {region[1] for state, region in graph.reachable if graph.satisfied(1, (state, region))}
    assert dead == {3 * graph.unit}


def test_priorities_block_at_the_same_point_only() -> None:
    edges = [Edge(0, 1, below(X, 2)), Edge(0, 2, below(X, 1), priority=1)]
    network = one_process(
        [Location(), Location(), Location()], edges, Claim(0, THERE, Cell(((X, 0, at_most(1)),))), Claim(0, THERE)
    )
    found = RegionGraph(network, [1])
    assert min(region[1] for state, region in found.reachable if state[0] == 1) > found.unit


def test_committed_and_urgent_stop_time() -> None:
    moving = Process((Location(), Location()), (Edge(0, 1, above(X, 1)),))
    for stopped in (Location(urgent=True), Location(committed=True)):
        network = Network(1, (moving, Process((stopped,), ())))
        assert {state for state, _ in RegionGraph(network).reachable} == {(0, 0, 0)}
    sending, receiving = (Process((Location(), Location()), (Edge(0, 1, channel=end),)) for end in ("u!", "u?"))
    network = Network(1, (moving, sending, receiving), frozenset({"u"}))
    assert (1, 0, 0, 0) not in {state for state, _ in RegionGraph(network).reachable}
    assert (1, 1, 1, 0) in {state for state, _ in RegionGraph(network).reachable}
