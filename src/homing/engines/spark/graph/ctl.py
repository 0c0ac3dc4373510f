"""CTL on a graph in pieces: fixpoints by supersteps, and paths that show why."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from homing.core.formula import Constant, Formula, Operation
from homing.core.temporal import Fairness, Stuttering, Temporal
from homing.engines.spark.graph.branching import Combine, Evaluate, Everywhere, Next, Show, Until, Without
from homing.engines.spark.graph.cutting import ALIVE, GOOD, Begin, Trim
from homing.engines.spark.graph.cycles import look
from homing.engines.spark.graph.desks import Program
from homing.engines.spark.graph.kernels import Array
from homing.engines.spark.graph.linear import is_feasible
from homing.engines.spark.graph.setting import Setting
from homing.engines.spark.graph.supersteps import Supersteps, fresh
from homing.properties.normal import exists, is_temporal, negated, normal
from homing.properties.reasons import ALWAYS_TRUE, AT_THE_START, NO_BEHAVIOUR, implications, reached


@dataclass(frozen=True)
class Truth:
    """Where a formula is true: a register, whether it is anywhere, and by partition the initial states."""

    name: str
    any: bool
    initial: dict[int, Array]

    @property
    def at_start(self) -> bool:
        """Whether it is true in every initial state."""
        return all(bool(values.all()) for values in self.initial.values())


class Ctl:
    """The states that satisfy formulas, each formula decided once."""

    def __init__(self, supersteps: Supersteps, stuttering: Stuttering, fairness: tuple[Fairness, ...]) -> None:
        self.supersteps = supersteps
        self.fairness = fairness
        self.setting = Setting(stuttering, fairness)
        self._known: dict[Formula, Truth] = {}

    @cached_property
    def every(self) -> Truth:
        """All states."""
        return self._run(Everywhere(True, name := fresh("truth")), name)

    @cached_property
    def fair(self) -> Truth:
        """The states from which a fair path starts."""
        if is_feasible(self.setting.stuttering, self.fairness):
            return self.every
        return self.globally(self.every)

    def states(self, formula: Formula) -> Truth:
        """Where the formula is true."""
        if formula not in self._known:
            self._known[formula] = self._decide(normal(formula))
        return self._known[formula]

    def _decide(self, formula: Formula) -> Truth:
        if not is_temporal(formula):
            return self._run(Evaluate(formula, self.setting.stuttering, name := fresh("truth")), name)
        assert isinstance(formula, Operation)
        if formula.operator in ("not", "and", "or"):
            return self.combined(formula.operator, *(self.states(operand) for operand in formula.operands))
        path = formula.operands[0]
        assert isinstance(path, Operation)
        if formula.operator == "A":
            return self.combined("not", self.states(exists(negated(path))))
        inner = [self.states(operand) for operand in path.operands]
        return self._some(path.operator, inner)

    def _some(self, operator: str, inner: list[Truth]) -> Truth:
        """E X, E U and E R; the rest is turned into these."""
        if operator == "X":
            goal = self.combined("and", inner[0], self.fair)
            return self._run(Next(self.setting, goal.name, name := fresh("truth")), name)
        if operator == "U":
            return self.until(inner[0], self.combined("and", inner[1], self.fair))
        # f R g: g for ever, or g until f and g.
        goal = self.combined("and", inner[0], inner[1], self.fair)
        stays = self.globally(inner[1])
        return self.combined("or", self.until(inner[1], goal), stays) if goal.any else stays

    def combined(self, operator: str, *parts: Truth) -> Truth:
        return self._run(Combine(operator, tuple(part.name for part in parts), name := fresh("truth")), name)

    def until(self, allowed: Truth, goal: Truth) -> Truth:
        """E [allowed U goal]."""
        return self._run(Until(self.setting, allowed.name, goal.name, name := fresh("truth")), name)

    def globally(self, allowed: Truth) -> Truth:
        """E G allowed, on fair paths."""
        if not allowed.any:
            return allowed
        if self.fairness:
            self.cycles(allowed)
            return self.until(allowed, self.shown(GOOD))
        self.supersteps.once(Begin(self.setting, allowed.name))
        self.supersteps.fix(Trim(self.setting, inward=False))
        return self.shown(ALIVE)

    def cycles(self, allowed: Truth) -> None:
        """Finds fair cycles of the allowed states, to which all that have a fair path lead; GOOD has them."""

        def taken() -> None:
            # What leads to a fair cycle is decided, and so is every component that it is part of.
            decided = self.until(allowed, self.shown(GOOD))
            self.supersteps.once(Without(decided.name))

        look(self.supersteps, self.setting, allowed.name, taken)

    def shown(self, what: str) -> Truth:
        """The states in which a register of cycles has something."""
        self.supersteps.fix(Show(self.setting, what, name := fresh("truth")))
        return self.combined("and", Truth(name, True, {}))

    def _run(self, program: Program, name: str) -> Truth:
        reports: dict[int, Any] = self.supersteps.fix(program)
        values = {part: np.asarray(initial) for part, (_, initial) in reports.items()}
        return Truth(name, any(some for some, _ in reports.values()), values)


def vacuous(ctl: Ctl, prop: Temporal) -> str | None:
    """Why a formula that holds says nothing of this system; see `homing.properties.vacuity`."""
    formula = prop.formula
    if is_temporal(formula) and not any(bool(values.any()) for values in ctl.fair.initial.values()):
        return NO_BEHAVIOUR
    for implication, _ in implications(formula):
        if not ctl.states(implication.operands[0]).any:
            return f"'{implication.operands[0]}' never happens"
    if isinstance(formula, Operation) and formula.operator in ("A", "E"):
        inner = reached(formula.operands[0], "F")
        if inner is not None and ctl.states(inner).at_start:
            return AT_THE_START
    return ALWAYS_TRUE if isinstance(formula, Constant) else None
