"""Walks: their choices, their ends, and that they are traces."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from homing.api import load
from homing.core import interpreter
from homing.core.builder import Builder, step
from homing.core.errors import ModelError
from homing.core.model import Model
from homing.core.system import Event, Step
from homing.core.wrappers import Constrained
from homing.simulating.chance import Chance, wander
from homing.simulating.walk import Walk

MODELS = Path(__file__).parent.parent.parent / "models"
SOURCES = (
    "demo/redelivery.py",
    "demo/requests.py",
    "kafka/acks.csp",
    "rtps/lossy.csp",
    "kafka/transactions_2222.cfg",
    "kafka/transactional_producer_zombie.cfg",
)


def counter(limit: int, unless: bool = False, twice: bool = False) -> Model:
    """Counts to the limit, where it may end or not."""
    build = Builder("counter")
    n = build.slot("n", 0)

    @build.group("count", [n], [n])
    def count(value: int) -> list[Step]:
        return [step("count", {n: value + 1})] * (1 + twice) if value < limit else []

    if unless:
        build.deadlock_free(build.label("finished", [n], lambda value: value == limit))
    else:
        build.always("small", [n], lambda value: value < 2)
    return build.model()


@pytest.mark.parametrize("source", SOURCES)
def test_a_random_walk_is_a_trace(source: str) -> None:
    for model in load(MODELS / source, python=True).models[:2]:
        walk = Walk(model)
        wander(walk, Chance(3), 40)
        assert len(walk) > 3
        interpreter.replay(walk.system, walk.trace())


def test_the_same_seed_gives_the_same_walk() -> None:
    model = load(MODELS / "demo/requests.py", python=True).models[0]

    def walked(seed: int) -> list[str]:
        walk = Walk(model)
        wander(walk, Chance(seed), 30)
        return [str(move.event) for move in walk.moves]

    assert walked(1) == walked(1)
    assert len({tuple(walked(seed)) for seed in range(5)}) == 5


def test_chance_does_not_depend_on_the_order_of_choices() -> None:
    walk = Walk(load(MODELS / "demo/requests.py", python=True).models[0])
    wander(walk, Chance(0), 3)
    choices = walk.choices()
    assert len(choices) > 2
    for seed in range(5):
        assert Chance(seed).pick(choices) == Chance(seed).pick(choices[::-1])


def test_numbers_that_no_version_of_python_changes() -> None:
    """What a seed means stands in tickets and papers."""
    walk = Walk(load(MODELS / "demo/redelivery.py", python=True).models[0])
    wander(walk, Chance(7), 8)
    assert ", ".join(str(move.event) for move in walk.moves) == (
        "publish(0), publish(1), deliver(0), crash, deliver(0), crash, deliver(0), process(0)"
    )


def test_every_choice_is_as_likely() -> None:
    build = Builder("dice")
    n = build.slot("n", 0)

    @build.group("roll", [n], [n])
    def roll(value: int) -> list[Step]:
        return [step(Event("roll", (number,)), {n: number}) for number in range(1, 7)]

    walk = Walk(build.model())
    wander(walk, Chance(1), 6000)
    found = [walk.states.count((number,)) for number in range(1, 7)]
    assert all(900 < number < 1100 for number in found)


def test_steps_that_look_the_same_are_one_choice() -> None:
    assert len(Walk(counter(2, twice=True)).choices()) == 1


# Ends


def test_a_deadlock() -> None:
    walk = Walk(counter(3))
    assert walk.end() is None
    assert not wander(walk, Chance(0), 9)
    end = walk.end()
    assert len(walk) == 3
    assert end is not None
    assert (end.name, end.text) == ("deadlock", "then a deadlock: no step is possible")


def test_where_it_may_end() -> None:
    walk = Walk(counter(3, unless=True))
    wander(walk, Chance(0), 9)
    end = walk.end()
    assert end is not None
    assert end.name == "terminated"


def test_beyond_a_constraint() -> None:
    model = counter(5)
    walk = Walk(replace(model, system=Constrained(model.system, ["small"])))
    wander(walk, Chance(0), 9)
    end = walk.end()
    assert len(walk) == 2  # as the engine does, which checks the state beyond the constraint, too
    assert end is not None
    assert (end.name, "constraint 'small'" in end.text) == ("constraint", True)


def test_until_something_happens() -> None:
    model = load(MODELS / "demo/redelivery.py", python=True).models[0]
    walk = Walk(model)
    assert wander(walk, Chance(0), 1000, lambda event: event.name == "crash")
    assert [move.event.name for move in walk.moves].count("crash") == 1
    assert walk.moves[-1].event.name == "crash"


def test_a_model_that_fails_leaves_the_walk() -> None:
    build = Builder("fails")
    n = build.slot("n", 3)

    @build.group("divide", [n], [n])
    def divide(value: int) -> list[Step]:
        return [step("divide", {n: value - 1 + 0 * (1 // value)})]

    walk = Walk(build.model())
    with pytest.raises(ModelError, match="ZeroDivisionError"):
        wander(walk, Chance(0), 9)
    assert walk.states == [(3,), (2,), (1,), (0,)]


def test_what_is_no_value() -> None:
    build = Builder("list")
    n = build.slot("n", 0)

    @build.group("break", [n], [n])
    def broken(value: int) -> list[Step]:
        return [step("break", {n: [value]})]  # type: ignore[dict-item]

    with pytest.raises(ModelError, match="what group 'break' writes cannot be encoded"):
        Walk(build.model()).choices()


# Back


def test_undo() -> None:
    walk = Walk(counter(3))
    assert not walk.undo()
    wander(walk, Chance(0), 2)
    assert walk.undo()
    assert walk.states == [(0,), (1,)]
    assert [choice.state for choice in walk.choices()] == [(2,)]
    assert walk.undo()
    assert not walk.undo()


def test_undo_of_the_start() -> None:
    walk = Walk(load(MODELS / "kafka/transactions_2222.cfg").models[0])
    assert (walk.starts, len(walk.choices()), walk.states) == (16, 16, [])
    walk.take(walk.choices()[5])
    assert len(walk) == 0
    assert walk.choices()[0].move is not None
    assert walk.undo()
    assert len(walk.choices()) == 16
    assert not walk.undo()
