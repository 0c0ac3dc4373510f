"""Conditions on every step, and invariants in parts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from homing import checking
from homing.core.builder import Builder, step
from homing.core.formula import Between, always, eventually
from homing.core.property import Always
from homing.core.result import Options, Result
from homing.core.system import Step
from homing.core.temporal import EveryStep, Temporal
from homing.engines.spark.conditions import conditions_of


def ring(size: int, *, largest: int = 1, start: int = 0) -> Builder:
    """A number that goes around, by one or by more."""
    builder = Builder("ring")
    slot = builder.slot("n", start)

    @builder.group("go", [slot], [slot])
    def go(n: int) -> Iterator[Step]:
        for by in range(1, largest + 1):
            yield step("go", {slot: (n + by) % size})

    builder.label("n", [slot], lambda n: n)
    builder.label("small", [slot], lambda n: n < 3)
    builder.label("even", [slot], lambda n: n % 2 == 0)
    return builder


def decided(builder: Builder) -> Result:
    return checking.check(builder.model(), options=Options(threads=1)).results[0]


@pytest.mark.parametrize(("largest", "verdict", "steps"), [(1, "HOLDS", None), (2, "VIOLATED", 1)])
def test_every_step(largest: int, verdict: str, steps: int | None) -> None:
    builder = ring(5, largest=largest)
    builder.ask(EveryStep("by one", (Between("by one", 0, 0, lambda one, other: (other - one) % 5 == 1),)))
    result = decided(builder)
    assert result.verdict.name == verdict
    assert (None if result.trace is None else len(result.trace)) == steps


def test_initially() -> None:
    builder = ring(5, start=3)
    builder.ask(EveryStep("starts small", (), (1,)))
    result = decided(builder)
    assert result.verdict.name == "VIOLATED"
    assert result.trace is not None
    assert len(result.trace) == 0


def test_a_condition_on_steps_is_an_atom() -> None:
    wraps = Between("wraps", 0, 0, lambda one, other: other < one)
    builder = ring(4)
    builder.ask(Temporal("wraps again and again", always(eventually(wraps)), (), "never"))
    assert decided(builder).verdict.name == "HOLDS"


def test_an_invariant_in_parts() -> None:
    builder = ring(5)
    builder.ask(Always("small and even", 1, (2,)))
    result = decided(builder)
    assert result.verdict.name == "VIOLATED"
    assert result.trace is not None
    assert len(result.trace) == 1


def test_a_condition_is_not_asked_where_what_it_starts_with_is_false() -> None:
    asked = set[tuple[int, int]]()

    def holds(one: int, other: int) -> bool:
        asked.add((one, other))
        return one == 3

    builder = ring(4)
    even = Between("even", 0, 0, lambda one, other: one % 2 == 0)
    both = Between("both", 0, 0, holds, number=1, only=even)
    builder.ask(Temporal("never", always(~both), stuttering="never"))
    assert decided(builder).verdict.name == "HOLDS"
    assert asked == {(0, 1), (2, 3)}


def test_conditions_on_the_same_labels_are_told_apart() -> None:
    """Also where they come from another process; where nothing tells them apart, they are asked themselves."""
    less, more, far = (
        Between(name, 0, 0, holds, number=number)
        for name, holds, number in (
            ("less", lambda one, other: one < other, 1),
            ("more", lambda one, other: one > other, 2),
            ("far", lambda one, other: one + 1 < other, 1),
        )
    )
    only = Between("only", 0, 1, lambda one, other: True)
    both = Between("both", 0, 2, lambda one, other: False, only=only)
    known = conditions_of((EveryStep("steps", (less, more, both)),))
    assert known == {(0, 0, 1): less.holds, (0, 0, 2): more.holds, (0, 1, 0): only.holds, (0, 2, 0): both.holds}
    assert set(conditions_of((EveryStep("steps", (less, more, far)),))) == {(0, 0, 2)}
