"""Tables of verdicts: of the properties of a model, and of several models."""

from __future__ import annotations

from collections.abc import Iterable

from rich import box
from rich.table import Table
from rich.text import Text

from homing.core.result import Result
from homing.core.verdict import Verdict
from homing.report.outcome import Outcome
from homing.report.wording import duration, printable, remark

STYLES = {Verdict.HOLDS: "green", Verdict.UNKNOWN: "yellow", Verdict.VIOLATED: "bold red"}
ROOM_FOR_COUNTS = 72
"""Columns below which names of models would be squeezed to a few letters."""


def of_properties(results: Iterable[Result]) -> Table:
    """Property and verdict, with what there is to say about it."""
    table = _table("property", "verdict")
    for result in results:
        verdict = Text(result.verdict.name, STYLES[result.verdict])
        table.add_row(Text(printable(result.property)), Text.assemble(verdict, remark(result)))
    return table


def of_models(outcomes: Iterable[Outcome], width: int) -> Table:
    """Model, verdict and, where there is room for them, counts."""
    table = _table("model", "verdict")
    table.columns[1].no_wrap = True
    numbers = ("distinct", "generated", "depth", "time") if width >= ROOM_FOR_COUNTS else ()
    for name in numbers:
        table.add_column(name, justify="right", no_wrap=True)
    for outcome in outcomes:
        table.add_row(Text(printable(outcome.model)), *_row(outcome)[: 1 + len(numbers)])
    return table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 2, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _row(outcome: Outcome) -> list[Text]:
    report = outcome.report
    if outcome.failure is not None or report is None:
        return [Text("bad input", "red")]
    verdict = Text(report.verdict.name, STYLES[report.verdict])
    if not report.results:
        return [verdict]
    systems: dict[str, list[Result]] = {}
    for result in report.results:
        systems.setdefault(result.part, []).append(result)
    counts = [results[0].counts for results in systems.values()]
    numbers = (
        f"{sum(each.distinct for each in counts):,}",
        f"{sum(each.generated for each in counts):,}",
        f"{max(each.depth for each in counts):,}",
        duration(sum(max(result.seconds for result in results) for results in systems.values())),
    )
    return [verdict, *map(Text, numbers)]
