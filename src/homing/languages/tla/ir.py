"""Specialised expressions: operators expanded, constants evaluated, bound names turned into cells.

`E.op` is one of: const, var, local, let, and, or, not, implies, iff, if, case, call, set, tuple, record, table, apply,
except, fn, filter, map, forall, exists, choose, select, first, recfn, invoke, operator, enabled, unchanged, param,
once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from homing.core.errors import Place
from homing.core.values import NotAValue, encode

NONE: frozenset[Any] = frozenset()
NOWHERE = Place("")


class Cell:
    """Room for one value while an expression is evaluated; with a `definition`, that is what it holds."""

    __slots__ = ("definition", "known", "listed", "name")

    def __init__(self, name: str, definition: E | None = None, known: Any = None, listed: bool = False) -> None:
        self.name = name
        self.definition = definition
        self.known = known
        """`classes.Known`, when it is an element of one slot of a set."""
        self.listed = listed
        """Whether what it holds is an element of a set, so never a set or function that is not listed."""

    def __repr__(self) -> str:
        return self.name


OUTSIDE = Cell("")
"""What calls that read or write files depend on, so that nobody takes them for constants."""


class Routine:
    """A recursive operator: parameters and a body that may invoke it again."""

    __slots__ = ("body", "cells", "inside", "name")

    def __init__(self, name: str, cells: tuple[Cell, ...], inside: Cell | None = None) -> None:
        self.name = name
        self.cells = cells
        self.inside = inside or Cell(name)
        """What calls it depends on this while its body is not known, so that nobody takes them for constants."""
        self.body: E | None = None


class Var:
    """A variable, or the part of it at a path of constant keys; `primed` in the next state."""

    __slots__ = ("number", "path", "primed")

    def __init__(self, number: int, path: tuple[Any, ...] = (), primed: bool = False) -> None:
        self.number = number
        self.path = path
        self.primed = primed

    @property
    def key(self) -> tuple[Any, ...]:
        return (self.number, tuple(map(encode, self.path)), self.primed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Var) or self.number != other.number or self.primed != other.primed:
            return False
        return self.path is other.path or self.key == other.key

    def __hash__(self) -> int:
        return hash((self.number, self.path, self.primed))


class E:
    """An expression; `reads` are the variables and `cells` the cells that its value depends on."""

    __slots__ = ("args", "cells", "data", "names", "op", "place", "reads", "size")

    reads: frozenset[Var]
    cells: frozenset[Cell]
    size: int

    def __init__(
        self,
        op: str,
        args: tuple[E, ...] = (),
        data: Any = None,
        place: Place = NOWHERE,
        *,
        binds: tuple[Cell, ...] = (),
    ) -> None:
        self.op = op
        self.args = args
        self.data = data
        self.place = place
        self.names: Mapping[Any, Any] = {}
        """What names stood for where it was specialised, for people to be told when it fails."""
        reads: frozenset[Var] = NONE
        cells: frozenset[Cell] = NONE
        size = 1
        for arg in args:
            if arg.reads:
                reads = reads | arg.reads if reads else arg.reads
            if arg.cells:
                cells = cells | arg.cells if cells else arg.cells
            size += arg.size
        if op == "var":
            reads = frozenset({data})
        elif op == "local":
            cells = frozenset({data})
            if data.definition is not None:
                reads = data.definition.reads
        elif op == "call" and getattr(data, "outside", False):
            cells = cells | {OUTSIDE}
        elif op == "once":  # it needs the list that its value is kept in, which is no part of what a slot holds
            cells = cells | {data[0]}
        elif op == "invoke" and data.body is None:
            cells |= {data.inside}
        elif op == "invoke":
            reads |= data.body.reads
            cells |= data.body.cells - {*data.cells, data.inside}
        elif op == "unchanged":
            reads = frozenset(part for var in data for part in (var, Var(var.number, var.path, True)))
        elif op == "enabled":
            reads = frozenset(var for var in args[0].reads if not var.primed).union(*(arg.reads for arg in args[1:]))
        self.reads = reads
        self.cells = cells - frozenset(binds) if binds else cells
        self.size = size

    @property
    def is_const(self) -> bool:
        return self.op == "const"

    @property
    def is_closed(self) -> bool:
        """Whether nothing but constants is in it."""
        return not self.reads and not self.cells

    @property
    def has_prime(self) -> bool:
        return any(var.primed for var in self.reads)


def const(value: Any, place: Place = NOWHERE) -> E:
    """A constant."""
    return E("const", (), value, place)


TRUE, FALSE = const(True), const(False)


def local(cell: Cell, place: Place = NOWHERE) -> E:
    """What a cell holds."""
    return E("local", (), cell, place)


def fingerprint(e: E) -> Any:
    """Equal for expressions that say the same, whatever their cells are called."""
    return _fingerprint(e, {})


def _fingerprint(e: E, numbers: dict[Any, int]) -> Any:
    data: Any = e.data
    if e.op == "const":
        try:
            data = encode(data)
        except NotAValue:
            data = id(data)
    elif e.op == "var":
        data = data.key
    else:
        data = _plain(data, numbers)
    return (e.op, data, *(_fingerprint(arg, numbers) for arg in e.args))


def _plain(data: Any, numbers: dict[Any, int]) -> Any:
    if isinstance(data, tuple):
        return tuple(_plain(item, numbers) for item in data)
    if isinstance(data, Var):
        return data.key
    if isinstance(data, Cell):
        return numbers.setdefault(data, len(numbers))
    if data is None or isinstance(data, (int, str, bytes)):
        return (type(data), data)
    return id(data)


def conjuncts(e: E) -> Iterator[E]:
    """The parts that must all be true, in their order."""
    if e.op == "and":
        for arg in e.args:
            yield from conjuncts(arg)
    else:
        yield e
