"""PCRT's rules: as repaired, and as the thesis has them, which is sometimes wrong."""

from __future__ import annotations

from typing import Any

import pytest

from homing.overlay.simulation.packets import Message
from homing.overlay.simulation.routers.pcrt import Notice, PcrtRouter
from homing.overlay.simulation.run import Run
from homing.overlay.simulation.settings import Settings
from homing.overlay.simulation.world import World
from tests.overlay.simulation import small

RING = "1-2 1-3 2-3"
SQUARE = "1-2 2-3 3-4 1-4 1-3"
HOUSE = "1-2 2-3 3-4 1-4 1-5 4-5"
FAST = Settings(until=80.0, rate=1e6, packets=1.0)


def kinds(run: Run, kind: str) -> list[dict[str, Any]]:
    return [{"broker": entry.broker, **entry.details} for entry in run.log if entry.kind == kind]


def colours(world: World) -> set[int]:
    found = {router.colour for router in world.routers if isinstance(router, PcrtRouter)}
    assert len(world.routers) >= len(found) > 0
    return found


def after_two_failures(flooding: str, at_once: float = 20.0) -> World:
    """Two links without a common broker fail, so nobody sees both; 5 sees none."""
    on = small.routes(HOUSE, "1 3", failures="links:1-2")
    settings = Settings(until=80.0, rate=1e6, flooding=flooding, spread=False)
    world = small.world(on, "pcrt", settings, ["1-2@20", f"3-4@{at_once}"])
    world.run(60.0)
    return world


@pytest.mark.parametrize("flooding", ["links", "strict"])
def test_two_failures_at_once(flooding: str) -> None:
    world = after_two_failures(flooding)
    assert colours(world) == {world.routes.colour(frozenset(world.down))}
    assert world.settled()


def test_whole_colours_overwrite_each_other() -> None:
    """The thesis's rule: each of two origins floods the colour of the one failure that it has seen."""
    assert len(colours(after_two_failures("colour"))) > 1


def test_whole_colours_work_for_failures_one_by_one() -> None:
    world = after_two_failures("colour", at_once=40.0)
    assert colours(world) == {world.routes.colour(frozenset(world.down))}


def test_a_combination_without_a_colour_leaves_the_last_one() -> None:
    on = small.routes(SQUARE, "1 3")
    run = small.run(on, "pcrt", FAST, ["1-2@20", "3-4@40"])
    assert {entry["kept"] for entry in kinds(run, "no_colour")} == {on.colour(frozenset({0}))}
    assert run.recoveries[0].converged is not None
    assert run.recoveries[1].converged is None


def test_a_failed_broker_has_a_colour_by_its_links() -> None:
    on = small.routes(SQUARE, "2 4", failures="links,brokers")
    run = small.run(on, "pcrt", FAST, ["3@20"])
    assert set(kinds(run, "switch_colour")[-1]["failed"]) == {"2-3", "3-4", "1-3"}
    assert run.recoveries[0].converged is not None
    assert len(run.recoveries) == 1


def test_what_was_missed_during_a_partition_is_told_after_it() -> None:
    """1 is cut off while 3-4 fails; it learns of it over the link that comes back."""
    on = small.routes("1-2 2-3 3-4 2-4", "2 4", failures="links:1-2")
    world = small.world(on, "pcrt", FAST, ["1-2@10", "3-4@30"], ["1-2@50"])
    world.run(45.0)
    assert len(colours(world)) == 2
    world.run(60.0)
    assert colours(world) == {world.routes.colour(frozenset(world.down))}


def flapping(sequence: str, space: int) -> World:
    """A link goes down and up again and again, each time with two notifications of both of its ends."""
    on = small.routes(RING, "1 2")
    settings = Settings(until=500.0, rate=1e6, sequence=sequence, sequence_space=space, packets=0.1)
    times = range(10, 170, 20)
    world = small.world(on, "pcrt", settings, [f"1-2@{time}" for time in times], [f"1-2@{time + 10}" for time in times])
    world.run(19.9 + 140)
    return world


def test_plain_numbers_stop_working_when_they_wrap() -> None:
    """The thesis: after the last number comes 1, which is never newer."""
    assert flapping("plain", 2**16).settled()
    world = flapping("plain", 8)
    assert len(colours(world)) > 1
    refused = [entry for entry in world.log if entry.kind == "receive_flood" and not entry.details["acted"]]
    assert any(entry.details["seq"] < 4 and entry.time > 60 for entry in refused)


