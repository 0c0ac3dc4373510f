"""Conditions on every step, decided while the search goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from tests.systems import RandomSystem

from homing import checking
from homing.core.builder import Builder
from homing.core.errors import HomingError
from homing.core.formula import Between, Holds, always
from homing.core.graph import Graph
from homing.core.interpreter import label, successors
from homing.core.model import Model
from homing.core.property import OnGraph
from homing.core.result import Limits, Options
from homing.core.system import Event, Step, TransitionSystem
from homing.core.temporal import EveryStep, Temporal
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained, Symmetric
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


def _taken(system: TransitionSystem, before: int, after: int) -> set[tuple[int, int]]:
    """The pairs of all steps from the states of the graph, wherever they lead."""
    graph, found = explore(system), set[tuple[int, int]]()
    for number in range(graph.states):
        state = graph.state(number)
        one = int(label(system, before, state))
        found |= {(one, int(label(system, after, end))) for _, end in successors(system, state)}
    return found


def _vote(slot: int, votes: int) -> Iterator[Step]:
    if votes < 2:
        yield Step(Event("vote"), {slot: votes + 1})


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
    for number in range(len(SYSTEM.shape.labels)):
        prop = _condition(lambda before, after: True, (number,))
        (result,) = checking.check(_model(SYSTEM, prop)).results
        holds = bool(graph.label(number)[graph.initial].all())
        assert (result.verdict is Verdict.HOLDS) == holds


def test_a_condition_that_fails_decides_nothing() -> None:
    def fails(before: int, after: int) -> bool:
        raise HomingError("no value")

    (result,) = checking.check(_model(SYSTEM, _condition(fails))).results
    assert (result.verdict, result.reason) == (Verdict.UNKNOWN, "no value")


def test_what_an_earlier_run_saw_is_seen_again(tmp_path: Path) -> None:
    first = sorted(_pairs(explore(SYSTEM), 0, 1))[0]
    prop = _condition(lambda before, after: (before, after) != first)
    options = Options(threads=1, limits=Limits(states=20), checkpoint=tmp_path / "search.checkpoint")
    assert check(_model(SYSTEM, prop), options, TINY).kept == ()
    resumed = replace(options, limits=Limits(), resume=True)
    assert check(_model(SYSTEM, prop), resumed, TINY).kept == ()
    assert checking.check(_model(SYSTEM, prop), options=Options()).results[0].verdict is Verdict.VIOLATED


@pytest.mark.parametrize("tuning", [Tuning(), TINY])
@pytest.mark.parametrize("seed", range(6))
def test_steps_out_of_the_constraints_are_steps(seed: int, tuning: Tuning) -> None:
    system = Constrained(RandomSystem(seed, 3, 4, 2, 12, 2), ["l0"])
    asked = set[tuple[int, int]]()

    def holds(before: int, after: int) -> bool:
        asked.add((before, after))
        return True

    prop = _condition(holds)
    found = check(_model(system, prop), Options(), tuning)
    assert found.kept == (prop,)
    assert found.graph is None
    assert asked == _taken(system, 0, 1)


def test_a_step_out_of_the_constraints_breaks_a_condition() -> None:
    system = Constrained(RandomSystem(1, 3, 4, 2, 12, 2), ["l0"])
    stays = EveryStep("stays", (Between("inside", 0, 0, lambda before, after: after != 0),))
    (result,) = checking.check(_model(system, stays)).results
    assert all(after for _, after in _pairs(explore(system), 0, 0))
    assert result.verdict is Verdict.VIOLATED


@pytest.mark.parametrize("tuning", [Tuning(), TINY])
def test_under_a_symmetry_real_steps_are_looked_at(tuning: Tuning) -> None:
    """Their ends, not what stands for these."""
    b = Builder("votes")
    slots = [b.slot("votes", 0, index=(name,)) for name in "abc"]
    for name, slot in zip("abc", slots, strict=True):
        b.group(f"vote {name}", [slot], [slot])(partial(_vote, slot))
    b.label("who", slots, lambda *now: now[0] + 3 * now[1] + 9 * now[2])
    system, asked = Symmetric(b.system(), [tuple("abc")]), set[tuple[int, int]]()

    def holds(before: int, after: int) -> bool:
        asked.add((before, after))
        return True

    prop = EveryStep("steps", (Between("between", 0, 0, holds),))
    found = check(_model(system, prop), Options(), tuning)
    assert found.kept == (prop,)
    assert asked == _taken(system, 0, 0) > _pairs(explore(system), 0, 0)


def test_they_are_followed_beside_what_needs_the_graph() -> None:
    prop, other = _condition(lambda before, after: True), Temporal("always", always(Holds(0)))
    found = check(_model(SYSTEM, prop, other), Options())
    assert found.kept == (prop,)
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
