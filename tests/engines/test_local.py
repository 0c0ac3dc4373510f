"""The local engine against the naive search, on random systems."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, given, settings
from tests.reference import Found, explore
from tests.scale import scaled
from tests.systems import anything, model_of

from homing.core.property import Always, DeadlockFree, Extreme, Property, Sometimes
from homing.core.result import Limits, Options, Report, Result
from homing.core.system import TransitionSystem
from homing.core.verdict import Verdict
from homing.engines.local import planning
from homing.engines.local.engine import check
from homing.engines.local.tuning import Tuning

TINY = Tuning(chunk=3, chunks=4, quota=2, memo=2000, parallel=0)
"""Every buffer overflows, every round is short, every memo is emptied: the edges are where mistakes live."""
RUNS = {
    "one thread": (Options(threads=1), Tuning(), planning.DENSE_BITS),
    "two threads": (Options(threads=2), Tuning(parallel=0), 0),
    "tiny, one thread": (Options(threads=1), TINY, 2),
    "tiny, two threads": (Options(threads=2), TINY, planning.DENSE_BITS),
}
"""With how many bits of arguments functions are still looked up by position: with less, by hash and in trees."""
relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck))


@pytest.mark.slow
@settings(relaxed, max_examples=scaled(40))
@given(system=anything)
def test_agrees_with_the_naive_search(tmp_path: Path, system: TransitionSystem) -> None:
    expected = explore(system, most=300)
    assume(expected is not None)
    assert expected is not None
    for options, tuning, bits in RUNS.values():
        with patch.object(planning, "DENSE_BITS", bits):
            report = check(model_of(system), options, tuning).report
        agrees(report, model_of(system).properties, expected)
    path = tmp_path / "search.checkpoint"
    halfway = Options(threads=2, limits=Limits(states=1 + expected.distinct // 2), checkpoint=path)
    check(model_of(system), halfway, TINY)
    report = check(model_of(system), Options(threads=1, checkpoint=path, resume=True)).report
    agrees(report, model_of(system).properties, expected)


def agrees(report: Report, properties: tuple[Property, ...], expected: Found) -> None:
    """Every count, every verdict, and the length of every trace."""
    assert report.error is None
    counts = report.results[0].counts
    if any(isinstance(prop, Extreme) for prop in properties):  # otherwise the search may end early
        assert counts.distinct == expected.distinct
        assert counts.transitions == expected.transitions
        assert counts.generated == expected.initial + expected.transitions
        assert counts.depth == expected.depth
        assert counts.deadlocks == expected.deadlocks
    for prop, result in zip(properties, report.results, strict=True):
        verdict, length = decided(prop, expected)
        assert result.verdict is verdict, prop
        assert length_of(result) == length, prop
        if isinstance(prop, Extreme):
            pick = min if prop.sense == "min" else max
            values = expected.values if prop.where is None else expected.values_where
            assert result.value == pick(values[prop.label], default=None)


def decided(prop: Property, expected: Found) -> tuple[Verdict, int | None]:
    """What the naive search says of a property, and how long the shortest witness is."""
    if isinstance(prop, Extreme):
        values = expected.values if prop.where is None else expected.values_where
        return (Verdict.HOLDS if values[prop.label] else Verdict.VIOLATED), None
    if isinstance(prop, DeadlockFree):
        distance, bad = (expected.nearest_deadlock if prop.unless is None else expected.nearest_unmarked), True
    elif isinstance(prop, Always):
        distance, bad = expected.unlabelled.get(prop.label), True
    else:
        assert isinstance(prop, Sometimes)
        distance, bad = expected.labels.get(prop.label), False
    return (Verdict.VIOLATED if (distance is not None) == bad else Verdict.HOLDS), distance


def length_of(result: Result) -> int | None:
    if result.property.startswith(("least", "greatest")):
        return None
    return None if result.trace is None else len(result.trace)


@pytest.mark.slow
@settings(relaxed, max_examples=scaled(6))
@given(system=anything)
def test_a_run_in_many_pieces_counts_the_same(tmp_path: Path, system: TransitionSystem) -> None:
    expected = explore(system, most=200)
    assume(expected is not None)
    assert expected is not None
    path = tmp_path / "search.checkpoint"
    model = model_of(system)
    for pieces in range(1000):
        limits = Limits(states=None if pieces > 20 else 1 + 7 * pieces)
        options = Options(threads=2, limits=limits, checkpoint=path, resume=True, checkpoint_every=0.0)
        report = check(model, options, TINY).report
        if all(result.reason is None for result in report.results):
            break
        assert path.exists()
    assert not path.exists()
    agrees(report, model.properties, expected)


@pytest.mark.slow
def test_the_number_of_threads_changes_nothing() -> None:
    """Not even which of several shortest traces is shown."""
    from tests.systems import RandomSystem

    for seed in range(1, 1 + scaled(3)):
        model = model_of(RandomSystem(seed, 3, 4, 2, 12, 2))
        reports = [check(model, Options(threads=threads), TINY).report for threads in (1, 2, 3)]
        shown = [[(r.verdict, r.counts, r.trace, r.value) for r in report.results] for report in reports]
        assert shown[0] == shown[1] == shown[2]
