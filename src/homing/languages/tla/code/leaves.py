"""Writes the code of what an expression is made of: constants, variables, cells, recursive operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from homing.languages.tla.code.lines import Lines
from homing.languages.tla.frames import is_boolean, may_be_lazy
from homing.languages.tla.ir import Cell, E, Routine, Var

if TYPE_CHECKING:
    from homing.languages.tla.closures import Compiler

LOOPS = frozenset({"forall", "exists", "filter", "map", "choose", "fn", "recfn", "operator", "invoke"})


class Leaves(Lines):
    """Writes the code of one expression; methods return the text of a value, after lines that it needs."""

    def __init__(self, compiler: Compiler, read_after: bool) -> None:
        super().__init__()
        self.compiler = compiler
        self.access = compiler.access
        self.read_after = read_after
        self.bound: set[Cell] = set()
        self._inlined: set[Cell] = set()
        self._thunks: dict[Cell, tuple[str, int]] = {}
        self._routines: dict[Routine, str] = {}

    def value(self, e: E) -> str:
        """A value, perhaps a set that is not listed."""
        position = self.access.projected(e)
        if position is not None:
            return self._unmarked(f"r[{position}]")
        write: Callable[[E], str] = getattr(self, f"_{e.op}", self._closure)
        return write(e)

    def plain(self, e: E) -> str:
        """A value, sets and functions listed."""
        text = self.value(e)
        if not may_be_lazy(e):
            return text
        name = self.kept(text)
        return f"({name} if type({name}) in VALUES else force({name}))"

    def truth(self, e: E) -> str:
        """A boolean."""
        text = self.value(e)
        if is_boolean(e):
            return text
        name = self.kept(text)
        self.add(f"if {name} is not True and {name} is not False: raise Declined")
        return name

    def _closure(self, e: E) -> str:
        """What the closure says: the cells that it reads are put where it finds them."""
        run = self.constant(self.compiler.run(e))
        for cell in needed(e):
            if cell in self.bound or cell in self._thunks:
                self.add(f"f[{self.compiler.index(cell)}] = {self._name(cell)}")
            elif cell in self._inlined:
                self.add(f"f[{self.compiler.index(cell)}] = UNSET")
        return self.kept(f"{run}(f)")

    def _unmarked(self, text: str) -> str:
        name = self.kept(text)
        self.add(f"if type({name}) is tuple and is_marker({name}): raise Declined")
        return name

    def _name(self, cell: Cell) -> str:
        return f"c{self.compiler.index(cell)}"

    # Leaves

    def _const(self, e: E) -> str:
        return self.constant(e.data)

    def _var(self, e: E) -> str:
        return self._variable(e.data) or self._closure(e)

    def _variable(self, var: Var) -> str | None:
        if var.primed and not self.read_after:
            return None
        return self.access.text(var)

    def _param(self, e: E) -> str:
        return self._unmarked(f"n[{e.data}]")

    def _local(self, e: E) -> str:
        cell: Cell = e.data
        if cell in self.bound:
            return self._name(cell)
        if cell in self._inlined:
            assert cell.definition is not None
            return self.value(cell.definition)
        if cell in self._thunks:
            name, (thunk, level) = self._name(cell), self._thunks[cell]
            self.assigned(name, level)
            self.add(f"if {name} is UNSET: {name} = {thunk}()")
            return name
        return f"f[{self.compiler.index(cell)}]" if cell.definition is None else self._closure(e)

    def _once(self, e: E) -> str:
        cell, position = e.data
        name, kept = self.fresh(), f"f[{self.compiler.index(cell)}][{position}]"
        self.add(f"{name} = {kept}")
        with self.block(f"if {name} is UNSET:"):
            self.add(f"{name} = {kept} = {self.value(e.args[0])}")
        return name

    def _let(self, e: E) -> str:
        cell, body = e.data, e.args[1]
        if cell.definition.op in ("const", "var", "local") or _once(body, cell):
            self._inlined.add(cell)
            return self.value(body)
        name, thunk = self._name(cell), f"d{self.compiler.index(cell)}"
        self.add(f"{name} = UNSET")
        with self.function(f"def {thunk}():"):
            self.add(f"return {self.value(cell.definition)}")
        self._thunks[cell] = (thunk, self.level)
        return self.copied(self.value(body))

    def _operator(self, e: E) -> str:
        name = self.fresh()
        self.bound |= set(e.data)
        with self.function(f"def {name}({', '.join(map(self._name, e.data))}):"):
            self.add(f"return {self.plain(e.args[0])}")
        return name

    def _invoke(self, e: E) -> str:
        routine: Routine = e.data
        assert routine.body is not None
        if routine.body.cells - {*routine.cells, routine.inside}:
            return self._closure(e)
        args = [self.value(arg) for arg in e.args]
        if routine not in self._routines:
            self._routines[routine] = f"p{len(self._routines)}"
            self.bound |= set(routine.cells)
            head = f"def {self._routines[routine]}({', '.join(map(self._name, routine.cells))}):"
            with self.beginning(), self.function(head):
                self.add(f"return {self.value(routine.body)}")
        return f"{self._routines[routine]}({', '.join(args)})"


def needed(e: E) -> set[Cell]:
    """The cells that a closure may read: those of definitions, too."""
    found, waiting = set[Cell](), list(e.cells)
    while waiting:
        cell = waiting.pop()
        if cell not in found:
            found.add(cell)
            waiting += cell.definition.cells if cell.definition is not None else ()
    return found


def _once(e: E, cell: Cell) -> bool:
    """Whether a cell is used at one place at most, and not again and again there."""
    return _uses(e, cell, 1) <= 1


def _uses(e: E, cell: Cell, times: int) -> int:
    if e.op == "local":
        return times if e.data is cell else 0
    if cell not in e.cells:
        return 0
    times = 2 if e.op in LOOPS else times
    return sum(_uses(arg, cell, times) for arg in e.args)
