"""What `homing overlay simulate` prints."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from homing.overlay.comparing.comparison import Estimate
from homing.overlay.simulation.measures import Summary
from homing.overlay.simulation.packets import LOSSES
from homing.overlay.simulation.run import Run, Stretch

SHOWN = 5  # pairs whose ways are listed
EXTRA = {
    "in_flight": "in flight at the end",
    "false_alarms": "false alarms",
    "without_colour": "times a broker had no colour for what was down (--failures)",
}
COLUMNS = (
    ("lost", "lost", "packets"),
    ("detected", "detected", "s"),
    ("reconverged", "reconverged", "s"),
    ("restored", "served again", "s"),
    ("repair_reconverged", "repaired", "s"),
    ("healed_used", "link used", "s"),
    ("latency_mean", "latency", "s"),
    ("messages", "messages", ""),
    ("bits", "bits", ""),
)


def finding(summaries: Sequence[Summary], name: str) -> str:
    """The sentence that people came for."""
    first, *others = summaries
    sent, lost = first.of("sent"), first.of("lost")
    seeds = f"means of {len(first.seeds)} seeds: " if len(first.seeds) > 1 else ""
    text = f"{name}: {seeds}{first.protocol} loses {_cell(lost)} of {_cell(sent)} packets"
    for each in others:
        text += f", {each.protocol} {_cell(each.of('lost'))}"
    times = [(each.protocol, each.of("reconverged")) for each in summaries]
    known = [f"{protocol} {value} s" for protocol, value in times if value is not None]
    if known:
        text += f"; all brokers have acted on a failure after: {', '.join(known)}"
    return text


def table(summaries: Sequence[Summary]) -> list[str]:
    """One row for each protocol."""
    head = ["protocol", *(title for _, title, _ in COLUMNS)]
    units = ["", *(unit for _, _, unit in COLUMNS)]
    rows = [[each.protocol, *(_cell(each.of(name)) for name, _, _ in COLUMNS)] for each in summaries]
    widths = [max(len(row[at]) for row in (head, units, *rows)) for at in range(len(head))]
    lines = []
    for first, *others in (head, units, *rows):
        cells = (cell.rjust(width) for cell, width in zip(others, widths[1:]))
        lines.append("  ".join((first.ljust(widths[0]), *cells)).rstrip())
    return lines


def _cell(value: Estimate | None) -> str:
    if value is None:
        return "-"
    whole = value.mean == int(value.mean) and (math.isnan(value.low) or value.low == value.high)
    return f"{int(value.mean):,}" if whole else str(value)


def remarks(summaries: Sequence[Summary]) -> list[str]:
    """What packets were lost for, and what went wrong."""
    found = []
    for each in summaries:
        words = [
            f"{_cell(count)} {name}" for name in LOSSES if (count := each.of(name.replace(" ", "_"))) and count.mean
        ]
        extra = (("in_flight", "in flight at the end"), ("false_alarms", "false alarms"))
        words += [f"{_cell(count)} {text}" for name, text in extra if (count := each.of(name)) and count.mean]
        never = sum(seed["never_reconverged"] for seed in each.measures)
        if never:
            of = sum(seed["failures"] + seed["repairs"] for seed in each.measures)
            words.append(f"{never:g} of {of:g} changes not acted on everywhere before the next one")
        if words:
            found.append(f"{each.protocol}: {', '.join(words)}")
    return found


def beside(summaries: Sequence[Summary]) -> list[str]:
    """Differences under the same seeds, which are known better than the means."""
    first, *others = summaries
    found = []
    for each in others:
        words = []
        for name, title, unit in COLUMNS[:6]:
            difference = each.beside(first, name)
            if difference is not None:
                words.append(f"{title} {'+' if difference.mean >= 0 else ''}{difference} {unit}")
        found.append(f"{each.protocol} beside {first.protocol}, seed by seed: {', '.join(words)}")
    return found


def ways(runs: Sequence[Run]) -> list[str]:
    """The paths over time, pairs that changed theirs first."""
    found = []
    for run in runs:
        names = run.network.broker_names
        by_pair = itertools.groupby(run.stretches(), key=lambda stretch: (stretch.source, stretch.destination))
        pairs = [(pair, list(stretches)) for pair, stretches in by_pair]
        pairs.sort(key=lambda each: -len(each[1]))
        for (source, destination), stretches in pairs[:SHOWN]:
            steps = "; ".join(_way(stretch, names) for stretch in stretches[: 2 * SHOWN])
            more = f"; and {len(stretches) - 2 * SHOWN} more" if len(stretches) > 2 * SHOWN else ""
            found.append(f"{run.protocol} {names[source]} to {names[destination]}: {steps}{more}")
        if len(pairs) > SHOWN:
            found.append(f"{run.protocol}: and {len(pairs) - SHOWN} more pairs")
    return found


def _way(stretch: Stretch, names: Sequence[str]) -> str:
    way = "-".join(names[broker] for broker in stretch.path)
    return f"{way} ({stretch.first:.2f} to {stretch.last:.2f}, {stretch.packets})"


def run_data(run: Run) -> dict[str, Any]:
    """One run for other programs."""
    names = run.network.broker_names
    return {
        "protocol": run.protocol,
        "seed": run.settings.seed,
        "packets": {"sent": len(run.packets), **run.packets.counts()},
        "changes": [
            {
                "time": each.time,
                "link": each.link,
                "change": "repair" if each.up else "failure",
                "detected": each.detected,
                "reconverged": each.converged,
                "served_again": each.restored,
                "link_used": each.used,
                "lost": each.lost,
            }
            for each in run.recoveries
        ],
        "false_alarms": run.false_alarms,
        "messages": run.messages,
        "bits": run.message_bits,
        "paths": [
            {
                "source": names[stretch.source],
                "destination": names[stretch.destination],
                "first": stretch.first,
                "last": stretch.last,
                "packets": stretch.packets,
                "path": [names[broker] for broker in stretch.path],
            }
            for stretch in run.stretches()
        ],
        "events": run.events,
    }
