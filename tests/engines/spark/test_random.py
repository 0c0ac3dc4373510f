"""Partitions that close over their own states against the local engine, on random systems, in this process."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.engines.spark.counters import counters
from tests.reference import explore
from tests.scale import scaled
from tests.systems import JointSystem, anything, model_of

from homing.core.property import Extreme
from homing.core.result import Counts, Distribution, Limits, Options, Report
from homing.core.system import TransitionSystem
from homing.engines.local.engine import check as check_locally
from homing.engines.local.tuning import Tuning
from homing.engines.spark import exploring, work
from homing.engines.spark.engine import check
from homing.engines.spark.folder import Folder
from homing.engines.spark.preparing import Prepared
from homing.engines.spark.rounds import Here, Rounds, Work

relaxed = settings(deadline=None, suppress_health_check=list(HealthCheck))
MOST_STATES = 300


class Several(Here):
    """As if there were several lanes as soon as there are some states, and rounds of some seconds."""

    def __init__(self, folder: Folder, seconds: float) -> None:
        super().__init__(folder)
        self.seconds = seconds

    def expect(self, weight: int) -> None:
        self.lanes = 3 if weight >= 4 else self.lanes

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        return super().run(work, [replace(each, seconds=self.seconds) for each in todo], partitions)


def small(memory: int, seconds: float) -> Callable[[Prepared], Rounds]:
    """Rounds in this process, with partitions of so many bytes: larger ones are split."""

    def here(prepared: Prepared) -> Rounds:
        prepared.job = replace(prepared.job, memory=memory, cache=memory)
        return Several(prepared.job.folder, seconds)

    return here


@pytest.mark.slow
@settings(relaxed, max_examples=scaled(16))
@given(
    system=anything,
    partitions=st.sampled_from([None, None, 1, 2, 5]),
    memory=st.sampled_from([2_000, 1 << 30]),
    seconds=st.sampled_from([0.0, 60.0]),
    some=st.integers(0, 2**32),
)
def test_agrees_with_the_local_engine(
    system: TransitionSystem, partitions: int | None, memory: int, seconds: float, some: int
) -> None:
    assume(explore(system, most=MOST_STATES) is not None)
    everything = model_of(system)
    draw = random.Random(some)
    ends_early = [prop for prop in everything.properties if not isinstance(prop, Extreme)]
    few = replace(everything, properties=tuple(draw.sample(ends_early, min(2, len(ends_early)))))
    by = tuple(str(slot) for slot in system.shape.slots if draw.random() < 0.5)
    by = () if any(slot.name in by for n, slot in enumerate(system.shape.slots) if n in system.shape.hidden) else by
    for model in (everything, few):
        with tempfile.TemporaryDirectory() as folder:
            spread = Distribution(partitions=partitions, folder=f"{folder}/run", by=by)
            options = Options(distribution=spread, limits=Limits(seconds=60))  # which rounds that do nothing need
            # With no time for a round, each goes one level down, and what lags behind is split again and again.
            # Nor does it always come to the end of a level, where batches are small.
            tiny = patch.object(work, "tuning", lambda memory: Tuning(chunk=2, chunks=1))
            with patch.multiple(exploring, SMALL=5, FIRST_SECONDS=seconds), tiny:
                found = check(model, options, small(memory, seconds)).report
            agrees(found, check_locally(model, Options(threads=1)).report, system)


def test_what_waits_for_a_partition_waits_for_its_heirs() -> None:
    system = JointSystem(5017, 3, 3, 2, 6, 2)
    model = model_of(system)
    with tempfile.TemporaryDirectory() as folder:
        options = Options(distribution=Distribution(folder=f"{folder}/run"))
        tiny = patch.object(work, "tuning", lambda memory: Tuning(chunk=8, chunks=1))
        with patch.multiple(exploring, SMALL=5, FIRST_SECONDS=60.0), tiny:
            found = check(model, options, small(2_000, 60.0)).report
    assert found.engine["splits"]
    agrees(found, check_locally(model, Options(threads=1)).report, system)


def test_what_is_split_when_all_is_decided_still_counts() -> None:
    model = counters(4, 6, early=True)
    model = replace(model, properties=model.properties[-1:])
    with tempfile.TemporaryDirectory() as folder:
        spread = Distribution(partitions=2, folder=f"{folder}/run")
        found = check(model, Options(distribution=spread, limits=Limits(seconds=60)), small(100, 60.0)).report
    assert found.engine["splits"]
    agrees(found, check_locally(model, Options(threads=1)).report, model.system)


def agrees(found: Report, expected: Report, system: TransitionSystem) -> None:
    """The same verdicts, values, lengths of traces and, unless a view merges what differs, counts."""
    assert str(found.error) == str(expected.error)
    for one, other in zip(found.results, expected.results, strict=True):
        assert one.verdict is other.verdict, one.property
        assert one.value == other.value, one.property
        assert one.vacuous == other.vacuous
        assert (one.trace is None) == (other.trace is None)
        if one.trace is not None and other.trace is not None:
            assert len(one.trace) == len(other.trace), one.property
        assert counted(one.counts) == counted(other.counts), one.property


def counted(counts: Counts) -> Counts:
    """All but how often models were asked, which depends on who asks."""
    return replace(counts, evaluations=0)
