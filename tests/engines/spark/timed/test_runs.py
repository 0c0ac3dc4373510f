"""Searches that are stopped, meet a full disk, grow out of their partitions, or are killed: nothing is lost."""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from tests.engines.spark.timed.agreeing import agree, checked, counted, locally, spread

import homing
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.result import Limits, Progress
from homing.core.verdict import Verdict
from homing.engines.local.engine import cores
from homing.engines.spark.exchange import messages
from homing.engines.spark.folder import Folder
from homing.engines.spark.timed import work
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
    stopped = checked(asked, spread(tmp_path, limits=Limits(states=20)))
    assert Verdict.UNKNOWN in [result.verdict for result in stopped.report.results]
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


@pytest.mark.parametrize("write", [1, 9])
def test_a_full_disk_costs_nothing_that_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: int) -> None:
    left, true = iter(range(write)), Folder.write

    def full(self: Folder, folder: str, table: object) -> str:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return true(self, folder, table)

    asked = model()
    with monkeypatch.context() as patched:
        patched.setattr(Folder, "write", full)
        ended = checked(asked, spread(tmp_path))
    reasons = {result.reason for result in ended.report.results}
    assert any("the run folder cannot be written" in str(reason) for reason in reasons)
    assert any("No space left on device" in str(reason) for reason in reasons)
    agree(checked(asked, spread(tmp_path, resume=True)), locally(asked))


def test_partitions_that_outgrow_their_memory_are_split(tmp_path: Path) -> None:
    asked = model()
    found = checked(asked, spread(tmp_path, edges=0, partitions=2, limits=Limits(memory_mb=0.01 * cores())))
    assert found.report.engine["splits"] > 0
    assert found.report.engine["partitions"] > 2
    agree(found, locally(asked))


def test_small_searches_stay_in_this_process(tmp_path: Path) -> None:
    asked = model()
    few = spread(tmp_path)
    found = checked(asked, replace(few, distribution=replace(few.distribution, small=30)))
    assert 0 < found.report.engine["rounds"] < checked(asked, few).report.engine["rounds"]
    agree(found, locally(asked))


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
    return max((json.loads(file.read_text())["spread"]["level"] for file in found), default=0)
