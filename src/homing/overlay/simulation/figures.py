"""Plots of runs: latencies as in Figures 6-15 and 6-16 of the thesis, losses as in Figure 6-17."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from homing.overlay.comparing.comparison import Estimate, line
from homing.overlay.simulation.measures import Summary, summary
from homing.overlay.simulation.packets import LOSSES
from homing.overlay.simulation.run import Run
from homing.report.plots import Plot, Series

MOST_MARKS = 6  # vertical lines with a text; more would hide the packets
TIMES = {
    "detected": "detected",
    "reconverged": "reconverged",
    "restored": "served again",
    "repair_reconverged": "repaired",
    "healed_used": "link used",
}
LOST = {name.replace(" ", "_"): name for name in LOSSES}
MOST_PAIRS = 5  # drawn apart; of more, all packets are one series


def of_runs(runs: Sequence[Run]) -> tuple[Plot, ...]:
    """A plot of latencies for each protocol, and one of the losses of all."""
    losses = _losses(f"{runs[0].network.name}: packets lost", [summary([run]) for run in runs])
    return (*map(_latencies, runs), losses)


def _latencies(run: Run) -> Plot:
    return Plot(
        name=f"latency-{run.protocol}",
        title=f"{run.network.name}: latency of each packet, {run.protocol.upper()}",
        x="sent at (s)",
        y="latency (s)",
        series=tuple(_pairs(run)),
        marks=_marks(run),
    )


def _pairs(run: Run) -> list[Series]:
    packets = run.packets
    names = run.network.broker_names
    pairs = sorted(set(zip(packets.source.tolist(), packets.destination.tolist())))
    delivered = np.isfinite(packets.latency)
    if len(pairs) > MOST_PAIRS:
        return [_points(f"{len(pairs)} pairs", run, delivered)]
    found = []
    for source, destination in pairs:
        rows = delivered & (packets.source == source) & (packets.destination == destination)
        found.append(_points(f"{names[source]} to {names[destination]}", run, rows))
    return found


def _points(label: str, run: Run, rows: npt.NDArray[np.bool_]) -> Series:
    return Series(label, run.packets.sent[rows].tolist(), run.packets.latency[rows].tolist(), kind="points")


def _marks(run: Run) -> tuple[tuple[float, str], ...]:
    found = [(each.time, f"{each.link} {'up' if each.up else 'down'}") for each in run.recoveries]
    return tuple(found) if len(found) <= MOST_MARKS else ()


def of_summaries(name: str, summaries: Sequence[Summary]) -> tuple[Plot, ...]:
    """Means over seeds with their 95 % intervals."""
    title = f"{name}: means of {len(summaries[0].seeds)} seeds, 95 % intervals"
    return (_times(title, summaries), _losses(title, summaries))


def _losses(title: str, summaries: Sequence[Summary]) -> Plot:
    """A bar for each protocol, and for each reason for which packets were lost."""
    seen = [name for name in LOST if any(row[name] for each in summaries for row in each.measures)]
    x = list(range(len(summaries)))
    series = [line(LOST[name], x, [_known(each.of(name)) for each in summaries], "bars") for name in seen]
    return Plot(
        "losses", title, "", "packets lost", tuple(series), ticks=tuple(each.protocol.upper() for each in summaries)
    )


def _times(title: str, summaries: Sequence[Summary]) -> Plot:
    x = list(range(len(TIMES)))
    series = [line(each.protocol.upper(), x, [_known(each.of(name)) for name in TIMES], "bars") for each in summaries]
    return Plot("times", title, "", "seconds after the change", tuple(series), ticks=tuple(TIMES.values()))


def _known(value: Estimate | None) -> Estimate:
    return value or Estimate(math.nan)
