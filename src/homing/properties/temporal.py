"""Temporal properties: chooses the algorithm by the logic, and looks for an empty reason where one holds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from homing.core.formula import logic_of
from homing.core.system import TransitionSystem
from homing.core.temporal import Temporal, of_events
from homing.properties import vacuity
from homing.properties.arena import Arena, Columns
from homing.properties.ctl import Ctl
from homing.properties.finding import Finding, finding
from homing.properties.lasso import Path
from homing.properties.ltl.check import counterexample
from homing.properties.normal import refuted

MOST_KEPT = 256 << 20
"""Bytes of answers that are kept for other formulas."""


def check(prop: Temporal, columns: Columns, system: TransitionSystem | None) -> Finding:
    """LTL on every fair behaviour, CTL in every initial state that one starts in, as in NuSMV."""
    fairness = of_events(prop.fairness, columns.graph.events, len(columns.shape.groups))
    prop = replace(prop, fairness=fairness)
    if logic_of(prop.formula) == "CTL":
        return _check_ctl(prop, columns, system)
    arena = columns.arena(prop.stuttering)
    path = counterexample(arena, prop.formula, prop.fairness)
    empty = None if path is not None else vacuity.of_ltl(prop, arena)
    return finding(path is None, arena, path, system, empty)


def _ctl(arena: Arena, prop: Temporal) -> Ctl:
    """What was decided for formulas before serves this one: specifications by the thousand share their parts."""
    known = arena.kept.get("ctl")
    if not (isinstance(known, Ctl) and known.fairness == prop.fairness and known.bytes < MOST_KEPT):
        known = arena.kept["ctl"] = Ctl(arena, prop.fairness)
    return known


def _check_ctl(prop: Temporal, columns: Columns, system: TransitionSystem | None) -> Finding:
    arena = columns.arena(prop.stuttering)
    ctl = _ctl(arena, prop)
    initial = arena.initial
    failing = initial[ctl.fair[initial] & ~ctl.states(prop.formula)[initial]]
    if len(failing):
        state = int(failing[0])
        path = ctl.why(refuted(prop.formula), state)
        return finding(False, arena, path or Path(state), system)
    empty = vacuity.of_ctl(prop, ctl)
    fair = initial[ctl.fair[initial]]  # in others it need not be true
    path = ctl.why(prop.formula, int(np.min(fair))) if len(fair) else None
    # A state alone shows nothing that the verdict does not say.
    shown = path is not None and (path.edges or path.branches or path.loop is not None)
    return finding(True, arena, path if shown else None, system, empty)
