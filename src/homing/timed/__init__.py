"""Real time: systems with clocks, and zones, the sets of clock values that a search works on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

if TYPE_CHECKING:
    from homing.core.system import TransitionSystem
    from homing.timed.system import TimedSystem


def is_timed(system: TransitionSystem) -> TypeGuard[TimedSystem]:
    """Whether a system has clocks, so that its steps are actions."""
    return hasattr(system, "clocks")
