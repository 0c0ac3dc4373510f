"""Small structures for temporal properties: written by hand or drawn, and what a naive reading says of them.

Nothing here shares code with `homing.properties`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from homing.core.formula import Action, Constant, Enabled, Formula, Happens, Holds, Operation, Taken
from homing.core.graph import Graph
from homing.core.system import Event, Group, Label, Read, Shape, Slot, Step
from homing.core.temporal import Compassion, EachEvent, Fairness, Justice, Strong, StrongGlobal, Stuttering, Weak
from homing.core.values import Short, State

T = TypeVar("T")
Edge = tuple[int, int, int]
"""Source, group, target; the event is that of the group."""


@dataclass(frozen=True)
class Structure:
    """States 0 to n - 1 with the labels that are true in each; the first is initial unless said otherwise."""

    labels: tuple[frozenset[str], ...]
    edges: tuple[Edge, ...]
    initial: tuple[int, ...] = (0,)
    names: tuple[str, ...] = ("p", "q", "r")
    groups: int = 2
    writes: tuple[tuple[int, ...], ...] | None = None

    # A transition system, so that traces can be replayed

    @property
    def shape(self) -> Shape:
        slots = (Slot("state"), Slot("parity"))
        writes = self.writes or ((0, 1),) * self.groups
        both = (Read(0), Read(1))
        return Shape(
            slots,
            tuple(Group(f"g{n}", both, writes[n]) for n in range(self.groups)),
            tuple(Label(name, (Read(0),)) for name in self.names),
        )

    def start(self) -> list[State]:
        return [self.state(number) for number in self.initial]

    def state(self, number: int) -> State:
        return (number, number % 2)

    def next(self, group: int, read: Short) -> Iterator[Step]:
        for source, taken, target in self.edges:
            if source == read[0] and taken == group:
                yield Step(event_of(group), {0: target, 1: target % 2})

    def label(self, label: int, read: Short) -> bool:
        assert isinstance(read[0], int)
        return self.names[label] in self.labels[read[0]]


def event_of(group: int) -> Event:
    return Event("e", (group,))


@dataclass(frozen=True)
class System:
    """A structure as a transition system."""

    structure: Structure

    @property
    def shape(self) -> Shape:
        return self.structure.shape

    def initial(self) -> list[State]:
        return self.structure.start()

    def next(self, group: int, read: Short) -> Iterator[Step]:
        return self.structure.next(group, read)

    def label(self, label: int, read: Short) -> bool:
        return self.structure.label(label, read)


@dataclass(frozen=True)
class Rooted(Graph):
    """A graph with initial states of choice."""

    roots: tuple[int, ...] = (0,)

    @property
    def initial(self) -> Any:
        return np.array(self.roots)


def graph_of(structure: Structure) -> Graph:
    """The graph as an engine would build it, but for the numbering of the states."""
    n = len(structure.labels)
    edges = sorted(structure.edges, key=lambda edge: edge[0])
    counts = np.bincount([edge[0] for edge in edges] or [0], minlength=n) if edges else np.zeros(n, np.int64)
    return Rooted(
        np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        np.array([edge[2] for edge in edges], np.uint32),
        np.array([edge[1] for edge in edges], np.uint32),
        np.array([edge[1] for edge in edges], np.uint32),
        tuple(event_of(group) for group in range(structure.groups)),
        np.array([0, n]),
        structure.state,
        lambda label: np.array([structure.names[label] in labels for labels in structure.labels], np.int32),
        structure.initial,
    )


# Drawing


def draw_structure(draw: random.Random, states: int, density: float = 1.6, total: bool = False) -> Structure:
    """A random structure; `total` gives every state an edge."""
    n = 1 + int(draw.random() * states)
    labels = tuple(frozenset(name for name in "pqr" if draw.random() < 0.5) for _ in range(n))
    edges = {
        (int(draw.random() * n), int(draw.random() * 2), int(draw.random() * n))
        for _ in range(int(n * density + draw.random() * 2))
    }
    if total:
        for state in range(n):
            if not any(edge[0] == state for edge in edges):
                edges.add((state, 0, int(draw.random() * n)))
    return Structure(labels, tuple(sorted(edges)))


LTL_UNARY, LTL_BINARY = ("not", "X", "F", "G"), ("and", "or", "implies", "U", "R", "W", "iff")
PAST_UNARY, PAST_BINARY = ("Y", "Z", "O", "H"), ("S", "T")


def draw_ltl(
    draw: random.Random, size: int, unary: Sequence[str], binary: Sequence[str], atoms: Sequence[Formula]
) -> Formula:
    """A random formula with this many operators."""
    if size <= 0:
        return _pick(draw, atoms)
    if draw.random() < 0.5:
        return Operation(_pick(draw, unary), (draw_ltl(draw, size - 1, unary, binary, atoms),))
    left = int(draw.random() * size)
    return Operation(
        _pick(draw, binary),
        (
            draw_ltl(draw, left, unary, binary, atoms),
            draw_ltl(draw, size - 1 - left, unary, binary, atoms),
        ),
    )


def draw_ctl(draw: random.Random, size: int, atoms: Sequence[Formula]) -> Formula:
    """A random formula of CTL with this many operators."""
    if size <= 0:
        return _pick(draw, atoms)
    kind = draw.random()
    left = int(draw.random() * size)
    if kind < 0.15:
        return ~draw_ctl(draw, size - 1, atoms)
    if kind < 0.35:
        operator = _pick(draw, ("and", "or", "implies"))
        return Operation(operator, (draw_ctl(draw, left, atoms), draw_ctl(draw, size - 1 - left, atoms)))
    quantifier = _pick(draw, ("A", "E"))
    if kind < 0.75:
        path = Operation(_pick(draw, ("X", "F", "G")), (draw_ctl(draw, size - 1, atoms),))
    else:
        path = Operation(_pick(draw, ("U", "R")), (draw_ctl(draw, left, atoms), draw_ctl(draw, size - 1 - left, atoms)))
    return Operation(quantifier, (path,))


def _pick(draw: random.Random, choices: Sequence[T]) -> T:
    return choices[int(draw.random() * len(choices))]


LABELS: tuple[Formula, ...] = (Holds(0, "p"), Holds(1, "q"), Holds(2, "r"))
ANY_ATOM: tuple[Formula, ...] = (
    *LABELS,
    Holds(0, "p"),
    Happens("e", (0,)),
    Happens("e", (1,)),
    Enabled(Action(frozenset({0}))),
    Taken(Action(frozenset({1}), frozenset({1}))),
)


# A naive reading


@dataclass(frozen=True)
class Word:
    """A lasso: states, the edge taken from each (None: it stutters), and where the last edge leads back to."""

    structure: Structure
    states: tuple[int, ...]
    edges: tuple[Edge | None, ...]
    loop: int

    def atom(self, atom: Formula, position: int) -> bool:
        return atom_at(self.structure, atom, self.states[position], self.edges[position])


def atom_at(structure: Structure, atom: Formula, state: int, edge: Edge | None) -> bool:
    """An atom at a state from which an edge is taken."""
    match atom:
        case Holds(label=label):
            assert isinstance(label, int)
            return structure.names[label] in structure.labels[state]
        case Happens():
            return edge is not None and atom.matches(event_of(edge[1]))
        case Enabled(action=action):
            return any(is_step(structure, action, other) for other in structure.edges if other[0] == state)
        case Taken(action=action):
            return is_step(structure, action, edge)
    raise AssertionError(atom)


def is_step(structure: Structure, action: Action, edge: Edge | None) -> bool:
    if edge is None or edge[1] not in action.groups:
        return False
    if action.event is not None and not action.event.matches(event_of(edge[1])):
        return False
    before, after = structure.state(edge[0]), structure.state(edge[2])
    return action.changing is None or any(before[int(slot)] != after[int(slot)] for slot in action.changing)


def holds_on(word: Word, formula: Formula) -> bool:
    """The truth of an LTL formula at the start of a lasso, by unrolling it until the past repeats as well."""
    depth = sum(isinstance(part, Operation) and part.operator in "YZOHST" for part in formula.walk())
    around = list(range(word.loop, len(word.states)))
    positions = [*range(word.loop), *(around * (depth + 2))]
    after = [*range(1, len(positions)), len(positions) - len(around)]
    return _values(word, formula, positions, after)[0]


def _values(word: Word, formula: Formula, positions: list[int], after: list[int]) -> list[bool]:
    count = len(positions)
    if isinstance(formula, Constant):
        return [formula.value] * count
    if not isinstance(formula, Operation):
        return [word.atom(formula, position) for position in positions]
    parts = [_values(word, operand, positions, after) for operand in formula.operands]
    one, two = parts[0] if parts else [], parts[1] if len(parts) > 1 else []
    match formula.operator:
        case "not":
            return [not value for value in one]
        case "and":
            return [all(part[i] for part in parts) for i in range(count)]
        case "or":
            return [any(part[i] for part in parts) for i in range(count)]
        case "implies":
            return [not one[i] or two[i] for i in range(count)]
        case "iff":
            return [one[i] == two[i] for i in range(count)]
        case "X":
            return [one[after[i]] for i in range(count)]
        case "F":
            return _settle(False, after, lambda i, later: one[i] or later)
        case "G":
            return _settle(True, after, lambda i, later: one[i] and later)
        case "U":
            return _settle(False, after, lambda i, later: two[i] or (one[i] and later))
        case "R":
            return _settle(True, after, lambda i, later: two[i] and (one[i] or later))
        case "W":
            return _settle(True, after, lambda i, later: two[i] or (one[i] and later))
        case "Y":
            return [i > 0 and one[i - 1] for i in range(count)]
        case "Z":
            return [i == 0 or one[i - 1] for i in range(count)]
        case "O":
            return [any(one[: i + 1]) for i in range(count)]
        case "H":
            return [all(one[: i + 1]) for i in range(count)]
        case "S":
            return [any(two[j] and all(one[j + 1 : i + 1]) for j in range(i + 1)) for i in range(count)]
        case "T":
            return [all(two[j] or any(one[j + 1 : i + 1]) for j in range(i + 1)) for i in range(count)]
    raise AssertionError(formula.operator)


def _settle(start: bool, after: list[int], step: Callable[[int, bool], bool]) -> list[bool]:
    values = [start] * len(after)
    while True:
        better = [step(i, values[after[i]]) for i in range(len(after))]
        if better == values:
            return values
        values = better


def is_fair(word: Word, fairness: tuple[Fairness, ...]) -> bool:
    """Whether the loop is fair, by the definitions."""
    return all(_fair(word, entry) for entry in fairness)


def _fair(word: Word, entry: Fairness) -> bool:
    structure = word.structure
    around = [(word.states[i], word.edges[i]) for i in range(word.loop, len(word.states))]

    def truth(formula: Formula) -> list[bool]:
        return [plain_at(structure, formula, state, edge) for state, edge in around]

    match entry:
        case Weak(action=action):
            return not all(truth(Enabled(action))) or any(truth(Taken(action)))
        case Strong(action=action):
            return not any(truth(Enabled(action))) or any(truth(Taken(action)))
        case Justice(formula=formula):
            return any(truth(formula))
        case Compassion(when=when, then=then):
            return not any(truth(when)) or any(truth(then))
        case StrongGlobal():
            visited, taken = {state for state, _ in around}, {edge for _, edge in around}
            return all(edge in taken for edge in structure.edges if edge[0] in visited)
        case EachEvent(kind=kind):
            each = [Action(frozenset({group})) for group in range(structure.groups)]  # each has an event of its own
            return all(_fair(word, Weak(action) if kind == "weak" else Strong(action)) for action in each)


def plain_at(structure: Structure, formula: Formula, state: int, edge: Edge | None) -> bool:
    if isinstance(formula, Constant):
        return formula.value
    if not isinstance(formula, Operation):
        return atom_at(structure, formula, state, edge)
    parts = [plain_at(structure, operand, state, edge) for operand in formula.operands]
    match formula.operator:
        case "not":
            return not parts[0]
        case "and":
            return all(parts)
        case "or":
            return any(parts)
        case "implies":
            return not parts[0] or parts[1]
    return parts[0] == parts[1]


def lassos(structure: Structure, longest: int, stuttering: Stuttering = "at the end") -> Iterator[Word]:
    """All lassos with up to this many positions, from each initial state."""

    def ways(state: int) -> list[tuple[Edge | None, int]]:
        real: list[tuple[Edge | None, int]] = [(edge, edge[2]) for edge in structure.edges if edge[0] == state]
        if stuttering == "always" or (stuttering == "at the end" and not real):
            real.append((None, state))
        return real

    waiting: list[tuple[tuple[int, ...], tuple[Edge | None, ...]]] = [((state,), ()) for state in structure.initial]
    while waiting:
        states, edges = waiting.pop()
        for edge, target in ways(states[-1]):
            for loop, state in enumerate(states):
                if state == target:
                    yield Word(structure, states, (*edges, edge), loop)
            if len(states) < longest:
                waiting.append(((*states, target), (*edges, edge)))
