"""Path lengths: every case walked packet by packet, and searched with NetworkX."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from homing.core.errors import HomingError
from homing.overlay.comparing import paths
from homing.overlay.comparing.paths import DETOUR, FREE, LOST, PCRT, Cases, layer_name, measure
from homing.overlay.layers import PROTECT, build
from homing.overlay.network import Network
from homing.overlay.readers import load
from tests.overlay.oracle import surviving

NETWORKS = Path(__file__).parents[3] / "networks"

COUNTS = (2, 4)


def lengths(network: Network) -> dict[str, tuple[list[int], list[int]]]:
    """Of each scheme, all cases whose way is cut and all others, the slow way."""
    found: dict[str, tuple[list[int], list[int]]] = {}
    layers = {layer_name(protect, count): build(network, count, 0, protect) for protect in PROTECT for count in COUNTS}
    base = next(iter(layers.values()))
    everyone = range(len(network.brokers))
    for link in range(len(network.links)):
        left = surviving(network, (link,))
        for s, d in [(s, d) for s in everyone for d in everyone if s != d and nx.has_path(left, s, d)]:
            normal = base.path(s, d)
            assert normal is not None
            at = [int(base.over[0, d, u]) for u in normal[:-1]]
            cut = link in at
            before = at.index(link) if cut else 0
            walked = {name: len(each.path(s, d, link) or [s]) - 1 for name, each in layers.items()}
            walked |= {FREE: len(normal) - 1, PCRT: nx.shortest_path_length(left, s, d)}
            walked[DETOUR] = before + nx.shortest_path_length(left, normal[before], d) if cut else len(normal) - 1
            for name, length in walked.items():
                found.setdefault(name, ([], []))[not cut].append(length)
    return found


@pytest.mark.parametrize("source", ["random:9:13:seed=2", str(NETWORKS / "ospf-six.toml")])
def test_every_case_is_as_walked(source: str) -> None:
    network = load(source)
    slow = lengths(network)
    for scheme in measure(network, COUNTS):
        cut, spared = slow.pop(scheme.name)
        assert sorted(scheme.cases.cut.tolist()) == sorted(cut), scheme.name
        assert sorted(scheme.cases.spared.tolist()) == sorted(spared), scheme.name
    assert not slow


def test_a_planted_wrong_length_is_noticed() -> None:
    network = load("random:9:13:seed=2")
    base = build(network, 2)
    longer = replace(base, lengths=base.lengths + (base.lengths > 0))
    rows = paths._crossed(base)
    assert (paths._on_layers(longer, rows) != paths._on_layers(base, rows)).any()


def test_pcrt_is_never_longer_and_layers_never_beat_a_local_detour() -> None:
    schemes = {each.name: each.cases for each in measure(load("random:20:40:seed=3"), COUNTS)}
    for name, cases in schemes.items():
        arrives = cases.cut != LOST
        if name not in (FREE, PCRT):
            assert (cases.cut[arrives] >= schemes[DETOUR].cut[arrives]).all()
            assert (schemes[DETOUR].cut >= schemes[PCRT].cut).all()
    assert (schemes[PCRT].cut >= schemes[FREE].cut).all()


def test_shares_add_up() -> None:
    cases = Cases(np.array([2, 0, 3, 3]), np.array([1, 1, 1, 1, 2, 3]))
    assert cases.shares(False, 4).tolist() == [25, 0, 25, 50, 0]
    assert cases.shares(True, 3).tolist() == [10, 40, 20, 30]
    assert cases.mean(False) == pytest.approx(8 / 3)
    assert cases.against(Cases(np.array([2, 9, 1, 1]), cases.spared)) == 2


def test_comparison_of_several_networks() -> None:
    found = paths.compare(["random:12:24"], 2)
    assert found.finding.startswith("a cut way of ")
    assert "2 networks" in found.finding
    assert [plot.name for plot in found.plots] == ["compare-paths-cut", "compare-paths-all"]
    shares = found.plots[0].series[1]
    assert shares.label == PCRT
    assert sum(shares.y) == pytest.approx(100)


def test_a_tree_has_nothing_to_compare() -> None:
    with pytest.raises(HomingError, match="no link can fail and leave a way around it"):
        measure(load("random:5:4:seed=1"), (2,))
