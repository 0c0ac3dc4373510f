"""A run in a few numbers, which can be averaged over seeds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from homing.overlay.comparing.comparison import Estimate, estimate
from homing.overlay.simulation.run import Run
from homing.overlay.simulation.world import HEARTBEATS

Measures = dict[str, float]
NOTHING = math.nan  # did not happen in this run: left out of means


def measures(run: Run) -> Measures:
    """Counts, and means of this run; times in seconds from the change, latencies in seconds."""
    counts = run.packets.counts()
    latency = run.packets.latency[np.isfinite(run.packets.latency)]
    failures = [each for each in run.recoveries if not each.up]
    repairs = [each for each in run.recoveries if each.up]
    return {
        "sent": len(run.packets),
        "lost": run.lost,
        **{name.replace(" ", "_"): count for name, count in counts.items()},
        "latency_mean": float(latency.mean()) if len(latency) else NOTHING,
        "latency_p99": float(np.quantile(latency, 0.99)) if len(latency) else NOTHING,
        "latency_most": float(latency.max()) if len(latency) else NOTHING,
        "failures": len(failures),
        "detected": _mean(each.after("detected") for each in failures),
        "reconverged": _mean(each.after("converged") for each in failures),
        "restored": _mean(each.after("restored") for each in failures),
        "repairs": len(repairs),
        "repair_detected": _mean(each.after("detected") for each in repairs),
        "repair_reconverged": _mean(each.after("converged") for each in repairs),
        "healed_used": _mean(each.after("used") for each in repairs),
        "never_reconverged": sum(each.converged is None for each in run.recoveries),
        "false_alarms": run.false_alarms,
        "without_colour": sum(entry.kind == "no_colour" for entry in run.log),
        "messages": sum(run.messages.values()),
        "bits": sum(run.message_bits.values()),
        "messages_beside_heartbeats": sum(n for kind, n in run.messages.items() if kind not in HEARTBEATS),
        "events": run.events,
    }


def _mean(values: Iterable[float | None]) -> float:
    """Of what happened."""
    found = [value for value in values if value is not None]
    return math.fsum(found) / len(found) if found else NOTHING


@dataclass(frozen=True)
class Summary:
    """All seeds of one protocol."""

    protocol: str
    seeds: tuple[int, ...]
    measures: tuple[Measures, ...]

    def of(self, name: str) -> Estimate | None:
        """The mean over seeds with its interval; None if it never happened."""
        found = [each[name] for each in self.measures if not math.isnan(each[name])]
        return estimate(found) if found else None

    def beside(self, other: Summary, name: str) -> Estimate | None:
        """How much more than another protocol under the same seeds: what seeds differ in cancels out."""
        theirs = {seed: each[name] for seed, each in zip(other.seeds, other.measures)}
        pairs = [(each[name], theirs[seed]) for seed, each in zip(self.seeds, self.measures) if seed in theirs]
        found = [mine - other for mine, other in pairs if not math.isnan(mine) and not math.isnan(other)]
        return estimate(found) if found else None


def summary(runs: Sequence[Run]) -> Summary:
    """Runs of one protocol."""
    return Summary(runs[0].protocol, tuple(run.settings.seed for run in runs), tuple(map(measures, runs)))
