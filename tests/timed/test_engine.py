"""The compiled search through zones decides what the region graph decides, with and without each reduction."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale import scaled
from tests.timed.networks import ANYWHERE, Claim, Edge, Location, Network, Process, above, below, exactly
from tests.timed.oracles import RegionGraph
from tests.timed.systems import Features, network

from homing.core.errors import ModelError
from homing.core.model import Model
from homing.core.property import OnGraph
from homing.core.result import Limits, Options, Result
from homing.core.verdict import Verdict
from homing.engines.zones.engine import check
from homing.engines.zones.timing import Abstraction
from homing.timed.property import Bound, Forever, Inevitable, Invariant, LeadsTo, Reachable
from homing.timed.system import Cell, Constraints, Reset

FEATURES = {
    "plain": Features(),
    "three clocks": Features(clocks=3),
    "copies": Features(copies=True, processes=1),
    "priorities": Features(priorities=True),
    "global bounds": Features(local_bounds=False),
}


def results(
    system: Network, *properties: OnGraph, how: Abstraction | None = None, states: int = 20_000
) -> list[Result]:
    exploration = check(Model("m", system, properties), Options(limits=Limits(states=states)), how)
    assert exploration.report.error is None
    return list(exploration.report.results)


def verdicts(system: Network, *properties: OnGraph, how: Abstraction | None = None) -> list[Verdict]:
    return [result.verdict for result in results(system, *properties, how=how)]


def verdict(holds: bool) -> Verdict:
    return Verdict.HOLDS if holds else Verdict.VIOLATED


@pytest.mark.parametrize("name", FEATURES)
@settings(max_examples=scaled(25))
@given(st.integers(0, 10**9))
def test_agrees_with_the_region_graph(name: str, seed: int) -> None:
    drawn = network(seed, FEATURES[name])
    one, other = drawn.condition(0), drawn.condition(1)
    graph = RegionGraph(drawn, [one, other])
    asked = (
        Reachable("r", one),
        Invariant("i", other),
        Forever("f", one),
        Inevitable("a", other),
        LeadsTo("l", one, other),
    )
    assert verdicts(drawn, *asked) == [
        verdict(graph.is_reachable(one)),
        verdict(not graph.is_reachable(other)),
        verdict(graph.can_stay(one)),
        verdict(not graph.can_stay(other)),
        verdict(graph.leads_to(one, other)),
    ]


@settings(max_examples=scaled(40))
@given(st.integers(0, 10**9))
def test_deadlock_agrees_with_the_region_graph(seed: int) -> None:
    drawn = network(seed, Features(deadlock=True))
    one, other = drawn.condition(0), drawn.condition(1)
    graph = RegionGraph(drawn, [one, other])
    expected = [verdict(graph.is_reachable(one)), verdict(not graph.is_reachable(other))]
    assert verdicts(drawn, Reachable("r", one), Invariant("i", other)) == expected


@settings(max_examples=scaled(10))
@given(st.integers(0, 10**9))
def test_reductions_change_no_verdict(seed: int) -> None:
    drawn = network(seed, Features())
    one, other = drawn.condition(0), drawn.condition(1)
    asked = Reachable("r", one), Invariant("i", other), Forever("f", one), LeadsTo("l", one, other)
    expected = verdicts(drawn, *asked)
    for how in (Abstraction("m"), Abstraction(inclusion=False), Abstraction(forgetful=False)):
        assert verdicts(drawn, *asked, how=how) == expected
    for found, known in zip(verdicts(drawn, *asked, how=Abstraction("none")), expected, strict=True):
        assert found in (known, Verdict.UNKNOWN)  # without extrapolation there may be no end


@settings(max_examples=scaled(40))
@given(st.integers(0, 10**9))
def test_differences_of_clocks(seed: int) -> None:
    """Extrapolation must not move zones across diagonals; without extrapolation there is nothing to go wrong."""
    drawn = network(seed, Features(diagonals=True, clocks=3))
    asked = Reachable("r", drawn.condition(0)), Invariant("i", drawn.condition(1))
    exactly_so = results(drawn, *asked, how=Abstraction("none", inclusion=True), states=2000)
    for found, known in zip(verdicts(drawn, *asked), exactly_so, strict=True):
        assert known.verdict in (found, Verdict.UNKNOWN)


# Small systems whose answers are known


def alone(*edges: Edge, invariant: Constraints = (), cell: Cell = ANYWHERE) -> Network:
    """One process with two locations; the condition is to be in the second, within a cell."""
    process = Process((Location(invariant), Location()), edges)
    conditions = (Claim(0, frozenset({1}), cell),), (Claim(0, frozenset({0})),), (Claim(0, frozenset({0, 1})),)
    return Network(1, (process,), conditions=conditions)


def test_bounds_of_a_clock() -> None:
    system = alone(Edge(0, 1, guard=above(1, 3)), Edge(1, 0, resets=(Reset(1),)), invariant=below(1, 7))
    there, start, anywhere = (system.condition(number) for number in range(3))
    asked = [
        Bound("sup", start, 1, True, "sup"),
        Bound("inf", there, 1, True, "inf"),
        Bound("endless", anywhere, 1, True, "sup"),
    ]
    most, least, endless = results(system, *asked)
    assert (most.value, least.value, endless.value) == (7, 3, None)
    assert endless.reason == "it has no upper bound"
    assert most.trace is not None
    assert most.trace.states[-1][-2] == 7


def test_a_bound_that_is_not_reached() -> None:
    system = alone(Edge(0, 1), invariant=below(1, 7, strict=True))
    (found,) = results(system, Bound("sup", system.condition(1), 1, True, "sup"))
    assert (found.value, found.reason) == (7, "it comes as near to 7 as you like, but does not reach it")


def test_zeno_runs_count_and_are_named() -> None:
    """In bounded time it may go round for ever; were that not counted, it would have to leave."""
    system = alone(Edge(0, 0), Edge(0, 1, guard=exactly(1, 2)), invariant=below(1, 2))
    (found,) = results(system, Inevitable("leaves", system.condition(1)))
    assert found.verdict is Verdict.VIOLATED
    assert found.reason == "only by Zeno runs: infinitely many steps in a bounded time"


def test_a_loop_in_which_time_passes_is_no_zeno_run() -> None:
    system = alone(Edge(0, 0, guard=exactly(1, 2), resets=(Reset(1),)), Edge(0, 1), invariant=below(1, 2))
    (found,) = results(system, Inevitable("leaves", system.condition(1)))
    assert found.reason is None
    assert found.trace is not None
    assert found.trace.notes == ("then it goes round for ever",)
    assert [str(move.event) for move in found.trace.moves] == ["wait 2 (t = 2)", "p0(0)"]


def test_a_timelock_is_named() -> None:
    system = alone(Edge(0, 1, guard=above(1, 3)), invariant=below(1, 2))
    (found,) = results(system, Inevitable("leaves", system.condition(1)))
    assert found.verdict is Verdict.VIOLATED
    assert found.reason == "only by a timelock: no step is possible, nor may time pass for ever"
    assert found.trace is not None
    assert [str(move.event) for move in found.trace.moves] == ["wait 2 (t = 2)"]


def test_the_trace_says_when() -> None:
    system = alone(Edge(0, 1, guard=above(1, 3, strict=True)), cell=Cell(above(1, 5)))
    (found,) = results(system, Reachable("late", system.condition(0)))
    assert found.trace is not None
    assert [str(move.event) for move in found.trace.moves][:2] == ["wait 4 (t = 4)", "p0(1)"]
    assert found.trace.slots[-3:] == ("time", "x", "zone")
    assert found.trace.states[-1][-2] >= 5  # type: ignore[operator]


def test_vacuous() -> None:
    system = alone(Edge(0, 1, guard=above(1, 3)), invariant=below(1, 2))
    there, start, anywhere = (system.condition(number) for number in range(3))
    reach, invariant, leads = results(
        system, Reachable("r", start), Invariant("i", there, trigger=there), LeadsTo("l", there, anywhere)
    )
    assert reach.vacuous == "true in an initial state"
    assert invariant.vacuous == "its condition never holds"
    assert leads.vacuous == "its left side never holds"


def test_a_model_that_cannot_begin_is_refused() -> None:
    """Of nothing, everything would hold."""
    system = alone(invariant=below(1, 0, strict=True))
    with pytest.raises(ModelError, match="the initial state violates the invariant: part 0"):
        results(system, Invariant("i", system.condition(0)))
