"""From formulas to terms; the past becomes propositions that are computed along the way.

A past operator is a function of what it remembers and what is true now, so it needs no guess: one bit of memory each. A
future operator below a past one is guessed by a proposition of its own, and the guess is checked by a conjunct.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from homing.core.formula import Constant, Formula, Operation
from homing.properties.ltl.terms import FALSE, TRUE, Pool, Term

Expression: TypeAlias = "tuple[str, tuple[Expression, ...] | int]"
"""A boolean function of propositions: ("and" | "or" | "not", parts) or ("proposition", number)."""

YES: Expression = ("and", ())


@dataclass(frozen=True)
class Remembered:
    """A proposition that stands for `Y right`, or for `left S right` when there is a left."""

    proposition: int
    left: Expression | None
    right: Expression


class Reader:
    """Turns formulas into terms; `propositions` counts atoms first, then what was made up."""

    def __init__(self, atoms: list[Formula]) -> None:
        self.pool = Pool()
        self.atoms = {atom: number for number, atom in enumerate(atoms)}
        self.propositions = len(atoms)
        self.remembered: list[Remembered] = []
        self.guesses: list[int] = []
        self._made: dict[Formula, int] = {}
        self._checks: list[Term] = []

    def read(self, formula: Formula) -> Term:
        """The term of a formula, with the checks of all guesses."""
        term = self._future(formula)
        return self.pool.all_of([term, *self._checks])

    def _future(self, formula: Formula) -> Term:
        pool = self.pool
        if isinstance(formula, Constant):
            return TRUE if formula.value else FALSE
        if not isinstance(formula, Operation):
            return pool.literal(self.atoms[formula], True)
        if formula.operator in "YZOHST":
            number, positive = self._past(formula)
            return pool.literal(number, positive)
        parts = [self._future(operand) for operand in formula.operands]
        match formula.operator:
            case "not":
                return pool.negation(parts[0])
            case "and":
                return pool.all_of(parts)
            case "or":
                return pool.any_of(parts)
            case "implies":
                return pool.any_of([pool.negation(parts[0]), parts[1]])
            case "iff":
                return self._iff(*parts)
            case "X":
                return pool.next(parts[0])
            case "F":
                return pool.eventually(parts[0])
            case "G":
                return pool.always(parts[0])
            case "U":
                return pool.until(*parts)
            case "R":
                return pool.release(*parts)
            case "W":  # f W g is g R (f | g)
                return pool.release(parts[1], pool.any_of(parts))
        raise AssertionError(f"{formula.operator} is no operator of LTL")

    def _iff(self, left: Term, right: Term) -> Term:
        pool = self.pool
        neither = pool.all_of([pool.negation(left), pool.negation(right)])
        return pool.any_of([pool.all_of([left, right]), neither])

    # The past

    def _past(self, formula: Operation) -> tuple[int, bool]:
        """The proposition for a past operator, and whether it stands for it or for its negation."""
        parts = [self._boolean(operand) for operand in formula.operands]
        refuted: list[Expression] = [("not", (part,)) for part in parts]
        match formula.operator:
            case "Y":
                return self._remember(formula, None, parts[0]), True
            case "Z":
                return self._remember(formula, None, refuted[0]), False
            case "O":
                return self._remember(formula, YES, parts[0]), True
            case "H":
                return self._remember(formula, YES, refuted[0]), False
            case "S":
                return self._remember(formula, parts[0], parts[1]), True
        return self._remember(formula, refuted[0], refuted[1]), False

    def _remember(self, formula: Formula, left: Expression | None, right: Expression) -> int:
        if formula not in self._made:
            self._made[formula] = self._new()
            self.remembered.append(Remembered(self._made[formula], left, right))
        return self._made[formula]

    def _new(self) -> int:
        self.propositions += 1
        return self.propositions - 1

    def _boolean(self, formula: Formula) -> Expression:
        """An operand of a past operator as a function of propositions."""
        if isinstance(formula, Constant):
            return YES if formula.value else ("or", ())
        if not isinstance(formula, Operation):
            return ("proposition", self.atoms[formula])
        if formula.operator in "YZOHST":
            number, positive = self._past(formula)
            return ("proposition", number) if positive else ("not", (("proposition", number),))
        if formula.operator in ("not", "and", "or", "implies", "iff"):
            return _combined(formula.operator, [self._boolean(operand) for operand in formula.operands])
        if formula not in self._made:
            self._made[formula] = guess = self._new()
            self.guesses.append(guess)
            check = self._iff(self.pool.literal(guess, True), self._future(formula))
            self._checks.append(self.pool.always(check))
        return ("proposition", self._made[formula])


def _combined(operator: str, parts: list[Expression]) -> Expression:
    if operator == "implies":
        return ("or", (("not", (parts[0],)), parts[1]))
    if operator == "iff":
        return ("or", (("and", tuple(parts)), ("not", (("or", tuple(parts)),))))
    return (operator, tuple(parts))


def evaluate(expression: Expression, true: int) -> bool:
    """The value of an expression where `true` has the bits of all true propositions."""
    kind, parts = expression
    if isinstance(parts, int):
        return bool(true >> parts & 1)
    if kind == "not":
        return not evaluate(parts[0], true)
    if kind == "and":
        return all(evaluate(part, true) for part in parts)
    return any(evaluate(part, true) for part in parts)


def now(remembered: list[Remembered], true: int, memory: int) -> tuple[int, int]:
    """The propositions that are true now, with those of the past, and the memory for the next position."""
    after = 0
    for position, entry in enumerate(remembered):
        was = bool(memory >> position & 1)
        right = evaluate(entry.right, true)
        value = was if entry.left is None else right or (was and evaluate(entry.left, true))
        true |= int(value) << entry.proposition
        after |= int(right if entry.left is None else value) << position
    return true, after
