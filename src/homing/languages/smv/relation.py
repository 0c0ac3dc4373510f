"""The initial states and the transition relation: rules, and the variables that have to be found together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import prod

from homing.core.errors import ModelError, TooWide
from homing.languages.smv.flattening import Flat
from homing.languages.smv.rules import Rule, Rulebook
from homing.languages.smv.solving import MOST_TRIES, Solver
from homing.languages.smv.terms import BOOLEAN, Atom, Choice, Constant, Ref, Shared, Term, Variable

MOST_INPUTS = 512
"""Combinations of inputs that groups agree on by an event; above it, who shares an input is one group."""


@dataclass(eq=False)
class Cluster:
    """Variables that rules tie together, and the rules."""

    atoms: list[Atom] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    inputs: list[Variable] = field(default_factory=list)

    def unknown(self, shown: Iterable[Variable]) -> list[Atom]:
        """What has to be found: its variables, then all inputs that are `shown` if it has one of them, then others."""
        shown = list(shown)
        kept = shown if any(each in shown for each in self.inputs) or (not self.atoms and not self.rules) else []
        hidden = [each for each in self.inputs if each not in shown]
        return [*self.atoms, *((each, False) for each in (*kept, *hidden))]


class Relation:
    """All that the model says about states and steps; `shown` are inputs that formulas speak of."""

    def __init__(self, flat: Flat, shown: Iterable[Variable] = ()) -> None:
        self.flat = flat
        self.book = Rulebook()
        self.variables = [each for each in flat.variables if each.kind != "IVAR" and each.body is None]
        """Those that are part of the state: others follow from them."""
        self.initial = clusters([(each, False) for each in self.variables], self._initially())
        moving = [(each, True) for each in self.variables if not each.still]
        self.steps, self.inputs = self._joined(moving, self._always(), list(shown))

    @property
    def total(self) -> bool:
        """Whether it is plain that every state has a successor: nothing but assignments."""
        return all(rule.given is not None or rule.certain for cluster in self.steps for rule in cluster.rules)

    # Rules

    def _initially(self) -> list[Rule]:
        rules = []
        for entry in self.flat.assigned:
            if entry.kind == "init" or (entry.kind == "now" and entry.variable.body is None):
                what = f"what '{entry.variable}' is assigned"
                rules.append(self.book.given(entry.variable, entry.term, False, False, entry.at, what))
        for condition in self.flat.conditions:
            if condition.kind != "TRANS":
                rules += self.book.conjuncts(condition.term, False, condition.at, condition.kind)
        return rules

    def _always(self) -> list[Rule]:
        rules = [self.book.in_domain(each) for each in self.flat.variables if each.body and not _fits(each, each.body)]
        for entry in self.flat.assigned:
            variable, what = entry.variable, f"what '{entry.variable}' is assigned"
            if entry.kind == "next" and not variable.still:
                rules.append(self.book.given(variable, entry.term, False, True, entry.at, what))
            elif entry.kind == "now" and variable.body is None:
                rules.append(self.book.given(variable, entry.term, True, not variable.still, entry.at, what))
        for condition in self.flat.conditions:
            if condition.kind == "TRANS":
                rules += self.book.conjuncts(condition.term, False, condition.at, "TRANS")
            elif condition.kind == "INVAR":
                rules += [
                    rule
                    for rule in self.book.conjuncts(condition.term, True, condition.at, "INVAR")
                    if any(after for _, after in rule.atoms) or not rule.atoms
                ]
        return rules

    # Clusters

    def _joined(
        self, moving: list[Atom], rules: list[Rule], wanted: list[Variable]
    ) -> tuple[list[Cluster], list[Variable]]:
        """Clusters of steps, and the inputs that they agree on by events."""
        found = clusters(moving, rules)
        users: dict[Variable, int] = {}
        for cluster in found:
            for each in cluster.inputs:
                users[each] = users.get(each, 0) + 1
        inputs = [each for each in self.flat.variables if each in wanted or users.get(each, 0) > 1]
        if prod(len(each.domain) for each in inputs) > MOST_INPUTS:
            if wanted and prod(len(each.domain) for each in wanted) > MOST_INPUTS:
                names = ", ".join(map(str, wanted))
                what = f"formulas speak of inputs with more than {MOST_INPUTS} combinations: {names}"
                raise ModelError(what, wanted[0].place)
            inputs = list(wanted)
            tying = [each for each in self.flat.variables if users.get(each, 0) > 1 and each not in wanted]
            found = clusters(moving, rules, tying)
        if inputs and not any(each in inputs for cluster in found for each in cluster.inputs):
            found.append(Cluster())  # nobody reads them, but formulas do
        return found, inputs

    def refuse_freedom(self) -> None:
        """Variables of which nothing is said, so that a state has all their combinations as successors: too many to
        list are refused."""
        for found, moment in ((self.initial, "at the start"), (self.steps, "at every step")):
            free = [cluster.atoms[0][0] for cluster in found if cluster.atoms and not cluster.rules]
            size = prod(len(each.domain) for each in free)
            if size > MOST_TRIES:
                names = ", ".join(map(str, free[:8])) + (f" and {len(free) - 8} more" if len(free) > 8 else "")
                number = f"{size:,}" if size < 10**15 else f"about 10^{len(str(size)) - 1}"
                what = f"{names} may take any value {moment}: {number} combinations, which is for a symbolic engine"
                raise TooWide(what, free[0].place)

    def solver(self, cluster: Cluster, known: list[Atom], unknown: list[Atom]) -> Solver:
        """Finds the unknown of a cluster."""
        return Solver(self.flat.source, self.book, cluster.rules, known, unknown)


def clusters(unknown: list[Atom], rules: Iterable[Rule], tying: Iterable[Variable] = ()) -> list[Cluster]:
    """The unknown in as many parts as the rules allow; inputs join nothing, unless they are `tying`."""
    parent: dict[object, object] = {atom: atom for atom in unknown}
    tied = {(each, False) for each in tying}
    for atom in tied:
        parent[atom] = atom

    def root(node: object) -> object:
        while parent[node] is not node:
            parent[node] = parent[parent[node]]
            node = parent[node]
        return node

    rules = list(rules)
    for rule in rules:
        parent[rule] = rule
        for atom in rule.atoms:
            if atom in parent:
                parent[root(atom)] = root(rule)
    found: dict[object, Cluster] = {}
    for atom in unknown:
        found.setdefault(root(atom), Cluster()).atoms.append(atom)
    for rule in rules:
        found.setdefault(root(rule), Cluster()).rules.append(rule)
    for cluster in found.values():
        cluster.inputs = _inputs(cluster.rules)
    return list(found.values())


def _fits(variable: Variable, term: Term) -> bool:
    """Whether it is plain that the values of a term are some of a variable's."""
    match term:
        case Constant(value=value):
            return variable.allows(value)
        case Ref(variable=other):
            return len(other.domain) <= MOST_INPUTS and all(map(variable.allows, other.domain))
        case Shared(body=body):
            return _fits(variable, body)
        case Choice(branches=branches):
            return all(_fits(variable, value) for _, value in branches)
    return len(variable.domain) == 2 and variable.type == BOOLEAN


def _inputs(rules: Iterable[Rule]) -> list[Variable]:
    found = {variable for rule in rules for variable, _ in rule.atoms if variable.kind == "IVAR"}
    return sorted(found, key=lambda variable: variable.number)


def read_by(cluster: Cluster, unknown: Iterable[Atom]) -> list[Variable]:
    """The variables of the present state that a cluster's rules look at."""
    unknown = set(unknown)
    found = {variable for rule in cluster.rules for variable, after in rule.atoms if (variable, after) not in unknown}
    return sorted(found, key=lambda variable: variable.number)
