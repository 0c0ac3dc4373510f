"""Formulas: what is refused, with its place and what was declared."""

from __future__ import annotations

import pytest
from tests.properties.notation import parse
from tests.properties.structures import LABELS, Structure

from homing.core.errors import HomingError, Place
from homing.core.formula import (
    ANY,
    Action,
    Enabled,
    Formula,
    Happens,
    Holds,
    Operation,
    Taken,
    always,
    eventually,
    logic_of,
    next_,
    on_all_paths,
    on_some_path,
    until,
)
from homing.core.system import Event
from homing.core.temporal import Fairness, Justice, Temporal, Weak

SHAPE = Structure((frozenset(),), ()).shape
PLACE = Place("model.smv", 7, 3)
P, Q = LABELS[:2]


def refusal(formula: Formula, *fairness: Fairness) -> str:
    with pytest.raises(HomingError) as error:
        Temporal("fine", formula, fairness).resolved(SHAPE)
    return str(error.value)


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        (Holds("x", place=PLACE), "model.smv:7:3: unknown label 'x' in a formula, in 'fine'; declared: p, q, r"),
        (Holds(3, place=PLACE), "model.smv:7:3: unknown label number 3 in a formula, in 'fine'; declared: p, q, r"),
        (
            Enabled(Action(frozenset({"g7"})), place=PLACE),
            "model.smv:7:3: unknown group 'g7' in a formula, in 'fine'; declared: g0, g1",
        ),
        (
            Taken(Action(frozenset({0}), frozenset({"clock"})), place=PLACE),
            "model.smv:7:3: unknown slot 'clock' in a formula, in 'fine'; declared: state, parity",
        ),
        (
            on_all_paths(always(Operation("F", (P,), PLACE))),
            "model.smv:7:3: 'F p' mixes LTL into CTL: no quantifier before 'F', in 'fine'",
        ),
        (
            Operation("A", (P,), PLACE),
            "model.smv:7:3: 'A p' is no CTL: 'A' wants a temporal operator next, in 'fine'; declared: F, G, R, U, W, X",
        ),
        (
            on_some_path(eventually(Happens("e", place=PLACE))),
            "model.smv:7:3: 'e' speaks of a step, which CTL cannot, in 'fine'",
        ),
        (on_some_path(Operation("Y", (P,))), "'E (Y p)' is no CTL: 'E' wants a temporal operator next"),
        (always(P) & on_some_path(always(P)), "'G p' mixes LTL into CTL"),
    ],
)
def test_bad_formulas_are_refused(formula: Formula, message: str) -> None:
    assert message in refusal(formula)


def test_bad_fairness_is_refused() -> None:
    assert "fairness by 'F p', which has temporal operators" in refusal(P, Justice(eventually(P)))
    assert "unknown group 'x'" in refusal(P, Weak(Action(frozenset({"x"}))))


@pytest.mark.parametrize(
    ("operator", "operands", "message"),
    [
        ("U", (P,), "operator 'U' takes 2 operands, not 1"),
        ("G", (P, P), "operator 'G' takes one operand, not 2"),
        ("until", (P, P), "unknown operator 'until' in a formula; declared: and, or,"),
        ("not", ("p",), "operator 'not' is applied to 'p', no formula"),
    ],
)
def test_operators_are_checked_where_they_are_made(operator: str, operands: tuple[Formula, ...], message: str) -> None:
    with pytest.raises(HomingError, match=r"^model\.smv:7:3: ") as error:
        Operation(operator, operands, PLACE)
    assert message in str(error.value)


def test_the_least_logic() -> None:
    assert logic_of(P & Q) == "state"
    assert logic_of(P & Happens("e")) == "step"
    assert logic_of(until(P, Q)) == "LTL"
    assert logic_of(on_all_paths(always(P >> on_some_path(next_(Q))))) == "CTL"


def test_names_become_numbers() -> None:
    formula = Temporal("x", always(Holds("q") >> Enabled(Action(frozenset({"g1"}), frozenset({"parity"})))))
    assert formula.resolved(SHAPE).formula == always(Holds(1) >> Enabled(Action(frozenset({1}), frozenset({1}))))
    assert str(formula.resolved(SHAPE).formula) == "G (q -> enabled(g1))"


def test_events_match_by_what_is_given() -> None:
    event = Event("send", (1, True), "a", "b")
    assert Happens("send").matches(event)
    assert Happens("send", (1, ANY)).matches(event)
    assert Happens("send", (1, True), sender="a").matches(event)
    assert not Happens("send", (1, 1)).matches(event), "True is not 1"
    assert not Happens("send", (1,)).matches(event)
    assert not Happens("send", receiver="a").matches(event)
    assert not Happens("sent").matches(event)


def test_printing() -> None:
    assert str(parse("G (p -> F q) & !(p U q)")) == "(G (p -> (F q))) & !(p U q)"
    assert str(Happens("send", (1, ANY))) == "send(1, _)"
    assert str(Holds(0, "queue is empty")) == '"queue is empty"'
