"""The state graph against the naive search."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests import reference
from tests.scale import scaled
from tests.systems import anything

from homing.core.graph import Graph
from homing.core.system import TransitionSystem
from homing.engines.local.graph import explore
from homing.engines.local.tuning import Tuning

SIZES = [Tuning(), Tuning(chunk=3, chunks=2, quota=2, memo=2000, parallel=0)]


@pytest.mark.slow
@settings(max_examples=scaled(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(system=anything)
def test_edges_and_labels_are_those_of_the_naive_search(system: TransitionSystem) -> None:
    expected = reference.explore(system, most=400)
    assume(expected is not None)
    assert expected is not None
    for tuning in SIZES:
        agrees(explore(system, 2, tuning), system, expected)


def agrees(graph: Graph, system: TransitionSystem, expected: reference.Found) -> None:
    """Same states, same edges with their events, same labels, and predecessors that mirror the edges."""
    identity = reference.identity_of(system)
    names = [identity(graph.state(number)) for number in range(graph.states)]
    assert len(set(names)) == graph.states == expected.distinct
    # Which of an orbit's states stands for it is the engine's choice, and an event may name its member.
    names_events = not system.shape.symmetry
    found = {
        (names[graph.source[edge]], str(graph.events[graph.event[edge]]) if names_events else "", names[target])
        for edge, target in enumerate(graph.target)
    }
    inside = set(names)
    assert found == {(a, event if names_events else "", b) for a, event, b in expected.edges if b in inside}
    for label in range(len(system.shape.labels)):
        values = graph.label(label)
        assert [int(value) for value in values] == [
            reference.label_of(system, label, graph.state(number)) for number in range(graph.states)
        ]
    start, edge = graph.predecessors
    for state in range(graph.states):
        assert all(graph.target[edge[start[state] : start[state + 1]]] == state)
    assert start[-1] == graph.edges
    assert graph.level[-1] == graph.states


def test_states_are_numbered_breadth_first() -> None:
    from tests.systems import RandomSystem

    graph = explore(RandomSystem(7, 3, 4, 1, 12, 2))
    assert graph.states > 100
    depth = np.full(graph.states, -1)
    depth[graph.initial] = 0
    for state in range(graph.states):
        assert depth[state] >= 0, "a state comes before all states that lead to it"
        for target in graph.target[graph.start[state] : graph.start[state + 1]]:
            depth[target] = depth[state] + 1 if depth[target] < 0 else depth[target]
    assert list(depth) == sorted(depth)
    assert [int(np.searchsorted(depth, level)) for level in range(depth[-1] + 2)] == graph.level.tolist()


@pytest.mark.parametrize("seed", [2, 6, 7])
def test_the_number_of_threads_changes_nothing(seed: int) -> None:
    from tests.systems import RandomSystem

    one, two = (explore(RandomSystem(seed, 3, 4, 1, 12, 2), threads, SIZES[1]) for threads in (1, 2))
    for field in ("start", "target", "group", "event", "level"):
        assert np.array_equal(getattr(one, field), getattr(two, field))
    assert one.events == two.events
