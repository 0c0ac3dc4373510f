"""What brokers do, by protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from homing.overlay.simulation.routers.base import Router

if TYPE_CHECKING:
    from homing.overlay.simulation.world import World


def of_protocol(protocol: str) -> Callable[[World, int], Router]:
    """The class of a protocol's brokers."""
    from homing.overlay.simulation.routers.ospf import OspfRouter
    from homing.overlay.simulation.routers.pcrt import PcrtRouter
    from homing.overlay.simulation.routers.rrl import RrlRouter

    makers: dict[str, Callable[[World, int], Router]] = {"pcrt": PcrtRouter, "ospf": OspfRouter, "rrl": RrlRouter}
    return makers[protocol]


__all__ = ["Router", "of_protocol"]
