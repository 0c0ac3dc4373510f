"""Tables of verdicts: of the properties of a model, and of several models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from homing.core.result import Result
from homing.core.verdict import Verdict
from homing.report.outcome import Outcome
from homing.report.wording import duration, printable, remark

STYLES = {Verdict.HOLDS: "green", Verdict.UNKNOWN: "yellow", Verdict.VIOLATED: "bold red"}
ROOM_FOR_COUNTS = 72
"""Columns below which names of models would be squeezed to a few letters."""

Cell: TypeAlias = tuple[tuple[str, str], ...]
"""Pieces of text, each with its style."""


class Table(NamedTuple):
    """What a table says, however it is drawn."""

    columns: tuple[str, ...]
    rows: Sequence[tuple[Cell, ...]]
    """One may end before the last column."""
    whole: int | None = None
    """The first column in which, as in all that follow, nothing is wrapped."""
    numbers: int | None = None
    """The first of those, at the end, that are aligned right."""


def of_properties(results: Iterable[Result]) -> Table:
    """Property and verdict, with what there is to say about it."""
    rows = [(cell(result.property), (_verdict(result.verdict), (remark(result), ""))) for result in results]
    return Table(("property", "verdict"), rows)


def of_models(outcomes: Iterable[Outcome], width: int) -> Table:
    """Model, verdict and, where there is room for them, counts."""
    numbers = ("distinct", "generated", "depth", "time") if width >= ROOM_FOR_COUNTS else ()
    rows = [(cell(outcome.model), *_row(outcome)[: 1 + len(numbers)]) for outcome in outcomes]
    return Table(("model", "verdict", *numbers), rows, whole=1, numbers=2)


def cell(text: str, style: str = "") -> Cell:
    """A cell of one piece."""
    return ((printable(text), style),)


def _verdict(verdict: Verdict) -> tuple[str, str]:
    return verdict.name, STYLES[verdict]


def _row(outcome: Outcome) -> list[Cell]:
    report = outcome.report
    if outcome.failure is not None or report is None:
        return [cell("bad input", "red")]
    verdict = _verdict(report.verdict)
    if not report.results:
        return [(verdict,)]
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
    return [(verdict,), *map(cell, numbers)]
