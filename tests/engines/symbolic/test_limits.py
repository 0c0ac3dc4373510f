"""Limits that strike at any moment, too few nodes, models that fail: never another verdict than the local engine's."""

from __future__ import annotations

import gc
import random
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from benchmarks.symbolic import philosophers
from tests.properties.drawing import STUTTERING
from tests.properties.structures import LTL_BINARY, LTL_UNARY, draw_ctl, draw_ltl
from tests.reference import explore
from tests.scale import scaled
from tests.systems import JointSystem, Logged, RandomSystem, Team, Walk, model_of

from homing import checking
from homing.core.builder import Builder, step
from homing.core.errors import ModelError
from homing.core.formula import Between, Holds
from homing.core.model import Model
from homing.core.property import Extreme, Property
from homing.core.result import Limits, Options, Report
from homing.core.stop import Stopped
from homing.core.system import Step, TransitionSystem
from homing.core.temporal import DivergenceFree, EveryStep, Temporal
from homing.core.values import Short, encode
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained, Symmetric, View, Wrapper
from homing.engines.symbolic.engine import Check, check
from homing.engines.symbolic.space import Space
from homing.engines.symbolic.tuning import FEWEST_NODES, NODE_BYTES, Tuning
from homing.languages.smv import model as model_of_text
from homing.languages.smv.tokens import Source

FEW = Options(threads=1, limits=Limits(states=3000))


class Failing(Wrapper):
    """Fails where it is drawn to."""

    def __init__(self, system: TransitionSystem, seed: int, share: float) -> None:
        super().__init__(system, system.shape)
        self._seed, self._share = seed, share

    def _fail(self, *asked: object) -> None:
        if random.Random(f"{self._seed} {asked}").random() < self._share:
            raise ModelError("it fails")

    def next(self, group: int, read: Short) -> Iterable[Step]:
        self._fail("next", group, encode(tuple(read)))
        return super().next(group, read)

    def label(self, label: int, read: Short) -> bool | int:
        self._fail("label", label, encode(tuple(read)))
        return super().label(label, read)


def drawn(draw: random.Random, failing: float = 0) -> TransitionSystem:
    """A small system of any kind."""
    seed, values = draw.randrange(2**32), draw.randint(2, 15)
    system: Any = RandomSystem(seed, draw.randint(1, 5), draw.randint(2, 5), 3, values, draw.randint(1, 3))
    kind = draw.randrange(6)
    if kind == 0:
        system = JointSystem(seed, draw.randint(1, 4), draw.randint(1, 4), 3, values, draw.randint(0, 2))
    elif kind == 1:
        system = Walk(seed, draw.randint(3, 8), draw.randint(1, 4), draw.randint(1, 6))
    elif kind == 2:
        team = Team(seed, draw.randint(2, 4), draw.randint(1, 3))
        return Symmetric(team, [team.names])  # to fail symmetrically is another matter
    elif kind == 3:
        system = Logged(system)
    system = Failing(system, seed, failing) if failing else system
    if kind == 3:
        return View(system, hide=["log"])
    return Constrained(system, ["l0"]) if kind == 4 else system


def tuning(draw: random.Random, **fixed: Any) -> Tuning:
    """Any way to go about it."""
    return Tuning(
        strategy=draw.choice(["auto", "levels", "chaining", "saturation"]),
        doubt=draw.choice([5, 50, 10_000]),
        simpler=draw.choice([0, 0.5, 1000]),
        tidy=draw.choice([10, 50_000]),
        leap=draw.choice([1, 3, 500]),
        **{"nodes": 1 << 18, "cache": 1 << 12, **fixed},
    )


def _less(one: int, other: int) -> bool:
    return one <= other


def asking(draw: random.Random, system: TransitionSystem) -> Model:
    """All that can be asked of states, and some of what can be of behaviours."""
    model, shape = model_of(system), system.shape
    if shape.symmetry or shape.hidden or len(shape.labels) < 3:
        return model
    grows = Between("grows", 0, 2, _less)
    more: list[Property] = [EveryStep("every", (grows,)), DivergenceFree("silent", frozenset({"a", "e0"}))]
    for number in range(2):
        linear = draw_ltl(draw, 3, LTL_UNARY, LTL_BINARY, [Holds(0), Holds(2), grows])
        branching = draw_ctl(draw, 3, [Holds(0), Holds(2)])
        more += [Temporal(f"{n}{number}", f, (), draw.choice(STUTTERING)) for n, f in (("l", linear), ("b", branching))]
    return replace(model, properties=(*model.properties, *(prop for prop in more if draw.random() < 0.5)))


def unknown(model: Model, found: Report, expected: Report) -> int:
    """How many verdicts are missing, with a reason; all others are as they should be."""
    missing = 0
    for prop, one, other in zip(model.properties, found.results, expected.results, strict=True):
        if one.verdict is Verdict.UNKNOWN:
            assert one.reason, prop
            missing += 1
        else:
            assert one.verdict is other.verdict, prop
    assert found.error is None
    return missing


def small_models(count: int) -> Iterator[tuple[random.Random, Model, Report]]:
    for seed in range(scaled(count)):
        draw = random.Random(seed)
        system = drawn(draw)
        if explore(system, most=150) is not None:
            model = asking(draw, system)
            yield draw, model, checking.check(model, "local", FEW)


