"""One direction of a link by itself, beside what queueing theory says."""

from __future__ import annotations

import numpy as np
import pytest

from homing.overlay.simulation.clock import Call, Clock
from homing.overlay.simulation.packets import LINK_DOWN, QUEUE_FULL, Message, Packet
from homing.overlay.simulation.ports import Item, Port


class Bench:
    """A port with somebody at its end."""

    def __init__(self, buffer: int = 10, delay: float = 0.0, priority: bool = False) -> None:
        self.clock = Clock()
        self.arrived: list[tuple[float, Item]] = []
        self.lost: list[tuple[Packet, int]] = []
        self.dropped: list[Message] = []
        losing = (
            lambda packet, reason: self.lost.append((packet, reason)),
            lambda message, _: self.dropped.append(message),
        )
        self.port = Port(self.clock, (0, 0, 1), (1000.0, delay, buffer, priority), losing)
        self.port.connect(lambda item, _: self.arrived.append((self.clock.now, item)))

    def offer(self, times: list[float], bits: float = 100.0) -> list[Packet]:
        packets = [Packet(0, 1, time, bits) for time in times]
        for packet in packets:
            self.clock.at(packet.sent, self._send, packet)
        return packets

    def _lose(self, packet: Packet, reason: int) -> None:
        self.lost.append((packet, reason))

    def _drop(self, message: Message, port: Port) -> None:
        self.dropped.append(message)

    def _send(self, call: Call) -> None:
        self.port.send(call.about)

    def waits(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """How long each packet stood in the queue."""
        return np.array(
            [time - item.sent - item.bits / 1000 for time, item in self.arrived if isinstance(item, Packet)]
        )


def test_regular_packets_do_not_wait_until_there_are_too_many() -> None:
    """D/D/1: below capacity nobody waits; above, each waits for the work that piled up before."""
    bench = Bench(buffer=1000)
    bench.offer([0.1 * n for n in range(50)])
    bench.clock.run(100)
    assert bench.waits() == pytest.approx(0.0, abs=1e-9)
    bench = Bench(buffer=1000)
    bench.offer([0.08 * n for n in range(50)])
    bench.clock.run(100)
    assert bench.waits() == pytest.approx([0.02 * n for n in range(50)], abs=1e-9)


@pytest.mark.parametrize("load", [0.3, 0.6])
def test_random_packets_wait_as_pollaczek_and_khinchine_say(load: float) -> None:
    """M/D/1: load / (2 (1 - load)) services."""
    bench = Bench(buffer=100_000)
    random = np.random.default_rng(5)
    count = 20_000
    bench.offer(np.cumsum(random.exponential(0.1 / load, count)).tolist())
    bench.clock.run(10 * count)
    assert len(bench.arrived) == count
    assert bench.waits().mean() == pytest.approx(0.1 * load / (2 * (1 - load)), rel=0.05)


def test_what_does_not_fit_is_dropped() -> None:
    bench = Bench(buffer=3)
    bench.offer([0.0] * 6)
    bench.clock.run(100)
    assert [reason for _, reason in bench.lost] == [QUEUE_FULL] * 2  # one is transmitted, three wait
    assert [time for time, _ in bench.arrived] == pytest.approx([0.1, 0.2, 0.3, 0.4])


def test_a_failure_loses_all_that_is_on_the_way_and_nothing_after_it() -> None:
    bench = Bench(delay=0.15)
    first = bench.offer([0.0, 0.0, 0.0])  # at 0.2: on the wire, in the transmitter (0.1 to 0.2 is done), waiting
    bench.clock.run(0.2)
    bench.port.fail()
    bench.port.send(Packet(0, 1, 0.2, 100.0))
    bench.port.repair()
    bench.port.send(Packet(0, 1, 0.2, 100.0))
    bench.clock.run(10)
    assert [reason for _, reason in bench.lost] == [LINK_DOWN] * 4
    assert {packet for packet, _ in bench.lost[:3]} == set(first)
    assert [time for time, _ in bench.arrived] == pytest.approx([0.45])


def test_messages_go_first_if_asked_for() -> None:
    def order(priority: bool) -> list[str]:
        bench = Bench(priority=priority)
        for _ in range(2):
            bench.port.send(Packet(0, 1, 0.0, 100.0))
        bench.port.send(Message("hello", 10.0))
        bench.clock.run(10)
        return [type(item).__name__ for _, item in bench.arrived]

    assert order(False) == ["Packet", "Packet", "Message"]
    assert order(True) == ["Packet", "Message", "Packet"]  # what is being transmitted is not interrupted


def test_messages_can_be_dropped_as_well() -> None:
    bench = Bench(buffer=0)
    bench.offer([0.0])
    bench.clock.run(0.05)
    bench.port.send(Message("flood", 10.0))
    assert [message.kind for message in bench.dropped] == ["flood"]
