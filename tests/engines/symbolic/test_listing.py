"""Refinement and determinism, which are decided on a list of all states: as on the local engine, or not at all."""

from __future__ import annotations

import random
from dataclasses import astuple, replace

from benchmarks.symbolic import philosophers
from tests.scale import scaled
from tests.systems import JointSystem, RandomSystem

from homing import checking
from homing.core.model import Model
from homing.core.property import Always, Property
from homing.core.result import Distribution, Limits, Options, Result
from homing.core.system import TransitionSystem
from homing.core.temporal import Deterministic, Refines
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained
from homing.engines.symbolic.listing import LISTED

ONE = Options(threads=1)
HIDDEN = frozenset({"e0", "a"})


def system_of(draw: random.Random) -> TransitionSystem:
    kind = draw.choice((RandomSystem, RandomSystem, JointSystem))
    system = kind(draw.randrange(2**32), draw.randint(1, 2), draw.randint(1, 3), 2, draw.randint(1, 4), 1)
    return Constrained(system, ["l0"]) if draw.random() < 0.2 else system


def said(result: Result) -> tuple[object, ...]:
    counts = astuple(result.counts)[:5]  # not how often the model was asked
    trace: object = result.trace
    if result.property == "always" and result.trace is not None:  # of several states as near, any
        trace = len(result.trace)
    return result.property, result.verdict, counts, trace, result.vacuous, result.reason


def test_random_systems() -> None:
    verdicts: list[Verdict] = []
    for seed in range(scaled(16)):
        draw = random.Random(seed)
        system = system_of(draw)
        specification = draw.choice((system, system_of(draw)))
        properties: list[Property] = [
            Refines("traces", specification, "T", HIDDEN),
            Always("always", 0),
            Refines("failures", specification, "F", HIDDEN),
            Refines("divergences", specification, "FD", HIDDEN),
            Deterministic("steps", "steps"),
            Deterministic("processes", "processes", HIDDEN),
        ]
        model = Model("random", system, tuple(properties))
        found, expected = (checking.check(model, engine, ONE) for engine in ("symbolic", "local"))
        assert list(map(said, found.results)) == list(map(said, expected.results)), seed
        assert LISTED in found.engine["notes"]
        verdicts += [result.verdict for result in found.results]
    assert min(map(verdicts.count, (Verdict.HOLDS, Verdict.VIOLATED))) > 10


def asked(most: int, limits: Limits | None = None) -> list[tuple[Verdict, str | None]]:
    model = replace(philosophers(6), properties=(Deterministic("steps", "steps"),))
    spread = replace(ONE, distribution=Distribution(most_edges=most), limits=limits or Limits())
    return [(result.verdict, result.reason) for result in checking.check(model, "symbolic", spread).results]


def test_too_many_states_to_be_listed() -> None:
    why = "its 198 states and 768 steps are too many to be listed, which comparing traces needs"
    assert asked(767)[0] == (Verdict.UNKNOWN, why)
    assert asked(768)[0] == (Verdict.VIOLATED, None)


def test_a_specification_that_cannot_be_listed() -> None:
    system = RandomSystem(1, 2, 2, 1, 3, 1)
    model = Model("small", system, (Refines("refines", philosophers(6).system),))
    few = replace(ONE, limits=Limits(states=100))
    (result,) = checking.check(model, "symbolic", few).results
    assert (result.verdict, result.reason) == (
        Verdict.UNKNOWN,
        "its specification: the limit of 100 states was reached",
    )


def test_a_limit_before_the_list() -> None:
    assert asked(768, Limits(states=100))[0] == (Verdict.UNKNOWN, "the limit of 100 states was reached")
    assert asked(768, Limits(seconds=0))[0] == (Verdict.UNKNOWN, "the time limit of 0 s was reached")
