"""Resilient Routing Layers: the broker next to the failure sends packets on in a layer that goes without it.

Nobody else is told, so there is nothing to converge: only brokers that notice a failure act on it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from homing.overlay.simulation.packets import NO_ROUTE, Message, Packet
from homing.overlay.simulation.ports import Port
from homing.overlay.simulation.routers.base import Interface, Router

if TYPE_CHECKING:
    from homing.overlay.simulation.world import World


class RrlRouter(Router):
    """A packet changes its layer once at most: a second failure on its way loses it."""

    def __init__(self, world: World, number: int) -> None:
        super().__init__(world, number)
        self._layers = world.routes.layers(world.settings.layers)
        self._tables = [self._ports(table[:, number]) for table in self._layers.over]

    def forward(self, packet: Packet) -> None:
        port = self._tables[packet.layer][packet.destination]
        if port is not None and not self.interfaces[port.link].alive:
            port = self._repair(packet, port) if packet.layer == 0 else None
        if port is None:
            self.world.lose(packet, NO_ROUTE)
        else:
            port.send(packet)

    def _repair(self, packet: Packet, port: Port) -> Port | None:
        layer = self._layers.layer_for(self.number, port.target, port.link, packet.destination)
        if layer is None:
            return None
        packet.layer = layer
        instead = self._tables[layer][packet.destination]
        return instead if instead is not None and self.interfaces[instead.link].alive else None

    def agrees(self, truth: npt.NDArray[np.int32]) -> bool:
        """Converged is a broker that knows the state of its own links."""
        down = self.world.down
        return all(interface.alive != (link in down) for link, interface in self.interfaces.items())

    def silent(self, interface: Interface) -> None:
        self.note("reroute", **self.at(interface), up=False)

    def hear(self, interface: Interface, message: Message) -> None:
        number, wait, _ = message.content
        interface.pace.hear(number, wait, self.world.clock.now)
        if not interface.alive:
            interface.alive = True
            self.note("recover", **self.at(interface))
            self.note("reroute", **self.at(interface), up=True)
        self.watch(interface)
