"""The syntax tree of UPPAAL's texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from homing.core.errors import HomingError, Place
from homing.languages.uppaal.text import Text


@dataclass(frozen=True, eq=False)
class Node:
    """Something in a text, from one offset to another."""

    source: Text = field(repr=False)
    start: int = field(repr=False)
    end: int = field(repr=False)

    @property
    def place(self) -> Place:
        """Where it begins."""
        return self.source.place(self.start)

    @property
    def words(self) -> str:
        """How it is written, on one line."""
        return " ".join(self.source.value[self.start : self.end].split())

    @property
    def balanced(self) -> str:
        """The same with the parentheses around its first and last part: `(a) + (b)`, where `words` is `a) + (b`."""
        text = self.source.value
        start, end, depth = self.start, self.end, 0
        for sign in text[start:end]:
            depth += (sign == "(") - (sign == ")")
            if depth < 0:
                start, depth = text.rindex("(", 0, start), 0
        for _ in range(depth):
            end = text.index(")", end) + 1
        return " ".join(text[start:end].split())

    def error(self, message: str, known: tuple[str, ...] | list[str] = ()) -> HomingError:
        """A mistake in it."""
        return self.source.error(self.start, message, known)


# Expressions


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
class Deadlock(Node):
    pass


@dataclass(frozen=True, eq=False)
class Index(Node):
    of: Expression
    at: Expression


@dataclass(frozen=True, eq=False)
class Member(Node):
    of: Expression
    name: str


@dataclass(frozen=True, eq=False)
class Call(Node):
    of: Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Rate(Node):
    """`x'`."""

    of: Expression


@dataclass(frozen=True, eq=False)
class Unary(Node):
    """`-`, `+`, `!`."""

    operator: str
    operand: Expression


@dataclass(frozen=True, eq=False)
class Stepped(Node):
    """`x++` and the like; with `prefix`, the value is the new one."""

    operator: str
    operand: Expression
    prefix: bool


@dataclass(frozen=True, eq=False)
class Binary(Node):
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Assign(Node):
    """`=`, or with an operator as in `+=`."""

    operator: str
    target: Expression
    value: Expression


@dataclass(frozen=True, eq=False)
class Conditional(Node):
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, eq=False)
class Quantified(Node):
    quantifier: str
    name: str
    type: TypeNode
    body: Expression


@dataclass(frozen=True, eq=False)
class Initialiser(Node):
    """`{1, 2}` or `{a: 1, b: {2, 3}}`."""

    values: tuple[tuple[str | None, Expression], ...]


Expression: TypeAlias = (
    Number
    | Truth
    | Name
    | Deadlock
    | Index
    | Member
    | Call
    | Rate
    | Unary
    | Stepped
    | Binary
    | Assign
    | Conditional
    | Quantified
    | Initialiser
)

# Types and declarations


@dataclass(frozen=True, eq=False)
class TypeNode(Node):
    """A type as it is written: `base` is `int`, `bool`, `clock`, `chan`, `scalar`, `struct`, `void` or `named`."""

    prefixes: frozenset[str]
    base: str
    name: str = ""
    bounds: tuple[Expression, ...] = ()
    fields: tuple[tuple[TypeNode, Declared], ...] = ()


Size: TypeAlias = Expression | TypeNode


@dataclass(frozen=True, eq=False)
class Declared(Node):
    """A name with the sizes of an array, and perhaps a first value."""

    name: str
    sizes: tuple[Size, ...]
    initial: Expression | None = None


@dataclass(frozen=True, eq=False)
class Variables(Node):
    type: TypeNode
    declared: tuple[Declared, ...]


@dataclass(frozen=True, eq=False)
class Typedef(Node):
    type: TypeNode
    declared: tuple[Declared, ...]


@dataclass(frozen=True, eq=False)
class Parameter(Node):
    type: TypeNode
    reference: bool
    declared: Declared


@dataclass(frozen=True, eq=False)
class Function(Node):
    type: TypeNode
    name: str
    parameters: tuple[Parameter, ...]
    body: Block


@dataclass(frozen=True, eq=False)
class ChannelPriority(Node):
    """From the lowest to the highest; None stands for `default`."""

    levels: tuple[tuple[Expression | None, ...], ...]


Declaration: TypeAlias = Variables | Typedef | Function | ChannelPriority

# Statements


@dataclass(frozen=True, eq=False)
class Block(Node):
    statements: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class Evaluate(Node):
    expressions: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Loop(Node):
    """Every loop with a condition; a `do` tests it after the body."""

    first: Evaluate | None
    condition: Evaluate | None
    step: Evaluate | None
    body: Statement
    after: bool = False


@dataclass(frozen=True, eq=False)
class Iteration(Node):
    """`for (i : T)`."""

    name: str
    type: TypeNode
    body: Statement


@dataclass(frozen=True, eq=False)
class If(Node):
    condition: Evaluate
    then: Statement
    otherwise: Statement | None


@dataclass(frozen=True, eq=False)
class Return(Node):
    value: Expression | None


Statement: TypeAlias = Block | Evaluate | Loop | Iteration | If | Return | Variables | Typedef

# Labels, the system, queries


@dataclass(frozen=True, eq=False)
class Select(Node):
    name: str
    type: TypeNode


@dataclass(frozen=True, eq=False)
class Sync(Node):
    channel: Expression
    sends: bool


@dataclass(frozen=True, eq=False)
class Instantiation(Node):
    """`P(const int a) = T(a, 3);`."""

    name: str
    parameters: tuple[Parameter, ...]
    template: str
    arguments: tuple[Expression, ...]
    """With `template_at`, where the template is named."""
    template_at: int = 0


@dataclass(frozen=True, eq=False)
class SystemNode(Node):
    """What the system section says; `levels` are the processes by priority, from the lowest to the highest."""

    declarations: tuple[Declaration | Instantiation, ...]
    levels: tuple[tuple[Name, ...], ...]


@dataclass(frozen=True, eq=False)
class Query(Node):
    """`kind` is `E<>`, `A[]`, `E[]`, `A<>`, `-->`, `sup` or `inf`."""

    kind: str
    conditions: tuple[Expression, ...]
    of: tuple[Expression, ...] = ()
