"""Reads the expressions, statements and formulas of CSP#; `reader` reads the rest."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any

from tests.languages.csp import nodes as n

TOKEN = re.compile(
    r"(?P<space>\s+|/\*[\s\S]*?\*/|//(?!@fairness)[^\n]*)"
    r"|(?P<fairness>//@fairness[^\n]*)"
    r"|(?P<name>[A-Za-z_]\w*)|(?P<number>\d+)|(?P<directive>#\s*\w+)"
    r"|(?P<sign>\|\|\||\|\||&&|\|=|\[\]|\[\*\]|<->|<>|->|\.\.|\+\+|--|==|!=|<=|>=|[-+*/%!?.,:;=<>|&^@(){}\[\]\\])"
)
OR, AND, XOR = "||", "&&", "xor"
LEVELS = ((OR,), (AND,), (XOR,), ("&", "|", "^"), ("==", "!="), ("<", ">", "<=", ">="), ("+", "-"), ("*", "/", "%"))
ADDITIVE, COMPARING = 6, 4
TEMPORAL = {"[]": "[]", "<>": "<>", "G": "[]", "F": "<>", "X": "X", "U": "U", "R": "R", "V": "R", "W": "W"}


class Unreadable(Exception):
    """The text is no CSP#."""


class TermReader:
    """A position in a text; each method reads what it is named for."""

    def __init__(self, text: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise Unreadable(text[at : at + 20])
            at = found.end()
            if found.lastgroup != "space":
                self.tokens.append((str(found.lastgroup), found[0]))
        self.at = 0
        self.found = n.Source()
        self.blocks: dict[str, tuple[tuple[str, ...], tuple[n.Statement, ...]]] = {}

    # Tokens

    @property
    def here(self) -> str:
        return self.ahead(0)

    def ahead(self, distance: int) -> str:
        at = self.at + distance
        return self.tokens[at][1] if at < len(self.tokens) else ""

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def take(self) -> str:
        self.at += 1
        return self.tokens[self.at - 1][1]

    def has(self, *signs: str) -> bool:
        """Takes one of these, if it is here."""
        if self.here in signs:
            self.at += 1
            return True
        return False

    def want(self, sign: str) -> None:
        if not self.has(sign):
            raise Unreadable(f"{sign} expected at {' '.join(word for _, word in self.tokens[self.at : self.at + 8])}")

    def name(self) -> str:
        if self.kind != "name":
            raise Unreadable(f"a name expected at '{self.here}'")
        return self.take()

    def listed(self, one: Any, closing: str) -> Iterable[Any]:
        """What is separated by commas, up to a bracket."""
        found: list[Any] = []
        while not self.has(closing):
            found.append(one())
            if self.here != closing:
                self.want(",")
        return found

    def more(self, one: Any, closing: str) -> tuple[Any, ...]:
        """What follows the first of a list: nothing, or a comma and others."""
        if self.has(","):
            return tuple(self.listed(one, closing))
        self.want(closing)
        return ()

    def reference(self) -> n.Reference:
        name = self.name()
        arguments = tuple(self.listed(self.expression, ")")) if self.has("(") else ()
        return n.Reference(name, arguments)

    def ranges(self) -> tuple[n.Range, ...]:
        found = [self.range()]
        while self.has(";"):
            found.append(self.range())
        return tuple(found)

    def range(self) -> n.Range:
        name = self.name()
        self.want(":")
        self.want("{")
        first = self.level(ADDITIVE)
        if self.has(".."):
            last = self.level(ADDITIVE)
            self.want("}")
            return n.Range(name, ((first, last),))
        rest = self.more(lambda: self.level(ADDITIVE), "}")
        return n.Range(name, (first, *rest))

    # Statements

    def block(self) -> tuple[n.Statement, ...]:
        self.want("{")
        found: list[n.Statement] = []
        while not self.has("}"):
            found += self.statement()
        return tuple(found)

    def statement(self) -> tuple[n.Statement, ...]:
        if self.has(";"):
            return ()
        if self.here == "{":  # a scope of its own
            return (n.IfStatement(n.Truth(True), self.block()),)
        rule = {"var": self.local, "if": self.if_statement, "while": self.while_statement}.get(self.here)
        if rule is not None:
            return (rule(),)
        found = self.assignment()
        if self.here != "}":
            self.want(";")
        return found

    def local(self) -> n.Statement:
        self.take()
        name = self.name()
        value = self.expression() if self.has("=") else None
        self.want(";")
        return n.Local(name, value)

    def if_statement(self) -> n.Statement:
        self.take()
        self.want("(")
        condition = self.expression()
        self.want(")")
        then = self.body()
        return n.IfStatement(condition, then, self.body() if self.has("else") else ())

    def while_statement(self) -> n.Statement:
        self.take()
        self.want("(")
        condition = self.expression()
        self.want(")")
        return n.While(condition, self.body())

    def body(self) -> tuple[n.Statement, ...]:
        return self.block() if self.here == "{" else self.statement()

    def assignment(self) -> tuple[n.Statement, ...]:
        if self.has("call"):
            self.want("(")
            name = self.name()
            arguments = self.more(self.expression, ")")
            return self.used(name, arguments)
        if self.ahead(1) == "(" or self.here in self.blocks:
            used = self.reference()
            return self.used(used.name, used.arguments)
        name, indices = self.name(), self.indices()
        target = n.Item(name, indices) if indices else n.Name(name)
        if self.has("++"):
            return (n.Assign(target, n.Binary("+", target, n.Number(1))),)
        if self.has("--"):
            return (n.Assign(target, n.Binary("-", target, n.Number(1))),)
        self.want("=")
        start = self.at
        if self.kind == "name":  # x = y = 1, x = y++
            self.name()
            self.indices()
            chained = self.here in ("=", "++", "--")
            self.at = start
            if chained:
                inner = self.assignment()
                last = inner[-1]
                assert isinstance(last, n.Assign)
                return (*inner, n.Assign(target, last.target))
        return (n.Assign(target, self.expression()),)

    def used(self, name: str, arguments: Iterable[n.Expression]) -> tuple[n.Statement, ...]:
        """A macro that is a block: its statements with the arguments in place of the parameters."""
        parameters, statements = self.blocks[name]
        given = dict(zip(parameters, arguments, strict=True))
        return (n.IfStatement(n.Truth(True), tuple(replaced(one, given) for one in statements)),)

    # Expressions

    def expression(self) -> n.Expression:
        return self.level(0)

    def level(self, level: int) -> n.Expression:
        if level == len(LEVELS):
            return self.unary()
        if self.here in (OR, AND, XOR) and self.ahead(2) == ":":
            operator = self.take()
            ranges = self.ranges()
            self.want("@")
            return n.Over(operator, ranges, self.expression())
        found = self.level(level + 1)
        while self.here in LEVELS[level]:
            operator = self.take()
            found = n.Binary(operator, found, self.level(level + 1))
        return found

    def unary(self) -> n.Expression:
        if self.has("+"):
            return self.unary()
        if self.has("-"):
            return n.Unary("-", self.unary())
        if self.has("!"):
            return n.Unary("!", self.primary())
        return self.primary()

    def primary(self) -> n.Expression:
        if self.kind == "number":
            return n.Number(int(self.take()))
        if self.has("("):
            inner = self.expression()
            self.want(")")
            return inner
        if self.has("call"):
            self.want("(")
            name = self.name()
            arguments = self.more(self.expression, ")")
            return n.Call(name, arguments)
        name = self.name()
        if name in ("true", "false"):
            return n.Truth(name == "true")
        if self.has("("):
            return n.Call(name, tuple(self.listed(self.expression, ")")))
        indices = self.indices()
        return n.Item(name, indices) if indices else n.Name(name)

    def indices(self) -> tuple[n.Expression, ...]:
        found = []
        while self.has("["):
            found.append(self.expression())
            self.want("]")
        return tuple(found)

    def items(self) -> n.Items:
        self.want("[")
        return n.Items(tuple(self.listed(self.entry, "]")))

    def entry(self) -> n.Entry:
        first = self.expression()
        if isinstance(first, n.Call):  # 1(3) has no name, N(3) has
            return n.Entry(n.Name(first.function), first.arguments[0])
        if self.has("("):
            times = self.expression()
            self.want(")")
            return n.Entry(first, times)
        return n.Entry(first, None, self.expression()) if self.has("..") else n.Entry(first)

    # Formulas: `U`, `R` and `W` bind closer than the others, which are one level

    def formula(self) -> Any:
        found = self.until()
        while self.here in ("&&", "||", "->", "<->"):
            operator = self.take()
            found = n.Temporal(operator, (found, self.until()))
        return found

    def until(self) -> Any:
        found = self.modal()
        while self.here in ("U", "R", "V", "W"):
            operator = TEMPORAL[self.take()]
            found = n.Temporal(operator, (found, self.modal()))
        return found

    def modal(self) -> Any:
        if self.here in ("[]", "<>", "G", "F", "X"):
            operator = TEMPORAL[self.take()]
            return n.Temporal(operator, (self.modal(),))
        if self.has("!"):
            return n.Temporal("!", (self.modal(),))
        return self.atom()

    def atom(self) -> Any:
        if self.here == "(":
            start = self.at
            self.take()
            inner = self.formula()
            self.want(")")
            if self.here not in ("==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "/", "%"):
                return inner
            self.at = start
        elif self.kind == "name" and self.is_event():
            return self.happening()
        return self.level(COMPARING)

    def is_event(self) -> bool:
        if self.here in ("call", "true", "false"):
            return False
        if self.ahead(1) in (".", "!", "?"):
            return True
        known = {one.name for one in self.found.macros} | {one.name for one in self.found.variables}
        if self.here in {one.name for one in self.found.channels}:
            return True
        return self.here not in known and self.ahead(1) != "("

    def happening(self) -> n.Happening:
        name, indices, kind, arguments = self.name(), self.indices(), "", []
        if self.here in ("!", "?"):
            kind = self.take()
            arguments.append(self.level(ADDITIVE))
        while self.has("."):
            arguments.append(self.level(ADDITIVE))
        return n.Happening(name, indices, kind, tuple(arguments))


def replaced(node: Any, given: dict[str, n.Expression]) -> Any:
    """A part of a tree with expressions in place of names."""
    if isinstance(node, n.Name) and node.name in given:
        return given[node.name]
    if isinstance(node, tuple):
        return tuple(replaced(one, given) for one in node)
    if is_dataclass(node) and not isinstance(node, type):
        return type(node)(*(replaced(getattr(node, one.name), given) for one in fields(node)))
    return node
