"""Frames, and how a closure of one is made.

A frame is a list: what was read, the values of the next state, then the cells. Compiling happens once for a group or a
label; running must be fast, so closures look nothing up by name and check only what can go wrong.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from homing.core.errors import Place
from homing.languages.tla.ir import Cell, E, Routine, Var
from homing.languages.tla.sets import is_endless
from homing.languages.tla.substitution import bound_in
from homing.languages.tla.values import (
    Fault,
    FunctionLike,
    SetLike,
    Value,
    kind,
    show,
)

Frame = list[Any]
Run = Callable[[Frame], Any]

READ, NEXT, FIRST = 0, 1, 2
WORD = re.compile(r"\w+")
UNSET: Any = type("Unset", (), {"__repr__": lambda self: "no value"})()
BOOLEAN_OPS = frozenset({"and", "or", "not", "implies", "iff", "forall", "exists", "enabled", "unchanged"})
BOOLEAN_CALLS = frozenset({"=", "#", "\\in", "\\notin", "\\subseteq", "<", ">", "<=", ">=", "IsFiniteSet", "BagIn"})


PLAIN = frozenset({int, str, bool})
"""Kinds of values that are equal when Python says so."""
LISTED_CALLS = BOOLEAN_CALLS | {"UNION", "Cardinality"}
LISTED_OF_LISTED = frozenset({"\\cup", "\\cap", "\\", "DOMAIN"})
"""Operators whose value is a set that is listed if their arguments are."""


class Access(Protocol):
    """Where a compiled expression finds what it reads."""

    def variable(self, var: Var, place: Place) -> Run:
        """The value of a variable or of a part of it."""

    def whole(self, e: E) -> Run | None:
        """Reads an expression as one, through a projection, or does not."""

    def projected(self, e: E) -> int | None:
        """Where in what was read the value of such a projection is."""

    def text(self, var: Var) -> str | None:
        """Code for the value of a variable, `r` being what was read and `n` what was read after the step."""


class Nothing:
    """For constants: there is no state."""

    def variable(self, var: Var, place: Place) -> Run:
        raise AssertionError("a constant reads a variable")

    def whole(self, e: E) -> Run | None:
        return None

    def projected(self, e: E) -> int | None:
        return None

    def text(self, var: Var) -> str | None:
        return None


@dataclass(frozen=True)
class Activation:
    """Calls of a recursive operator: its parameters and all cells that its body sets, and the body, once compiled."""

    indexes: list[int]
    bodies: list[Run]


class Frames:
    """Compiles expressions for one frame: what all of them need, and the leaves."""

    def __init__(self, access: Access, enabled: Callable[[Any, E], Run] | None = None) -> None:
        self.access = access
        self.size = FIRST
        self._index: dict[Cell, int] = {}
        self._definitions: dict[Cell, Run] = {}
        self._routines: dict[Routine, Activation] = {}
        self.enabling = enabled

    def frame(self, read: Any = ()) -> Frame:
        """A fresh frame."""
        frame: Frame = [UNSET] * self.size
        frame[READ] = read
        return frame

    def index(self, cell: Cell) -> int:
        """Where a cell is in the frame."""
        if cell not in self._index:
            self._index[cell] = self.size
            self.size += 1
        return self._index[cell]

    def activation(self, routine: Routine) -> Activation:
        """How a recursive operator is called in this frame."""
        if routine not in self._routines:
            assert routine.body is not None
            cells = dict.fromkeys((*routine.cells, *bound_in(routine.body)))
            self._routines[routine] = Activation([self.index(cell) for cell in cells], [])
        return self._routines[routine]

    def run(self, e: E) -> Run:
        """The value of an expression, perhaps a set that is not listed."""
        found = self.access.whole(e)
        if found is not None:
            return found
        handler: Callable[[E], Run] = getattr(self, f"_{e.op}")
        return handler(e)

    def plain(self, e: E) -> Run:
        """The value of an expression, sets and functions listed."""
        run = self.run(e)
        if not may_be_lazy(e):
            return run
        guard = self.guard(e)

        def listed(f: Frame) -> Any:
            value = run(f)
            if isinstance(value, (SetLike, FunctionLike)):
                try:
                    return value.listed()
                except Fault as fault:
                    raise guard(fault, f) from None
            return value

        return listed

    def truth(self, e: E, what: str = "this") -> Run:
        """The value of an expression, which must be a boolean."""
        run = self.run(e)
        if is_boolean(e):
            return run
        guard = self.guard(e)

        def checked(f: Frame) -> Any:
            value = run(f)
            if value is True or value is False:
                return value
            raise guard(Fault(f"{what} is {show(value)}, {kind(value)}, where a boolean is wanted"), f)

        return checked

    def guard(self, e: E) -> Callable[[Fault, Frame], Fault]:
        """Adds to a fault where it happened and what was bound there."""
        known = self._index

        def placed(fault: Fault, f: Frame) -> Fault:
            if fault.place is None:
                fault.place = e.place
                bound = _constants(e) | {cell.name: f[known[cell]] for cell in e.cells if cell in known and cell.name}
                shown = sorted(item for item in bound.items() if item[1] is not UNSET)
                fault.bound = tuple(f"{name} = {_short(value)}" for name, value in shown)
            return fault

        return placed

    def _const(self, e: E) -> Run:
        value = e.data
        return lambda f: value

    def _var(self, e: E) -> Run:
        return self.access.variable(e.data, e.place)

    def _local(self, e: E) -> Run:
        cell, index = e.data, self.index(e.data)
        if cell.definition is None:
            return lambda f: f[index]
        if cell not in self._definitions:
            self._definitions[cell] = self.run(cell.definition)
        definition = self._definitions[cell]

        def lazily(f: Frame) -> Any:
            value = f[index]
            if value is UNSET:
                value = f[index] = definition(f)
            return value

        return lazily

    def _once(self, e: E) -> Run:
        """What is computed once for all frames that have the same list in a cell."""
        (cell, position), run = e.data, self.run(e.args[0])
        index = self.index(cell)

        def once(f: Frame) -> Any:
            value = f[index][position]
            if value is UNSET:
                value = f[index][position] = run(f)
            return value

        return once

    def _let(self, e: E) -> Run:
        index, body = self.index(e.data), self.run(e.args[1])

        def run(f: Frame) -> Any:
            f[index] = UNSET
            return body(f)

        return run


def is_boolean(e: E) -> bool:
    """Whether the value can only be a boolean."""
    if e.op == "call":
        return e.data.name in BOOLEAN_CALLS
    return e.op in BOOLEAN_OPS or (e.op == "once" and is_boolean(e.args[0]))


def may_be_lazy(e: E) -> bool:
    """Whether the value may be a set or function that is not listed."""
    match e.op:
        case "const":
            return isinstance(e.data, (SetLike, FunctionLike))
        case "call" if e.data.name in LISTED_OF_LISTED:
            return any(map(may_be_lazy, e.args))
        case "call":
            return bool(e.data.lazy) and e.data.name not in LISTED_CALLS
        case "local":
            if e.data.definition is None:
                return not e.data.listed
            return may_be_lazy(e.data.definition)
        case "if":
            return may_be_lazy(e.args[1]) or may_be_lazy(e.args[2])
        case "case":
            return any(map(may_be_lazy, (*e.args[1::2], e.args[-1])))
        case "let":
            return may_be_lazy(e.args[1])
        case "once":
            return may_be_lazy(e.args[0])
        case "fn":
            return not all(arg.is_const and not is_endless(arg.data) for arg in e.args[:-1])
        case "recfn" | "invoke" | "filter":
            return True
    return False


def _constants(e: E) -> dict[str, Value]:
    """The names in the text of an expression that stood for constants when it was specialised."""
    words = set(WORD.findall(e.place.text))
    return {name.name: found.data for name, found in e.names.items() if _is_const(found) and name.name in words}


def _is_const(found: Any) -> bool:
    return isinstance(found, E) and found.is_const


def _short(value: Value, most: int = 120) -> str:
    text = show(value)
    return text if len(text) <= most else text[:most] + "…"
