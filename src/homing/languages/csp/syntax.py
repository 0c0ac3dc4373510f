"""The abstract syntax of CSP#, as written; every node knows where it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from homing.core.errors import Place


@dataclass(frozen=True, eq=False)
class Node:
    """Something written in a file. Equal to itself only: two prefixes with the same text are two program points."""

    place: Place = field(repr=False)


# Expressions


@dataclass(frozen=True, eq=False)
class Number(Node):
    """An integer."""

    value: int


@dataclass(frozen=True, eq=False)
class Truth(Node):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, eq=False)
class Name(Node):
    """A constant, variable, parameter or bound name; which one, the scope says."""

    name: str


@dataclass(frozen=True, eq=False)
class Item(Node):
    """An element of an array: `a[i][j]`."""

    name: str
    indices: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Unary(Node):
    """`!e` or `-e`."""

    operator: Literal["!", "-"]
    operand: Expression


@dataclass(frozen=True, eq=False)
class Binary(Node):
    """`|| && xor | & ^ == != < <= > >= + - * / %`, and in formulas also `->` and `<->`."""

    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, eq=False)
class Call(Node):
    """`call(cfull, c)` has function `cfull`; a macro with parameters, `min(x, y)`, has its name."""

    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, eq=False)
class Over(Node):
    """`&& i:{0..2}@e` and `|| i:{0..2}@e`."""

    operator: Literal["&&", "||"]
    ranges: tuple[Range, ...]
    body: Expression


@dataclass(frozen=True, eq=False)
class Items(Node):
    """An array literal, `[1(3), 2..5, x]`: each entry is repeated, a range, or single."""

    entries: tuple[Entry, ...]


@dataclass(frozen=True, eq=False)
class Entry(Node):
    """One entry of an array literal: `first`, `first(times)` or `first..last`."""

    first: Expression
    times: Expression | None = None
    last: Expression | None = None


@dataclass(frozen=True, eq=False)
class Range(Node):
    """`x:{0..2}` or `x:{1, 3}`: a name with the values it takes in turn; `..` is written as a pair."""

    name: str
    values: tuple[Expression | tuple[Expression, Expression], ...]


Expression: TypeAlias = Number | Truth | Name | Item | Unary | Binary | Call | Over | Items


# Statements


@dataclass(frozen=True, eq=False)
class Assign(Node):
    """`x = e`, `a[i] = e`; `x++` and `x += e` are written out as assignments."""

    target: Name | Item
    value: Expression


@dataclass(frozen=True, eq=False)
class Local(Node):
    """`var x = e;` inside a block; without a value it is 0."""

    name: str
    value: Expression | None


@dataclass(frozen=True, eq=False)
class IfStatement(Node):
    """`if (c) {…} else {…}`."""

    condition: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...]


@dataclass(frozen=True, eq=False)
class While(Node):
    """`while (c) {…}`."""

    condition: Expression
    body: tuple[Statement, ...]


Statement: TypeAlias = Assign | Local | IfStatement | While


# Processes


@dataclass(frozen=True, eq=False)
class EventName(Node):
    """`e.x.(y+1)`: a name, and arguments that are evaluated when it happens."""

    name: str
    arguments: tuple[Expression, ...] = ()


@dataclass(frozen=True, eq=False)
class EventSet(Node):
    """Events of an alphabet or of hiding: `e.x` for all values of the ranges before `@`."""

    event: EventName
    ranges: tuple[Range, ...] = ()


@dataclass(frozen=True, eq=False)
class Stop(Node):
    """Does nothing."""


@dataclass(frozen=True, eq=False)
class Skip(Node):
    """Terminates."""


@dataclass(frozen=True, eq=False)
class Prefix(Node):
    """`e{statements} -> P`; no event is a tau. `statements` is None where there is no block at all."""

    event: EventName | None
    statements: tuple[Statement, ...] | None
    then: Process


@dataclass(frozen=True, eq=False)
class Output(Node):
    """`c[i]!e1.e2{statements} -> P`."""

    channel: str
    indices: tuple[Expression, ...]
    fields: tuple[Expression, ...]
    statements: tuple[Statement, ...] | None
    then: Process


@dataclass(frozen=True, eq=False)
class Input(Node):
    """`c[i]?[guard]x.5{statements} -> P`: fresh names bind, every other expression has to match."""

    channel: str
    indices: tuple[Expression, ...]
    guard: Expression | None
    fields: tuple[Expression, ...]
    statements: tuple[Statement, ...] | None
    then: Process


@dataclass(frozen=True, eq=False)
class Composition(Node):
    """`P op Q op R` for an operator that is flat: `;` in sequence, the others as CSP# has them."""

    operator: Literal["|||", "||", "[]", "<>", "[*]", "interrupt", ";"]
    parts: tuple[Process, ...]


@dataclass(frozen=True, eq=False)
class Replicated(Node):
    """`||| i:{0..2}; j:{1,3} @ P`, and `|||{n}@P`, which has `count` and no ranges."""

    operator: Literal["|||", "||", "[]", "<>", "[*]", "interrupt", ";"]
    ranges: tuple[Range, ...]
    count: Expression | None
    body: Process


