"""UPPAAL's systems as data, for `oracle.py` to interpret, `writing.py` to write and `drawing.py` to draw."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Expr = tuple[Any, ...]
"""`("+", left, right)`; see `Interpreter.value` for all kinds."""
Type = tuple[Any, ...]
"""`("int", low, high)`, `("bool",)`, `("clock",)`, `("chan", urgent, broadcast)`, `("array", of, low, size, text)`,
`("struct", ((name, type), …))`, `("void",)`."""


@dataclass
class Function:
    type: Type
    name: str
    parameters: list[tuple[Type, str, bool]]
    """Type, name, whether by reference."""
    body: list[Expr]


@dataclass
class Variable:
    type: Type
    name: str
    initial: Any = None
    const: bool = False


@dataclass
class Edge:
    source: str
    target: str
    select: list[tuple[str, int, int]] = field(default_factory=list)
    guard: Expr | None = None
    sync: tuple[Expr, bool] | None = None
    """The channel, and whether it sends."""
    update: list[Expr] = field(default_factory=list)


@dataclass
class Location:
    name: str
    invariant: Expr | None = None
    kind: str = ""


@dataclass
class Template:
    name: str
    parameters: list[tuple[Type, str, bool]]
    declarations: list[Variable | Function]
    locations: list[Location]
    edges: list[Edge]


@dataclass
class Process:
    """An instance; arguments are by name, in terms of global names."""

    name: str
    template: Template
    arguments: dict[str, Expr]
    priority: int = 0


@dataclass
class System:
    declarations: list[Variable | Function]
    templates: list[Template]
    processes: list[Process]
    text: str
    """The system section."""
    before: str = ""
    """Text before the declarations: names of types."""
    levels: dict[str, int] = field(default_factory=dict)
    """The priorities of channels, where they differ from the default one."""
    default: int = 0
    channel_text: str = ""
