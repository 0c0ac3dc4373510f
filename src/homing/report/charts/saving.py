"""Charts in files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from homing.core.result import Result
from homing.report import files
from homing.report.charts import document, svg
from homing.report.outcome import Outcome


def save(target: str, outcomes: Iterable[Outcome]) -> list[str]:
    """Writes a chart for every trace that was found; the files written."""
    found = list(_with_traces(outcomes))
    if not found:
        return []
    if target.lower().endswith(".json"):
        files.write(target, document.render(found))
        return [target]
    names = [_numbered(target, number) for number in range(1, len(found) + 1)]
    for name, result in zip(names, found):
        files.write(name, svg.render(result))
    return names


def _with_traces(outcomes: Iterable[Outcome]) -> Iterable[Result]:
    for outcome in outcomes:
        for result in outcome.report.results if outcome.report is not None else ():
            if result.trace is not None:
                yield result


def _numbered(target: str, number: int) -> str:
    """`a.svg`, `a-2.svg`, `a-3.svg`: a picture a file."""
    path = Path(target)
    return target if number == 1 else str(path.with_name(f"{path.stem}-{number}{path.suffix}"))