def test_serial_numbers_go_on() -> None:
    world = flapping("serial", 8)
    assert len(colours(world)) == 1
    assert world.settled()


def router_of_three(sequence: str = "serial") -> tuple[World, PcrtRouter]:
    world = small.world(small.routes(RING, "1 2"), "pcrt", Settings(until=50.0, sequence=sequence, sequence_space=8))
    router = world.routers[2]
    assert isinstance(router, PcrtRouter)
    return world, router


def test_an_older_notification_is_acknowledged_but_not_acted_on() -> None:
    world, router = router_of_three()
    interface = router.interfaces[1]
    for number, failed in ((3, frozenset({0})), (2, frozenset())):
        router.hear(interface, Message("flood", 512.0, Notice(0, number, failed)))
    assert [entry.details["acted"] for entry in world.log if entry.kind == "receive_flood"] == [True, False]
    assert world.messages["flood_ack"] == 2
    assert router.colour == world.routes.colour(frozenset({0}))


def test_an_interface_waits_for_acknowledgements() -> None:
    _, router = router_of_three()
    notice = Notice(0, 2, frozenset({0}))
    router.hear(router.interfaces[1], Message("flood", 512.0, notice))
    assert {link: each.state for link, each in router.interfaces.items()} == {1: "normal", 2: "waiting"}
    router.hear(router.interfaces[2], Message("flood_ack", 512.0, notice))
    assert router.interfaces[2].state == "normal"


def test_unacknowledged_notifications_are_sent_again() -> None:
    run = small.run(small.routes(RING, "1 2"), "pcrt", FAST, ["1-2@20"], ["1-2@40"])
    again = kinds(run, "resend_flood")
    assert {entry["link"] for entry in again} == {"1-2"}  # only the failed link swallows them
    moments = [entry.time for entry in run.log if entry.kind == "resend_flood"]
    assert 23.0 < min(moments) < max(moments) < 43.0


def test_the_other_end_is_believed_until_something_is_heard() -> None:
    """Only 1 knows that 1-2 is down; 2 hears of it over 3, doubts the link, and trusts it again by a heartbeat."""
    on = small.routes(RING, "1 2")
    world = small.world(on, "pcrt", Settings(until=50.0, spread=False))
    world.run(10.5)
    router = world.routers[1]
    assert isinstance(router, PcrtRouter)
    router.hear(router.interfaces[2], Message("flood", 512.0, Notice(0, 2, frozenset({0}))))
    assert router.colour == on.colour(frozenset({0}))
    world.run(11.2)
    assert router.colour == 1


def test_a_strict_broker_believes_only_itself_about_its_links() -> None:
    on = small.routes(RING, "1 2")
    world = small.world(on, "pcrt", Settings(until=50.0, spread=False, flooding="strict"))
    world.run(10.5)
    router = world.routers[1]
    assert isinstance(router, PcrtRouter)
    router.hear(router.interfaces[2], Message("flood", 512.0, Notice(0, 2, frozenset({0}))))
    assert router.colour == 1


def test_a_single_heartbeat_does_not_bring_a_link_back() -> None:
    """The link comes up for long enough to be heard, not to be tested."""
    on = small.routes(RING, "1 2")
    settings = Settings(until=60.0, spread=False, retransmit=30.0)
    run = small.run(on, "pcrt", settings, ["1-2@10.5", "1-2@21.07"], ["1-2@20.2"])
    assert kinds(run, "hear_on_failed")
    assert kinds(run, "recover") == []


def test_only_the_answer_to_the_last_test_brings_a_link_back() -> None:
    world, router = router_of_three()
    interface = router.interfaces[1]
    router.told(1)
    router.hear(interface, Message("heartbeat", 512.0, (0, 1.0, True)))
    assert world.messages["test"] == 1
    for number, alive in ((0, False), (7, False), (1, True)):
        router.hear(interface, Message("test_ack", 512.0, number))
        assert interface.alive == alive
    sent = router.number_sent
    router.hear(interface, Message("test_ack", 512.0, 1))  # once more: nothing has changed
    assert router.number_sent == sent


def test_tests_are_sent_one_at_a_time() -> None:
    world, router = router_of_three()
    router.told(1)
    for _ in range(3):
        router.hear(router.interfaces[1], Message("heartbeat", 512.0, (0, 1.0, True)))
    assert world.messages["test"] == 1
