"""A reader of UPPAAL's texts that shares nothing with the front end: a Pratt parser, written from UPPAAL's grammar.

It gives the expressions and statements of `oracle.py`, and those of `reading.py`: `("invoke", function, arguments)`,
`("quantified", kind, name, type, body)`, `("braces", ((name, value), …))`, `("declare", type, name, sizes, initial)`,
`("typedef", type, name, sizes)`, `("loop", first, test, step, body, tests_later)`, `("iterate", name, type, body)`.
A type is `("type", prefixes, base, arguments)`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tests.languages.uppaal.model import Expr

TOKEN = re.compile(
    r"\s+|//[^\n]*|/\*[\s\S]*?\*/|(?P<token>[A-Za-z_]\w*|[0-9]+|<<=|>>=|-->|:=|\+\+|--|<\?|>\?|<<|>>|[-+*/%&|^<>=!]=|&&"
    r"|\|\||[-+*/%&|^<>=!?:;,.()\[\]{}'])"
)
LEVELS = ["|| or xor imply", "&& and", "|", "^", "&", "== !=", "< <= > >=", "<? >?", "<< >>", "+ -", "* / %"]
BINARY = {name: level for level, names in enumerate(LEVELS, start=3) for name in names.split()}
"""The levels of operators that group to the left; assignments (1) and `?:` (2) bind less and group to the right."""
ASSIGNMENTS = ("=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=")
UNARY = 20
SAME = {"&&": "and", "||": "or"}
PREFIXES = ("const", "meta", "urgent", "broadcast")
BASES = ("int", "bool", "clock", "chan", "scalar", "struct", "void")
QUANTIFIERS = ("forall", "exists", "sum")
EMPTY: Expr = ("block",)


class Unreadable(Exception):
    """A text that is none of UPPAAL's."""


@dataclass(frozen=True)
class Parameter:
    type: Expr
    name: str
    sizes: tuple[Expr, ...]
    reference: bool


@dataclass(frozen=True)
class FunctionText:
    type: Expr
    name: str
    parameters: tuple[Parameter, ...]
    body: tuple[Expr, ...]


@dataclass(frozen=True)
class Instance:
    """`P(parameters) = T(arguments);`."""

    name: str
    parameters: tuple[Parameter, ...]
    template: str
    arguments: tuple[Expr, ...]


