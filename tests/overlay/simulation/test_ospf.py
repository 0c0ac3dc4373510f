"""OSPF: adjacencies, flooding, and when tables are computed."""

from __future__ import annotations

from itertools import pairwise

import pytest

from homing.overlay.simulation.packets import Message
from homing.overlay.simulation.routers.ospf import FULL, INIT, OspfRouter
from homing.overlay.simulation.run import Run
from homing.overlay.simulation.settings import Settings
from homing.overlay.simulation.world import World
from tests.overlay.simulation import small

SQUARE = "1-2 2-3 3-4 1-4 1-3"


def moments(run: Run | World, kind: str, broker: str = "") -> list[float]:
    return [entry.time for entry in run.log if entry.kind == kind and broker in ("", entry.broker)]


def routers(world: World) -> list[OspfRouter]:
    return [router for router in world.routers if isinstance(router, OspfRouter)]


def test_hold_times_double_while_changes_go_on() -> None:
    """A link of 1 goes down and up, a change each second; it is noticed at once, or by hellos each 0.1 s."""
    on = small.routes("1-2 1-3 2-3 1-4 3-4", "1 4")
    settings = Settings(until=60.0, rate=1e6, detection="at-once", spread=False, interval=0.1, retransmit=5.0)
    fail = [f"1-2@{10 + time}" for time in range(0, 40, 2)]
    repair = [f"1-2@{11 + time}" for time in range(0, 40, 2)]
    world = small.world(on, "ospf", settings, fail, repair)
    world.run(50.0)
    computed = moments(world, "run_spf", "1")
    gaps = [later - earlier for earlier, later in pairwise(computed)]
    assert computed[0] == pytest.approx(10.2)
    assert gaps[0] == pytest.approx(1.23, abs=0.01)  # the repair came after the hold of 1 s: only the delay
    assert gaps[1:] == pytest.approx([1.0, 2.0, 4.0, 8.0, 10.0, 10.0], abs=1e-6)


def test_a_quiet_time_ends_the_hold() -> None:
    on = small.routes("1-2 1-3 2-3", "1 2")
    run = small.run(on, "ospf", Settings(until=80.0, rate=1e6), ["1-2@20"], ["1-2@50"])
    for failure in run.recoveries:
        assert failure.converged is not None
    assert moments(run, "run_spf", "1")[0] - moments(run, "detect_failure", "1")[0] == pytest.approx(0.2)
    assert moments(run, "run_spf", "3")[-1] < 53.0


def test_a_repaired_link_waits_for_both_hellos() -> None:
    run = small.run(small.routes("1-2 1-3 2-3", "1 2"), "ospf", Settings(until=80.0, rate=1e6), ["1-2@20"], ["1-2@50"])
    heard, seen, adjacent = (moments(run, kind)[0] for kind in ("recover", "two_way", "adjacent"))
    assert 50.0 < heard < seen < adjacent < run.recoveries[1].converged  # type: ignore[operator]
    assert run.messages["description"] == 2


def test_databases_agree_after_a_partition() -> None:
    """1 is cut off while 3-4 fails and 2-4 comes back; the neighbour sends what it missed."""
    on = small.routes("1-2 2-3 3-4 2-4", "1 4", failures="links:1-2")
    world = small.world(on, "ospf", Settings(until=100.0, rate=1e6), ["1-2@10", "3-4@30"], ["1-2@50"])
    world.run(45.0)
    assert len({tuple(sorted(router.database.items())) for router in routers(world)}) == 2
    world.run(60.0)
    assert len({tuple(sorted(router.database.items())) for router in routers(world)}) == 1
    assert world.settled()
    assert {
        each.state for router in routers(world) for link, each in router.interfaces.items() if link not in world.down
    } == {FULL}


def test_an_lsa_that_is_lost_is_sent_again() -> None:
    """The link over which 3 would hear of the failure is down itself for a moment, too short to be noticed."""
    on = small.routes("1-2 2-3 2-4 1-4", "1 3")
    settings = Settings(until=60.0, spread=False)
    run = small.run(on, "ospf", settings, ["1-2@20.5", "2-3@24.0"], ["2-3@24.2"])
    lsas = [entry for entry in run.log if entry.kind == "receive_lsa" and entry.broker == "3"]
    heard = [entry.time for entry in lsas if entry.details["origin"] == "2"]
    assert moments(run, "detect_failure", "2") == [pytest.approx(24.0612)]  # of 1-2
    assert heard[0] == pytest.approx(25.0612 + 0.0768 + 0.01)  # after a second, 768 bits and 10 ms


def test_a_link_counts_only_if_both_ends_say_so() -> None:
    world = small.world(small.routes("1-2 1-3 2-3", "1 2"), "ospf", Settings(until=20.0))
    router = routers(world)[2]
    assert router._two_way(0)
    router.database[0] = router.database[0]._replace(links=frozenset({1}))
    assert not router._two_way(0)


def test_a_neighbour_that_does_not_see_us_is_no_neighbour() -> None:
    """Hellos come through one way only: the end that hears them learns of it from their content."""
    world = small.world(small.routes("1-2 1-3 2-3", "1 2"), "ospf", Settings(until=20.0))
    router = routers(world)[0]
    router.hear(router.interfaces[0], Message("hello", 512.0, (0, 1.0, True)))
    assert router.interfaces[0].state == FULL
    router.hear(router.interfaces[0], Message("hello", 512.0, (0, 1.0, False)))
    assert router.interfaces[0].state == INIT
    assert router.database[0].links == {1}
