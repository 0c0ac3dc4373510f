"""Temporal properties on sets of states, against the graph of the local engine."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
from tests.engines.symbolic.structures import Explored, learnt
from tests.properties.drawing import STUTTERING, arena_of, draw_fairness
from tests.properties.structures import (
    ANY_ATOM,
    LTL_BINARY,
    LTL_UNARY,
    PAST_BINARY,
    PAST_UNARY,
    Structure,
    System,
    Word,
    draw_ctl,
    draw_ltl,
    draw_structure,
    holds_on,
    is_fair,
)
from tests.scale import scaled
from tests.systems import JointSystem, RandomSystem

from homing import checking
from homing.core.formula import Between, Enabled, Formula, Happens, Holds, always, eventually
from homing.core.model import Model
from homing.core.result import Options
from homing.core.system import TransitionSystem
from homing.core.temporal import DivergenceFree, EveryStep, Fairness, StrongGlobal, Temporal
from homing.core.verdict import Verdict
from homing.core.witness import STUTTER, Trace
from homing.core.wrappers import Constrained
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.ctl import Ctl
from homing.properties import ctl

ONE = Options(threads=1)
STATE_ATOMS = tuple(atom for atom in ANY_ATOM if isinstance(atom, Holds | Enabled))


def fairness_of(draw: random.Random) -> tuple[Fairness, ...]:
    return (*draw_fairness(draw), *((StrongGlobal(),) if draw.random() < 0.3 else ()))


def test_random_structures() -> None:
    lassos = 0
    for seed in range(scaled(40)):
        draw = random.Random(seed)
        structure = draw_structure(draw, 6)
        past = draw_ltl(draw, 3, LTL_UNARY + PAST_UNARY, LTL_BINARY + PAST_BINARY, ANY_ATOM)
        formulas = [past, draw_ltl(draw, 3, LTL_UNARY, LTL_BINARY, ANY_ATOM)]
        formulas += [draw_ctl(draw, 3, STATE_ATOMS) for _ in range(2)]
        properties = tuple(
            Temporal(f"p{n}", f, fairness_of(draw), draw.choice(STUTTERING)) for n, f in enumerate(formulas)
        )
        model = Model("random", System(structure), properties)
        one, other = (checking.check(model, engine, ONE).results for engine in ("symbolic", "local"))
        for number, (prop, found, expected) in enumerate(zip(properties, one, other, strict=True)):
            assert found.verdict is expected.verdict, (seed, number)
            assert found.vacuous == expected.vacuous, (seed, number)
            assert (found.reason is None) == (expected.reason is None), (seed, number)
            if number < 2 and found.verdict is Verdict.VIOLATED:
                assert found.trace is not None
                word = word_of(structure, found.trace)
                assert not holds_on(word, prop.formula), (seed, number)
                assert is_fair(word, prop.fairness), (seed, number)
                lassos += 1
    assert lassos > 10


def test_ctl_in_every_state() -> None:
    """Also where no initial state tells: the sets of states, under fairness."""
    for seed in range(scaled(120)):
        draw = random.Random(seed)
        structure = draw_structure(draw, 6)
        formula, fairness, stuttering = draw_ctl(draw, 2, STATE_ATOMS), fairness_of(draw), draw.choice(STUTTERING)
        explored = Explored(structure, learnt)
        found = Ctl(Arena(explored.search, stuttering, {}), fairness).states(formula)
        expected = ctl.Ctl(arena_of(structure, stuttering), fairness).states(formula)
        assert set(explored.numbers(found)) == set(np.flatnonzero(expected).tolist()), seed


def test_a_step_that_is_never_taken_is_not_fair_everywhere() -> None:
    """Nobody leaves the two states, but a behaviour that stays in the first never takes the step to the other."""
    structure = Structure((frozenset("p"), frozenset()), ((0, 0, 0), (0, 1, 1), (1, 0, 0)))
    again = always(eventually(~Holds(0)))
    properties = tuple(Temporal(f"{len(fair)}", again, fair, "never") for fair in ((), (StrongGlobal(),)))
    results = checking.check(Model("two", System(structure), properties), "symbolic", ONE).results
    assert [result.verdict.name for result in results] == ["VIOLATED", "HOLDS"]


def word_of(structure: Structure, trace: Trace) -> Word:
    """A lasso of a structure as a word; where it stays in its last state, it stutters."""
    states: list[int] = [state[0] for state in trace.states]  # type: ignore[misc]
    edges = [
        None if move == STUTTER else (states[n], int(move.group[1:]), states[n + 1])
        for n, move in enumerate(trace.moves)
    ]
    assert trace.loop is not None
    if trace.loop == len(edges):
        return Word(structure, tuple(states), (*edges, None), trace.loop)
    return Word(structure, tuple(states[:-1]), tuple(edges), trace.loop)


def _less(one: int, other: int) -> bool:
    return one <= other


def test_random_systems() -> None:
    """With events that groups agree on, constraints, conditions on both ends of a step, and divergence."""
    for seed in range(scaled(24)):
        draw = random.Random(seed)
        kind = (RandomSystem, JointSystem)[seed % 2]
        system: TransitionSystem = kind(draw.randrange(2**32), 3, 3, 3, 4, 1)
        if seed % 3 == 0:
            system = Constrained(system, ["l0"])
        atoms: list[Formula] = [Holds(0), Holds(2), Happens("a"), Happens("e1"), Between("grows", 0, 2, _less)]
        formulas = [draw_ltl(draw, 3, LTL_UNARY, LTL_BINARY, atoms) for _ in range(2)]
        properties = (
            *(Temporal(f"p{n}", formula, (), draw.choice(STUTTERING)) for n, formula in enumerate(formulas)),
            EveryStep("every", (Between("grows", 0, 2, _less),), (0,) if seed % 5 == 0 else ()),
            DivergenceFree("silent", frozenset({"a", "e0"})),
        )
        model = Model("random", system, properties)
        limited = replace(ONE, limits=replace(ONE.limits, states=2000))
        one, other = (checking.check(model, engine, limited).results for engine in ("symbolic", "local"))
        for found, expected in zip(one, other, strict=True):
            if Verdict.UNKNOWN in (found.verdict, expected.verdict):
                continue
            assert found.verdict is expected.verdict, (seed, found.property)
            assert found.vacuous == expected.vacuous, (seed, found.property)
            if found.property == "every" and found.trace is not None and expected.trace is not None:
                assert len(found.trace) == len(expected.trace), seed


def _near(one: int, other: int) -> bool:
    return abs(one - other) < 4


def test_conditions_on_steps_of_groups_that_move_at_once() -> None:
    """They divide a conjunction, whose slots are quantified when all of its parts were joined."""
    verdicts = []
    for seed in range(scaled(16)):
        draw = random.Random(seed)
        system = JointSystem(draw.randrange(2**32), 3, 3, 4, 4, 1)
        near = Between("near", 1, 1, _near)
        formulas = [draw_ltl(draw, 2, LTL_UNARY, LTL_BINARY, [near, Holds(0), Happens("a")]) for _ in range(2)]
        properties = [Temporal(f"p{n}", formula, (), "always") for n, formula in enumerate([always(near), *formulas])]
        model = Model("random", system, tuple(properties))
        one, other = (checking.check(model, engine, ONE).results for engine in ("symbolic", "local"))
        for found, expected in zip(one, other, strict=True):
            assert (found.verdict, found.vacuous) == (expected.verdict, expected.vacuous), (seed, found.property)
            verdicts.append(found.verdict)
    assert min(map(verdicts.count, (Verdict.HOLDS, Verdict.VIOLATED))) > 3
