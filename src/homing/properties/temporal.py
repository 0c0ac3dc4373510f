"""Temporal properties: chooses the algorithm by the logic, and looks for an empty reason where one holds."""

from __future__ import annotations

import numpy as np

from homing.core.formula import logic_of
from homing.core.system import TransitionSystem
from homing.core.temporal import Temporal
from homing.properties import vacuity
from homing.properties.arena import Columns
from homing.properties.ctl import Ctl, refuted
from homing.properties.finding import Finding, finding
from homing.properties.lasso import Path
from homing.properties.ltl.check import counterexample


def check(prop: Temporal, columns: Columns, system: TransitionSystem | None) -> Finding:
    """LTL on every fair behaviour, CTL in every initial state that one starts in, as in NuSMV."""
    if logic_of(prop.formula) == "CTL":
        return _check_ctl(prop, columns, system)
    arena = columns.arena(prop.stuttering)
    path = counterexample(arena, prop.formula, prop.fairness)
    empty = None if path is not None else vacuity.of_ltl(prop, arena)
    return finding(path is None, arena, path, system, empty)


def _check_ctl(prop: Temporal, columns: Columns, system: TransitionSystem | None) -> Finding:
    arena = columns.arena(prop.stuttering)
    ctl = Ctl(arena, prop.fairness)
    initial = arena.initial
    failing = initial[ctl.fair[initial] & ~ctl.states(prop.formula)[initial]]
    if len(failing):
        state = int(failing[0])
        path = ctl.why(refuted(prop.formula), state)
        return finding(False, arena, path or Path(state), system)
    empty = vacuity.of_ctl(prop, ctl)
    fair = initial[ctl.fair[initial]]  # in others it need not be true
    return finding(True, arena, ctl.why(prop.formula, int(np.min(fair))) if len(fair) else None, system, empty)
