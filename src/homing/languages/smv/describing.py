"""Rules and terms as conditions on the values of single variables, in an algebra that an engine provides.

A term that is no truth value is a table: by value, the condition under which it has that value (or, of a set, may have
it). Along with it goes the condition under which evaluating it is an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from homing.core.errors import HomingError
from homing.core.system import Algebra, Description
from homing.languages.smv.rules import Rule
from homing.languages.smv.terms import (
    BOOLEAN,
    Among,
    Apply,
    Choice,
    Constant,
    Equal,
    Logical,
    Member,
    Next,
    Pick,
    Ref,
    Scalar,
    Shared,
    Span,
    Term,
    Variable,
    atoms,
)

MOST_VALUES = 4096
"""Values of a term in a table."""
MOST_WORK = 1 << 16
"""Combinations of values that an operator is applied to."""


class Unsuitable(Exception):
    """Something cannot be told by conditions; it has to be asked."""


@dataclass(frozen=True)
class Told:
    """A term as a table (truth values have True alone), and where it is an error."""

    table: dict[Any, Any]
    failing: Any


def describe(
    slots: Mapping[Variable, int],
    algebra: Algebra,
    ways: Sequence[Sequence[Rule]],
    inputs: Mapping[Variable, Scalar] | None = None,
) -> Description | None:
    """The rules as conditions, or None."""
    describer = _Describer(slots, algebra, inputs or {})
    try:
        told = tuple(tuple(describer.rule(rule, len(way) + len(ways) > 2) for rule in way) for way in ways)
    except Unsuitable:
        return None
    return Description(told, describer.failing)


class _Describer:
    def __init__(self, slots: Mapping[Variable, int], algebra: Algebra, inputs: Mapping[Variable, Scalar]) -> None:
        self.slots = slots
        self.algebra = algebra
        self.inputs = inputs
        self.failing = algebra.false
        self._known: dict[tuple[int, bool], tuple[Term, Told]] = {}

    def rule(self, rule: Rule, several: bool) -> tuple[Any, frozenset[int], frozenset[int]]:
        """A rule as a condition, with the slots that it is about. An error of one rule is none where another rule rules
        it out before; so of several, none may have any."""
        told = self.term(rule.term, rule.primed)
        failing = told.failing
        if rule.given is None:
            found = self._true(rule.term, told)
            condition = found if rule.positive else ~found
        else:
            variable, after = rule.given
            condition = self.algebra.false
            for value, when in told.table.items() if rule.term.type != BOOLEAN or rule.term.is_set else _both(told):
                if variable.allows(value):
                    condition = condition | (when & self.algebra.equals(self.slots[variable], value, after))
                else:
                    failing = failing | when
        if self.algebra.possible(failing):
            if several or any(after for _, after in atoms(rule.term, rule.primed)):
                raise Unsuitable
            self.failing = self.failing | failing
        about = [(self.slots[variable], after) for variable, after in rule.atoms if variable not in self.inputs]
        now = frozenset(slot for slot, after in about if not after)
        return condition & ~failing, now, frozenset(slot for slot, after in about if after)

    def _true(self, term: Term, told: Told) -> Any:
        return told.table.get(True, self.algebra.false)

    # Terms

    def term(self, term: Term, primed: bool) -> Told:
        """What a term is."""
        match term:
            case Constant(value=value):
                return self._constant(value)
            case Ref(variable=variable):
                return self._variable(variable, primed)
            case Next(body=body):
                return self.term(body, True)
            case Shared(body=body):
                key = (id(term), primed)
                if key not in self._known:
                    self._known[key] = (term, self.term(body, primed))
                return self._known[key][1]
            case Logical():
                return self._logical(term, primed)
            case Equal(left=left, right=right):
                return self._equal(left, right, primed)
            case Member(left=left, right=right):
                return self._member(left, right, primed)
            case Choice():
                return self._choice(term, primed)
            case Among(items=items):
                return self._union([(self.algebra.true, item) for item in items], primed, self.algebra.false)
            case Span() | Apply():
                return self._applied(term, primed)
            case Pick():
                return self._pick(term, primed)
        raise Unsuitable

    def _constant(self, value: Scalar) -> Told:
        return Told({} if value is False else {value: self.algebra.true}, self.algebra.false)

    def _variable(self, variable: Variable, primed: bool) -> Told:
        algebra = self.algebra
        if variable in self.inputs:
            return self._constant(self.inputs[variable])
        if variable.body is not None:
            told = self.term(variable.body, primed)
            failing = told.failing
            for value, when in self._table(variable.body, told).items():
                if not variable.allows(value):
                    failing = failing | when
            return Told(told.table, failing)
        if variable not in self.slots or len(variable.domain) > MOST_VALUES:
            raise Unsuitable
        slot, after = self.slots[variable], primed and not variable.still
        values = [True] if variable.type == BOOLEAN else list(variable.domain)
        return Told({value: algebra.equals(slot, value, after) for value in values}, algebra.false)

    def _table(self, term: Term, told: Told) -> dict[Any, Any]:
        """With an entry for False, too."""
        return dict(_both(told)) if term.type == BOOLEAN and not term.is_set else told.table

    def _truth(self, term: Term, primed: bool) -> tuple[Any, Any]:
        told = self.term(term, primed)
        return self._true(term, told), told.failing

    def _logical(self, term: Logical, primed: bool) -> Told:
        """A part that fails is no error where another part decides."""
        parts = [self._truth(operand, primed) for operand in term.operands]
        first, failing = parts[0]
        if term.operator == "not":
            return Told({True: ~first}, failing)
        if term.operator == "implies":
            parts[0] = (~first, failing)
        deciding, wrong = self.algebra.false, self.algebra.false
        for true, fails in parts:
            deciding = deciding | ((~true if term.operator == "and" else true) & ~fails)
            wrong = wrong | fails
        failing = wrong & ~deciding
        return Told({True: ~deciding & ~failing if term.operator == "and" else deciding}, failing)

    def _equal(self, left: Term, right: Term, primed: bool) -> Told:
        one, other = self.term(left, primed), self.term(right, primed)
        tables = self._table(left, one), self._table(right, other)
        found = self.algebra.false
        for value, when in tables[0].items():
            if value in tables[1]:
                found = found | (when & tables[1][value])
        return Told({True: found}, one.failing | other.failing)

    def _member(self, left: Term, right: Term, primed: bool) -> Told:
        one, other = self.term(left, primed), self.term(right, primed)
        tables = self._table(left, one), self._table(right, other)
        outside = self.algebra.false
        for value, when in tables[0].items():
            outside = outside | (when & ~tables[1].get(value, self.algebra.false))
        return Told({True: ~outside}, one.failing | other.failing)

    def _choice(self, term: Choice, primed: bool) -> Told:
        left, failing = self.algebra.true, self.algebra.false
        chosen = []
        for condition, value in term.branches:
            true, wrong = self._truth(condition, primed)
            failing = failing | (left & wrong)
            chosen.append((left & true, value))
            left = left & ~true
        return self._union(chosen, primed, failing | left, term)

    def _union(self, chosen: Iterable[tuple[Any, Term]], primed: bool, failing: Any, whole: Term | None = None) -> Told:
        table: dict[Any, Any] = {}
        plain = whole is not None and whole.type == BOOLEAN and not whole.is_set
        for when, term in chosen:
            if not self.algebra.possible(when):
                continue
            told = self.term(term, primed)
            failing = failing | (when & told.failing)
            for value, also in (told.table if plain else self._table(term, told)).items():
                table[value] = table.get(value, self.algebra.false) | (when & also)
        return Told(table, failing)

    def _applied(self, term: Apply | Span, primed: bool) -> Told:
        operands = term.parts
        told = [self.term(operand, primed) for operand in operands]
        failing = self.algebra.false
        for each in told:
            failing = failing | each.failing
        tables = [list(self._table(operand, each).items()) for operand, each in zip(operands, told, strict=True)]
        work = 1
        for entries in tables:
            work *= len(entries)
        if work > MOST_WORK:
            raise Unsuitable
        table: dict[Any, Any] = {}
        for combination in product(*tables):
            when = self.algebra.true
            for _, also in combination:
                when = when & also
            if not self.algebra.possible(when):
                continue
            try:
                values = self._results(term, [value for value, _ in combination])
            except (HomingError, ArithmeticError):
                failing = failing | when
                continue
            for value in values:
                table[value] = table.get(value, self.algebra.false) | when
        if len(table) > MOST_VALUES:
            raise Unsuitable
        if term.type == BOOLEAN and not term.is_set:
            table.pop(False, None)
        return Told(table, failing)

    def _results(self, term: Apply | Span, values: list[Any]) -> Iterable[Any]:
        if isinstance(term, Span):
            return range(values[0], values[1] + 1)
        return (term.function(*values),)

    def _pick(self, term: Pick, primed: bool) -> Told:
        index = self.term(term.index, primed)
        failing, chosen = index.failing, []
        for value, when in index.table.items():
            if 0 <= value - term.low < len(term.elements):
                chosen.append((when, term.elements[value - term.low]))
            else:
                failing = failing | when
        return self._union(chosen, primed, failing, term)


def _both(told: Told) -> list[tuple[Any, Any]]:
    """A truth value as a table of both."""
    true = told.table.get(True)
    if true is None:
        return [(False, ~told.failing)]
    return [(True, true), (False, ~true & ~told.failing)]
