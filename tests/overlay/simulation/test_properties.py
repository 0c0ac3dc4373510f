"""What has to hold of any run on any network."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from homing.overlay.colours import scenarios
from homing.overlay.network import Network
from homing.overlay.simulation.packets import IN_FLIGHT
from homing.overlay.simulation.ports import Port
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import simulate
from homing.overlay.simulation.script import Change
from homing.overlay.simulation.settings import PROTOCOLS, Settings
from homing.overlay.simulation.world import World
from homing.overlay.tables import plan
from homing.overlay.trees import NO_BROKER
from tests.overlay.networks import networks
from tests.overlay.simulation import small
from tests.scale import scaled

QUIET = Settings(rate=1e6, packets=0.5, pairs=3, until=1000.0)
SETTLED = 40.0  # seconds after which no protocol has anything left to say


def serves(network: Network, protocol: str) -> bool:
    """Layers are of links that carry both ways; topics may have nobody to send to."""
    return bool(network.pairs()) and not (protocol == "rrl" and any(link.directed for link in network.links))


@st.composite
def changes(draw: st.DrawFn, links: int, most: int = 4) -> tuple[Change, ...]:
    """Links that go up and down, some at nearly the same time; never more than two are down."""
    found, down, time = [], set[int](), 5.0
    for _ in range(draw(st.integers(1, most))):
        link = draw(st.integers(0, links - 1))
        if link in down or len(down) < 2:
            up = link in down
            (down.discard if up else down.add)(link)
            found.append(Change(time, link, up))
        time += draw(st.sampled_from([0.0, 0.01, 0.3, 2.0, 4.1, 9.0]))
    return tuple(found)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=scaled(8))
@given(st.data())
def test_every_packet_is_somewhere(protocol: str, data: st.DataObject) -> None:
    """Sent is delivered, lost or in flight, at every moment; what is in flight is counted where it is."""
    network = data.draw(networks(timed=True))
    assume(serves(network, protocol))
    seed, rate = data.draw(st.integers(0, 99)), data.draw(st.sampled_from([800.0, 3000.0, 1e5]))
    drawn = Settings(until=40.0, seed=seed, rate=rate, packets=2.0, failure_rate=0.02, traffic="poisson", buffer=3)
    world = World(Routes(scenarios(network, "links")), protocol, drawn)
    world.start()
    for moment in sorted(np.random.default_rng(seed).uniform(0, 40, 20).tolist()):
        world.run(moment)
        ended = sum(world.outcomes.values())
        assert len(world.packets) == ended + world.travelling()
        assert ended == sum(packet.outcome != IN_FLIGHT for packet in world.packets)


def test_a_packet_that_vanishes_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Port, "fail", lambda port: port._queue.clear())
    drawn = Settings(until=40.0, packets=15.0)
    world = small.world(small.routes("1-2 2-3", "1 3"), "pcrt", drawn, ["1-2@20"])
    world.run(21.0)
    assert len(world.packets) != sum(world.outcomes.values()) + world.travelling()


@pytest.mark.parametrize("protocol", ["pcrt", "ospf"])
@settings(max_examples=scaled(15))
@given(st.data())
def test_tables_become_those_of_the_plan(protocol: str, data: st.DataObject) -> None:
    """Some time after the last change, and from then on, brokers have the next hops that `homing overlay plan` has."""
    network = data.draw(networks(timed=True, most=6))
    assume(serves(network, protocol))
    found = scenarios(network, "links:1-2" if len(network.links) > 1 else "links")
    script = data.draw(changes(len(network.links)))
    world = World(Routes(found), protocol, QUIET, script)
    world.start()
    planned = plan(found)
    at = script[-1].time + SETTLED
    for moment in (at, at + 1.7, at + 20.0):
        world.run(moment)
        colour = found.colour(world.down)
        assert colour is not None
        assert disagreeing(world, planned.hops(colour)) == []
        assert world.settled()


def disagreeing(world: World, hops: np.ndarray[tuple[int, int], np.dtype[np.uint16]]) -> list[tuple[int, int]]:
    """Brokers and destinations whose next hop is another one than planned; only where there is a way."""
    found = []
    for router in world.routers:
        for destination, port in enumerate(router.table):
            wanted = int(hops[destination, router.number])
            if wanted != NO_BROKER and (port is None or port.target != wanted):
                found.append((router.number, destination))
    return found


def test_a_wrong_table_is_noticed() -> None:
    on = small.routes("1-2 1-3 2-3", "1 2")
    world = small.world(on, "pcrt", QUIET, ["1-2@5"])
    world.run(3.0)
    assert disagreeing(world, plan(on.scenarios).hops(1)) == []
    assert world.settled()
    world.run(6.0)  # before anybody can know
    assert disagreeing(world, plan(on.scenarios).hops(2)) == [(0, 1), (1, 0)]
    assert not world.settled()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_same_seed_gives_the_same_run(protocol: str) -> None:
    on = Routes(scenarios(small.network("1-2 2-3 3-4 4-1 1-3"), "links"))
    drawn = Settings(until=60.0, failure_rate=0.02, traffic="poisson", seed=7)
    first, second = (simulate(on, protocol, drawn) for _ in range(2))
    assert first.log == second.log
    assert first.messages == second.messages
    assert np.array_equal(first.packets.ended, second.packets.ended, equal_nan=True)
    other = simulate(on, protocol, Settings(until=60.0, failure_rate=0.02, traffic="poisson", seed=8))
    assert other.log != first.log


def test_all_protocols_see_the_same_traffic_and_failures() -> None:
    on = Routes(scenarios(small.network("1-2 2-3 3-4 4-1 1-3"), "links"))
    drawn = Settings(until=60.0, failure_rate=0.02, traffic="poisson", seed=7)
    runs = [simulate(on, protocol, drawn) for protocol in PROTOCOLS]
    changed = [[(each.time, each.link, each.up) for each in run.recoveries] for run in runs]
    assert changed[0] == changed[1] == changed[2]
    assert len(changed[0]) > 3
    for run in runs[1:]:
        assert np.array_equal(run.packets.sent, runs[0].packets.sent)
        assert np.array_equal(run.packets.source, runs[0].packets.source)


def test_random_failures_have_the_rate_asked_for() -> None:
    on = Routes(scenarios(small.network("1-2 2-3 3-4 4-1 1-3"), "links"))
    drawn = Settings(until=100_000.0, failure_rate=0.01, mean_repair=25.0)
    world = World(on, "pcrt", drawn)
    failures = sum(not change.up for change in world.changes)
    # Up 100 s and down 25 s on average: a failure each 125 s, of five links.
    assert failures == pytest.approx(5 * 100_000 / 125, rel=0.05)


def test_paths_go_over_links_that_are_there() -> None:
    on = Routes(scenarios(small.network("1-2 2-3 3-4 4-1 1-3"), "links"))
    run = simulate(on, "ospf", Settings(until=60.0, failure_rate=0.02))
    links = {frozenset((link.source, link.target)) for link in run.network.links}
    for path in run.packets.paths:
        assert all(frozenset(hop) in links for hop in pairwise(path))
    for stretch in run.stretches():
        assert (stretch.path[0], stretch.path[-1]) == (stretch.source, stretch.destination)
    assert sum(stretch.packets for stretch in run.stretches()) == run.packets.counts()["delivered"]
