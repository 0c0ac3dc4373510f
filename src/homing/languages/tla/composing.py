"""Action composition: `A \\cdot B` is a step of A, then one of B, with a state between them that nobody sees."""

from __future__ import annotations

from collections.abc import Callable

from homing.core.errors import HomingError, Place
from homing.languages.tla.ir import Cell, E, Var, local, rebuilt, replaced
from homing.languages.tla.modules.logic import EQUAL

Swap = Callable[[Var], Var]


def composed(first: E, second: E, between: Callable[[int], int], place: Place) -> E:
    """The conjunction of both, where variables of its own, numbered by `between`, hold the state between them."""

    def later(var: Var) -> Var:
        return Var(between(var.number), var.path, True) if var.primed else var

    def earlier(var: Var) -> Var:
        return var if var.primed else Var(between(var.number), var.path, True)

    return E("and", (_renamed(first, later), _renamed(second, earlier)), None, place)


def _renamed(e: E, swap: Swap, done: frozenset[Cell] = frozenset()) -> E:
    """The expression with other variables; what the cells in `done` hold has them already."""
    if not e.reads:
        return e
    match e.op:
        case "var":
            return E("var", (), swap(e.data), e.place)
        case "local":
            return e if e.data in done else _renamed(e.data.definition, swap, done)
        case "unchanged":
            kept = tuple(_kept(var, swap, e.place) for var in e.data)
            return kept[0] if len(kept) == 1 else E("and", kept, None, e.place)
        case "let":
            inner = Cell(e.data.name, _renamed(e.args[0], swap, done))
            assert inner.definition is not None
            body = _renamed(replaced(e.args[1], e.data, local(inner)), swap, done | {inner})
            return E("let", (inner.definition, body), inner, e.place, binds=(inner,))
        case "enabled" | "invoke":
            what = "ENABLED" if e.op == "enabled" else "a recursive operator that reads variables"
            raise HomingError(f"action composition (\\cdot) with {what} in it is not supported", e.place)
    return rebuilt(e, tuple(_renamed(arg, swap, done) for arg in e.args))


def _kept(var: Var, swap: Swap, place: Place) -> E:
    now, then = (E("var", (), swap(Var(var.number, var.path, primed)), place) for primed in (False, True))
    return E("call", (then, now), EQUAL, place)
