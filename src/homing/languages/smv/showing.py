"""Expressions as text, with no more parentheses than needed."""

from __future__ import annotations

from homing.languages.smv import syntax as s
from homing.languages.smv.expressions import LTL_BINARY, MINUS, NOT, RELATION

TIGHT = 100


def written(expression: s.Expression) -> str:
    """The expression as NuSMV reads it."""
    return _written(expression)[0]


def _inner(expression: s.Expression, least: int) -> str:
    text, binds = _written(expression)
    return text if binds >= least else f"({text})"


def _written(expression: s.Expression) -> tuple[str, int]:
    """The text, and how tightly its outermost operator binds."""
    match expression:
        case s.Name(name=name):
            return name, TIGHT
        case s.Number(value=value):
            return str(value), TIGHT if value >= 0 else MINUS
        case s.Truth(value=value):
            return ("TRUE" if value else "FALSE"), TIGHT
        case s.WordLiteral(value=value, width=width, signed=signed):
            return word(value, width, signed), TIGHT
        case s.Self():
            return "self", TIGHT
        case s.Field(base=base, name=name):
            return f"{_inner(base, TIGHT)}.{name}", TIGHT
        case s.Item(base=base, index=index):
            return f"{_inner(base, TIGHT)}[{written(index)}]", TIGHT
        case s.Bits(base=base, high=high, low=low):
            return f"{_inner(base, TIGHT)}[{written(high)}:{written(low)}]", TIGHT
        case s.Call(function=function, arguments=arguments):
            return f"{function}({_listed(arguments)})", TIGHT
        case s.SetOf(items=items):
            return f"{{{_listed(items)}}}", TIGHT
        case s.ArrayOf(items=items):
            return f"[{_listed(items)}]", TIGHT
        case s.Case(branches=branches):
            inner = " ".join(f"{written(condition)} : {written(value)};" for condition, value in branches)
            return f"case {inner} esac", TIGHT
        case s.Bounded():
            return _bounded(expression), RELATION
    return _operation(expression)


def _operation(expression: s.Operation) -> tuple[str, int]:
    operator, operands = expression.operator, expression.operands
    if operator == "next":
        return f"next({written(operands[0])})", TIGHT
    if operator == "!":
        return f"!{_inner(operands[0], NOT)}", NOT
    if operator == "neg":
        return f"-{_inner(operands[0], MINUS)}", MINUS
    if operator == "?":
        one, two, three = (_inner(operand, RELATION) for operand in operands)
        return f"{one} ? {two} : {three}", LTL_BINARY["?"]
    if operator in ("AU", "EU"):
        return f"{operator[0]} [{written(operands[0])} U {written(operands[1])}]", TIGHT
    if len(operands) == 1:
        return f"{operator} {_inner(operands[0], RELATION)}", RELATION
    binds = LTL_BINARY[operator]
    if operator == "..":
        return "..".join(_inner(operand, binds + 1) for operand in operands), binds
    first = _inner(operands[0], binds + 1 if operator == "->" else binds)
    rest = [_inner(operand, binds if operator == "->" else binds + 1) for operand in operands[1:]]
    return f" {operator} ".join([first, *rest]), binds


def _bounded(expression: s.Bounded) -> str:
    low, high = written(expression.low), "inf" if expression.high is None else written(expression.high)
    if expression.operator in ("ABU", "EBU"):
        left, right = map(written, expression.operands)
        return f"{expression.operator[0]} [{left} BU {low}..{high} {right}]"
    operand = _inner(expression.operands[0], RELATION)
    if len(expression.operator) == 3:
        return f"{expression.operator} {low}..{high} {operand}"
    return f"{expression.operator} [{low}, {high}] {operand}"


def word(value: int, width: int, signed: bool) -> str:
    """A word as NuSMV writes it."""
    if signed:
        return f"0sd{width}_{value}" if value >= 0 else f"-0sd{width}_{-value}"
    return f"0ud{width}_{value}"


def _listed(expressions: tuple[s.Expression, ...]) -> str:
    return ", ".join(map(written, expressions))
