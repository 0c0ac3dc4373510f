"""OSPF: routers flood the state of their links, and each computes its table from what it has gathered.

As RFC 2328 has it: hellos with a two-way check, router LSAs with sequence numbers, flooding with acknowledgements and
retransmission. Throttled as routers do: a delay before the first computation, and a hold time that doubles while
changes go on. Left out: areas, networks with several routers, ageing and refreshing of LSAs, delayed acknowledgements.
The exchange of databases is one description each way; what the neighbour lacks is then sent without being asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from homing.overlay.simulation.clock import Call
from homing.overlay.simulation.pace import Pace
from homing.overlay.simulation.packets import Message
from homing.overlay.simulation.ports import Port
from homing.overlay.simulation.routers.base import Interface, Router
from homing.overlay.simulation.routes import Links

if TYPE_CHECKING:
    from homing.overlay.simulation.world import World

DOWN, INIT, EXCHANGE, FULL = range(4)
HEADER_BITS = 160  # of one LSA in a description


class Lsa(NamedTuple):
    """What a router says of itself: the links over which it is fully adjacent to a neighbour."""

    origin: int
    number: int
    links: Links


class Neighbour(Interface):
    """The state of one adjacency."""

    def __init__(self, link: int, name: str, neighbour: int, port: Port, pace: Pace) -> None:
        super().__init__(link, name, neighbour, port, pace)
        self.state = FULL
        self.unacknowledged: dict[int, Lsa] = {}  # by origin: only the newest of each is sent again
        self.description = 0  # the number of ours
        self.described, self.acknowledged, self.theirs = True, True, 0


class OspfRouter(Router):
    """A router of OSPF; at the start all are adjacent and their databases agree."""

    interfaces: dict[int, Neighbour]  # made by `interface` below

    def __init__(self, world: World, number: int) -> None:
        super().__init__(world, number)
        links: list[set[int]] = [set() for _ in world.network.brokers]
        for at, link in enumerate(world.network.links):
            links[link.source].add(at)
            links[link.target].add(at)
        self.database = {origin: Lsa(origin, 1, frozenset(own)) for origin, own in enumerate(links)}
        self._spf_waits = False
        self._last_spf, self._hold = float("-inf"), world.settings.spf_hold

    def interface(self, link: int, name: str, neighbour: int, port: Port, pace: Pace) -> Neighbour:
        return Neighbour(link, name, neighbour, port, pace)

    # Adjacencies

    def silent(self, interface: Interface) -> None:
        assert isinstance(interface, Neighbour)
        self._drop(interface, DOWN)

    def _drop(self, neighbour: Neighbour, state: int) -> None:
        was, neighbour.state = neighbour.state, state
        neighbour.unacknowledged.clear()
        if was == FULL:
            self._originate()

    def hear(self, interface: Interface, message: Message) -> None:
        assert isinstance(interface, Neighbour)
        if message.kind == self.hello:
            self._hello(interface, *message.content)
        elif message.kind == "description":
            self._describe(interface, *message.content)
        elif message.kind == "description_ack":
            if interface.state == EXCHANGE and message.content == interface.description:
                interface.acknowledged = True
                self._complete(interface)
        elif interface.state >= EXCHANGE:
            if message.kind == "lsa":
                self._receive(interface, message.content)
            else:
                self._acknowledged(interface, message.content)

    def _hello(self, neighbour: Neighbour, number: int, wait: float, sees_us: bool) -> None:
        neighbour.pace.hear(number, wait, self.world.clock.now)
        if neighbour.state == DOWN:
            neighbour.state, neighbour.alive = INIT, True
            self.note("recover", **self.at(neighbour))
        self.watch(neighbour)
        if sees_us and neighbour.state == INIT:
            self._exchange(neighbour)
        elif not sees_us and neighbour.state >= EXCHANGE:
            self._drop(neighbour, INIT)

    def _exchange(self, neighbour: Neighbour) -> None:
        """Two-way: each describes its database to the other."""
        was, neighbour.state = neighbour.state, EXCHANGE
        neighbour.description += 1
        neighbour.described = neighbour.acknowledged = False
        self.note("two_way", **self.at(neighbour))
        self._send_description(neighbour, neighbour.description)
        if was == FULL:
            self._originate()

    def _send_description(self, neighbour: Neighbour, number: int) -> None:
        known = {lsa.origin: lsa.number for lsa in self.database.values()}
        bits = self.settings.hello_bits + HEADER_BITS * len(known)
        self.send(neighbour, Message("description", bits, (number, known)))
        self.world.clock.after(self.settings.retransmit, self._describe_again, (neighbour, number))

    def _describe_again(self, call: Call) -> None:
        neighbour, number = call.about
        if neighbour.state == EXCHANGE and not neighbour.acknowledged and number == neighbour.description:
            self._send_description(neighbour, number)

    def _describe(self, neighbour: Neighbour, number: int, known: dict[int, int]) -> None:
        """A neighbour's description; to get one means to be seen by it."""
        if neighbour.state == DOWN:
            return
        if neighbour.state == INIT or (neighbour.state == FULL and number != neighbour.theirs):
            self._exchange(neighbour)
        self.send(neighbour, Message("description_ack", self.settings.ack_bits, number))
        neighbour.theirs = number
        for lsa in self.database.values():
            if lsa.number > known.get(lsa.origin, 0):
                self._send(neighbour, lsa)
        neighbour.described = True
        self._complete(neighbour)

    def _complete(self, neighbour: Neighbour) -> None:
        if neighbour.state == EXCHANGE and neighbour.described and neighbour.acknowledged:
            neighbour.state = FULL
            self.note("adjacent", **self.at(neighbour))
            self._originate()

    # Flooding

    def _originate(self) -> None:
        links = frozenset(link for link, each in self.interfaces.items() if each.state == FULL)
        lsa = Lsa(self.number, self.database[self.number].number + 1, links)
        self.note("originate_lsa", **self._about(lsa))
        self._install(lsa, None)

    def _install(self, lsa: Lsa, sender: Neighbour | None) -> None:
        old = self.database[lsa.origin]
        self.database[lsa.origin] = lsa
        for each in self.interfaces.values():
            if each is not sender and each.state >= EXCHANGE:
                self._send(each, lsa)
        if lsa.links != old.links:
            self._schedule_spf()

    def _send(self, neighbour: Neighbour, lsa: Lsa) -> None:
        neighbour.unacknowledged[lsa.origin] = lsa
        self._copy(neighbour, lsa)

    def _copy(self, neighbour: Neighbour, lsa: Lsa) -> None:
        bits = self.settings.lsa_bits + self.settings.lsa_link_bits * len(lsa.links)
        self.send(neighbour, Message("lsa", bits, lsa))
        self.world.clock.after(self.settings.retransmit, self._resend, (neighbour, lsa))

    def _resend(self, call: Call) -> None:
        neighbour, lsa = call.about
        if neighbour.unacknowledged.get(lsa.origin) is lsa:
            self._copy(neighbour, lsa)

    def _receive(self, neighbour: Neighbour, lsa: Lsa) -> None:
        """Newer: kept and passed on. Older: the sender gets ours."""
        mine = self.database[lsa.origin].number
        self.note("receive_lsa", **self._about(lsa), **self.at(neighbour), acted=lsa.number > mine)
        if lsa.number < mine:
            self._send(neighbour, self.database[lsa.origin])
            return
        self.send(neighbour, Message("lsa_ack", self.settings.ack_bits, (lsa.origin, lsa.number)))
        waiting = neighbour.unacknowledged.get(lsa.origin)
        if waiting is not None and waiting.number <= lsa.number:
            del neighbour.unacknowledged[lsa.origin]  # the neighbour has it: as good as an acknowledgement
        if lsa.number > mine:
            self._install(lsa, neighbour)

    def _acknowledged(self, neighbour: Neighbour, content: tuple[int, int]) -> None:
        origin, number = content
        waiting = neighbour.unacknowledged.get(origin)
        if waiting is not None and waiting.number == number:
            del neighbour.unacknowledged[origin]

    # Tables

    def _schedule_spf(self) -> None:
        """After the delay; soon after the last computation, after the hold time, which doubles."""
        if self._spf_waits:
            return
        since, delay = self.world.clock.now - self._last_spf, self.settings.spf_delay
        if since >= self._hold:
            self._hold = self.settings.spf_hold
        else:
            delay = max(delay, self._hold - since)
            self._hold = min(2 * self._hold, self.settings.spf_hold_most)
        self._spf_waits = True
        self.world.clock.after(delay, self._compute)

    def _compute(self, call: Call) -> None:
        self._spf_waits = False
        self._last_spf = self.world.clock.now
        failed = frozenset(at for at in range(len(self.world.network.links)) if not self._two_way(at))
        self.note("run_spf")
        if self.use(self.world.routes.shortest(failed)[:, self.number]):
            self.note("install_table")

    def _two_way(self, number: int) -> bool:
        """A link counts if both of its ends say so."""
        link = self.world.network.links[number]
        return number in self.database[link.source].links and number in self.database[link.target].links

    def _about(self, lsa: Lsa) -> dict[str, object]:
        return {
            "origin": self.world.network.brokers[lsa.origin].name,
            "seq": lsa.number,
            "links": self.world.link_names(lsa.links),
        }
