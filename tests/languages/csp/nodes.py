"""The syntax trees of the oracle: its own, so that it shares nothing with the front end of Homing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias


@dataclass(frozen=True, eq=False)
class Node:
    """Something written; equal to itself only, for two prefixes with the same text are two points of a program."""


@dataclass(frozen=True, eq=False)
class Number(Node):
    value: int


@dataclass(frozen=True, eq=False)
class Truth(Node):
    value: bool


@dataclass(frozen=True, eq=False)
class Name(Node):
    name: str


@dataclass(frozen=True, eq=False)
class Item(Node):
    name: str
    indices: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Unary(Node):
    operator: str
    operand: Expression


@dataclass(frozen=True, eq=False)
class Binary(Node):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Call(Node):
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Range(Node):
    name: str
    values: tuple[Expression | tuple[Expression, Expression], ...]


@dataclass(frozen=True, eq=False)
class Over(Node):
    operator: str
    ranges: tuple[Range, ...]
    body: Expression


@dataclass(frozen=True, eq=False)
class Entry(Node):
    first: Expression
    times: Expression | None = None
    last: Expression | None = None


@dataclass(frozen=True, eq=False)
class Items(Node):
    entries: tuple[Entry, ...]


Expression: TypeAlias = Number | Truth | Name | Item | Unary | Binary | Call | Over | Items


@dataclass(frozen=True, eq=False)
class Assign(Node):
    target: Name | Item
    value: Expression


@dataclass(frozen=True, eq=False)
class Local(Node):
    name: str
    value: Expression | None


@dataclass(frozen=True, eq=False)
class IfStatement(Node):
    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, eq=False)
class While(Node):
    condition: Expression
    body: tuple[Statement, ...]


Statement: TypeAlias = Assign | Local | IfStatement | While


@dataclass(frozen=True, eq=False)
class EventName(Node):
    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, eq=False)
class EventSet(Node):
    event: EventName
    ranges: tuple[Range, ...] = ()


@dataclass(frozen=True, eq=False)
class Stop(Node):
    pass


@dataclass(frozen=True, eq=False)
class Skip(Node):
    pass


@dataclass(frozen=True, eq=False)
class Prefix(Node):
    event: EventName | None
    statements: tuple[Statement, ...] | None
    then: Process


@dataclass(frozen=True, eq=False)
class Output(Node):
    channel: str
    indices: tuple[Expression, ...]
    fields: tuple[Expression, ...]
    statements: tuple[Statement, ...] | None
    then: Process


@dataclass(frozen=True, eq=False)
class Input(Node):
    channel: str
    indices: tuple[Expression, ...]
    guard: Expression | None
    fields: tuple[Expression, ...]
    statements: tuple[Statement, ...] | None
    then: Process


@dataclass(frozen=True, eq=False)
class Composition(Node):
    operator: str
    parts: tuple[Process, ...]


@dataclass(frozen=True, eq=False)
class Replicated(Node):
    operator: str
    ranges: tuple[Range, ...]
    count: Expression | None
    body: Process


@dataclass(frozen=True, eq=False)
class Hiding(Node):
    body: Process
    events: tuple[EventSet, ...]


@dataclass(frozen=True, eq=False)
class Guard(Node):
    condition: Expression
    body: Process


@dataclass(frozen=True, eq=False)
class Conditional(Node):
    kind: str
    condition: Expression
    then: Process
    otherwise: Process | None


@dataclass(frozen=True, eq=False)
class Case(Node):
    branches: tuple[tuple[Expression, Process], ...]
    default: Process | None


@dataclass(frozen=True, eq=False)
class Atomic(Node):
    body: Process


@dataclass(frozen=True, eq=False)
class Assertion(Node):
    condition: Expression


@dataclass(frozen=True, eq=False)
class Reference(Node):
    name: str
    arguments: tuple[Expression, ...] = ()


Process: TypeAlias = (
    Stop
    | Skip
    | Prefix
    | Output
    | Input
    | Composition
    | Replicated
    | Hiding
    | Guard
    | Conditional
    | Case
    | Atomic
    | Assertion
    | Reference
)


@dataclass(frozen=True, eq=False)
class Definition(Node):
    name: str
    parameters: tuple[str, ...]
    body: Process
    bounds: tuple[tuple[Expression | None, Expression | None], ...] = ()


@dataclass(frozen=True, eq=False)
class Macro(Node):
    name: str
    parameters: tuple[str, ...]
    body: Expression


@dataclass(frozen=True, eq=False)
class Variable(Node):
    name: str
    sizes: tuple[Expression, ...]
    low: Expression | None
    high: Expression | None
    value: Expression | None
    hidden: bool


@dataclass(frozen=True, eq=False)
class Channel(Node):
    name: str
    sizes: tuple[Expression, ...]
    capacity: Expression


@dataclass(frozen=True, eq=False)
class Alphabet(Node):
    process: str
    events: tuple[EventSet, ...]


@dataclass(frozen=True, eq=False)
class Temporal(Node):
    """An operator of LTL over formulas; what it is over may be an expression."""

    operator: str
    operands: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Happening(Node):
    """An event in a formula: `a.1`, and with `kind` one end of a channel."""

    name: str
    indices: tuple[Expression, ...]
    kind: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Ask(Node):
    """`#assert P() question;`: the question has a word, and what else it needs."""

    process: Reference
    question: str
    about: tuple[Any, ...] = ()


@dataclass
class Source:
    """A whole file."""

    macros: list[Macro] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    channels: list[Channel] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    alphabets: list[Alphabet] = field(default_factory=list)
    asks: list[Ask] = field(default_factory=list)
