"""Heartbeats that adapt to load beside fixed ones: how often a working link is taken for dead, and how soon a dead one.

Two brokers and one link, whose packets and heartbeats wait in the same queue. PCRT runs without any colour beside the
normal one, so that an alarm changes no route and the load stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from homing.core.errors import Place
from homing.overlay.colours import scenarios
from homing.overlay.comparing.comparison import Estimate, estimate, line
from homing.overlay.draft import Draft
from homing.overlay.network import Network
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import Run, simulate
from homing.overlay.simulation.script import Change
from homing.overlay.simulation.settings import Settings
from homing.report.plots import Plot

LOADS = (0.0, 0.25, 0.5, 0.75, 0.9, 1.0, 1.1, 1.25, 1.5, 2.0)
PERIOD, DOWN = 90.37, 30.0  # the link fails each period; no multiple of a heartbeat, so at every phase of it
HOUR = 3600.0
ENDS = 2
SOURCE = Place("two brokers")


@dataclass(frozen=True)
class Point:
    """One kind of heartbeats at one load, over all seeds."""

    heartbeat: str
    load: float
    false_alarms: Estimate  # of one end, in an hour of the link being up
    detected: Estimate | None  # seconds from the failure until an end knows; None if no seed has one
    heartbeats: Estimate  # a second, one way


@dataclass(frozen=True)
class Experiment:
    """Points in order of load, and the plots of them."""

    points: tuple[Point, ...]

    @property
    def plots(self) -> tuple[Plot, ...]:
        return (
            self._plot("false_alarms", "A link that works, taken for dead", "false alarms (an hour)"),
            self._plot("detected", "A link that has failed, noticed", "time to detect (s)"),
            self._plot("heartbeats", "Heartbeats sent", "heartbeats (a second)"),
        )

    def _plot(self, name: str, title: str, y: str) -> Plot:
        found = []
        for heartbeat in dict.fromkeys(point.heartbeat for point in self.points):
            points = [point for point in self.points if point.heartbeat == heartbeat and getattr(point, name)]
            found.append(
                line(
                    f"{heartbeat} heartbeats",
                    [point.load for point in points],
                    [getattr(point, name) for point in points],
                )
            )
        x = "load: packets offered, as a part of the link's rate"
        return Plot(f"adaptive-{name.replace('_', '-')}", title, x, y, tuple(found))


def two_brokers() -> Network:
    draft = Draft("two brokers", SOURCE)
    for name in ("1", "2"):
        draft.broker(name, SOURCE)
    draft.link("1", "2", SOURCE, latency_ms=5)
    draft.topic("load", ["1", "2"], ["1", "2"], SOURCE, None)
    return draft.build()


def adaptive(
    loads: Sequence[float] = LOADS, seeds: int = 5, seconds: float = 1800.0, settings: Settings | None = None
) -> Experiment:
    """Runs both kinds of heartbeats under the same traffic and the same failures."""
    routes = Routes(scenarios(two_brokers(), "none"))
    settings = replace(settings or Settings(), traffic="poisson", until=seconds)
    points = []
    for heartbeat in ("fixed", "adaptive"):
        for load in loads:
            # No packets at all is not a rate: one in a long while stands for it.
            packets = max(load * settings.rate / settings.packet_bits, 1e-6)
            drawn = replace(settings, heartbeat=heartbeat, packets=packets)
            runs = [simulate(routes, "pcrt", replace(drawn, seed=seed), _failures(seconds)) for seed in range(seeds)]
            points.append(_point(heartbeat, load, runs))
    return Experiment(tuple(points))


def _failures(seconds: float) -> tuple[Change, ...]:
    """Down for some time at the end of each period."""
    times = [PERIOD * n for n in range(1, int(seconds / PERIOD) + 1)]
    return tuple(change for time in times for change in (Change(time - DOWN, 0, False), Change(time, 0, True)))


def _point(heartbeat: str, load: float, runs: Sequence[Run]) -> Point:
    up = runs[0].settings.until - DOWN * sum(not each.up for each in runs[0].recoveries)
    means = [sum(times) / len(times) for times in map(_detections, runs) if times]
    sent = [run.messages["heartbeat"] / ENDS / run.settings.until for run in runs]
    alarms = estimate([run.false_alarms / ENDS / up * HOUR for run in runs])
    alarms = replace(alarms, low=max(alarms.low, 0.0))  # few alarms in few runs; but there are no fewer than none
    return Point(heartbeat, load, alarms, estimate(means) if means else None, estimate(sent))


def _detections(run: Run) -> list[float]:
    """Of both ends; none of an end that took the link for dead before it was."""
    failed, found = 0.0, []
    for entry in run.log:
        if entry.kind == "link_down":
            failed = entry.time
        elif entry.kind == "detect_failure" and not entry.details["false_alarm"]:
            found.append(entry.time - failed)
    return found
