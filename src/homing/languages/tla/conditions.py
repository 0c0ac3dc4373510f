"""Compiles conditions on states and on steps: what each reads, and what to run for it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from homing.core.errors import Place
from homing.core.system import Read
from homing.core.values import Short, encode, key_of
from homing.languages.tla.access import Library, Pair, Slots, error_of
from homing.languages.tla.closures import Compiler
from homing.languages.tla.frames import NEXT, READ, UNSET
from homing.languages.tla.hoisting import Hoisting, slots_read
from homing.languages.tla.ir import E, Var, conjuncts
from homing.languages.tla.modules.logic import EQUAL
from homing.languages.tla.slots import Shapes
from homing.languages.tla.values import Fault


class LabelUnit:
    """A condition on states; evaluated from left to right, it looks at little of what it reads."""

    lazy = True

    def __init__(self, name: str, condition: E, library: Library, after: tuple[int, ...] = ()) -> None:
        self.name = name
        self.after = after
        self.place = condition.place
        whole: frozenset[int] = frozenset()
        for _ in range(2):
            access = Slots(library, whole)
            compiler = Compiler(access, library.enabling)
            self._run = compiler.condition(condition, f"'{name}'")
            self._template = compiler.frame()
            whole = frozenset(access.read_whole)
        self.reads = tuple(access.reads)

    def value(self, read: Short) -> bool | int:
        """Whether it is true."""
        frame = self._template[:]
        frame[READ] = read
        try:
            return bool(self._run(frame))
        except Fault as fault:
            raise error_of(fault, f"'{self.name}'") from None


class PairUnit:
    """A condition on steps: what it reads before and after them, each kept under a number."""

    def __init__(self, name: str, condition: E, library: Library) -> None:
        self.name = name
        self.place = condition.place
        whole, later = frozenset[int](), frozenset[int]()
        self._memos: list[tuple[int, int, dict[int, list[Any]]]] = []
        for _ in range(2):
            after = Slots(library, later)
            access = Pair(library, after, whole)
            compiler = Compiler(access, library.enabling)
            hoisting = Hoisting(library.shapes)
            self._run = compiler.condition(hoisting.once(condition), f"'{name}'", read_after=True)
            self._memos = [(compiler.index(cell), count, {}) for cell, count in hoisting.sides()]
            self._template = compiler.frame()
            whole, later = frozenset(access.read_whole), frozenset(after.read_whole)
        self.before, self.after = (
            _kept(reads, shown, library) for reads, shown in ((access.reads, name), (after.reads, f"{name}'"))
        )

    def holds(self, before: int, after: int) -> bool:
        """Whether a step from what has one number to what has the other satisfies it."""
        frame = self._template[:]
        frame[READ], frame[NEXT] = self.before.shorts[before], self.after.shorts[after]
        for (index, count, known), number in zip(self._memos, (before, after)):
            if count:
                if number not in known:
                    known[number] = [UNSET] * count
                frame[index] = known[number]
        try:
            return bool(self._run(frame))
        except Fault as fault:
            raise error_of(fault, f"'{self.name}'") from None


FEW = 2
"""Slots that the part that is asked first may read."""


def first_part(e: E, shapes: Shapes) -> E | None:
    """The conjuncts that a condition starts with, as far as they read few slots, if all of it reads more."""
    found: list[E] = []
    for part in conjuncts(e):
        if part.cells or len(slots_read((*found, part), shapes)) > FEW:
            break
        found.append(part)
    if not found or len(slots_read((e,), shapes)) <= 2 * FEW:
        return None
    return found[0] if len(found) == 1 else E("and", tuple(found), None, e.place)


def slots_kept(e: E, shapes: Shapes) -> frozenset[int]:
    """Slots that have the same value before and after every step that satisfies a condition."""
    if e.op == "unchanged":
        return frozenset(slot for var in e.data for slot in _below(var, shapes))
    if e.op == "and":
        return frozenset().union(*(slots_kept(arg, shapes) for arg in e.args))
    if e.op in ("exists", "let"):
        return slots_kept(e.args[-1], shapes)
    if e.op == "call" and e.data is EQUAL and e.args[0].op == e.args[1].op == "var":
        one, other = (arg.data for arg in e.args)
        if one.primed != other.primed and (one.number, one.path) == (other.number, other.path):
            return frozenset(_below(one, shapes))
    return frozenset()


def _below(var: Var, shapes: Shapes) -> list[int]:
    return shapes.below(var.number, var.path) if shapes.has(var.number, var.path) else []


def kept(slots: Iterable[int], name: str, library: Library) -> Kept:
    """What numbers the values of some slots."""
    return _kept([Read(slot) for slot in sorted(slots)], name, library)


def _kept(reads: list[Read], name: str, library: Library) -> Kept:
    """What numbers the reads: one for all conditions that read the same, since they ask about the same pairs."""
    found: Kept = library.kept.setdefault(tuple(reads), Kept(name, tuple(reads)))
    return found


class Kept:
    """A label whose value is the number of what was read: the same number for the same, and only for that."""

    lazy = False

    def __init__(self, name: str, reads: tuple[Read, ...]) -> None:
        self.name = name
        self.reads = reads
        self.after: tuple[int, ...] = ()
        self.place: Place | None = None
        self.shorts: list[Short] = []
        self._numbers: dict[bytes, int] = {}
        self._found: dict[bytes, int] = {}

    def value(self, read: Short) -> bool | int:
        """The number of what was read."""
        number = self._found.get(quick := key_of(read))
        if number is None:
            number = self._found[quick] = self._numbers.setdefault(encode(read), len(self.shorts))
            if number == len(self.shorts):
                self.shorts.append(read)
        return number
