"""Terms with their types checked, and simplified where values are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import product
from math import prod
from typing import Any

from homing.core.errors import HomingError, ModelError
from homing.languages.smv import operators as o
from homing.languages.smv.closures import Compiler
from homing.languages.smv.terms import (
    BOOLEAN,
    INTEGER,
    MIXED,
    Among,
    Apply,
    Choice,
    Constant,
    Equal,
    Logical,
    Member,
    Pick,
    Scalar,
    Shared,
    Span,
    Term,
    Type,
    Variable,
    atoms,
    show,
)
from homing.languages.smv.tokens import Source

PLAIN = ("integer", "symbolic", "mixed")
NAMES = {"boolean": "a truth value", "integer": "a number", "symbolic": "a symbol", "mixed": "a symbol or a number"}
MOST_TRIED = 10_000
"""Combinations of values that are tried to see that a variable is never given a value that it cannot have."""


def described(type_: Type) -> str:
    """A type in a sentence."""
    return NAMES.get(type_.kind) or f"{'a' if type_.signed else 'an'} {type_}"


class Builder:
    """Makes terms; errors have the place of the operand that does not fit."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def error(self, message: str, at: int) -> HomingError:
        """Bad input."""
        return self.source.error(message, at)

    # What is wanted

    def single(self, term: Term) -> Term:
        """A term that is no set."""
        if term.is_set:
            raise self.error("a single value is wanted here, not a set; 'in' asks for membership", term.at)
        return term

    def boolean(self, term: Term) -> Term:
        """A single truth value; 0 and 1 will do, as in older versions."""
        return self.of_type(self.single(term), BOOLEAN)

    def number(self, term: Term) -> Term:
        """A single number."""
        return self.of_type(self.single(term), INTEGER)

    def of_type(self, term: Term, wanted: Type) -> Term:
        """The term as one of a type, or an error."""
        if term.type == wanted or (wanted == MIXED and term.type.kind in PLAIN):
            return term
        if wanted == BOOLEAN and term.type == INTEGER:
            truth = self.truth(term)
            if truth is not None:
                return truth
        hint = "; toint makes one of it" if (wanted, term.type) == (INTEGER, BOOLEAN) else ""
        raise self.error(f"{described(wanted)} is wanted here, not {described(term.type)}{hint}", term.at)

    def truth(self, term: Term) -> Term | None:
        """What 0 and 1 mean where a truth value is wanted; None for other numbers."""
        match term:
            case Constant(value=0 | 1 as value):
                return Constant(BOOLEAN, term.at, bool(value))
            case Among(items=items):
                found = [self.truth(item) if item.type == INTEGER else item for item in items]
                return None if None in found else self.among(term.at, [each for each in found if each is not None])
            case Span(low=Constant(value=0), high=Constant(value=1)):
                return self.among(term.at, [Constant(BOOLEAN, term.at, False), Constant(BOOLEAN, term.at, True)])
            case Choice(branches=branches):
                values = [self.truth(value) if value.type == INTEGER else value for _, value in branches]
                if None in values:
                    return None
                chosen = zip((condition for condition, _ in branches), values, strict=True)
                return Choice(BOOLEAN, term.at, tuple((condition, value) for condition, value in chosen if value))
            case Shared(name=name, body=body):
                inner = self.truth(body)
                return None if inner is None else Shared(BOOLEAN, term.at, name, inner)
        return None

    def joined(self, terms: Sequence[Term]) -> tuple[Type, list[Term]]:
        """The type that all have, and the terms as such."""
        types = list(dict.fromkeys(term.type for term in terms))
        if len(types) == 1:
            return types[0], list(terms)
        if all(type_.kind in PLAIN for type_ in types):
            return MIXED, list(terms)
        if BOOLEAN in types:
            return BOOLEAN, [self.of_type(term, BOOLEAN) for term in terms]
        return types[0], [self.of_type(term, types[0]) for term in terms]

    # Logic

    def conjunction(self, at: int, parts: Sequence[Term]) -> Term:
        """`&` of truth values."""
        return self._several("and", at, parts, neutral=True)

    def disjunction(self, at: int, parts: Sequence[Term]) -> Term:
        """`|` of truth values."""
        return self._several("or", at, parts, neutral=False)

    def _several(self, operator: str, at: int, parts: Sequence[Term], neutral: bool) -> Term:
        parts = [self.boolean(part) for part in parts]
        kept = [part for part in parts if not isinstance(part, Constant)]
        if any(isinstance(part, Constant) and part.value is not neutral for part in parts):
            return Constant(BOOLEAN, at, not neutral)  # whatever the others are
        if not kept:
            return Constant(BOOLEAN, at, neutral)
        return kept[0] if len(kept) == 1 else Logical(BOOLEAN, at, operator, tuple(kept))

    def negation(self, at: int, part: Term) -> Term:
        """`!` of a truth value."""
        part = self.boolean(part)
        match part:
            case Constant(value=value):
                return Constant(BOOLEAN, at, not value)
            case Logical(operator="not", operands=(inner,)):
                return inner
        return Logical(BOOLEAN, at, "not", (part,))

    def implication(self, at: int, left: Term, right: Term) -> Term:
        """`->`."""
        left, right = self.boolean(left), self.boolean(right)
        if isinstance(left, Constant):
            return right if left.value else Constant(BOOLEAN, at, True)
        return Logical(BOOLEAN, at, "implies", (left, right))

    # Comparison

    def equal(self, at: int, left: Term, right: Term) -> Term:
        """`=`; for truth values also `<->`."""
        left, right = self.single(left), self.single(right)
        kinds = {left.type.kind, right.type.kind}
        if kinds == {"integer", "symbolic"}:
            raise self.error(f"{described(left.type)} cannot be compared with {described(right.type)}", right.at)
        if not kinds <= set(PLAIN):
            try:
                _, (left, right) = self.joined([left, right])
            except HomingError:
                what = f"{described(left.type)} cannot be compared with {described(right.type)}"
                raise self.error(what, right.at) from None
        if isinstance(left, Constant) and isinstance(right, Constant):
            return Constant(BOOLEAN, at, left.value == right.value)
        return Equal(BOOLEAN, at, left, right)

    def member(self, at: int, left: Term, right: Term) -> Term:
        """`in`."""
        self._refuse_words(left, right)
        if {left.type.kind, right.type.kind} == {"integer", "symbolic"}:
            raise self.error(f"{described(left.type)} cannot be one of {described(right.type)}", right.at)
        if {left.type.kind, right.type.kind} - set(PLAIN):
            _, (left, right) = self.joined([left, right])
        return Member(BOOLEAN, at, left, right)

    def comparison(self, operator: str, at: int, left: Term, right: Term) -> Term:
        """`<` and the like, of numbers or of words."""
        function = o.COMPARISONS[operator]
        if left.type.kind == "word":
            left, right = self.single(left), self.of_type(self.single(right), left.type)
        else:
            left, right = self.number(left), self.number(right)
        return self.applied(BOOLEAN, at, operator, function, (left, right))

    # Arithmetic

    def arithmetic(self, operator: str, at: int, left: Term, right: Term) -> Term:
        """`+` and the like, of numbers or of words."""
        function = o.ARITHMETIC[operator]
        if operator in ("/", "mod"):
            function = o.checked(function, self.source.place(at))
        if left.type.kind == "word":
            left, right = self.single(left), self.of_type(self.single(right), left.type)
            return self.applied(left.type, at, operator, o.on_words(function, left.type), (left, right))
        return self.applied(INTEGER, at, operator, function, (self.number(left), self.number(right)))

    def bitwise(self, operator: str, at: int, left: Term, right: Term) -> Term:
        """`&` and the like, of words."""
        left, right = self.single(left), self.of_type(self.single(right), left.type)
        return self.applied(left.type, at, operator, o.on_words(o.BITWISE[operator], left.type), (left, right))

    def applied(
        self, type_: Type, at: int, operator: str, function: Callable[..., Any], operands: tuple[Term, ...]
    ) -> Term:
        """A function applied, at once where all its arguments are known; where that fails, only if it is needed."""
        values = [operand.value for operand in operands if isinstance(operand, Constant)]
        if len(values) == len(operands):
            with suppress(ModelError):
                return Constant(type_, at, function(*values))
        return Apply(type_, at, operator, function, operands)

    # Choices

    def case(self, at: int, branches: Sequence[tuple[Term, Term]]) -> Term:
        """`case`, without branches that are never reached."""
        type_, values = self.joined([value for _, value in branches])
        kept: list[tuple[Term, Term]] = []
        for (condition, _), value in zip(branches, values, strict=True):
            condition = self.boolean(condition)
            if isinstance(condition, Constant) and not condition.value:
                continue
            kept.append((condition, value))
            if isinstance(condition, Constant):
                break
        if kept and isinstance(kept[0][0], Constant):
            return kept[0][1]
        return Choice(type_, at, tuple(kept))

    def among(self, at: int, items: Sequence[Term]) -> Term:
        """`{…}`, and `union`."""
        if len(items) > 1:
            self._refuse_words(*items)
        type_, items = self.joined(items)
        flat = [part for item in items for part in (item.items if isinstance(item, Among) else (item,))]
        return Among(type_, at, tuple(flat))

    def _refuse_words(self, *terms: Term) -> None:
        for term in terms:
            if term.type.kind == "word":
                raise self.error(f"no set has words as members, and this is {described(term.type)}", term.at)

    def span(self, at: int, low: Term, high: Term) -> Term:
        """`low..high`."""
        low, high = self.number(low), self.number(high)
        if isinstance(low, Constant) and isinstance(high, Constant) and low.value > high.value:  # type: ignore[operator]
            raise self.error(f"the range {low.value}..{high.value} is empty", at)
        return Span(INTEGER, at, low, high)

    def pick(self, at: int, index: Term, low: int, elements: Sequence[Term]) -> Term:
        """An element by an index that is not known before."""
        type_, elements = self.joined(elements)
        return Pick(type_, at, self.number(index), low, tuple(elements))

    # Values of variables

    def for_variable(self, variable: Variable, term: Term) -> Term:
        """What is assigned to a variable: of its type, and all that is known of it in its domain."""
        if variable.type.kind not in PLAIN:
            term = self.of_type(term, variable.type)
        elif term.type.kind not in PLAIN or {variable.type.kind, term.type.kind} == {"integer", "symbolic"}:
            what = f"'{variable}' takes {described(variable.type)}, not {described(term.type)}"
            raise self.error(what, term.at)
        for value, at in constants(term):
            if not variable.allows(value) and self._is_possible(term, value):
                raise self.error(f"'{variable}' cannot be {show(value)}, its values are {variable.choices}", at)
        return term

    def _is_possible(self, term: Term, wanted: Scalar) -> bool:
        """Has the term this value for some values of its variables? Too many to try are left to the search."""
        read = sorted(atoms(term), key=lambda atom: (atom[0].number, atom[1]))
        if prod(len(variable.domain) for variable, _ in read) > MOST_TRIED:
            return False
        compiler = Compiler(self.source, read)
        values = compiler.several(term)
        for chosen in product(*(variable.domain for variable, _ in read)):
            with suppress(ModelError):  # a division by zero has no value
                if wanted in values(compiler.frame(chosen)):
                    return True
        return False


def constants(term: Term) -> list[tuple[Any, int]]:
    """The values that a term is seen to take without looking at a state, and where they are."""
    found, waiting = [], [term]
    while waiting:
        part = waiting.pop()
        match part:
            case Constant(value=value):
                found.append((value, part.at))
            case Choice(branches=branches):
                waiting += [value for _, value in branches]
            case Among(items=items):
                waiting += items
            case Span(low=low, high=high):
                waiting += [each for each in (low, high) if isinstance(each, Constant)]
            case Shared(body=body):
                waiting.append(body)
    return found
