"""A network in motion: links, brokers and publishers of one run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from homing.overlay.simulation import script, traffic
from homing.overlay.simulation.clock import Call, Clock
from homing.overlay.simulation.packets import DELIVERED, IN_FLIGHT, Message, Packet
from homing.overlay.simulation.ports import Port
from homing.overlay.simulation.routers import Router, of_protocol
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.script import Change
from homing.overlay.simulation.settings import Settings

MILLISECOND = 0.001
HEARTBEATS = ("heartbeat", "hello")


@dataclass(frozen=True)
class Entry:
    """One line of the protocol's log; brokers and links by name."""

    time: float
    broker: str  # empty: the network itself
    kind: str
    details: dict[str, Any]


class World:
    """Everything that changes during a run."""

    def __init__(self, routes: Routes, protocol: str, settings: Settings, asked: Sequence[Change] = ()) -> None:
        self.routes, self.settings, self.protocol = routes, settings, protocol
        self.network = routes.network
        self.clock = Clock()
        self.log: list[Entry] = []
        self.packets: list[Packet] = []
        self.down: set[int] = set()
        self.repaired: dict[int, float] = {}
        self.outcomes: Counter[int] = Counter()
        self.messages: Counter[str] = Counter()
        self.message_bits: Counter[str] = Counter()
        self.ports = self._build_ports()
        make = of_protocol(protocol)
        self.routers: list[Router] = [make(self, broker) for broker in range(len(self.network.brokers))]
        for port in self.ports.values():
            port.connect(self.routers[port.target].receive)
        self.changes = script.complete(self.network, settings, asked)
        self.pairs = traffic.pairs(self.network, settings)
        self._publishers = [traffic.Publisher(self, at, *pair) for at, pair in enumerate(self.pairs)]

    def _build_ports(self) -> dict[tuple[int, int], Port]:
        """Two for each link, by its number and sender.

        Against a directed link only messages of protocols go: without answers, no neighbour would know of another.
        """
        ports = {}
        settings = self.settings
        for number, link in enumerate(self.network.links):
            speed = (settings.rate, link.latency_ms * MILLISECOND, settings.buffer, settings.priority)
            for ends in ((link.source, link.target), (link.target, link.source)):
                ports[number, ends[0]] = Port(self.clock, (number, *ends), speed, (self.lose, self.lose_message))
        return ports

    def start(self) -> None:
        for change in self.changes:
            self.clock.at(change.time, self._change, change)
        for router in self.routers:
            router.start()
        for publisher in self._publishers:
            publisher.start()

    def run(self, until: float) -> None:
        self.clock.run(until)

    def _change(self, call: Call) -> None:
        change: Change = call.about
        link = self.network.links[change.link]
        self.note(None, "link_up" if change.up else "link_down", link=link.name)
        ends = (link.source, link.target)
        for end in ends:
            port = self.ports[change.link, end]
            if change.up:
                port.repair()
            else:
                port.fail()
        if change.up:
            self.down.discard(change.link)
            self.repaired[change.link] = change.time
        else:
            self.down.add(change.link)
            if self.settings.detection == "at-once":
                for end in ends:
                    self.routers[end].told(change.link)

    def was_down(self, link: int, since: float) -> bool:
        return link in self.down or self.repaired.get(link, -1.0) >= since

    def transmit(self, port: Port, message: Message) -> None:
        """A message of a protocol; counted when it is sent, whether it arrives or not."""
        self.messages[message.kind] += 1
        self.message_bits[message.kind] += int(message.bits)
        port.send(message)

    def lose_message(self, message: Message, port: Port) -> None:
        """No room in a queue; heartbeats are too many to be noted."""
        if message.kind not in HEARTBEATS:
            self.note(port.source, "lose", message=message.kind, link=self.network.links[port.link].name)

    def deliver(self, packet: Packet) -> None:
        self._end(packet, DELIVERED)

    def lose(self, packet: Packet, reason: int) -> None:
        self._end(packet, reason)

    def _end(self, packet: Packet, outcome: int) -> None:
        assert packet.outcome == IN_FLIGHT
        packet.outcome = outcome
        packet.ended = self.clock.now
        self.outcomes[outcome] += 1

    def note(self, broker: int | None, kind: str, **details: Any) -> None:
        name = "" if broker is None else self.network.brokers[broker].name
        self.log.append(Entry(self.clock.now, name, kind, details))

    def link_names(self, links: Iterable[int]) -> list[str]:
        return [self.network.links[link].name for link in sorted(links)]

    def travelling(self) -> int:
        """Packets that are in some queue or on some wire, counted there."""
        return sum(type(item) is Packet for port in self.ports.values() for item in port.holds())

    def settled(self) -> bool:
        """Do all brokers go the shortest ways that are left? Towards brokers that are cut off, any table will do."""
        truth = self.routes.shortest(frozenset(self.down))
        return all(router.agrees(truth[:, router.number]) for router in self.routers)

    def interfaces(self, broker: int) -> Iterator[tuple[int, int, Port]]:
        """A broker's links: number, neighbour, and the port towards it."""
        for (link, source), port in self.ports.items():
            if source == broker:
                yield link, port.target, port
