"""LTL on a graph in pieces: looks for a fair path that the automaton of the negation accepts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from homing.core.errors import HomingError
from homing.core.formula import Formula, logic_of
from homing.core.temporal import Compassion, Fairness, Justice, Stuttering, Temporal
from homing.engines.spark.graph.branching import Everywhere
from homing.engines.spark.graph.cycles import exist
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.lassos import Lassos
from homing.engines.spark.graph.reaching import Distances, Letters, Reach
from homing.engines.spark.graph.setting import Reading, Setting
from homing.engines.spark.graph.supersteps import Supersteps, fresh
from homing.engines.spark.graph.walking import Walk, rolled
from homing.properties.ltl.check import MOST_ATOMS, atoms_of
from homing.properties.ltl.letters import automaton_of, tabulate
from homing.properties.reasons import ALWAYS_TRUE, AT_THE_START, NO_BEHAVIOUR, implications, reached

Looking: TypeAlias = Callable[[Supersteps, Setting, str], bool]


def is_feasible(stuttering: Stuttering, fairness: tuple[Fairness, ...]) -> bool:
    """Whether every path can surely go on fairly; see `homing.properties.fairness`."""
    return stuttering != "never" and not any(isinstance(entry, Justice | Compassion) for entry in fairness)


def satisfiable(
    supersteps: Supersteps,
    formula: Formula,
    fairness: tuple[Fairness, ...],
    stuttering: Stuttering,
    looking: Looking = exist,
) -> Setting | None:
    """A setting with fair cycles, if there is a fair path from an initial state on which the formula is true; they are
    known only if `looking` is `look`."""
    atoms = tuple(atoms_of(formula))
    if len(atoms) > MOST_ATOMS:
        raise HomingError(f"a formula is too large: it speaks of {len(atoms)} things, and {MOST_ATOMS} are the most")
    letters = sorted({bits for some in supersteps.once(Letters(stuttering, atoms)).values() for bits in some})
    table = tabulate(formula, list(atoms), letters)
    if not len(table.initial):
        return None
    setting = Setting(stuttering, fairness, Reading(atoms, tuple(letters), table))
    reachable = fresh("reached")
    supersteps.fix(Reach(setting, reachable))
    return setting if looking(supersteps, setting, reachable) else None


def lasso(supersteps: Supersteps, setting: Setting) -> Walk:
    """A path into the fair cycles of a setting and around one of them."""
    return rolled(Lassos(supersteps, setting).lasso(Distances(setting, fresh("dist"))))


def some_behaviour(supersteps: Supersteps, stuttering: Stuttering, fairness: tuple[Fairness, ...]) -> bool:
    """Whether any behaviour is fair: all of the graph is reachable, so any fair cycle will do."""
    every = fresh("every")
    supersteps.once(Everywhere(True, every))
    return exist(supersteps, Setting(stuttering, fairness), every)


@dataclass(frozen=True)
class Occurs:
    """Reports whether a formula without temporal operators is true anywhere, and whether at every start."""

    formula: Formula
    stuttering: Stuttering

    def step(self, desk: Desk) -> Sent:
        arena = desk.piece.arena(self.stuttering)
        at_start = False
        if logic_of(self.formula) == "state":
            at_start = bool(np.all(arena.on_states(self.formula)[desk.piece.initial]))
        desk.report = bool(arena.on_edges(self.formula).any()), at_start
        yield from ()


def vacuous(supersteps: Supersteps, prop: Temporal) -> str | None:
    """Why a formula that holds says nothing of this system; see `homing.properties.vacuity`."""
    formula, fairness, stuttering = prop.formula, prop.fairness, prop.stuttering
    if not automaton_of(~formula, atoms_of(formula)).automaton.transitions:
        return ALWAYS_TRUE
    if not is_feasible(stuttering, fairness) and not some_behaviour(supersteps, stuttering, fairness):
        return NO_BEHAVIOUR
    for implication, untriggered in implications(formula):
        when = implication.operands[0]
        if logic_of(when) in ("state", "step"):
            never = not any(occurs for occurs, _ in supersteps.once(Occurs(when, stuttering)).values())
        else:
            never = satisfiable(supersteps, ~untriggered, fairness, stuttering) is None
        if never:
            return f"'{when}' never happens"
    inner = reached(formula, "F")
    if inner is not None and logic_of(inner) == "state":
        starts = supersteps.once(Occurs(inner, stuttering)).values()
        return AT_THE_START if all(at_start for _, at_start in starts) else None
    return None
