"""Decides CTL by fixpoints on sets, and shows why by a tree of paths; the same as `homing.properties.ctl` does."""

from __future__ import annotations

from functools import cached_property

from homing.core.formula import Formula, Operation
from homing.core.temporal import Fairness
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.cycles import explained, fair_pairs, lasso
from homing.engines.symbolic.fairness import Fair, atoms_of, is_feasible
from homing.engines.symbolic.paths import Path, Row, Walker
from homing.engines.symbolic.play import Link, Pairs, Play
from homing.engines.symbolic.space import Set
from homing.properties.normal import exists, is_temporal, negated, normal, refuted


class Ctl:
    """The states that satisfy formulas of CTL, each formula decided once."""

    def __init__(self, arena: Arena, fairness: tuple[Fairness, ...]) -> None:
        self.arena = arena
        self.fairness = fairness
        atoms = atoms_of((), fairness)
        kinds = arena.classes(atoms)
        self.play = Play(arena, kinds, 1, [Link(0, 0, kind, arena.states) for kind in range(len(kinds))])
        self.conditions = Fair(arena, kinds, atoms, fairness)
        self.walker = Walker(self.play, atoms)
        self._known: dict[Formula, Set] = {}

    @cached_property
    def fair(self) -> Set:
        """The states from which a fair path starts."""
        return self.arena.states if is_feasible(self.arena, self.fairness) else self._globally(self.arena.states)

    def states(self, formula: Formula) -> Set:
        """The states that satisfy the formula."""
        if formula not in self._known:
            self._known[formula] = self._decide(normal(formula))
        return self._known[formula]

    def _decide(self, formula: Formula) -> Set:
        if not is_temporal(formula):
            return self.arena.on_states(formula)
        assert isinstance(formula, Operation)
        operands = formula.operands
        if formula.operator in ("not", "and", "or"):
            return self.arena.connected(formula.operator, [self.states(operand) for operand in operands])
        path = operands[0]
        assert isinstance(path, Operation)
        if formula.operator == "A":
            return self.arena.states & ~self.states(exists(negated(path)))
        return self._some(path.operator, [self.states(operand) for operand in path.operands])

    def _some(self, operator: str, inner: list[Set]) -> Set:
        """E X, E U and E R; the rest is turned into these."""
        if operator == "X":
            return self.play.before([inner[0] & self.fair])[0]
        if operator == "U":
            return self._until(inner[0], inner[1] & self.fair)
        # f R g: g for ever, or g until f and g.
        goal = inner[0] & inner[1] & self.fair
        stays = self._globally(inner[1])
        return self._until(inner[1], goal) | stays if goal.satisfiable() else stays

    def _until(self, allowed: Set, goal: Set) -> Set:
        return self.play.reaching([goal], [allowed])[0]

    def _globally(self, allowed: Set) -> Set:
        stays = self._staying(allowed)
        return self._until(allowed, stays) if self.conditions.fairness else stays

    def _staying(self, allowed: Set) -> Set:
        return self._cycles(allowed)[0][0]

    def _cycles(self, allowed: Set) -> tuple[Pairs, Play]:
        return fair_pairs(self.walker, [allowed], self.conditions)

    # Why a formula is true in a state

    def is_true(self, states: Set, state: Row) -> bool:
        """Whether a state is in a set."""
        return (self.walker.at(state) & states).satisfiable()

    def why(self, formula: Formula, state: Row) -> Path | None:
        """A path that shows why the formula is true in the state; None where it would take all paths to show it."""
        formula = normal(formula)
        if not is_temporal(formula):
            return Path([state])
        assert isinstance(formula, Operation)
        match formula.operator:
            case "not":
                return self.why(refuted(formula.operands[0]), state)
            case "and":
                return self._joined(Path([state]), [(0, operand) for operand in formula.operands])
            case "or":
                true = [part for part in formula.operands if self.is_true(self.states(part), state)]
                if any(not is_temporal(part) for part in true):
                    return Path([state])
                return self._first(true, state)
            case "A":
                return None
        path = formula.operands[0]
        assert isinstance(path, Operation)
        return self._path(path.operator, path.operands, state)

    def _first(self, formulas: list[Formula], state: Row) -> Path | None:
        """The shortest reason that one of the formulas gives."""
        found = [path for formula in formulas if (path := self.why(formula, state)) is not None]
        return min(found, key=lambda path: (len(path.moves), len(path.branches)), default=None)

    def _path(self, operator: str, operands: tuple[Formula, ...], state: Row) -> Path:
        if operator == "X":
            goal = self.states(operands[0]) & self.fair
            return self._joined(self._way(state, None, goal, moving=True), [(1, operands[0])])
        if operator == "U":
            way = self._way(state, self.states(operands[0]), self.states(operands[1]) & self.fair)
            return self._along(way, operands[0], [operands[1]])
        left, right = self.states(operands[0]), self.states(operands[1])
        goal = left & right & self.fair
        if self.is_true(self._until(right, goal), state):
            return self._along(self._way(state, right, goal), operands[1], [operands[1], operands[0]])
        return self._along(self._round(state, right), operands[1], [])

    def _along(self, path: Path, on_the_way: Formula, at_the_end: list[Formula]) -> Path:
        count = len(path.moves)
        reasons = [(position, on_the_way) for position in range(count) if is_temporal(on_the_way)]
        return self._joined(path, [*reasons, *((count, formula) for formula in at_the_end)])

    def _joined(self, path: Path, reasons: list[tuple[int, Formula]]) -> Path:
        """The path with its reasons: the one at its end continues it, the others branch off."""
        end = len(path.moves)
        for at, formula in reasons:
            reason = self.why(formula, path.states[at])
            if reason is None or not (reason.moves or reason.loop is not None or reason.branches):
                continue
            if at == end and path.loop is None and len(path.moves) == end:
                path.branches += [(b + end if b is not None else None, w, p) for b, w, p in reason.branches]
                path.loop = None if reason.loop is None else reason.loop + end
                path.moves += reason.moves
                path.states += reason.states[1:]
                path.notes += reason.notes
            else:
                path.branches.append((at, str(formula), reason))
        return path

    def _way(self, state: Row, allowed: Set | None, goal: Set, moving: bool = False) -> Path:
        """A shortest path to the goal through allowed states."""
        within = None if allowed is None else [allowed]
        first, steps = self.walker.route([self.walker.at(state)], [goal], within, moving=moving)
        return self.walker.path(first, steps)

    def _round(self, state: Row, allowed: Set) -> Path:
        """A lasso through allowed states."""
        start = [self.walker.at(state)]
        first, way, cycle = lasso(self.walker, start, self._cycles(allowed), self.conditions, [allowed])
        path = self.walker.path(first, [*way, *cycle], len(way))
        path.notes = explained(self.walker, self.conditions, cycle)
        return path
