"""The syntax of `model.py` as UPPAAL writes it, with no more parentheses than its precedence asks for."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from tests.languages.uppaal.model import Edge, Expr, Function, Location, System, Template, Type, Variable

LEVELS = (
    ("imply", "or", "||", "xor"),
    ("and", "&&"),
    ("|",),
    ("^",),
    ("&",),
    ("==", "!="),
    ("<", "<=", ">", ">="),
    ("<?", ">?"),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
"""From the loosest to the tightest; all group to the left."""
LEVEL = {operator: level + 2 for level, operators in enumerate(LEVELS) for operator in operators}
ASSIGNS, CHOOSES, UNARY, POSTFIX = 0, 1, 20, 21


def expression(node: Expr, level: int = 0, last: bool = True) -> str:
    """In a place for operators of at least a level; `last` where nothing follows."""
    text, own = _plain(node, last)
    if own == -1:  # a quantifier, which takes all that follows
        return text if last else f"({text})"
    return text if own >= level else f"({_plain(node, True)[0]})"


def _plain(node: Expr, last: bool) -> tuple[str, int]:
    match node:
        case ("number", value):
            return str(value), POSTFIX if value >= 0 else UNARY
        case ("var", name):
            return name, POSTFIX
        case ("index", of, at):
            return f"{expression(of, POSTFIX)}[{expression(at)}]", POSTFIX
        case ("field", of, name):
            return f"{expression(of, POSTFIX)}.{name}", POSTFIX
        case ("of", process, inner):
            return f"{process}.{expression(inner, POSTFIX)}", POSTFIX
        case ("at", process, location):
            return f"{process}.{location}", POSTFIX
        case ("!", operand):
            return f"!{expression(operand, UNARY, last)}", UNARY
        case ("neg", operand):
            return f"- {expression(operand, UNARY, last)}", UNARY
        case ("?", condition, then, otherwise):
            test = expression(condition, CHOOSES + 1, False)
            return f"{test} ? {expression(then)} : {expression(otherwise, CHOOSES, last)}", CHOOSES
        case ("forall" | "exists" | "sum" as kind, name, low, high, body):
            return f"{kind} ({name} : int[{low},{high}]) {expression(body)}", -1
        case ("call", name, arguments):
            return f"{name}({', '.join(map(expression, arguments))})", POSTFIX
        case ("=", operator, target, value):
            return f"{expression(target, UNARY, False)} {operator}= {expression(value, ASSIGNS, last)}", ASSIGNS
        case ("++" | "--" as operator, prefix, target):
            inner = expression(target, POSTFIX)
            return (f"{operator}{inner}", UNARY) if prefix else (f"{inner}{operator}", POSTFIX)
        case (operator, left, right):
            own = LEVEL[operator]
            return f"{expression(left, own, False)} {operator} {expression(right, own + 1, last)}", own
    raise AssertionError(node)


def of_type(of: Type) -> tuple[str, str]:
    """What stands before a name, and what behind it."""
    match of:
        case ("int", -32768, 32767):
            return "int", ""
        case ("int", low, high):
            return f"int[{low},{high}]", ""
        case ("array", inner, _, size, text):
            before, behind = of_type(inner)
            return before, f"[{text or size}]{behind}"
        case ("struct", fields):
            return "struct { " + " ".join(declared(inner, name) + ";" for name, inner in fields) + " }", ""
        case ("chan", urgent, broadcast):
            return ("urgent " if urgent else "") + ("broadcast " if broadcast else "") + "chan", ""
    return str(of[0]), ""


def declared(of: Type, name: str, reference: bool = False) -> str:
    before, behind = of_type(of)
    return f"{before} {'&' if reference else ''}{name}{behind}"


def declaration(each: Variable | Function) -> str:
    if isinstance(each, Function):
        parameters = ", ".join(declared(*parameter) for parameter in each.parameters)
        return f"{of_type(each.type)[0]} {each.name}({parameters}) {block(each.body)}"
    initial = "" if each.initial is None else f" = {_initial(each.initial)}"
    return f"{'const ' if each.const else ''}{declared(each.type, each.name)}{initial};"


def _initial(given: Any) -> str:
    return "{" + ", ".join(map(_initial, given)) + "}" if isinstance(given, list) else expression(given)


def block(statements: list[Expr]) -> str:
    return "{ " + " ".join(map(statement, statements)) + " }"


def statement(node: Expr) -> str:
    match node:
        case ("do", what):
            return f"{expression(what)};"
        case ("local", of, name, initial):
            return declaration(Variable(of, name, initial))
        case ("block", *body):
            return block(body)
        case ("if", condition, then, otherwise):
            return f"if ({expression(condition)}) {block(then)}" + (f" else {block(otherwise)}" if otherwise else "")
        case ("for", begin, condition, step, body):
            return f"for ({expression(begin)}; {expression(condition)}; {expression(step)}) {block(body)}"
        case ("while", condition, body):
            return f"while ({expression(condition)}) {block(body)}"
        case ("dowhile", body, condition):
            return f"do {block(body)} while ({expression(condition)});"
        case ("each", name, low, high, body):
            return f"for ({name} : int[{low},{high}]) {block(body)}"
        case ("return", value):
            return "return;" if value is None else f"return {expression(value)};"
    raise AssertionError(node)


def _label(kind: str, text: str) -> str:
    return f'<label kind="{kind}">{escape(text)}</label>' if text else ""


def _location(each: Location) -> str:
    invariant = "" if each.invariant is None else expression(each.invariant)
    kind = f"<{each.kind}/>" if each.kind else ""
    return f'<location id="{each.name}"><name>{each.name}</name>{_label("invariant", invariant)}{kind}</location>'


def _edge(each: Edge) -> str:
    selects = ", ".join(f"{name} : int[{low},{high}]" for name, low, high in each.select)
    guard = "" if each.guard is None else expression(each.guard)
    sync = "" if each.sync is None else expression(each.sync[0], POSTFIX) + "?!"[each.sync[1]]
    update = ", ".join(map(expression, each.update))
    labels = (("select", selects), ("guard", guard), ("synchronisation", sync), ("assignment", update))
    inside = "".join(_label(*label) for label in labels)
    return f'<transition><source ref="{each.source}"/><target ref="{each.target}"/>{inside}</transition>'


def _template(each: Template) -> str:
    parameters = ", ".join(declared(*parameter) for parameter in each.parameters)
    declarations = "\n".join(map(declaration, each.declarations))
    return "\n".join(
        [
            f"<template><name>{each.name}</name><parameter>{escape(parameters)}</parameter>",
            f"<declaration>{escape(declarations)}</declaration>",
            *map(_location, each.locations),
            f'<init ref="{each.locations[0].name}"/>',
            *map(_edge, each.edges),
            "</template>",
        ]
    )


def xml(system: System, queries: list[str]) -> str:
    """The file."""
    declarations = "\n".join([system.before, *map(declaration, system.declarations), system.channel_text])
    asked = "".join(f"<query><formula>{escape(query)}</formula><comment/></query>" for query in queries)
    return "\n".join(
        [
            f"<nta><declaration>{escape(declarations)}</declaration>",
            *map(_template, system.templates),
            f"<system>{escape(system.text)}</system>",
            f"<queries>{asked}</queries></nta>",
        ]
    )
