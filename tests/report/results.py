"""Results made by hand."""

from __future__ import annotations

from typing import Any

from homing.core.result import Counts, Report, Result
from homing.core.verdict import Verdict


def result(name: str, verdict: Verdict = Verdict.HOLDS, model: str = "m.py", **fields: Any) -> Result:
    return Result(model, name, verdict, fields.pop("counts", Counts(10, 20, 3)), 0.5, 87.0, **fields)


def report(*results: Result, model: str = "m.py", **fields: Any) -> Report:
    return Report(model, results, **fields)
