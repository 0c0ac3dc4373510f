"""The symbolic engine against the naive search, and against the local engine, on random systems."""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.engines.test_local import agrees
from tests.languages.smv.oracle import Drawing
from tests.reference import explore
from tests.scale import scaled
from tests.systems import constrained, joint, model_of, plain, symmetric, viewed, walks

from homing.core import evaluate
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.property import DeadlockFree
from homing.core.result import Options, Report
from homing.core.system import TransitionSystem
from homing.engines.local.engine import check as check_locally
from homing.engines.symbolic.engine import check
from homing.engines.symbolic.tuning import Tuning
from homing.languages.smv import model as model_of_text
from homing.languages.smv.tokens import Source

SMALL: Any = {"nodes": 1 << 18, "cache": 1 << 12}
TUNINGS = {
    "levels": Tuning(strategy="levels", cluster=1, **SMALL),
    "chaining": Tuning(strategy="chaining", **SMALL),
    "saturation": Tuning(strategy="saturation", **SMALL),
    "another order all the time": Tuning(strategy="chaining", tidy=10, **SMALL),
    "doubts": Tuning(doubt=5, simpler=0, **SMALL),
    "levels after all": Tuning(doubt=5, simpler=1000, **SMALL),
    "long ways": Tuning(strategy="chaining", work=0, share=0, **SMALL),
}
relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.parametrize("name", [name for name in TUNINGS if name != "long ways"])
@settings(relaxed, max_examples=scaled(20))
@given(system=st.one_of(plain, joint, walks, constrained(), viewed(), symmetric()))
def test_agrees_with_the_naive_search(name: str, system: TransitionSystem) -> None:
    expected = explore(system, most=200)
    assume(expected is not None)
    assert expected is not None
    model = model_of(system)
    agrees(check(model, Options(threads=1), TUNINGS[name]).report, model.properties, expected)


@settings(relaxed, max_examples=scaled(15))
@given(system=st.one_of(plain, constrained()))
def test_traces_that_are_not_the_shortest_are_traces(system: TransitionSystem) -> None:
    expected = explore(system, most=200)
    assume(expected is not None)
    model = model_of(system)
    report = check(model, Options(threads=1), TUNINGS["long ways"]).report
    other = check_locally(model, Options(threads=1)).report
    assert report.error is None
    assert [(r.verdict, r.value, r.trace is None) for r in report.results] == [
        (r.verdict, r.value, r.trace is None) for r in other.results
    ]


@settings(relaxed, max_examples=scaled(15))
@given(system=st.one_of(plain, constrained()))
def test_a_deadlock_ends_the_search_where_it_ends_the_local_one(system: TransitionSystem) -> None:
    assume(explore(system, most=200) is not None)
    model = Model("random", system, (DeadlockFree(),))
    one, other = (c(model, Options(threads=1)).report.results[0] for c in (check, check_locally))
    assert astuple(one.counts)[:5] == astuple(other.counts)[:5]


# NuSMV: joint systems that describe themselves


@pytest.mark.parametrize(("wide", "leap"), [(0, 500), (0, 1), (0, 2), (1 << 20, 500)])
def test_smv(wide: int, leap: int) -> None:
    """By conditions, the rest in leaps after a few levels, and asked combination by combination."""
    tuning = Tuning(wide=wide, leap=leap, **SMALL)
    for seed in range(scaled(30)):
        model = model_of_text(Source("random.smv", Drawing(seed).text()))
        model = Model("random", model.system, (DeadlockFree(),))
        found, expected = _outcome(model, tuning), _outcome(model, None)
        assert found == expected, seed


def _outcome(model: Model, tuning: Tuning | None) -> object:
    try:
        options = Options(threads=1)
        report: Report = (check_locally(model, options) if tuning is None else check(model, options, tuning)).report
    except HomingError as error:
        return str(error)
    (result,) = report.results
    counts = None if result.trace is not None else astuple(result.counts)[:5]
    return str(report.error), result.verdict, counts, None if result.trace is None else len(result.trace)


def test_the_parts_of_the_initial_states_are_the_initial_states() -> None:
    compared = 0
    for seed in range(scaled(40)):
        system = model_of_text(Source("random.smv", Drawing(seed).text())).system
        try:
            listed = evaluate.initial(system)
        except HomingError:
            continue
        product: list[dict[int, object]] = [{}]
        for part in system.starts():  # type: ignore[attr-defined]
            assert all(part.allows(values) for values in part.values())
            product = [
                {**known, **dict(zip(part.slots, values, strict=True))} for known in product for values in part.values()
            ]
        assert {tuple(sorted(state.items())) for state in product} == {tuple(enumerate(state)) for state in listed}
        compared += 1
    assert compared > 10
