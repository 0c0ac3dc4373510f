"""Types. A value of any type is laid out flat: so many cells, each a number, a truth value, a clock or a channel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

LOW, HIGH = -(2**15), 2**15 - 1
"""The range of a plain `int`."""
PLAIN = ((LOW, HIGH), (-(2**31), 2**31 - 1))
MOST_CELLS = 100_000


@dataclass(frozen=True)
class Type:
    """What all types have in common."""

    @property
    def cells(self) -> int:
        """How many cells a value takes."""
        return 1

    def leaves(self) -> Iterator[Type]:
        """The types of its cells."""
        yield self

    def has(self, kind: type[Type]) -> bool:
        """Whether one of its cells is of a kind."""
        return isinstance(self, kind)


@dataclass(frozen=True)
class Int(Type):
    low: int = LOW
    high: int = HIGH

    def __str__(self) -> str:
        return "int" if (self.low, self.high) in PLAIN else f"int[{self.low},{self.high}]"


@dataclass(frozen=True)
class Bool(Type):
    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True)
class Scalar(Type):
    """Of a set of its own for each declaration, hence the `number`."""

    number: int
    size: int

    def __str__(self) -> str:
        return f"scalar[{self.size}]"


@dataclass(frozen=True)
class Clock(Type):
    def __str__(self) -> str:
        return "clock"


@dataclass(frozen=True)
class Chan(Type):
    urgent: bool = False
    broadcast: bool = False

    def __str__(self) -> str:
        return ("urgent " if self.urgent else "") + ("broadcast " if self.broadcast else "") + "chan"


@dataclass(frozen=True)
class Void(Type):
    def __str__(self) -> str:
        return "void"


@dataclass(frozen=True)
class Array(Type):
    """From index `low` on; `index` is the type that it was declared with."""

    of: Type
    low: int
    size: int
    index: Scalar | None = None

    @property
    def cells(self) -> int:
        return self.size * self.of.cells

    def leaves(self) -> Iterator[Type]:
        for _ in range(self.size):
            yield from self.of.leaves()

    def has(self, kind: type[Type]) -> bool:
        return self.of.has(kind)

    def __str__(self) -> str:
        return f"array of {self.of}"


@dataclass(frozen=True)
class Struct(Type):
    fields: tuple[tuple[str, Type], ...]

    @property
    def cells(self) -> int:
        return sum(of.cells for _, of in self.fields)

    def leaves(self) -> Iterator[Type]:
        for _, of in self.fields:
            yield from of.leaves()

    def has(self, kind: type[Type]) -> bool:
        return any(of.has(kind) for _, of in self.fields)

    def offset(self, name: str) -> tuple[int, Type] | None:
        """Where a field begins, and of which type it is."""
        at = 0
        for field, of in self.fields:
            if field == name:
                return at, of
            at += of.cells
        return None

    def __str__(self) -> str:
        return "struct { " + " ".join(f"{of} {name};" for name, of in self.fields) + " }"


INT, BOOL, CLOCK, VOID = Int(), Bool(), Clock(), Void()
CONSTANT = Int(-(2**31), 2**31 - 1)
"""A constant `int` has no other bounds."""


def numeric(of: Type) -> bool:
    """Whether one can calculate with it."""
    return isinstance(of, Int | Bool)


def compound(of: Type) -> bool:
    """Whether its values are tuples of cells."""
    return isinstance(of, Array | Struct)


def compatible(target: Type, value: Type) -> bool:
    """Whether a value can be assigned."""
    if numeric(target):
        return numeric(value)
    if isinstance(target, Array) and isinstance(value, Array):
        return target.size == value.size and compatible(target.of, value.of)
    if isinstance(target, Struct) and isinstance(value, Struct):
        return len(target.fields) == len(value.fields) and all(
            one == other and compatible(of, given) for (one, of), (other, given) in zip(target.fields, value.fields)
        )
    return target == value


def choices(of: Type) -> range | None:
    """All values of a type that something can range over."""
    if isinstance(of, Int):
        return range(of.low, of.high + 1)
    if isinstance(of, Bool):
        return range(2)
    if isinstance(of, Scalar):
        return range(of.size)
    return None


def initial(of: Type) -> int | bool:
    """The first value of a cell that has none given: 0, or the least value where that is out of range."""
    if isinstance(of, Bool):
        return False
    if isinstance(of, Int) and not of.low <= 0 <= of.high:
        return of.low
    return 0
