"""What an action writes: slots that keep their value are left out, and a function of the old value is an update."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from homing.core.system import Update
from homing.languages.tla.access import Slots, error_of, updating
from homing.languages.tla.classes import Classes
from homing.languages.tla.closures import Compiler
from homing.languages.tla.comparing import difference, union
from homing.languages.tla.frames import UNSET, Frame, Run
from homing.languages.tla.ir import E, Var, const
from homing.languages.tla.modules.logic import CUP, MINUS
from homing.languages.tla.rewriting import class_of
from homing.languages.tla.sets import Functions, Records
from homing.languages.tla.slots import Path, Shapes, Tree, is_class
from homing.languages.tla.substitution import rebuilt, replaced
from homing.languages.tla.values import Fault, as_set, domain, kind, pairs_of, rank, show

Write = Callable[[Frame, dict[int, Any]], None]
"""Adds slots and what is written to them."""


class Writer:
    """Compiles writes for one group; `cuts` collects the parts of variables that turn out not to keep their keys."""

    def __init__(self, compiler: Compiler, access: Slots, apply: Callable[[E, E], E], whole: frozenset[int]) -> None:
        self.compiler = compiler
        self.access = access
        self.shapes: Shapes = access.shapes
        self.cuts: set[tuple[int, Path]] = set()
        self.slots: set[int] = set()
        self._applied = apply
        self._whole = whole

    def write(self, number: int, path: Path, e: E) -> Write | None:
        """Writes the value of e to a part of a variable; None when it keeps what it has."""
        if e.op == "var" and e.data == Var(number, path):
            return None
        tree = self.shapes.node(number, path)
        if tree is None:
            return self._slot(number, path, e)
        handler: Callable[[int, Path, E, Tree], Write] | None = getattr(self, f"_{e.op}", None)
        if handler is None:
            return self._unknown(number, path, e, tree)
        return handler(number, path, e, tree)

    def _slot(self, number: int, path: Path, e: E) -> Write | None:
        slot = self.shapes.slot(number, path)
        assert slot is not None
        self.slots.add(slot)
        if e.op == "if" and Var(number, path) in e.reads:
            return self._if(number, path, e, None)
        if e.op == "case" and Var(number, path) in e.reads:
            return self._case(number, path, e, None)
        if e.op == "let" and Var(number, path) in e.args[1].reads:
            return self._let(number, path, e, None)
        value = self._value(number, path, slot, e)

        def run(f: Frame, writes: dict[int, Any]) -> None:
            writes[slot] = value(f)

        return run

    def _value(self, number: int, path: Path, slot: int, e: E) -> Run:
        var = Var(number, path)
        if var in e.reads and not e.has_prime and slot not in self._whole:
            return updating(e, var, self.compiler.result, self.access.library)
        return self.compiler.result(e)

    # Parts of several slots

    def _table(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        if isinstance(tree, Classes) or frozenset(e.data) != frozenset(tree):
            return self._cut(number, path)
        parts = [self.write(number, (*path, key), arg) for key, arg in zip(e.data, e.args)]
        return _all([part for part in parts if part is not None])

    _record = _table

    def _call(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        """Elements added to a set that is split, or taken from it."""
        changes = list(_changes(e, Var(number, path))) if isinstance(tree, Classes) else [None]
        if None in changes or not isinstance(tree, Classes):
            return self._cut(number, path)
        slots = self.shapes.below(number, path)
        runs = []
        for sign, part in (change for change in changes if change is not None):
            found = [class_of(arg, tree) for arg in part.args] if part.op == "set" else [None]
            known = [slots[n] for n in found if n is not None]
            if len(known) == len(found):
                self.slots |= set(known)
                runs.append((sign, _settled(known, [self.compiler.result(arg) for arg in part.args])))
            else:
                self.slots |= set(slots)
                runs.append((sign, _sorted_out(slots, tree, self.compiler.result(part), self.compiler.guard(e))))

        def run(f: Frame, writes: dict[int, Any]) -> None:
            by_slot: dict[int, list[Any]] = {}
            for sign, elements in runs:
                for slot, element in elements(f):
                    by_slot.setdefault(slot, []).append((sign, element))
            for slot, done in by_slot.items():
                writes[slot] = Update(amended, tuple(sorted_changes(done)))

        return run

    def _except(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        if isinstance(tree, Classes):
            return self._cut(number, path)
        base, key, *rest, new = e.args
        first = self.write(number, path, base)
        if not key.is_const or e.data is not None:
            return self._dynamic(number, path, e, tree, first)
        if key.data not in tree:
            return first or _nothing  # as in TLC, nothing changes
        below = (*path, key.data)
        value = new
        if rest:
            value = E("except", (self._applied(base, key), *rest, new), None, e.place)
        second = self.write(number, below, value)
        return _all([part for part in (first, second) if part is not None])

    def _dynamic(self, number: int, path: Path, e: E, tree: Tree, first: Write | None) -> Write:
        """The key is known when the step is taken: there is a write for each that it may be."""
        base, key, *rest, new = e.args
        at = self.compiler.result(key)
        writes_of: dict[Any, Write] = {}
        for known in tree:
            old = self._applied(base, const(known))
            value = self._old_is(new, base, key, rest, old)
            if e.data is not None:
                inner = old
                for part in rest:
                    inner = self._applied(inner, part)
                value = replaced(value, e.data, inner)
            if rest:
                value = E("except", (old, *rest, value), None, e.place)
            writes_of[known] = self.write(number, (*path, known), value) or _nothing

        def run(f: Frame, writes: dict[int, Any]) -> None:
            if first is not None:
                first(f, writes)
            write = writes_of.get(at(f))
            if write is not None:
                write(f, writes)

        return run

    def _old_is(self, e: E, base: E, key: E, rest: list[E], old: E) -> E:
        """The new value with `base[key]` known to be the old one: `@` was written out as that."""
        if e.op == "apply" and e.args[0] is base and e.args[1] is key:
            return old
        if not e.args or base.op != "var" or not any(var.number == base.data.number for var in e.reads):
            return e
        args = tuple(self._old_is(arg, base, key, rest, old) for arg in e.args)
        if all(one is other for one, other in zip(args, e.args)):
            return e
        if e.op == "apply" and args[1].is_const:
            return self._applied(args[0], args[1])
        return rebuilt(e, args)

    def _if(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        condition = self.compiler.condition(e.args[0], "the condition")
        yes, no = (self.write(number, path, arg) or _nothing for arg in e.args[1:])

        def run(f: Frame, writes: dict[int, Any]) -> None:
            if condition(f):
                yes(f, writes)
            else:
                no(f, writes)

        return run

    def _case(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        arms = [
            (
                self.compiler.condition(e.args[n], "the condition of a CASE"),
                self.write(number, path, e.args[n + 1]) or _nothing,
            )
            for n in range(0, len(e.args) - 1, 2)
        ]
        other = (self.write(number, path, e.args[-1]) or _nothing) if len(e.args) % 2 else None
        guard = self.compiler.guard(e)

        def run(f: Frame, writes: dict[int, Any]) -> None:
            for condition, write in arms:
                if condition(f):
                    write(f, writes)
                    return
            if other is None:
                raise guard(Fault("no case of this CASE applies, and there is no OTHER"), f)
            other(f, writes)

        return run

    def _let(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        index = self.compiler.index(e.data)
        body = self.write(number, path, e.args[1]) or _nothing

        def run(f: Frame, writes: dict[int, Any]) -> None:
            f[index] = UNSET
            body(f, writes)

        return run

    def _local(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        if e.data.definition is None:
            return self._unknown(number, path, e, tree)
        return self.write(number, path, e.data.definition) or _nothing

    def _const(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        if not fits(tree, e.data):
            return self._cut(number, path)
        return self._divided(number, path, e, tree)

    def _fn(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        """The keys are those of a known set; what is below them is not looked at."""
        source = e.args[0]
        if isinstance(tree, Classes) or len(e.args) != 2 or not source.is_const or not _same_keys(source.data, tree):
            return self._cut(number, path)
        if any(below is not None for below in tree.values()):
            return self._cut_all(number, path, tree)
        return self._divided(number, path, e, tree)

    def _var(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        """Another part of the same variable, or another variable, with the same keys."""
        if self.shapes.has(e.data.number, e.data.path) and self._alike(
            self.shapes.node(e.data.number, e.data.path), tree
        ):
            return self._divided(number, path, e, tree)
        return self._cut(number, path)

    def _alike(self, one: Tree, other: Tree) -> bool:
        if one is None or other is None:
            return other is None
        if isinstance(one, Classes) or isinstance(other, Classes):
            return False
        return list(one) == list(other) and all(self._alike(one[key], other[key]) for key in one)

    def _unknown(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        return self._cut(number, path)

    def _divided(self, number: int, path: Path, e: E, tree: Tree) -> Write:
        slots, value = self.shapes.below(number, path), self.compiler.result(e)
        self.slots |= set(slots)
        divided = self.shapes.divided

        def run(f: Frame, writes: dict[int, Any]) -> None:
            writes |= zip(slots, divided(tree, value(f)))

        return run

    def _cut(self, number: int, path: Path) -> Write:
        self.cuts.add((number, path))
        return _nothing

    def _cut_all(self, number: int, path: Path, tree: Tree) -> Write:
        self.cuts |= {(number, (*path, key)) for key, below in tree.items() if below is not None}
        return _nothing

    # Choices

    def chosen(self, number: int, e: E) -> Callable[[Frame, Any], dict[int, Any]]:
        """Writes an element of a set."""
        tree = self.shapes.node(number, ())
        if tree is not None and not (e.is_const and all_fit(tree, e.data)):
            self.cuts.add((number, ()))
        slots, divided = self.shapes.below(number, ()), self.shapes.divided
        self.slots |= set(slots)
        return lambda f, value: dict(zip(slots, divided(tree, value)))


def _settled(slots: list[int], elements: list[Run]) -> Run:
    """Elements with the slots that they are in, which are known whatever the elements are."""
    return lambda f: [(slot, element(f)) for slot, element in zip(slots, elements)]


def _sorted_out(slots: list[int], classes: Classes, elements: Run, guard: Callable[[Fault, Frame], Fault]) -> Run:
    """The elements of a set with the slots that they turn out to be in."""

    def run(f: Frame) -> Any:
        group = elements(f)
        if type(group) is not frozenset:
            raise guard(Fault(f"{show(group)}, {kind(group)}, is no set"), f)
        return [(slots[classes.of(element)], element) for element in group]

    return run


def amended(value: Any, *changes: Any) -> Any:
    """A set with elements added and taken away, one after the other."""
    try:
        for sign, element in changes:
            value = (union if sign else difference)(value, frozenset((element,)))
    except Fault as fault:
        raise error_of(fault) from None
    return value


def sorted_changes(changes: list[Any]) -> list[Any]:
    """In one order whatever the order of the sets that they came from was; additions and removals keep theirs."""
    if len(changes) == 1:
        return changes
    runs: list[list[Any]] = []
    for change in changes:
        if not runs or runs[-1][0][0] != change[0]:
            runs.append([])
        runs[-1].append(change)
    return [change for run in runs for change in sorted(run, key=lambda one: rank(one[1]))]


def _changes(e: E, var: Var) -> Iterator[tuple[bool, E] | None]:
    """What is added to a variable (True) or taken from it (False), in order; None when it is something else."""
    if e.op == "var" and e.data == var:
        return
    if e.op == "call" and e.data in (CUP, MINUS):
        one, other = e.args
        if e.data is CUP and var in other.reads and var not in one.reads:
            one, other = other, one
        if not any(v.number == var.number for v in other.reads if not v.path or not is_class(v.path[-1])):
            yield from _changes(one, var)
            yield e.data is CUP, other
            return
    if e.op == "local" and e.data.definition is not None:
        yield from _changes(e.data.definition, var)
        return
    yield None


def fits(tree: Tree, value: Any) -> bool:
    """Whether a value can be divided as a tree says."""
    if tree is None:
        return True
    if isinstance(tree, Classes):
        return type(value) is frozenset
    if type(value) is not tuple or domain(value) != frozenset(tree):
        return False
    return all(fits(tree[key], item) for key, item in pairs_of(value).items())


def all_fit(tree: Tree, group: Any) -> bool:
    """Whether all elements of a set can be divided as a tree says."""
    if tree is None:
        return True
    if isinstance(tree, Classes):
        return False
    match group:
        case frozenset():
            return all(fits(tree, value) for value in group)
        case Functions(source=source, image=image):
            return _same_keys(source, tree) and all(all_fit(below, image) for below in tree.values())
        case Records(fields=fields, images=images):
            return frozenset(fields) == frozenset(tree) and all(
                all_fit(tree[field], image) for field, image in zip(fields, images)
            )
    return False


def _same_keys(group: Any, tree: Tree) -> bool:
    try:
        return as_set(group) == frozenset(tree)
    except Fault:
        return False


def _nothing(f: Frame, writes: dict[int, Any]) -> None:
    """Keeps everything."""


def _all(parts: list[Write]) -> Write:
    if len(parts) == 1:
        return parts[0]

    def run(f: Frame, writes: dict[int, Any]) -> None:
        for part in parts:
            part(f, writes)

    return run
