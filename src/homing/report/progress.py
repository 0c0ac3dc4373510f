"""How far a check has come: a live line on a terminal, else a plain line once in a while; always on stderr."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout, suppress

from homing.core.result import Progress
from homing.report.wording import duration, memory, printable

PLAIN_INTERVAL = 5.0
"""Seconds between two plain lines, and before the first: short runs leave no lines in a log."""

Show = Callable[[Progress], None]


@contextmanager
def display(quiet: bool) -> Iterator[Show]:
    """What to call with progress; meanwhile all that a model prints goes to stderr, off the report."""
    terminal = sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not quiet
    with _live() if terminal else _plain(quiet) as show:
        yield show


@contextmanager
def _plain(quiet: bool) -> Iterator[Show]:
    shown = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal shown
        if progress.note:
            _print(f"{progress.model}: {progress.note}")
        elif not quiet and time.monotonic() - shown >= PLAIN_INTERVAL:
            shown = time.monotonic()
            _print(describe(progress))

    with redirect_stdout(sys.stderr):
        yield show


@contextmanager
def _live() -> Iterator[Show]:
    from rich.live import Live
    from rich.text import Text

    from homing.report.screen import Screen

    screen = Screen(sys.stderr)
    # Compiled code is loaded first, and on the very first run compiled.
    with Live(Text("starting"), console=screen, auto_refresh=False, transient=True) as live:

        def show(progress: Progress) -> None:
            if progress.note:
                screen.say(printable(f"homing: {progress.model}: {progress.note}"))
            line = Text(describe(progress))
            line.truncate(screen.width - 3, overflow="ellipsis")  # a terminal's own ^C must not break the line
            live.update(line, refresh=True)

        yield show


def _print(text: str) -> None:
    with suppress(OSError):  # a log that nobody keeps must not end the run
        print(f"homing: {printable(text)}", file=sys.stderr, flush=True)


def describe(progress: Progress) -> str:
    """The line: most telling first, since a narrow terminal shows only its beginning."""
    if not progress.states:
        return f"starting, {duration(progress.seconds)}, {printable(progress.model)} (the first run compiles)"
    return ", ".join(
        [
            f"{progress.states:,} states",
            f"{progress.states_per_second:,.0f}/s",
            f"frontier {progress.frontier:,}",
            f"depth {progress.depth:,}",
            *([progress.detail] if progress.detail else []),
            memory(progress.memory_mb),
            duration(progress.seconds),
            printable(progress.model),
        ]
    )
