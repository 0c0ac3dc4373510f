"""Whether a property holds for an empty reason, and which part of it never mattered."""

from __future__ import annotations

from homing.core.formula import Constant, Operation, logic_of
from homing.core.temporal import Temporal
from homing.properties.arena import Arena
from homing.properties.ctl import Ctl
from homing.properties.cycles import some_behaviour
from homing.properties.fairness import is_feasible
from homing.properties.ltl.check import atoms_of, exists
from homing.properties.ltl.letters import automaton_of
from homing.properties.normal import is_temporal
from homing.properties.reasons import ALWAYS_TRUE, AT_THE_START, NO_BEHAVIOUR, implications, reached


def of_ltl(prop: Temporal, arena: Arena) -> str | None:
    """Why an LTL formula that holds says nothing of this system; None when it says something."""
    formula, fairness = prop.formula, prop.fairness
    if not automaton_of(~formula, atoms_of(formula)).automaton.transitions:
        return ALWAYS_TRUE
    if not is_feasible(arena, fairness) and not some_behaviour(arena, fairness):
        return NO_BEHAVIOUR
    for implication, untriggered in implications(formula):
        when = implication.operands[0]
        if logic_of(when) in ("state", "step"):
            never = not arena.on_edges(when).any()
        else:
            never = not exists(arena, ~untriggered, fairness)
        if never:
            return f"'{when}' never happens"
    inner = reached(formula, "F")
    if inner is not None and logic_of(inner) == "state" and arena.on_states(inner)[arena.initial].all():
        return AT_THE_START
    return None


def of_ctl(prop: Temporal, ctl: Ctl) -> str | None:
    """The same for CTL."""
    initial = ctl.arena.initial
    if is_temporal(prop.formula) and not ctl.fair[initial].any():
        return NO_BEHAVIOUR
    for implication, _ in implications(prop.formula):
        if not ctl.states(implication.operands[0]).any():
            return f"'{implication.operands[0]}' never happens"
    formula = prop.formula
    if isinstance(formula, Operation) and formula.operator in ("A", "E"):
        inner = reached(formula.operands[0], "F")
        if inner is not None and ctl.states(inner)[initial].all():
            return AT_THE_START
    return ALWAYS_TRUE if isinstance(formula, Constant) else None
