"""Temporal properties: chooses the algorithm by the logic, and looks for an empty reason where one holds."""

from __future__ import annotations

from dataclasses import dataclass, replace

from homing.core.formula import Constant, Operation, logic_of
from homing.core.temporal import Stuttering, Temporal, of_events
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.ctl import Ctl
from homing.engines.symbolic.fairness import atoms_of, is_feasible
from homing.engines.symbolic.ltl import atoms_in, satisfiable, satisfying
from homing.engines.symbolic.paths import Path, trace_of
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Set
from homing.properties.ltl.letters import automaton_of
from homing.properties.normal import is_temporal, refuted
from homing.properties.reasons import ALWAYS_TRUE, AT_THE_START, NO_BEHAVIOUR, implications, reached


@dataclass(frozen=True)
class Finding:
    """A verdict and its evidence."""

    verdict: Verdict
    trace: Trace | None = None
    vacuous: str | None = None


class Decider:
    """Decides temporal properties of a system that was explored, sharing what they have in common."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self._arenas: dict[Stuttering, Arena] = {}
        self._shared: dict[object, object] = {}
        self._ctl: tuple[object, Ctl] | None = None

    def check(self, prop: Temporal) -> Finding:
        """LTL on every fair behaviour, CTL in every initial state that one starts in, as in NuSMV."""
        arena = self.arena(prop.stuttering)
        relation = self.search.relation
        fairness = of_events(prop.fairness, relation.events.shown, len(relation.groups))
        prop = replace(prop, fairness=fairness)
        if logic_of(prop.formula) == "CTL":
            return self._check_ctl(prop, arena)
        path = satisfying(arena, ~prop.formula, prop.fairness)
        if path is not None:
            return Finding(Verdict.VIOLATED, trace_of(self.search, path))
        return Finding(Verdict.HOLDS, None, self._vacuous_ltl(prop, arena))

    def arena(self, stuttering: Stuttering) -> Arena:
        """The states in a reading of deadlock."""
        if stuttering not in self._arenas:
            self._arenas[stuttering] = Arena(self.search, stuttering, self._shared)
        return self._arenas[stuttering]

    def _check_ctl(self, prop: Temporal, arena: Arena) -> Finding:
        key = (prop.stuttering, prop.fairness)
        if self._ctl is None or self._ctl[0] != key:
            self._ctl = (key, Ctl(arena, prop.fairness))
        ctl = self._ctl[1]
        failing = arena.initial & ctl.fair & ~ctl.states(prop.formula)
        if failing.satisfiable():
            state = ctl.walker.one(failing)
            path = ctl.why(refuted(prop.formula), state)
            return Finding(Verdict.VIOLATED, trace_of(self.search, path or Path([state])))
        empty = self._vacuous_ctl(prop, arena, ctl)
        fair = arena.initial & ctl.fair  # in others it need not be true
        path = ctl.why(prop.formula, ctl.walker.one(fair)) if fair.satisfiable() else None
        # A state alone shows nothing that the verdict does not say.
        shown = path is not None and (path.moves or path.branches or path.loop is not None)
        return Finding(Verdict.HOLDS, trace_of(self.search, path) if path is not None and shown else None, empty)

    # Empty reasons

    def _vacuous_ltl(self, prop: Temporal, arena: Arena) -> str | None:
        formula, fairness = prop.formula, prop.fairness
        if not automaton_of(~formula, atoms_in(formula)).automaton.transitions:
            return ALWAYS_TRUE
        if not is_feasible(arena, fairness) and not satisfiable(arena, Constant(True), fairness):
            return NO_BEHAVIOUR
        for implication, untriggered in implications(formula):
            when = implication.operands[0]
            if logic_of(when) in ("state", "step"):
                steps = atoms_of([when], ())
                kinds = arena.classes(steps)
                never = not any(
                    (arena.on_steps(when, steps, kind.true) & arena.before(kind, arena.states)).satisfiable()
                    for kind in kinds
                )
            else:
                never = not satisfiable(arena, ~untriggered, fairness)
            if never:
                return f"'{when}' never happens"
        inner = reached(formula, "F")
        if inner is not None and logic_of(inner) == "state" and _all(arena.initial, arena.on_states(inner)):
            return AT_THE_START
        return None

    def _vacuous_ctl(self, prop: Temporal, arena: Arena, ctl: Ctl) -> str | None:
        formula, initial = prop.formula, arena.initial
        if is_temporal(formula) and not (ctl.fair & initial).satisfiable():
            return NO_BEHAVIOUR
        for implication, _ in implications(formula):
            if not ctl.states(implication.operands[0]).satisfiable():
                return f"'{implication.operands[0]}' never happens"
        if isinstance(formula, Operation) and formula.operator in ("A", "E"):
            inner = reached(formula.operands[0], "F")
            if inner is not None and _all(initial, ctl.states(inner)):
                return AT_THE_START
        return ALWAYS_TRUE if isinstance(formula, Constant) else None


def _all(some: Set, others: Set) -> bool:
    """Whether the one is part of the other; `<=` only orders them."""
    return not (some & ~others).satisfiable()
