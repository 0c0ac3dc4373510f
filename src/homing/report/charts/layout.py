"""Where everything in a drawn chart goes, in points from its upper left corner.

Labels stand beside the sender, each in the row of its step and in one gap between lifelines; gaps are as wide as the
widest of theirs, so no label meets a lifeline or another label.
"""

from __future__ import annotations

from collections.abc import Iterator

from homing.report.charts.chart import Chart, Local, Message
from homing.report.charts.measure import shortened, width
from homing.report.charts.parts import DOT, HEAD, LABEL, PAD, SIZE, SMALL, Arrow, Box, Label, Layout
from homing.report.charts.rows import rows_of
from homing.report.wording import printable

ROW, TAB, BAND = 32.0, 30.0, 20.0
NARROWEST = 84.0
STUB = 26.0
"""How far a message to oneself goes away."""
LEAN, WIDEST = 14.0, 180.0
"""How much wider an arrow gets for each row that it goes down, up to a limit: upright ones look like lifelines."""
LONGEST_LABEL, LONGEST_NAME = 64, 32
LONG = 18
"""Rows from which on the names of the lifelines stand at the bottom, too."""


def lay_out(chart: Chart, end: str | None = None) -> Layout:
    """The layout of a chart, which ends with a band that says `end`."""
    return _Plan(chart, end).layout()


