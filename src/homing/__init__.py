"""Homing checks message-oriented middleware: every message gets home, and here is the proof."""

from __future__ import annotations

from homing.api import CheckedModel, load
from homing.core.errors import HomingError
from homing.core.result import Counts, Limits, Options, Report, Result
from homing.core.verdict import Verdict

__version__ = "0.1.0"

__all__ = ["CheckedModel", "Counts", "HomingError", "Limits", "Options", "Report", "Result", "Verdict", "load"]