def test_a_limit_at_any_moment() -> None:
    missing = decided = 0
    for draw, model, expected in small_models(60):
        for most in (5, 60, 500):
            left = draw.randint(1, most)
            run = Check(model, FEW, tuning(draw))

            def late(run: Check = run) -> None:
                nonlocal left
                left -= 1
                if left <= 0 and run.reason is None:
                    raise Stopped("it is late")

            run.search.space.watched = late
            found = unknown(model, run.run().report, expected)
            missing, decided = missing + found, decided + len(model.properties) - found
    assert min(missing, decided) > 50


def test_too_few_nodes_at_any_moment() -> None:
    missing = decided = 0
    for draw, model, expected in small_models(60):
        for most in (300, 2000, 5000):
            few = tuning(draw, nodes=draw.randint(60, most), cache=64)
            found = unknown(model, check(model, FEW, few).report, expected)
            missing, decided = missing + found, decided + len(model.properties) - found
    assert min(missing, decided) > 50


def test_nodes_that_nobody_needs_are_thrown_away_in_time() -> None:
    """The search makes ten times as many nodes as there is room for."""
    report = check(philosophers(14), Options(threads=1), Tuning(nodes=16_000, cache=1 << 12)).report
    (result,) = report.results
    assert (result.verdict, result.counts.distinct) == (Verdict.VIOLATED, 228_486)
    assert result.trace is not None


def test_there_is_room_for_as_many_nodes_as_memory_is_left() -> None:
    assert Tuning().room(300, 200)[0] == 100 * 2**20 // NODE_BYTES
    assert Tuning().room(300, 400)[0] == FEWEST_NODES


def test_diagrams_do_not_outlive_their_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homing.engines.symbolic.tuning.LARGE", 1)
    gc.collect()
    gc.disable()
    try:
        check(philosophers(4), Options(threads=1))
        assert not [found for found in gc.get_objects() if isinstance(found, Space)]
    finally:
        gc.enable()


def test_a_model_too_large_to_be_taken_in() -> None:
    """There are too many nodes before the first state is found."""
    bits = " ".join(f"b{n} : 0..255;" for n in range(8))
    same = " & ".join(f"next(b{n}) = (b{n} * b{(n + 3) % 8} + {n}) mod 256" for n in range(8))
    model = model_of_text(Source("x.smv", f"MODULE main VAR {bits} TRANS {same} INVARSPEC b0 >= 0"))
    report = check(model, Options(threads=1), Tuning(nodes=2000, cache=1024)).report
    assert {(result.verdict, result.counts.distinct) for result in report.results} == {(Verdict.UNKNOWN, 0)}
    assert all("the memory was not enough" in str(result.reason) for result in report.results)


def test_models_that_fail_do_so_where_the_local_engine_says() -> None:
    """Chaining meets failures that a search breadth first, ended by what it finds, never gets to."""
    failures = 0
    for seed in range(scaled(120)):
        draw = random.Random(seed)
        model = model_of(drawn(draw, draw.choice([0.005, 0.02, 0.05, 0.2])))
        properties = [prop for prop in model.properties if not isinstance(prop, Extreme)]
        model = replace(model, properties=tuple(draw.sample(properties, draw.randint(1, len(properties)))))
        found, expected = (each(model, draw) for each in (_symbolically, _locally))
        assert found == expected, seed
        failures += found[0] is not None
    assert failures > 10


def _said(report: Report) -> tuple[object, ...]:
    lengths = [None if result.trace is None else len(result.trace) for result in report.results]
    where = None if report.error_trace is None else len(report.error_trace)
    return where, [result.verdict for result in report.results], lengths


def _symbolically(model: Model, draw: random.Random) -> tuple[object, ...]:
    return _said(check(model, FEW, tuning(draw)).report)


def _locally(model: Model, draw: random.Random) -> tuple[object, ...]:
    return _said(checking.check(model, "local", FEW))


def test_a_model_that_describes_itself_fails_where_it_is_asked() -> None:
    text = """MODULE main VAR x : 0..10; y : 0..10; INVARSPEC x < 9 CTLSPEC AG EF x = 0
    ASSIGN init(x) := 0; next(x) := x < 10 ? x + 1 : 0; init(y) := 5; next(y) := 10 / (7 - x) > 0 ? 1 : 2;"""
    model = model_of_text(Source("x.smv", text))
    found, expected = (checking.check(model, engine, Options(threads=1)) for engine in ("symbolic", "local"))
    assert str(found.error) == str(expected.error) == "x.smv:2:82: a division by zero"
    assert found.error_trace is not None
    assert found.error_trace == expected.error_trace
    assert [result.verdict for result in found.results] == [Verdict.UNKNOWN] * 2


def test_a_failure_that_is_far_away_is_told_without_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chaining gets there in a round; the search for how far it is breaks off."""
    b = Builder("far")
    value = b.slot("value", 0)
    for place in range(8):

        @b.group(f"at {place}", [value], [value])
        def go(now: int, place: int = place) -> Iterator[Step]:
            if now == place:
                yield step(f"a {12 // (7 - now)}th", {value: now + 1})

    b.always("small", [value], lambda now: now < 100)
    run = Check(b.model(), Options(threads=1), Tuning())

    def late() -> None:
        if run.explorer.failure is not None:
            raise Stopped("it is late")

    run.search.space.watched = late
    report = run.run().report
    assert "ZeroDivisionError" in str(report.error)
    assert report.error_trace is None
    assert [(result.verdict, result.reason) for result in report.results] == [(Verdict.UNKNOWN, "it is late")]
