"""A lazy label is asked once for all states that agree on what it looked at, and says the same as any other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from unittest.mock import patch

import pytest
from tests.engines.test_local import TINY, agrees
from tests.reference import explore
from tests.systems import LazySystem, model_of

from homing import checking
from homing.core.model import Model
from homing.core.property import Always, Extreme, Property
from homing.core.reading import Reading
from homing.core.result import Options
from homing.core.system import Event, Group, Label, Read, Shape, Slot, Step
from homing.core.values import Short, State, Value
from homing.core.verdict import Verdict
from homing.engines.local import planning
from homing.engines.local.engine import check
from homing.engines.local.tuning import Tuning

ENGINES = pytest.mark.parametrize("engine", ["local", "symbolic", "spark"])


@pytest.mark.parametrize("seed", range(12))
def test_lazy_labels_agree_with_the_naive_search(seed: int) -> None:
    system = LazySystem(seed, slots=4, groups=3, labels=4, values=4, eagerness=2)
    expected = explore(system)
    assert expected is not None
    for tuning in (Tuning(), TINY):
        with patch.object(planning, "DENSE_BITS", 1):
            report = check(model_of(system), Options(threads=1), tuning).report
        agrees(report, model_of(system).properties, expected)


@dataclass(frozen=True)
class Grid:
    """Counters that go up by themselves; labels that look at few of them, most of the time."""

    most: int
    lazy: bool

    @cached_property
    def shape(self) -> Shape:
        everything = tuple(map(Read, range(3)))
        return Shape(
            tuple(map(Slot, "abc")),
            tuple(Group(f"count {name}", (Read(n),), (n,)) for n, name in enumerate("abc")),
            (
                Label("chain", everything, lazy=self.lazy),
                Label("even", (Read(0),)),
                Label("half", everything, after=(1,), lazy=self.lazy),
            ),
        )

    def initial(self) -> Iterable[State]:
        return [(0, 0, 0)]

    def next(self, group: int, read: Short) -> Iterable[Step]:
        assert isinstance(read[0], int)
        if read[0] < self.most:
            yield Step(Event("count"), {group: read[0] + 1})

    def label(self, label: int, read: Any) -> bool | int:
        match label:
            case 0:  # false in one state
                return read[0] % 5 != 4 or read[1] % 4 != 3 or (read[0], read[1], read[2]) != (9, 7, 3)
            case 1:
                return bool(read[0] % 2 == 0)
            case _:  # fails where the label before is false, and once where it is not
                if read[0] % 2 == 1 or (read[0], read[1]) == (8, 5):
                    raise ValueError("odd")
                return bool(read[1] < 5 or read[2] >= 0)


def model(*properties: Property, most: int = 12, lazy: bool = True) -> Model:
    return Model("grid", Grid(most, lazy), properties)


@ENGINES
def test_what_is_found_does_not_change(engine: str) -> None:
    counts = []
    with patch.object(planning, "DENSE_BITS", 0):
        for lazy in (False, True):
            report = checking.check(model(Always("chain", 0), lazy=lazy), engine, Options(threads=1))
            assert report.error is None
            (found,) = report.results
            assert found.verdict is Verdict.VIOLATED
            assert found.trace is not None
            assert found.trace.states[-1] == (9, 7, 3)
            counts.append(found.counts)
    assert replace(counts[0], evaluations=0) == replace(counts[1], evaluations=0)
    if engine == "local":  # the others ask about whole combinations, or in partitions of their own
        assert counts[1].evaluations < 250 < 1000 < counts[0].evaluations


@ENGINES
@pytest.mark.parametrize("most", [7, 8])
def test_what_fails_is_an_error_only_where_those_before_are_true(engine: str, most: int) -> None:
    with patch.object(planning, "DENSE_BITS", 0):
        report = checking.check(model(Extreme("half", 2, "min"), most=most), engine, Options(threads=1))
    if most < 8:
        assert report.error is None
        assert report.results[0].value == 0
    else:
        assert "a = 8, b = 5" in str(report.error)
        assert "failed: ValueError: odd" in str(report.error)


def test_a_reading_notes_what_was_looked_at() -> None:
    def fetch(position: int) -> Value:
        if position == 3:
            raise KeyError(position)
        return "abcd"[position]

    reading = Reading(4, fetch)
    assert [reading[2], reading[0], reading[2]] == ["c", "a", "c"]
    with pytest.raises(KeyError):
        reading[3]
    assert reading.seen == [2, 0, 3]
    with pytest.raises(IndexError):
        reading[-1]
    assert list(Reading(3, fetch).short) == ["a", "b", "c"]
