"""Where a report is shown: on a terminal by rich, else as plain text, without what rich takes to import."""

from __future__ import annotations

import os
from typing import Protocol, TextIO

from rich.cells import cell_len

from homing.report.files import mute
from homing.report.table import Table
from homing.report.traces import Line
from homing.report.wording import lines

UNLIMITED = 1 << 16
"""Columns when there is no terminal: a file or `grep` wants a value on one line, however long it is."""
FORCING = ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE")
"""With one of these in the environment, rich may take for a terminal what is none."""
GAP = 3
"""Blanks between the columns of a table."""


class Output(Protocol):
    """What takes the lines of a report."""

    quiet: bool

    @property
    def width(self) -> int:
        """How many columns there are."""
        ...

    @property
    def encoding(self) -> str:
        """How text becomes bytes."""
        ...

    def say(self, text: str, style: str = "") -> None:
        """Prints prose."""
        ...

    def unwrapped(self, text: str, style: str = "") -> None:
        """Prints a line that is not wrapped."""
        ...

    def hanging(self, line: Line) -> None:
        """Prints a line of a trace."""
        ...

    def table(self, table: Table) -> None:
        """Prints a table."""
        ...


def output(stream: TextIO) -> Output:
    """What shows a report on a stream, in either way the same data."""
    utf = (getattr(stream, "encoding", None) or "utf-8").lower().startswith("utf")
    if utf and not stream.isatty() and not any(name in os.environ for name in FORCING):
        return Plain(stream)
    from homing.report.screen import Screen

    return Screen(stream)


class Plain:
    """Text as it is, without colour."""

    width = UNLIMITED
    encoding = "utf-8"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.quiet = False

    def say(self, text: str, style: str = "") -> None:
        """Prints prose."""
        if self.quiet:
            return
        try:
            self._stream.write(lines(text) + "\n")
            self._stream.flush()
        except BrokenPipeError:
            # The reader has gone (`| head`); the run goes on for its exit code and its files.
            self.quiet = True
            mute(self._stream)

    unwrapped = say

    def hanging(self, line: Line) -> None:
        """Prints a line of a trace."""
        self.say(str(line))

    def table(self, table: Table) -> None:
        """Prints a table."""
        rows = (["".join(text for text, _ in cell) for cell in row] for row in table.rows)
        lines = [list(table.columns), *rows]
        columns = range(len(table.columns))
        widths = [max(cell_len(line[column]) for line in lines if column < len(line)) for column in columns]
        for number, line in enumerate(lines):
            parts = [_aligned(text, widths[n], n >= (table.numbers or len(widths))) for n, text in enumerate(line)]
            self.say((" " * GAP).join(parts).rstrip())
            if number == 0:
                self.say("─" * (sum(widths) + GAP * (len(widths) - 1)))


def _aligned(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - cell_len(text))
    return blanks + text if right else text + blanks
