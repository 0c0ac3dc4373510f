"""What the parser makes of a module: names are not yet looked up.

An expression is a `Node`. Every application of an operator, be it a name, `+` or `\\cup`, has the kind `op` and the
operator's name as its data; the other kinds are those of `parse.EXPRESSIONS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from homing.core.errors import Place


class Node:
    """An expression; `data` is what is not an expression in it: a name, a value, bound names."""

    __slots__ = ("args", "data", "kind", "place")

    def __init__(self, kind: str, args: tuple[Node, ...], data: Any, place: Place) -> None:
        self.kind = kind
        self.args = args
        self.data = data
        self.place = place


@dataclass(frozen=True)
class Bounds:
    """`x, y \\in S` or `<<x, y>> \\in S`."""

    names: tuple[str, ...]
    is_tuple: bool
    domain: Node


@dataclass(frozen=True)
class Parameter:
    """A declared name; an operator with places for arguments when its arity is not 0."""

    name: str
    arity: int
    place: Place


@dataclass(frozen=True)
class Constants:
    """`CONSTANTS C, Op(_, _)`."""

    declared: tuple[Parameter, ...]


@dataclass(frozen=True)
class Variables:
    """`VARIABLES x, y`."""

    declared: tuple[Parameter, ...]


@dataclass(frozen=True)
class Recursive:
    """`RECURSIVE Op(_)`."""

    declared: tuple[Parameter, ...]


@dataclass(frozen=True)
class Operator:
    """`Op(a, b) == body`; a function definition `f[x \\in S] == e` has the body `[x \\in S |-> e]` and is recursive."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Node
    place: Place
    local: bool = False
    function: bool = False


@dataclass(frozen=True)
class Instance:
    """`Name(p) == INSTANCE Module WITH x <- e`; without a name all its definitions become those of this module."""

    name: str | None
    parameters: tuple[Parameter, ...]
    module: str
    substitutions: tuple[tuple[str, Node], ...]
    place: Place
    local: bool = False


@dataclass(frozen=True)
class Assumption:
    """`ASSUME P`."""

    name: str | None
    body: Node
    place: Place


Unit = Constants | Variables | Recursive | Operator | Instance | Assumption


@dataclass(frozen=True)
class Module:
    """A module as it is written; `inner` are the modules inside it, by name."""

    name: str
    extends: tuple[tuple[str, Place], ...]
    units: tuple[Unit, ...]
    inner: dict[str, Module]
    place: Place
