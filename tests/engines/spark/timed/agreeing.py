"""Searches in partitions, in this process, beside the search through zones."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from homing.core.model import Model
from homing.core.result import Counts, Distribution, Exploration, Limits, Options, Result
from homing.engines.spark.rounds import Here
from homing.engines.spark.timed.engine import check as check_in_partitions
from homing.engines.zones.engine import check as check_zones

MANY = 20_000_000


def spread(folder: Path, edges: int = MANY, partitions: int = 4, small: int = 0, **given: object) -> Options:
    """From so many states on in partitions; graphs of more than so many edges in pieces."""
    distribution = Distribution(partitions=partitions, folder=str(folder / "run"), small=small, most_edges=edges)
    # Levels that come to nothing would go on for ever.
    return replace(Options(distribution=distribution, limits=Limits(seconds=60)), **given)  # type: ignore[arg-type]


def checked(model: Model, options: Options) -> Exploration:
    return check_in_partitions(model, options, Here)


def locally(model: Model, limits: Limits | None = None) -> Exploration:
    return check_zones(model, Options(limits=limits or Limits()))


def agree(found: Exploration, expected: Exploration) -> None:
    """The same verdicts, counts and lengths of traces; of a loop, the same way to it."""
    assert (found.report.error is None) == (expected.report.error is None), (found.report.error, expected.report.error)
    for one, other in zip(found.report.results, expected.report.results, strict=True):
        assert said(one) == said(other), one.property
        if expected.report.error is None:
            assert counted(one.counts) == counted(other.counts), one.property
            assert steps(one) == steps(other), one.property


def said(result: Result) -> tuple[object, ...]:
    return result.verdict, result.value, result.vacuous, result.reason, result.trace is None


def counted(counts: Counts) -> Counts:
    return replace(counts, evaluations=0)


def steps(result: Result) -> int | None:
    """Of the trace, or of the way to its loop, without waits. The way to a loop in which time passes is shortest with
    its ticks, which are not told."""
    if result.trace is None or (result.trace.loop is not None and result.reason is None):
        return None
    return sum(move.event.name != "wait" for move in result.trace.moves[: result.trace.loop])
