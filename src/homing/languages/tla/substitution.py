"""Other expressions in place of variables and cells: primes, parameters, definitions copied to where they are used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from homing.core.errors import Place
from homing.languages.tla.ir import Cell, E, Routine, Var, local
from homing.languages.tla.modules.logic import EQUAL

Swap = Callable[[Var], E | Var | None]
"""What takes the place of a variable; None when it stays."""


def primed(e: E) -> E:
    """The same expression about the next state."""
    return moved(e, _next)


def _next(var: Var) -> Var | None:
    return None if var.primed else Var(var.number, var.path, True)


def moved(e: E, swap: Swap, cells: Mapping[Cell, Cell] | None = None) -> E:
    """The expression with others in place of variables, and so other cells for definitions that have some."""
    cells = cells or {}
    if all(swap(var) is None for var in e.reads):
        return e
    match e.op:
        case "var":
            return _moved_variable(e.data, swap, e.place)
        case "local":
            if e.data in cells:
                return local(cells[e.data], e.place)
            return moved(e.data.definition, swap, cells)
        case "unchanged":
            kept = tuple(_kept(var, swap, e.place) for var in e.data)
            return kept[0] if len(kept) == 1 else E("and", kept, None, e.place)
        case "let":
            definition = moved(e.args[0], swap, cells)
            if definition is e.args[0]:
                return rebuilt(e, (definition, moved(e.args[1], swap, cells)))
            inner = Cell(e.data.name, definition)
            body = moved(e.args[1], swap, {**cells, e.data: inner})
            return E("let", (definition, body), inner, e.place, binds=(inner,))
        case "enabled":
            return _enabled(e, swap, cells)
        case "invoke":
            args = tuple(moved(arg, swap, cells) for arg in e.args)
            return with_body(e, args, lambda body: moved(body, swap, cells))
    return rebuilt(e, tuple(moved(arg, swap, cells) for arg in e.args))


def _moved_variable(var: Var, swap: Swap, place: Place) -> E:
    by = swap(var) or var
    return E("var", (), by, place) if isinstance(by, Var) else by


def _kept(var: Var, swap: Swap, place: Place) -> E:
    now, then = (_moved_variable(Var(var.number, var.path, primed), swap, place) for primed in (False, True))
    return E("call", (then, now), EQUAL, place)


def _enabled(e: E, swap: Swap, others: Mapping[Cell, Cell]) -> E:
    """`ENABLED A` about another state: what A reads of that is put into cells before A is tried.

    Inside ENABLED a prime means the state that A leads to, so a variable there cannot mean another one.
    """
    action, *values = e.args
    cells: list[Cell] = list(e.data or ())
    for cell in [cell for cell in e.cells if cell.definition is not None and cell.definition.reads]:
        cells.append(Cell(cell.name))
        values.append(local(cell, e.place))
        action = replaced(action, cell, local(cells[-1]))
    held: dict[Var, Cell] = {}
    for var in action.reads:
        if not var.primed:
            held[var] = Cell("")
            values.append(E("var", (), var, e.place))
    cells += held.values()
    action = moved(action, lambda var: local(held[var]) if var in held else None)
    args = (action, *(moved(value, swap, others) for value in values))
    return E("enabled", args, tuple(cells), e.place, binds=tuple(cells))


def replaced(e: E, cell: Cell, by: E) -> E:
    """The expression with another in place of a cell."""
    if cell not in e.cells:
        return e
    if e.op == "local":
        return by
    args = tuple(replaced(arg, cell, by) for arg in e.args)
    if e.op == "invoke" and e.data.body is not None and cell in e.data.body.cells:
        return with_body(e, args, lambda body: replaced(body, cell, by))
    return rebuilt(e, args)


def with_body(e: E, args: tuple[E, ...], rewrite: Callable[[E], E]) -> E:
    """A call of a recursive operator whose body is rewritten: that makes it another operator, which calls itself."""
    routine: Routine = e.data
    if routine.body is None:  # a call from its own body, which is being rewritten
        return E("invoke", args, routine, e.place)
    other = Routine(routine.name, routine.cells, routine.inside)
    other.body = rewrite(_calling(routine.body, routine, other))
    return E("invoke", args, other, e.place)


def _calling(e: E, routine: Routine, other: Routine) -> E:
    """The expression with calls of another recursive operator in place of those of one."""
    if routine.inside not in e.cells:
        return e
    args = tuple(_calling(arg, routine, other) for arg in e.args)
    if e.op == "invoke" and e.data is routine:
        return E("invoke", args, other, e.place)
    if e.op == "invoke":
        return with_body(e, args, lambda body: _calling(body, routine, other))
    return rebuilt(e, args)


def inlined(e: E) -> E:
    """The expression without LETs in it: definitions are copied to where they are used."""
    if e.op == "let":
        return inlined(replaced(e.args[1], e.data, e.args[0]))
    if not e.args:
        return e
    args = tuple(map(inlined, e.args))
    return e if all(one is other for one, other in zip(args, e.args)) else rebuilt(e, args)


def rebuilt(e: E, args: tuple[E, ...]) -> E:
    """The same operation of other arguments."""
    if e.op == "let" and args[0] is not e.args[0]:
        # What a cell holds is kept in it, so another definition needs another cell.
        cell = Cell(e.data.name, args[0], e.data.known)
        return E("let", (args[0], replaced(args[1], e.data, local(cell))), cell, e.place, binds=(cell,))
    other = E(e.op, args, e.data, e.place, binds=bound_by(e))
    other.names = e.names
    return other


def bound_by(e: E) -> tuple[Cell, ...]:
    """The cells that an expression binds in its arguments."""
    if e.op in ("fn", "filter", "map", "forall", "exists", "choose", "recfn", "operator", "enabled"):
        return tuple(_cells(e.data))
    if e.op in ("let", "except"):
        return (e.data,) if e.data is not None else ()
    return ()


def bound_in(e: E) -> Iterator[Cell]:
    """All cells that an expression binds anywhere in it."""
    yield from bound_by(e)
    for arg in e.args:
        yield from bound_in(arg)


def _cells(data: Any) -> list[Cell]:
    if isinstance(data, Cell):
        return [data]
    return [cell for item in data for cell in _cells(item)] if isinstance(data, tuple) else []
