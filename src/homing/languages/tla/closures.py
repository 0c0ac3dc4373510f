"""Compiles specialised expressions to Python closures of a frame.

A frame is a list: what was read, the values of the next state, then the cells. Compiling happens once for a group or a
label; running must be fast, so closures look nothing up by name and check only what can go wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any, Protocol

from homing.core.errors import Place
from homing.languages.tla.ir import Cell, E, Routine, Var
from homing.languages.tla.sets import Filtered, is_endless
from homing.languages.tla.values import (
    Fault,
    FunctionLike,
    SetLike,
    Value,
    apply,
    changed,
    elements,
    force,
    function,
    kind,
    member,
    record,
    show,
)

Frame = list[Any]
Run = Callable[[Frame], Any]

READ, NEXT, FIRST = 0, 1, 2
UNSET: Any = type("Unset", (), {"__repr__": lambda self: "no value"})()
BOOLEAN_OPS = frozenset({"and", "or", "not", "implies", "iff", "forall", "exists", "enabled", "unchanged"})
BOOLEAN_CALLS = frozenset({"=", "#", "\\in", "\\notin", "\\subseteq", "<", ">", "<=", ">=", "IsFiniteSet", "BagIn"})


class Access(Protocol):
    """Where a compiled expression finds what it reads."""

    def variable(self, var: Var, place: Place) -> Run:
        """The value of a variable or of a part of it."""

    def whole(self, e: E) -> Run | None:
        """Reads an expression as one, through a projection, or does not."""


class Nothing:
    """For constants: there is no state."""

    def variable(self, var: Var, place: Place) -> Run:
        raise AssertionError("a constant reads a variable")

    def whole(self, e: E) -> Run | None:
        return None


class Compiler:
    """Compiles the expressions of one frame."""

    def __init__(self, access: Access, enabled: Callable[[Compiler, E], Run] | None = None) -> None:
        self.access = access
        self.size = FIRST
        self._index: dict[Cell, int] = {}
        self._definitions: dict[Cell, Run] = {}
        self._routines: dict[Routine, tuple[int, int, list[Run]]] = {}
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

    # Entries

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
        if e.op in BOOLEAN_OPS or (e.op == "call" and e.data.name in BOOLEAN_CALLS):
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
        place, cells, known = e.place, e.cells, self._index

        def placed(fault: Fault, f: Frame) -> Fault:
            if fault.place is None:
                fault.place = place
                named = sorted((cell for cell in cells if cell in known), key=lambda cell: cell.name)
                bound = ((cell.name, f[known[cell]]) for cell in named)
                fault.bound = tuple(f"{name} = {_short(value)}" for name, value in bound if value is not UNSET)
            return fault

        return placed

    # Leaves

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

    def _let(self, e: E) -> Run:
        index, body = self.index(e.data), self.run(e.args[1])

        def run(f: Frame) -> Any:
            f[index] = UNSET
            return body(f)

        return run

    # Logic

    def _and(self, e: E) -> Run:
        parts = [self.truth(arg, "a conjunct") for arg in e.args]
        if len(parts) == 2:
            one, other = parts
            return lambda f: one(f) and other(f)

        def run(f: Frame) -> bool:
            for part in parts:  # noqa: SIM110 (a generator costs more than what most parts do)
                if not part(f):
                    return False
            return True

        return run

    def _or(self, e: E) -> Run:
        parts = [self.truth(arg, "a disjunct") for arg in e.args]

        def run(f: Frame) -> bool:
            for part in parts:  # noqa: SIM110
                if part(f):
                    return True
            return False

        return run

    def _not(self, e: E) -> Run:
        part = self.truth(e.args[0], "what is negated")
        return lambda f: not part(f)

    def _implies(self, e: E) -> Run:
        left, right = (self.truth(arg, "a side of =>") for arg in e.args)
        return lambda f: right(f) if left(f) else True

    def _iff(self, e: E) -> Run:
        left, right = (self.truth(arg, "a side of <=>") for arg in e.args)
        return lambda f: left(f) is right(f)

    def _if(self, e: E) -> Run:
        condition, then = self.truth(e.args[0], "the condition"), self.run(e.args[1])
        other = self.run(e.args[2])
        return lambda f: then(f) if condition(f) else other(f)

    def _case(self, e: E) -> Run:
        arms = [
            (self.truth(e.args[n], "the condition of a CASE"), self.run(e.args[n + 1]))
            for n in range(0, len(e.args) - 1, 2)
        ]
        other = self.run(e.args[-1]) if len(e.args) % 2 else None
        guard = self.guard(e)

        def run(f: Frame) -> Any:
            for condition, value in arms:
                if condition(f):
                    return value(f)
            if other is None:
                raise guard(Fault("no case of this CASE applies, and there is no OTHER"), f)
            return other(f)

        return run

    def _unchanged(self, e: E) -> Run:
        pairs = [
            (self.access.variable(var, e.place), self.access.variable(Var(var.number, var.path, True), e.place))
            for var in e.data
        ]
        return lambda f: all(before(f) == after(f) for before, after in pairs)

    def _enabled(self, e: E) -> Run:
        assert self.enabling is not None
        return self.enabling(self, e)

    # Operators

    def _call(self, e: E) -> Run:
        symbol, guard = e.data, self.guard(e)
        compiled = [(self.run(arg) if symbol.lazy else self.plain(arg)) for arg in e.args]
        called = symbol.function
        if len(compiled) == 1:
            one = compiled[0]

            def unary(f: Frame) -> Any:
                try:
                    return called(one(f))
                except Fault as fault:
                    raise guard(fault, f) from None

            return unary
        if len(compiled) == 2:
            left, right = compiled

            def binary(f: Frame) -> Any:
                try:
                    return called(left(f), right(f))
                except Fault as fault:
                    raise guard(fault, f) from None

            return binary

        def run(f: Frame) -> Any:
            try:
                return called(*[arg(f) for arg in compiled])
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _operator(self, e: E) -> Run:
        """A Python function for an operator that is an argument."""
        cells, body = [self.index(cell) for cell in e.data], self.plain(e.args[0])

        def run(f: Frame) -> Any:
            def call(*values: Any) -> Any:
                before = [f[cell] for cell in cells]
                for cell, value in zip(cells, values):
                    f[cell] = value
                try:
                    return body(f)
                finally:
                    for cell, value in zip(cells, before):
                        f[cell] = value

            return call

        return run

    def _invoke(self, e: E) -> Run:
        routine: Routine = e.data
        args = [self.run(arg) for arg in e.args]
        if routine not in self._routines:
            low = self.size
            for cell in routine.cells:
                self.index(cell)
            self._routines[routine] = (low, 0, bodies := [])
            assert routine.body is not None
            bodies.append(self.run(routine.body))
            self._routines[routine] = (low, self.size, bodies)
        low, _, bodies = self._routines[routine]
        spans, guard = self._routines, self.guard(e)

        def run(f: Frame) -> Any:
            values = [arg(f) for arg in args]
            high = spans[routine][1]
            saved = f[low:high]
            f[low : low + len(values)] = values
            try:
                return bodies[0](f)
            except RecursionError:
                raise guard(Fault(f"'{routine.name}' calls itself too deeply"), f) from None
            finally:
                f[low:high] = saved

        return run

    # Sets, functions

    def _set(self, e: E) -> Run:
        parts = [self.plain(arg) for arg in e.args]
        if len(parts) == 1:
            one = parts[0]
            return lambda f: frozenset((one(f),))
        return lambda f: frozenset([part(f) for part in parts])

    def _tuple(self, e: E) -> Run:
        parts = [self.plain(arg) for arg in e.args]
        return lambda f: tuple([part(f) for part in parts])

    def _record(self, e: E) -> Run:
        pairs = sorted(zip(e.data, e.args), key=lambda pair: pair[0])
        fields = tuple(field for field, _ in pairs)
        parts = [self.plain(arg) for _, arg in pairs]
        if len(set(fields)) < len(fields):
            return lambda f: record(fields, [part(f) for part in parts])
        return lambda f: (None, fields, tuple([part(f) for part in parts]))

    def _table(self, e: E) -> Run:
        keys, parts = e.data, [self.plain(arg) for arg in e.args]
        return lambda f: function(dict(zip(keys, [part(f) for part in parts])))

    def _apply(self, e: E) -> Run:
        called, key, guard = self.run(e.args[0]), self.plain(e.args[1]), self.guard(e)

        def run(f: Frame) -> Any:
            try:
                return apply(called(f), key(f))
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _except(self, e: E) -> Run:
        base = self.plain(e.args[0])
        path = [self.plain(arg) for arg in e.args[1:-1]]
        new, guard = self.plain(e.args[-1]), self.guard(e)
        cell = None if e.data is None else self.index(e.data)

        def run(f: Frame) -> Any:
            def update(old: Value) -> Value:
                if cell is not None:
                    f[cell] = old
                return new(f)

            try:
                return changed(base(f), tuple([key(f) for key in path]), update)
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _select(self, e: E) -> Run:
        parts = [(value, self.truth(arg, "the condition")) for value, arg in zip(e.data, e.args)]
        return lambda f: frozenset([value for value, part in parts if part(f)])

    def _first(self, e: E) -> Run:
        parts = [(value, self.truth(arg, "the condition")) for value, arg in zip(e.data, e.args)]
        guard = self.guard(e)

        def run(f: Frame) -> Any:
            for value, part in parts:
                if part(f):
                    return value
            raise guard(Fault("no element of the set satisfies the condition of this CHOOSE"), f)

        return run

    # Loops

    def rounds(self, e: E, in_order: bool = False) -> Callable[[Frame], Iterator[Any]]:
        """Goes through all choices of a binder: sets its cells and yields what was chosen."""
        listing = elements if in_order else _in_any_order
        domains = [self.run(arg) for arg in e.args[:-1]]
        guard = self.guard(e)
        patterns = [
            tuple(self.index(cell) for cell in pattern) if isinstance(pattern, tuple) else self.index(pattern)
            for pattern in e.data
        ]

        def listed(f: Frame, domain: Run) -> Any:
            try:
                return listing(domain(f))
            except Fault as fault:
                raise guard(fault, f) from None

        if len(domains) == 1 and not isinstance(patterns[0], tuple):
            (only,), index = domains, patterns[0]

            def simple(f: Frame) -> Iterator[Any]:
                for value in listed(f, only):
                    f[index] = value
                    yield value

            return simple

        def several(f: Frame) -> Iterator[Any]:
            for chosen in product(*[list(listed(f, domain)) for domain in domains]):
                for pattern, value in zip(patterns, chosen):
                    _bind(f, pattern, value, guard)
                yield chosen[0] if len(chosen) == 1 else chosen

        return several

    def _forall(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.truth(e.args[-1], "what is quantified")

        def run(f: Frame) -> bool:
            return all(body(f) for _ in rounds(f))

        return run

    def _exists(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.truth(e.args[-1], "what is quantified")

        def run(f: Frame) -> bool:
            return any(body(f) for _ in rounds(f))

        return run

    def _filter(self, e: E) -> Run:
        rounds, test = self.rounds(e), self.truth(e.args[-1], "the condition")
        domain, pattern = self.run(e.args[0]), e.data[0]

        def run(f: Frame) -> Any:
            base = domain(f)
            if isinstance(base, SetLike) and is_endless(base):
                copy = f[:]

                def holds(value: Value) -> Any:
                    copy[self.index(pattern)] = value
                    return test(copy)

                return Filtered(base, holds)
            return frozenset([value for value in rounds(f) if test(f)])

        return run

    def _map(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.plain(e.args[-1])
        return lambda f: frozenset([body(f) for _ in rounds(f)])

    def _choose(self, e: E) -> Run:
        rounds, guard = self.rounds(e, in_order=True), self.guard(e)
        test = self.truth(e.args[-1], "the condition")

        def run(f: Frame) -> Any:
            for value in rounds(f):
                if test(f):
                    return value
            raise guard(Fault("no element of the set satisfies the condition of this CHOOSE"), f)

        return run

    def _fn(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.plain(e.args[-1])
        domains = [self.run(arg) for arg in e.args[:-1]]
        single = self._made(e, None) if len(domains) == 1 else None

        def run(f: Frame) -> Any:
            if single is not None and is_endless(domains[0](f)):
                return single(f)
            return function({key: body(f) for key in rounds(f)})

        return run

    def _recfn(self, e: E) -> Run:
        return self._made(e, e.data[0])

    def _made(self, e: E, this: Cell | None) -> Run:
        """A function whose values are computed when asked for."""
        patterns = e.data if this is None else e.data[1:]
        indexes = [
            tuple(self.index(cell) for cell in pattern) if isinstance(pattern, tuple) else self.index(pattern)
            for pattern in patterns
        ]
        domains, body = [self.run(arg) for arg in e.args[:-1]], self.plain(e.args[-1])
        own = None if this is None else self.index(this)
        guard = self.guard(e)

        def run(f: Frame) -> Any:
            return Computed(f, domains, indexes, body, own, guard)

        return run


class Computed(FunctionLike):
    """A function that remembers what it computed."""

    def __init__(
        self,
        frame: Frame,
        domains: list[Run],
        indexes: list[Any],
        body: Run,
        own: int | None,
        guard: Callable[[Fault, Frame], Fault],
    ) -> None:
        self._frame = frame[:]
        self._indexes, self._body, self._guard = indexes, body, guard
        self._known: dict[Value, Value] = {}
        if own is not None:
            self._frame[own] = self
        self._parts = [domain(frame) for domain in domains]
        if len(self._parts) == 1:
            self.domain = self._parts[0]
        else:
            from homing.languages.tla.sets import Product

            self.domain = Product(*self._parts)

    def __str__(self) -> str:
        return "a function that is not listed"

    def at(self, key: Value) -> Value:
        if key not in self._known:
            if not member(key, self.domain):
                raise Fault(f"a function is not defined for {show(key)}")
            frame = self._frame[:]
            chosen = (key,) if len(self._indexes) == 1 else key
            for index, value in zip(self._indexes, chosen):
                _bind(frame, index, value, self._guard)
            try:
                self._known[key] = self._body(frame)
            except RecursionError:
                raise Fault(f"a recursive function calls itself too deeply at {show(key)}") from None
        return self._known[key]


def _in_any_order(group: Value) -> Iterable[Value]:
    """The elements of a set, where their order changes nothing: sorting would cost more than the rest."""
    return group if type(group) is frozenset else elements(group)


def _bind(f: Frame, pattern: Any, value: Value, guard: Callable[[Fault, Frame], Fault]) -> None:
    if not isinstance(pattern, tuple):
        f[pattern] = value
        return
    value = force(value)
    if type(value) is not tuple or len(value) != len(pattern) or (value and value[0] is None):
        raise guard(Fault(f"{show(value)} is no tuple of {len(pattern)}"), f)
    for index, part in zip(pattern, value):
        f[index] = part


def may_be_lazy(e: E) -> bool:
    """Whether the value may be a set or function that is not listed."""
    match e.op:
        case "const":
            return isinstance(e.data, (SetLike, FunctionLike))
        case "call":
            return bool(e.data.lazy) and e.data.name not in BOOLEAN_CALLS
        case "local":
            return e.data.definition is None or may_be_lazy(e.data.definition)
        case "if":
            return may_be_lazy(e.args[1]) or may_be_lazy(e.args[2])
        case "case":
            return True
        case "let":
            return may_be_lazy(e.args[1])
        case "fn" | "recfn" | "invoke" | "filter" | "apply":
            return True
    return False


def _short(value: Value, most: int = 120) -> str:
    text = show(value)
    return text if len(text) <= most else text[:most] + "…"
