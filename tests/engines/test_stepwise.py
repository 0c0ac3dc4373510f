"""Conditions on every step, decided while the search goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.systems import RandomSystem

from homing import checking
from homing.core.errors import HomingError
from homing.core.formula import Between, always
from homing.core.graph import Graph
from homing.core.model import Model
from homing.core.property import OnGraph
from homing.core.result import Limits, Options
from homing.core.system import TransitionSystem
from homing.core.temporal import EveryStep, Temporal
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained
from homing.engines.local.engine import check
from homing.engines.local.graph import explore
from homing.engines.local.tuning import Tuning

TINY = Tuning(chunk=3, chunks=2, quota=2, memo=2000, parallel=0)
SYSTEM = RandomSystem(7, 3, 4, 2, 12, 2)


def _model(system: TransitionSystem, *properties: OnGraph) -> Model:
    return Model("steps", system, properties)


def _pairs(graph: Graph, before: int, after: int) -> set[tuple[int, int]]:
    one, other = graph.label(before), graph.label(after)
    return {(int(one[source]), int(other[target])) for source, target in zip(graph.source, graph.target, strict=True)}


def _condition(holds: Callable[[int, int], bool], initially: tuple[int, ...] = ()) -> EveryStep:
    return EveryStep("steps", (Between("between", 0, 1, holds),), initially)


@pytest.mark.parametrize("tuning", [Tuning(), TINY])
@pytest.mark.parametrize("seed", range(4))
def test_all_pairs_that_occur_are_asked_about_and_no_others(seed: int, tuning: Tuning) -> None:
    system, asked = RandomSystem(seed, 3, 4, 2, 12, 2), set[tuple[int, int]]()

    def holds(before: int, after: int) -> bool:
        asked.add((before, after))
        return True

    prop = _condition(holds)
    found = check(_model(system, prop), Options(threads=2), tuning)
    assert found.kept == (prop,)
    assert found.graph is None
    assert asked == _pairs(explore(system), 0, 1)


@pytest.mark.parametrize("pair", sorted(_pairs(explore(SYSTEM), 0, 1)))
def test_a_step_that_breaks_it_is_found_on_the_graph(pair: tuple[int, int]) -> None:
    prop = _condition(lambda before, after: (before, after) != pair)
    (result,) = checking.check(_model(SYSTEM, prop)).results
    assert result.verdict is Verdict.VIOLATED
    assert result.trace is not None
    assert check(_model(SYSTEM, prop), Options()).kept == ()


def test_initial_states_are_looked_at() -> None:
    graph = explore(SYSTEM)
    for label in range(len(SYSTEM.shape.labels)):
        prop = _condition(lambda before, after: True, (label,))
        (result,) = checking.check(_model(SYSTEM, prop)).results
        holds = bool(graph.label(label)[graph.initial].all())
        assert (result.verdict is Verdict.HOLDS) == holds


def test_a_condition_that_fails_decides_nothing() -> None:
    def fails(before: int, after: int) -> bool:
        raise HomingError("no value")

    (result,) = checking.check(_model(SYSTEM, _condition(fails))).results
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "no value")


def test_what_an_earlier_run_saw_is_seen_again(tmp_path: Path) -> None:
    first = sorted(_pairs(explore(SYSTEM), 0, 1))[0]
    prop = _condition(lambda before, after: (before, after) != first)
    options = Options(threads=1, limits=Limits(states=20), checkpoint=tmp_path / "search.npz")
    assert check(_model(SYSTEM, prop), options, TINY).kept == ()
    resumed = replace(options, limits=Limits(), resume=True)
    assert check(_model(SYSTEM, prop), resumed, TINY).kept == ()
    assert checking.check(_model(SYSTEM, prop), options=Options()).results[0].verdict is Verdict.VIOLATED


def test_a_graph_is_built_where_steps_out_of_the_constraints_count() -> None:
    system = Constrained(SYSTEM, ["l0"])
    found = check(_model(system, _condition(lambda before, after: True)), Options())
    assert found.kept == ()
    assert found.graph is not None


def test_a_formula_asks_about_the_same_pairs() -> None:
    """Values below 0, too."""
    asked = set[tuple[int, int]]()

    def holds(before: int, after: int) -> bool:
        asked.add((before, after))
        return True

    system = RandomSystem(4, 3, 4, 4, 12, 2)
    formula = always(Between("between", 1, 3, holds))
    checking.check(_model(system, Temporal("always", formula, stuttering="never")))
    assert any(before < 0 and after < 0 for before, after in asked)
    assert asked == _pairs(explore(system), 1, 3)
