"""Homing checks message-oriented middleware: every message gets home, and here is the proof."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from homing.api import CheckedModel, load
    from homing.core.errors import HomingError
    from homing.core.result import Counts, Limits, Options, Report, Result
    from homing.core.verdict import Verdict

__version__ = "0.1.0"

__all__ = ["CheckedModel", "Counts", "HomingError", "Limits", "Options", "Report", "Result", "Verdict", "load"]

_MODULES = {"CheckedModel": "api", "HomingError": "core.errors", "Verdict": "core.verdict", "load": "api"}


def __getattr__(name: str) -> Any:
    # Imported when first asked for: the command has things to set before NumPy is imported (`__main__`).
    if name not in __all__:
        raise AttributeError(f"module 'homing' has no attribute '{name}'")
    found = globals()[name] = getattr(import_module(f"homing.{_MODULES.get(name, 'core.result')}"), name)
    return found


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
