"""Joint systems: all groups move at once."""

from __future__ import annotations

import pytest

from homing import checking
from homing.core.builder import Builder
from homing.core.errors import HomingError, ModelError
from homing.core.formula import Action, Holds, Taken, always, eventually
from homing.core.interpreter import successors
from homing.core.model import Model
from homing.core.property import Always, DeadlockFree
from homing.core.system import EVERYONE, QUIET, Event, Group, Label, Read, Shape, Slot, Step
from homing.core.temporal import Temporal
from homing.core.values import Short, State


class Pair:
    """Two counters that go on together, each by 1 or 2 where they agree on an event; up to 4."""

    shape = Shape(
        (Slot("x"), Slot("y")),
        (Group("left", (Read(0),), (0,)), Group("right", (Read(1),), (1,)), Group("both", (Read(0), Read(1)), ())),
        (Label("equal", (Read(0), Read(1))), Label("small", (Read(0),))),
        joint=True,
    )

    def initial(self) -> list[State]:
        return [(0, 0)]

    def next(self, group: int, read: Short) -> list[Step]:
        if group == 2:
            return [Step(QUIET, {})] if read[0] == read[1] else []
        assert isinstance(read[0], int)
        steps = [Step(Event(f"by {by}"), {group: read[0] + by}) for by in (1, 2) if read[0] + by <= 4]
        return [*steps, *([Step(Event("rest"), {})] if group == 0 else [Step(QUIET, {})])]

    def label(self, label: int, read: Short) -> bool:
        return read[0] == read[1] if label == 0 else read[0] != 4


def test_steps_go_together_where_events_agree() -> None:
    found = [(move.group, str(move.event), state) for move, state in successors(Pair(), (0, 0))]
    assert found == [
        (EVERYONE, "by 1", (1, 1)),
        (EVERYONE, "by 1", (1, 0)),
        (EVERYONE, "by 2", (2, 2)),
        (EVERYONE, "by 2", (2, 0)),
        (EVERYONE, "rest", (0, 0)),
    ]
    assert list(successors(Pair(), (1, 0))) == []


def test_properties_of_a_joint_system() -> None:
    properties = (
        DeadlockFree(),
        Always("small", 1),
        Temporal("ends", eventually(Holds("small"))),
        Temporal("stays small", always(Holds("small"))),
    )
    report = checking.check(Model("pair", Pair(), properties))
    assert [result.verdict.name for result in report.results] == ["VIOLATED", "VIOLATED", "HOLDS", "VIOLATED"]
    assert [len(result.trace) for result in report.results if result.trace is not None][:2] == [1, 2]
    assert report.results[0].counts.distinct == 12


def test_groups_write_different_slots() -> None:
    groups = (Group("one", (), (0,)), Group("two", (), (0,)))
    with pytest.raises(ModelError, match="in a joint system, writing slot 'x' is declared twice"):
        Shape((Slot("x"),), groups, joint=True)
    with pytest.raises(ModelError, match="a joint system needs a group"):
        Shape((Slot("x"),), (), joint=True)


def test_groups_have_no_steps_of_their_own() -> None:
    prop = Temporal("taken", always(Taken(Action(frozenset({"left"})))))
    with pytest.raises(HomingError, match="an action of some groups, in a system whose groups all move at once"):
        checking.check(Model("pair", Pair(), (prop,)))


def test_too_many_steps() -> None:
    class Wide:
        shape = Shape(
            tuple(Slot(f"x{n}") for n in range(7)),
            tuple(Group(f"g{n}", (), (n,)) for n in range(7)),
            joint=True,
        )

        def initial(self) -> list[State]:
            return [(0,) * 7]

        def next(self, group: int, read: Short) -> list[Step]:
            return [Step(QUIET, {group: value}) for value in range(10)]

        def label(self, label: int, read: Short) -> bool:
            return True

    report = checking.check(Model("wide", Wide(), (DeadlockFree(),)))
    assert report.results[0].verdict.name == "UNKNOWN"
    assert "a state has more than 1000000 steps" in str(report.error)


def test_builders_make_interleaved_systems() -> None:
    build = Builder("plain")
    build.slot("x", 0)
    assert not build.system().shape.joint
