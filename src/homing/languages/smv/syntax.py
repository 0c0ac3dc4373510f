"""The syntax tree of a NuSMV file; `at` is an offset in its text."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

MOST_BITS = 64
"""The widest word."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name without dots."""

    at: int
    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """An integer."""

    at: int
    value: int


@dataclass(frozen=True, slots=True)
class WordLiteral:
    """`0ud8_255`."""

    at: int
    value: int
    width: int
    signed: bool


@dataclass(frozen=True, slots=True)
class Truth:
    """TRUE or FALSE."""

    at: int
    value: bool


@dataclass(frozen=True, slots=True)
class Self:
    """`self`, the instance itself."""

    at: int


@dataclass(frozen=True, slots=True)
class Field:
    """`base.name`."""

    at: int
    base: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Item:
    """`base[index]`."""

    at: int
    base: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Bits:
    """`word[high:low]`."""

    at: int
    base: Expression
    high: Expression
    low: Expression


@dataclass(frozen=True, slots=True)
class Operation:
    """An operator with its operands, `next` and the temporal ones too; `&` and `|` have two or more."""

    at: int
    operator: str
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Bounded:
    """`EBF low..high p`, `A [p BU low..high q]` as ABU, `F [low, high] p`; no high is no bound."""

    at: int
    operator: str
    low: Expression
    high: Expression | None
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Call:
    """`function(arguments)`."""

    at: int
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """`case c1 : e1; … esac`."""

    at: int
    branches: tuple[tuple[Expression, Expression], ...]


@dataclass(frozen=True, slots=True)
class SetOf:
    """`{a, b}`."""

    at: int
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """`[a, b]` in a DEFINE."""

    at: int
    items: tuple[Expression, ...]


Expression: TypeAlias = (
    Name
    | Number
    | WordLiteral
    | Truth
    | Self
    | Field
    | Item
    | Bits
    | Operation
    | Bounded
    | Call
    | Case
    | SetOf
    | ArrayOf
)

# Types


@dataclass(frozen=True, slots=True)
class BooleanType:
    """`boolean`."""

    at: int


@dataclass(frozen=True, slots=True)
class EnumType:
    """`{a, b, 3}`."""

    at: int
    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class RangeType:
    """`low..high`."""

    at: int
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class WordType:
    """`unsigned word[8]`."""

    at: int
    width: Expression
    signed: bool


@dataclass(frozen=True, slots=True)
class ArrayType:
    """`array low..high of element`."""

    at: int
    low: Expression
    high: Expression
    element: Type


@dataclass(frozen=True, slots=True)
class InstanceType:
    """`module(arguments)`."""

    at: int
    module: str
    arguments: tuple[Expression, ...]


Type: TypeAlias = BooleanType | EnumType | RangeType | WordType | ArrayType | InstanceType

# Declarations

VariableKind: TypeAlias = Literal["VAR", "IVAR", "FROZENVAR"]
AssignKind: TypeAlias = Literal["init", "next", "now"]


@dataclass(frozen=True, slots=True)
class Declaration:
    """`name : type;`."""

    at: int
    kind: VariableKind
    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Definition:
    """`name := body;` of a DEFINE; with `within`, of an instance inside: `within.name := body;`."""

    at: int
    name: str
    body: Expression
    within: Expression | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """`init(left) := right;`."""

    at: int
    kind: AssignKind
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Constraint:
    """INIT, INVAR, TRANS, JUSTICE with one expression, COMPASSION with two."""

    at: int
    kind: str
    conditions: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Specification:
    """CTLSPEC, LTLSPEC or INVARSPEC, as it was written."""

    at: int
    kind: str
    name: str | None
    formula: Expression
    text: str


@dataclass(frozen=True, slots=True)
class Compute:
    """`COMPUTE MIN [start, final]`."""

    at: int
    sense: str
    name: str | None
    start: Expression
    final: Expression
    text: str


@dataclass
class Module:
    """All parts of a MODULE."""

    at: int
    name: str
    parameters: tuple[str, ...]
    variables: list[Declaration] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    constants: list[Name] = field(default_factory=list)
    assignments: list[Assignment] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    specifications: list[Specification | Compute] = field(default_factory=list)
    negated: list[int] = field(default_factory=list)
    """Places of a `-` before `::`."""
