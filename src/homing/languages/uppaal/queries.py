"""Queries: what a file asks about its model."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace

from homing.core.errors import HomingError
from homing.core.property import OnGraph
from homing.languages.uppaal import parsing
from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.bounds import of_condition, sources
from homing.languages.uppaal.conditions import All, Formula, negated, speaks_of_deadlock
from homing.languages.uppaal.labels import Condition, Labelled, Value
from homing.languages.uppaal.network import Network
from homing.languages.uppaal.store import Ranges
from homing.languages.uppaal.text import Text
from homing.languages.uppaal.types import Clock, numeric
from homing.timed.property import Bound, Forever, Inevitable, Invariant, LeadsTo, Reachable, Refused

COMMENT = re.compile(r"/\*[\s\S]*?\*/|//[^\n]*")
REFUSED = (
    (re.compile(r"\bPr\s*[\[\(]"), "'Pr' is statistical, which is not supported"),
    (re.compile(r"\bsimulate\b"), "'simulate' is statistical, which is not supported"),
    (re.compile(r"^\s*E\s*\["), "'E[…]' with a bound is statistical, which is not supported"),
    (re.compile(r"\b(min|max)E\s*\("), "queries that learn are statistical, which is not supported"),
    (re.compile(r"\b(minPr|maxPr)\b"), "queries that learn are statistical, which is not supported"),
    (re.compile(r"\b(strategy|saveStrategy|loadStrategy)\b|\bunder\b"), "strategies are not supported"),
    (
        re.compile(r"^\s*(control|control_t\*|E<>\s*control|\{[^}]*\}\s*control)\b"),
        "games ('control') are not supported",
    ),
    (re.compile(r"^\s*scenario\b"), "scenarios of live sequence charts are not supported"),
    (re.compile(r"\b[AE]\s*\[[^\]]*\bU\b|[<\[]\]?\s*<=|#"), "bounds on paths are statistical, which is not supported"),
)
KINDS: dict[str, tuple[Callable[[str, int], OnGraph], bool]] = {
    "E<>": (Reachable, False),
    "A[]": (Invariant, True),
    "E[]": (Forever, False),
    "A<>": (Inevitable, True),
}
"""What each asks, and whether its condition is kept negated."""


def split(text: Text) -> Iterator[Text]:
    """The queries of a `.q` file: one a line, unless the line ends in a backslash."""
    blank = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text.value)
    at = 0
    for line in re.split(r"(?<!\\)\n", blank):
        if line.strip(" \t\r\n\\"):
            start = at + len(line) - len(line.lstrip())
            place = text.place(start)
            value = line.strip().replace("\\\n", " \n")
            yield Text(text.file, "the query", value, ((0, place.line, place.column),))
        at += len(line) + 1


class Queries:
    """Collects the labels that properties speak of."""

    def __init__(self, network: Network, ranges: Ranges, labels: list[Labelled]) -> None:
        self.network = network
        self.ranges = ranges
        self.labels = labels
        self.properties: dict[str, OnGraph] = {}

    def add(self, text: Text) -> None:
        """One query; asking twice is asking once."""
        refusal = self._refusal(text)
        if refusal is not None:
            name = _normal(text.value)
            self.properties[name] = Refused(name, refusal)
            return
        if not COMMENT.sub("", text.value).strip():
            return
        query = parsing.query(text)
        name = _normal(text.value)
        if query.kind in ("sup", "inf"):
            self._bounds(query)
        elif name not in self.properties:
            self.properties[name] = self._property(query, name)

    def _refusal(self, text: Text) -> str | None:
        """Why a query cannot be decided here, where its kind says so."""
        plain = COMMENT.sub(lambda match: " " * len(match.group()), text.value)
        if re.match(r"\s*[AE]\s*(\[\s*\]|<\s*>)(?!\s*<=)", plain):
            return None
        return next((why for pattern, why in REFUSED if pattern.search(plain)), None)

    def _property(self, query: s.Query, name: str) -> OnGraph:
        scope = self.network.scope
        formulas = [self.network.compiler.formula(condition, scope) for condition in query.conditions]
        if query.kind == "-->":
            where = self._condition(f"{name}: where", formulas[0])
            return LeadsTo(name, where, self._condition(f"{name}: until", negated(formulas[1])))
        kind, opposite = KINDS[query.kind]
        where = self._condition(name, negated(formulas[0]) if opposite else formulas[0])
        trigger = _trigger(query.conditions[0]) if kind is Invariant else None
        if trigger is None:
            return kind(name, where)
        return Invariant(name, where, self._condition(f"{name}: when", self.network.compiler.formula(trigger, scope)))

    def _condition(self, name: str, formula: Formula) -> int:
        bounds = of_condition(self.network.store, self.ranges, self.network.members, formula)
        self.labels.append(Condition(name, formula, bounds))
        return len(self.labels) - 1

    def _bounds(self, query: s.Query) -> None:
        scope = self.network.scope
        where = f"{{{query.conditions[0].balanced}}}" if query.conditions else ""
        formula = self.network.compiler.formula(query.conditions[0], scope) if query.conditions else All(())
        if speaks_of_deadlock(formula):
            raise query.conditions[0].error("'deadlock' can be asked about with E<> and A[] only")
        for expression in query.of:
            name = f"{query.kind}{where}: {_normal(expression.balanced)}"
            if name in self.properties:
                continue
            sense = "sup" if query.kind == "sup" else "inf"
            condition = self._condition(f"{name}: where", formula)
            of, clock = self._measured(name, expression)
            copied = sources(self.network.store, self.network.members, of) if clock else frozenset[int]()
            self.properties[name] = Bound(name, condition, of, clock, sense, copied)  # type: ignore[arg-type]

    def _measured(self, name: str, expression: s.Expression) -> tuple[int, bool]:
        code = self.network.compiler.expression(expression, self.network.scope)
        if isinstance(code.type, Clock):
            if code.target is None or code.target.fixed is None:
                raise expression.error(f"'{expression.words}' is no single clock")
            return int(self.network.store.base[code.target.fixed]), True
        if not numeric(code.type):
            raise expression.error(f"'{expression.words}' is neither a clock nor a number")
        if code.effects.writes:
            raise expression.error(f"'{expression.words}' changes variables, which a query must not")
        self.labels.append(Value(name, code))
        return len(self.labels) - 1, False


def _trigger(condition: s.Expression) -> s.Expression | None:
    """What an implication is about, also under `forall`: where that never holds, it says nothing."""
    match condition:
        case s.Binary(operator="||", left=s.Unary(operator="!", operand=when)):
            return when
        case s.Quantified(quantifier="forall", body=body):
            inner = _trigger(body)
            return None if inner is None else replace(condition, quantifier="exists", body=inner)
    return None


def _normal(text: str) -> str:
    return " ".join(COMMENT.sub(" ", text).replace("\\\n", " ").split())


def queries(network: Network, ranges: Ranges, labels: list[Labelled], texts: tuple[Text, ...]) -> tuple[OnGraph, ...]:
    """What is asked, with labels added for it."""
    asked = Queries(network, ranges, labels)
    for text in texts:
        try:
            asked.add(text)
        except RecursionError:
            raise HomingError("the query nests too deeply", text.place(0)) from None
    return tuple(asked.properties.values())
