"""Expressions, formulas and statements out of lark's tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from lark import Token, Tree
from lark.tree import Meta

from homing.core.errors import HomingError, Place
from homing.languages.csp import syntax as s
from homing.languages.csp.blocks import size, written_out
from homing.languages.csp.depth import refuse_depth
from homing.languages.csp.layers import EXPRESSION, FORMULA, layered
from homing.languages.csp.scope import counted

LARGEST = 2**31 - 1
MOST_WRITTEN = 100_000
MOST_NESTED = 20
TIMED = (s.Temporal, s.Happening)
JOINING = {"AND": "&&", "OR": "||", "ARROW": "->", "IFF": "<->", "UNTIL": "U", "RELEASE": "R", "WEAK": "W"}
MODAL = {"BOX": "[]", "DIAMOND": "<>", "NEXT": "X", "NOT": "!"}
ENDS: dict[str, Literal["", "!", "?"]] = {"DOT": "", "NOT": "!", "QUERY": "?"}
Parts: TypeAlias = list[Any]
"""What the rules below a node gave; the grammar says which types these are."""


class TermBuilder:
    """One method a rule, called from the leaves up and without recursion, so that no nesting is too deep."""

    def __init__(self, file: str, states: frozenset[str], blocks: Mapping[str, Tree[Token]]) -> None:
        self.file = file
        self.blocks = blocks  # macros that are blocks, still to be built
        self.built_blocks: dict[str, tuple[tuple[str, ...], tuple[s.Statement, ...]]] = {}
        self.open_blocks: list[str] = []
        self.written = 0
        self.states = states  # names that speak of the state: in a formula every other name is an event

    def build(self, tree: Tree[Token]) -> Any:
        """What the rule of the tree gives."""
        order: list[Tree[Token] | Token] = []
        waiting: list[Tree[Token] | Token] = [tree]
        while waiting:
            node = waiting.pop()
            order.append(node)
            if isinstance(node, Tree):
                waiting.extend(node.children)
        built: Parts = []
        for node in reversed(order):
            if isinstance(node, Tree):
                start = len(built) - len(node.children)
                built[start:] = [getattr(self, node.data)(node.meta, built[start:])]
            else:
                built.append(node)
        return built[0]

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

    def signed(self, meta: Meta, parts: Parts) -> s.Expression:
        """`-e`; `+e` is e."""
        sign, operand = parts
        return s.Unary(self.place(meta), "-", self.state(operand)) if sign == "-" else self.state(operand)

    def inverted(self, meta: Meta, parts: Parts) -> s.Unary:
        """`!e`."""
        return s.Unary(self.place(meta), "!", parts[1])

    def expression(self, _meta: Meta, parts: Parts) -> s.Expression:
        """`a + b * c`; within a level from left to right."""
        result: s.Expression = layered(parts, EXPRESSION, self.binary)
        return result

    additive = compared = expression

    def binary(self, operands: list[s.Formula], operators: list[Token]) -> s.Expression:
        """Operators of one level."""
        result = self.state(operands[0])
        for operator, operand in zip(operators, operands[1:]):
            result = s.Binary(result.place, str(operator), result, self.state(operand))
        return result

    def over(self, meta: Meta, parts: Parts) -> s.Over:
        """`&& i:{0..2}@e` and `|| i:{0..2}@e`."""
        return s.Over(self.place(meta), parts[0].value, parts[1], parts[2])

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

    def formula(self, _meta: Meta, parts: Parts) -> s.Formula:
        """`f && g U h`; within a level from left to right."""
        result: s.Formula = layered(parts, FORMULA, self.joined)
        return result

    def joined(self, operands: list[s.Formula], operators: list[Token]) -> s.Formula:
        """Operators of one level: of time or events if an operand is, otherwise of the state alone."""
        result = operands[0]
        for token, operand in zip(operators, operands[1:]):
            operator = JOINING[token.type]
            if operator in "URW" or isinstance(result, TIMED) or isinstance(operand, TIMED):
                result = s.Temporal(result.place, operator, (result, operand))
            else:
                result = s.Binary(result.place, operator, result, operand)
        return result

    def modal(self, meta: Meta, parts: Parts) -> s.Formula:
        """`[]`, `<>`, `X` and `!`."""
        operator = MODAL[parts[0].type]
        operand = parts[1]
        if operator == "!" and not isinstance(operand, TIMED):
            return s.Unary(self.place(meta), "!", operand)
        return s.Temporal(self.place(meta), operator, (operand,))

    def proposition(self, meta: Meta, parts: Parts) -> s.Name | s.Happening:
        """A name: of the state if it was declared so, otherwise an event."""
        place, name = self.place(meta), str(parts[0])
        return s.Name(place, name) if name in self.states else s.Happening(place, s.EventName(place, name))

    def happening(self, meta: Meta, parts: Parts) -> s.Happening:
        """`eat.0`, `c!1`, `c?1`, and `c.1` for both ends of a handshake."""
        name, indices, kind, fields = parts
        place = self.place(meta)
        return s.Happening(place, s.EventName(place, str(name), fields), ENDS[kind.type], indices or ())

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

    def use(self, _meta: Meta, parts: Parts) -> tuple[s.Statement, ...]:
        """A macro that is a block, used as a statement: its block is written out."""
        used: s.Reference | s.Call = parts[0]
        name = used.name if isinstance(used, s.Reference) else used.function
        parameters, statements = self.macro_block(name, used.place)
        if len(parameters) != len(used.arguments):
            message = f"macro '{name}' takes {counted(len(parameters), 'argument')}, not {len(used.arguments)}"
            raise HomingError(message, used.place)
        self.written += size(statements)
        if self.written > MOST_WRITTEN:
            raise HomingError("the macros used as statements become too long when written out", used.place)
        return written_out(statements, dict(zip(parameters, used.arguments)), used)

    def macro_block(self, name: str, place: Place) -> tuple[tuple[str, ...], tuple[s.Statement, ...]]:
        """The parameters and statements of a macro; those that it uses are written out already."""
        if name in self.open_blocks:
            raise HomingError(f"macro '{name}' uses itself", place)
        if name not in self.blocks:
            raise HomingError(f"'{name}' is no macro with a block of statements", place, self.blocks)
        if len(self.open_blocks) >= MOST_NESTED:
            raise HomingError(f"macros with blocks use one another more than {MOST_NESTED} deep", place)
        if name not in self.built_blocks:
            self.open_blocks.append(name)
            macro: s.Macro = self.build(self.blocks[name])
            self.open_blocks.pop()
            refuse_depth((macro,))
            self.built_blocks[name] = (macro.parameters, macro.body)  # type: ignore[assignment]
        return self.built_blocks[name]
