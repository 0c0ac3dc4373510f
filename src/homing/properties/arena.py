"""Where temporal properties are decided: the state graph, with a stuttering step where behaviours may stand still."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homing.core.formula import Action, Between, Constant, Enabled, Formula, Happens, Holds, Operation, Taken
from homing.core.graph import Graph
from homing.core.system import Shape
from homing.core.temporal import Stuttering
from homing.core.values import encode
from homing.properties import kernels
from homing.properties.kernels.marks import EVERY, LISTED, MOVING, NEVER

Array = NDArray[Any]
Asked: TypeAlias = Callable[[int, int], bool]


class Columns:
    """What is asked of a graph again and again: the truth of labels by state."""

    def __init__(
        self, graph: Graph, shape: Shape, conditions: Mapping[tuple[int, int, int], Asked] | None = None
    ) -> None:
        self.graph = graph
        self.shape = shape
        self._conditions = conditions or {}
        self._labels: dict[int, Array] = {}
        self._numbers: dict[int, Array] = {}
        self._arenas: dict[Stuttering, Arena] = {}

    def label(self, number: int) -> Array:
        """By state, whether the label is true."""
        if number not in self._labels:
            self._labels[number] = np.asarray(self.graph.label(number)) != 0
        return self._labels[number]

    def numbers(self, label: int) -> Array:
        """By state, the number that a label of a condition on steps gives it; many conditions share their labels."""
        if label not in self._numbers:
            self._numbers[label] = np.asarray(self.graph.label(label), np.int64)
        return self._numbers[label]

    def holds(self, condition: Between) -> Asked:
        """What to ask about two numbers: only the system that gave them to what was read knows what they stand for."""
        return self._conditions.get(condition.key, condition.holds)

    def arena(self, stuttering: Stuttering) -> Arena:
        """The graph in a reading of deadlock."""
        if stuttering not in self._arenas:
            self._arenas[stuttering] = _arena(self, stuttering)
        return self._arenas[stuttering]


@dataclass(frozen=True, eq=False)
class Arena:
    """A graph whose stuttering steps have the group and event numbers after the last."""

    columns: Columns
    stuttering: Stuttering
    start: Array
    target: Array
    group: Array
    event: Array
    kept: dict[object, object] = field(default_factory=dict)
    """What was computed for one property and serves others."""

    @property
    def states(self) -> int:
        return len(self.start) - 1

    @property
    def initial(self) -> Array:
        return self.columns.graph.initial

    @cached_property
    def source(self) -> Array:
        """By edge, the state that it leaves."""
        return np.repeat(np.arange(self.states, dtype=np.uint32), np.diff(self.start))

    @cached_property
    def predecessors(self) -> tuple[Array, Array]:
        """By state, those that lead to it."""
        into, source = kernels.reverse(self.start, self.target)
        return into, source

    @property
    def real(self) -> Array:
        """By edge, whether it is a step and no stuttering."""
        real: Array = self.group < len(self.columns.shape.groups)
        return real

    # Atoms

    def on_states(self, formula: Formula) -> Array:
        """By state, the truth of a formula without temporal operators and steps."""
        return self._evaluate(formula, self._state_atom, self.states)

    def on_edges(self, formula: Formula) -> Array:
        """By edge, the truth of a formula without temporal operators, at its source and the step along it."""
        return self._evaluate(formula, self._edge_atom, len(self.target))

    def _evaluate(self, formula: Formula, atom: Callable[[Formula], Array], size: int) -> Array:
        if isinstance(formula, Constant):
            return np.full(size, formula.value)
        if not isinstance(formula, Operation):
            return atom(formula)
        parts = [self._evaluate(operand, atom, size) for operand in formula.operands]
        match formula.operator:
            case "not":
                return ~parts[0]
            case "and":
                return np.logical_and.reduce(parts) if parts else np.ones(size, np.bool_)
            case "or":
                return np.logical_or.reduce(parts) if parts else np.zeros(size, np.bool_)
            case "implies":
                return ~parts[0] | parts[1]
            case "iff":
                return np.asarray(parts[0] == parts[1])
        raise AssertionError(f"{formula.operator} is temporal")

    def _state_atom(self, atom: Formula) -> Array:
        if isinstance(atom, Holds):
            assert isinstance(atom.label, int)
            return self.columns.label(atom.label)
        assert isinstance(atom, Enabled)
        return self.steps(atom.action)[1]

    def _edge_atom(self, atom: Formula) -> Array:
        if isinstance(atom, Happens):
            matching = [atom.matches(event) for event in self.columns.graph.events]
            return np.array([*matching, False])[self.event]
        if isinstance(atom, Taken):
            return self.steps(atom.action)[0]
        if isinstance(atom, Between):
            return self._between(atom)
        return self._state_atom(atom)[self.source]

    def _between(self, atom: Between) -> Array:
        """By edge the truth of a condition on both its ends; the model is asked once for each pair that occurs."""
        asked = np.ones(len(self.target), np.bool_) if atom.only is None else self._between(atom.only)
        before, after = self.columns.numbers(atom.before), self.columns.numbers(atom.after)
        # Both have 32 bits and a sign; the lower half is kept as a number from 0 on.
        pair = (before[self.source[asked]] << 32) | (after[self.target[asked]] + (1 << 31))
        pairs, position = np.unique(pair, return_inverse=True)
        holds = self.columns.holds(atom)
        truth = [holds(one >> 32, (one & 0xFFFFFFFF) - (1 << 31)) for one in pairs.tolist()]
        asked[asked] = np.array(truth, np.bool_)[position]
        return asked

    # Actions

    def steps(self, action: Action) -> tuple[Array, Array]:
        """By edge whether it is a step of the action; by state whether the action is enabled."""
        taken, enabled = kernels.mark_steps(self.start, self.target, self.group, *self.kinds(action))
        return taken, enabled

    def kinds(self, action: Action) -> tuple[Array, Array]:
        """By group which of its steps count, and by edge the truth where only looking at the values tells."""
        groups = self.columns.shape.groups
        kind = np.zeros(len(groups) + 1, np.uint8)
        slots = frozenset(range(len(self.columns.shape.slots)))
        for number in action.groups:
            assert isinstance(number, int)
            kind[number] = _kind(frozenset(groups[number].writes), action.changing, slots)
        listed = np.zeros(1, np.bool_)
        if np.any(kind == LISTED):
            assert action.changing is not None
            edges = np.flatnonzero((kind[self.group] == LISTED) & (self.target != self.source))
            listed = np.zeros(len(self.target), np.bool_)
            listed[edges] = self._changing(edges, sorted(map(int, action.changing)))
        if action.event is not None:
            taken, _ = kernels.mark_steps(self.start, self.target, self.group, kind, listed)
            kind[kind != NEVER] = LISTED
            listed = taken & self.on_edges(action.event)
        return kind, listed

    def _changing(self, edges: Array, slots: list[int]) -> Array:
        """Whether an edge changes one of the slots; looks at the states themselves, each once."""
        seen: dict[bytes, int] = {}
        number = np.zeros(self.states, np.int64)
        for state in np.unique(np.concatenate([self.source[edges], self.target[edges]])):
            values = self.columns.graph.state(int(state))
            number[state] = seen.setdefault(encode(tuple(values[slot] for slot in slots)), len(seen))
        changed: Array = number[self.source[edges]] != number[self.target[edges]]
        return changed


def _kind(writes: frozenset[int], changing: frozenset[int | str] | None, slots: frozenset[int]) -> int:
    """States are different when a slot is, so where only slots of `changing` are written, the state tells."""
    if changing is None:
        return EVERY
    if not writes & changing:
        return NEVER
    return MOVING if writes <= changing or slots <= changing else LISTED


def _arena(columns: Columns, stuttering: Stuttering) -> Arena:
    graph = columns.graph
    start, target = np.asarray(graph.start, np.int64), np.asarray(graph.target, np.uint32)
    group, event = np.asarray(graph.group, np.uint32), np.asarray(graph.event, np.uint32)
    where = np.diff(start) == 0
    if stuttering == "always":
        where = np.ones(graph.states, np.bool_)
    if stuttering != "never" and where.any():
        none = len(columns.shape.groups), len(graph.events)
        start, target, group, event = kernels.stutters(start, target, group, event, where, *none)
    return Arena(columns, stuttering, start, target, group, event)
