"""The thesis's comparison with OSPF on six brokers (6.3.2, Figures 6-14 to 6-17)."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from homing.overlay.colours import scenarios
from homing.overlay.readers import load
from homing.overlay.simulation import script
from homing.overlay.simulation.measures import Summary, summary
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import Run, simulate
from homing.overlay.simulation.settings import Settings

SIX = str(Path(__file__).parents[3] / "networks" / "ospf-six.toml")
SEEDS = range(1, 31)
FEW = SEEDS[:6]


@cache
def runs(protocol: str, flooding: str = "links") -> tuple[Run, ...]:
    network = load(SIX)
    on = Routes(scenarios(network, "links"))
    changes = script.read(network, ["2-3@50"], ["2-3@100"])
    seeds = SEEDS if protocol in ("pcrt", "ospf") and flooding == "links" else FEW
    return tuple(simulate(on, protocol, Settings(seed=seed, flooding=flooding), changes) for seed in seeds)


def told(protocol: str) -> Summary:
    return summary(runs(protocol))


@pytest.mark.parametrize("protocol", ["pcrt", "ospf"])
def test_the_paths(protocol: str) -> None:
    names = load(SIX).broker_names
    for run in runs(protocol):
        ways = ["-".join(names[broker] for broker in stretch.path) for stretch in run.stretches()]
        assert ways == ["1-2-3", "1-2-6-5-3", "1-2-3"]


def test_rrl_goes_round_from_where_the_failure_is_noticed() -> None:
    """Its layers decide the way; what it cannot do is to turn packets away before they come to the failure."""
    for run in runs("rrl"):
        (_, way, _) = [stretch.path for stretch in run.stretches()]
        assert way[:2] == (0, 1)
        assert way[-1] == 2


def test_latencies() -> None:
    """Two hops of 0.105 s, then four: Figures 6-15 and 6-16."""
    for protocol in ("pcrt", "ospf"):
        latency = runs(protocol)[0].packets.latency
        assert latency[5:45].min() == pytest.approx(0.21)
        assert latency[60:95].min() == pytest.approx(0.42)
        assert latency[110:140].min() == pytest.approx(0.21)


def test_detection_takes_equally_long() -> None:
    for mine, theirs in zip(runs("pcrt"), runs("ospf"), strict=True):
        assert mine.recoveries[0].detected == theirs.recoveries[0].detected


def test_pcrt_reconverges_sooner_under_every_seed() -> None:
    for mine, theirs in zip(runs("pcrt"), runs("ospf"), strict=True):
        for before, after in zip(mine.recoveries, theirs.recoveries, strict=True):
            assert before.converged is not None
            assert after.converged is not None
            assert before.converged < after.converged
        assert mine.lost <= theirs.lost


def test_pcrt_loses_fewer_packets_and_uses_the_healed_link_sooner() -> None:
    """Beyond chance: the 95 % intervals of the differences do not reach 0."""
    for name in ("lost", "healed_used", "restored", "reconverged"):
        more = told("ospf").beside(told("pcrt"), name)
        assert more is not None
        assert more.low > 0, name


def test_a_strict_broker_gives_away_what_pcrt_gains() -> None:
    """Who believes only itself about its own links waits for its own dead interval, and OSPF may be sooner."""
    reconverged = [
        [run.recoveries[0].after("converged") or 0.0 for run in found[: len(FEW)]]
        for found in (runs("pcrt"), runs("pcrt", "strict"), runs("ospf"))
    ]
    links, strict, ospf = reconverged
    assert all(mine <= theirs for mine, theirs in zip(links, strict, strict=True))
    assert any(mine > theirs for mine, theirs in zip(strict, ospf, strict=True))