class _Plan:
    def __init__(self, chart: Chart, end: str | None) -> None:
        self.chart = chart
        self.end = end
        self.rows = rows_of(chart)
        self.messages = list(filter(self.rows.shows, chart.messages))
        self.locals = list(filter(self.rows.shows, chart.locals))
        self.names = [shortened(name, LONGEST_NAME) for name in chart.lifelines]
        self.repeats = chart.loop is not None and chart.loop < chart.steps
        self.gaps = self._gaps()
        self.left = PAD + width(str(chart.steps), SMALL) + (2 * PAD if self.repeats else PAD)
        self.at = self._lifelines()
        self.right = self._right()
        self.y = list(self._heights())

    # Across

    def _gaps(self) -> list[float]:
        count = len(self.names)
        gaps = [PAD, *[NARROWEST] * (count - 1), PAD] if count else []

        def widen(gap: int, room: float) -> None:
            gaps[gap] = max(gaps[gap], room + 2 * PAD)

        for message in self.messages:
            widen(message.gap, self._room(message))
        for local in self.locals:
            if local.lifeline is not None:
                half = width(_text(local), SIZE) / 2 + PAD / 2
                widen(local.lifeline, half)
                widen(local.lifeline + 1, half)
        halves = [0.0, *(self._head(name) / 2 for name in self.names), 0.0]
        for gap in range(len(gaps)):
            widen(gap, halves[gap] + halves[gap + 1] - (PAD if gap in (0, count) else 0.0))
        return gaps

    def _head(self, name: str) -> float:
        return max(width(name, SIZE) + 2 * PAD, 56.0)

    def _room(self, message: Message) -> float:
        """What the label of a message needs beside its sender, with all that belongs to it."""
        room = width(_text(message), SIZE)
        if message.sender is None or message.receiver is None:
            return max(room, STUB) + 3 * PAD + 2 * DOT + width(_channel(self.chart, message), SMALL)
        if message.sender == message.receiver:
            return room + STUB
        if message.waits:
            rows = self.rows.of(message.received or 0) - self.rows.of(message.sent or 0)
            return max(room + PAD, min(rows * LEAN, WIDEST))
        return room + PAD

    def _lifelines(self) -> list[float]:
        at, here = [], self.left
        for gap in self.gaps[:-1]:
            here += gap
            at.append(here)
        return at

    def _right(self) -> float:
        right = self.at[-1] + self.gaps[-1] if self.at else self.left
        over = [_text(local) for local in self.locals if local.lifeline is None]
        over += [self.rows.remark] if self.rows.gap is not None else []
        over += [self.end] if self.end else []
        return max([right, *(self.left + width(text, SIZE) + 4 * PAD for text in over)])

    # Down

    def _heights(self) -> Iterator[float]:
        """The middle of each row, where its arrow goes; the label stands above."""
        here = HEAD + ROW if self.names else ROW
        first = self.rows.of(self.chart.loop + 1) if self.repeats and self.chart.loop is not None else None
        for row in range(self.rows.count):
            here += TAB if row == first else 0.0
            yield here
            here += ROW

    def layout(self) -> Layout:
        bottom = (self.y[-1] if self.y else HEAD) + (ROW + PAD if self.end else ROW * 0.8)
        content = Box(self.left, 0.0, self.right - self.left, bottom)
        layout = Layout(self.at, list(self._heads(0.0)), HEAD if self.names else 0.0, bottom, content)
        if self.rows.count >= LONG:
            layout.heads += self._heads(bottom)
        for row, y in enumerate(self.y):
            step = self.rows.step(row)
            if step is not None and self.chart.begins(step):
                layout.numbers.append(_label(str(self.chart.number(step)), PAD, y - LABEL / 2, SMALL))
        for message in self.messages:
            self._message(layout, message)
        for local in self.locals:
            self._local(layout, local)
        if self.rows.gap is not None:
            layout.gap = self._across(self.rows.remark, self.y[self.rows.gap])
        if self.end is not None:
            layout.end = self._across(self.end, bottom - BAND / 2 - PAD / 2)
        if self.repeats and self.chart.loop is not None:
            top = self.y[self.rows.of(self.chart.loop + 1)] - TAB - ROW * 0.45
            layout.frame = Box(self.left - PAD / 2, top, self.right - self.left + PAD, bottom - PAD / 2 - top)
        return layout

    def _heads(self, top: float) -> Iterator[Label]:
        for at, name, full in zip(self.at, self.names, self.chart.lifelines):
            wide = self._head(name)
            yield Label(name, Box(at - wide / 2, top, wide, HEAD), full=_full(name, full))

    def _across(self, text: str, y: float) -> Label:
        return Label(text, Box(self.left, y - BAND / 2, self.right - self.left, BAND))

    # What happens

    def _local(self, layout: Layout, local: Local) -> None:
        text, y, last = _text(local), self.y[self.rows.of(local.step)], local.step == self.chart.steps
        full = _full(text, str(local.event))
        if local.lifeline is None:
            band = self._across(text, y)
            layout.bands.append(Label(text, band.box, full=full, last=last))
            return
        wide = width(text, SIZE) + PAD
        box = Box(self.at[local.lifeline] - wide / 2, y - BAND / 2, wide, BAND)
        layout.locals.append(Label(text, box, full=full, last=last))

    def _message(self, layout: Layout, message: Message) -> None:
        if message.sender is None:
            self._found(layout, message)
        elif message.receiver is None:
            self._left_over(layout, message)
        elif message.sender == message.receiver:
            self._to_itself(layout, message)
        else:
            self._between(layout, message, message.sender, message.receiver)

    def _between(self, layout: Layout, message: Message, sender: int, receiver: int) -> None:
        start, end = (self.at[sender], self._row(message.sent)), (self.at[receiver], self._row(message.received))
        shown = message.received not in self.rows.left_out
        layout.arrows.append(Arrow((start, end), message.waits, head=shown, last=self._last(message)))
        if message.sent in self.rows.left_out:
            return
        text, right = _text(message), receiver > sender
        wide, gap = width(text, SIZE), self.gaps[message.gap]
        # Level arrows have their label in the middle; one that goes down is nearest to its label where it begins.
        away = PAD if message.waits else (gap - wide) / 2
        left = start[0] + away if right else start[0] - away - wide
        self._put(layout, message, left, start[1])

    def _to_itself(self, layout: Layout, message: Message) -> None:
        assert message.sender is not None
        x, y, until = self.at[message.sender], self._row(message.sent), self._row(message.received)
        points = ((x, y - 5), (x + STUB, y - 5), (x + STUB, max(until, y + 7)), (x, max(until, y + 7)))
        shown = message.received not in self.rows.left_out
        layout.arrows.append(Arrow(points, message.waits, head=shown, last=self._last(message)))
        if message.sent not in self.rows.left_out:
            self._put(layout, message, x + STUB + PAD / 2, y + LABEL / 2 + 4)

    def _left_over(self, layout: Layout, message: Message) -> None:
        assert message.sender is not None
        x, y, wide = self.at[message.sender], self._row(message.sent), width(_text(message), SIZE)
        end = x + max(wide, STUB) + 2 * PAD
        layout.arrows.append(Arrow(((x, y), (end, y)), True, (end + DOT, y), last=self._last(message)))
        self._put(layout, message, x + PAD, y)
        layout.labels.append(_label(_channel(self.chart, message), end + 2 * DOT + PAD / 2, y - LABEL / 2, SMALL))

    def _found(self, layout: Layout, message: Message) -> None:
        assert message.receiver is not None
        x, y, wide = self.at[message.receiver], self._row(message.received), width(_text(message), SIZE)
        start = x - max(wide, STUB) - 2 * PAD
        layout.arrows.append(Arrow(((start, y), (x, y)), True, (start - DOT, y), last=self._last(message)))
        self._put(layout, message, x - PAD - wide, y)
        said = _channel(self.chart, message)
        layout.labels.append(_label(said, start - 2 * DOT - PAD / 2 - width(said, SMALL), y - LABEL / 2, SMALL))

    def _put(self, layout: Layout, message: Message, left: float, y: float) -> None:
        text = _text(message)
        label = _label(text, left, y - LABEL - 4, SIZE)
        layout.labels.append(Label(text, label.box, full=_full(text, str(message.event)), last=self._last(message)))

    def _row(self, step: int | None) -> float:
        assert step is not None
        return self.y[self.rows.of(step)]

    def _last(self, message: Message) -> bool:
        return self.chart.steps in (message.sent, message.received)


def _label(text: str, left: float, top: float, size: float) -> Label:
    return Label(text, Box(left, top, width(text, size), LABEL), size)


def _text(thing: Message | Local) -> str:
    return shortened(str(thing.event), LONGEST_LABEL)


def _channel(chart: Chart, message: Message) -> str:
    return shortened(chart.whereabouts(message), LONGEST_NAME + len("in "))


def _full(text: str, full: str) -> str | None:
    """The whole text, for a tooltip, unless it is there already."""
    return None if text == printable(full) else printable(full)
