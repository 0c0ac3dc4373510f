"""Counters side by side: a model, and what tests copy to have a file of one."""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.builder import Builder, step
from homing.core.model import Model
from homing.core.system import Step


def counters(number: int, most: int) -> Model:
    """Counters side by side, of which none may be above the greatest."""
    b = Builder("counters")
    slots = [b.slot(f"c{n}", 0) for n in range(number)]
    for slot in slots:

        @b.group(f"count {slot}", [slot], [slot])
        def count(value: int, slot: int = slot) -> Iterator[Step]:
            yield step("count", {slot: (value + 1) % most})

    b.deadlock_free()
    b.always("small", [slots[0]], lambda value: value < most)
    return b.model()


def model() -> Model:
    return counters(6, 7)