@dataclass(frozen=True, eq=False)
class Hiding(Node):
    r"""`P \ {e, f.1}`."""

    body: Process
    events: tuple[EventSet, ...]


@dataclass(frozen=True, eq=False)
class Guard(Node):
    """`[c] P`."""

    condition: Expression
    body: Process


@dataclass(frozen=True, eq=False)
class Conditional(Node):
    """`if (c) {P} else {Q}`, `ifa`, `ifb`."""

    kind: Literal["if", "ifa", "ifb"]
    condition: Expression
    then: Process
    otherwise: Process | None


@dataclass(frozen=True, eq=False)
class Case(Node):
    """`case { c1: P1 c2: P2 default: P }`."""

    branches: tuple[tuple[Expression, Process], ...]
    default: Process | None


@dataclass(frozen=True, eq=False)
class Atomic(Node):
    """`atomic {P}`."""

    body: Process


@dataclass(frozen=True, eq=False)
class Assertion(Node):
    """The process `assert(e)`: an error in the model when e is false, else `Skip`."""

    condition: Expression


@dataclass(frozen=True, eq=False)
class Reference(Node):
    """`P(e1, e2)`."""

    name: str
    arguments: tuple[Expression, ...]


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


# Declarations


@dataclass(frozen=True, eq=False)
class Definition(Node):
    """`P(x, y) = …;`."""

    name: str
    parameters: tuple[str, ...]
    body: Process
    bounds: tuple[tuple[Expression | None, Expression | None], ...] = ()
    """The range of each parameter, as `x:{0..3}` has one; nothing where no parameter has any."""


@dataclass(frozen=True, eq=False)
class Macro(Node):
    """`#define max 5;`, `#define goal x > 0;`, `#define least(a, b) …;`, and each name of an enum as a number."""

    name: str
    parameters: tuple[str, ...]
    body: Expression | Formula


@dataclass(frozen=True, eq=False)
class Variable(Node):
    """`var x:{lo..hi} = e;`, `var a[2][3];`; `hidden` is `hvar`."""

    name: str
    sizes: tuple[Expression, ...]
    low: Expression | None
    high: Expression | None
    value: Expression | None
    hidden: bool = False


@dataclass(frozen=True, eq=False)
class Channel(Node):
    """`channel c 3;`, `channel c[4] 0;`."""

    name: str
    sizes: tuple[Expression, ...]
    capacity: Expression


@dataclass(frozen=True, eq=False)
class Alphabet(Node):
    """`#alphabet P {e, x:{0..2}@f.x};`."""

    process: str
    events: tuple[EventSet, ...]


# Assertions. A formula is an expression, or temporal operators over expressions and events.


@dataclass(frozen=True, eq=False)
class Temporal(Node):
    """`[] <> X ! U R W && || -> <->` where at least one operand speaks of time or of events."""

    operator: str
    operands: tuple[Formula, ...]


@dataclass(frozen=True, eq=False)
class Happening(Node):
    """An event in a formula, `eat.0`; `kind` is `!` or `?` for one end of a channel, `indices` its element."""

    event: EventName
    kind: Literal["", "!", "?"] = ""
    indices: tuple[Expression, ...] = ()


Formula: TypeAlias = Expression | Temporal | Happening

Question: TypeAlias = Literal["deadlockfree", "nonterminating", "divergencefree", "deterministic"]
Fairness: TypeAlias = Literal["none", "event-weak", "event-strong", "process-weak", "process-strong", "strong-global"]


@dataclass(frozen=True, eq=False)
class Asks(Node):
    """`#assert P() deadlockfree;`; `text` is what stands between `#assert` and `;`, with single spaces."""

    text: str
    process: Process
    question: Question


@dataclass(frozen=True, eq=False)
class Reaches(Node):
    """`#assert P() reaches goal with min(e);`."""

    text: str
    process: Process
    goal: Expression
    sense: Literal["min", "max"] | None = None
    measure: Expression | None = None


@dataclass(frozen=True, eq=False)
class Satisfies(Node):
    """`#assert P() |= formula;`, with the fairness that a comment `//@fairness` above it asks for."""

    text: str
    process: Process
    formula: Formula
    fairness: Fairness | None = None


@dataclass(frozen=True, eq=False)
class RefinesAssertion(Node):
    """`#assert P() refines<FD> Q();`."""

    text: str
    process: Process
    specification: Process
    sense: Literal["T", "F", "FD"] = "T"


Ask: TypeAlias = Asks | Reaches | Satisfies | RefinesAssertion
Declaration: TypeAlias = Definition | Macro | Variable | Channel | Alphabet | Ask


@dataclass(frozen=True)
class Source:
    """A whole file."""

    file: str
    macros: tuple[Macro, ...]
    variables: tuple[Variable, ...]
    channels: tuple[Channel, ...]
    definitions: tuple[Definition, ...]
    alphabets: tuple[Alphabet, ...]
    assertions: tuple[Ask, ...]
