"""From each change of a link to the next one: when it was noticed, when all brokers had acted on it, what it cost.

A window ends with the next change, or with the run: what a protocol has not done by then, it never did for this change.
"""

from __future__ import annotations

from dataclasses import dataclass

from homing.overlay.simulation.columns import Packets
from homing.overlay.simulation.routers.base import SWITCHES
from homing.overlay.simulation.script import Change
from homing.overlay.simulation.world import Entry, World

# Entries of the log by which a broker at the link is the first to know.
HEARD, LOST = frozenset({"hear_on_failed", "recover"}), frozenset({"detect_failure"})


@dataclass(frozen=True)
class Recovery:
    """What followed a change; moments are absolute, and None is never."""

    time: float
    link: str
    up: bool
    detected: float | None  # the first broker at the link knows
    converged: float | None  # all brokers go the ways that they should
    lost: int  # packets, whatever for
    restored: float | None  # every pair that lost a packet was served again; None as well if none lost any
    used: float | None = None  # a repaired link brought the first packet to the subscriber

    def after(self, name: str) -> float | None:
        """Seconds from the change to one of the moments."""
        moment = getattr(self, name)
        return None if moment is None else float(moment) - self.time


@dataclass(frozen=True)
class Window:
    """What is known of a change when the next one comes."""

    changes: tuple[Change, ...]
    end: float
    detected: float | None
    converged: float | None


class Windows:
    """Looks at a world each time something changes; what changes at one moment is one change."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._open: tuple[Change, ...] = ()
        self._closed: list[Window] = []
        self._logged = 0

    def close(self, changes: tuple[Change, ...]) -> None:
        """Ends the window before some changes, and begins the next."""
        if self._open:
            self._closed.append(self._window(changes[0].time if changes else self._world.settings.until))
        self._logged = len(self._world.log)
        self._open = changes

    def _window(self, end: float) -> Window:
        first = self._open[0]
        names = self._world.link_names(change.link for change in self._open)
        new = self._world.log[self._logged :]
        kinds = HEARD if first.up else LOST
        noticed = (entry.time for entry in new if entry.kind in kinds and entry.details["link"] in names)
        detected = next(noticed, None)
        converged = self._converged(first.time, new) if detected is not None else None
        return Window(self._open, end, detected, converged)

    def _converged(self, time: float, new: list[Entry]) -> float | None:
        """The last switch, if all is well at the end."""
        if not self._world.settled():
            return None
        moved = (entry.time for entry in new if entry.kind in SWITCHES and entry.details.get("moved", True))
        return max(moved, default=time)

    def recoveries(self, packets: Packets) -> tuple[Recovery, ...]:
        """All windows, with what became of packets in them."""
        return tuple(self._recovery(window, packets) for window in self._closed)

    def _recovery(self, window: Window, packets: Packets) -> Recovery:
        time, up = window.changes[0].time, window.changes[0].up
        lost = packets.lost(time, window.end)
        return Recovery(
            time=time,
            link=", ".join(self._world.link_names(change.link for change in window.changes)),
            up=up,
            detected=window.detected,
            converged=window.converged,
            lost=len(lost),
            restored=packets.served_again(lost, window.end),
            used=packets.first_over(self._hops(window.changes), time, window.end) if up else None,
        )

    def _hops(self, changes: tuple[Change, ...]) -> set[tuple[int, int]]:
        """The links of a change as pairs of brokers, in the directions that carry packets."""
        hops: set[tuple[int, int]] = set()
        for link in (self._world.network.links[change.link] for change in changes):
            hops |= {(link.source, link.target)} | (set() if link.directed else {(link.target, link.source)})
        return hops
