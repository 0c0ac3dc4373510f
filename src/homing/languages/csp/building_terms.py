"""Expressions, formulas and statements out of lark's tree."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from lark import Token, Transformer_NonRecursive, v_args
from lark.tree import Meta

from homing.core.errors import HomingError, Place
from homing.languages.csp import syntax as s

LARGEST = 2**31 - 1
Parts: TypeAlias = list[Any]
"""What the rules below a node gave; the grammar says which types these are."""


@v_args(meta=True)
class TermBuilder(Transformer_NonRecursive[Token, Any]):
    """One method a rule, called from the leaves up and without recursion, so that no nesting is too deep."""

    def __init__(self, file: str, states: frozenset[str]) -> None:
        super().__init__(visit_tokens=False)
        self.file = file
        self.states = states  # names that speak of the state: in a formula every other name is an event

    def place(self, where: Meta | Token) -> Place:
        """Where something stands; of lark's two kinds of positions."""
        return Place(self.file, where.line or 0, where.column or 0)

    # Expressions

    def number(self, meta: Meta, parts: Parts) -> s.Number:
        """Digits; PAT has 32 bits."""
        if len(parts[0]) > 10 or int(parts[0]) > LARGEST:
            raise HomingError(f"a number is too large, the largest is {LARGEST}", self.place(meta))
        return s.Number(self.place(meta), int(parts[0]))

    def truth(self, meta: Meta, parts: Parts) -> s.Truth:
        """`true`, `false`."""
        return s.Truth(self.place(meta), parts[0] == "true")

    def name(self, meta: Meta, parts: Parts) -> s.Name:
        """A name that is no call and has no index."""
        return s.Name(self.place(meta), str(parts[0]))

    def sizes(self, _meta: Meta, parts: Parts) -> tuple[s.Expression, ...]:
        """`[a][b]`: sizes in declarations, indices elsewhere."""
        return tuple(parts)

    def item(self, meta: Meta, parts: Parts) -> s.Item:
        """`a[i][j]`."""
        return s.Item(self.place(meta), str(parts[0]), parts[1])

    def application(self, meta: Meta, parts: Parts) -> s.Call:
        """`least(x, y)`."""
        return s.Call(self.place(meta), str(parts[0]), parts[1] or ())

    def call(self, meta: Meta, parts: Parts) -> s.Call:
        """`call(least, x, y)`."""
        return s.Call(self.place(meta), str(parts[0]), parts[1] or ())

    def arguments(self, _meta: Meta, parts: Parts) -> tuple[s.Expression, ...]:
        """What stands between parentheses."""
        return tuple(parts)

    fields = happening_fields = arguments

    def negated(self, meta: Meta, parts: Parts) -> s.Unary:
        """`-e`."""
        return s.Unary(self.place(meta), "-", self.state(parts[1]))

    def plus(self, _meta: Meta, parts: Parts) -> s.Expression:
        """`+e`, which is e."""
        return self.state(parts[1])

    def inverted(self, meta: Meta, parts: Parts) -> s.Unary:
        """`!e`."""
        return s.Unary(self.place(meta), "!", parts[1])

    def chain(self, meta: Meta, parts: Parts) -> s.Expression:
        """`a + b - c`, from left to right."""
        result = self.state(parts[0])
        for operator, operand in zip(parts[1::2], parts[2::2]):
            result = s.Binary(self.place(meta), str(operator), result, self.state(operand))
        return result

    disjunction = conjunction = exclusive = bits = equality = relation = additive = product = chain
    f_equality = f_relation = f_additive = f_product = chain

    def forall(self, meta: Meta, parts: Parts) -> s.Over:
        """`&& i:{0..2}@e`."""
        return s.Over(self.place(meta), "&&", parts[0], parts[1])

    def exists(self, meta: Meta, parts: Parts) -> s.Over:
        """`|| i:{0..2}@e`."""
        return s.Over(self.place(meta), "||", parts[0], parts[1])

    def items(self, meta: Meta, parts: Parts) -> s.Items:
        """An array literal."""
        return s.Items(self.place(meta), tuple(parts))

    def entry(self, meta: Meta, parts: Parts) -> s.Entry:
        """`e` or `e..f`; `N(3)` looks like a macro, but in an array literal it is N three times."""
        first, last = parts
        if last is None and isinstance(first, s.Call) and len(first.arguments) == 1:
            return s.Entry(self.place(meta), s.Name(first.place, first.function), times=first.arguments[0])
        return s.Entry(self.place(meta), first, last=last)

    def repeated(self, meta: Meta, parts: Parts) -> s.Entry:
        """`e(times)`."""
        return s.Entry(self.place(meta), parts[0], times=parts[1])

    def ranges(self, _meta: Meta, parts: Parts) -> tuple[s.Range, ...]:
        """`i:{0..2}; j:{1,3}`."""
        return tuple(parts)

    def listed(self, meta: Meta, parts: Parts) -> s.Range:
        """`i:{1,3}`."""
        return s.Range(self.place(meta), str(parts[0]), tuple(parts[1:]))

    def spanned(self, meta: Meta, parts: Parts) -> s.Range:
        """`i:{0..2}`."""
        return s.Range(self.place(meta), str(parts[0]), ((parts[1], parts[2]),))

    # Formulas

    def state(self, formula: s.Formula) -> s.Expression:
        """The formula as an expression, where only values make sense."""
        if isinstance(formula, s.Temporal):
            raise HomingError("a temporal formula is no value to compare or compute with", formula.place)
        if isinstance(formula, s.Happening):
            message = f"'{formula.event.name}' is an event here, and an event is no value to compare or compute with"
            raise HomingError(message, formula.place, sorted(self.states))
        return formula

    def formula(self, meta: Meta, parts: Parts) -> s.Formula:
        """`f && g -> h`, from left to right."""
        written = {"AND": "&&", "OR": "||", "ARROW": "->", "IFF": "<->"}
        result: s.Formula = parts[0]
        for operator, operand in zip(parts[1::2], parts[2::2]):
            result = self.joined(self.place(meta), written[operator.type], result, operand)
        return result

    def joined(self, place: Place, operator: str, left: s.Formula, right: s.Formula) -> s.Formula:
        """Of time or events if one of both is, otherwise of the state alone."""
        if isinstance(left, s.Temporal | s.Happening) or isinstance(right, s.Temporal | s.Happening):
            return s.Temporal(place, operator, (left, right))
        return s.Binary(place, operator, left, right)

    def until(self, meta: Meta, parts: Parts) -> s.Temporal:
        """`f U g R h`, from left to right."""
        written = {"UNTIL": "U", "RELEASE": "R", "WEAK": "W"}
        result = parts[0]
        for operator, operand in zip(parts[1::2], parts[2::2]):
            result = s.Temporal(self.place(meta), written[operator.type], (result, operand))
        return result

    def modal(self, meta: Meta, parts: Parts) -> s.Formula:
        """`[]`, `<>`, `X` and `!`."""
        operator = {"BOX": "[]", "DIAMOND": "<>", "NEXT": "X", "NOT": "!"}[parts[0].type]
        operand = parts[1]
        if operator == "!" and not isinstance(operand, s.Temporal | s.Happening):
            return s.Unary(self.place(meta), "!", operand)
        return s.Temporal(self.place(meta), operator, (operand,))

    def proposition(self, meta: Meta, parts: Parts) -> s.Name | s.Happening:
        """A name: of the state if it was declared so, otherwise an event."""
        place, name = self.place(meta), str(parts[0])
        return s.Name(place, name) if name in self.states else s.Happening(place, s.EventName(place, name))

    def joint(self, meta: Meta, parts: Parts) -> s.Happening:
        """`eat.0`, and `c.1` for both ends of a handshake."""
        return self.happening(self.place(meta), parts[0], parts[1], "", parts[2])

    def one_end(self, meta: Meta, parts: Parts) -> s.Happening:
        """`c!1`, `c?1`."""
        kind: Literal["!", "?"] = "!" if parts[2].type == "NOT" else "?"
        return self.happening(self.place(meta), parts[0], parts[1], kind, parts[3])

    def happening(
        self,
        place: Place,
        name: Token,
        indices: tuple[s.Expression, ...] | None,
        kind: Literal["", "!", "?"],
        fields: tuple[s.Expression, ...],
    ) -> s.Happening:
        """An event in a formula."""
        return s.Happening(place, s.EventName(place, str(name), fields), kind, indices or ())

    def quoted_event(self, meta: Meta, parts: Parts) -> s.Happening:
        """The text of `"c!1"`."""
        name, indices, kind, fields = parts
        end: Literal["", "!", "?"] = "" if kind is None or kind == "." else "!" if kind == "!" else "?"
        return self.happening(self.place(meta), name, indices, end, fields or ())

    # Statements: each rule gives a tuple of them

    def block(self, _meta: Meta, parts: Parts) -> tuple[s.Statement, ...]:
        """`{x = 1; y = 2}`."""
        return tuple(statement for part in parts if part is not None for statement in part)

    def nothing(self, _meta: Meta, _parts: Parts) -> tuple[s.Statement, ...]:
        """`;` alone."""
        return ()

    def inner(self, meta: Meta, parts: Parts) -> tuple[s.Statement, ...]:
        """A block inside a block has locals of its own, as the branch of an `if` has."""
        place = self.place(meta)
        return (s.IfStatement(place, s.Truth(place, True), parts[0], ()),)

    def local(self, meta: Meta, parts: Parts) -> tuple[s.Statement, ...]:
        """`var x = e;`."""
        _, name, sizes, value = parts
        if sizes or isinstance(value, s.Items):
            raise HomingError(f"an array inside a block, '{name}', is not supported", self.place(name))
        return (s.Local(self.place(meta), str(name), value),)

    def if_statement(self, meta: Meta, parts: Parts) -> tuple[s.Statement, ...]:
        """`if (c) … else …`."""
        return (s.IfStatement(self.place(meta), parts[1], parts[2], parts[3] or ()),)

    def while_statement(self, meta: Meta, parts: Parts) -> tuple[s.Statement, ...]:
        """`while (c) …`."""
        return (s.While(self.place(meta), parts[0], parts[1]),)

    def target(self, meta: Meta, parts: Parts) -> s.Name | s.Item:
        """What is assigned to."""
        name, indices = parts
        return s.Item(self.place(meta), str(name), indices) if indices else s.Name(self.place(meta), str(name))

    def assignment(self, meta: Meta, parts: Parts) -> tuple[s.Statement, ...]:
        """`x = e`, `x++`; `x = y = e` and `x = y++` are the inner assignment and then one of its target."""
        place, target, value = self.place(meta), parts[0], parts[1]
        if isinstance(value, Token):
            one = s.Number(self.place(value), 1)
            return (s.Assign(place, target, s.Binary(place, value[0], target, one)),)
        if isinstance(value, tuple):
            return (*value, s.Assign(place, target, value[-1].target))
        return (s.Assign(place, target, value),)
