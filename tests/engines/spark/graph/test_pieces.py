"""Properties decided on a graph in pieces, against the local engine's graph in one memory; rounds in this process."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from tests import reference
from tests.engines.spark.graph.agreeing import compare, draw_property, draw_system
from tests.engines.spark.graph.pieces import decider
from tests.engines.test_graph import agrees
from tests.properties.structures import Structure, System
from tests.scale import scaled
from tests.systems import JointSystem, Logged, RandomSystem, Team

from homing.core.errors import HomingError
from homing.core.formula import Between, Formula, Happens, Holds, always, eventually, on_all_paths
from homing.core.interpreter import replay
from homing.core.system import TransitionSystem
from homing.core.temporal import Compassion, EveryStep, Justice, StrongGlobal, Temporal
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained, Symmetric, View
from homing.engines.local.graph import explore
from homing.engines.spark.graph import Decider
from homing.properties.checker import Checker

CACHES = (1 << 30, 5000, 1 << 30, 1 << 30, 0)
"""Bytes for pieces: they work all together, some together, each by itself."""
KINDS = ("plain", "joint", "constrained", "symmetric", "viewed")


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(scaled(5)))
def test_formulas_with_fairness_on_random_structures(seed: int) -> None:
    draw = random.Random(seed)
    system = draw_system(draw)
    properties = [draw_property(draw) for _ in range(4)]
    bits, cache = (2, 4, 1, 3)[seed % 4], CACHES[seed % len(CACHES)]
    compare(system, properties, bits, (seed % 2,) if seed % 3 else (0, 1), 0, cache, blind=seed % 2 == 0)


def drawn(kind: str, seed: int) -> TransitionSystem:
    """A random system with labels l0 to l2, or a team."""
    plain = RandomSystem(seed, 3, 4, 3, 6, 2)
    if kind == "symmetric":
        team = Team(seed, 3, 2)
        return Symmetric(team, [team.names])
    joint = JointSystem(seed, 3, 2, 3, 5, 2)
    systems: dict[str, TransitionSystem] = {"plain": plain, "joint": joint, "constrained": Constrained(plain, ["l0"])}
    return systems[kind] if kind in systems else View(Logged(plain), hide=["log"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_small_graph_is_put_together_as_the_naive_search_finds_it(kind: str) -> None:
    found = 0
    for seed in range(20):
        system = drawn(kind, seed)
        expected = reference.explore(system, most=150)
        if expected is None or expected.distinct < 4:
            continue
        with decider(system, 2, (0, 1), most=1 << 30) as mine:
            if kind == "viewed":  # which of the merged states is kept is the engine's choice
                assert mine.graph().states == expected.distinct
            else:
                agrees(mine.graph(), system, expected)
            assert np.array_equal(np.diff(mine.graph().level), np.diff(explore(system).level))
        found += 1
        if found == scaled(2):
            break
    assert found


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["plain", "joint", "constrained"])
def test_formulas_on_random_systems(kind: str) -> None:
    atoms: tuple[Formula, ...] = (Holds(0), Holds(1), Holds(2), Happens("e1"), Happens("a"))
    found = 0
    for seed in range(400):
        system, draw = drawn(kind, seed), random.Random(seed)
        expected = reference.explore(system, most=150)
        if expected is None or expected.distinct < 10:
            continue
        fairness = (Justice(draw.choice(atoms)), Compassion(draw.choice(atoms), draw.choice(atoms)))
        properties = [
            Temporal("again", always(eventually(draw.choice(atoms))), fairness),
            replace(draw_property(draw), fairness=fairness[:1]),
        ]
        compare(system, [prop for prop in properties if "g" not in str(prop.formula)], 2, (0, 1), most=0, cache=1 << 30)
        found += 1
        if found == scaled(2):
            break
    assert found


def condition(seed: int, before: int, after: int) -> bool:
    return (seed * 7 + before * 3 + after * 5) % 4 != 0


@pytest.mark.parametrize("kind", ["plain", "constrained", "symmetric"])
def test_conditions_on_every_step(kind: str) -> None:
    verdicts = set()
    for seed in range(scaled(7)):
        system = drawn(kind, seed)
        if reference.explore(system, most=150) is None:
            continue
        label = 1 if kind == "symmetric" else 2
        prop = EveryStep(
            "steps", (Between("b", label, label, partial(condition, seed)),), initially=(label,) * (seed % 2)
        )
        expected = Checker(system, explore(system)).check(prop)
        with decider(system, 2, (0,), most=0) as mine:
            found = mine.check(prop)
        assert found.verdict is expected.verdict
        assert (found.trace is None) == (expected.trace is None)
        if found.trace is not None and expected.trace is not None:
            assert len(found.trace) == len(expected.trace)
            replay(system, found.trace)
        verdicts.add(found.verdict)
    assert verdicts == {Verdict.HOLDS, Verdict.VIOLATED}


@pytest.mark.parametrize("bits", range(1, 5))
def test_a_cycle_through_two_partitions_behind_a_stem(bits: int) -> None:
    """What is trimmed takes nothing along that others lead to: 0 is gone, but 2 is reached from 1."""
    system = System(Structure((frozenset(),) * 3, ((0, 0, 2), (2, 0, 1), (1, 0, 2))))
    properties = [Temporal("p", eventually(Holds(0))), Temporal("p", on_all_paths(eventually(Holds(0))))]
    for found in compare(system, properties, bits, (1,), 0, 1 << 30, blind=True):
        assert found.verdict is Verdict.VIOLATED


@pytest.mark.parametrize("bits", range(1, 5))
def test_a_component_through_two_partitions_that_is_fair_only_in_part(bits: int) -> None:
    """q asks in vain for r, so 2 must be left out; the rest goes on."""
    nothing = frozenset[str]()
    system = System(Structure((nothing, nothing, frozenset("q")), ((0, 0, 1), (1, 0, 0), (1, 1, 2), (2, 0, 1))))
    fairness = (Compassion(Holds(1), Holds(2)),)
    formulas = (eventually(Holds(0)), on_all_paths(eventually(Holds(0))))
    for found in compare(system, [Temporal("p", f, fairness) for f in formulas], bits, (1,), 0, 1 << 30, blind=True):
        assert found.verdict is Verdict.VIOLATED


@pytest.mark.parametrize("bits", range(1, 5))
def test_a_loop_through_several_partitions_that_takes_every_step(bits: int) -> None:
    """0 and 3 have two ways on each; a loop that is fair takes all four."""
    edges = ((0, 0, 1), (0, 1, 2), (1, 0, 3), (2, 0, 3), (3, 0, 0), (3, 1, 1))
    system = System(Structure((frozenset(),) * 4, edges))
    prop = Temporal("p", eventually(Holds(0)), (StrongGlobal(),))
    (found,) = compare(system, [prop], bits, (0, 1), 0, 1 << 30, blind=True)
    assert found.trace is not None
    assert found.trace.loop is not None
    steps = zip(found.trace.states[found.trace.loop :], found.trace.states[found.trace.loop + 1 :])
    assert {(one[0], other[0]) for one, other in steps} == {(one, other) for one, _, other in edges}


class Unused:
    """Rounds that nobody should need."""

    lanes = 1

    def expect(self, weight: int) -> None: ...

    def run(self, *arguments: object) -> tuple[list[object], dict[int, str]]:
        raise AssertionError("a round is run")


def test_a_driver_that_is_started_anew_finds_the_edges() -> None:
    system = RandomSystem(3, 3, 4, 3, 6, 2)
    with decider(system, 2, (0, 1), most=1 << 30) as mine:
        edges = mine.edges
        again = Decider(mine.job, Unused(), mine.run, mine.machine, most=1 << 30)
        assert again.edges == edges
        assert again.graph().states == mine.graph().states


def test_a_graph_that_is_too_large_for_one_memory_says_so() -> None:
    too_large = pytest.raises(HomingError, match="edges, and 0 are the most in one memory")
    with decider(RandomSystem(3, 3, 4, 3, 6, 2), 1, (0,), most=0) as mine, too_large:
        mine.graph()


def test_a_reason_to_stop_ends_a_property() -> None:
    with decider(RandomSystem(3, 3, 4, 3, 6, 2), 1, (0,), most=0) as mine:
        assert mine.edges
        mine.stopped = lambda: "interrupted"
        with pytest.raises(HomingError, match="interrupted"):
            mine.check(Temporal("later", eventually(Holds(0))))
