"""Loop-free alternates: the inequalities with NetworkX's distances, and packets sent to every alternate."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from homing.core.errors import HomingError
from homing.overlay.comparing import alternates
from homing.overlay.comparing.alternates import coverage, recovered
from homing.overlay.draft import Draft
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.trees import prepare
from tests.overlay.networks import HERE, networks
from tests.overlay.oracle import routes, surviving
from tests.scale import scaled

NETWORKS = Path(__file__).parents[3] / "networks"


def away(network: Network) -> dict[int, dict[int, int]]:
    """Distances by cost and hops, [source][destination]."""
    graph, scale = surviving(network, ()), len(network.brokers) + 1
    for _, _, data in graph.edges(data=True):
        data["both"] = data["cost"] * scale + 1
    return dict(nx.all_pairs_dijkstra_path_length(graph, weight="both"))


def slowly(network: Network) -> dict[str, set[tuple[int, int]]]:
    """(destination, source) by each inequality of RFC 5286, as it is written there."""
    dist, table, graph = away(network), routes(network, ()), surviving(network, ())
    scale, far = len(network.brokers) + 1, 10**18
    found: dict[str, set[tuple[int, int]]] = {name: set() for name in ("link", "downstream", "broker")}

    def d(a: int, b: int) -> int:
        return dist[a].get(b, far)

    for (s, to), (_, _, e) in table.items():
        weight = {key: (data["cost"] * scale + 1, key) for key, data in graph[s][e].items()}
        primary = min(weight, key=lambda key: weight[key])
        for _, near, link in graph.out_edges(s, keys=True):
            if link == primary or d(near, to) >= far or not d(near, to) < d(near, s) + d(s, to):
                continue
            found["link"].add((to, s))
            if d(near, to) < d(s, to):
                found["downstream"].add((to, s))
            if e not in (to, near) and d(near, to) < d(near, e) + d(e, to):
                found["broker"].add((to, s))
    return found


@settings(max_examples=scaled(60), deadline=None)
@given(networks(most=8))
def test_alternates_are_those_of_the_inequalities(network: Network) -> None:
    found, slow = alternates.alternates(prepare(network)), slowly(network)
    for name, pairs in slow.items():
        assert {(d, s) for d, s in np.argwhere(getattr(found, name)).tolist()} == pairs, name
    table = routes(network, ())
    for (s, d), (_, _, e) in table.items():
        without = surviving(network, (len(network.links) + e,))
        assert found.broker_possible[d, s] == (e != d and nx.has_path(without, s, d))
    assert not (found.link & ~found.link_possible).any()
    assert not (found.broker & ~found.broker_possible).any()


@settings(max_examples=scaled(30), deadline=None)
@given(networks(most=7))
def test_pcrt_recovers_what_is_possible(network: Network) -> None:
    found = alternates.alternates(prepare(network))
    assert (recovered(network, "links") == found.link_possible).all()
    assert (recovered(network, "brokers") & found.broker_possible == found.broker_possible).all()


def test_a_ring_of_three_and_a_ring_of_four() -> None:
    """By hand: on a triangle the third broker is always an alternate; on a square only from the opposite corner."""
    triangle = coverage(load(str(NETWORKS / "ring.toml")))
    assert triangle[0] == triangle[3] == triangle[-1] == 100
    assert triangle[1] == 0
    assert np.isnan(triangle[2])
    square = coverage(_ring(4))
    assert square[:3] == pytest.approx((100 / 3, 100 / 3, 100))


def test_comparison_has_intervals_where_networks_were_drawn() -> None:
    found = alternates.compare([str(NETWORKS / "ospf-six.toml"), "random:8:14"], 2)
    assert found.finding.endswith("PCRT 100 %")
    assert found.rows[0][0] == "ospf-six"
    assert found.rows[1][0] == "random:8:14, 2 drawn"
    assert "±" in str(found.rows[1][4])
    assert "±" not in str(found.rows[0][4])
    assert found.plots[0].ticks == ("ospf-six", "random:8:14")


def test_a_tree_has_no_alternates() -> None:
    tree = str(NETWORKS / "six.toml")
    found = alternates.compare([tree, str(NETWORKS / "ring.toml")], 1)
    assert [str(cell) for cell in found.rows[0][3:]] == ["0", "-", "-", "-", "-", "-"]
    assert "recover 100 % after a link fails" in found.finding
    with pytest.raises(HomingError, match="leave a way around it"):
        alternates.compare([tree], 1)


def _ring(size: int) -> Network:
    draft = Draft("ring", HERE)
    for number in range(size):
        draft.broker(number, HERE)
    for number in range(size):
        draft.link(number, (number + 1) % size, HERE)
    return draft.build()
