"""A trace in the form that was asked for: a chart, a table, or JSON."""

from __future__ import annotations

import json

from homing.core.witness import Trace
from homing.report import json_format, traces
from homing.report.charts import terminal
from homing.report.charts.chart import has_messages
from homing.report.output import Output


def show(screen: Output, trace: Trace, form: str) -> None:
    """Prints the trace."""
    if form == "json":
        screen.unwrapped(json.dumps(json_format.trace(trace)))
        return
    for line in terminal.lines(trace, screen.width) if form == "chart" else traces.lines(trace):
        screen.hanging(line)


def usual(screen: Output, trace: Trace) -> str:
    """The form that tells most: where messages move, who sent what to whom."""
    # Without lines to draw with, nobody could read a chart.
    return "chart" if has_messages(trace) and draws(screen) else "table"


def draws(screen: Output) -> bool:
    """Whether the screen has lines to draw with."""
    return screen.encoding.startswith("utf")
