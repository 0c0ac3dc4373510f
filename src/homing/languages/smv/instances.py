"""Modules put in for their instances: what each name of each instance stands for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from homing.languages.smv import syntax as s
from homing.languages.smv.terms import Term, Variable


@dataclass(eq=False)
class Instance:
    """A module with its parameters bound; `path` is empty for main."""

    module: s.Module
    path: str
    names: dict[str, Thing] = field(default_factory=dict)
    inner: list[Instance] = field(default_factory=list)
    depth: int = 0

    def full(self, name: str) -> str:
        """The name of a part of it in the whole model."""
        return f"{self.path}.{name}" if self.path else name

    def all(self) -> Iterator[Instance]:
        """This one and all inside of it, in the order of their declaration."""
        yield self
        for each in self.inner:
            yield from each.all()


@dataclass(frozen=True, eq=False)
class Elements:
    """An array: a thing for each index."""

    low: int
    items: tuple[Thing, ...]


@dataclass(eq=False)
class Deferred:
    """A definition or a parameter: an expression, and the instance whose names it uses."""

    name: str
    body: s.Expression
    scope: Instance
    shared: bool
    """Whether it is a definition."""
    found: Thing | None = None
    busy: bool = False


Thing: TypeAlias = Term | Variable | Instance | Elements | Deferred
