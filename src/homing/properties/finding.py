"""What is found out about a property."""

from __future__ import annotations

from dataclasses import dataclass

from homing.core.system import TransitionSystem
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.properties.arena import Arena
from homing.properties.lasso import Path, trace_of


@dataclass(frozen=True)
class Finding:
    """A verdict and its evidence."""

    verdict: Verdict
    trace: Trace | None = None
    vacuous: str | None = None


def finding(
    holds: bool, arena: Arena, path: Path | None, system: TransitionSystem | None, vacuous: str | None = None
) -> Finding:
    """With the path as a trace, replayed in the system; without a system there is none."""
    trace = trace_of(arena, path, system) if path is not None and system is not None else None
    return Finding(Verdict.HOLDS if holds else Verdict.VIOLATED, trace, vacuous)
