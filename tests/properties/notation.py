"""Formulas and single paths as text, for tests only."""

from __future__ import annotations

import re

from tests.properties.structures import Structure

from homing.core.formula import FALSE, TRUE, Formula, Holds, Operation

NAMES = ("p", "q", "r", "s", "t")
LEVELS = (("<->", "iff"), ("->", "implies"), ("|", "or"), ("&", "and"))
UNARY = ("X", "F", "G", "Y", "Z", "O", "H", "A", "E")
BINARY = ("U", "R", "W", "S", "T")


def parse(text: str) -> Formula:
    """Binds, from loose to tight: `<->`, `->` (to the right), `|`, `&`, `U R W S T` (to the right), then the unary."""
    tokens = re.findall(r"<->|->|[|&!()]|\w+", text)
    formula = _level(tokens, 0)
    assert not tokens, tokens
    return formula


def _level(tokens: list[str], level: int) -> Formula:
    if level == len(LEVELS):
        return _binary(tokens)
    sign, operator = LEVELS[level]
    left = _level(tokens, level + 1)
    while tokens and tokens[0] == sign:
        tokens.pop(0)
        right = _level(tokens, level if sign == "->" else level + 1)
        left = Operation(operator, (left, right))
    return left


def _binary(tokens: list[str]) -> Formula:
    left = _unary(tokens)
    if tokens and tokens[0] in BINARY:
        return Operation(tokens.pop(0), (left, _binary(tokens)))
    return left


def _unary(tokens: list[str]) -> Formula:
    token = tokens.pop(0)
    if token == "(":
        formula = _level(tokens, 0)
        assert tokens.pop(0) == ")"
        return formula
    if token == "!":
        return ~_unary(tokens)
    if token in UNARY:
        return Operation(token, (_unary(tokens),))
    if token in ("true", "false"):
        return TRUE if token == "true" else FALSE
    return Holds(NAMES.index(token), token)


def path(text: str) -> Structure:
    """`. pq r`: a state a word, with the labels that are true in it; the last one repeats for ever."""
    labels = tuple(frozenset(word.replace(".", "")) for word in text.split())
    edges = [(number, 0, number + 1) for number in range(len(labels) - 1)]
    return Structure(labels, (*edges, (len(labels) - 1, 0, len(labels) - 1)), names=NAMES)
