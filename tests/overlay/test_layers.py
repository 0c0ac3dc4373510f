"""Resilient Routing Layers: what is protected is delivered, packet by packet, and the rest is named."""

from __future__ import annotations

import dataclasses

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homing.core.errors import HomingError, Place
from homing.overlay.draft import Draft
from homing.overlay.layers import Layers, Protect, build
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.trees import NO_BROKER, prepare
from tests.overlay.networks import networks
from tests.overlay.oracle import surviving
from tests.scale import scaled

HERE = Place("generated")


def both_ways(network: Network) -> Network:
    return dataclasses.replace(network, links=tuple(dataclasses.replace(x, directed=False) for x in network.links))


def layer_graph(layers: Layers, layer: int) -> nx.MultiGraph:
    missing = np.flatnonzero(~layers.links[layer]).tolist()
    graph = nx.MultiGraph(surviving(layers.network, ()).to_undirected())
    graph.remove_edges_from([(u, v, k) for u, v, k in graph.edges(keys=True) if k in missing])
    return graph


def pairs(network: Network) -> list[tuple[int, int]]:
    everyone = range(len(network.brokers))
    return [(s, d) for s in everyone for d in everyone if s != d]


def check(layers: Layers) -> None:
    """Every claim about the layers, against NetworkX."""
    whole = layer_graph(layers, 0)
    assert set(layers.articulations) == set(nx.articulation_points(nx.Graph(whole)))
    islands = list(nx.connected_components(whole))
    for layer in range(layers.count + 1):
        assert list(nx.connected_components(layer_graph(layers, layer))) == islands
    for broker, layer in enumerate(layers.safe):
        if layer:
            assert layer_graph(layers, layer).degree(broker) <= 1
            transit = [layers.path_in(layer, s, d) for s, d in pairs(layers.network) if broker not in (s, d)]
            assert not any(broker in path for path in transit if path)
    for failed in range(len(layers.network.links)):
        left = surviving(layers.network, (failed,))
        is_bridge = len(list(nx.weakly_connected_components(left))) > len(islands)
        assert (failed in layers.bridges) == is_bridge
        for source, destination in pairs(layers.network):
            check_delivery(layers, source, destination, failed, nx.has_path(left, source, destination))


def check_delivery(layers: Layers, source: int, destination: int, failed: int, possible: bool) -> None:
    path = layers.path(source, destination, failed)
    if path is None:
        assert not possible or failed in layers.exposed
        return
    assert path[0] == source
    assert path[-1] == destination
    normal = layers.path(source, destination)
    assert normal is not None
    if failed not in {int(layers.over[0, destination, u]) for u in normal[:-1]}:
        assert path == normal


@settings(max_examples=scaled(60), deadline=None)
@given(networks(most=8), st.integers(1, 5), st.integers(0, 9), st.sampled_from(["brokers", "links"]))
def test_protected_links_are_survived(network: Network, count: int, seed: int, protect: Protect) -> None:
    check(build(both_ways(network), count, seed, protect))


@pytest.mark.parametrize("protect", ["brokers", "links"])
def test_enough_layers_protect_everything_that_can_be(protect: Protect) -> None:
    layers = build(load("random:32:64:seed=1"), 4, 0, protect)
    assert layers.exposed == ()
    assert len(layers.bridges) == 1
    if protect == "brokers":
        assert layers.unsafe == ()
        shares = [layers.safe.count(layer) for layer in range(1, 5)]
        assert max(shares) - min(shares) <= 2
    for failed in set(range(64)) - set(layers.bridges):
        assert all(layers.path(s, d, failed) for s, d in pairs(layers.network))


def test_a_broker_that_fails_is_passed_by_on_its_safe_layer() -> None:
    """The layer marked when the next hop is not the destination avoids the whole broker, not only the link."""
    layers = build(load("random:32:64:seed=2"), 4)
    network = layers.network
    for source, destination in pairs(network):
        hop, link = int(layers.hops[0, destination, source]), int(layers.over[0, destination, source])
        if hop != destination:
            layer = layers.layer_for(source, hop, link, destination)
            assert layer is not None
            path = layers.path_in(layer, source, destination)
            assert path is not None
            assert hop not in path


def test_ring_needs_a_layer_for_each_link() -> None:
    ring = _ring(5)
    assert [len(build(ring, count).exposed) for count in (1, 2, 3, 4, 5)] == [4, 3, 2, 1, 0]
    assert [len(build(ring, count).unsafe) for count in (1, 2, 3)] == [3, 1, 0]


def test_last_hop_takes_the_own_layer_of_who_noticed() -> None:
    """On a triangle, the layer where 2 is safe may hang it on 1, whose link to it has failed."""
    layers = build(_ring(3), 3)
    for u, v in ((0, 1), (1, 2), (2, 0)):
        link = int(layers.over[0, v, u])
        layer = layers.layer_for(u, v, link, v)
        assert layer is not None
        assert not layers.links[layer, link]
        assert layers.path(u, v, link) == [u, 3 - u - v, v]


def test_layer_zero_is_the_overlays_own_table() -> None:
    network = load("random:20:40:seed=4:costs=9")
    layers = build(network, 2)
    assert (layers.hops[0] == prepare(network).hops.reshape(20, 20)).all()
    assert layers.hops.shape == (3, 20, 20)
    assert layers.hops.dtype == np.uint16
    assert (layers.hops[:, range(20), range(20)] == NO_BROKER).all()


def test_same_seed_same_layers() -> None:
    network = load("random:20:40:seed=4")
    assert (build(network, 3, 5).links == build(network, 3, 5).links).all()
    assert (build(network, 3, 5).links != build(network, 3, 6).links).any()


def test_parallel_links_protect_each_other() -> None:
    draft = _draft(2)
    for cost in (1, 2):
        draft.link(1, 2, HERE, cost=cost, name=f"cable {cost}")
    layers = build(draft.build(), 2)
    assert layers.bridges == layers.exposed == ()
    assert layers.path(0, 1, 0) == [0, 1]


def test_bad_input_is_one_sentence() -> None:
    network = load("random:6:9:seed=1")
    with pytest.raises(HomingError, match="0 layers protect nothing"):
        build(network, 0)
    with pytest.raises(HomingError, match="cannot protect 'everything'"):
        build(network, 1, 0, "everything")  # type: ignore[arg-type]
    draft = _draft(2)
    draft.link(1, 2, HERE, directed=True)
    with pytest.raises(HomingError, match="'1>2' does not"):
        build(draft.build(), 1)


def test_planted_wrong_layers_are_caught() -> None:
    """Were the failed link's layer chosen wrongly, the walk would tell."""
    layers = build(load("random:12:24:seed=3"), 3)
    wrong = dataclasses.replace(layers, safe=tuple(layer % 3 + 1 if layer else 0 for layer in layers.safe))
    with pytest.raises(AssertionError):
        check(wrong)
    whole = dataclasses.replace(layers, links=np.ones_like(layers.links))
    with pytest.raises(AssertionError):
        check(whole)


def _draft(size: int) -> Draft:
    draft = Draft("drawn", HERE)
    for number in range(size):
        draft.broker(number + 1, HERE)
    return draft


def _ring(size: int) -> Network:
    draft = _draft(size)
    for number in range(size):
        draft.link(number + 1, (number + 1) % size + 1, HERE)
    return draft.build()
