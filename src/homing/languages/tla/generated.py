"""Expressions that are evaluated very often, as Python code.

The code computes what the closures of `closures.py` compute, without a call for each part. It explains nothing: where
anything is not as it expects, it raises, whatever that is, and the closure is asked, which finds the value all the same
or raises what people are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice, product
from typing import TYPE_CHECKING, Any

from homing.languages.tla.emit import Lines
from homing.languages.tla.frames import PLAIN, UNSET, Frame, Run, is_boolean, may_be_lazy
from homing.languages.tla.ir import Cell, E, Routine, Var
from homing.languages.tla.markers import is_marker
from homing.languages.tla.modules import numbers
from homing.languages.tla.modules.logic import DIFFER, EQUAL, MEMBER, NO_MEMBER, cardinality
from homing.languages.tla.sets import is_endless
from homing.languages.tla.values import (
    LARGEST,
    LEAST,
    Fault,
    Value,
    apply,
    changed,
    elements,
    equal,
    force,
    function,
    is_function,
    maker,
    member,
    ordered,
    unordered,
)

if TYPE_CHECKING:
    from homing.languages.tla.closures import Compiler

OFTEN = 300
"""Evaluations after which an expression is worth the time that it takes to compile its code."""
FAILURES = 1000
"""Evaluations that the code may leave to the closure before it is no longer asked."""
SMALL = 4
"""Parts of an expression below which code would gain nothing."""
LISTED = 20_000
"""Elements of a constant set that are listed once and for all."""
LONGEST = 4000
"""Lines of code; what would need more stays with its closure."""
WIDEST = 24
"""Arms of a CASE."""
VALUES = frozenset({int, str, bool, bytes, tuple, frozenset})
LOOPS = frozenset({"forall", "exists", "filter", "map", "choose", "fn", "recfn", "operator", "invoke"})


class Declined(Exception):
    """The code does not know."""


def coded(compiler: Compiler, e: E, kind: str, read_after: bool) -> Run | None:
    """The code for an expression, as a function of a frame; None where it would be too long, or too deep."""
    code = _Code(compiler, read_after)
    try:
        code.add(f"return {getattr(code, kind)(e)}")
        if len(code.first) + len(code.lines) > LONGEST:
            return None
        text = "\n".join(["def run(f):", " r = f[0]", " n = f[1]", *code.first, *code.lines])
        names: dict[str, Any] = {**HELPERS, **code.constants}
        # What is run was written here, out of made-up names; no text of a specification is in it.
        exec(compile(text, "<generated>", "exec"), names)  # noqa: S102
    except (Fault, RecursionError, SyntaxError, MemoryError):
        return None
    run: Run = names["run"]
    return run


def often(compiler: Compiler, e: E, run: Run, kind: str, read_after: bool = False) -> Run:
    """The closure, until it was asked often: then the code."""
    if e.size < SMALL:
        return run
    left, failures, code = OFTEN, FAILURES, run

    def asked(f: Frame) -> Any:
        nonlocal left, failures, code
        if left:
            left -= 1
            if not left:
                code = coded(compiler, e, kind, read_after) or run
            return run(f)
        try:
            return code(f)
        except Exception:  # noqa: BLE001 (the closure knows what went wrong, if anything did)
            failures -= 1
            if not failures:
                code = run
            return run(f)

    return asked


class _Code(Lines):
    """Writes the code of one expression; methods return the text of a value, after lines that it needs."""

    def __init__(self, compiler: Compiler, read_after: bool) -> None:
        super().__init__()
        self.compiler = compiler
        self.access = compiler.access
        self.read_after = read_after
        self._bound: set[Cell] = set()
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
        for cell in _needed(e):
            if cell in self._bound or cell in self._thunks:
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
        if cell in self._bound:
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
        self._bound |= set(e.data)
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
            self._bound |= set(routine.cells)
            head = f"def {self._routines[routine]}({', '.join(map(self._name, routine.cells))}):"
            with self.beginning(), self.function(head):
                self.add(f"return {self.value(routine.body)}")
        return f"{self._routines[routine]}({', '.join(args)})"

    # Logic

    def _and(self, e: E) -> str:
        return self.junction("and", [partial(self.truth, arg) for arg in e.args]) if e.args else "True"

    def _or(self, e: E) -> str:
        return self.junction("or", [partial(self.truth, arg) for arg in e.args]) if e.args else "False"

    def _not(self, e: E) -> str:
        return f"(not {self.truth(e.args[0])})"

    def _implies(self, e: E) -> str:
        return self.junction("or", [lambda: f"(not {self.truth(e.args[0])})", partial(self.truth, e.args[1])])

    def _iff(self, e: E) -> str:
        return f"({self.truth(e.args[0])} is {self.truth(e.args[1])})"

    def _if(self, e: E) -> str:
        condition, then, other = e.args
        return self.choice(self.truth(condition), partial(self.value, then), partial(self.value, other))

    def _case(self, e: E, at: int = 0) -> str:
        if len(e.args) > 2 * WIDEST:
            return self._closure(e)
        if at == len(e.args):
            self.add("raise Declined")
            return "None"
        if at == len(e.args) - 1:
            return self.value(e.args[at])
        return self.choice(
            self.truth(e.args[at]), partial(self.value, e.args[at + 1]), lambda: self._case(e, at + 2)
        )

    def _unchanged(self, e: E) -> str:
        texts = [(self._variable(var), self._variable(Var(var.number, var.path, True))) for var in e.data]
        if not all(one and other for one, other in texts):
            return self._closure(e)
        return f"({' and '.join(f'{one} == {other}' for one, other in texts) or 'True'})"

    # Operators

    def _call(self, e: E) -> str:
        symbol = e.data
        if symbol in (EQUAL, DIFFER):
            return self._compared(e)
        if symbol in (MEMBER, NO_MEMBER) and e.args[1].op == "filter" and isinstance(e.args[1].data[0], Cell):
            return self._in_part(e)
        args = [self.kept(self.value(arg) if symbol.lazy else self.plain(arg)) for arg in e.args]
        called = f"{self.constant(symbol.function)}({', '.join(args)})"
        if symbol.function in COMPARED:
            return f"({args[0]} {COMPARED[symbol.function]} {args[1]} if {_are_ints(args)} else {called})"
        if symbol.function in COUNTED:
            result, sign = self.fresh(), COUNTED[symbol.function]
            within = f"{LEAST} <= ({result} := {args[0]} {sign} {args[1]}) <= {LARGEST}"
            return f"({result} if {_are_ints(args)} and {within} else {called})"
        if symbol.function is cardinality:
            return f"(len({args[0]}) if type({args[0]}) is frozenset else {called})"
        return called

    def _compared(self, e: E) -> str:
        one, other = (self.kept(self.value(arg)) for arg in e.args)
        sign, no = ("==", "") if e.data is EQUAL else ("!=", "not ")
        known = [type(arg.data) for arg in e.args if arg.is_const and type(arg.data) in PLAIN]
        if known:
            name = other if e.args[0].is_const else one
            test = f"type({name}) is {known[0].__name__}"
        else:
            test = f"type({one}) is type({other}) and type({one}) in PLAIN"
        return f"({one} {sign} {other} if {test} else {no}equal({one}, {other}))"

    def _in_part(self, e: E) -> str:
        """`v \\in {x \\in S : P(x)}` asks S and P about v."""
        part, name = e.args[1], self.kept(self.plain(e.args[0]))
        domain = self.value(part.args[0])
        cell = self._binding(part.data[0])

        def test() -> str:
            self.add(f"{cell} = {name}")
            return self.truth(part.args[-1])

        found = self.junction("and", [lambda: f"member({name}, {domain})", test])
        return found if e.data is MEMBER else f"(not {found})"

    # Sets, functions

    def _set(self, e: E) -> str:
        return f"frozenset(({self._listing(e.args)}))"

    def _tuple(self, e: E) -> str:
        return f"({self._listing(e.args)})"

    def _listing(self, args: Iterable[E]) -> str:
        return "".join([f"{self.plain(arg)}, " for arg in args])

    def _record(self, e: E) -> str:
        fields = sorted(e.data)
        if len(set(fields)) < len(fields):
            return self._closure(e)
        parts = dict(zip(e.data, e.args))
        return f"(None, {self.constant(tuple(fields))}, ({self._listing(parts[field] for field in fields)}))"

    def _table(self, e: E) -> str:
        parts = dict(zip(e.data, e.args))
        keys = ordered(frozenset(parts))
        return f"{self.constant(maker(keys))}(({self._listing(parts[key] for key in keys)}))"

    def _apply(self, e: E) -> str:
        return f"apply({self.value(e.args[0])}, {self.plain(e.args[1])})"

    def _except(self, e: E) -> str:
        base = self.kept(self.plain(e.args[0]))
        path = self.kept(f"({self._listing(e.args[1:-1])})")
        if e.data is None:
            return f"put({base}, {path}, {self.plain(e.args[-1])})"
        cell = self._binding(e.data)
        self.add(f"{cell} = found({base}, {path})")

        def new() -> str:
            return f"put({base}, {path}, {self.plain(e.args[-1])})"

        return self.copied(self.choice(f"{cell} is UNSET", lambda: base, new))

    def _select(self, e: E) -> str:
        found = self.fresh()
        self.add(f"{found} = []")
        for value, arg in zip(e.data, e.args):
            self.add(f"if {self.truth(arg)}: {found}.append({self.constant(value)})")
        return f"frozenset({found})"

    # What goes through sets

    def _binding(self, cell: Cell) -> str:
        self._bound.add(cell)
        return self._name(cell)

    @contextmanager
    def _loop(self, e: E, in_order: bool = False) -> Iterator[str]:
        """Goes through all choices of a binder; yields what stands for the one that is chosen."""
        domains = [self._elements(arg, in_order) for arg in e.args[:-1]]
        names = [self._binding(pattern) if isinstance(pattern, Cell) else self.fresh() for pattern in e.data]
        head, chosen = domains[0], names[0]
        if len(names) > 1:
            head, chosen = f"product({', '.join(domains)})", f"({', '.join(names)})"
        with self.block(f"for {chosen} in {head}:"):
            for pattern, name in zip(e.data, names):
                if not isinstance(pattern, Cell):
                    self.add(f"if type({name}) is not tuple or {name}[:1] == (None,): raise Declined")
                    self.add(f"{', '.join(map(self._binding, pattern))}, = {name}")
            yield chosen

    def _elements(self, domain: E, in_order: bool) -> str:
        if domain.is_const:
            found = list(islice(elements(domain.data), LISTED)) if not is_endless(domain.data) else [None] * LISTED
            if len(found) < LISTED:
                return self.constant(found)
        name = self.kept(self.value(domain))
        return f"elements({name})" if in_order else f"({name} if type({name}) is frozenset else unordered({name}))"

    def _forall(self, e: E) -> str:
        return self._decided(e, "not ", "False")

    def _exists(self, e: E) -> str:
        return self._decided(e, "", "True")

    def _decided(self, e: E, sign: str, by: str) -> str:
        found = self.fresh()
        self.add(f"{found} = {'True' if by == 'False' else 'False'}")
        with self._loop(e):
            with self.block(f"if {sign}{self.truth(e.args[-1])}:"):
                self.add(f"{found} = {by}")
                self.add("break")
        return found

    def _filter(self, e: E) -> str:
        if may_be_lazy(e.args[0]) and not e.args[0].is_const:
            return self._closure(e)
        found = self.fresh()
        self.add(f"{found} = []")
        with self._loop(e) as chosen:
            self.add(f"if {self.truth(e.args[-1])}: {found}.append({chosen})")
        return f"frozenset({found})"

    def _map(self, e: E) -> str:
        found = self.fresh()
        self.add(f"{found} = []")
        with self._loop(e):
            self.add(f"{found}.append({self.plain(e.args[-1])})")
        return f"frozenset({found})"

    def _choose(self, e: E) -> str:
        found = self.fresh()
        with self._loop(e, in_order=True) as chosen:
            with self.block(f"if {self.truth(e.args[-1])}:"):
                self.add(f"{found} = {chosen}")
                self.add("break")
        self.add("else: raise Declined")
        return found

    def _fn(self, e: E) -> str:
        if any(may_be_lazy(arg) if not arg.is_const else is_endless(arg.data) for arg in e.args[:-1]):
            return self._closure(e)
        found, known = self.fresh(), len(e.args) == 2 and e.args[0].is_const and isinstance(e.data[0], Cell)
        self.add(f"{found} = {'[]' if known else '{}'}")
        with self._loop(e, in_order=known) as chosen:
            value = self.plain(e.args[-1])
            self.add(f"{found}.append({value})" if known else f"{found}[{chosen}] = {value}")
        if known:
            return f"{self.constant(maker(list(elements(e.args[0].data))))}({found})"
        return f"function({found})"


def _are_ints(args: list[str]) -> str:
    return " and ".join(f"type({arg}) is int" for arg in args if not arg.strip("(-)").isdigit()) or "True"


def _needed(e: E) -> set[Cell]:
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


def _put(value: Value, path: tuple[Value, ...], new: Value) -> Value:
    return changed(value, path, lambda old: new)


def _found(value: Value, path: tuple[Value, ...]) -> Value:
    """What is at a path; UNSET where EXCEPT changes nothing."""
    for key in path:
        if type(value) is not tuple:
            raise Declined
        keys = value[1] if is_function(value) else range(1, len(value) + 1)
        if key not in keys:
            return UNSET
        value = apply(value, key)
    return value


COMPARED = {numbers.less: "<", numbers.at_most: "<=", numbers.more: ">", numbers.at_least: ">="}
COUNTED = {numbers.add: "+", numbers.subtract: "-"}
HELPERS: dict[str, Any] = {
    "Declined": Declined,
    "PLAIN": PLAIN,
    "UNSET": UNSET,
    "VALUES": VALUES,
    "apply": apply,
    "elements": elements,
    "equal": equal,
    "force": force,
    "found": _found,
    "function": function,
    "is_marker": is_marker,
    "member": member,
    "product": product,
    "put": _put,
    "unordered": unordered,
}
