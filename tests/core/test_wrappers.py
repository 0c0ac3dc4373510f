"""Wrappers: what they promise and what they refuse."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from homing.core.builder import Builder, step
from homing.core.errors import ModelError
from homing.core.model import Model
from homing.core.result import Options
from homing.core.system import Step, TransitionSystem, Update
from homing.core.values import Value
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained, Debugged, Likened, Symmetric, View
from homing.engines.local.engine import check


def counter(most: int = 5) -> Builder:
    b = Builder("counter")
    value = b.slot("value", 0)
    steps = b.slot("steps", 0)

    @b.group("count", [value], [value, steps])
    def count(now: int) -> Iterator[Step]:
        yield step("count", {value: (now + 1) % most, steps: 0})

    b.label("small", [value], lambda now: now < 3)
    return b


def distinct(system: TransitionSystem) -> int:
    return check(Model("m", system, counter().model().properties), Options(threads=1)).counts.distinct


def test_constrained_counts_only_what_is_inside() -> None:
    assert distinct(counter().system()) == 5
    assert distinct(Constrained(counter().system(), ["small"])) == 3


def test_unknown_names_are_refused_with_what_was_declared() -> None:
    with pytest.raises(ModelError, match="unknown label 'large' in a constraint; declared: small"):
        Constrained(counter().system(), ["large"])
    with pytest.raises(ModelError, match="unknown slot 'valu' in a view; declared: value, steps"):
        View(counter().system(), ["valu"])


def test_likened_counts_what_looks_the_same_once() -> None:
    b = Builder("updated")
    value = b.slot("value", 0)
    other = b.slot("other", 0)

    @b.group("count", [], [value])
    def count() -> Iterator[Step]:
        yield step("count", {value: Update(_next, ())})

    @b.group("swap", [other], [other])
    def swap(now: int) -> Iterator[Step]:
        yield step("swap", {other: 1 - now})

    assert distinct(b.system()) == 24
    assert distinct(Likened(b.system(), "look", [value], lambda read: _modulo(read[0], 5))) == 5
    assert distinct(Likened(b.system(), "look", [value, other], lambda read: (_modulo(read[0], 2), read[1]))) == 4


def _next(value: int) -> int:
    return (value + 1) % 12


def _modulo(value: Value, by: int) -> int:
    assert isinstance(value, int)
    return value % by


def team() -> Builder:
    b = Builder("team")
    members = {name: b.slot("busy", False, index=(name,)) for name in ("ann", "bob", "cat")}
    for name, slot in members.items():

        @b.group(f"work {name}", [slot], [slot])
        def work(busy: bool, slot: int = slot) -> Iterator[Step]:
            yield step("work", {slot: not busy})

    return b


def test_symmetric_keeps_one_of_each_orbit() -> None:
    assert distinct(team().system()) == 8
    assert distinct(Symmetric(team().system(), [["ann", "bob", "cat"]])) == 4
    assert distinct(Symmetric(team().system(), [["ann", "bob"]])) == 6


def test_symmetric_refuses_what_is_not() -> None:
    with pytest.raises(ModelError, match=r"moves slot 'busy\[cat\]' to one that does not exist"):
        Symmetric(team().system(), [["cat", "dan"]])
    with pytest.raises(ModelError, match="symmetric already"):
        Symmetric(Symmetric(team().system(), [["ann", "bob"]]), [["ann", "cat"]])
    b = team()
    b.slot("chief", "ann")
    with pytest.raises(ModelError, match="the initial states are not symmetric"):
        list(Symmetric(b.system(), [["ann", "bob"]]).initial())


def test_a_symmetry_that_is_only_claimed_is_found_out_when_a_trace_is_replayed() -> None:
    b = Builder("claimed")
    slots = {name: b.slot("count", 0, index=(name,)) for name in ("ann", "bob")}

    @b.group("ann counts", [slots["ann"]], [slots["ann"]])
    def count(now: int) -> Iterator[Step]:
        if now < 3:
            yield step("count", {slots["ann"]: now + 1})

    @b.group("bob follows", list(slots.values()), [slots["bob"]])
    def follow(ann: int, bob: int) -> Iterator[Step]:
        if ann == 0 and bob == 1:  # never so, but the representative of ann = 1, bob = 0
            yield step("follow", {slots["bob"]: 9})

    b.always("nobody has 9", list(slots.values()), lambda ann, bob: 9 not in (ann, bob))
    report = check(b.model(Symmetric(b.system(), [["ann", "bob"]])), Options(threads=1)).report
    assert report.results[0].verdict is Verdict.UNKNOWN
    assert "the system may not be symmetric as declared" in str(report.error)


def debugged(steps: object, label: object = lambda now: True) -> str:
    """The complaint of the debugging wrapper about a group or label."""
    b = Builder("debugged")
    value = b.slot("value", 0)
    b.slot("other", 0)
    assert callable(steps)
    assert callable(label)
    b.group("act", [value], [value])(steps)
    b.always("fine", [value], label)
    model = b.model()
    report = check(Model("m", Debugged(model.system), model.properties), Options(threads=1)).report
    return str(report.error)


def test_debugged_catches_undeclared_writes() -> None:
    assert "group 'act' writes slot 'other', which it did not declare; declared: value" in debugged(
        lambda now: [step("act", {1: 3})]
    )


def test_debugged_catches_undeclared_reads() -> None:
    elsewhere = itertools.count()
    complaint = debugged(lambda now: [step("act", {0: next(elsewhere) % 5})])
    assert "group 'act' with value = 0 yields different steps when asked twice" in complaint
    coin = itertools.cycle([True, False])
    assert "label 'fine' differs when asked twice" in debugged(lambda now: [], lambda now: next(coin))


def test_debugged_catches_reading_past_what_is_declared() -> None:
    class Greedy:
        shape = counter().system().shape

        def initial(self) -> list[tuple[int, int]]:
            return [(0, 0)]

        def next(self, group: int, read: tuple[object, ...]) -> list[Step]:
            return [step("act", {0: read[1]})]  # type: ignore[dict-item]

        def label(self, label: int, read: tuple[object, ...]) -> bool:
            return True

    report = check(Model("m", Debugged(Greedy()), counter().model().properties), Options(threads=1)).report
    assert "group 'count' reads value number 1, but declares 1 reads" in str(report.error)


def test_debugged_lets_good_systems_pass() -> None:
    assert distinct(Debugged(counter().system())) == 5
    assert distinct(Debugged(Symmetric(team().system(), [["ann", "bob", "cat"]]))) == 4
