"""How groups and labels read: slots whole where they must, and else through projections that are found here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from homing.core.errors import ModelError, Place
from homing.core.system import Projection, Read, Update
from homing.languages.tla.closures import Compiler
from homing.languages.tla.frames import NEXT, READ, UNSET, Frame, Run
from homing.languages.tla.ir import E, Var, fingerprint
from homing.languages.tla.markers import is_marker, marker, raise_marked
from homing.languages.tla.rewriting import without_lets
from homing.languages.tla.slots import Shapes, is_class
from homing.languages.tla.substitution import bound_by, inlined, moved, rebuilt, with_body
from homing.languages.tla.trees import cut
from homing.languages.tla.values import Fault, apply, force

Enabling = Callable[[Compiler, E], Run]


LARGE = frozenset({"[ -> ]", "\\X", "SUBSET", "Seq", "[a: S]", ".."})


def _may_be_large(e: E) -> bool:
    """Whether it is a set that one asks about but does not list: as the value of a projection it would be."""
    if e.op == "call":
        return e.data.name in LARGE or (e.data.name in ("\\cup", "\\cap", "\\") and any(map(_may_be_large, e.args)))
    return e.op in ("if", "case", "let") and any(map(_may_be_large, e.args))


def error_of(fault: Fault, what: str = "") -> ModelError:
    """The error for people."""
    said = f": {cut(fault.place.text)}" if fault.place and fault.place.text else ""
    bound = f" (with {', '.join(fault.bound)})" if fault.bound else ""
    where = f", in {what}" if what else ""
    return ModelError(f"{fault.message}{said}{bound}{where}", fault.place)


def next_value(var: Var, shapes: Shapes, place: Place) -> Run:
    """The value that an action has given to a variable."""
    number, path = var.number, var.path
    name = shapes.names[number] if number < len(shapes.names) else "a variable in between"
    classes = shapes.classes(number, ()) if path and is_class(path[0]) else None

    def run(f: Frame) -> Any:
        value = f[NEXT][number]
        if value is UNSET:
            raise Fault(f"{name}' is used before it has a value", place)
        if classes is not None:
            return classes.divided(value)[path[0][2]]
        for key in path:
            value = apply(value, key)
        return value

    return run


class OneSlot:
    """For projections and updates: the only variable is the slot itself; ENABLED may read its next value."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes

    def variable(self, var: Var, place: Place) -> Run:
        if var.primed:
            return next_value(var, self.shapes, place)
        return lambda f: f[READ]

    def whole(self, e: E) -> Run | None:
        return None

    def projected(self, e: E) -> int | None:
        return None

    def text(self, var: Var) -> str | None:
        return None if var.primed else "r"


class Library:
    """The projections and updates of a system; equal expressions share a function, so that engines ask once."""

    def __init__(self, shapes: Shapes, enabling: Enabling) -> None:
        self.shapes = shapes
        self.enabling = enabling
        self._projections: dict[Any, Projection] = {}
        self._updates: dict[Any, Callable[..., Any]] = {}
        self.kept: dict[tuple[Read, ...], Any] = {}
        """By what conditions on steps read, the label that numbers it."""

    def projection(self, e: E) -> Projection:
        """What is read of a slot."""
        key = fingerprint(e)
        if key not in self._projections:
            compiler = _SlotCompiler(OneSlot(self.shapes), self.enabling)
            run = compiler.result(e)
            template = compiler.frame()

            def project(value: Any) -> Any:
                frame = template[:]
                frame[READ] = value
                try:
                    return run(frame)
                except Fault as fault:
                    return marker(fault)

            project.__name__ = f"a projection at {e.place.line}:{e.place.column}"
            self._projections[key] = Projection(project)
        return self._projections[key]

    def update(self, e: E) -> Callable[..., Any]:
        """What is done to a slot, with parameters where the expression has some."""
        key = fingerprint(e)
        if key not in self._updates:
            compiler = _SlotCompiler(OneSlot(self.shapes), self.enabling)
            run = compiler.result(e)
            template = compiler.frame()

            def update(value: Any, *parameters: Any) -> Any:
                frame = template[:]
                frame[READ] = value
                frame[NEXT] = parameters
                try:
                    return run(frame)
                except Fault as fault:
                    raise error_of(fault) from None

            update.__name__ = f"an update at {e.place.line}:{e.place.column}"
            self._updates[key] = update
        return self._updates[key]


class _SlotCompiler(Compiler):
    """Knows parameters."""

    def _param(self, e: E) -> Run:
        position = e.data

        def run(f: Frame) -> Any:
            value = f[NEXT][position]
            if is_marker(value):
                raise_marked(value)
            return value

        return run


