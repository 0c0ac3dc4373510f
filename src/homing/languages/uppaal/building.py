"""Lark's tree to the syntax tree: operators are put in order, and what is not read is refused by name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta

from homing.core.errors import HomingError
from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.text import Text

Parts = list[Any]
LEVELS = (
    # From the loosest to the tightest; assignments and `?:` group to the right.
    {"ASSIGN", "ASSIGN_OLD", "ASSIGN_WITH"},
    {"TERNARY"},
    {"OR", "XOR", "IMPLY"},
    {"AND"},
    {"BIT_OR"},
    {"BIT_XOR"},
    {"AMPERSAND"},
    {"EQUALITY"},
    {"LESS", "RELATION"},
    {"EXTREME"},
    {"SHIFT"},
    {"PLUS", "MINUS"},
    {"TIMES"},
    {"POWER"},
)
LEVEL = {kind: level for level, kinds in enumerate(LEVELS) for kind in kinds}
RIGHT = 1
"""The last level that groups to the right."""
WORDS = {"and": "&&", "or": "||", "not": "!", ":=": "="}


@dataclass(frozen=True)
class Ternary:
    """An operator between two operands, which has one of its own inside."""

    then: s.Expression
    type: str = "TERNARY"


@v_args(meta=True)
class Builder(Transformer[Token, Any]):
    """One method a rule."""

    def __init__(self, text: Text) -> None:
        super().__init__()
        self.text = text

    def _span(self, meta: Meta) -> tuple[Text, int, int]:
        if meta.empty:
            return self.text, 0, 0
        return self.text, meta.start_pos, meta.end_pos

    # Expressions

    def expression(self, _meta: Meta, parts: Parts) -> s.Expression:
        """Operands with operators between them."""
        return _climb(self.text, parts, 0, 0)[0]

    def ternary(self, _meta: Meta, parts: Parts) -> Ternary:
        """`? then :`."""
        return Ternary(parts[1])

    def prefixed(self, meta: Meta, parts: Parts) -> s.Expression:
        operator = WORDS.get(parts[0], str(parts[0]))
        if operator in ("++", "--"):
            return s.Stepped(*self._span(meta), operator, parts[1], True)
        return s.Unary(*self._span(meta), operator, parts[1])

    def quantified(self, meta: Meta, parts: Parts) -> s.Quantified:
        return s.Quantified(*self._span(meta), str(parts[0]), str(parts[1]), parts[2], parts[3])

    def index(self, meta: Meta, parts: Parts) -> s.Index:
        return s.Index(*self._span(meta), parts[0], parts[1])

    def member(self, meta: Meta, parts: Parts) -> s.Member:
        return s.Member(*self._span(meta), parts[0], str(parts[1]))

    def call(self, meta: Meta, parts: Parts) -> s.Call:
        return s.Call(*self._span(meta), parts[0], parts[1] or ())

    def arguments(self, _meta: Meta, parts: Parts) -> tuple[s.Expression, ...]:
        return tuple(parts)

    def stepped(self, meta: Meta, parts: Parts) -> s.Stepped:
        return s.Stepped(*self._span(meta), str(parts[1]), parts[0], False)

    def rate(self, meta: Meta, parts: Parts) -> s.Rate:
        return s.Rate(*self._span(meta), parts[0])

    def number(self, meta: Meta, parts: Parts) -> s.Number:
        if len(parts[0]) > 10 or int(parts[0]) >= 2**31:
            raise self.text.error(parts[0].start_pos, f"the number {parts[0]} needs more than 32 bits")
        return s.Number(*self._span(meta), int(parts[0]))

    def truth(self, meta: Meta, parts: Parts) -> s.Truth:
        return s.Truth(*self._span(meta), parts[0] == "true")

    def name(self, meta: Meta, parts: Parts) -> s.Name:
        return s.Name(*self._span(meta), str(parts[0]))

    def deadlock(self, meta: Meta, _parts: Parts) -> s.Deadlock:
        return s.Deadlock(*self._span(meta))

    # Types and declarations

    def prefix(self, _meta: Meta, parts: Parts) -> Token:
        if parts[0] == "hybrid":
            raise self._refused(parts[0], "hybrid clocks are not supported")
        token: Token = parts[0]
        return token

    def type(self, meta: Meta, parts: Parts) -> s.TypeNode:
        base, name, bounds, fields = parts[-1]
        prefixes = frozenset(str(part) for part in parts[:-1])
        return s.TypeNode(*self._span(meta), prefixes, base, name, bounds, fields)

    def named_type(self, _meta: Meta, parts: Parts) -> Parts:
        return ["named", str(parts[0]), (), ()]

    def simple_type(self, _meta: Meta, parts: Parts) -> Parts:
        if parts[0] in ("double", "string"):
            raise self._refused(parts[0], f"the type '{parts[0]}' is not supported")
        return [str(parts[0]), "", (), ()]

    def plain_int(self, _meta: Meta, _parts: Parts) -> Parts:
        return ["int", "", (), ()]

    def chan_type(self, _meta: Meta, _parts: Parts) -> Parts:
        return ["chan", "", (), ()]

    def bounded(self, _meta: Meta, parts: Parts) -> Parts:
        return [str(parts[0]), "", tuple(parts[1:]), ()]

    def struct_type(self, _meta: Meta, parts: Parts) -> Parts:
        return ["struct", "", (), tuple(field for fields in parts[1:] for field in fields)]

    def struct_field(self, _meta: Meta, parts: Parts) -> Parts:
        return [(parts[0], declared) for declared in parts[1:]]

    def size(self, meta: Meta, parts: Parts) -> s.Size:
        if isinstance(parts[0], list):
            base, name, bounds, fields = parts[0]
            return s.TypeNode(*self._span(meta), frozenset(), base, name, bounds, fields)
        size: s.Size = parts[0]
        return size

    def initialiser(self, meta: Meta, parts: Parts) -> s.Initialiser:
        return s.Initialiser(*self._span(meta), tuple(parts))

    def field_value(self, _meta: Meta, parts: Parts) -> tuple[str | None, s.Expression]:
        return (None if parts[0] is None else str(parts[0]), parts[1])

    def declared(self, meta: Meta, parts: Parts) -> s.Declared:
        return s.Declared(*self._span(meta), str(parts[0]), tuple(parts[1:-1]), parts[-1])

    def declared_type(self, meta: Meta, parts: Parts) -> s.Declared:
        return s.Declared(*self._span(meta), str(parts[0]), tuple(parts[1:]))

    def variables(self, meta: Meta, parts: Parts) -> s.Variables:
        return s.Variables(*self._span(meta), parts[0], tuple(parts[1:]))

    def typedef(self, meta: Meta, parts: Parts) -> s.Typedef:
        return s.Typedef(*self._span(meta), parts[0], tuple(parts[1:]))

    def reference(self, _meta: Meta, _parts: Parts) -> bool:
        return True

    def parameter(self, meta: Meta, parts: Parts) -> s.Parameter:
        return s.Parameter(*self._span(meta), parts[0], parts[1] is True, parts[2])

    def parameters(self, _meta: Meta, parts: Parts) -> tuple[s.Parameter, ...]:
        return tuple(parts)

    def optional_parameters(self, _meta: Meta, parts: Parts) -> tuple[s.Parameter, ...]:
        return parts[0] or ()

    def function(self, meta: Meta, parts: Parts) -> s.Function:
        return s.Function(*self._span(meta), parts[0], str(parts[1]), parts[2] or (), parts[3])

    def channel_element(self, _meta: Meta, parts: Parts) -> s.Expression | None:
        return None if isinstance(parts[0], Token) else parts[0]

    def channel_priority(self, meta: Meta, parts: Parts) -> s.ChannelPriority:
        return s.ChannelPriority(*self._span(meta), _levels(parts[1:]))

    def nothing(self, _meta: Meta, _parts: Parts) -> None:
        return None

    def declarations(self, _meta: Meta, parts: Parts) -> tuple[s.Declaration, ...]:
        return tuple(part for part in parts if part is not None)

    # The system, labels, queries

    def instantiation(self, meta: Meta, parts: Parts) -> s.Instantiation:
        name, parameters, template, arguments = parts
        return s.Instantiation(
            *self._span(meta), str(name), parameters or (), str(template), arguments or (), template.start_pos
        )

    def system(self, meta: Meta, parts: Parts) -> s.SystemNode:
        at = next(number for number, part in enumerate(parts) if isinstance(part, Token) and part.type == "SYSTEM")
        listed = [part for part in parts[at + 1 :] if isinstance(part, Token)]
        names = [self._named(part) if part.type == "NAME" else part for part in listed]
        rest = [part for part in parts[at + 1 :] if part is not None and not isinstance(part, Token)]
        before = [part for part in parts[:at] if part is not None]
        return s.SystemNode(*self._span(meta), (*before, *rest), _levels(names))

    def _named(self, token: Token) -> s.Name:
        return s.Name(self.text, token.start_pos or 0, token.end_pos or 0, str(token))

    def select(self, meta: Meta, parts: Parts) -> s.Select:
        return s.Select(*self._span(meta), str(parts[0]), parts[1])

    def selects(self, _meta: Meta, parts: Parts) -> tuple[s.Select, ...]:
        return tuple(parts)

    def updates(self, meta: Meta, parts: Parts) -> s.Evaluate:
        return s.Evaluate(*self._span(meta), tuple(parts))

    def sync(self, meta: Meta, parts: Parts) -> s.Sync:
        return s.Sync(*self._span(meta), parts[0], parts[1] == "!")

    def path_query(self, meta: Meta, parts: Parts) -> s.Query:
        return s.Query(*self._span(meta), "".join(parts[0].split()), (parts[1],))

    def leads_to(self, meta: Meta, parts: Parts) -> s.Query:
        return s.Query(*self._span(meta), "-->", (parts[0], parts[1]))

    def bound_query(self, meta: Meta, parts: Parts) -> s.Query:
        if parts[0] not in ("sup", "inf"):
            raise self._refused(parts[0], f"queries of the kind '{parts[0]}' are not supported")
        where = () if parts[1] is None else (parts[1],)
        return s.Query(*self._span(meta), str(parts[0]), where, tuple(parts[2:]))

    # Statements

    def block(self, meta: Meta, parts: Parts) -> s.Block:
        return s.Block(*self._span(meta), tuple(part for part in parts if part is not None))

    def evaluate(self, meta: Meta, parts: Parts) -> s.Evaluate:
        return s.Evaluate(*self._span(meta), tuple(parts))

    def for_loop(self, meta: Meta, parts: Parts) -> s.Loop:
        return s.Loop(*self._span(meta), parts[0], parts[1], parts[2], self._body(meta, parts[3]))

    def while_loop(self, meta: Meta, parts: Parts) -> s.Loop:
        return s.Loop(*self._span(meta), None, parts[0], None, self._body(meta, parts[1]))

    def do_loop(self, meta: Meta, parts: Parts) -> s.Loop:
        return s.Loop(*self._span(meta), None, parts[1], None, self._body(meta, parts[0]), True)

    def iteration(self, meta: Meta, parts: Parts) -> s.Iteration:
        return s.Iteration(*self._span(meta), str(parts[0]), parts[1], self._body(meta, parts[2]))

    def if_statement(self, meta: Meta, parts: Parts) -> s.If:
        return s.If(*self._span(meta), parts[0], self._body(meta, parts[1]), parts[2])

    def return_statement(self, meta: Meta, parts: Parts) -> s.Return:
        return s.Return(*self._span(meta), parts[0])

    def _body(self, meta: Meta, part: Any) -> s.Statement:
        """An empty statement is an empty block."""
        return s.Block(*self._span(meta), ()) if part is None else part

    def _refused(self, token: Token, message: str) -> HomingError:
        return self.text.error(token.start_pos or 0, message)


def _levels(parts: Parts) -> tuple[tuple[Any, ...], ...]:
    """What stands between `<`."""
    levels: list[list[Any]] = [[]]
    for part in parts:
        if isinstance(part, Token):
            if part.type == "LESS":
                levels.append([])
        else:
            levels[-1].append(part)
    return tuple(tuple(level) for level in levels)


def _climb(text: Text, parts: Parts, at: int, level: int) -> tuple[s.Expression, int]:
    """By precedence climbing: the expression of operators of at least a level, and where it ends."""
    left: s.Expression = parts[at]
    at += 1
    while at < len(parts) and LEVEL[parts[at].type] >= level:
        token: Token | Ternary = parts[at]
        own = LEVEL[token.type]
        right, at = _climb(text, parts, at + 1, own if own <= RIGHT else own + 1)
        left = _joined(text, token, left, right)
    return left, at


def _joined(text: Text, token: Token | Ternary, left: s.Expression, right: s.Expression) -> s.Expression:
    span = (text, left.start, right.end)
    if isinstance(token, Ternary):
        return s.Conditional(*span, left, token.then, right)
    operator = WORDS.get(token, str(token))
    if token.type in LEVELS[0]:
        return s.Assign(*span, operator.removesuffix("="), left, right)
    if token.type == "POWER":
        raise text.error(token.start_pos or 0, "the operator '**' is not supported")
    if operator == "imply":
        return s.Binary(*span, "||", s.Unary(text, left.start, left.end, "!", left), right)
    return s.Binary(*span, operator, left, right)
