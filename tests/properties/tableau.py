"""The textbook tableau as an oracle: complete for LTL with past and fairness, exponential, and nothing shared.

A node is an edge of the structure with a guess of every X- and Y-formula. Weak fairness is one more set to meet; for
strong fairness it tries, for every set of pairs, the part of the graph in which those pairs need nothing.
"""

from __future__ import annotations

from itertools import combinations, product

import networkx as nx
from tests.properties.structures import Edge, Structure, Word, plain_at

from homing.core.formula import TRUE, Constant, Enabled, Formula, Operation, Taken
from homing.core.temporal import Compassion, Fairness, Justice, Strong, Stuttering, Weak

Node = tuple[int, Edge | None, tuple[bool, ...]]


def satisfiable(structure: Structure, formula: Formula, fairness: tuple[Fairness, ...], stuttering: Stuttering) -> bool:
    """Whether a fair path from an initial state satisfies the formula."""
    return _Tableau(structure, _simple(formula), stuttering).has_fair_path(fairness)


def _simple(formula: Formula) -> Formula:
    """With only not, and, X, U, Y, S."""
    if not isinstance(formula, Operation):
        return formula
    parts = [_simple(operand) for operand in formula.operands]
    one, two = parts[0] if parts else TRUE, parts[-1] if parts else TRUE
    match formula.operator:
        case "or":
            return ~Operation("and", tuple(~part for part in parts))
        case "implies":
            return ~(one & ~two)
        case "iff":
            return ~(one & ~two) & ~(two & ~one)
        case "F":
            return Operation("U", (TRUE, one))
        case "G":
            return ~Operation("U", (TRUE, ~one))
        case "R":
            return ~Operation("U", (~one, ~two))
        case "W":
            return ~Operation("U", (~two, ~one & ~two))
        case "Z":
            return ~Operation("Y", (~one,))
        case "O":
            return Operation("S", (TRUE, one))
        case "H":
            return ~Operation("S", (TRUE, ~one))
        case "T":
            return ~Operation("S", (~one, ~two))
    return Operation(formula.operator, tuple(parts))


class _Tableau:
    def __init__(self, structure: Structure, formula: Formula, stuttering: Stuttering) -> None:
        self.structure = structure
        self.formula = formula
        parts = list(dict.fromkeys(part for part in formula.walk() if isinstance(part, Operation)))
        self.untils = [part for part in parts if part.operator == "U"]
        # What a node guesses: the next value of the operand of X and of every until, the last value of Y and since.
        self.guessed = [part for part in parts if part.operator in ("X", "U", "Y", "S")]
        self.graph = nx.DiGraph()
        choices = list(product((False, True), repeat=len(self.guessed)))
        steps: list[tuple[int, Edge | None, int]] = [(edge[0], edge, edge[2]) for edge in structure.edges]
        leaving = {edge[0] for edge in structure.edges}
        for state in range(len(structure.labels)):
            if stuttering == "always" or (stuttering == "at the end" and state not in leaving):
                steps.append((state, None, state))
        self.nodes: dict[Node, int] = {(s, edge, choice): target for s, edge, target in steps for choice in choices}
        for node, target in self.nodes.items():
            for other in self.nodes:
                if other[0] == target and self._follows(node, other):
                    self.graph.add_edge(node, other)

    def _value(self, node: Node, formula: Formula) -> bool:
        if isinstance(formula, Constant):
            return formula.value
        if not isinstance(formula, Operation):
            return Word(self.structure, (node[0],), (node[1],), 0).atom(formula, 0)
        match formula.operator:
            case "not":
                return not self._value(node, formula.operands[0])
            case "and":
                return all(self._value(node, operand) for operand in formula.operands)
        guess = node[2][self.guessed.index(formula)]
        if formula.operator in ("X", "Y"):
            return guess
        return self._value(node, formula.operands[1]) or (self._value(node, formula.operands[0]) and guess)

    def _follows(self, node: Node, other: Node) -> bool:
        for number, formula in enumerate(self.guessed):
            if formula.operator in ("X", "U"):
                later = formula.operands[0] if formula.operator == "X" else formula
                if node[2][number] != self._value(other, later):
                    return False
            else:
                earlier = formula.operands[0] if formula.operator == "Y" else formula
                if other[2][number] != self._value(node, earlier):
                    return False
        return True

    def has_fair_path(self, fairness: tuple[Fairness, ...]) -> bool:
        starts = [
            node
            for node in self.nodes
            if node[0] in self.structure.initial
            and node in self.graph
            and self._value(node, self.formula)
            and not any(node[2][n] for n, part in enumerate(self.guessed) if part.operator in ("Y", "S"))
        ]
        reached = set(starts).union(*(nx.descendants(self.graph, start) for start in starts))
        pairs = [_pair(entry) for entry in fairness if isinstance(entry, Strong | Compassion)]
        musts = [_must(entry) for entry in fairness if isinstance(entry, Weak | Justice)]
        return any(
            self._cycle(reached, chosen, [pair for pair in pairs if pair not in chosen], musts)
            for size in range(len(pairs) + 1)
            for chosen in combinations(pairs, size)
        )

    def _cycle(
        self,
        reached: set[Node],
        silent: tuple[tuple[Formula, Formula], ...],
        loud: list[tuple[Formula, Formula]],
        musts: list[Formula],
    ) -> bool:
        """A component without what the silent pairs need, with what the loud ones give, and all that must be."""

        def true(formula: Formula, node: Node) -> bool:
            return plain_at(self.structure, formula, node[0], node[1])

        kept = [node for node in reached if not any(true(need, node) for need, _ in silent)]
        inside = self.graph.subgraph(kept)
        for component in nx.strongly_connected_components(inside):
            if not inside.subgraph(component).number_of_edges():
                continue
            wanted = [*(give for _, give in loud), *musts]
            if all(any(true(formula, node) for node in component) for formula in wanted) and all(
                any(not self._value(node, until) or self._value(node, until.operands[1]) for node in component)
                for until in self.untils
            ):
                return True
        return False


def _pair(entry: Strong | Compassion) -> tuple[Formula, Formula]:
    if isinstance(entry, Compassion):
        return entry.when, entry.then
    return Enabled(entry.action), Taken(entry.action)


def _must(entry: Weak | Justice) -> Formula:
    return entry.formula if isinstance(entry, Justice) else ~Enabled(entry.action) | Taken(entry.action)
