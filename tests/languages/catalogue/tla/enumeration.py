"""All cases of TLA+: constructs in places, in contexts inside expressions, and in pairs of these."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from typing import Any

from tests.languages.catalogue.case import Case
from tests.languages.catalogue.tla.expression import Expression
from tests.languages.catalogue.tla.places import PLACES
from tests.languages.catalogue.tla.steps import ACTION_CONTEXTS, FORMULA_CONTEXTS, files
from tests.languages.catalogue.tla.wrappers import WRAPPERS

CORE = ("sum of two variables",)
"""Constructs that stand in every pair of a place and a context inside an expression."""
RARE = (
    "Init condition",
    "condition on the next state",
    "choice",
    "fairness",
    "leads to",
    "constraint",
    "action constraint",
    "view",
    "next values",
    "IF of actions",
    "UNCHANGED in an action",
    "strong fairness",
    "fairness subscript",
    "eventually always",
    "symmetry",
    "alias",
)
"""Places in which some of the constructs stand, in turn; in the others all do."""
TURNS = ("next value, primed", "next value", "invariant", "action property", "guard", "ENABLED")
"""Places in which the other constructs stand inside such contexts, in turn."""
EVERY = {"place": 6, "wrapper": 10, "pair": 4, "action": 3, "formula": 2}
"""Of so many combinations one is a case, in turn: what is written here decides how long the catalogue takes."""
ERRORS = "Evaluation errors"
"""Constructs of this group stand in every second place."""


def cases() -> Iterator[Case]:
    for number, (group, name, expression) in enumerate(constructs()):
        yield from _in_places(group, name, expression, number)
        yield from _in_expressions(group, name, expression, number)
    yield from _nested()
    yield from _steps("actions.toml", "action", ACTION_CONTEXTS, "x, v", EVERY["action"])
    yield from _steps("formulas.toml", "formula", FORMULA_CONTEXTS, "x", EVERY["formula"])


def constructs() -> Iterator[tuple[str, str, Expression]]:
    """Constructs that have a value: group, name and expression."""
    for group, rows in _read("constructs.toml").items():
        modules = tuple(each for each in rows.get("EXTENDS", "").split(", ") if each)
        for name, row in rows.items():
            if name != "EXTENDS":
                text, value, definitions = (*row, "", "")[:3]
                yield group, name, Expression(text, value, modules, (definitions,) if definitions else ())


def _in_places(group: str, name: str, expression: Expression, number: int) -> Iterator[Case]:
    for turn, (context, place) in enumerate(PLACES.items()):
        asymmetric = context == "symmetry" and "c" in expression.variables
        every = EVERY["place"] if context in RARE else 2 if group == ERRORS else 1
        if not asymmetric and (name in CORE or (number + turn) % every == 0):
            yield Case(group, name, context, expression.text, place(expression))


def _in_expressions(group: str, name: str, expression: Expression, number: int) -> Iterator[Case]:
    for turn, (context, wrapper) in enumerate(WRAPPERS.items()):
        wrapped = wrapper(expression, 1)
        if name in CORE:
            places = [*PLACES]
        else:
            places = [TURNS[(number // 5 + turn) % len(TURNS)]] if (number + turn) % EVERY["wrapper"] == 0 else []
        for place in places:
            if place == "assumption" and "INSTANCE" in context:
                continue  # what a module says of its variables is no constant for TLC, whatever stands for them
            yield Case(group, name, f"{place} > {context}", expression.text, PLACES[place](wrapped))


def _nested() -> Iterator[Case]:
    """Pairs of contexts inside an expression."""
    expression = Expression("x + y", "1")
    for number, ((outer, first), (inner, second)) in enumerate(product(WRAPPERS.items(), WRAPPERS.items())):
        if number % EVERY["pair"] == 0 and (outer != inner or "infix" not in outer):
            wrapped = first(second(expression, 1), 2)
            place = TURNS[number // 2 % len(TURNS)]
            context = f"{place} > {outer} > {inner}"
            yield Case("Arithmetic", "sum of two variables", context, expression.text, PLACES[place](wrapped))


def _steps(name: str, kind: str, contexts: Mapping[str, str], variables: str, every: int) -> Iterator[Case]:
    """Actions or formulas, each in every so many contexts, in turn."""
    for group, rows in _read(name).items():
        for number, (construct, row) in enumerate(rows.items()):
            text, definitions = (*row, "")[:2]
            for turn, (context, template) in enumerate(contexts.items()):
                if (number + turn) % every == 0:
                    made = files(template, text, definitions, variables)
                    yield Case(group, f"{kind}: {construct}", context, text, made)


def _read(name: str) -> dict[str, dict[str, Any]]:
    return tomllib.loads((Path(__file__).parent / name).read_text("utf-8"))
