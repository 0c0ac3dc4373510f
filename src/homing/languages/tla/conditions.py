"""Compiles conditions on states and on steps: what each reads, and what to run for it."""

from __future__ import annotations

from typing import Any

from homing.core.errors import Place
from homing.core.system import Read
from homing.core.values import Short, encode
from homing.languages.tla.access import Library, Pair, Slots, error_of
from homing.languages.tla.closures import Compiler
from homing.languages.tla.frames import NEXT, READ
from homing.languages.tla.ir import E
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
            self._run = compiler.truth(condition, f"'{name}'")
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
        after = Slots(library)
        access = Pair(library, after)
        compiler = Compiler(access, library.enabling)
        self._run = compiler.truth(condition, f"'{name}'")
        self._template = compiler.frame()
        self.before, self.after = Kept(name, tuple(access.reads)), Kept(f"{name}'", tuple(after.reads))

    def holds(self, before: int, after: int) -> bool:
        """Whether a step from what has one number to what has the other satisfies it."""
        frame = self._template[:]
        frame[READ], frame[NEXT] = self.before.shorts[before], self.after.shorts[after]
        try:
            return bool(self._run(frame))
        except Fault as fault:
            raise error_of(fault, f"'{self.name}'") from None


class Kept:
    """A label whose value is the number of what was read."""

    lazy = False

    def __init__(self, name: str, reads: tuple[Read, ...]) -> None:
        self.name = name
        self.reads = reads
        self.after: tuple[int, ...] = ()
        self.place: Place | None = None
        self.shorts: list[Short] = []
        self._numbers: dict[Any, int] = {}

    def value(self, read: Short) -> bool | int:
        """The number of what was read."""
        key = encode(read)
        if key not in self._numbers:
            self._numbers[key] = len(self.shorts)
            self.shorts.append(read)
        return self._numbers[key]
