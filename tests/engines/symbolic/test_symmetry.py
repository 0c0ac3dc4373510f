"""Symmetry: one state for its orbit, and traces of real states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homing import checking
from homing.core.builder import Builder
from homing.core.formula import Between, Holds, always
from homing.core.model import Model
from homing.core.property import Always, DeadlockFree, Property
from homing.core.result import Options, Report
from homing.core.system import Event, Step, TransitionSystem
from homing.core.temporal import EveryStep, Temporal
from homing.core.wrappers import Symmetric

ONE = Options(threads=1)
FEW, SUM = 0, 1
NAMES = ("a", "b", "c")


def voting(more: int = 0) -> TransitionSystem:
    """Any of three votes, at most twice, or so often more at once; one group reads all votes, so of an orbit it is
    asked about one state."""
    b = Builder("votes")
    slots = [b.slot("votes", 0, index=(name,)) for name in NAMES]

    @b.group("vote", slots, slots)
    def vote(*now: int) -> Iterator[Step]:
        for name, slot, votes in zip(NAMES, slots, now, strict=True):
            if votes < 2:
                yield Step(Event("vote", (name,)), {slot: votes + 1})
            yield from (Step(Event("more", (name,)), {slot: 3 + number}) for number in range(more))

    b.label("few", slots, lambda *now: sum(now) < 4)
    b.label("sum", slots, lambda *now: sum(now))
    return b.system()


def votes(*properties: Property) -> Model:
    return Model("votes", Symmetric(voting(), [NAMES]), properties)


def checked(engine: str, *properties: Property, unsound: bool = False) -> Report:
    return checking.check(votes(*properties), engine, ONE, unsound=unsound)


def test_a_condition_on_steps_is_decided_on_real_states() -> None:
    """The step that breaks it starts in a state that nobody was asked about: another of its orbit was."""
    slow = EveryStep("slow", (Between("less than three", SUM, SUM, lambda before, after: after < 3),))
    few = Always("few", FEW)
    found, expected = (checked(engine, few, slow) for engine in ("symbolic", "local"))
    for one, other in zip(found.results, expected.results, strict=True):
        assert one.trace is not None
        assert other.trace is not None
        assert (one.verdict, len(one.trace)) == (other.verdict, len(other.trace))
    counts = (replace(report.results[0].counts, evaluations=0) for report in (found, expected))
    assert next(counts) == next(counts)


def test_steps_that_the_system_leaves_out_lead_to_values_without_images() -> None:
    for most, seen in ((43, "VIOLATED"), (44, "HOLDS")):
        below = Between("below", SUM, SUM, lambda before, after, most=most: after < most)  # type: ignore[misc]
        slow = Between("less than three", SUM, SUM, lambda before, after: after < 3)
        every = EveryStep("every", (below,), among=voting(37))
        results = [
            checked(e, Always("few", FEW), every, EveryStep("slow", (slow,))).results for e in ("symbolic", "local")
        ]
        for one, other in zip(*results, strict=True):
            assert (one.verdict, one.trace and len(one.trace)) == (other.verdict, other.trace and len(other.trace))
        assert results[0][1].verdict.name == seen


def test_what_speaks_of_behaviours_is_decided_on_all_states() -> None:
    few = Temporal("few", always(Holds(FEW)), (), "never")
    found = checked("symbolic", few, unsound=True)
    assert found.results[0].counts.distinct == 27
    assert any("symmetry is not used" in note for note in found.engine["notes"])
    assert checked("symbolic", DeadlockFree(), Always("few", FEW)).results[0].counts.distinct == 10
