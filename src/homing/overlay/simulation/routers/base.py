"""A broker: forwards packets by its table, sends heartbeats, and notices neighbours that fall silent.

Protocols differ in what they do then, and in what they say to each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from homing.overlay.simulation.clock import Call
from homing.overlay.simulation.pace import Pace, of_settings
from homing.overlay.simulation.packets import NO_ROUTE, TTL, Message, Packet
from homing.overlay.simulation.ports import Item, Port
from homing.overlay.simulation.routes import NO_LINK
from homing.overlay.simulation.streams import PHASES, stream

if TYPE_CHECKING:
    from homing.overlay.simulation.world import World

# Entries of the log after which a broker forwards otherwise than before; if `moved` is among their details, only then.
SWITCHES = frozenset({"switch_colour", "install_table", "reroute"})
# Where three heartbeats are lost, the fourth comes as the dead interval ends: in time, however sums are rounded.
GRACE = 1e-9


class Interface:
    """A broker's end of one link."""

    def __init__(self, link: int, name: str, neighbour: int, port: Port, pace: Pace) -> None:
        self.link, self.name, self.neighbour, self.port, self.pace = link, name, neighbour, port, pace
        self.alive = True  # nothing is known against it
        self.heard = 0.0
        self.check_at = 0.0  # when the dead interval is looked at next


class Router:
    """What all protocols share."""

    hello = "hello"

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number, self.settings = world, number, world.settings
        names = world.network.links
        self.interfaces = {
            link: self.interface(link, names[link].name, neighbour, port, of_settings(world.settings))
            for link, neighbour, port in world.interfaces(number)
        }
        self.links: npt.NDArray[np.int32] = world.routes.shortest(frozenset())[:, number]
        self.table = self._ports(self.links)

    def interface(self, link: int, name: str, neighbour: int, port: Port, pace: Pace) -> Interface:
        return Interface(link, name, neighbour, port, pace)

    def _ports(self, links: npt.NDArray[np.int32]) -> list[Port | None]:
        return [None if link == NO_LINK else self.interfaces[link].port for link in links.tolist()]

    def use(self, links: npt.NDArray[np.int32]) -> bool:
        """From now on, packets for each destination go over these links; whether that is another way for any."""
        moved = bool((links != self.links).any())
        if moved:
            self.links = links
            self.table = self._ports(links)
        return moved

    def agrees(self, truth: npt.NDArray[np.int32]) -> bool:
        """Does the table lead the right way to every broker that can be reached?"""
        reached = truth != NO_LINK
        return bool((self.links[reached] == truth[reached]).all())

    def receive(self, item: Item, port: Port) -> None:
        """Whatever comes in over a port that leads here."""
        if type(item) is Packet:
            item.path.append(self.number)
            if item.destination == self.number:
                self.world.deliver(item)
            elif len(item.path) > self.settings.ttl:
                self.world.lose(item, TTL)
            else:
                self.forward(item)
        else:
            assert type(item) is Message
            self.hear(self.interfaces[port.link], item)

    def forward(self, packet: Packet) -> None:
        port = self.table[packet.destination]
        if port is None:
            self.world.lose(packet, NO_ROUTE)
        else:
            port.send(packet)

    def start(self) -> None:
        """Heartbeats begin; until the first one is due, every neighbour counts as heard."""
        clock, random = self.world.clock, stream(self.settings.seed, PHASES, self.number)
        phase = float(random.uniform(0, self.settings.interval)) if self.settings.spread else 0.0
        for interface in self.interfaces.values():
            clock.after(phase, self._beat, interface)
            self.watch(interface)

    def watch(self, interface: Interface) -> None:
        """The neighbour was heard just now."""
        clock = self.world.clock
        interface.heard = clock.now
        due = interface.heard + interface.pace.patience() + GRACE
        if due < interface.check_at or interface.check_at <= interface.heard:
            interface.check_at = due
            clock.at(due, self._check, (interface, due))

    def _check(self, call: Call) -> None:
        interface, due = call.about
        if due != interface.check_at:
            return  # another check was made for an earlier moment
        interface.check_at = 0.0
        if not interface.alive:
            return
        left = interface.heard + interface.pace.patience() - self.world.clock.now
        if left <= 0:
            self._fail(interface)
        else:
            interface.check_at = self.world.clock.now + left + GRACE
            self.world.clock.at(interface.check_at, self._check, (interface, interface.check_at))

    def told(self, link: int) -> None:
        """The link itself reports that it is down."""
        if self.interfaces[link].alive:
            self._fail(self.interfaces[link])

    def _fail(self, interface: Interface) -> None:
        interface.alive = False
        false_alarm = not self.world.was_down(interface.link, interface.heard)
        self.note("detect_failure", **self.at(interface), false_alarm=false_alarm)
        self.silent(interface)

    def _beat(self, call: Call) -> None:
        interface: Interface = call.about
        wait = interface.pace.next(interface.port, self.world.clock.now)
        content = (interface.pace.count(), wait, interface.alive)
        self.send(interface, Message(self.hello, self.settings.hello_bits, content))
        self.world.clock.after(wait, self._beat, interface)

    def send(self, interface: Interface, message: Message) -> None:
        self.world.transmit(interface.port, message)

    def note(self, kind: str, **details: Any) -> None:
        self.world.note(self.number, kind, **details)

    def at(self, interface: Interface) -> dict[str, str]:
        """An interface in the log."""
        return {"link": interface.name, "neighbour": self.world.network.brokers[interface.neighbour].name}

    def hear(self, interface: Interface, message: Message) -> None:
        """A message of the protocol."""
        raise NotImplementedError

    def silent(self, interface: Interface) -> None:
        """A neighbour was not heard for the dead interval."""
        raise NotImplementedError
