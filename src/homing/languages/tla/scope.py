"""What a name can stand for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from homing.core.errors import HomingError, Place
from homing.languages.tla.syntax import Node


@dataclass(frozen=True, eq=False)
class Builtin:
    """An operator that is written in Python; `lazy` when it takes and may return sets that are not listed."""

    name: str
    arity: int
    function: Callable[..., Any] | None = None
    lazy: bool = False
    operators: tuple[int, ...] = ()
    """By argument, the arity of the operator that it must be; 0 for a value."""
    outside: bool = False
    """Whether it reads or writes files, so that it is evaluated where it stands and not before."""


@dataclass(eq=False)
class Bound:
    """A parameter, or a name that a quantifier binds."""

    name: str
    arity: int = 0

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Binder:
    """`x, y \\in S` with its names as symbols."""

    names: tuple[Bound, ...]
    is_tuple: bool
    domain: Node


@dataclass(frozen=True, eq=False)
class Variable:
    """A variable of the specification that is checked."""

    name: str
    number: int
    place: Place


@dataclass(frozen=True, eq=False)
class Constant:
    """A constant of the specification that is checked; the configuration says what it is."""

    name: str
    arity: int
    place: Place


@dataclass(frozen=True)
class Label:
    """`label(x) :: body`: a part of a definition that has a name; `labels` are those inside it."""

    parameters: tuple[Bound, ...]
    body: Node
    labels: dict[str, Label]


@dataclass(eq=False)
class Definition:
    """`name(parameters) == body`; `body` is None until a RECURSIVE operator is defined."""

    name: str
    parameters: tuple[Bound, ...]
    body: Node | None
    place: Place
    module: str
    recursive: bool = False
    function: bool = False
    outer: tuple[Bound | Definition, ...] = ()
    """Parameters of the instance that it is in, and names bound around that: a call from outside gives them first."""
    variable: bool = False
    """Whether it stands for a variable of an instance."""
    labels: dict[str, Label] = field(default_factory=dict)

    @property
    def arity(self) -> int:
        return len(self.parameters)

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, eq=False)
class Namespace:
    """`I(p) == INSTANCE M`: what `I(a)!Op` finds."""

    name: str
    parameters: tuple[Bound, ...]
    scope: Scope

    @property
    def arity(self) -> int:
        return len(self.parameters)


Symbol = Builtin | Bound | Variable | Constant | Definition | Namespace


@dataclass
class Scope:
    """Names and what they stand for, inside those of `parent`."""

    parent: Scope | None = None
    names: dict[str, Symbol] = field(default_factory=dict)
    local: set[str] = field(default_factory=set)
    """Names that those who extend or instance the module do not see."""
    given: set[str] = field(default_factory=set)
    """Constants and variables that an instance was given something for."""
    outer: tuple[Bound | Definition, ...] = ()
    constant: frozenset[Bound] = frozenset()
    """Parameters of an instance that must be constants: its module has variables, and constants that they stand for."""

    def find(self, name: str) -> Symbol | None:
        """What a name stands for."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    def captured(self) -> Iterator[Bound | Definition]:
        """What names stand for that are bound around an expression in a module: parameters, quantifiers, LET."""
        scope = self
        while scope.parent is not None and scope.parent.parent is not None:
            yield from (symbol for symbol in scope.names.values() if isinstance(symbol, Bound | Definition))
            scope = scope.parent

    def inside(self, symbols: Iterable[tuple[str, Symbol]]) -> Scope:
        """A scope with some names more."""
        return Scope(self, dict(symbols), outer=self.outer)

    def exported(self) -> Iterator[tuple[str, Symbol]]:
        """What those who extend the module see."""
        return ((name, symbol) for name, symbol in self.names.items() if name not in self.local)

    def known(self) -> list[str]:
        """All names, the nearest first."""
        found: dict[str, None] = {}
        scope: Scope | None = self
        while scope is not None:
            found |= dict.fromkeys(name for name, symbol in scope.names.items() if not isinstance(symbol, Builtin))
            scope = scope.parent
        return list(found)


def unknown(message: str, name: str, known: Iterable[str], place: Place) -> HomingError:
    """The error for a name that nothing has: those that look like it, or else all that there are."""
    known = list(known)
    close = get_close_matches(name, known, 3)
    if not close:
        return HomingError(message, place, known)
    *others, last = [f"'{one}'" for one in close]
    return HomingError(f"{message}; did you mean {', '.join(others) + ' or ' if others else ''}{last}?", place)
