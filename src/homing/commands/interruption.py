"""Ctrl-C, SIGTERM and time limits: the run ends with what it found; a second Ctrl-C ends the process at once."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from homing.core.result import Limits
from homing.core.stop import leave, settle

SHOW_CURSOR = "\x1b[?25h"
ERASE_LINE = "\r\x1b[2K"
GRACE = 0.3
"""Seconds that an engine has to notice a limit by itself, before what it does is broken off."""
AGAIN = 0.2
"""Seconds between two attempts to break off what is being done."""
MESSAGE = "homing: stopping with what was found; once more to stop at once\n"


class Interruption:
    """Whether the user asked for the end; `kill` and job schedulers ask with SIGTERM."""

    def __init__(self) -> None:
        self.requested = False
        self._limits = Limits()

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
        signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
        leave(frame, "interrupted")

    @contextmanager
    def limited(self, limits: Limits) -> Iterator[None]:
        """Within this, what takes longer than the limit is broken off wherever that can be done."""
        self._limits = limits
        if limits.seconds is not None and not self.requested:
            signal.setitimer(signal.ITIMER_REAL, limits.seconds + GRACE, AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            settle()

    def _expire(self, number: int, frame: FrameType | None) -> None:
        """Gives the reason once; later signals try again, until somebody acts on it."""
        overdue, self._limits = self._limits.overdue(), Limits()
        leave(frame, overdue)


def _tell(text: str, on_terminal: str) -> None:
    # Not print: a handler may run in the middle of one.
    with suppress(OSError):
        os.write(2, ((on_terminal if os.isatty(2) else "") + text).encode())


@contextmanager
def interruptible() -> Iterator[Interruption]:
    """Within this, signals are turned into a question that an engine asks now and then, and end what never asks."""
    interruption = Interruption()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, interruption._receive) for number in signals}
    before[signal.SIGALRM] = signal.signal(signal.SIGALRM, interruption._expire)
    try:
        yield interruption
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        settle()
        for number, handler in before.items():
            signal.signal(number, handler)
