"""The specification patterns of Dwyer, Avrunin and Corbett (1999), each on a path where it holds and one where not.

P and S are the events of a pattern, Q and R the scope's beginning and end; T is the third event of a chain.
"""

from __future__ import annotations

import pytest
from tests.properties.drawing import arena_of, word_of
from tests.properties.notation import NAMES, parse, path
from tests.properties.structures import Structure, holds_on

from homing.core.formula import Formula
from homing.properties.ltl.check import counterexample

TWICE = "!p W (p W (!p W (p W G !p)))"
TWICE_BEFORE = "((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p U r)))))))))"
TWICE_UNTIL = "((!p & !r) U (r | ((p & !r) U (r | ((!p & !r) U (r | ((p & !r) U (r | (!p W r) | G p))))))))"
CHAIN = "(!p U (s & !p & X (!p U t)))"

PATTERNS = {
    "absence, globally": ("G !p", ". q r", ". q p ."),
    "absence, before R": ("F r -> (!p U r)", ". . r p", ". p r ."),
    "absence, after Q": ("G (q -> G !p)", "p q . .", ". q . p ."),
    "absence, between Q and R": ("G ((q & !r & F r) -> (!p U r))", "p q . r p q p", ". q p r ."),
    "absence, after Q until R": ("G (q & !r -> (!p W r))", "p q . r p", ". q . p"),
    "existence, globally": ("F p", ". . p .", ". q r"),
    "existence, before R": ("!r W (p & !r)", ". p r", ". r p"),
    "existence, after Q": ("G !q | F (q & F p)", ". q . p .", "p q ."),
    "existence, between Q and R": ("G (q & !r -> (!r W (p & !r)))", ". q p r q", "p q . r ."),
    "existence, after Q until R": ("G (q & !r -> (!r U (p & !r)))", ". q p r .", ". q . ."),
    "bounded existence, globally": (TWICE, "p . p .", "p . p . p ."),
    "bounded existence, before R": (f"F r -> {TWICE_BEFORE}", "p . p . r p", "p . p . p r"),
    "bounded existence, after Q": (f"F q -> (!q U (q & ({TWICE})))", "p . p . q p . p .", "q p . p . p ."),
    "bounded existence, between Q and R": (f"G ((q & F r) -> {TWICE_BEFORE})", "q p . p . r .", "q p . p . p r ."),
    "bounded existence, after Q until R": (f"G (q -> {TWICE_UNTIL})", "q p . p .", "q p . p . p ."),
    "universality, globally": ("G p", "p pq p", "p . p"),
    "universality, before R": ("F r -> (p U r)", "p p r .", "p . r p"),
    "universality, after Q": ("G (q -> G p)", ". pq p", "p pq . p"),
    "universality, between Q and R": ("G ((q & !r & F r) -> (p U r))", ". pq p r . pq .", ". pq . r p"),
    "universality, after Q until R": ("G (q & !r -> (p W r))", ". pq p r .", ". pq ."),
    "precedence, globally": ("!p W s", ". s p", ". p s"),
    "precedence, before R": ("F r -> (!p U (s | r))", ". s p r", ". p s r ."),
    "precedence, after Q": ("G !q | F (q & (!p W s))", "p q s p", "s q p"),
    "precedence, between Q and R": ("G ((q & !r & F r) -> (!p U (s | r)))", "p q s p r p", ". q p s r ."),
    "precedence, after Q until R": ("G (q & !r -> (!p W (s | r)))", ". q . r p", ". q p"),
    "response, globally": ("G (p -> F s)", "p . s p s .", "p s p ."),
    "response, before R": ("F r -> ((p -> (!r U (s & !r))) U r)", "p . s r p", "p . r s"),
    "response, after Q": ("G (q -> G (p -> F s))", "p q p s .", ". q p ."),
    "response, between Q and R": (
        "G ((q & !r & F r) -> ((p -> (!r U (s & !r))) U r))",
        "p q p s r p .",
        ". q p r s",
    ),
    "response, after Q until R": ("G (q & !r -> ((p -> (!r U (s & !r))) W r))", "q p s . r p .", "q . p ."),
    "precedence chain, globally": (f"F p -> {CHAIN}", ". s t p", ". s p t"),
    "precedence chain, before R": ("F r -> (!p U (r | (s & !p & X (!p U t))))", ". s t p r", ". t p r ."),
    "precedence chain, after Q": (f"G !q | (!q U (q & (F p -> {CHAIN})))", "p q s t p", "s t q p"),
    "response chain, globally": ("G (p -> F (s & X F t))", "p . s . t .", "p t s ."),
    "response chain, before R": ("F r -> ((p -> (!r U (s & !r & X (!r U t)))) U r)", "p s t r p", "p s r t"),
    "response chain, after Q": ("G (q -> G (p -> F (s & X F t)))", "p q p s t .", ". q p s ."),
}


@pytest.mark.parametrize(("text", "holds", "fails"), PATTERNS.values(), ids=list(PATTERNS))
def test_pattern(text: str, holds: str, fails: str) -> None:
    formula = parse(text)
    assert counterexample(arena_of(path(holds), "never"), formula, ()) is None
    assert is_violated(path(fails), formula)
    assert is_violated(split(holds, fails), formula), "a choice of the two paths"


def is_violated(structure: Structure, formula: Formula) -> bool:
    arena = arena_of(structure, "never")
    found = counterexample(arena, formula, ())
    return found is not None and not holds_on(word_of(structure, arena, found), formula)


def split(one: str, other: str) -> Structure:
    """Both paths beside each other, each with its own initial state."""
    left, right = path(one), path(other)
    shift = len(left.labels)
    moved = tuple((a + shift, group, b + shift) for a, group, b in right.edges)
    return Structure((*left.labels, *right.labels), (*left.edges, *moved), (0, shift), NAMES)


@pytest.mark.parametrize(
    ("text", "holds", "fails"),
    [
        ("G (s -> O p)", "p . s", ". s"),
        ("G (s -> Y p)", "p s .", "p . s"),
        ("Z p", ". .", None),
        ("Y p", None, "p p"),
        ("G (r -> H p)", "p p pr .", "p . r"),
        ("G (s -> (!r S q))", "q . s .", "q r s"),
        ("G (s -> (q T p))", "p p sp .", ". sp"),
        ("G (t -> O (s & O p))", "p s t", "s p t"),
        ("G (s -> O F p)", "s p", "s ."),
        ("F (q & Y H p)", "p p q", "p . q"),
    ],
)
def test_past(text: str, holds: str | None, fails: str | None) -> None:
    formula = parse(text)
    if holds is not None:
        assert counterexample(arena_of(path(holds), "never"), formula, ()) is None
    if fails is not None:
        assert is_violated(path(fails), formula)


@pytest.mark.parametrize("text", [entry[0] for entry in PATTERNS.values()])
def test_a_printed_formula_reads_back(text: str) -> None:
    formula = parse(text)
    assert parse(str(formula)) == formula
