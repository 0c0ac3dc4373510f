"""PCRT: every broker has the tables of all colours, and brokers only tell each other which one it is.

The thesis (6.1.3, 6.2) floods whole colours, each computed from what its origin knew. Two brokers that notice two
failures at once then overwrite each other. `flooding = links` is the repair: an origin says which of its own links are
down, and every broker takes the colour of all that is down by anybody's word.

About a link of its own, a broker believes the other end until it hears something over that link itself. If it believed
only itself (`strict`), it would go on sending into a failed link until its own dead interval is over, which can be
a heartbeat later; if it always believed the other end, its colour would name links that it knows to be up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from homing.overlay.colours import NORMAL
from homing.overlay.simulation.clock import Call
from homing.overlay.simulation.pace import Pace
from homing.overlay.simulation.packets import Message
from homing.overlay.simulation.ports import Port
from homing.overlay.simulation.routers.base import Interface, Router
from homing.overlay.simulation.routes import Links

if TYPE_CHECKING:
    from homing.overlay.simulation.world import World

LINK_BITS = 32  # of each failed link in a notification
FIRST = 1  # sequence numbers begin with it, and go back to it
LONG_AGO = float("-inf")


class Notice(NamedTuple):
    """A flood notification; copies are never changed on their way."""

    origin: int
    number: int
    failed: Links  # by the thesis's rule, of the whole colour; by ours, of the origin's own links


class PcrtInterface(Interface):
    """Normal, waiting or failure; and the list of what was not yet acknowledged."""

    def __init__(self, link: int, name: str, neighbour: int, port: Port, pace: Pace) -> None:
        super().__init__(link, name, neighbour, port, pace)
        self.unacknowledged: dict[Notice, None] = {}
        self.test, self.tested_at = 0, LONG_AGO
        self.doubted = False  # the other end says that the link is down, and nothing was heard since

    @property
    def state(self) -> str:
        if not self.alive:
            return "failure"
        return "waiting" if self.unacknowledged else "normal"


class PcrtRouter(Router):
    """A broker of PCRT."""

    hello = "heartbeat"
    interfaces: dict[int, PcrtInterface]  # made by `interface` below

    def __init__(self, world: World, number: int) -> None:
        super().__init__(world, number)
        self.colour = NORMAL
        self.number_sent = FIRST
        self.newest: dict[int, int] = {}
        self.down_at: dict[int, Links] = {}  # by origin: which of its links it says are down
        self._whole_colours = world.settings.flooding == "colour"
        self.use(world.routes.planned(NORMAL)[:, number])

    def interface(self, link: int, name: str, neighbour: int, port: Port, pace: Pace) -> PcrtInterface:
        return PcrtInterface(link, name, neighbour, port, pace)

    def silent(self, interface: Interface) -> None:
        assert isinstance(interface, PcrtInterface)
        interface.tested_at = LONG_AGO
        self._changed(interface)

    def hear(self, interface: Interface, message: Message) -> None:
        """Anything that is heard renews the dead interval, and on a failed link asks for a test of it."""
        assert isinstance(interface, PcrtInterface)
        if message.kind == self.hello:
            number, wait, _ = message.content
            interface.pace.hear(number, wait, self.world.clock.now)
        self.watch(interface)
        if interface.doubted:
            interface.doubted = False
            self._follow(self._union())
        if not interface.alive and message.kind != "test_ack":
            self._test(interface)
        if message.kind == "flood":
            self._receive_flood(interface, message.content)
        elif message.kind == "flood_ack":
            self._receive_ack(interface, message.content)
        elif message.kind == "test":
            self.note("receive_test", **self.at(interface), seq=message.content)
            self.send(interface, Message("test_ack", self.settings.ack_bits, message.content))
        elif message.kind == "test_ack":
            self._receive_test_ack(interface, message.content)

    def _test(self, interface: PcrtInterface) -> None:
        """One test at a time; another when no answer came."""
        now = self.world.clock.now
        self.note("hear_on_failed", **self.at(interface))
        if now - interface.tested_at >= self.settings.retransmit:
            interface.test += 1
            interface.tested_at = now
            self.note("send_test", **self.at(interface), seq=interface.test)
            self.send(interface, Message("test", self.settings.hello_bits, interface.test))

    def _receive_test_ack(self, interface: PcrtInterface, number: int) -> None:
        matched = not interface.alive and number == interface.test
        self.note("receive_test_ack", **self.at(interface), seq=number, matched=matched)
        if matched:
            interface.alive = True
            self.note("recover", **self.at(interface))
            self._changed(interface)

    def _changed(self, interface: PcrtInterface) -> None:
        """A confirmed failure or recovery: look the colour up, switch, tell everyone."""
        if self._whole_colours:
            known = self.world.routes.down(self.colour)
            self._follow(known - {interface.link} if interface.alive else known | {interface.link})
        else:
            self._follow(self._union())
        self.number_sent = self.number_sent % (self.settings.sequence_space - 1) + FIRST
        self.newest[self.number] = self.number_sent
        failed = self.world.routes.down(self.colour) if self._whole_colours else self._own()
        notice = Notice(self.number, self.number_sent, failed)
        for each in self.interfaces.values():  # over the failed link, too, in case that it recovers
            self._send_flood(each, notice)

    def _own(self) -> Links:
        return frozenset(link for link, each in self.interfaces.items() if not each.alive)

    def _union(self) -> Links:
        """All that is down by anybody's word, but not links of which it knows better."""
        others: Links = frozenset().union(*self.down_at.values())
        return self._own() | (others - {link for link, each in self.interfaces.items() if not each.doubted})

    def _follow(self, failed: Links) -> None:
        """The colour of these failures; if none was planned for, the last one stays."""
        colour = self.world.routes.colour(failed)
        if colour is None:
            self.note("no_colour", failed=self.world.link_names(failed), kept=self.colour)
        else:
            self._switch(colour)

    def _switch(self, colour: int) -> None:
        if colour != self.colour:
            self.colour = colour
            moved = self.use(self.world.routes.planned(colour)[:, self.number])
            failed = self.world.link_names(self.world.routes.down(colour))
            self.note("switch_colour", colour=colour, failed=failed, moved=moved)

    def _send_flood(self, interface: PcrtInterface, notice: Notice) -> None:
        if not self._whole_colours:
            # A newer notice of an origin says all that older ones did.
            for older in [old for old in interface.unacknowledged if old.origin == notice.origin]:
                del interface.unacknowledged[older]
        interface.unacknowledged[notice] = None
        self._copy(interface, notice, again=False)

    def _copy(self, interface: PcrtInterface, notice: Notice, again: bool) -> None:
        self.note("resend_flood" if again else "send_flood", **self._about(interface, notice))
        extra = 0 if self._whole_colours else LINK_BITS * len(notice.failed)
        self.send(interface, Message("flood", self.settings.flood_bits + extra, notice))
        self.world.clock.after(self.settings.retransmit, self._resend, (interface, notice))

    def _resend(self, call: Call) -> None:
        interface, notice = call.about
        if notice in interface.unacknowledged:
            self._copy(interface, notice, again=True)

    def _receive_flood(self, interface: PcrtInterface, notice: Notice) -> None:
        """Acknowledged always, acted on if newer."""
        acted = self._is_newer(notice)
        self.note("receive_flood", **self._about(interface, notice), acted=acted)
        self.send(interface, Message("flood_ack", self.settings.ack_bits, notice))
        if not acted:
            return
        self.newest[notice.origin] = notice.number
        if self._whole_colours:
            self._follow(notice.failed | self._own())
        else:
            self.down_at[notice.origin] = notice.failed
            self._doubt(interface, notice)
            self._follow(self._union())
        for each in self.interfaces.values():
            if each is not interface:
                self._send_flood(each, notice)

    def _doubt(self, interface: PcrtInterface, notice: Notice) -> None:
        """What comes over a link shows that it works."""
        for each in self.interfaces.values():
            if each.neighbour == notice.origin and each is not interface:
                each.doubted = each.link in notice.failed and self.settings.flooding == "links"

    def _is_newer(self, notice: Notice) -> bool:
        newest = self.newest.get(notice.origin, FIRST)
        if self.settings.sequence == "plain":
            return notice.number > newest
        numbers = self.settings.sequence_space - 1
        return 0 < (notice.number - newest) % numbers <= (numbers - 1) // 2

    def _receive_ack(self, interface: PcrtInterface, notice: Notice) -> None:
        matched = notice in interface.unacknowledged
        self.note("receive_ack", **self._about(interface, notice), matched=matched)
        interface.unacknowledged.pop(notice, None)

    def _about(self, interface: Interface, notice: Notice) -> dict[str, object]:
        return {
            **self.at(interface),
            "origin": self.world.network.brokers[notice.origin].name,
            "seq": notice.number,
            "failed": self.world.link_names(notice.failed),
        }
