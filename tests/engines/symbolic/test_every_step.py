"""Conditions on both ends of a step: which pairs they are asked about, and steps that the system itself leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from homing import checking
from homing.core.builder import Builder, step
from homing.core.errors import ModelError
from homing.core.formula import Between, Holds, Operation, always, eventually
from homing.core.model import Model
from homing.core.property import Property
from homing.core.result import Options, Result
from homing.core.system import Step, TransitionSystem
from homing.core.temporal import EveryStep, Temporal
from homing.core.values import Short
from homing.core.wrappers import Wrapper

ONE = Options(threads=1)
SMALL, VALUE = 0, 1


def ring(*movers: Callable[[int], list[int]]) -> Builder:
    """A number that goes where it is told, and what it is."""
    b = Builder("ring")
    value = b.slot("value", 0)
    for number, after in enumerate(movers):

        @b.group(f"go{number}", [value], [value])
        def go(now: int, after: Callable[[int], list[int]] = after) -> Iterator[Step]:
            yield from (step("go", {value: then}) for then in after(now))

    b.label("small", [value], lambda now: now < 3)
    b.label("value", [value], lambda now: now)
    return b


def both(system: TransitionSystem, *properties: Property) -> Iterator[tuple[Result, Result]]:
    model = Model("ring", system, properties)
    one, other = (checking.check(model, engine, ONE).results for engine in ("symbolic", "local"))
    yield from zip(one, other, strict=True)


def test_only_pairs_that_a_step_has_are_asked_about_and_once() -> None:
    asked: Counter[tuple[int, int]] = Counter()

    def follows(one: int, other: int) -> bool:
        asked[one, other] += 1
        return other == (one + 1) % 20

    system = ring(lambda now: [(now + 1) % 20], lambda now: [(now + 1) % 20] if now > 5 else []).system()
    grows = Between("follows", VALUE, VALUE, follows)
    for prop in (EveryStep("every", (grows,)), Temporal("always", always(grows), (), "never")):
        asked.clear()
        (found,) = checking.check(Model("ring", system, (prop,)), "symbolic", ONE).results
        assert found.verdict.name == "HOLDS"
        assert asked == Counter({(n, (n + 1) % 20): 1 for n in range(20)})


def test_conditions_of_which_a_later_one_has_more_values() -> None:
    """The numbers of values get more bits while the first is still in use."""
    few = Between("few", SMALL, SMALL, lambda one, other: one >= other)
    many = Between("many", VALUE, VALUE, lambda one, other: one < other)
    system = ring(lambda now: [now + 1] if now < 30 else [], lambda now: [now * 2] if now < 30 else [now])
    formulas = [always(few), always(few | many), eventually(~few & many), eventually(few & ~many)]
    properties = [Temporal(f"p{n}", formula, (), "never") for n, formula in enumerate(formulas)]
    for found, expected in both(system.system(), *properties, EveryStep("both", (few, many))):
        assert found.verdict is expected.verdict, found.property


class Guarded(Wrapper):
    """The value cannot be told where it is not small, and need not be."""

    def __init__(self, system: TransitionSystem) -> None:
        small, value = system.shape.labels
        super().__init__(system, replace(system.shape, labels=(small, replace(value, after=(SMALL,)))))

    def label(self, label: int, read: Short) -> bool | int:
        found = super().label(label, read)
        if label == VALUE and found > 2:
            raise ModelError("too large")
        return found


def _differs(pair: tuple[int, int], one: int, other: int) -> bool:
    return (one, other) != pair


def test_a_label_that_is_not_asked_where_one_before_it_is_false() -> None:
    """There it is 0."""
    system = Guarded(ring(lambda now: [(now + 1) % 6]).system())
    for pair, holds in (((2, 0), False), ((0, 0), False), ((0, 1), False), ((2, 3), True), ((1, 0), True)):
        condition = Between("not", VALUE, VALUE, partial(_differs, pair))
        formula = Temporal("always", always(condition), (), "never")
        for found, expected in both(system, EveryStep("every", (condition,)), formula):
            assert found.verdict is expected.verdict, pair
            assert (found.verdict.name == "HOLDS") == holds, pair


def _below(most: int, one: int, other: int) -> bool:
    return one < 10 and other <= most


def test_steps_that_the_system_leaves_out_lead_to_values_that_it_has_not() -> None:
    system = ring(lambda now: [(now + 1) % 3])
    more = ring(lambda now: [(now + 1) % 3, *range(10, 10 + 30 * (now + 1))]).system()
    for most, seen in ((98, "VIOLATED"), (99, "HOLDS")):
        below = Between("below", VALUE, VALUE, partial(_below, most))
        every = EveryStep("below", (below,), among=more)
        small = Temporal("small", always(Holds(SMALL)), (), "never")
        (first, local), (second, _) = both(system.system(), every, small)
        assert (first.verdict.name, second.verdict.name) == (seen, "HOLDS")
        assert first.verdict is local.verdict
        assert first.trace is None or local.trace is None or len(first.trace) == len(local.trace)


def test_many_conditions_on_few_steps() -> None:
    """They divide the steps into as many classes as there are steps, not into all combinations."""
    atoms = tuple(Between(f"from {n}", VALUE, VALUE, lambda one, other, n=n: one == n) for n in range(40))  # type: ignore[misc]
    system = ring(lambda now: [(now + 1) % 20]).system()
    some = Temporal("some", always(Operation("or", atoms)), (), "never")
    none = Temporal("none", always(Operation("or", atoms[1:])), (), "never")
    verdicts = [(one.verdict.name, one.verdict is other.verdict) for one, other in both(system, some, none)]
    assert verdicts == [("HOLDS", True), ("VIOLATED", True)]