class Reader:
    """Reads one text from the left to the right."""

    def __init__(self, text: str, types: frozenset[str] = frozenset()) -> None:
        self.tokens: list[str] = []
        at = 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise Unreadable(f"{text[at : at + 20]!r}")
            if found["token"]:
                self.tokens.append(found["token"])
            at = found.end()
        self.at = 0
        self.types = set(types)

    # Tokens

    @property
    def now(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def after(self, ahead: int = 1) -> str:
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        token = self.now
        if wanted and token not in wanted:
            raise Unreadable(f"{token!r} where {wanted} is wanted, after {self.tokens[: self.at][-6:]}")
        self.at += 1
        return token

    def has(self, *wanted: str) -> bool:
        """Takes the next token if it is one of these."""
        if self.now in wanted and self.now:
            self.at += 1
            return True
        return False

    def listed(self, read: Callable[[], Any], end: str) -> tuple[Any, ...]:
        """What is separated by commas up to a token."""
        found: list[Any] = []
        while not self.has(end):
            if found:
                self.take(",")
            found.append(read())
        return tuple(found)

    def all(self, read: Callable[[], Any]) -> tuple[Any, ...]:
        """What is separated by commas up to the end."""
        found: list[Any] = []
        while self.now:
            if found:
                self.take(",")
            found.append(read())
        return tuple(found)

    # Expressions

    def expression(self, least: int = 1) -> Expr:
        left = self.unary()
        while True:
            token = self.now
            if token in ASSIGNMENTS and least <= 1:
                self.take()
                left = ("=", "" if token in ("=", ":=") else token[:-1], left, self.expression(1))
            elif token == "?" and least <= 2 and self.after() not in ("", ",", ";", ")"):
                self.take()
                then = self.expression()
                self.take(":")
                left = ("?", left, then, self.expression(2))
            elif BINARY.get(token, -1) >= least:
                self.take()
                left = (SAME.get(token, token), left, self.expression(BINARY[token] + 1))
            else:
                return left

    def unary(self) -> Expr:
        token = self.now
        if token in ("!", "not"):
            self.take()
            return ("!", self.expression(UNARY))
        if token in ("-", "+"):
            self.take()
            operand = self.expression(UNARY)
            return ("neg", operand) if token == "-" else ("-", operand, ("number", 0))
        if token in ("++", "--"):
            self.take()
            return (token, True, self.expression(UNARY))
        if token in QUANTIFIERS:
            self.take()
            self.take("(")
            name = self.take()
            self.take(":")
            of = self.type()
            self.take(")")
            return ("quantified", token, name, of, self.expression())
        return self.postfix(self.primary())

    def primary(self) -> Expr:
        token = self.take()
        if token == "(":
            found = self.expression()
            self.take(")")
            return found
        if token.isdigit():
            return ("number", int(token))
        if token in ("true", "false"):
            return ("number", int(token == "true"))
        if token == "deadlock":
            return ("deadlock",)
        if re.match(r"[A-Za-z_]", token):
            return ("var", token)
        raise Unreadable(f"{token!r} begins no expression, after {self.tokens[: self.at][-6:]}")

    def postfix(self, node: Expr) -> Expr:
        while True:
            if self.has("["):
                node = ("index", node, self.expression())
                self.take("]")
            elif self.has("."):
                node = ("field", node, self.take())
            elif self.has("("):
                node = ("invoke", node, self.listed(self.expression, ")"))
            elif self.now in ("++", "--"):
                node = (self.take(), False, node)
            else:
                return node

    # Types and declarations

    def is_type(self) -> bool:
        return self.now in PREFIXES or self.now in BASES or self.now in self.types

    def type(self) -> Expr:
        prefixes = set()
        while self.now in PREFIXES:
            prefixes.add(self.take())
        base = self.take()
        arguments: tuple[Any, ...] = ()
        if base in ("int", "scalar") and self.has("["):
            arguments = self.listed(self.expression, "]")
        elif base == "struct":
            self.take("{")
            fields: list[tuple[Expr, str, tuple[Expr, ...]]] = []
            while not self.has("}"):
                of = self.type()
                fields += [(of, name, sizes) for name, sizes, _ in self.declared()]
            arguments = tuple(fields)
        return ("type", frozenset(prefixes), base, arguments)

    def declared(self) -> list[tuple[str, tuple[Expr, ...], Expr | None]]:
        """Names with sizes and first values, up to a semicolon."""
        found = []
        while True:
            name, sizes = self.take(), self.sizes()
            found.append((name, sizes, self.initial() if self.has("=", ":=") else None))
            if self.take(",", ";") == ";":
                return found

    def sizes(self) -> tuple[Expr, ...]:
        found: list[Expr] = []
        while self.has("["):
            found.append(self.type() if self.is_type() else self.expression())
            self.take("]")
        return tuple(found)

    def initial(self) -> Expr:
        if not self.has("{"):
            return self.expression()
        return ("braces", self.listed(self._field, "}"))

    def _field(self) -> tuple[str | None, Expr]:
        named = self.after() == ":"
        name = self.take() if named else None
        if named:
            self.take(":")
        return name, self.initial()

    def parameter(self) -> Parameter:
        of = self.type()
        reference = self.has("&")
        name = self.take()
        return Parameter(of, name, self.sizes(), reference)

    def declarations(self) -> list[Any]:
        """Up to the end or what cannot begin a declaration: variables, types, functions, priorities of channels."""
        found: list[Any] = []
        while True:
            if self.has(";"):
                continue
            if self.now == "chan" and self.after() == "priority":
                found.append(self._priorities())
            elif self.has("typedef"):
                of = self.type()
                for name, sizes, _ in self.declared():
                    self.types.add(name)
                    found.append(("typedef", of, name, sizes))
            elif self.now in ("progress", "gantt"):
                while self.take() != "}":
                    pass
            elif self.is_type():
                found += self._variables_or_function()
            else:
                return found

    def _variables_or_function(self) -> list[Any]:
        of = self.type()
        if self.after() == "(":
            name = self.take()
            self.take("(")
            parameters = self.listed(self.parameter, ")")
            return [FunctionText(of, name, parameters, self.block()[1:])]
        return [("declare", of, name, sizes, initial) for name, sizes, initial in self.declared()]

    def _priorities(self) -> Expr:
        self.take(), self.take()
        levels: list[list[Expr]] = [[]]
        while True:
            levels[-1].append(("default",) if self.has("default") else self.postfix(("var", self.take())))
            separator = self.take(",", "<", ";")
            if separator == ";":
                return ("priorities", levels)
            if separator == "<":
                levels.append([])

    # Statements

    def block(self) -> Expr:
        self.take("{")
        found: list[Expr] = []
        while not self.has("}"):
            found += self.statement()
        return ("block", *found)

    def statement(self) -> list[Expr]:
        token = self.now
        if token == "{":
            return [self.block()]
        if self.has(";"):
            return [EMPTY]
        if self.has("typedef"):
            of = self.type()
            declared = self.declared()
            self.types |= {name for name, _, _ in declared}
            return [("typedef", of, name, sizes) for name, sizes, _ in declared]
        if self.has("return"):
            value = None if self.now == ";" else self.expression()
            self.take(";")
            return [("return", value)]
        if self.has("if"):
            return [self._if()]
        if token in ("for", "while", "do"):
            return [self._loop()]
        if self.is_type():
            of = self.type()
            return [("declare", of, name, sizes, initial) for name, sizes, initial in self.declared()]
        found: Expr = ("do", self.expression())
        self.take(";")
        return [found]

    def _if(self) -> Expr:
        self.take("(")
        test = self.expression()
        self.take(")")
        then = self.statement()
        return ("if", test, then, self.statement() if self.has("else") else [])

    def _loop(self) -> Expr:
        kind = self.take()
        if kind == "do":
            body = self.statement()
            self.take("while"), self.take("(")
            test = self.expression()
            self.take(")"), self.take(";")
            return ("loop", (), test, (), body, True)
        self.take("(")
        if kind == "while":
            test = self.expression()
            self.take(")")
            return ("loop", (), test, (), self.statement(), False)
        if self.after() == ":":
            name = self.take()
            self.take(":")
            of = self.type()
            self.take(")")
            return ("iterate", name, of, self.statement())
        first = self.listed(self.expression, ";")
        tests = self.listed(self.expression, ";")
        step = self.listed(self.expression, ")")
        return ("loop", first, tests[-1] if tests else None, step, self.statement(), False)

    # Labels and the system

    def select(self) -> tuple[str, Expr]:
        name = self.take()
        self.take(":")
        return name, self.type()

    def sync(self) -> tuple[Expr, bool]:
        channel = self.postfix(self.primary())
        return channel, self.take("!", "?") == "!"

    def system(self) -> tuple[list[Any], list[list[str]]]:
        """Declarations and instances in their order, and the names of processes from the lowest priority up."""
        found: list[Any] = []
        while True:
            found += self.declarations()
            if self.has("system"):
                break
            found.append(self._instance())
        levels = [[self.take()]]
        while self.now != ";":
            if self.take(",", "<") == "<":
                levels.append([])
            levels[-1].append(self.take())
        return found, levels

    def _instance(self) -> Instance:
        name = self.take()
        parameters = self.listed(self.parameter, ")") if self.has("(") else ()
        self.take("=", ":=")
        template = self.take()
        self.take("(")
        return Instance(name, parameters, template, self.listed(self.expression, ")"))
