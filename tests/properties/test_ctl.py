"""CTL: verdicts against pyModelChecking and a naive reading with fairness; evidence against a naive reading."""

from __future__ import annotations

import random
from functools import reduce

import pytest
from tests.properties import tableau
from tests.properties.drawing import STUTTERING, arena_of, draw_fairness
from tests.properties.structures import LABELS, Structure, atom_at, draw_ctl, draw_structure

from homing.core.formula import Constant, Formula, Operation, on_some_path
from homing.core.temporal import Fairness, Stuttering
from homing.properties.ctl import Ctl
from homing.properties.lasso import Path
from homing.properties.normal import refuted


class Naive:
    """CTL by its meaning: each E is one question about paths, which the tableau answers."""

    def __init__(self, structure: Structure, fairness: tuple[Fairness, ...], stuttering: Stuttering) -> None:
        self.structure, self.fairness, self.stuttering = structure, fairness, stuttering
        self._known: dict[Formula, frozenset[int]] = {}

    def states(self, formula: Formula) -> frozenset[int]:
        if formula not in self._known:
            self._known[formula] = self._decide(formula)
        return self._known[formula]

    def _decide(self, formula: Formula) -> frozenset[int]:
        everything = frozenset(range(len(self.structure.labels)))
        if isinstance(formula, Constant):
            return everything if formula.value else frozenset()
        if not isinstance(formula, Operation):
            return frozenset(state for state in everything if atom_at(self.structure, formula, state, None))
        if formula.operator in ("A", "E"):
            path = formula.operands[0]
            assert isinstance(path, Operation)
            return self._some(path) if formula.operator == "E" else everything - self._some(~path)
        parts = [self.states(operand) for operand in formula.operands]
        match formula.operator:
            case "not":
                return everything - parts[0]
            case "and":
                return reduce(frozenset.intersection, parts)
            case "or":
                return reduce(frozenset.union, parts)
        return (everything - parts[0]) | parts[1]

    def _some(self, path: Formula) -> frozenset[int]:
        """Where a fair path satisfies the path formula, whose operands become labels."""
        inner = path.operands[0] if isinstance(path, Operation) and path.operator == "not" else path
        assert isinstance(inner, Operation)
        sets = [self.states(operand) for operand in inner.operands]
        names = ("p", "q", "r", "x", "y")
        marked = tuple(
            labels | {name for name, states in zip("xy", sets, strict=False) if state in states}
            for state, labels in enumerate(self.structure.labels)
        )
        atoms = tuple(Operation("and", (_label(3 + number),)) for number in range(len(sets)))
        asked: Formula = Operation(inner.operator, atoms)
        asked = ~asked if inner is not path else asked
        return frozenset(
            state
            for state in range(len(marked))
            if tableau.satisfiable(
                Structure(marked, self.structure.edges, (state,), names), asked, self.fairness, self.stuttering
            )
        )


def _label(number: int) -> Formula:
    from homing.core.formula import Holds

    return Holds(number)


@pytest.mark.parametrize("batch", range(4))
def test_agrees_with_the_naive_reading_and_shows_why(batch: int) -> None:
    shown = 0
    for seed in range(batch * 100, (batch + 1) * 100):
        draw = random.Random(seed)
        structure, stuttering = draw_structure(draw, 4, 2.0), STUTTERING[seed % 3]
        formula = draw_ctl(draw, 1 + int(draw.random() * 5), LABELS)
        fairness = draw_fairness(draw, 2)
        arena = arena_of(structure, stuttering)
        ctl, naive = Ctl(arena, fairness), Naive(structure, fairness, stuttering)
        found = ctl.states(formula)
        expected = naive.states(formula)
        assert {state for state, true in enumerate(found) if true} == expected, (seed, str(formula), fairness)
        for state in range(len(structure.labels)):
            true = formula if state in expected else refuted(formula)
            path = ctl.why(true, state)
            if path is not None:
                shown += bool(path.edges)
                confirm(Evidence(ctl, naive), true, path)
    assert shown > 30


class Evidence:
    """What is needed to judge a path."""

    def __init__(self, ctl: Ctl, naive: Naive) -> None:
        self.ctl, self.naive = ctl, naive


def confirm(given: Evidence, formula: Formula, path: Path) -> None:
    """The path, its edges and its branches are of the structure, and every branch starts where its reason is true."""
    arena = given.ctl.arena
    states = path.states(arena)
    assert states[0] in given.naive.states(formula), str(formula)
    for number, edge in enumerate(path.edges):
        assert arena.source[edge] == states[number]
    if path.loop is not None:
        assert states[path.loop] == states[-1]
    for at, _, branch in path.branches:
        assert at is not None
        assert branch.first == states[at]
        confirm(given, Constant(True), branch)
    _confirm_top(given, formula, path, states)


def _confirm_top(given: Evidence, formula: Formula, path: Path, states: list[int]) -> None:
    """The path is what the operator asks for."""
    if not (isinstance(formula, Operation) and formula.operator == "E"):
        return
    inner = formula.operands[0]
    assert isinstance(inner, Operation)
    one, *rest = (given.naive.states(operand) for operand in inner.operands)
    match inner.operator:
        case "X":
            assert states[1] in one
        case "F":
            assert one & set(states)
        case "G":
            assert path.loop is not None
            assert set(states) <= one
        case "U":
            reached = next(number for number, state in enumerate(states) if state in rest[0])
            assert set(states[:reached]) <= one
        case "R":
            freed = next((number for number, state in enumerate(states) if state in one & rest[0]), None)
            assert freed is not None or path.loop is not None
            assert set(states[:freed]) <= rest[0]


def test_a_tree_of_paths_where_nesting_needs_it() -> None:
    """E G (E X p): a lasso without p on it, and beside each state a step to p."""
    structure = Structure((frozenset(), frozenset({"p"})), ((0, 0, 0), (0, 1, 1), (1, 0, 1)))
    ctl = Ctl(arena_of(structure, "never"), ())
    inner = on_some_path(Operation("X", (LABELS[0],)))
    path = ctl.why(on_some_path(Operation("G", (inner,))) & ~LABELS[0], 0)
    assert path is not None
    assert path.loop is not None
    lasso = path if path.edges else path.branches[0][2]
    assert [why for _, why, _ in lasso.branches] == ["E (X p)"]
    assert lasso.branches[0][2].states(ctl.arena) == [0, 1]
