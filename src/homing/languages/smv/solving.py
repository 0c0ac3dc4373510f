"""All ways to satisfy rules: values follow from others where a rule says so; what is left is tried.

What to do next depends only on what is known and which rules are left, so it is decided once and kept: a `Node`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from homing.core.errors import ModelError, TooWide
from homing.languages.smv.closures import UNSET, Compiler, Frame, Function, out_of_domain
from homing.languages.smv.nodes import Branch, Check, Done, Found, Give, Missing, Node, Split, run
from homing.languages.smv.rules import Rule, Rulebook, Target
from homing.languages.smv.terms import Atom, Logical, Term
from homing.languages.smv.terms import Choice as CaseTerm
from homing.languages.smv.tokens import Source

MOST_TRIES = 1_000_000
"""Values tried in one solution; more take longer than anybody waits for one state."""


class Solver:
    """Finds the values of `unknown` that satisfy rules, given those of `known`."""

    def __init__(
        self,
        source: Source,
        book: Rulebook,
        rules: Iterable[Rule],
        known: Sequence[Atom],
        unknown: Sequence[Atom],
        ways: Sequence[Sequence[Rule]] = (),
    ) -> None:
        """With `ways`, the rules of any one of them have to be satisfied, too."""
        self.source = source
        self.book = book
        self.unknown = unknown
        self.compiler = Compiler(source, [*known, *unknown])
        self.first = len(known)
        self.rules = tuple(sorted(set(rules), key=lambda rule: rule.number))
        self.tries = 0
        self._nodes: dict[tuple[int, tuple[Rule, ...]], Node] = {}
        self._bits = {atom: 1 << number for number, atom in enumerate(unknown)}
        self._start: Node = Split([Later(self, 0, way) for way in ways]) if ways else self.node(0, self.rules)
        self._only = None if ways else self._assigned()

    def solve(self, values: Iterable[Any]) -> Found:
        """The values of the unknown, each combination once."""
        if self._only is not None:
            return self._only(values)
        self.tries = 0
        found: Found = []
        run(self._start, self.compiler.frame(values), found)
        return list(dict.fromkeys(found)) if len(found) > 1 else found

    def _assigned(self) -> Callable[[Iterable[Any]], Found] | None:
        """The short way where one variable is assigned something, as most are."""
        if len(self.rules) != 1 or len(self.unknown) != 1 or self.rules[0].given != self.unknown[0]:
            return None
        rule, variable = self.rules[0], self.unknown[0][0]
        if self.unknown[0] in rule.targets[0].needs:
            return None
        place = self.source.place(rule.at)
        function, frame, allows = self.compiler.several(rule.term, rule.primed), self.compiler.frame, variable.allows

        def solve(values: Iterable[Any]) -> Found:
            found = function(frame(values))
            for value in found:
                if not allows(value):
                    raise out_of_domain(variable, value, place)
            return [(value,) for value in found]

        return solve

    def count(self, tried: int) -> None:
        """Notes that so many values are tried; raises ModelError when it is too much."""
        self.tries += tried
        if self.tries > MOST_TRIES:
            raise self.too_wide()

    def too_wide(self) -> TooWide:
        """Why this is nothing for an explicit search."""
        variables = [variable for variable, _ in self.unknown]
        shown = ", ".join(map(str, variables[:8])) + (f" and {len(variables) - 8} more" if len(variables) > 8 else "")
        size = prod(len(variable.domain) for variable in variables)
        number = f"{size:,}" if size < 10**15 else f"about 10^{len(str(size)) - 1}"
        rules = [rule for rule in self.rules if rule.given is None] or list(self.rules)
        what = f"{rules[0].what} leaves" if rules else "nothing is said of them, which leaves"
        place = self.source.place(rules[0].at) if rules else variables[0].place
        return TooWide(
            f"{what} too much to try: {shown} have {number} combinations; that is for a symbolic engine", place
        )

    # What to do next

    def bits(self, atoms: Iterable[Atom]) -> int:
        """The unknown among atoms, as bits."""
        return sum(self._bits.get(atom, 0) for atom in atoms)

    def node(self, bound: int, rules: Iterable[Rule]) -> Node:
        """What to do when some are known and some rules are left."""
        left = tuple(sorted(set(rules), key=lambda rule: rule.number))
        key = (bound, left)
        if key not in self._nodes:
            self._nodes[key] = self._node(bound, left)
        return self._nodes[key]

    def _node(self, bound: int, rules: tuple[Rule, ...]) -> Node:
        ready = [rule for rule in rules if self.bits(rule.atoms) & ~bound == 0]
        if ready:
            rest = Later(self, bound, [rule for rule in rules if rule not in ready])
            return Check([self._test(rule) for rule in ready], rest)
        target = self._target(bound, rules)
        if target is not None:
            rule, found = target
            return self._give(bound, found, rule, rules)
        return self._branch(bound, rules) or self._try(bound, rules)

    def _test(self, rule: Rule) -> Function:
        if rule.given is not None:
            values = self.compiler.several(rule.term, rule.primed)
            position = self.compiler.position[rule.given]
            return lambda frame: frame[position] in values(frame)
        test = self.compiler.single(rule.term, rule.primed)
        return test if rule.positive else lambda frame: not test(frame)

    def _target(self, bound: int, rules: tuple[Rule, ...]) -> tuple[Rule, Target] | None:
        """A variable whose value follows; preferably one value."""
        choice = None
        for rule in rules:
            for target in rule.targets:
                if self.bits([target.atom]) & ~bound and not self.bits(target.needs) & ~bound:
                    if not target.term.is_set:
                        return rule, target
                    choice = choice or (rule, target)
        return choice

    def _give(self, bound: int, target: Target, rule: Rule, rules: tuple[Rule, ...]) -> Node:
        variable = target.atom[0]
        values = self.compiler.several(target.term, target.primed)
        if target.opposite:
            inner = values
            values = lambda frame: tuple(not value for value in inner(frame))  # noqa: E731
        position = self.compiler.position[target.atom]
        rest = Later(self, bound | self._bits[target.atom], [each for each in rules if each is not rule])
        spoilt = self.compiler.spoilt.setdefault(position, [])
        strict = None if rule.given is None else self.source.place(rule.at)
        return Give(self.count, variable, position, values, strict, rest, spoilt)

    def _branch(self, bound: int, rules: tuple[Rule, ...]) -> Node | None:
        """A rule that says by a condition which of its parts matters, where that is known."""
        for rule in rules:
            if rule.opaque or rule.given is not None:
                continue
            others = [each for each in rules if each is not rule]
            match rule.term:
                case Logical(operator="implies", operands=(left, right)) if rule.positive:
                    if not self.bits(Rule(left, rule.primed, 0, "").atoms) & ~bound:
                        then = self.book.conjuncts(right, rule.primed, rule.at, rule.what)
                        test = self.compiler.single(left, rule.primed)
                        return Branch([test], [Later(self, bound, [*others, *then])], Later(self, bound, others))
                case CaseTerm(branches=branches):
                    if not any(self.bits(Rule(c, rule.primed, 0, "").atoms) & ~bound for c, _ in branches):
                        return self._case(bound, rule, branches, others)
        return None

    def _case(self, bound: int, rule: Rule, branches: Sequence[tuple[Term, Term]], others: list[Rule]) -> Node:
        tests = [self.compiler.single(condition, rule.primed) for condition, _ in branches]
        then: list[Node] = [
            Later(
                self,
                bound,
                [*others, *self.book.conjuncts(value, rule.primed, rule.at, rule.what, rule.positive)],
            )
            for _, value in branches
        ]
        place = self.source.place(rule.term.at)
        return Branch(tests, then, Missing(ModelError("no branch of this 'case' applies", place)))

    def _try(self, bound: int, rules: tuple[Rule, ...]) -> Node:
        """Splits a rule where that leaves fewer cases than trying values would; else tries all values of a variable."""
        best: tuple[float, Rule, list[list[Rule]]] | None = None
        for rule in rules:
            ways = self.book.alternatives(rule)
            share = 1.0 if ways is None else self._share(bound, rule, ways)
            if ways is not None and share < (1.0 if best is None else best[0]):
                best = (share, rule, ways)
        if best is not None:
            _, rule, ways = best
            others = [each for each in rules if each is not rule]
            return Split([Later(self, bound, [*others, *way]) for way in ways])
        open_ = self._open(bound, self.unknown)
        if not open_:
            return Done(self.first, self.first + len(self.unknown))
        return self._enumerate(bound, rules, open_)

    def _share(self, bound: int, rule: Rule, ways: list[list[Rule]]) -> float:
        """Which part of all values of a rule's variables is left to try when it is split."""
        share = 0.0
        for way in ways:
            told = {target.atom for each in way for target in each.targets if not target.term.is_set}
            share += prod(1 / len(variable.domain) for variable, _ in self._open(bound, told & rule.atoms))
        return share

    def _enumerate(self, bound: int, rules: tuple[Rule, ...], open_: list[Atom]) -> Node:
        # What no rule tells the value of will not be found otherwise.
        told = {target.atom for rule in rules for target in rule.targets}
        involved = {atom for rule in rules for atom in rule.atoms}
        candidates = [atom for atom in open_ if atom in involved or not rules]
        atom = min(candidates, key=lambda atom: (atom in told, len(atom[0].domain)))
        domain = atom[0].domain
        if len(domain) > MOST_TRIES:
            return Missing(self.too_wide())
        position, values = self.compiler.position[atom], tuple(domain)
        rest = Later(self, bound | self._bits[atom], rules)
        spoilt = self.compiler.spoilt.setdefault(position, [])
        return Give(self.count, atom[0], position, lambda frame: values, None, rest, spoilt)

    def _open(self, bound: int, atoms: Iterable[Atom]) -> list[Atom]:
        return [atom for atom in atoms if self._bits.get(atom, 0) & ~bound]


@dataclass(eq=False)
class Later:
    """A node that is made when it is first needed: there may be many that never are."""

    solver: Solver
    bound: int
    rules: Sequence[Rule]
    node: Node | None = None

    def step(self, frame: Frame, found: Found) -> Node | None:
        if self.node is None:
            self.node = self.solver.node(self.bound, self.rules)
        # What it needs may have been found out while another frame was in use.
        frame += [UNSET] * (self.solver.compiler.size - len(frame))
        return self.node
