"""Charts for a terminal: drawn where the lifelines fit beside each other, else a line a step."""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.witness import Trace
from homing.report.charts import chart as charts
from homing.report.charts import listing, picture
from homing.report.charts.chart import Chart
from homing.report.traces import Line
from homing.report.wording import printable

WIDEST = 120
"""Columns at most, also where there is room for more: lines in a file are to be read, too."""
INDENT = "    "


def lines(trace: Trace, width: int) -> Iterator[Line]:
    """The chart, what is repeated of it, its notes, and then the charts of its branches."""
    yield from _lines(charts.of(trace), min(width, WIDEST))


def _lines(chart: Chart, width: int) -> Iterator[Line]:
    drawn = picture.draw(chart, width) if chart.messages else None
    yield from listing.lines(chart) if drawn is None else (Line("", line) for line in drawn)
    if chart.loop is not None:
        yield Line("  ", f"↻ {repeated(chart)}", emphasis=True)
    for note in chart.notes:
        yield Line("  ", printable(note))
    for part in chart.parts:
        yield Line("  ", f"{printable(part.heading)}:", emphasis=True)
        for line in _lines(part.chart, width - len(INDENT)):
            yield Line(INDENT + line.margin, line.text, line.emphasis)


def repeated(chart: Chart) -> str:
    """What a lasso does after its last step."""
    assert chart.loop is not None
    loop, steps = chart.number(chart.loop), chart.number(chart.steps)
    if loop == steps:
        return "and stays so for ever"
    return f"step {steps} for ever" if loop + 1 == steps else f"steps {loop + 1} to {steps} for ever"
