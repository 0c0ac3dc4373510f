"""Conditions on every step: decided edge by edge."""

from __future__ import annotations

import numpy as np

from homing.core.system import TransitionSystem
from homing.core.temporal import EveryStep
from homing.properties.arena import Columns
from homing.properties.finding import Finding, finding
from homing.properties.lasso import Path, way_to


def check(prop: EveryStep, columns: Columns, system: TransitionSystem | None) -> Finding:
    """The first step that breaks a condition, with a shortest way to it; states are numbered breadth first."""
    arena = columns.arena("never")
    for label in prop.initially:
        failing = arena.initial[~columns.label(label)[arena.initial]]
        if len(failing):
            return finding(False, arena, Path(int(failing[0])), system)
    broken = np.zeros(len(arena.target), np.bool_)
    for condition in prop.steps:
        broken |= ~arena.on_edges(condition)
    if not broken.any():
        return finding(True, arena, None, system)
    edge = int(np.argmax(broken))
    path = way_to(arena, int(arena.source[edge]))
    path.edges.append(edge)
    return finding(False, arena, path, system)
