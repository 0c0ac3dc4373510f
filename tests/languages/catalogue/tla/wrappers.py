"""Contexts inside an expression: each puts an expression into a larger one that has the same value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tests.languages.catalogue.tla.expression import Expression

Wrapper = Callable[[Expression, int], Expression]
"""Takes the number of the wrapper in its expression, so that names differ."""


def around(template: str, definition: str = "", module: str = "") -> Wrapper:
    """A wrapper from a template: `E` is the expression, `E(p)` has p for x, `#` is a number that makes names new."""

    def wrap(inner: Expression, number: int) -> Expression:
        definitions = [*inner.definitions]
        if definition:
            definitions.append(_filled(definition, inner, number))
        modules = (*inner.modules, module) if module else inner.modules
        text = f"({_filled(template, inner, number)})"
        return replace(inner, text=text, definitions=tuple(definitions), modules=modules)

    return wrap


def _filled(template: str, inner: Expression, number: int) -> str:
    named = template.replace("#", str(number))
    for parameter in (f"p{number}", f"l{number}", "@"):
        named = named.replace(f"E({parameter})", f"({inner.with_x(parameter)})")
    return named.replace("EE", f"({inner.text})")


def instance(declaration: str, use: str, renamed: bool = False) -> Wrapper:
    """A wrapper that defines the expression in another module; `renamed` has z for x there."""

    def wrap(inner: Expression, number: int) -> Expression:
        name = f"Inner{number}"
        text = inner.with_x("z") if renamed else inner.text
        variables = [("z" if renamed and each == "x" else each) for each in inner.variables]
        if renamed and any("x" in Expression(each).variables for each in inner.definitions if _reads_x(each)):
            variables.append("x")
        constants = "CONSTANTS c1, c2, C\n" if "c" in variables else ""
        body = [f"EXTENDS {', '.join(sorted({'Integers', *inner.modules}))}"]
        body += [constants + f"VARIABLES {', '.join(variables)}", *inner.definitions, f"In{number} == {text}"]
        module = f"---- MODULE {name} ----\n" + "\n".join(body) + "\n====\n"
        return replace(
            inner,
            text=f"({use.replace('#', str(number))})",
            definitions=tuple(each for each in [declaration.replace("#", str(number))] if each),
            files={**inner.files, f"{name}.tla": module},
        )

    return wrap


def _reads_x(text: str) -> bool:
    return Expression(text).with_x("z") != text


def override(inner: Expression, number: int) -> Expression:
    """A wrapper that gives a constant operator its definition in the configuration."""
    return replace(
        inner,
        text=f"O{number}",
        definitions=(f"O{number} == 0", *inner.definitions, f"D{number} == {inner.text}"),
        config=(*inner.config, f"CONSTANT O{number} <- D{number}"),
    )


RECURSION = "RECURSIVE R#(_)\nR#(i#) == IF i# = 0 THEN EE ELSE R#(i# - 1)"
LOCAL = "RECURSIVE r#(_) r#(i#) == IF i# = 0 THEN {} ELSE r#(i# - 1) IN r#(2)"

WRAPPERS: dict[str, Wrapper] = {
    "definition": around("D#", "D# == EE"),
    "definition with parameter": around("D#(x)", "D#(p#) == E(p#)"),
    "two definitions": around("A#(x)", "B#(p#) == E(p#)\nA#(k#) == B#(k#)"),
    "recursive operator": around("R#(2)", RECURSION),
    "recursive parameter": around(
        "R#(2, x)", "RECURSIVE R#(_, _)\nR#(i#, p#) == IF i# = 0 THEN E(p#) ELSE R#(i# - 1, p#)"
    ),
    "recursive function": around("g#[2]", "g#[i# \\in 0..2] == IF i# = 0 THEN EE ELSE g#[i# - 1]"),
    "IF": around("IF x < 2 THEN EE ELSE EE"),
    "CASE": around("CASE x = 0 -> EE [] OTHER -> EE"),
    "LET": around("LET l# == EE IN l#"),
    "LET of a variable": around("LET l# == x IN E(l#)"),
    "LET with parameter": around("LET d#(p#) == E(p#) IN d#(x)"),
    "LET RECURSIVE": around("LET " + LOCAL.format("EE")),
    "LET RECURSIVE that captures": around("LET l# == x " + LOCAL.format("E(l#)")),
    "LET function": around("LET g#[i# \\in 0..2] == IF i# = 0 THEN EE ELSE g#[i# - 1] IN g#[2]"),
    "LAMBDA": around("Apply#(LAMBDA p# : E(p#), x)", "Apply#(F(_), n) == F(n)"),
    "operator argument": around("Apply#(D#, x)", "Apply#(F(_), n) == F(n)\nD#(p#) == E(p#)"),
    "CHOOSE": around("CHOOSE n# \\in {EE} : TRUE"),
    "set": around("CHOOSE n# \\in {EE : k# \\in {1}} : TRUE"),
    "function": around("[i# \\in {1} |-> EE][1]"),
    "record": around("[a |-> EE, b |-> 0].a"),
    "tuple": around("<<0, EE>>[2]"),
    "EXCEPT": around("[<<x>> EXCEPT ![1] = EE][1]"),
    "EXCEPT @": around("[<<x>> EXCEPT ![1] = E(@)][1]"),
    "infix operator": around("EE \\star x", "a \\star b == a"),
    "INSTANCE": instance("INSTANCE Inner#", "In#"),
    "named INSTANCE": instance("M# == INSTANCE Inner#", "M#!In#"),
    "INSTANCE WITH": instance("M# == INSTANCE Inner# WITH z <- x", "M#!In#", renamed=True),
    "INSTANCE with parameter": instance("M#(p#) == INSTANCE Inner# WITH z <- p#", "M#(x)!In#", renamed=True),
    "LET INSTANCE": instance("", "LET M# == INSTANCE Inner# IN M#!In#"),
    "override": override,
}
"""By the name of the context."""
