"""Where a guard is false a group has no step, and is not asked."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from homing import checking
from homing.core.builder import Builder, step
from homing.core.functions import add, contains
from homing.core.model import Model
from homing.core.result import Counts, Options
from homing.core.system import Read, Step


def guarded(wide: bool, guard: bool) -> tuple[Model, list[object]]:
    """A counter and a set; the counter stops once "stop" is in the set. `wide` adds reads, so that keys are hashed."""
    builder = Builder("guarded")
    count = builder.slot("count", 0)
    seen = builder.slot("seen", frozenset({"go"}))
    others = [builder.slot(f"other{n}", *range(3)) for n in range(6 if wide else 1)]
    asked: list[object] = []
    through = contains("go")

    @builder.group("count", [Read(seen, through, guard), Read(count), *map(Read, others)], [count, seen])
    def counts(go: bool, value: int, *rest: int) -> Iterator[Step]:
        asked.append(go)
        if go and value < 3:
            yield step("count", {count: value + 1, seen: frozenset({"go"}) if value < 2 else frozenset({"stop"})})

    @builder.group("note", [count], [seen])
    def notes(value: int) -> Iterator[Step]:
        yield step("note", {seen: add("note")})

    builder.sometimes("stopped", [count], lambda value: value == 9)
    return builder.model(), asked


ENGINES = pytest.mark.parametrize("engine", ["local", "symbolic"])


@ENGINES
@pytest.mark.parametrize("wide", [False, True])
def test_a_guard_changes_nothing_but_what_is_asked(wide: bool, engine: str) -> None:
    found: list[Counts] = []
    for guard in (False, True):
        model, asked = guarded(wide, guard)
        report = checking.check(model, engine, Options(threads=1))
        assert report.error is None
        found.append(report.results[0].counts)
        assert (False in asked) is not guard
    plain, skipping = found
    assert (plain.distinct, plain.generated, plain.depth) == (skipping.distinct, skipping.generated, skipping.depth)
    assert skipping.evaluations < plain.evaluations
