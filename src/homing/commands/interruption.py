"""Ctrl-C: the first asks the run to end with what it found, the second ends the process at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

SHOW_CURSOR = "\x1b[?25h"
ERASE_LINE = "\r\x1b[2K"
MESSAGE = "homing: stopping with what was found; once more to stop at once\n"


class Interruption:
    """Whether the user asked for the end; `kill` and job schedulers ask with SIGTERM."""

    def __init__(self) -> None:
        self.requested = False

    def __call__(self) -> bool:
        return self.requested

    def _receive(self, number: int, frame: FrameType | None) -> None:
        if self.requested:
            _tell("\n", on_terminal=SHOW_CURSOR)  # the live line had hidden it
            # Dying of the signal, not exiting: nothing waits for threads, and a shell loop ends too.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        self.requested = True
        _tell(MESSAGE, on_terminal=ERASE_LINE)


def _tell(text: str, on_terminal: str) -> None:
    # Not print: a handler may run in the middle of one.
    with suppress(OSError):
        os.write(2, ((on_terminal if os.isatty(2) else "") + text).encode())


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Within this, signals are turned into a question that an engine asks now and then."""
    interruption = Interruption()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, interruption._receive) for number in signals}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
