"""Expressions and formulas out of tokens, by precedence."""

from __future__ import annotations

from typing import Literal, NoReturn

from homing.core.errors import HomingError
from homing.core.numerals import whole
from homing.languages.smv import syntax as s
from homing.languages.smv.tokens import KEYWORDS, Source, Token, tokens

Logic = Literal["", "CTL", "LTL"]

IMPLIES, IFF, CHOICE, OR, AND, UNTIL, RELATION, IN, UNION, RANGE, SHIFT, SUM, PRODUCT, MINUS, JOIN, NOT = range(1, 17)
BINARY = {
    "->": IMPLIES,
    "<->": IFF,
    "?": CHOICE,
    **dict.fromkeys(("|", "xor", "xnor"), OR),
    "&": AND,
    **dict.fromkeys(("=", "!=", "<", ">", "<=", ">="), RELATION),
    "in": IN,
    "union": UNION,
    "..": RANGE,
    **dict.fromkeys(("<<", ">>"), SHIFT),
    **dict.fromkeys(("+", "-"), SUM),
    **dict.fromkeys(("*", "/", "mod"), PRODUCT),
    "::": JOIN,
}
LTL_BINARY = {**BINARY, **dict.fromkeys("UVST", UNTIL)}
LTL_UNARY = frozenset("XFGYZHO")
CTL_UNARY = frozenset(("EX", "AX", "EF", "AF", "EG", "AG"))
CTL_BOUNDED = frozenset(("EBF", "ABF", "EBG", "ABG"))
TEMPORAL = LTL_UNARY | CTL_UNARY | CTL_BOUNDED | frozenset("AEUVST") | {"BU"}
_FUNCTIONS = "count abs min max toint bool word1 signed unsigned extend resize swconst uwconst sizeof"
SUPPORTED = frozenset(_FUNCTIONS.split())
INFINITE = ("floor", "READ", "WRITE")


