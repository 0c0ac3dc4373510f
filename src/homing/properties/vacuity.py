"""Whether a property holds for an empty reason, and which part of it never mattered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from homing.core.formula import FALSE, Constant, Formula, Operation, logic_of
from homing.core.temporal import Temporal
from homing.properties.arena import Arena
from homing.properties.ctl import Ctl, is_temporal
from homing.properties.cycles import some_behaviour
from homing.properties.fairness import is_feasible
from homing.properties.ltl.check import atoms_of, exists
from homing.properties.ltl.letters import automaton_of

NO_BEHAVIOUR = "its negation holds as well: no behaviour is fair"
AT_THE_START = "true in every initial state"
ALWAYS_TRUE = "true whatever the system does"


def of_ltl(prop: Temporal, arena: Arena) -> str | None:
    """Why an LTL formula that holds says nothing of this system; None when it says something."""
    formula, fairness = prop.formula, prop.fairness
    if not automaton_of(~formula, atoms_of(formula)).automaton.transitions:
        return ALWAYS_TRUE
    if not is_feasible(arena, fairness) and not some_behaviour(arena, fairness):
        return NO_BEHAVIOUR
    for implication, untriggered in _implications(formula):
        when = implication.operands[0]
        if logic_of(when) in ("state", "step"):
            never = not arena.on_edges(when).any()
        else:
            never = not exists(arena, ~untriggered, fairness)
        if never:
            return f"'{when}' never happens"
    inner = _reached(formula, "F")
    if inner is not None and logic_of(inner) == "state" and arena.on_states(inner)[arena.initial].all():
        return AT_THE_START
    return None


def of_ctl(prop: Temporal, ctl: Ctl) -> str | None:
    """The same for CTL."""
    initial = ctl.arena.initial
    if is_temporal(prop.formula) and not ctl.fair[initial].any():
        return NO_BEHAVIOUR
    for implication, _ in _implications(prop.formula):
        if not ctl.states(implication.operands[0]).any():
            return f"'{implication.operands[0]}' never happens"
    formula = prop.formula
    if isinstance(formula, Operation) and formula.operator in ("A", "E"):
        inner = _reached(formula.operands[0], "F")
        if inner is not None and ctl.states(inner)[initial].all():
            return AT_THE_START
    return ALWAYS_TRUE if isinstance(formula, Constant) else None


def _reached(formula: Formula, operator: str) -> Formula | None:
    return formula.operands[0] if isinstance(formula, Operation) and formula.operator == operator else None


def _implications(formula: Formula) -> Iterator[tuple[Operation, Formula]]:
    """The implications that the formula asserts, each with the whole formula as it is when the conclusion is false."""
    if not isinstance(formula, Operation) or formula.operator in ("not", "iff"):
        return
    if formula.operator == "implies":
        yield formula, replace(formula, operands=(formula.operands[0], FALSE))
    for position, operand in enumerate(formula.operands):
        if formula.operator == "implies" and position == 0:
            continue
        for found, changed in _implications(operand):
            operands = (*formula.operands[:position], changed, *formula.operands[position + 1 :])
            yield found, replace(formula, operands=operands)
