"""Reads CSP# by recursive descent, rule by rule as PAT's manual has its grammar; for the oracle alone."""

from __future__ import annotations

from typing import Any

from tests.languages.csp import nodes as n
from tests.languages.csp.reading_terms import ADDITIVE, LEVELS, TermReader, Unreadable

__all__ = ["Unreadable", "read"]
PROCESSES = ("|||", "||", "[]", "<>", "[*]", "interrupt")


def read(text: str) -> n.Source:
    return Reader(text).source()


class Reader(TermReader):
    """A whole file: declarations, processes and assertions."""

    # Declarations

    def source(self) -> n.Source:
        while self.here:
            self.declaration()
        return self.found

    def declaration(self) -> None:
        word = "".join(self.here.split())
        rule = {
            "#define": self.define,
            "#alphabet": self.alphabet,
            "#assert": self.ask,
            "enum": self.enum,
            "var": self.variable,
            "hvar": self.variable,
            "channel": self.channel,
        }.get(word)
        if self.kind == "fairness" or rule == self.ask:
            self.ask()
        elif rule is not None:
            rule()
        else:
            self.definition()
        self.want(";")

    def define(self) -> None:
        self.take()
        name, parameters = self.name(), ()
        if self.here == "(" and self.parametrised():
            self.take()
            parameters = tuple(self.listed(self.name, ")"))
        if self.here == "{":
            self.blocks[name] = parameters, self.block()
        else:
            self.found.macros.append(n.Macro(name, parameters, self.expression()))

    def parametrised(self) -> bool:
        """Whether `(` after the name of a macro opens parameters: names, and something behind them."""
        at = 1
        while self.ahead(at) != ")":
            if not (self.ahead(at).isidentifier() or self.ahead(at) == ","):
                return False
            at += 1
        return self.ahead(at + 1) not in {";", *(sign for level in LEVELS for sign in level)}

    def enum(self) -> None:
        self.take()
        self.want("{")
        for number, name in enumerate(self.listed(self.name, "}")):
            self.found.macros.append(n.Macro(name, (), n.Number(number)))

    def variable(self) -> None:
        hidden = self.take() == "hvar"
        name, sizes = self.name(), self.indices()
        low, high = self.bounds()
        value: n.Expression | None = None
        if self.has("="):
            value = self.items() if self.here == "[" else self.expression()
        self.found.variables.append(n.Variable(name, sizes, low, high, value, hidden))

    def bounds(self) -> tuple[n.Expression | None, n.Expression | None]:
        if not self.has(":"):
            return None, None
        self.want("{")
        low = None if self.here == ".." else self.level(ADDITIVE)
        self.want("..")
        high = None if self.here == "}" else self.level(ADDITIVE)
        self.want("}")
        return low, high

    def channel(self) -> None:
        self.take()
        self.found.channels.append(n.Channel(self.name(), self.indices(), self.level(ADDITIVE)))

    def alphabet(self) -> None:
        self.take()
        name = self.name()
        self.want("{")
        self.found.alphabets.append(n.Alphabet(name, tuple(self.listed(self.event_set, "}"))))

    def definition(self) -> None:
        name, parameters, bounds = self.name(), [], []
        if self.has("(") and not self.has(")"):
            while True:
                parameters.append(self.name())
                bounds.append(self.bounds())
                if self.has(")"):
                    break
                self.want(",")
        self.want("=")
        self.found.definitions.append(n.Definition(name, tuple(parameters), self.process(), tuple(bounds)))

    def ask(self) -> None:
        fairness = self.take().split(maxsplit=1)[1].strip() if self.kind == "fairness" else None
        self.take()
        process = self.reference()
        word = self.take()
        about: tuple[Any, ...] = ()
        if word == "reaches":
            about = (self.expression(), *self.extreme())
        elif word == "refines":
            sense = "T"
            if self.has("<"):
                sense = self.take()
                self.want(">")
            about = (self.reference(), sense)
        elif word == "|=":
            about = (self.formula(), fairness)
        self.found.asks.append(n.Ask(process, word, about))

    def extreme(self) -> tuple[Any, ...]:
        if not self.has("with"):
            return None, None
        sense = self.take()
        self.want("(")
        measure = self.expression()
        self.want(")")
        return sense, measure

    # Processes

    def process(self, level: int = 0) -> n.Process:
        """`interleaveExpr` and the levels below it."""
        if level == len(PROCESSES):
            return self.hiding()
        sign = PROCESSES[level]
        if self.here == sign and sign != "interrupt":
            return self.replicated()
        parts = [self.process(level + 1)]
        while self.has(sign):
            parts.append(self.process(level + 1) if self.here not in PROCESSES else self.replicated())
        return parts[0] if len(parts) == 1 else n.Composition(sign, tuple(parts))

    def replicated(self) -> n.Process:
        sign = self.take()
        if self.has("{"):
            count = self.level(ADDITIVE)
            self.want("}")
            self.want("@")
            return n.Replicated(sign, (), count, self.process())
        ranges = self.ranges()
        self.want("@")
        return n.Replicated(sign, ranges, None, self.process())

    def hiding(self) -> n.Process:
        body = self.sequence()
        while self.has("\\"):
            self.want("{")
            body = n.Hiding(body, tuple(self.listed(self.event_set, "}")))
        return body

    def sequence(self) -> n.Process:
        parts = [self.unit()]
        while self.here == ";" and not self.ends():
            self.take()
            parts.append(self.unit())
        return parts[0] if len(parts) == 1 else n.Composition(";", tuple(parts))

    def unit(self) -> n.Process:
        return self.replicated() if self.here in PROCESSES else self.guarded()

    def ends(self) -> bool:
        """Whether the `;` here ends a declaration: another one follows, or nothing."""
        at = 1
        if self.at + at >= len(self.tokens) or self.tokens[self.at + at][0] in ("directive", "fairness"):
            return True
        if self.ahead(at) in ("var", "hvar", "channel", "enum"):
            return True
        if self.tokens[self.at + at][0] != "name":
            return False
        at += 1
        if self.ahead(at) == "(":
            while self.ahead(at) not in (")", ""):
                at += 1
            at += 1
        return self.ahead(at) == "="

    def guarded(self) -> n.Process:
        if self.has("["):
            condition = self.expression()
            self.want("]")
            return n.Guard(condition, self.prefixed())
        return self.prefixed()

    def prefixed(self) -> n.Process:
        word = self.here
        if word == "{":
            block = self.block()
            self.want("->")
            return n.Prefix(None, block, self.prefixed())
        if word == "(" and self.is_choice():
            return self.choice_of_events()
        rule = {"case": self.case, "atomic": self.atomic, "assert": self.check, "(": self.bracket}.get(word)
        if rule is not None:
            return rule()
        if word in ("if", "ifa", "ifb"):
            return self.conditional()
        if word in ("Skip", "Stop"):
            self.take()
            if self.has("("):
                self.want(")")
            return n.Skip() if word == "Skip" else n.Stop()
        if self.is_prefix():
            return self.prefix()
        return self.reference()

    def bracket(self) -> n.Process:
        self.want("(")
        body = self.process()
        self.want(")")
        return body

    def is_prefix(self) -> bool:
        """Whether a name begins an event or an end of a channel, and not a reference."""
        return self.ahead(1) in ("->", ".", "!", "?", "[", "{")

    def prefix(self) -> n.Process:
        if self.ahead(1) in ("!", "?", "["):
            return self.communication()
        event = self.event_or_tau()
        statements = self.block() if self.here == "{" else None
        self.want("->")
        return n.Prefix(event, statements, self.prefixed())

    def event_or_tau(self) -> n.EventName | None:
        event = self.event()
        return None if event.name == "tau" else event

    def event(self) -> n.EventName:
        name, arguments = self.name(), []
        while self.has("."):
            arguments.append(self.level(ADDITIVE))
        return n.EventName(name, tuple(arguments))

    def is_choice(self) -> bool:
        """Whether `(` opens a choice of events: `(a, b) -> P`."""
        depth, at = 0, 0
        while True:
            sign = self.ahead(at)
            depth += (sign == "(") - (sign == ")")
            if not sign or depth == 0:
                return self.ahead(at + 1) == "->"
            at += 1

    def choice_of_events(self) -> n.Process:
        self.want("(")
        events = list(self.listed(self.event_or_tau, ")"))
        self.want("->")
        then = self.prefixed()  # written once, so it is one point of the program
        parts = [n.Prefix(event, None, then) for event in events]
        return parts[0] if len(parts) == 1 else n.Composition("[]", tuple(parts))

    def communication(self) -> n.Process:
        channel, indices, guard = self.name(), self.indices(), None
        sign = self.take()
        if sign == "?" and self.has("["):
            guard = self.expression()
            self.want("]")
        sent = [self.expression()]
        while self.has("."):
            sent.append(self.expression())
        statements = self.block() if self.here == "{" else None
        self.want("->")
        if sign == "!":
            return n.Output(channel, indices, tuple(sent), statements, self.prefixed())
        return n.Input(channel, indices, guard, tuple(sent), statements, self.prefixed())

    def case(self) -> n.Process:
        self.take()
        self.want("{")
        branches, default = [], None
        while not self.has("}"):
            if self.has("default"):
                self.want(":")
                default = self.process()
            else:
                condition = self.expression()
                self.want(":")
                branches.append((condition, self.process()))
        return n.Case(tuple(branches), default)

    def conditional(self) -> n.Process:
        kind = self.take()
        self.want("(")
        condition = self.expression()
        self.want(")")
        then, otherwise = self.braced(), None
        if self.has("else"):
            otherwise = self.conditional() if self.here in ("if", "ifa", "ifb") else self.braced()
        return n.Conditional(kind, condition, then, otherwise)

    def braced(self) -> n.Process:
        self.want("{")
        body = self.process()
        self.want("}")
        return body

    def atomic(self) -> n.Process:
        self.take()
        return n.Atomic(self.braced())

    def check(self) -> n.Process:
        self.take()
        self.want("(")
        condition = self.expression()
        self.want(")")
        return n.Assertion(condition)

    def event_set(self) -> n.EventSet:
        ranges: tuple[n.Range, ...] = ()
        if self.ahead(1) == ":":
            ranges = self.ranges()
            self.want("@")
        return n.EventSet(self.event(), ranges)
