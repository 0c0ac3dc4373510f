"""Counters side by side: a model, and what tests copy to have a file of one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from homing.core.builder import Builder, step
from homing.core.model import Model
from homing.core.system import Step

PAUSE = float(os.environ.get("COUNTERS_PAUSE", "0"))


def counters(number: int, most: int, early: bool = False) -> Model:
    """Counters side by side, of which none may be above the greatest; and one that is found early, if asked."""
    b = Builder("counters")
    slots = [b.slot(f"c{n}", 0) for n in range(number)]
    for slot in slots:

        @b.group(f"count {slot}", [slot], [slot])
        def count(value: int, slot: int = slot) -> Iterator[Step]:
            time.sleep(PAUSE)
            yield step("count", {slot: (value + 1) % most})

    b.deadlock_free()
    b.always("small", [slots[0]], lambda value: value < most)
    if early:
        b.sometimes("one", [slots[0]], lambda value: value == 1)
    return b.model()


def model() -> Model:
    """Large enough for workers; or smaller and slow, so that it can be stopped in the middle."""
    return counters(5, 6) if PAUSE else counters(6, 7)
