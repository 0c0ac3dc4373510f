"""What is walked through: a plain transition system, whatever the notation."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from homing.core.model import Model
from homing.core.system import TransitionSystem

if TYPE_CHECKING:
    from homing.timed.system import TimedSystem


def simulated(model: Model) -> TransitionSystem:
    """The system whose steps a walk takes; where there are clocks, its states have zones."""
    system = model.system
    if _has_clocks(system):
        # Imported when a model needs it, so that the others start faster.
        from homing.timed.zonegraph import ZoneGraph

        return ZoneGraph(system)
    return system


def _has_clocks(system: TransitionSystem) -> TypeGuard[TimedSystem]:
    return hasattr(system, "clocks")
