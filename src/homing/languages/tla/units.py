"""Groups and initial states, compiled: what they read and write, and what to run for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from functools import partial
from typing import Any

from homing.core.errors import Place
from homing.core.system import Event, Read, Step
from homing.core.values import Short
from homing.languages.tla.access import Library, Slots, error_of
from homing.languages.tla.actions import ActionCompiler, Then, Values, assigned, is_next
from homing.languages.tla.closures import Compiler
from homing.languages.tla.frames import NEXT, READ, UNSET, Frame, Run
from homing.languages.tla.groups import Part, called
from homing.languages.tla.ir import E, Var, const
from homing.languages.tla.modules.logic import DIFFER, EQUAL, MEMBER
from homing.languages.tla.slots import Path, Shapes
from homing.languages.tla.values import Fault, Value, show
from homing.languages.tla.writes import Write, Writer

DONE: Any = type("Done", (), {"__repr__": lambda self: "a value"})()
"""In place of a next value that nobody reads."""


def looked_at(e: E) -> set[int]:
    """The variables whose next value an action reads, other than to give them one."""
    if not e.has_prime:
        return set()
    match e.op:
        case "implies":
            return _primed(e.args[0]) | looked_at(e.args[1])
        case "and" | "or":
            return set[int]().union(*map(looked_at, e.args))
        case "exists" | "forall" | "let":
            return looked_at(e.args[-1]).union(*map(_primed, e.args[:-1]))
        case "if":
            return _primed(e.args[0]) | looked_at(e.args[1]) | looked_at(e.args[2])
        case "case":
            values = set(e.args[1::2]) | ({e.args[-1]} if len(e.args) % 2 else set())
            return set[int]().union(*(looked_at(arg) if arg in values else _primed(arg) for arg in e.args))
        case "unchanged":
            return {var.number for var in e.data if var.path}
        case "call" if e.data in (EQUAL, MEMBER) and is_next(e.args[0]):
            return _primed(e.args[1])
    return _primed(e)


class _Found(Exception):
    """There is a way."""


def enabling(names: tuple[str, ...]) -> Callable[[Compiler, E], Run]:
    """Compiles `ENABLED A`: whether there is a way to make A true."""

    def compile_(compiler: Compiler, e: E) -> Run:
        action = e.args[0]
        needed = looked_at(action) | assigned(action)[1]
        size = max(len(names), *(var.number + 1 for var in action.reads)) if action.reads else len(names)
        run = ActionCompiler(compiler, _Probe(compiler, needed), size).action(action, _found)
        held = [(compiler.index(cell), compiler.run(value)) for cell, value in zip(e.data, e.args[1:])]

        def enabled(f: Frame) -> bool:
            for index, value in held:
                f[index] = value(f)
            before, f[NEXT] = f[NEXT], [UNSET] * size
            try:
                run(f)
            except _Found:
                return True
            finally:
                f[NEXT] = before
            return False

        return enabled

    return compile_


def _found(f: Frame) -> None:
    raise _Found


class _Probe(Values):
    """Computes only the values that decide whether there is a way."""

    def __init__(self, compiler: Compiler, needed: set[int]) -> None:
        super().__init__(compiler)
        self.needed = needed

    def given(self, number: int, e: E) -> Run:
        return super().given(number, e) if number in self.needed else lambda f: DONE

    def kept(self, var: Var) -> Run:
        return super().kept(var) if var.number in self.needed else lambda f: DONE


class _Writes:
    """Notes what is written; next to it the value itself, where it is read."""

    def __init__(self, compiler: Compiler, writer: Writer, needed: frozenset[int], named: int, variables: int) -> None:
        self.compiler = compiler
        self.writer = writer
        self.needed = needed
        self.named = named
        """Variables from this number on are between the two steps of a composition, so nothing is written."""
        self.variables = variables

    def given(self, number: int, e: E) -> Run:
        if number >= self.named:
            return self.compiler.plain(e)
        place = self.variables + number
        write: Write | None = self.writer.write(number, (), e)
        value = self.compiler.plain(e) if number in self.needed else None

        def run(f: Frame) -> Any:
            writes: dict[int, Any] = {}
            if write is not None:
                write(f, writes)
            f[NEXT][place] = writes
            return DONE if value is None else value(f)

        return run

    def chosen(self, number: int, e: E) -> Callable[[Frame, Any], Any]:
        if number >= self.named:
            return lambda f, value: value
        place, write = self.variables + number, self.writer.chosen(number, e)

        def run(f: Frame, value: Any) -> Any:
            f[NEXT][place] = write(f, value)
            return value

        return run

    def kept(self, var: Var) -> Run:
        place = self.variables + var.number
        value = self.compiler.run(E("var", (), var)) if var.number in self.needed else None

        def run(f: Frame) -> Any:
            f[NEXT][place] = {}
            return DONE if value is None else value(f)

        return run


class GroupUnit:
    """One group: an action and what is demanded of its steps (action constraints)."""

    def __init__(self, part: Part, demands: tuple[E, ...], library: Library, apply: Callable[[E, E], E]) -> None:
        self.name = part.name
        self._call = part.call
        self.place = part.action.place
        self.names = library.shapes.names
        self._compiled = partial(self._compile, part.action, demands, library, apply)
        self._access = self._compiled(frozenset())

    def settle(self) -> None:
        """Compiles it again, knowing what it reads whole: that needs no projections. To take steps, it need not."""
        for _ in range(2):
            if self._access.read_whole == self._access.known or self.cuts:
                break
            self._access = self._compiled(frozenset(self._access.read_whole))

    def _compile(
        self,
        action: E,
        demands: tuple[E, ...],
        library: Library,
        apply: Callable[[E, E], E],
        whole: frozenset[int],
    ) -> Slots:
        access = Slots(library, whole)
        compiler = Compiler(access, library.enabling)
        writer = Writer(compiler, access, apply, whole)
        needed = frozenset(looked_at(action).union(assigned(action)[1], *map(_primed, demands)))
        self._size = max([len(self.names), *(var.number + 1 for var in action.reads)])
        target = _Writes(compiler, writer, needed, len(self.names), self._size)
        for condition in guards(action):
            access.guard(condition)
        event = self._event(compiler, library, whole)
        emit = self._emit(action.place, event)
        tests = [compiler.condition(demand, "an action constraint") for demand in demands]
        actions = ActionCompiler(compiler, target, len(self.names))
        self._run = self._free = actions.action(action, emit)
        if tests:
            self._run = actions.action(action, self._demanding(tests, emit, event))
        self._template = compiler.frame()
        self.reads: tuple[Read, ...] = tuple(access.reads)
        self.writes: tuple[int, ...] = tuple(sorted(writer.slots))
        self.cuts: set[tuple[int, Path]] = writer.cuts
        return access

    def _event(self, compiler: Compiler, library: Library, whole: frozenset[int]) -> Callable[[Frame], Event]:
        """What a step is called; an argument that the action itself does not read whole is shown by its name only."""
        if self._call is None:
            return _always(Event(self.name, text=self.name))
        name, runs = self._call.definition.name, list[tuple[str, Run | None]]()
        for parameter, e in zip(self._call.definition.parameters, self._call.arguments):
            slots = {slot for var in e.reads for slot in _below(library.shapes, var)}
            runs.append((parameter.name, compiler.plain(e) if slots <= whole and not e.has_prime else None))

        def event(f: Frame) -> Event:
            arguments, shown = list[Value](), list[str]()
            for parameter, run in runs:
                value = UNSET if run is None else _tried(run, f)
                if value is not UNSET:
                    arguments.append(value)
                shown.append(parameter if value is UNSET else show(value))
            return Event(name, tuple(arguments), text=called(name, shown))

        return _always(event(compiler.frame())) if all(e.is_const for e in self._call.arguments) else event

    def _emit(self, place: Place, event: Callable[[Frame], Event]) -> Then:
        named, size = len(self.names), self._size

        def emit(f: Frame) -> None:
            now = f[NEXT]
            if UNSET in now[:named]:
                raise self._incomplete(now[:named], place)
            writes: dict[int, Any] = {}
            for part in now[size:-1]:
                if part:
                    writes |= part
            now[-1].append(Step(event(f), writes))

        return emit

    def _incomplete(self, now: list[Any], place: Place) -> Fault:
        missing = [name for name, value in zip(self.names, now) if value is UNSET]
        said = "variable" if len(missing) == 1 else "variables"
        return Fault(f"{said} {', '.join(missing)} got no value for the next state", place)

    def _demanding(self, tests: list[Run], emit: Then, event: Callable[[Frame], Event]) -> Then:
        """A step that an action constraint forbids stays where it is: TLC counts it, but does not follow it."""

        def run(f: Frame) -> None:
            if all(test(f) for test in tests):
                emit(f)
            else:
                f[NEXT][-1].append(Step(event(f), {}))

        return run

    def unrestricted(self) -> GroupUnit:
        """The same without action constraints."""
        unit = copy(self)
        unit._run = self._free
        return unit

    def steps(self, read: Short) -> list[Step]:
        """The steps from what was read."""
        frame, found = self._template[:], list[Step]()
        frame[READ] = read
        frame[NEXT] = [UNSET] * self._size + [None] * self._size + [found]
        try:
            self._run(frame)
        except Fault as fault:
            raise error_of(fault, f"action {self.name}") from None
        return found


def _always(event: Event) -> Callable[[Frame], Event]:
    return lambda f: event


def _below(shapes: Shapes, var: Var) -> Iterable[int]:
    """The slots that a variable is in; -1 for one of an instance, which has none."""
    return shapes.below(var.number, var.path) if shapes.has(var.number, var.path) else (-1,)


def _tried(run: Run, f: Frame) -> Any:
    """The value of an argument; that an action does not need it is no reason to fail."""
    try:
        return run(f)
    except Fault:
        return UNSET


def guards(action: E) -> Iterator[E]:
    """The conditions that an action starts with; what comes after an error would have been raised is no guard."""
    parts = [action]
    while parts:
        part = parts.pop(0)
        if part.op == "let":
            parts.insert(0, part.args[1])
        elif part.op == "and":
            parts[:0] = part.args
        elif part.op == "exists" and len(part.args) == 2 and part.args[0].op != "const":
            yield E("call", (part.args[0], const(frozenset())), DIFFER, part.place)
            return
        elif len(part.reads) == 1 and not part.has_prime:
            yield part
        else:
            return


def _primed(e: E) -> set[int]:
    return {var.number for var in e.reads if var.primed}


class InitialUnit:
    """The initial states: Init, read as an action that gives the variables their first values."""

    def __init__(self, action: E, names: tuple[str, ...], library: Library) -> None:
        self.names = names
        self._place = action.place
        compiler = Compiler(Slots(library), library.enabling)
        self._run = ActionCompiler(compiler, Values(compiler), len(names)).action(action, self._emit)
        self._template = compiler.frame()

    def _emit(self, f: Frame) -> None:
        now = f[NEXT]
        size = len(self.names)
        if UNSET in now[:size]:
            missing = ", ".join(name for name, value in zip(self.names, now) if value is UNSET)
            raise Fault(f"Init gives {missing} no value", self._place)
        now[-1].append(tuple(now[:size]))

    def states(self) -> list[tuple[Any, ...]]:
        """All of them, as values of the variables, as often as they are found."""
        frame, found = self._template[:], list[tuple[Any, ...]]()
        frame[NEXT] = [*([UNSET] * len(self.names)), found]
        try:
            self._run(frame)
        except Fault as fault:
            raise error_of(fault, "Init") from None
        except RecursionError:
            raise error_of(Fault("it recurses without end", self._place), "Init") from None
        return found
