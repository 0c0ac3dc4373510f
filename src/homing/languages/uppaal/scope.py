"""What names stand for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from homing.core.errors import HomingError
from homing.languages.uppaal.syntax import Expression, Function, Node, Parameter
from homing.languages.uppaal.text import unknown
from homing.languages.uppaal.types import Type

if TYPE_CHECKING:
    from homing.languages.uppaal.functions import Compiled
    from homing.languages.uppaal.reading import TemplateText


@dataclass(frozen=True, eq=False)
class Variable:
    """Cells from an address on; a `reference` is a local cell that holds the address of what it stands for."""

    type: Type
    address: int
    const: bool = False
    reference: bool = False


@dataclass(frozen=True, eq=False)
class TypeName:
    type: Type


@dataclass(eq=False)
class FunctionName:
    """A function, compiled where it is declared."""

    node: Function
    scope: Scope
    compiled: Compiled | None = None
    compiling: bool = False


@dataclass(frozen=True, eq=False)
class Template:
    """A template, or what a partial instantiation makes of one."""

    name: str
    parameters: tuple[Parameter, ...]
    text: TemplateText | None = None
    base: Template | None = None
    arguments: tuple[Expression, ...] = ()
    node: Node | None = None


@dataclass(frozen=True, eq=False)
class Process:
    """An instance; its `places` are the names of its locations, with the addresses of tests."""

    name: str
    scope: Scope
    places: tuple[str, ...]
    at: int | None
    """The address of its location, None where it has only one."""


Entity: TypeAlias = Variable | TypeName | FunctionName | Template | Process


@dataclass(eq=False)
class Scope:
    """Names, and the scope around them."""

    outer: Scope | None = None
    names: dict[str, Entity] = field(default_factory=dict)
    owner: str = ""
    """The process, as a prefix of names: `Train(0).`."""

    def find(self, name: str) -> Entity | None:
        """What a name stands for here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def declare(self, name: str, entity: Entity, node: Node) -> None:
        """A new name."""
        if name in self.names:
            raise node.error(f"'{name}' is declared twice")
        self.names[name] = entity

    def known(self, *kinds: type) -> Iterator[str]:
        """All names here of some kinds, the nearest first."""
        scope: Scope | None = self
        while scope is not None:
            yield from (name for name, entity in scope.names.items() if isinstance(entity, kinds))
            scope = scope.outer

    def missing(self, what: str, name: str, node: Node, *kinds: type) -> HomingError:
        """The error for a name that stands for nothing, or for something else."""
        return node.error(*unknown(what, name, self.known(*kinds)))
