"""Charts in files."""

from __future__ import annotations

from collections.abc import Iterable

from homing.report import files
from homing.report.charts import document, svg
from homing.report.outcome import Outcome, with_traces


def save(target: str, outcomes: Iterable[Outcome]) -> list[str]:
    """Writes a chart for every trace that was found; the files written."""
    found = list(with_traces(outcomes))
    if not found:
        return []
    if target.lower().endswith(".json"):
        files.write(target, document.render(found))
        return [target]
    names = [files.numbered(target, number) for number in range(1, len(found) + 1)]
    for name, result in zip(names, found):
        files.write(name, svg.render(result))
    return names
