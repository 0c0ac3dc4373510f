"""What has to hold of a state or a step, in parts: conjuncts, and what each of them says about single variables."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from homing.languages.smv.terms import (
    BOOLEAN,
    Atom,
    Choice,
    Constant,
    Equal,
    Logical,
    Member,
    Next,
    Ref,
    Shared,
    Term,
    Variable,
    atoms,
)


@dataclass(frozen=True, eq=False)
class Target:
    """A variable that is (one of) what a term says; of truth values also the opposite."""

    atom: Atom
    term: Term
    primed: bool
    opposite: bool = False

    @cached_property
    def needs(self) -> frozenset[Atom]:
        """What has to be known first."""
        return atoms(self.term, self.primed)


@dataclass(eq=False)
class Rule:
    """A term that is true, or (not `positive`) false; or what an assignment gives to a variable."""

    term: Term
    primed: bool
    at: int
    what: str
    positive: bool = True
    given: Atom | None = None
    opaque: bool = False
    """Whether it is only to be tested, when all that it is about is known."""
    certain: bool = False
    """Whether it is never false; testing it may be an error."""
    number: int = field(default=0, init=False)

    @cached_property
    def atoms(self) -> frozenset[Atom]:
        """All that it is about."""
        found = atoms(self.term, self.primed)
        return found if self.given is None else found | {self.given}

    @cached_property
    def targets(self) -> list[Target]:
        """The variables that it tells the value of."""
        if self.opaque:
            return []
        if self.given is not None:
            return [Target(self.given, self.term, self.primed)]
        found = _targets(self.term, self.primed, self.positive)
        return [target for target in found if target.atom not in target.needs]


class Rulebook:
    """Makes rules, the same one for the same term."""

    def __init__(self) -> None:
        self._known: dict[tuple[int, bool, bool], list[Rule]] = {}
        self._kept: list[Term] = []
        self._alternatives: dict[int, list[list[Rule]] | None] = {}
        self._count = 0

    def given(self, variable: Variable, term: Term, primed: bool, after: bool, at: int, what: str) -> Rule:
        """What an assignment says of a variable, now or (`after`) in the next state."""
        return self._numbered(Rule(term, primed, at, what, given=(variable, after)))

    def in_domain(self, variable: Variable) -> Rule:
        """Evaluates a variable that always is something else: nobody else might."""
        assert variable.body is not None
        ref, at = Ref(variable.type, variable.body.at, variable), variable.body.at
        return self._numbered(Rule(Equal(BOOLEAN, at, ref, ref), False, at, "", opaque=True, certain=True))

    def conjuncts(self, term: Term, primed: bool, at: int, what: str, positive: bool = True) -> list[Rule]:
        """The parts of a condition that each have to hold."""
        key = (id(term), primed, positive)
        if key not in self._known:
            self._kept.append(term)
            self._known[key] = self._conjuncts(term, primed, at, what, positive)
        return self._known[key]

    def _numbered(self, rule: Rule) -> Rule:
        rule.number = self._count
        self._count += 1
        return rule

    def _conjuncts(self, term: Term, primed: bool, at: int, what: str, positive: bool) -> list[Rule]:
        def several(parts: Iterable[tuple[Term, bool]], after: bool = primed) -> list[Rule]:
            return [rule for part, sign in parts for rule in self.conjuncts(part, after, at, what, sign)]

        match term:
            case Constant(value=value) if value is positive:
                return []
            case Next(body=body):
                return several([(body, positive)], True)
            case Shared(body=body):
                return several([(body, positive)])
            case Ref(variable=variable) if variable.body is not None:
                return several([(variable.body, positive)])
            case Logical(operator="not", operands=(inner,)):
                return several([(inner, not positive)])
            case Logical(operator="and", operands=operands) if positive:
                return several((operand, True) for operand in operands)
            case Logical(operator="or", operands=operands) if not positive:
                return several((operand, False) for operand in operands)
            case Logical(operator="implies", operands=(left, right)) if not positive:
                return several([(left, True), (right, False)])
        return [self._numbered(Rule(term, primed, at, what, positive))]

    def alternatives(self, rule: Rule) -> list[list[Rule]] | None:
        """The ways to satisfy a rule, where it says so itself; None where it does not."""
        if rule.number not in self._alternatives:
            found = None if rule.opaque or rule.given else self._found(rule)
            self._alternatives[rule.number] = found
        return self._alternatives[rule.number]

    def _flat(self, way: list[Rule]) -> list[list[Rule]]:
        """A way, or those that it consists of where it is a choice again."""
        if len(way) == 1 and isinstance(way[0].term, Logical) and way[0].term.operator in ("or", "and"):
            return self.alternatives(way[0]) or [way]
        return [way]

    def _found(self, rule: Rule) -> list[list[Rule]] | None:
        def all_of(*parts: tuple[Term, bool]) -> list[Rule]:
            return [
                each for part, sign in parts for each in self.conjuncts(part, rule.primed, rule.at, rule.what, sign)
            ]

        sign = rule.positive
        match rule.term:
            case Logical(operator="or" | "and", operands=operands):
                return [way for operand in operands for way in self._flat(all_of((operand, sign)))]
            case Logical(operator="implies", operands=(left, right)):
                return [all_of((left, False)), all_of((right, True))]
            case Equal(left=left, right=right) if left.type == BOOLEAN:
                return [all_of((left, True), (right, sign)), all_of((left, False), (right, not sign))]
            case Choice(branches=branches):
                ways = []
                for number, (condition, value) in enumerate(branches):
                    earlier = [(before, False) for before, _ in branches[:number]]
                    ways.append(all_of(*earlier, (condition, True), (value, sign)))
                if not isinstance(branches[-1][0], Constant):
                    # Where no branch applies, that is an error, which testing the whole tells.
                    whole = Rule(rule.term, rule.primed, rule.at, rule.what, sign, opaque=True)
                    ways.append([*all_of(*((before, False) for before, _ in branches)), self._numbered(whole)])
                return ways
        return None


def _targets(term: Term, primed: bool, positive: bool) -> list[Target]:
    match term:
        case Ref():
            atom = _atom(term, primed)
            return [] if atom is None else [Target(atom, Constant(BOOLEAN, term.at, positive), primed)]
        case Equal(left=left, right=right):
            if not positive and left.type != BOOLEAN:
                return []
            found = []
            for one, other in ((left, right), (right, left)):
                atom = _atom(one, primed)
                if atom is not None:
                    found.append(Target(atom, other, primed, opposite=not positive))
            return found
        case Member(left=left, right=right) if positive and not left.is_set:
            atom = _atom(left, primed)
            return [] if atom is None else [Target(atom, right, primed)]
    return []


def _atom(term: Term, primed: bool) -> Atom | None:
    """The variable that a term is, if it is one."""
    while True:
        match term:
            case Next(body=body):
                term, primed = body, True
            case Shared(body=body):
                term = body
            case Ref(variable=variable):
                if variable.body is not None:
                    term = variable.body
                    continue
                return variable, primed and not variable.still
            case _:
                return None
