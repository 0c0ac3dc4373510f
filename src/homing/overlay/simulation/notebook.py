"""A simulated run in a notebook: what became of its packets, what followed each change, and their latencies."""

from __future__ import annotations

from base64 import b64encode

from homing.overlay.simulation import figures
from homing.overlay.simulation.run import Run
from homing.report.notebook import muted, table
from homing.report.plots import draw
from homing.report.wording import escape, plural

WIDTH = 680  # pixels
CHANGES = 20


def html(run: Run) -> str:
    """Two tables and a picture."""
    counts = run.packets.counts()
    sent, lost = len(run.packets), run.lost
    title = f"{run.network.name}, {run.protocol}: {lost:,} of {plural(sent, 'packet')} lost"
    rows = [(escape(name), f"{count:,}") for name, count in counts.items() if count]
    messages = sum(run.messages.values())
    return "".join(
        [
            f"<p><b>{escape(title)}</b></p>",
            table(("packets", ""), rows),
            _changes(run),
            muted(f"{plural(messages, 'message')} of the protocol, {sum(run.message_bits.values()):,} bits"),
            _picture(run),
        ]
    )


def _changes(run: Run) -> str:
    rows = []
    for each in run.recoveries[:CHANGES]:
        change = f"{each.link} {'up' if each.up else 'down'} at {each.time:g} s"
        rows.append((escape(change), *map(_seconds, map(each.after, ("detected", "converged"))), f"{each.lost:,}"))
    more = muted(f"and {len(run.recoveries) - CHANGES} more") if len(run.recoveries) > CHANGES else ""
    return table(("change", "noticed after", "acted on everywhere after", "packets lost"), rows) + more if rows else ""


def _seconds(value: float | None) -> str:
    return "never" if value is None else f"{value:.3f} s"


def _picture(run: Run) -> str:
    """The latency of each packet; nothing where none was delivered."""
    plot = figures.of_runs([run])[0]
    if not any(series.x for series in plot.series):
        return ""
    _, png = draw(plot)
    source = f"data:image/png;base64,{b64encode(png).decode()}"
    return f'<img alt="{escape(plot.title)}" src="{source}" style="max-width: {WIDTH}px; width: 100%">'
