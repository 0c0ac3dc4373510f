"""LTL with past, events and fairness against the tableau, the definitions, and all short lassos."""

from __future__ import annotations

import random
from typing import Literal

import pytest
from tests.properties import tableau
from tests.properties.drawing import STUTTERING, arena_of, draw_fairness, word_of
from tests.properties.structures import (
    ANY_ATOM,
    LABELS,
    LTL_BINARY,
    LTL_UNARY,
    PAST_BINARY,
    PAST_UNARY,
    Structure,
    draw_ltl,
    draw_structure,
    graph_of,
    holds_on,
    is_fair,
    lassos,
)
from tests.scale import scaled

from homing.core.errors import HomingError
from homing.core.formula import Formula, Holds, Operation, always, eventually
from homing.core.temporal import EachEvent, Fairness, StrongGlobal, Temporal
from homing.core.verdict import Verdict
from homing.properties.arena import Columns
from homing.properties.ltl.check import atoms_of, counterexample, exists
from homing.properties.ltl.letters import automaton_of
from homing.properties.ltl.past import Reader
from homing.properties.ltl.terms import FALSE, TRUE
from homing.properties.temporal import check

BATCH = 250
P, Q = LABELS[0], LABELS[1]


def draw_formula(draw: random.Random, most: int) -> Formula:
    return draw_ltl(draw, int(draw.random() * (most + 1)), LTL_UNARY + PAST_UNARY, LTL_BINARY + PAST_BINARY, ANY_ATOM)


@pytest.mark.parametrize("batch", range(12))
def test_agrees_with_the_tableau_and_every_lasso_is_one(batch: int) -> None:
    violated = 0
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        draw = random.Random(seed)
        structure, stuttering = draw_structure(draw, 4, 2.0), STUTTERING[seed % 3]
        formula, fairness = draw_formula(draw, 3), draw_fairness(draw)
        arena = arena_of(structure, stuttering)
        path = counterexample(arena, formula, fairness)
        expected = tableau.satisfiable(structure, ~formula, fairness, stuttering)
        assert (path is not None) == expected, (seed, str(formula), fairness)
        if path is not None:
            violated += 1
            word = word_of(structure, arena, path)
            assert not holds_on(word, formula), (seed, str(formula))
            assert is_fair(word, fairness), (seed, fairness)
    assert BATCH // 4 < violated < 3 * BATCH // 4


@pytest.mark.parametrize("batch", range(scaled(4)))
def test_larger_formulas_against_all_short_lassos(batch: int) -> None:
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        draw = random.Random(-1 - seed)
        structure, stuttering = draw_structure(draw, 4), STUTTERING[seed % 3]
        formula, fairness = draw_formula(draw, 7), draw_fairness(draw, 2)
        arena = arena_of(structure, stuttering)
        path = counterexample(arena, formula, fairness)
        if path is None:
            words = (word for word in lassos(structure, 5, stuttering) if is_fair(word, fairness))
            assert all(holds_on(word, formula) for word in words), (seed, str(formula))
        else:
            word = word_of(structure, arena, path)
            assert not holds_on(word, formula), (seed, str(formula))
            assert is_fair(word, fairness), (seed, fairness)


def test_strong_global_fairness_against_all_lassos() -> None:
    fairness: tuple[Fairness, ...] = (StrongGlobal(),)
    violated = 0
    for seed in range(400):
        draw = random.Random(seed)
        structure, formula = draw_structure(draw, 3, 1.2), draw_formula(draw, 3)
        arena = arena_of(structure, "at the end")
        path = counterexample(arena, formula, fairness)
        if path is None:
            words = (word for word in lassos(structure, 6) if is_fair(word, fairness))
            assert all(holds_on(word, formula) for word in words), (seed, str(formula))
        else:
            violated += 1
            word = word_of(structure, arena, path)
            assert not holds_on(word, formula), (seed, str(formula))
            assert is_fair(word, fairness), seed
    assert violated > 100


@pytest.mark.parametrize("kind", ["weak", "strong"])
def test_fairness_of_each_event_against_all_lassos(kind: Literal["weak", "strong"]) -> None:
    violated = 0
    for seed in range(300):
        draw = random.Random(seed)
        structure, formula = draw_structure(draw, 3, 1.2), draw_formula(draw, 3)
        prop = Temporal("formula", formula, (EachEvent(kind),))
        found = check(prop, Columns(graph_of(structure), structure.shape), None).verdict
        words = (word for word in lassos(structure, 6) if is_fair(word, prop.fairness))
        violated += found is Verdict.VIOLATED
        assert (found is Verdict.HOLDS) == all(holds_on(word, formula) for word in words), (seed, str(formula))
    assert violated > 80


def test_lassos_are_short() -> None:
    """Of all lassos that violate, ours are mostly the shortest, and never far from it."""
    shortest, found, longer = 0, 0, 0
    for seed in range(300):
        draw = random.Random(seed)
        structure, formula = draw_structure(draw, 4, 2.0), draw_formula(draw, 3)
        path = counterexample(arena_of(structure, "at the end"), formula, ())
        if path is not None:
            lengths = [len(word.states) for word in lassos(structure, 4) if not holds_on(word, formula)]
            found += 1
            shortest += len(path.edges) <= min(lengths, default=5)
    assert shortest >= 0.85 * found > 90
    assert longer <= 3


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        (always(P), 1),
        (eventually(P), 2),
        (always(eventually(P)), 1),
        (eventually(always(P)), 2),
        (always(P >> eventually(Q)), 2),
        (always(eventually(P)) & always(eventually(Q)), 1),
        (~always(P >> eventually(Q)), 2),
        (Operation("U", (P, Q)), 2),
        (Operation("R", (P, Q)), 2),
        (eventually(P) & eventually(Q), 4),
    ],
    ids=str,
)
def test_automata_are_small(formula: Formula, states: int) -> None:
    assert len(automaton_of(formula, atoms_of(formula)).automaton.transitions) <= states


@pytest.mark.parametrize(
    ("formula", "term"),
    [
        (always(P) & eventually(~P), FALSE),
        (eventually(P) | always(~P), TRUE),
        (always(eventually(P)) & eventually(always(~P)), FALSE),
        (Operation("X", (P | ~P,)), TRUE),
        (Operation("W", (P, Q)) | Operation("U", (~Q, ~P & ~Q)), TRUE),
    ],
    ids=str,
)
def test_formulas_are_simplified(formula: Formula, term: int) -> None:
    assert Reader(atoms_of(formula)).read(formula) == term


def test_a_formula_that_is_too_large_is_refused() -> None:
    atoms = [Operation("U", (Holds(n), Holds(n + 1))) for n in range(14)]
    formula = Operation("and", tuple(atoms))
    with pytest.raises(HomingError, match="too large"):
        automaton_of(formula, atoms_of(formula))


def test_a_large_conjunction_is_no_problem() -> None:
    labels = tuple(Holds(n, f"l{n}") for n in range(12))
    everything = Operation("and", tuple(always(eventually(label)) for label in labels))
    structure = Structure((frozenset({"l0"}),), ((0, 0, 0),), names=tuple(label.name for label in labels))
    assert counterexample(arena_of(structure, "never"), everything, ()) is not None
    assert not exists(arena_of(structure, "never"), everything, ())
