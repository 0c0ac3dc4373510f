"""Work in portions: long kernels are called for a part at a time, so that limits hold and progress is seen."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from homing.core.result import Limits
from homing.core.stop import Stopped

SECONDS = 0.2
"""About how long a portion takes."""
FASTER = 8
"""How many times larger than the one before a portion may be."""

Progress = Callable[[int, int], None]
Look = Callable[[], None]
"""Called between portions; raises Stopped when the time is over."""


def nothing() -> None:
    """Looks at no clock."""


def unseen(done: int, total: int) -> None:
    """Shows no progress."""


def looking(limits: Limits) -> Look:
    """Raises Stopped once a limit is reached."""

    def look() -> None:
        overdue = limits.overdue()
        if overdue:
            raise Stopped(overdue)

    return look


def portions(first: int, last: int, most: int, look: Look = nothing) -> Iterator[tuple[int, int]]:
    """The numbers first to last, cut into ranges of about equal time; the caller works between two of them."""
    size = 1
    while first <= last:
        look()
        end = min(first + size - 1, last)
        begun = time.perf_counter()
        yield first, end
        spent = time.perf_counter() - begun
        size = max(1, min(int(size * SECONDS / max(spent, 1e-9)), FASTER * size, most))
        first = end + 1
