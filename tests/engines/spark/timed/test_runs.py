"""Searches that are stopped, meet a full disk, grow out of their partitions, or are killed: nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from tests.engines.spark.timed.agreeing import agree, checked, counted, locally, spread

import homing
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.result import Limits, Progress
from homing.core.verdict import Verdict
from homing.engines.spark import preparing
from homing.engines.spark.exchange import messages
from homing.engines.spark.folder import Folder, Writer
from homing.engines.spark.memory import too_little
from homing.engines.spark.rounds import Here, Work
from homing.engines.spark.timed import engine, exploring, work
from homing.engines.spark.timed.engine import check
from homing.engines.spark.timed.exploring import Filed, Part, Spread, Totals, plain, restored
from homing.engines.spark.timed.tasks import ARRIVING, FIRING, Failure, Job, Outcome
from homing.storage.seal import sealed, unsealed
from homing.timed.property import Inevitable

MODELS = Path(__file__).parents[4] / "models"
CHANNEL = MODELS / "tutorial" / "channel.xml"
LARGER = MODELS / "pcrt" / "dead_interval_three_losses.xml"


def model(file: Path = CHANNEL) -> Model:
    """With what its first query, and one about runs if there is one, ask."""
    (found,) = homing.load(file).models
    runs = [prop for prop in found.properties if isinstance(prop, Inevitable)]
    return replace(found, properties=(found.properties[0], *runs[:1]))


def test_a_search_that_was_stopped_goes_on(tmp_path: Path) -> None:
    asked = model()
    stopped = checked(asked, spread(tmp_path, limits=Limits(states=40)))  # which the second search does not have
    assert [result.verdict for result in stopped.report.results] == [Verdict.UNKNOWN, Verdict.HOLDS]
    assert stopped.report.checkpoint == str(tmp_path / "run")
    rounds = stopped.report.engine["rounds"]
    stopped.done()
    resumed = checked(asked, spread(tmp_path, resume=True))
    expected = locally(asked)
    agree(resumed, expected)
    whole = checked(asked, spread(tmp_path / "other"))
    assert rounds > 0
    assert rounds + resumed.report.engine["rounds"] == whole.report.engine["rounds"]
    resumed.done()
    assert not (tmp_path / "run").exists()


def test_a_search_of_another_model_is_not_gone_on_with(tmp_path: Path) -> None:
    checked(model(), spread(tmp_path, limits=Limits(states=20)))
    with pytest.raises(HomingError, match="is a run of another model"):
        checked(model(LARGER), spread(tmp_path, resume=True))


def test_a_search_of_another_version_is_not_gone_on_with(tmp_path: Path) -> None:
    checked(model(), spread(tmp_path, limits=Limits(states=20)))
    for file in tmp_path.glob("run/search=*/search.json"):
        name = file.relative_to(tmp_path / "run").as_posix()
        document = unsealed(name, file.read_bytes())
        del document["spread"]["level"]
        file.write_bytes(sealed(name, document))
    with pytest.raises(HomingError, match="it is of another version of Homing"):
        checked(model(), spread(tmp_path, resume=True))


@pytest.mark.parametrize("write", [1, 9])
def test_a_full_disk_costs_nothing_that_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: int) -> None:
    left, true = iter(range(write)), Writer.write

    def full(self: Writer, table: pa.Table) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        true(self, table)

    asked = model()
    with monkeypatch.context() as patched:
        patched.setattr(Writer, "write", full)
        ended = checked(asked, spread(tmp_path))
    reasons = {result.reason for result in ended.report.results}
    assert any("the run folder cannot be written" in str(reason) for reason in reasons)
    assert any("No space left on device" in str(reason) for reason in reasons)
    agree(checked(asked, spread(tmp_path, resume=True)), locally(asked))


def test_partitions_that_outgrow_their_memory_are_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "share", lambda options: 2000)
    asked = model()
    found = checked(asked, spread(tmp_path, edges=0, partitions=2))
    assert found.report.engine["splits"] > 0
    assert found.report.engine["partitions"] > 2
    agree(found, locally(asked))


def test_a_level_that_has_no_room_is_done_again_in_more_partitions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine, "share", lambda options: 1000)
    monkeypatch.setattr(work._Task, "_is_large", False)  # so that it is noticed late
    overflows, true = [], exploring.gave_up

    def gave_up(job: Job, spread: Spread, outcomes: Sequence[Any], inboxes: dict[int, str]) -> bool:
        overflows.append(true(job, spread, outcomes, inboxes))
        return overflows[-1]

    monkeypatch.setattr(exploring, "gave_up", gave_up)
    asked = model()
    found = checked(asked, spread(tmp_path, edges=0, partitions=1))
    assert any(overflows)
    agree(found, locally(asked))


def test_what_cannot_be_split_ends_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = model()
    with monkeypatch.context() as patched:
        patched.setattr(engine, "share", lambda options: 500)
        ended = checked(asked, spread(tmp_path))
    (reason,) = {result.reason for result in ended.report.results if result.verdict is Verdict.UNKNOWN}
    assert "the memory limit was reached: a partition takes" in str(reason)
    agree(checked(asked, spread(tmp_path, resume=True)), locally(asked))


def test_a_limit_that_cannot_be_kept_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "on_spark", lambda master, folder, stopped: Here(folder))
    told: list[Progress] = []
    options = spread(tmp_path, limits=Limits(memory_mb=600), show=told.append)
    agree(check(model(), options), locally(model()))
    assert [progress.note for progress in told if progress.note] == [too_little(options)]


def test_small_searches_stay_in_this_process(tmp_path: Path) -> None:
    asked = model()
    found = checked(asked, spread(tmp_path, small=30))
    assert 0 < found.report.engine["rounds"] < checked(asked, spread(tmp_path / "other")).report.engine["rounds"]
    agree(found, locally(asked))


def test_what_was_covered_before_a_search_was_spread_is_left_out(tmp_path: Path) -> None:
    (asked,) = homing.load(MODELS / "rabbitmq" / "faults" / "as_takes_any_id.xml").models
    agree(checked(asked, spread(tmp_path, small=400)), locally(asked))


def test_progress_tells_rounds_crossing_and_skew(tmp_path: Path) -> None:
    shown: list[Progress] = []
    found = checked(model(), spread(tmp_path, show=shown.append))
    assert any("round 2, " in progress.detail and "crossing, skew" in progress.detail for progress in shown)
    measured = found.report.engine
    assert measured["engine"] == "spark"
    assert 0 < measured["crossing_ratio"] < 1
    assert sum(measured["states_by_partition"]) == max(result.counts.distinct for result in found.report.results)
    json.dumps(measured)


def test_a_step_that_is_lost_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    left = iter(range(30))

    def lossy(folder: Folder, name: str) -> Iterator[bytes]:
        return (message for message in messages(folder, name) if next(left, None) is not None)

    monkeypatch.setattr(work, "messages", lossy)
    with pytest.raises(HomingError, match=r"\d+ steps were sent to partitions, but \d+ arrived; the run is damaged"):
        checked(model(), spread(tmp_path))


class Twice(Here):
    """What Spark does where a worker was lost after its work: that is done again, maybe where it was done before."""

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        super().run(work, todo, partitions)
        return super().run(work, todo, partitions)


def test_what_is_done_twice_counts_once(tmp_path: Path) -> None:
    asked = model()
    agree(check(asked, spread(tmp_path, edges=0), Twice), locally(asked))


class Ended:
    """Rounds in which this came of the tasks."""

    lanes = 1

    def __init__(self, *outcomes: Outcome) -> None:
        self.outcomes = list(outcomes)

    def expect(self, weight: int) -> None: ...

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        return self.outcomes, {}


def test_what_fails_on_its_way_to_a_level_comes_before_what_fails_in_it() -> None:
    one, other = (Failure(phase, HomingError("it fails"), None, None) for phase in (FIRING, ARRIVING))
    rounds = Ended(Outcome(0, "", 5, 5, 5, failure=one), Outcome(1, "", 0, 0, 0, failure=other))
    search = Spread(1, level=3)
    assert exploring.advance(None, rounds, search, [])[1] is other  # type: ignore[arg-type]
    assert (search.level, search.states) == (3, 0)


def test_a_manifest_says_all() -> None:
    parts = {2: Part("", ("one",), ("two",), 3, 4, 5, True), 3: Part()}
    filed = {"1:0": [Filed("one", 0, 7), Filed("three", 7, 2)]}
    search = Spread(2, 3, True, parts, {1: ("four", "five")}, filed, 6, Totals(*range(1, 12)))
    assert restored(json.loads(json.dumps(plain(search)))) == search


def test_too_many_partitions(tmp_path: Path) -> None:
    with pytest.raises(HomingError, match="partitions are too many"):
        checked(model(), spread(tmp_path, partitions=1 << 21))


@pytest.mark.slow
def test_a_killed_driver_goes_on_from_its_last_level(tmp_path: Path) -> None:
    program = tmp_path / "run.py"
    program.write_text(PROGRAM.format(model=str(CHANNEL), tests=str(MODELS.parent)), encoding="utf-8")
    first = subprocess.Popen([sys.executable, program.name], cwd=tmp_path)
    try:
        until = time.monotonic() + 120
        while levels(tmp_path) < 4:
            assert time.monotonic() < until
            assert first.poll() is None, "it was over before it was killed"
            time.sleep(0.02)
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    shown: list[Progress] = []
    asked, before = model(), levels(tmp_path)
    resumed = checked(asked, spread(tmp_path, resume=True, show=shown.append))
    assert any("resuming from" in progress.note for progress in shown)
    expected = locally(asked)
    agree(resumed, expected)
    assert counted(resumed.counts) == counted(expected.counts)
    assert 4 <= before < expected.counts.depth


PROGRAM = """
import sys, time
from pathlib import Path
sys.path.insert(0, {tests!r})
from tests.engines.spark.timed.agreeing import checked, spread
from tests.engines.spark.timed.test_runs import model
checked(model(Path({model!r})), spread(Path("."), show=lambda shown: time.sleep(0.1)))
"""


def levels(folder: Path) -> int:
    """That the first search has come to."""
    found = list(folder.glob("run/search=*/search.json"))
    return max((json.loads(file.read_text())["document"]["spread"]["level"] for file in found), default=0)