class Slots:
    """The reads of one group or label, collected while it is compiled."""

    def __init__(self, library: Library, whole: frozenset[int] = frozenset()) -> None:
        self.library = library
        self.shapes = library.shapes
        self.reads: list[Read] = []
        self.primed: set[int] = set()
        """Variables whose next value is read."""
        self.read_whole: set[int] = set()
        self.known = whole
        self._positions: dict[Any, int] = {}
        for slot in sorted(whole):
            self.position(slot)

    def position(self, slot: int, through: Projection | None = None, guard: bool = False) -> int:
        """Where in what is read a slot or a projection of it is."""
        if through is None:
            self.read_whole.add(slot)
        key = (slot, through)
        if key not in self._positions:
            self._positions[key] = len(self.reads)
            self.reads.append(Read(slot, through, guard))
        position = self._positions[key]
        if guard and not self.reads[position].guard:
            self.reads[position] = Read(slot, through, True)
        return position

    def guard(self, e: E) -> None:
        """Notes that there is no step where a condition on one slot is false."""
        found = self._single(e)
        if found is not None:
            self.position(found[0], self.library.projection(found[1]), guard=True)

    def _single(self, e: E) -> tuple[int, E] | None:
        """The only slot that an expression depends on, and the expression without anything from around it."""
        if e.op in ("const", "var", "local", "operator", "param", "once") or len(e.reads) != 1:
            return None
        (var,) = e.reads
        slot = None if var.primed else self.shapes.slot(var.number, var.path)
        if slot is None:
            return None
        if e.cells:
            e = without_lets(e)
        return None if e.cells else (slot, e)

    def variable(self, var: Var, place: Place) -> Run:
        if var.primed:
            return self._next(var, place)
        slot = self.shapes.slot(var.number, var.path)
        if slot is not None:
            position = self.position(slot)
            return lambda f: f[READ][position]
        positions = [self.position(slot) for slot in self.shapes.below(var.number, var.path)]
        joined = self.shapes.joiner(self.shapes.node(var.number, var.path), iter(positions))
        # An expression often needs a variable many times, and then always of the same state.
        last: list[Any] = [None, None]

        def assemble(f: Frame) -> Any:
            read = f[READ]
            if read is not last[0]:
                last[0], last[1] = read, joined(read)
            return last[1]

        return assemble

    def _next(self, var: Var, place: Place) -> Run:
        self.primed.add(var.number)
        return next_value(var, self.shapes, place)

    def projected(self, e: E) -> int | None:
        found = None if _may_be_large(e) else self._single(e)
        if found is None or found[0] in self.known:
            return None
        return self.position(found[0], self.library.projection(found[1]))

    def text(self, var: Var) -> str | None:
        slot = None if var.primed else self.shapes.slot(var.number, var.path)
        return None if slot is None else f"r[{self.position(slot)}]"

    def whole(self, e: E) -> Run | None:
        position = self.projected(e)
        if position is None:
            return None

        def run(f: Frame) -> Any:
            value = f[READ][position]
            if is_marker(value):
                raise_marked(value)
            return value

        return run


class Pair(Slots):
    """The reads of a step: those of the state after it are collected in another `Slots`."""

    def __init__(self, library: Library, after: Slots, whole: frozenset[int] = frozenset()) -> None:
        super().__init__(library, whole)
        self.after = after

    def text(self, var: Var) -> str | None:
        if not var.primed:
            return super().text(var)
        if var.number >= len(self.shapes.names):
            return None
        found = self.after.text(Var(var.number, var.path))
        return None if found is None else f"n{found[1:]}"

    def _next(self, var: Var, place: Place) -> Run:
        if var.number >= len(self.shapes.names):
            return next_value(var, self.shapes, place)
        run = self.after.variable(Var(var.number, var.path), place)
        inside = next_value(var, self.shapes, place)

        def after(f: Frame) -> Any:
            # Inside ENABLED there is a list of values given so far; else, what was read after the step, a tuple.
            return inside(f) if type(f[NEXT]) is list else run([f[NEXT]])

        return after


def updating(e: E, var: Var, compile_: Callable[[E], Run], library: Library) -> Run:
    """A write of a slot as a function of its old value; what does not depend on that becomes a parameter."""
    parameters: list[E] = []
    body = _abstracted(inlined(e), var, parameters, frozenset())
    function, runs = library.update(body), [compile_(parameter) for parameter in parameters]

    def run(f: Frame) -> Any:
        return Update(function, tuple([_tried(parameter, f) for parameter in runs]))

    return run


def _tried(run: Run, f: Frame) -> Any:
    """The value of a parameter; it may be that the update never asks for it, so an error waits until it does."""
    try:
        return force(run(f))
    except Fault as fault:
        return marker(fault)


def _abstracted(e: E, var: Var, parameters: list[E], bound: frozenset[Any], trying: bool = False) -> E:
    """The expression with parameters for all parts that do not depend on the variable, nor on what is bound in it.

    Inside ENABLED, where an action is tried, a part with a prime is none either.
    """
    if e.op in ("const", "operator") and e.is_closed:
        return e
    if e.op == "local" and e.data.definition is not None and var in e.reads:
        return _abstracted(inlined(e.data.definition), var, parameters, bound, trying)
    if var not in e.reads and not (e.cells & bound) and e.op != "operator" and not (trying and e.has_prime):
        parameters.append(e)
        return E("param", (), len(parameters) - 1, e.place)
    if e.op == "var":
        return e
    if e.op == "unchanged":
        e = moved(e, lambda kept: kept)
    inside = bound | frozenset(bound_by(e))
    if e.op == "enabled":
        action = _abstracted(e.args[0], var, parameters, inside, True)
        return rebuilt(e, (action, *(_abstracted(arg, var, parameters, bound, trying) for arg in e.args[1:])))
    if e.op == "invoke":
        inside |= {*e.data.cells, e.data.inside}
        args = tuple(_abstracted(arg, var, parameters, bound, trying) for arg in e.args)
        return with_body(e, args, lambda body: _abstracted(body, var, parameters, inside, trying))
    return rebuilt(e, tuple(_abstracted(arg, var, parameters, inside, trying) for arg in e.args))
