"""Rewrites specialised expressions: what is known is evaluated, what is read becomes less."""

from __future__ import annotations

from typing import Any

from homing.core.errors import Place
from homing.languages.tla.classes import Classes
from homing.languages.tla.evaluate import value_of
from homing.languages.tla.ir import TRUE, Cell, E, conjuncts, const, local
from homing.languages.tla.substitution import replaced
from homing.languages.tla.values import Fault, force


def folded(e: E) -> E:
    """A constant, if it is one and has a value."""
    if e.reads or e.cells or e.op in ("const", "operator"):
        return e
    try:
        return const(value_of(e), e.place)
    except Fault:
        return e  # whoever needs it is told then


def with_lets(body: E, cells: list[Cell], place: Place) -> E:
    """The body with those cells that it uses defined around it."""
    for cell in reversed(cells):
        if cell in body.cells:
            assert cell.definition is not None
            body = E("let", (cell.definition, body), cell, place, binds=(cell,))
    return body


def without_lets(e: E) -> E:
    """The expression with definitions copied to where they are used."""
    for cell in e.cells:
        if cell.definition is not None:
            return without_lets(replaced(e, cell, cell.definition))
    return e


def narrowed(e: E) -> E:
    """`\\E m \\in S : P(m) /\\ A` as `\\E m \\in {m \\in S : P(m)} : A`: only those elements are read that matter."""
    if len(e.args) != 2 or not e.args[0].reads or isinstance(e.data[0], tuple) or e.args[1].op != "and":
        return e
    (domain, body), cell = e.args, e.data[0]
    tests: list[E] = []
    parts = list(conjuncts(body))
    while (
        parts and not parts[0].reads and parts[0].cells <= {cell} and parts[0].op not in ("or", "exists", "if", "case")
    ):
        tests.append(parts.pop(0))
    if not tests:
        return e
    test = tests[0] if len(tests) == 1 else E("and", tuple(tests), None, body.place)
    inner = Cell(cell.name, listed=True)
    chosen = E("filter", (domain, replaced(test, cell, local(inner))), (inner,), domain.place, binds=(inner,))
    rest = TRUE if not parts else parts[0] if len(parts) == 1 else E("and", tuple(parts), None, body.place)
    return E("exists", (chosen, rest), e.data, e.place, binds=(cell,))


def class_of(e: E, classes: Classes) -> int | None:
    """The slot of a set that an element belongs to, if that is known before it is evaluated."""
    if e.is_const:
        return classes.of(force(e.data))
    known: dict[Any, Any]
    if e.op == "local" and e.data.known is not None:
        signature, known = e.data.known.signature, e.data.known.marks
    elif e.op == "record":
        signature = tuple(sorted(e.data))
        known = {name: arg.data for name, arg in zip(e.data, e.args) if arg.is_const}
    elif e.op == "tuple":
        signature = len(e.args)
        known = {position: arg.data for position, arg in enumerate(e.args, 1) if arg.is_const}
    else:
        return None
    if signature not in classes.kinds:
        return len(classes) - 1
    if not all(name in known for name in classes.kinds[signature]):
        return None
    return classes.of_marks(signature, {name: force(mark) for name, mark in known.items()})


def are_tuples(args: list[E]) -> bool:
    """Whether two tuples of the same length are compared that depend on the state: then it is done item by item."""
    one, other = args
    alike = one.op == other.op == "tuple" and len(one.args) == len(other.args) > 0
    return alike and bool(one.reads or other.reads)