class ExpressionParser:
    """Reads tokens from left to right."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.tokens = tokens(source)
        self.position = 0
        self.token = self.tokens[0]
        self.logic: Logic = ""
        self.negated: list[int] = []
        """Places of a `-` before `::`: the manual has `-(a :: b)`, the program reads `(-a) :: b`."""

    # Tokens

    def advance(self) -> Token:
        """Takes the token."""
        token = self.token
        self.position += 1
        if token.kind != "END":
            self.token = self.tokens[self.position]
        return token

    def accept(self, kind: str) -> bool:
        """Takes the token if it is of this kind."""
        if self.token.kind != kind:
            return False
        self.advance()
        return True

    def expect(self, kind: str) -> Token:
        """Takes the token, which has to be of this kind."""
        if self.token.kind != kind:
            self.fail("a name" if kind == "NAME" else f"'{kind}'")
        return self.advance()

    def fail(self, expected: str) -> NoReturn:
        """Bad input here."""
        token = self.token
        if expected == "a name" and token.kind in KEYWORDS:
            raise self.error(f"'{token.text}' is a word of the language and cannot be a name")
        found = "the end of the file" if token.kind == "END" else f"'{token.text}'"
        raise self.error(f"found {found}, expected {expected}")

    def error(self, message: str) -> HomingError:
        """An error at the token."""
        return self.source.error(message, self.token.at)

    # Operators

    def expression(self, least: int = IMPLIES) -> s.Expression:
        """What stands here, as far as operators bind at least so tightly."""
        return self.extended(self.prefix(), least)

    def extended(self, left: s.Expression, least: int) -> s.Expression:
        """An operand with the operators behind it that bind at least so tightly."""
        table = LTL_BINARY if self.logic == "LTL" else BINARY
        while (binds := table.get(self.token.kind, 0)) >= least:
            left = self.binary(left, self.advance(), binds)
        return left

    def binary(self, left: s.Expression, sign: Token, binds: int) -> s.Expression:
        """An operator with its right side; its place is that of the left one."""
        operator = sign.kind
        if operator in ("&", "|"):
            operands = [left, self.expression(binds + 1)]
            while self.accept(operator):
                operands.append(self.expression(binds + 1))
            return s.Operation(left.at, operator, tuple(operands))
        if operator == "?":
            chosen = self.expression()
            self.expect(":")
            return s.Operation(left.at, "?", (left, chosen, self.expression(CHOICE)))
        right = self.expression(binds if operator == "->" else binds + 1)
        return s.Operation(left.at, operator, (left, right))

    def prefix(self) -> s.Expression:
        """An operand with the operators before it."""
        kind, at = self.token.kind, self.token.at
        if kind == "!":
            self.advance()
            return s.Operation(at, "!", (self.expression(NOT),))
        if kind == "-":
            self.advance()
            operand = self.prefix()
            if self.token.kind == "::":
                self.negated.append(at)
            operand = self.extended(operand, MINUS)
            return s.Number(at, -operand.value) if isinstance(operand, s.Number) else s.Operation(at, "neg", (operand,))
        if kind == "+" and self.tokens[self.position + 1].kind == "NUMBER":
            self.advance()
        if kind in TEMPORAL:
            return self.temporal()
        return self.postfix(self.primary())

    def temporal(self) -> s.Expression:
        """A temporal operator; it binds less tightly than `=`, more than `&`."""
        kind, at = self.token.kind, self.token.at
        known = {"CTL": CTL_UNARY | CTL_BOUNDED | {"A", "E"}, "LTL": LTL_UNARY}.get(self.logic, frozenset[str]())
        if kind not in known:
            if not self.logic:
                raise self.error(f"the temporal operator '{kind}' outside of a specification")
            raise self.error(f"'{kind}' is no operator of {self.logic} here")
        self.advance()
        if kind in ("A", "E"):
            return self.path(kind, at)
        if kind in CTL_BOUNDED:
            low, high = self.bounds()
            return s.Bounded(at, kind, low, high, (self.expression(RELATION),))
        if self.logic == "LTL" and self.token.kind == "[":
            return self.window(kind, at)
        return s.Operation(at, kind, (self.expression(RELATION),))

    def path(self, quantifier: str, at: int) -> s.Expression:
        """`A [p U q]`."""
        self.expect("[")
        left = self.expression()
        if self.accept("BU"):
            low, high = self.bounds()
            right = self.expression()
            self.expect("]")
            return s.Bounded(at, f"{quantifier}BU", low, high, (left, right))
        if not self.accept("U"):
            self.fail("'U' or 'BU'")
        right = self.expression()
        self.expect("]")
        return s.Operation(at, f"{quantifier}U", (left, right))

    def bounds(self) -> tuple[s.Expression, s.Expression]:
        """`low..high`."""
        low = self.expression(SHIFT)
        self.expect("..")
        return low, self.expression(SHIFT)

    def window(self, operator: str, at: int) -> s.Expression:
        """`F [low, high] p`."""
        self.expect("[")
        low = self.expression(SHIFT)
        self.expect(",")
        high = None
        if self.token.text != "inf":
            high = self.expression(SHIFT)
        else:
            self.advance()
        self.expect("]")
        return s.Bounded(at, operator, low, high, (self.expression(RELATION),))

    # Operands

    def postfix(self, base: s.Expression) -> s.Expression:
        """`base.name`, `base[i]`, `base[high:low]`."""
        while True:
            if self.accept("."):
                if self.token.kind == "NUMBER":
                    raise self.error("after a dot a name is wanted; elements of arrays are in brackets")
                base = s.Field(base.at, base, self.expect("NAME").text)
            elif self.accept("["):
                index = self.expression()
                if self.accept(":"):
                    base = s.Bits(base.at, base, index, self.expression())
                else:
                    base = s.Item(base.at, base, index)
                self.expect("]")
            else:
                return base

    def primary(self) -> s.Expression:
        """An operand that starts with no operator."""
        token = self.token
        match token.kind:
            case "NAME":
                self.advance()
                return self.call(token) if self.token.kind == "(" else s.Name(token.at, token.text)
            case "NUMBER":
                self.advance()
                return s.Number(token.at, whole(token.text, self.source.place(token.at)))
            case "TRUE" | "FALSE":
                self.advance()
                return s.Truth(token.at, token.kind == "TRUE")
            case "(":
                self.advance()
                inner = self.expression()
                self.expect(")")
                return inner
            case "{":
                self.advance()
                return s.SetOf(token.at, self.listed("}"))
            case "[":
                self.advance()
                return s.ArrayOf(token.at, self.listed("]"))
            case "case":
                return self.case()
            case "next":
                self.advance()
                self.expect("(")
                inner = self.expression()
                self.expect(")")
                return s.Operation(token.at, "next", (inner,))
            case "self":
                self.advance()
                return s.Self(token.at)
            case "WORD":
                return self.word()
            case "REAL":
                raise self.error("a real number, which no finite model has")
        return self.fail("a formula" if self.logic else "an expression")

    def listed(self, end: str) -> tuple[s.Expression, ...]:
        """Expressions between commas, and what ends them."""
        items = [self.expression()]
        while self.accept(","):
            items.append(self.expression())
        self.expect(end)
        return tuple(items)

    def call(self, name: Token) -> s.Expression:
        """`function(…)`."""
        if name.text not in SUPPORTED and name.text not in INFINITE:
            raise self.source.error(f"unknown function '{name.text}'", name.at, sorted(SUPPORTED))
        if name.text in INFINITE:
            raise self.source.error(f"'{name.text}' is of infinite types, which no finite model has", name.at)
        self.advance()
        return s.Call(name.at, name.text, self.listed(")"))

    def case(self) -> s.Expression:
        """`case … esac`."""
        at = self.advance().at
        branches = []
        while not self.accept("esac"):
            condition = self.expression()
            self.expect(":")
            branches.append((condition, self.expression()))
            self.expect(";")
        if not branches:
            raise self.source.error("'case' without a branch", at)
        return s.Case(at, tuple(branches))

    def word(self) -> s.Expression:
        """`0sb4_1010`: sign, base, width, digits."""
        token = self.advance()
        head, digits = token.text[1:].split("_", 1)
        signed = head[0] == "s"
        head = head.lstrip("us")
        base = {"b": 2, "o": 8, "d": 10, "h": 16}[head[0].lower()]
        digits = digits.replace("_", "")
        try:
            value = whole(digits, self.source.place(token.at), base)
        except ValueError:
            raise self.source.error(f"'{token.text}' has digits that base {base} does not", token.at) from None
        per_digit = {2: 1, 8: 3, 16: 4}.get(base)
        if not head[1:] and per_digit is None:
            raise self.source.error(f"'{token.text}' does not say how many bits it has", token.at)
        width = whole(head[1:], self.source.place(token.at)) if head[1:] else len(digits) * (per_digit or 0)
        if not 1 <= width <= s.MOST_BITS:
            raise self.source.error(f"a word has 1 to {s.MOST_BITS} bits, not {width}", token.at)
        if value >= 1 << width:
            raise self.source.error(f"'{token.text}' does not fit into {width} bits", token.at)
        if signed and value >= 1 << (width - 1):
            value -= 1 << width
        return s.WordLiteral(token.at, value, width, signed)
