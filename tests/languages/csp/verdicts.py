"""What the oracle answers to all assertions of a file, as one line."""

from __future__ import annotations

from typing import Any

from tests.languages.csp import ltl
from tests.languages.csp import nodes as s
from tests.languages.csp.oracle import (
    TAU,
    Failure,
    Graph,
    Label,
    NoAlphabet,
    State,
    Store,
    World,
    _channel_name,
    graph,
    refines,
)
from tests.languages.csp.reader import Unreadable, read

MOST = 400


class TooLarge(Exception):
    """A model has more states than a test should have."""


def answer(text: str) -> str:
    """The verdicts in the order of the assertions, `H` or `V`, with values; then how many states each system has."""
    try:
        file = Oracle(read(text))
        verdicts = [file.verdict(ask) for ask in file.source.asks]
    except (Failure, NoAlphabet, Unreadable, RecursionError):
        return "error"
    sizes = [str(len(known.states)) for known in file.subjects()]
    return f"{' '.join(verdicts)}; {' '.join(sizes)}"


class Oracle:
    """A file, and the graphs of the processes that it asks about."""

    def __init__(self, source: s.Source) -> None:
        self.source = source
        self.world = World(source)
        self._graphs: dict[Any, Graph] = {}

    def subjects(self) -> list[Graph]:
        """Of the processes that something is asserted of, in the order in which they are named."""
        return [self._graphs[key] for key in dict.fromkeys(self._key(ask.process) for ask in self.source.asks)]

    def _key(self, process: s.Reference) -> Any:
        return process.name, tuple(self.world.value(e, {}, None) for e in process.arguments)

    def graph(self, process: s.Reference) -> Graph:
        key, world = self._key(process), self.world
        if key not in self._graphs:

            def identity(state: State) -> Any:
                return world.visible(state), state[1]

            found = graph(world.initial(process), world.successors, world.visible, identity, MOST)
            if found is None:
                raise TooLarge(process.name)
            self._graphs[key] = found
        return self._graphs[key]

    def verdict(self, ask: s.Ask) -> str:
        known = self.graph(ask.process)
        match ask.question, ask.about:
            case "deadlockfree", _:
                return _said(not known.deadlocks())
            case "nonterminating", _:
                return _said(all(known.edges))
            case "divergencefree", _:
                return _said(not known.diverging())
            case "deterministic", _:
                return _said(known.deterministic())
            case "reaches", (goal, sense, measure):
                return self._reaches(known, goal, sense, measure)
            case "refines", (specification, sense):
                return _said(refines(known, self.graph(specification), sense))
            case "|=", (formula, fairness):
                return _said(ltl.holds(self.formula(formula, known), self._moves(known), fairness, _is_visible))
        raise NotImplementedError(ask.question)

    def _reaches(self, known: Graph, goal: s.Expression, sense: str | None, measure: s.Expression | None) -> str:
        stores = [store for store, _ in known.states if self.world.truth(goal, {}, store)]
        if not stores or measure is None:
            return _said(bool(stores))
        values = [self.world.number(measure, {}, store) for store in stores]
        return f"H={max(values) if sense == 'max' else min(values)}"

    def _moves(self, known: Graph) -> ltl.Moves:
        numbers = {(self.world.visible(state), state[1]): number for number, state in enumerate(known.states)}
        return [
            [
                ltl.Move(step.label, step.who or frozenset({0}), numbers[self._identity(step.store, step.term)])
                for step in self.world.moves(state)
            ]
            for state in known.states
        ]

    def _identity(self, store: Store, term: Any) -> Any:
        return self.world.visible((store, term)), term

    # Formulas

    def formula(self, node: Any, known: Graph) -> ltl.Formula:
        """In negation normal form, over positions of the graph."""
        match node:
            case s.Temporal(operator="!", operands=(operand,)):
                return ltl.negated(self.formula(operand, known))
            case s.Temporal(operator=operator, operands=operands):
                return _temporal(operator, [self.formula(operand, known) for operand in operands])
            case s.Happening():
                label = self._label(node)
                return ("atom", lambda position: position[1] == label, True)
        truth: dict[int, bool] = {}

        def holds(position: ltl.Node) -> bool:
            if position[0] not in truth:
                truth[position[0]] = self.world.truth(node, {}, known.states[position[0]][0])
            return truth[position[0]]

        return ("atom", holds, True)

    def _label(self, node: s.Happening) -> Label:
        arguments = tuple(self.world.value(e, {}, None) for e in node.arguments)
        declared = self.world.channels.get(node.name)
        if declared is None:
            return node.name, arguments
        element = declared.at(tuple(self.world.number(e, {}, None) for e in node.indices)) - declared.first
        return _channel_name(node.name, element, declared.sizes) + node.kind, arguments


def _temporal(operator: str, operands: list[ltl.Formula]) -> ltl.Formula:
    true: ltl.Formula = ("atom", _always, True)
    one, other = operands[0], operands[-1]
    table: dict[str, ltl.Formula] = {
        "[]": ("R", ltl.negated(true), one),
        "<>": ("U", true, one),
        "X": ("X", one),
        "U": ("U", one, other),
        "R": ("R", one, other),
        "W": ("R", other, ("or", one, other)),
        "&&": ("and", one, other),
        "||": ("or", one, other),
        "->": ("or", ltl.negated(one), other),
        "<->": ("or", ("and", one, other), ("and", ltl.negated(one), ltl.negated(other))),
    }
    return table[operator]


def _always(position: ltl.Node) -> bool:
    return True


def _is_visible(label: Label) -> bool:
    return label != TAU


def _said(truth: bool) -> str:
    return "H" if truth else "V"
