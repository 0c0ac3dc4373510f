"""A state is outside where any one of several constraints is false, whichever engine looks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from homing import engines
from homing.core.builder import Builder, step
from homing.core.model import Model
from homing.core.result import Options
from homing.core.system import Step
from homing.core.wrappers import Constrained


def counters() -> Model:
    """Two counters, neither of which is followed beyond 1."""
    builder = Builder("constrained")
    slots = [builder.slot(name, 0) for name in "ab"]
    for slot, name in zip(slots, "ab", strict=True):
        builder.label(f"{name} is small", [slot], lambda value: value < 2)

        @builder.group(f"count {name}", [slot], [slot])
        def count(value: int, slot: int = slot) -> Iterator[Step]:
            if value < 5:
                yield step("count", {slot: value + 1})

    builder.deadlock_free()
    model = builder.model()
    return replace(model, system=Constrained(model.system, ["a is small", "b is small"]))


@pytest.mark.parametrize("engine", ["local", "spark", "symbolic"])
def test_all_constraints_have_to_hold(engine: str) -> None:
    counts = engines.check(counters(), engine, Options(threads=1)).counts
    assert (counts.distinct, counts.transitions, counts.depth) == (4, 8, 3)
