"""A chart as a list, for lifelines that do not fit beside each other."""

from __future__ import annotations

from collections.abc import Iterator

from homing.report.charts.chart import Chart, Local, Message
from homing.report.charts.rows import bracket, numbered, rows_of
from homing.report.traces import Line
from homing.report.wording import printable


def lines(chart: Chart) -> Iterator[Line]:
    """`A ──c.1──▶ B`, a step a line; what waits in a channel shows when it goes in and when it comes out."""
    rows = rows_of(chart)
    texts: dict[int, str] = {}
    for local in filter(rows.shows, chart.locals):
        texts[local.step] = _local(chart, local)
    for message in filter(rows.shows, chart.messages):
        texts.update(_message(chart, message))
    digits = len(str(chart.steps))
    for row in range(rows.count):
        step = rows.step(row)
        number = numbered(chart, step)
        yield Line(f"{bracket(chart, rows, row)} {number:>{digits}}  ", rows.remark if step is None else texts[step])


def _local(chart: Chart, local: Local) -> str:
    who = "" if local.lifeline is None else f"{printable(chart.lifelines[local.lifeline])}: "
    return f"{who}{printable(str(local.event))}"


def _message(chart: Chart, message: Message) -> Iterator[tuple[int, str]]:
    """The steps that a message takes part in, and what to say of each."""
    sender, receiver = (
        None if number is None else printable(chart.lifelines[number]) for number in (message.sender, message.receiver)
    )
    line, channel = f"──{printable(str(message.event))}──", printable(chart.whereabouts(message))
    if message.sent is not None and message.sent == message.received:
        yield message.sent, f"{sender} {line}▶ {receiver}"
        return
    if message.sent is not None:
        fate = f" (received in step {chart.number(message.received)})" if message.received else ""
        yield message.sent, f"{sender} {line}○ {channel}{fate}"
    if message.received is not None:
        origin = f" (sent in step {chart.number(message.sent)})" if message.sent else ""
        yield message.received, f"{channel} ○{line}▶ {receiver}{origin}"
