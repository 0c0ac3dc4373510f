"""A chart in character cells: lifelines down, messages across.

Between two lifelines there are three zones: labels of what goes right, tracks, labels of what goes left. A message
that waits in a channel goes to a track of its own, down there to the step that receives it, and on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from rich.cells import cell_len

from homing.report.charts.canvas import Canvas
from homing.report.charts.chart import Chart, Local, Message
from homing.report.charts.rows import bracket, numbered, rows_of
from homing.report.wording import printable

PITCH = 2
"""Columns from one track to the next."""


def draw(chart: Chart, width: int) -> list[str] | None:
    """The lines of the drawing; None where it is wider than that."""
    plan = Plan(chart)
    return plan.draw() if plan.width <= width else None


@dataclass
class Zones:
    """What has to have room between two lifelines, or beside the outer ones."""

    rightward: int = 0
    leftward: int = 0
    heads: int = 0
    right_tracks: int = 0
    left_tracks: int = 0

    @property
    def tracks(self) -> int:
        return max(0, (self.right_tracks + self.left_tracks) * PITCH - 1)

    @property
    def width(self) -> int:
        """In columns, without those of the lifelines."""
        if not self.tracks:
            return max(self.rightward, self.leftward, self.heads)
        return max(self.rightward + self.tracks + max(self.leftward, 3), self.heads)


class Plan:
    """How wide everything gets, and the drawing itself."""

    def __init__(self, chart: Chart) -> None:
        self.chart = chart
        self.rows = rows_of(chart)
        self.messages = list(filter(self.rows.shows, chart.messages))
        self.locals = list(filter(self.rows.shows, chart.locals))
        self.names = [printable(name) for name in chart.lifelines]
        self.digits = len(str(chart.steps))
        self.gaps = [Zones() for _ in range(len(self.names) + 1)]
        self.track = dict(self._tracks())
        self._widen()
        self.at = list(self._columns())
        self.width = self._full_width()

    # How wide

    def _tracks(self) -> Iterator[tuple[Message, int]]:
        """A track for each message that waits, number 0 nearest to where it goes: in a queue none cross then."""
        until: dict[tuple[int, bool], list[int]] = {}
        for message in self.messages:
            if not message.waits:
                continue
            start, end = self._ends(message)
            gap, right = message.gap, message.goes_right
            busy = until.setdefault((gap, right), [])
            track = next((number for number, last in enumerate(busy) if last < start), len(busy))
            busy[track : track + 1] = [end]
            yield message, track
            zones = self.gaps[gap]
            if right:
                zones.right_tracks = len(busy)
            else:
                zones.left_tracks = len(busy)

    def _ends(self, message: Message) -> tuple[int, int]:
        assert message.sent is not None
        assert message.received is not None
        return self.rows.of(message.sent), self.rows.of(message.received)

    def _widen(self) -> None:
        for message in self.messages:
            zones, width = self.gaps[message.gap], cell_len(self._line(message))
            if message.goes_right and message.sender is not None:
                zones.rightward = max(zones.rightward, width)
            else:
                zones.leftward = max(zones.leftward, width)
        for local in self.locals:
            if local.lifeline is not None:
                zones = self.gaps[local.lifeline + 1]
                zones.rightward = max(zones.rightward, cell_len(_words(local)) + 2)
        widths = [cell_len(name) for name in self.names]
        for gap, (left, right) in enumerate(pairwise(widths), 1):
            self.gaps[gap].heads = left // 2 + (right - 1) // 2 + 2
        # The heads of the outer ones may stand above the numbers of the steps.
        self.gaps[0].heads = max(0, (widths[0] - 1) // 2 - self._margin)

    @property
    def _margin(self) -> int:
        return self.digits + 4

    def _columns(self) -> Iterator[int]:
        column = self._margin - 1
        for zones in self.gaps[:-1]:
            column += zones.width + 1
            yield column

    def _full_width(self) -> int:
        inside = self.at[-1] + 1 + max(self.gaps[-1].width, cell_len(self.names[-1]) // 2)
        across = (cell_len(_words(local)) + 2 for local in self.locals if local.lifeline is None)
        return max(inside, self._margin + max(across, default=0), self._margin + len(self.rows.remark))

    def _line(self, message: Message) -> str:
        """The part of the arrow that carries its label."""
        text, channel = _words(message), printable(self.chart.whereabouts(message))
        if message.receiver is None:
            return f"─{text}─○ {channel} "
        if message.sender is None:
            return f" {channel} ○─{text}─▶"
        if message.sender == message.receiver and not message.waits:
            return f"─{text}─↩"
        if message.waits:
            return f"─{text}─"
        return f"─{text}─▶" if message.goes_right else f"◀─{text}─"

    # The drawing

    def draw(self) -> list[str]:
        canvas = Canvas(self.rows.count + 1, self.width)
        for name, column in zip(self.names, self.at):
            canvas.put(0, column - (cell_len(name) - 1) // 2, name)
            canvas.down(column, 1, self.rows.count, "│")
        for message in self.track:
            start, end = self._ends(message)
            canvas.down(self._track_column(message), start + 1, end + 1, "┆")
        for message in self.messages:
            self._message(canvas, message)
        for local in self.locals:
            self._local(canvas, local)
        if self.rows.gap is not None:
            self._across(canvas, self.rows.gap + 1, self.rows.remark, " ")
        for row in range(self.rows.count):
            canvas.put(row + 1, 0, self._number(row))
        return canvas.text()

    def _number(self, row: int) -> str:
        number = numbered(self.chart, self.rows.step(row))
        return f"{bracket(self.chart, self.rows, row)} {number:>{self.digits}}"

    def _track_column(self, message: Message) -> int:
        gap, track = message.gap, self.track[message]
        first = (self.at[gap - 1] if gap else self._margin - 1) + 1
        zones = self.gaps[gap]
        if message.goes_right:
            end = self.at[gap] if gap < len(self.at) else first + zones.width
            return end - max(zones.leftward, 3) - 1 - track * PITCH
        return first + zones.rightward + track * PITCH

    def _message(self, canvas: Canvas, message: Message) -> None:
        if message in self.track:
            self._waiting(canvas, message)
            return
        line, row = self._line(message), self.rows.of(message.sent or message.received or 0) + 1
        if message.sender is None:
            assert message.receiver is not None
            canvas.put(row, self.at[message.receiver] - cell_len(line), line)
        elif message.receiver is None or message.receiver == message.sender:
            canvas.put(row, self.at[message.sender], f"├{line}")
        else:
            self._handshake(canvas, row, message.sender, message.receiver)
            self._label(canvas, row, message)

    def _handshake(self, canvas: Canvas, row: int, sender: int, receiver: int) -> None:
        start, end = self.at[sender], self.at[receiver]
        if start < end:
            canvas.across(row, start + 1, end - 2)
            canvas.put(row, end - 1, "▶")
            canvas.put(row, start, "├")
        else:
            canvas.across(row, end + 2, start - 1)
            canvas.put(row, end + 1, "◀")
            canvas.put(row, start, "┤")

    def _label(self, canvas: Canvas, row: int, message: Message) -> None:
        """Beside the sender; in the middle of the gap where it has that for itself."""
        assert message.sender is not None
        text, gap, right = _words(message), message.gap, message.goes_right
        zones, line = self.gaps[gap], self._line(message)
        slack = 0 if zones.tracks else max(0, zones.width - cell_len(line)) // 2
        start = self.at[message.sender]
        canvas.put(row, start + 2 + slack if right else start - 1 - slack - cell_len(text), text)

    def _waiting(self, canvas: Canvas, message: Message) -> None:
        assert message.sender is not None
        assert message.receiver is not None
        start, end = (row + 1 for row in self._ends(message))
        track, sender, receiver = self._track_column(message), self.at[message.sender], self.at[message.receiver]
        right = message.goes_right
        if message.sent not in self.rows.left_out:
            canvas.across(start, min(sender, track) + 1, max(sender, track) - 1)
            canvas.put(start, sender, "├" if right else "┤")
            canvas.put(start, track, "╮" if right else "╭")
            self._label(canvas, start, message)
        if message.received not in self.rows.left_out:
            canvas.across(end, min(receiver, track) + 1, max(receiver, track) - 1)
            canvas.put(end, track, "╰" if receiver > track else "╯")
            canvas.put(end, receiver - 1 if receiver > track else receiver + 1, "▶" if receiver > track else "◀")

    def _local(self, canvas: Canvas, local: Local) -> None:
        row = self.rows.of(local.step) + 1
        if local.lifeline is None:
            self._across(canvas, row, f" {_words(local)} ", "┄")
        else:
            canvas.put(row, self.at[local.lifeline], f"■ {_words(local)}")

    def _across(self, canvas: Canvas, row: int, text: str, line: str) -> None:
        """Over everything, since it concerns nobody, or all."""
        first, last = self.at[0], self.at[-1]
        canvas.put(row, first, line * (last - first + 1))
        middle = min((first + last + 1 - cell_len(text)) // 2, self.width - cell_len(text))
        canvas.put(row, max(self._margin, middle), text)


def _words(thing: Message | Local) -> str:
    return printable(str(thing.event))
