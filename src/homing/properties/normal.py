"""Formulas of CTL with few operators, and their negations."""

from __future__ import annotations

from homing.core.formula import FALSE, TRUE, Formula, Operation


def is_temporal(formula: Formula) -> bool:
    """Whether a formula says more than a state shows."""
    return isinstance(formula, Operation) and formula.looks_ahead


def exists(path: Operation) -> Formula:
    """E of a path operator."""
    return Operation("E", (path,))


def negated(path: Operation) -> Operation:
    """The path operator of the negation."""
    dual = {"X": "X", "U": "R", "R": "U"}[path.operator]
    return Operation(dual, tuple(refuted(operand) for operand in path.operands))


def refuted(formula: Formula) -> Formula:
    """The negation, with negations pushed below the quantifiers."""
    formula = normal(formula)
    if not is_temporal(formula):
        return formula.operands[0] if isinstance(formula, Operation) and formula.operator == "not" else ~formula
    assert isinstance(formula, Operation)
    match formula.operator:
        case "not":
            return normal(formula.operands[0])
        case "and" | "or":
            other = "or" if formula.operator == "and" else "and"
            return Operation(other, tuple(refuted(operand) for operand in formula.operands))
    path = formula.operands[0]
    assert isinstance(path, Operation)
    return Operation("E" if formula.operator == "A" else "A", (negated(path),))


def normal(formula: Formula) -> Formula:
    """With only `not and or` above quantifiers, and X, U, R below: F, G and W are written by them."""
    if not isinstance(formula, Operation) or not is_temporal(formula):
        return formula
    operands = formula.operands
    match formula.operator:
        case "implies":
            return Operation("or", (refuted(operands[0]), operands[1]))
        case "iff":
            one, other = operands
            return Operation("or", (one & other, refuted(one) & refuted(other)))
        case "A" | "E":
            path = operands[0]
            assert isinstance(path, Operation)
            return Operation(formula.operator, (_path(path),))
    return formula


def _path(path: Operation) -> Operation:
    match path.operator:
        case "F":
            return Operation("U", (TRUE, *path.operands))
        case "G":
            return Operation("R", (FALSE, *path.operands))
        case "W":
            left, right = path.operands
            return Operation("R", (right, left | right))
    return path
