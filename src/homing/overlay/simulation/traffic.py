"""Publishers: each pair sends packets of its own, at fixed intervals or as a Poisson process."""

from __future__ import annotations

from typing import TYPE_CHECKING

from homing.core.errors import HomingError
from homing.overlay.network import Network
from homing.overlay.simulation.clock import Call
from homing.overlay.simulation.packets import Packet
from homing.overlay.simulation.settings import Settings
from homing.overlay.simulation.streams import PAIRS, TRAFFIC, stream

if TYPE_CHECKING:
    from homing.overlay.simulation.world import World


def pairs(network: Network, settings: Settings) -> tuple[tuple[int, int], ...]:
    """Those of the topics; without topics some pairs of brokers, drawn by the seed."""
    if network.topics:
        found = sorted(network.pairs())
        if not found:
            raise HomingError(f"no topic of {network.name} has a publisher and a subscriber at different brokers")
        return tuple(found)
    n = len(network.brokers)
    everyone = n * (n - 1)
    if not everyone:
        raise HomingError(f"{network.name} has a single broker, so nothing is sent")
    chosen = stream(settings.seed, PAIRS).choice(everyone, min(settings.pairs, everyone), replace=False)
    return tuple(sorted((int(at) // (n - 1), _skip(int(at) // (n - 1), int(at) % (n - 1))) for at in chosen))


def _skip(source: int, at: int) -> int:
    return at + (at >= source)


class Publisher:
    """Sends the packets of one pair, by a random stream of its own."""

    def __init__(self, world: World, number: int, source: int, destination: int) -> None:
        settings = world.settings
        self._world, self._source, self._destination = world, source, destination
        self._bits, self._gap = settings.packet_bits, 1 / settings.packets
        self._random = stream(settings.seed, TRAFFIC, number)
        self._poisson = settings.traffic == "poisson"
        self._start = float(self._random.uniform(0, self._gap)) if settings.spread else 0.0
        self._sent = 0

    def start(self) -> None:
        self._world.clock.after(self._next(), self._send)

    def _next(self) -> float:
        """How long until the next packet; fixed moments are counted from the start, so that nothing adds up."""
        if self._poisson:
            return float(self._random.exponential(self._gap))
        return max(self._start + self._sent * self._gap - self._world.clock.now, 0.0)

    def _send(self, call: Call) -> None:
        world = self._world
        packet = Packet(self._source, self._destination, world.clock.now, self._bits)
        world.packets.append(packet)
        self._sent += 1
        world.routers[self._source].forward(packet)
        world.clock.after(self._next(), self._send)
