"""Runs on three brokers in a ring, computed by hand.

1 sends to 2 each second, heartbeats go out each second before that. Links carry 10 000 bits a second and take 10 ms: a
heartbeat (512 bits) arrives after 0.0612 s, a packet (1000 bits) waits for it and arrives after 0.1612 s.
"""

from __future__ import annotations

import pytest

from homing.overlay.simulation.packets import TTL
from homing.overlay.simulation.run import Run
from homing.overlay.simulation.settings import Settings
from tests.overlay.simulation import small

RING = "1-2 1-3 2-3"
SETTINGS = Settings(until=30.0, spread=False, retransmit=5.0)
DETECTED = 14.0612  # the last heartbeat before the failure was heard at 10.0612


def ring(protocol: str) -> Run:
    return small.run(small.routes(RING, "1 2"), protocol, SETTINGS, ["1-2@10.5"], ["1-2@20.2"])


def exactly(value: float | list[float]) -> object:
    return pytest.approx(value, abs=5e-9)  # the dead interval has a nanosecond's grace


@pytest.mark.parametrize(
    ("protocol", "reconverged", "repaired", "used"),
    [
        ("pcrt", DETECTED, 21.1836, 22.1612),  # heartbeat, test and its ACK: three times 0.0612 s
        ("ospf", DETECTED + 0.2, 22.4316, 23.1612),  # the second hello, 0.1092 s of description, an ACK, the SPF delay
        ("rrl", DETECTED, 21.0612, 22.1612),  # a hello is enough
    ],
)
def test_the_ring(protocol: str, reconverged: float, repaired: float, used: float) -> None:
    run = ring(protocol)
    failure, repair = run.recoveries
    assert (failure.detected, failure.converged) == (exactly(DETECTED), exactly(reconverged))
    assert (failure.lost, failure.restored) == (4, exactly(15.2712))
    assert (repair.detected, repair.converged) == (exactly(21.0612), exactly(repaired))
    assert repair.used == exactly(used)
    assert run.packets.counts()["link down"] == run.lost == 4
    assert run.false_alarms == 0


def test_latencies_of_the_ring() -> None:
    latency = ring("pcrt").packets.latency
    assert latency[:11] == exactly(0.1612)
    assert latency[15:21] == exactly(0.2712)  # over 3, where it need not wait: 0.11 s more
    assert latency[22:] == exactly(0.1612)


def test_paths_of_the_ring() -> None:
    ways = [(stretch.path, stretch.first, stretch.last, stretch.packets) for stretch in ring("pcrt").stretches()]
    assert ways == [((0, 1), 0.0, 10.0, 11), ((0, 2, 1), 15.0, 21.0, 7), ((0, 1), 22.0, 29.0, 8)]


def test_messages_of_the_ring() -> None:
    """Heartbeats: six ports, thirty seconds. Floods: hand-counted."""
    found = ring("pcrt").messages
    assert found["heartbeat"] == 180
    assert (found["test"], found["test_ack"]) == (2, 2)
    assert ring("rrl").messages == {"hello": 180}


def test_packets_that_wait_for_each_other() -> None:
    """Twenty packets a second where ten fit: the fourth waits for a heartbeat and three packets, sent 0.15 s before."""
    on = small.routes("1-2 2-3", "1 3", 0.0)
    run = small.run(on, "pcrt", Settings(until=5.0, spread=False, packets=20.0))
    assert run.packets.latency[:4] == exactly([0.2512, 0.3012, 0.3512, 0.4012])
    # A full queue: ten wait and one is sent, so the last to get in is away after 1.1 s and half a packet or more.
    assert run.packets.counts()["queue full"] > 30


def test_detection_at_once() -> None:
    settings = Settings(until=30.0, spread=False, retransmit=5.0, detection="at-once")
    run = small.run(small.routes(RING, "1 2"), "pcrt", settings, ["1-2@10.5"])
    assert run.recoveries[0].detected == run.recoveries[0].converged == exactly(10.5)
    assert run.lost == 0


@pytest.mark.parametrize(("repair", "noticed"), [("13.9", False), ("14.03", True)])
def test_three_heartbeats_may_be_lost(repair: str, noticed: bool) -> None:
    """Down from 10.5, the heartbeats of 11, 12 and 13 are lost: that of 14 comes when the dead interval ends."""
    run = small.run(small.routes(RING, "1 2"), "pcrt", SETTINGS, ["1-2@10.5"], [f"1-2@{repair}"])
    assert any(entry.kind == "detect_failure" for entry in run.log) == noticed
    assert run.false_alarms == 0  # the link was down, if not any more


def test_packets_in_a_loop_end() -> None:
    """1 and 2 send packets for 3 to each other: 64 brokers are enough."""
    world = small.world(small.routes(RING, "1 3"), "pcrt", Settings(until=30.0, spread=False, rate=1e6))
    for here, link in ((0, 0), (1, 0)):
        world.routers[here].table[2] = world.routers[here].interfaces[link].port
    world.run(5.0)
    assert world.outcomes == {TTL: 5}
    assert world.packets[0].path == [0, 1] * 32 + [0]
