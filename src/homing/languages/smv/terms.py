"""What expressions mean once names are resolved: terms over variables, with types.

Truth values are bools, numbers and words ints, symbols strings: what a term is of is known before anything runs, so
that words need not carry their width.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from homing.core.errors import Place
from homing.core.values import Value

Scalar: TypeAlias = bool | int | str


@dataclass(frozen=True, slots=True)
class Type:
    """Of a value, or of the members of a set."""

    kind: Literal["boolean", "integer", "symbolic", "mixed", "word"]
    width: int = 0
    signed: bool = False

    def __str__(self) -> str:
        match self.kind:
            case "word":
                return f"{'signed' if self.signed else 'unsigned'} word[{self.width}]"
            case "integer":
                return "a number"
            case "symbolic":
                return "a symbol"
            case "mixed":
                return "a symbol or a number"
        return "boolean"


BOOLEAN, INTEGER, SYMBOLIC, MIXED = Type("boolean"), Type("integer"), Type("symbolic"), Type("mixed")


@dataclass(eq=False)
class Variable:
    """A variable of the flat model; `kind` as declared, frozen ones also where `next(x) := x`."""

    name: str
    type: Type
    domain: Sequence[Scalar]
    kind: Literal["VAR", "IVAR", "FROZENVAR"]
    place: Place
    number: int = -1
    body: Term | None = None
    """What it always is, where `x := e` says so."""
    still: bool = False
    """Whether it never changes."""

    def allows(self, value: Scalar) -> bool:
        """Whether it can have a value."""
        return value in self.domain

    def __str__(self) -> str:
        return self.name

    @property
    def choices(self) -> str:
        """Its values, for people."""
        if isinstance(self.domain, range):
            return f"{self.domain[0]}..{self.domain[-1]}"
        return "{" + ", ".join(map(show, self.domain)) + "}"


def show(value: Value) -> str:
    """A value as NuSMV writes it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value)


@dataclass(eq=False)
class Term:
    """The base of all terms; `is_set` where it stands for a choice between values."""

    type: Type
    at: int
    is_set: bool = field(default=False, init=False)
    fails: bool | None = field(default=None, init=False, repr=False)
    """Whether an evaluation may be an error, once that was asked."""

    @property
    def parts(self) -> tuple[Term, ...]:
        """The terms it is made of."""
        return ()


@dataclass(eq=False)
class Constant(Term):
    """A value."""

    value: Scalar


@dataclass(eq=False)
class Ref(Term):
    """A variable, now; inside of `Next`, then."""

    variable: Variable


@dataclass(eq=False)
class Next(Term):
    """`next(e)`: all variables of it in the next state."""

    body: Term

    @property
    def parts(self) -> tuple[Term, ...]:
        return (self.body,)


@dataclass(eq=False)
class Shared(Term):
    """What a definition stands for, wherever it is used: one object, evaluated once."""

    name: str
    body: Term
    known: dict[bool, frozenset[Atom]] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        self.is_set = self.body.is_set

    @property
    def parts(self) -> tuple[Term, ...]:
        return (self.body,)


@dataclass(eq=False)
class Apply(Term):
    """A strict function of values."""

    operator: str
    function: Callable[..., Any]
    operands: tuple[Term, ...]

    @property
    def parts(self) -> tuple[Term, ...]:
        return self.operands


@dataclass(eq=False)
class Logical(Term):
    """`and`, `or`, `not`, `implies`, `iff`, evaluated from left to right as far as needed."""

    operator: str
    operands: tuple[Term, ...]

    @property
    def parts(self) -> tuple[Term, ...]:
        return self.operands


@dataclass(eq=False)
class Equal(Term):
    """`a = b`."""

    left: Term
    right: Term

    @property
    def parts(self) -> tuple[Term, ...]:
        return (self.left, self.right)


@dataclass(eq=False)
class Member(Term):
    """`a in b`."""

    left: Term
    right: Term

    @property
    def parts(self) -> tuple[Term, ...]:
        return (self.left, self.right)


@dataclass(eq=False)
class Choice(Term):
    """`case`: the first branch whose condition is true."""

    branches: tuple[tuple[Term, Term], ...]

    def __post_init__(self) -> None:
        self.is_set = any(value.is_set for _, value in self.branches)

    @property
    def parts(self) -> tuple[Term, ...]:
        return tuple(part for branch in self.branches for part in branch)


@dataclass(eq=False)
class Among(Term):
    """`{a, b}` and `union`: one of the values of its items."""

    items: tuple[Term, ...]

    def __post_init__(self) -> None:
        self.is_set = True

    @property
    def parts(self) -> tuple[Term, ...]:
        return self.items


@dataclass(eq=False)
class Span(Term):
    """`low..high`."""

    low: Term
    high: Term

    def __post_init__(self) -> None:
        self.is_set = True

    @property
    def parts(self) -> tuple[Term, ...]:
        return (self.low, self.high)


@dataclass(eq=False)
class Pick(Term):
    """An element of an array by an index that is not known before."""

    index: Term
    low: int
    elements: tuple[Term, ...]

    def __post_init__(self) -> None:
        self.is_set = any(element.is_set for element in self.elements)

    @property
    def parts(self) -> tuple[Term, ...]:
        return (self.index, *self.elements)

    @property
    def is_inside(self) -> bool:
        """Whether it is plain that the index is never out of bounds."""
        if not isinstance(self.index, Ref):
            return False
        domain = self.index.variable.domain
        return all(0 <= int(value) - self.low < len(self.elements) for value in (min(domain), max(domain)))


Atom: TypeAlias = tuple[Variable, bool]
"""A variable, now or (True) in the next state."""


def atoms(term: Term, primed: bool = False) -> frozenset[Atom]:
    """The variables that a term depends on; what always is something else counts as what that depends on."""
    found: set[Atom] = set()
    waiting: list[tuple[Term, bool]] = [(term, primed)]
    while waiting:
        part, after = waiting.pop()
        match part:
            case Ref(variable=variable):
                if variable.body is not None:
                    waiting.append((variable.body, after))
                else:
                    found.add((variable, after and not variable.still))
            case Next(body=body):
                waiting.append((body, True))
            case Shared():
                if after not in part.known:
                    part.known[after] = atoms(part.body, after)
                found |= part.known[after]
            case _:
                waiting += [(each, after) for each in part.parts]
    return frozenset(found)


def may_fail(term: Term) -> bool:
    """Can an evaluation of the term be an error: a division by zero, an index or a shift out of bounds, no branch?"""
    if term.fails is None:
        term.fails = (
            (isinstance(term, Pick) and not term.is_inside)
            or (isinstance(term, Apply) and term.operator in ("/", "mod", "<<", ">>"))
            or (isinstance(term, Choice) and not isinstance(term.branches[-1][0], Constant))
            or any(map(may_fail, term.parts))
        )
    return term.fails


def walk(term: Term) -> Iterator[Term]:
    """The term and all below it, definitions once."""
    waiting, seen = [term], set[int]()
    while waiting:
        part = waiting.pop()
        if isinstance(part, Shared):
            if id(part) in seen:
                continue
            seen.add(id(part))
        yield part
        waiting += part.parts[::-1]
