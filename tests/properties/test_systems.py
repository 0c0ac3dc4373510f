"""Random systems through an engine: every lasso is a behaviour of the system, and violates its formula there."""

from __future__ import annotations

import random

from tests import reference
from tests.properties.structures import (
    LTL_BINARY,
    LTL_UNARY,
    PAST_BINARY,
    PAST_UNARY,
    Structure,
    Word,
    draw_ltl,
    holds_on,
)
from tests.systems import RandomSystem

from homing import checking
from homing.core import interpreter
from homing.core.formula import Holds
from homing.core.model import Model
from homing.core.temporal import Temporal
from homing.core.verdict import Verdict
from homing.core.witness import Trace

LABELS = (Holds(0, "l0"), Holds(2, "l2"))


def test_lassos_of_random_systems() -> None:
    violated = 0
    for seed in range(60):
        draw = random.Random(seed)
        system = RandomSystem(seed, 3, 4, 3, 6, 2)
        if reference.explore(system, most=300) is None:
            continue
        formulas = [draw_ltl(draw, 3, LTL_UNARY + PAST_UNARY, LTL_BINARY + PAST_BINARY, LABELS) for _ in range(4)]
        properties = tuple(Temporal(str(formula), formula) for formula in formulas)
        report = checking.check(Model("random", system, properties))
        for formula, result in zip(formulas, report.results, strict=True):
            if result.verdict is Verdict.VIOLATED:
                violated += 1
                assert result.trace is not None
                interpreter.replay(system, result.trace)
                assert not holds_on(word(system, result.trace), formula), (seed, str(formula))
    assert violated > 50


def word(system: RandomSystem, trace: Trace) -> Word:
    """The labels along a lasso, as a structure of one path."""
    assert trace.loop is not None
    states = trace.states if trace.loop == len(trace.moves) else trace.states[:-1]
    labels = tuple(frozenset(f"l{n}" for n in range(3) if reference.label_of(system, n, state)) for state in states)
    structure = Structure(labels, (), names=("l0", "l1", "l2"))
    return Word(structure, tuple(range(len(states))), (None,) * len(states), trace.loop)
