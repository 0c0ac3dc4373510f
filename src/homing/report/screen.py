"""A console that prints the same data whatever it is connected to."""

from __future__ import annotations

from typing import Any, TextIO

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table as Drawn
from rich.text import Text

from homing.report.files import mute
from homing.report.output import UNLIMITED
from homing.report.table import Table
from homing.report.traces import Line
from homing.report.wording import lines

NARROWEST = 24
"""Below this many columns for a value, wrapping it under itself makes it harder to read, not easier."""


class Screen(Console):
    """Plain text without colour or wrapping when piped; wrapped, never truncated, on a terminal."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        width = None if stream.isatty() else UNLIMITED
        super().__init__(file=stream, width=width, highlight=False, markup=False, emoji=False)

    def print(self, *objects: Any, **options: Any) -> None:
        """Prints what it is given; nothing in a text is left that a terminal would obey."""
        super().print(*(_clean(each) if isinstance(each, Text) else each for each in objects), **options)

    def on_broken_pipe(self) -> None:
        """The reader has gone (`| head`); the run goes on for its exit code and its files."""
        self.quiet = True
        mute(self._stream)

    def hanging(self, line: Line) -> None:
        """Prints a line of a trace; what does not fit goes on below its text."""
        margin, style = line.margin, "bold" if line.emphasis else ""
        if self.width - cell_len(margin) < NARROWEST:
            self.say(margin.rstrip(), style)
            margin = " " * (len(margin) - len(margin.lstrip()) + 2)
        room = max(1, self.width - cell_len(margin))
        text = Text(line.text, style)
        for part in [text] if cell_len(line.text) <= room else text.wrap(self, room):
            self.print(Text(margin, style).append_text(part), soft_wrap=True)
            margin = " " * cell_len(margin)

    def table(self, table: Table) -> None:
        """Prints a table, without the blanks that rich fills its last column with."""
        drawn = _drawn(table)
        if self.is_terminal:
            self.print(drawn)
            return
        with self.capture() as rendered:
            self.print(drawn)
        for line in rendered.get().splitlines():
            self.say(line.rstrip())

    def say(self, text: str, style: str = "") -> None:
        """Prints prose."""
        self.print(Text(text, style))

    def unwrapped(self, text: str, style: str = "") -> None:
        """Prints a line that is not wrapped."""
        self.print(Text(text, style), soft_wrap=True)


def _drawn(table: Table) -> Drawn:
    drawn = Drawn(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    for number, name in enumerate(table.columns):
        whole, right = (first is not None and number >= first for first in (table.whole, table.numbers))
        drawn.add_column(name, overflow="fold", justify="right" if right else "left", no_wrap=whole)
    for row in table.rows:
        drawn.add_row(*(_clean(Text.assemble(*cell)) for cell in row))
    return drawn


def _clean(text: Text) -> Text:
    shown = lines(text.plain)
    return text if shown == text.plain else Text(shown, text.style, end=text.end)
