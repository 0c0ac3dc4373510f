"""Decides CTL by fixpoints, and shows why by a tree of paths.

Path quantifiers speak of fair infinite paths of the arena; whether a deadlock is the end of a path or stutters is the
arena's affair. E X, E U and E G with fairness as in Clarke, Grumberg and Peled, "Model Checking" (1999), ch. 6.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.formula import Formula, Operation
from homing.core.temporal import Fairness
from homing.properties import kernels
from homing.properties.arena import Arena
from homing.properties.cycles import FairCycles, fair_cycles, of_arena
from homing.properties.fairness import conditions_of, explain, is_feasible
from homing.properties.lasso import Path, short_cycle
from homing.properties.normal import exists, is_temporal, negated, normal, refuted

Array = NDArray[Any]


class Ctl:
    """The states that satisfy formulas of CTL, each formula decided once."""

    def __init__(self, arena: Arena, fairness: tuple[Fairness, ...]) -> None:
        self.arena = arena
        self.fairness = fairness
        self.conditions = conditions_of(arena, fairness)
        self._known: dict[Formula, Array] = {}

    @property
    def bytes(self) -> int:
        """Memory of what was decided."""
        return len(self._known) * self.arena.states

    @cached_property
    def fair(self) -> Array:
        """The states from which a fair path starts."""
        if is_feasible(self.arena, self.fairness):
            return np.ones(self.arena.states, np.bool_)
        return self._globally(np.ones(self.arena.states, np.bool_))

    def states(self, formula: Formula) -> Array:
        """By state, whether it satisfies the formula."""
        if formula not in self._known:
            self._known[formula] = self._decide(normal(formula))
        return self._known[formula]

    def _decide(self, formula: Formula) -> Array:
        if not is_temporal(formula):
            return self.arena.on_states(formula)
        assert isinstance(formula, Operation)
        operands = formula.operands
        match formula.operator:
            case "not":
                return ~self.states(operands[0])
            case "and":
                return np.asarray(np.logical_and.reduce([self.states(operand) for operand in operands]))
            case "or":
                return np.asarray(np.logical_or.reduce([self.states(operand) for operand in operands]))
        path = operands[0]
        assert isinstance(path, Operation)
        if formula.operator == "A":
            return ~self.states(exists(negated(path)))
        inner = [self.states(operand) for operand in path.operands]
        return self._some(path.operator, inner)

    def _some(self, operator: str, inner: list[Array]) -> Array:
        """E X, E U and E R; the rest is turned into these."""
        arena = self.arena
        if operator == "X":
            return np.asarray(kernels.meets(arena.start, arena.target, inner[0] & self.fair))
        if operator == "U":
            return self._until(inner[0], inner[1] & self.fair)
        # f R g: g for ever, or g until f and g.
        goal = inner[0] & inner[1] & self.fair
        stays = self._globally(inner[1])
        return self._until(inner[1], goal) | stays if goal.any() else stays

    def _until(self, allowed: Array, goal: Array) -> Array:
        return np.asarray(kernels.reach_back(*self.arena.predecessors, allowed, goal))

    def _globally(self, allowed: Array) -> Array:
        arena = self.arena
        if not self.conditions:
            return np.asarray(kernels.can_stay(arena.start, arena.target, *arena.predecessors, allowed))
        return self._until(allowed, self.cycles(allowed).number >= 0)

    def cycles(self, allowed: Array) -> FairCycles:
        """The fair components of the allowed states."""
        graph = of_arena(self.arena)
        alive = allowed[self.arena.source] & allowed[self.arena.target]
        return fair_cycles(graph, self.conditions, np.flatnonzero(allowed), alive)

    # Why a formula is true in a state

    def why(self, formula: Formula, state: int) -> Path | None:
        """A path that shows why the formula is true in the state; None where it would take all paths to show it."""
        formula = normal(formula)
        if not is_temporal(formula):
            return Path(state)
        assert isinstance(formula, Operation)
        match formula.operator:
            case "not":
                return self.why(refuted(formula.operands[0]), state)
            case "and":
                return self._joined(Path(state), [(0, operand) for operand in formula.operands])
            case "or":
                if any(not is_temporal(part) and self.states(part)[state] for part in formula.operands):
                    return Path(state)
                return self._first([part for part in formula.operands if self.states(part)[state]], state)
            case "A":
                return None
        path = formula.operands[0]
        assert isinstance(path, Operation)
        return self._path(path.operator, path.operands, state)

    def _first(self, formulas: list[Formula], state: int) -> Path | None:
        """The shortest reason that one of the formulas gives."""
        found = [path for formula in formulas if (path := self.why(formula, state)) is not None]
        return min(found, key=lambda path: (len(path.edges), len(path.branches)), default=None)

    def _path(self, operator: str, operands: tuple[Formula, ...], state: int) -> Path | None:
        if operator == "X":
            low, high = self.arena.start[state], self.arena.start[state + 1]
            goal = self.states(operands[0]) & self.fair
            edge = next(edge for edge in range(low, high) if goal[self.arena.target[edge]])
            return self._joined(Path(state, [edge]), [(1, operands[0])])
        if operator == "U":
            way = self._way(state, self.states(operands[0]), self.states(operands[1]) & self.fair)
            return self._along(way, operands[0], [operands[1]])
        left, right = self.states(operands[0]), self.states(operands[1])
        if self._until(right, left & right & self.fair)[state]:
            way = self._way(state, right, left & right & self.fair)
            return self._along(way, operands[1], [operands[1], operands[0]])
        return self._along(self._round(state, right), operands[1], [])

    def _along(self, path: Path, on_the_way: Formula, at_the_end: list[Formula]) -> Path:
        count = len(path.edges)
        reasons = [(position, on_the_way) for position in range(count) if is_temporal(on_the_way)]
        return self._joined(path, [*reasons, *((count, formula) for formula in at_the_end)])

    def _joined(self, path: Path, reasons: list[tuple[int, Formula]]) -> Path:
        """The path with its reasons: the one at its end continues it, the others branch off."""
        end = len(path.edges)
        for at, formula in reasons:
            reason = self.why(formula, path.states(self.arena)[at])
            if reason is None or not (reason.edges or reason.loop is not None or reason.branches):
                continue
            if at == end and path.loop is None and len(path.edges) == end:
                path.branches += [(b + end if b is not None else None, w, p) for b, w, p in reason.branches]
                path.loop = None if reason.loop is None else reason.loop + end
                path.edges += reason.edges
                path.notes += reason.notes
            else:
                path.branches.append((at, str(formula), reason))
        return path

    def _way(self, state: int, allowed: Array, goal: Array) -> Path:
        """A shortest path to the goal through allowed states."""
        if goal[state]:
            return Path(state)
        arena = self.arena
        alive = allowed[arena.source]
        wanted = goal[arena.target]
        edges = kernels.shortest(arena.start, arena.target, alive, state, wanted, -1)
        return Path(state, [int(edge) for edge in edges])

    def _round(self, state: int, allowed: Array) -> Path:
        """A lasso through allowed states."""
        cycles = self.cycles(allowed)
        way = self._way(state, allowed, cycles.number >= 0)
        entry = way.states(self.arena)[-1]
        _, cycle = short_cycle(cycles, self.conditions, [(0, entry)])
        notes = explain(self.arena, self.fairness, np.array(cycle))
        return Path(state, way.edges + cycle, len(way.edges), notes=notes)
