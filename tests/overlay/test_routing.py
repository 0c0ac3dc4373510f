"""Routes agree with NetworkX under every failure, on both kernels, tie-break included."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homing.overlay.colours import Scenarios, scenarios
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.routing import COUNTS, NO_BROKER, Changes, Router, table
from homing.overlay.trees import NO_DEADLINE, prepare
from tests.overlay.networks import networks
from tests.overlay.oracle import routes, surviving
from tests.scale import scaled


def joined(parts: list[Changes]) -> Changes:
    return Changes(*(np.concatenate([getattr(part, name) for part in parts]) for name in Changes.__dataclass_fields__))


def run(network: Network, found: Scenarios, *, words: bool) -> tuple[Router, Any, Changes]:
    router = Router(prepare(network), all_destinations=True, words=words)
    portions = list(router.changes(found, 1, len(found)))
    return router, np.concatenate([counts for _, counts, _ in portions]), joined([part for _, _, part in portions])


@settings(max_examples=scaled(80), deadline=None)
@given(networks(), st.booleans(), st.sampled_from(["links:1-2", "brokers,links", "any:2"]))
def test_next_hops_agree_with_networkx(network: Network, words: bool, wanted: str) -> None:
    found = scenarios(network, wanted)
    router, counts, changes = run(network, found, words=words)
    n, links = router.state.size, len(network.links)
    assert not counts[:, COUNTS.index("errors")].any()
    for colour in range(1, len(found) + 1):
        failure = found.failure(colour)
        expected = routes(network, failure)
        hops = table(router.state, changes, colour)
        dead = {element - links for element in failure if element >= links}
        cut = 0
        for d in set(range(n)) - dead:
            for u in set(range(n)) - dead - {d}:
                hop = expected[u, d][2] if (u, d) in expected else NO_BROKER
                assert hops[d * n + u] == hop, (colour, failure, u, d)
                cut += bool(router.state.wanted[d * n + u] and hop == NO_BROKER)
        assert counts[colour - 1, COUNTS.index("cut")] == cut


@settings(max_examples=scaled(50), deadline=None)
@given(networks(timed=True), st.sampled_from(["links:1-2", "any:2"]))
def test_costs_latencies_and_deadlines_agree(network: Network, wanted: str) -> None:
    found = scenarios(network, wanted)
    router, counts, changes = run(network, found, words=False)
    state, n, links = router.state, router.state.size, len(network.links)
    rows = {(c, u, d): i for i, (c, u, d) in enumerate(zip(changes.colour, changes.source, changes.destination))}
    for colour in range(1, len(found) + 1):
        failure = found.failure(colour)
        expected = routes(network, failure)
        graph = surviving(network, failure)
        dead = {element - links for element in failure if element >= links}
        late = absent = 0
        for (u, d), limit in network.pairs().items():
            if {u, d} & dead:
                absent += 1
                continue
            if (u, d) not in expected:
                continue
            row = rows.get((colour, u, d))
            weight = changes.weight[row] if row is not None else state.trees.dist[d * n + u]
            delay = (
                changes.delay[row] if row is not None and state.graph.latency.any() else state.trees.delay[d * n + u]
            )
            assert round(float(state.graph.cost(weight)) * 10**6) == expected[u, d][0]
            assert state.graph.hops(weight) == expected[u, d][1]
            assert delay == walked(graph, expected, u, d)
            late += bool(limit is not None and delay > limit * 1000)
        assert counts[colour - 1, COUNTS.index("late")] == late
        assert counts[colour - 1, COUNTS.index("absent")] == absent


def walked(graph: Any, expected: dict[tuple[int, int], tuple[int, int, int]], u: int, d: int) -> int:
    total = 0
    while u != d:
        hop = expected[u, d][2]
        # Of parallel links the cheapest, then the first.
        key = min(graph[u][hop], key=lambda number: (graph[u][hop][number]["cost"], number))
        total += int(graph[u][hop][key]["latency"])
        u = hop
    return total


@pytest.mark.parametrize("source", ["random:50:100:seed=7", "random:64:90:seed=1", "topohub:topozoo/Surfnet"])
def test_both_kernels_count_the_same(source: str) -> None:
    network = load(source)
    found = scenarios(network, "links:1-2,brokers")
    one, other = (Router(prepare(network), words=words) for words in (True, False))
    assert one.uses_words
    assert not other.uses_words
    assert (one.counts(found, 1, len(found)) == other.counts(found, 1, len(found))).all()


def test_tables_are_put_back_after_each_scenario() -> None:
    network = load("random:30:45:seed=3:costs=9")
    found = scenarios(network, "any:2")
    router = Router(prepare(network))
    first = router.counts(found, 1, len(found))
    assert (router.counts(found, 1, len(found)) == first).all()
    assert (first[:, COUNTS.index("cut")] >= 0).all()
    assert (router.state.trees.dist < NO_DEADLINE).all()
