"""Conditions on clocks: guards, invariants and queries, as formulas that become sets of clock values in a state."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.code import NO_EFFECTS, Code, Effects, constant
from homing.languages.uppaal.expressions import MOST_VALUES
from homing.languages.uppaal.functions import Functions
from homing.languages.uppaal.scope import Scope
from homing.languages.uppaal.store import Fault, Interval, Memory, Ranges
from homing.languages.uppaal.text import a
from homing.languages.uppaal.types import BOOL, Clock, numeric
from homing.timed.system import MOST, Cell, Constraint, at_most

OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
MOST_CELLS = 10_000
"""More convex parts than this are taken for a mistake."""
ALWAYS = (Cell(),)
"""What holds whatever the clocks say."""
Cells: TypeAlias = tuple[Cell, ...]


@dataclass(frozen=True, eq=False)
class Discrete:
    """What clocks do not matter for."""

    code: Code
    positive: bool = True


@dataclass(frozen=True, eq=False)
class Atom:
    """`left - right < bound`; the bound is a sum of terms with their signs, and a side may be missing."""

    node: s.Node
    left: Code | None
    right: Code | None
    operator: str
    terms: tuple[tuple[int, Code], ...]

    def bound(self, memory: Memory) -> int:
        """Its value in a state."""
        value = int(sum(sign * term.run(memory) for sign, term in self.terms))
        if abs(value) >= MOST:
            raise Fault(self.node, f"'{self.node.words}' compares clocks with {value}, which is too great")
        return value

    def interval(self, ranges: Ranges) -> Interval:
        """Between which values the bound lies."""
        low = high = 0
        for sign, term in self.terms:
            least, most = term.interval(ranges)
            low, high = (low + least, high + most) if sign > 0 else (low - most, high - least)
        return low, high

    @property
    def clocks(self) -> tuple[range, range]:
        """The addresses that either side may have."""
        sides = (self.left, self.right)
        left, right = (side.target.region if side is not None and side.target else range(0) for side in sides)
        return left, right


@dataclass(frozen=True, eq=False)
class Stuck:
    """`deadlock`."""

    positive: bool = True


@dataclass(frozen=True, eq=False)
class All:
    """Of one or several; `positive` is for a conjunction, its opposite for a disjunction."""

    parts: tuple[Formula, ...]
    conjunction: bool = True


Formula: TypeAlias = Discrete | Atom | Stuck | All


def negated(formula: Formula) -> Formula:
    """The opposite."""
    match formula:
        case Discrete(code=code, positive=positive):
            return Discrete(code, not positive)
        case Stuck(positive=positive):
            return Stuck(not positive)
        case Atom():
            opposite = OPPOSITE[formula.operator]
            return Atom(formula.node, formula.left, formula.right, opposite, formula.terms)
        case All(parts=parts, conjunction=conjunction):
            return All(tuple(map(negated, parts)), not conjunction)


def atoms(formula: Formula) -> Iterator[Atom]:
    """All comparisons of clocks in it."""
    if isinstance(formula, Atom):
        yield formula
    elif isinstance(formula, All):
        for part in formula.parts:
            yield from atoms(part)


def speaks_of_deadlock(formula: Formula) -> bool:
    """Whether `deadlock` is in it."""
    if isinstance(formula, All):
        return any(map(speaks_of_deadlock, formula.parts))
    return isinstance(formula, Stuck)


def effects(formula: Formula) -> Effects:
    """What evaluating it reads."""
    match formula:
        case Discrete(code=code):
            return code.effects
        case Stuck():
            return NO_EFFECTS
        case Atom(left=left, right=right, terms=terms):
            sides = [side.target.effects for side in (left, right) if side is not None and side.target is not None]
            return NO_EFFECTS.then(*sides, *(term.effects for _, term in terms))
        case All(parts=parts):
            return NO_EFFECTS.then(*map(effects, parts))


def decided(formula: Formula) -> bool | None:
    """What it is in every state, where that is known."""
    match formula:
        case Discrete(code=code, positive=positive) if code.known:
            return bool(code.value) is positive
        case All(parts=parts, conjunction=conjunction):
            known = [decided(part) for part in parts]
            if (not conjunction) in known:
                return not conjunction
            return None if None in known else conjunction
    return None


def cells(formula: Formula, memory: Memory) -> Cells:
    """Where it holds, given what is discrete: a union of convex sets, evaluated from left to right like `&&`."""
    match formula:
        case Discrete(code=code, positive=positive):
            return ALWAYS if bool(code.run(memory)) is positive else ()
        case Stuck(positive=positive):
            return (Cell((), positive),)
        case Atom():
            return _compared(formula, memory)
        case All(parts=parts, conjunction=True):
            return _intersection(parts, memory)
        case All(parts=parts):
            return _union(parts, memory)


def _union(parts: tuple[Formula, ...], memory: Memory) -> Cells:
    found: dict[Cell, None] = {}
    for part in parts:
        some = cells(part, memory)
        if some == ALWAYS:
            return ALWAYS
        found.update(dict.fromkeys(some))
    return tuple(found)


def _intersection(parts: tuple[Formula, ...], memory: Memory) -> Cells:
    found: Cells = ALWAYS
    for part in parts:
        found = meet(found, cells(part, memory))
        if not found:
            return ()
        if len(found) > MOST_CELLS:
            raise Fault(_node(part), f"the condition has more than {MOST_CELLS} convex parts")
    return found


def _node(formula: Formula) -> s.Node:
    match formula:
        case Discrete(code=code):
            return code.node
        case Atom(node=node):
            return node
        case All(parts=parts) if parts:
            return _node(parts[0])
    raise AssertionError(formula)


def meet(some: Cells, others: Cells) -> Cells:
    """What is in both."""
    if some == ALWAYS:
        return others
    if others == ALWAYS:
        return some
    found: dict[Cell, None] = {}
    for one in some:
        for other in others:
            if one.deadlock is None or other.deadlock is None or one.deadlock == other.deadlock:
                constraints = tuple(dict.fromkeys(one.constraints + other.constraints))
                found[Cell(constraints, other.deadlock if one.deadlock is None else one.deadlock)] = None
    return tuple(found)


def _compared(atom: Atom, memory: Memory) -> Cells:
    left = 0 if atom.left is None else atom.left.run(memory)
    right = 0 if atom.right is None else atom.right.run(memory)
    bound = atom.bound(memory)
    below, above = (left, right), (right, left)
    constraints: dict[str, tuple[tuple[Constraint, ...], ...]] = {
        "<": (((*below, at_most(bound, strict=True)),),),
        "<=": (((*below, at_most(bound)),),),
        ">": (((*above, at_most(-bound, strict=True)),),),
        ">=": (((*above, at_most(-bound)),),),
        "==": (((*below, at_most(bound)), (*above, at_most(-bound))),),
        "!=": (((*below, at_most(bound, strict=True)),), ((*above, at_most(-bound, strict=True)),)),
    }
    found = [simplified(all_of) for all_of in constraints[atom.operator]]
    if any(all_of == () for all_of in found):
        return ALWAYS
    return tuple(Cell(all_of) for all_of in found if all_of is not None)


def simplified(constraints: tuple[Constraint, ...]) -> tuple[Constraint, ...] | None:
    """Without those that say nothing, as `x >= 0`; None where one of them cannot be."""
    kept = []
    for left, right, bound in constraints:
        if left == right or (left == 0 and bound >= at_most(0)):
            if bound < at_most(0):
                return None
            continue
        if right == 0 and bound < at_most(0):
            return None
        kept.append((left, right, bound))
    return tuple(kept)


@dataclass(frozen=True, eq=False)
class _Linear:
    """A sum: clocks that are added, clocks that are subtracted, and numbers with their signs."""

    plus: tuple[Code, ...] = ()
    minus: tuple[Code, ...] = ()
    terms: tuple[tuple[int, Code], ...] = ()

    def __add__(self, other: _Linear) -> _Linear:
        return _Linear(self.plus + other.plus, self.minus + other.minus, self.terms + other.terms)

    def __neg__(self) -> _Linear:
        return _Linear(self.minus, self.plus, tuple((-sign, code) for sign, code in self.terms))


class Conditions(Functions):
    """Adds what speaks of clocks."""

    def formula(self, node: s.Expression, scope: Scope) -> Formula:
        """A condition, with clocks or without."""
        match node:
            case s.Binary(operator="&&" | "||"):
                parts = (self.formula(node.left, scope), self.formula(node.right, scope))
                return All(parts, node.operator == "&&")
            case s.Unary(operator="!"):
                return negated(self.formula(node.operand, scope))
            case s.Quantified(quantifier="forall" | "exists"):
                return self._each(node, scope)
            case s.Conditional():
                condition = self.formula(node.condition, scope)
                then, otherwise = self.formula(node.then, scope), self.formula(node.otherwise, scope)
                return All((All((negated(condition), then), False), All((condition, otherwise), False)))
            case s.Deadlock():
                return Stuck()
            case s.Binary(operator="<" | "<=" | ">" | ">=" | "==" | "!="):
                return self._comparison(node, scope)
        code = self.expression(node, scope)
        if isinstance(code.type, Clock):
            raise node.error(f"the clock '{node.words}' stands where a condition is wanted")
        if not numeric(code.type):
            raise node.error(f"'{node.words}' is {a(str(code.type))}, where a condition is wanted")
        self._pure(code)
        return Discrete(code)

    def _pure(self, code: Code) -> None:
        if code.effects.writes:
            raise code.node.error(f"'{code.node.words}' changes variables, which a condition must not")

    def _each(self, node: s.Quantified, scope: Scope) -> Formula:
        of, values = self.bound_values(node, scope)
        if len(values) > MOST_VALUES // 100:
            code = self.expression(node, scope)
            self._pure(code)
            return Discrete(code)
        parts = tuple(self.formula(node.body, self.binding(node.name, of, value, scope)) for value in values)
        return All(parts, node.quantifier == "forall")

    def _comparison(self, node: s.Binary, scope: Scope) -> Formula:
        if isinstance(node.left, s.Rate) or isinstance(node.right, s.Rate):
            return self._rate(node, scope)
        both = self._linear(node.left, scope) + -self._linear(node.right, scope)
        if not both.plus and not both.minus:
            code = self.expression(node, scope)
            self._pure(code)
            return Discrete(code)
        if len(both.plus) > 1 or len(both.minus) > 1:
            raise node.error(f"'{node.words}' has more clocks than a difference of two")
        terms = tuple((-sign, code) for sign, code in both.terms)
        for _, code in terms:
            if not numeric(code.type):
                raise code.node.error(f"'{code.node.words}' is {a(str(code.type))}, where a number is wanted")
            self._pure(code)
        left = both.plus[0] if both.plus else None
        right = both.minus[0] if both.minus else None
        return Atom(node, left, right, node.operator, terms)

    def _rate(self, node: s.Binary, scope: Scope) -> Formula:
        rate, value = (node.left, node.right) if isinstance(node.left, s.Rate) else (node.right, node.left)
        assert isinstance(rate, s.Rate)
        clock = self.expression(rate.of, scope)
        if not isinstance(clock.type, Clock):
            raise rate.error(f"'{rate.of.words}' is {a(str(clock.type))}, which has no rate")
        given = self.expression(value, scope)
        if node.operator != "==" or not given.known or given.value != 1:
            raise node.error(f"'{node.words}': a clock that stops or runs at another rate than 1 is not supported")
        return Discrete(constant(node, BOOL, True))

    def _linear(self, node: s.Expression, scope: Scope) -> _Linear:
        match node:
            case s.Binary(operator="+"):
                return self._linear(node.left, scope) + self._linear(node.right, scope)
            case s.Binary(operator="-"):
                return self._linear(node.left, scope) + -self._linear(node.right, scope)
            case s.Unary(operator="-"):
                return -self._linear(node.operand, scope)
        code = self.expression(node, scope)
        if isinstance(code.type, Clock):
            return _Linear(plus=(code,))
        return _Linear(terms=((1, code),))
