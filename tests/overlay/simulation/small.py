"""Small networks and runs on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from homing.core.errors import Place
from homing.overlay.colours import scenarios
from homing.overlay.draft import Draft
from homing.overlay.network import Network
from homing.overlay.simulation import script
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import Run, simulate
from homing.overlay.simulation.settings import Settings
from homing.overlay.simulation.world import World

HERE = Place("small")


def network(links: str, topic: str = "", latency_ms: float = 10.0) -> Network:
    """`1-2 2-3`, and the one pair that sends, `1 2`."""
    draft = Draft("small", HERE)
    for name in sorted(set(links.replace("-", " ").split())):
        draft.broker(name, HERE)
    for link in links.split():
        a, b = link.split("-")
        draft.link(a, b, HERE, latency_ms=latency_ms)
    if topic:
        publisher, subscriber = topic.split()
        draft.topic("t", [publisher], [subscriber], HERE, None)
    return draft.build()


@cache
def routes(links: str, topic: str = "", latency_ms: float = 10.0, failures: str = "links") -> Routes:
    return Routes(scenarios(network(links, topic, latency_ms), failures))


def run(on: Routes, protocol: str, settings: Settings, fail: Sequence[str] = (), repair: Sequence[str] = ()) -> Run:
    return simulate(on, protocol, settings, script.read(on.network, fail, repair))


def world(on: Routes, protocol: str, settings: Settings, fail: Sequence[str] = (), repair: Sequence[str] = ()) -> World:
    """Started, but not yet run."""
    made = World(on, protocol, settings, script.read(on.network, fail, repair))
    made.start()
    return made
