"""Why a formula of CTL is true in a state: a path, as `homing.properties.ctl` would show it, with fewer branches."""

from __future__ import annotations

from dataclasses import replace

from homing.core.formula import Formula, Operation
from homing.engines.spark.graph.ctl import Ctl, Truth
from homing.engines.spark.graph.lassos import Lassos
from homing.engines.spark.graph.reaching import Distances
from homing.engines.spark.graph.supersteps import fresh
from homing.engines.spark.graph.walking import Hop, Node, Walk, Walker
from homing.properties.normal import is_temporal, normal, refuted

MOST_BRANCHES = 8
"""Each takes supersteps."""


class Reasons:
    """Paths out of what was decided."""

    def __init__(self, ctl: Ctl) -> None:
        self.ctl = ctl
        self.supersteps = ctl.supersteps
        self.walker = Walker(ctl.supersteps, ctl.setting)
        self.lassos = Lassos(ctl.supersteps, ctl.setting)
        self._branches = 0

    def why(self, formula: Formula, node: Node) -> Walk | None:
        """A path that shows why the formula is true in the state; None where it would take all paths to show it."""
        formula = normal(formula)
        if not is_temporal(formula):
            return Walk(node)
        assert isinstance(formula, Operation)
        match formula.operator:
            case "not":
                return self.why(refuted(formula.operands[0]), node)
            case "and":
                return self._joined(Walk(node), [(0, operand) for operand in formula.operands])
            case "or":
                return self._first(formula.operands, node)
            case "A":
                return None
        path = formula.operands[0]
        assert isinstance(path, Operation)
        return self._path(path.operator, path.operands, node)

    def _holds(self, truth: Truth, node: Node) -> bool:
        return bool(self.supersteps.array(truth.name, node.part)[node.pair])

    def _first(self, formulas: tuple[Formula, ...], node: Node) -> Walk | None:
        """The shortest reason that one of the formulas gives."""
        true = [formula for formula in formulas if self._holds(self.ctl.states(formula), node)]
        if not all(map(is_temporal, true)):
            return Walk(node)
        found = [walk for formula in true if (walk := self.why(formula, node)) is not None]
        return min(found, key=lambda walk: (len(walk.hops), len(walk.branches)), default=None)

    def _path(self, operator: str, operands: tuple[Formula, ...], node: Node) -> Walk | None:
        ctl = self.ctl
        if operator == "X":
            return self._joined(
                self._step(node, ctl.combined("and", ctl.states(operands[0]), ctl.fair)), [(1, operands[0])]
            )
        if operator == "U":
            goal = ctl.combined("and", ctl.states(operands[1]), ctl.fair)
            return self._along(self._way(node, ctl.states(operands[0]), goal), operands[0], [operands[1]])
        left, right = ctl.states(operands[0]), ctl.states(operands[1])
        goal = ctl.combined("and", left, right, ctl.fair)
        if goal.any and self._holds(ctl.until(right, goal), node):
            return self._along(self._way(node, right, goal), operands[1], [operands[1], operands[0]])
        return self._along(self._round(node, right), operands[1], [])

    def _along(self, walk: Walk, on_the_way: Formula, at_the_end: list[Formula]) -> Walk:
        count = len(walk.hops)
        reasons = [(position, on_the_way) for position in range(count) if is_temporal(on_the_way)]
        return self._joined(walk, [*((count, formula) for formula in at_the_end), *reasons])

    def _joined(self, walk: Walk, reasons: list[tuple[int, Formula]]) -> Walk:
        """The walk with its reasons: the one at its end continues it, some of the others branch off."""
        end, nodes = len(walk.hops), walk.nodes
        for at, formula in reasons:
            continues = at == end and walk.loop is None and len(walk.hops) == end
            if not is_temporal(formula) or (not continues and self._branches >= MOST_BRANCHES):
                continue
            reason = self.why(formula, nodes[at])
            if reason is None or not (reason.hops or reason.loop is not None or reason.branches):
                continue
            if continues:
                walk = replace(
                    walk,
                    end=reason.end,
                    hops=walk.hops + reason.hops,
                    loop=None if reason.loop is None else reason.loop + end,
                    branches=walk.branches + [((b or 0) + end, w, p) for b, w, p in reason.branches],
                    notes=walk.notes + reason.notes,
                )
            else:
                self._branches += 1
                walk.branches.append((at, str(formula), reason))
        return walk

    def _step(self, node: Node, goal: Truth) -> Walk:
        arena, truth = self.walker.ground(node.part).arena, self.supersteps.array(goal.name, node.part)
        edges = range(int(arena.start[node.pair]), int(arena.start[node.pair + 1]))
        edge = next(edge for edge in edges if truth[arena.target[edge]])
        hop = Hop(node.part, node.pair, edge, 0)
        return Walk(self.walker.target(hop, 0), [hop])

    def _way(self, node: Node, allowed: Truth, goal: Truth) -> Walk:
        """A shortest path to the goal through allowed states."""
        if self._holds(goal, node):
            return Walk(node)
        to = Distances(self.ctl.setting, fresh("dist"), node, allowed.name)
        self.supersteps.fix(to)
        end = self.lassos.nearest(to, goal.name)
        assert end is not None
        return Walk(end, self.walker.back(end, to))

    def _round(self, node: Node, allowed: Truth) -> Walk:
        """A lasso through allowed states."""
        self.ctl.cycles(allowed)
        return self.lassos.lasso(Distances(self.ctl.setting, fresh("dist"), node, allowed.name, allowed.name))
