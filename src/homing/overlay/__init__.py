"""Overlay networks of brokers: will every message still get home when links and brokers fail?

>>> from homing.overlay import load, scenarios, verify
>>> result = verify(scenarios(load("random:6:9:seed=1"), "links"))
>>> str(result.verdict)
'HOLDS'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from homing.overlay.colours import scenarios
    from homing.overlay.readers import load
    from homing.overlay.sweeping import sweep
    from homing.overlay.tables import plan
    from homing.overlay.verification import verify

# Imported when asked for: the command line must not wait for NumPy to say what it can do.
_HOMES = {"load": "readers", "scenarios": "colours", "sweep": "sweeping", "plan": "tables", "verify": "verification"}

__all__ = ["load", "plan", "scenarios", "sweep", "verify"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'homing.overlay' has no attribute '{name}'")
    return getattr(import_module(f"homing.overlay.{_HOMES[name]}"), name)
