"""One run of one protocol, and what came of it."""

from __future__ import annotations

import gc
import itertools
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from homing.overlay.network import Network
from homing.overlay.simulation.columns import Packets, columns
from homing.overlay.simulation.packets import DELIVERED, QUEUE_FULL
from homing.overlay.simulation.recovery import Recovery, Windows
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.script import Change
from homing.overlay.simulation.settings import Settings
from homing.overlay.simulation.world import Entry, World


@dataclass(frozen=True)
class Stretch:
    """Packets of one pair, sent one after the other, that took one way."""

    source: int
    destination: int
    first: float  # when the first and the last of them were sent
    last: float
    packets: int
    path: tuple[int, ...]


@dataclass(frozen=True)
class Run:
    """What happened."""

    network: Network
    protocol: str
    settings: Settings
    packets: Packets
    recoveries: tuple[Recovery, ...]
    log: tuple[Entry, ...]
    messages: dict[str, int]
    message_bits: dict[str, int]
    events: int  # items that came to a queue, and that left one
    seconds: float

    def _repr_html_(self) -> str:
        from homing.overlay.simulation import notebook

        return notebook.html(self)

    @property
    def false_alarms(self) -> int:
        return sum(entry.kind == "detect_failure" and entry.details["false_alarm"] for entry in self.log)

    @property
    def lost(self) -> int:
        return int((self.packets.outcome >= QUEUE_FULL).sum())

    def stretches(self) -> Iterator[Stretch]:
        """The ways that delivered packets took, pair by pair and in order of time."""
        packets = self.packets
        done = np.flatnonzero(packets.outcome == DELIVERED)
        pairs = packets.source[done].astype(np.int64) * len(self.network.brokers) + packets.destination[done]
        done, pairs = done[np.argsort(pairs, kind="stable")], np.sort(pairs, kind="stable")
        if not len(done):
            return
        path = packets.path[done]
        ends = np.flatnonzero((pairs[1:] != pairs[:-1]) | (path[1:] != path[:-1])) + 1
        for part in np.split(done, ends):
            source, destination = int(packets.source[part[0]]), int(packets.destination[part[0]])
            way = packets.paths[packets.path[part[0]]]
            first, last = float(packets.sent[part[0]]), float(packets.sent[part[-1]])
            yield Stretch(source, destination, first, last, len(part), way)


def simulate(routes: Routes, protocol: str, settings: Settings, changes: Sequence[Change] = ()) -> Run:
    """Runs a network under a protocol; the same arguments give the same run."""
    began = time.perf_counter()
    world = World(routes, protocol, settings, changes)
    windows = Windows(world)
    with collecting_later():
        world.start()
        for (moment, _), together in itertools.groupby(world.changes, key=lambda change: (change.time, change.up)):
            world.run(moment)
            windows.close(tuple(together))
        world.run(settings.until)
        windows.close(())
    packets = columns(world)
    return Run(
        network=world.network,
        protocol=protocol,
        settings=settings,
        packets=packets,
        recoveries=windows.recoveries(packets),
        log=tuple(world.log),
        messages=dict(sorted(world.messages.items())),
        message_bits=dict(sorted(world.message_bits.items())),
        events=sum(port.entered + port.left for port in world.ports.values()),
        seconds=time.perf_counter() - began,
    )


@contextmanager
def collecting_later() -> Iterator[None]:
    """Events and packets refer to each other in no circles; looking for circles takes a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()
