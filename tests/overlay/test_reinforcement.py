"""Single points of failure, the link that removes one, and what observations point at."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings

from homing.core.errors import HomingError
from homing.overlay.localisation import locate, read_observed
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.reinforcement import cheapest_link, weak_points
from homing.overlay.trees import prepare
from tests.overlay.networks import networks

NETWORKS = Path(__file__).parents[2] / "networks"


def test_weak_points_are_bridges_and_articulation_points() -> None:
    network = load("topohub:topozoo/Surfnet")
    graph = nx.Graph((link.source, link.target) for link in network.links)
    links = len(network.links)
    bridges = {n for n, link in enumerate(network.links) if graph.edges[link.source, link.target] is not None}
    bridges = {n for n in bridges if nx.has_bridges(graph) and not _survives(graph, network, n)}
    points = {links + broker for broker in nx.articulation_points(graph)}
    assert {point.element for point in weak_points(prepare(network))} == bridges | points


def _survives(graph: nx.Graph, network: Network, number: int) -> bool:
    link = network.links[number]
    left = graph.copy()
    left.remove_edge(link.source, link.target)
    return bool(nx.has_path(left, link.source, link.target))


@settings(max_examples=60, deadline=None)
@given(networks(most=6))
def test_a_proposed_link_is_verified_and_none_is_missed(network: Network) -> None:
    state = prepare(network)
    for point in weak_points(state):
        link = cheapest_link(state, point)
        if link is not None:
            assert link.verified


def test_the_branch_office_needs_a_second_line() -> None:
    network = load(str(NETWORKS / "exchange.toml"))
    state = prepare(network)
    (point,) = weak_points(state)
    link = cheapest_link(state, point)
    assert network.links[point.element].name == "risk-branch"
    assert link is not None
    assert {network.brokers[link.source].name, network.brokers[link.target].name} == {"archive", "branch"}


def test_a_star_needs_more_than_one_link() -> None:
    network = load(str(NETWORKS / "six.toml"))
    state = prepare(network)
    by_element = {point.element: point for point in weak_points(state)}
    assert cheapest_link(state, by_element[len(network.links) + 1]) is None


def test_a_failed_link_and_a_failed_broker_are_located() -> None:
    network = load(str(NETWORKS / "six.toml"))
    state, number, links = prepare(network), network.broker_number, len(network.links)
    text = "publisher,subscriber,delivered\n1,5,no\n3,4,no\n1,2,yes\n5,6,yes\n"
    failing, working = read_observed(Path("seen.csv"), text, network)
    assert locate(state, failing, working).certain == (network.link_number["2-4"],)
    pairs = [(number[a], number[b]) for a, b in (("5", "1"), ("5", "6"), ("6", "3"))]
    assert locate(state, pairs).certain == (links + number["4"],)


def test_observations_of_unknown_brokers() -> None:
    network = load(str(NETWORKS / "six.toml"))
    with pytest.raises(HomingError, match=r"seen.csv:2: unknown broker '9' in an observation"):
        read_observed(Path("seen.csv"), "publisher,subscriber,delivered\n1,9,no\n", network)
