"""Runs that end early, are killed, or meet a full disk: what is found stays, and they go on from there."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.engines.spark.counters import counters

from homing.core.builder import Builder, step
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.result import Distribution, Limits, Options, Progress
from homing.core.system import Step
from homing.core.verdict import Verdict
from homing.core.wrappers import Constrained
from homing.engines.local.engine import check as check_locally
from homing.engines.local.monitors import Finding
from homing.engines.local.tuning import Tuning
from homing.engines.spark import exploring, work
from homing.engines.spark.cells import Cells
from homing.engines.spark.engine import Check, check
from homing.engines.spark.folder import Folder, Writer
from homing.engines.spark.preparing import Prepared
from homing.engines.spark.rounds import Here, Rounds, Work
from homing.engines.spark.running import Part, Run, Totals, plain, restored
from homing.storage.seal import sealed, unsealed

COUNTERS = Path(__file__).with_name("counters.py")
BOUNDED = Limits(seconds=60)
"""Rounds that come to nothing would go on for ever."""


def here(prepared: Prepared) -> Rounds:
    return Here(prepared.job.folder)


def options(folder: Path, **given: object) -> Options:
    distribution = Distribution(partitions=4, folder=str(folder / "run"), by=("c0",))
    return replace(Options(distribution=distribution, limits=BOUNDED), **given)  # type: ignore[arg-type]


def test_a_run_that_was_stopped_goes_on(tmp_path: Path) -> None:
    model = counters(4, 6)
    stopped = check(model, options(tmp_path, limits=Limits(states=400)), here)
    assert [result.verdict for result in stopped.report.results] == [Verdict.UNKNOWN] * 2
    assert stopped.report.checkpoint == str(tmp_path / "run")
    resumed = check(model, options(tmp_path, resume=True), here)
    expected = check_locally(model, Options(threads=1))
    assert replace(resumed.counts, evaluations=0) == replace(expected.counts, evaluations=0)
    assert [result.verdict for result in resumed.report.results] == [Verdict.HOLDS] * 2
    resumed.done()
    assert not (tmp_path / "run").exists()  # nothing is left of what is done


class Short(Here):
    """Rounds of one batch."""

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        return super().run(work, [replace(each, seconds=0.0) for each in todo], partitions)


@pytest.mark.parametrize(("partitions", "number", "most"), [(1, 3, 4), (3, 3, 4), (1, 2, 9)])
def test_rounds_that_end_within_a_level(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, partitions: int, number: int, most: int
) -> None:
    """Each reads its states from files, which say what is expanded, also below the first window of depths."""

    def forgetful(prepared: Prepared) -> Rounds:
        prepared.job = replace(prepared.job, cache=0)
        return Short(prepared.job.folder)

    monkeypatch.setattr(work, "tuning", lambda memory: Tuning(chunk=2, chunks=1))
    spread = Distribution(partitions=partitions, folder=str(tmp_path / "run"), by=("c0",))
    found = check(counters(number, most), Options(distribution=spread), forgetful)
    expected = check_locally(counters(number, most), Options(threads=1))
    assert replace(found.counts, evaluations=0) == replace(expected.counts, evaluations=0)
    assert found.report.engine["rounds"] > expected.counts.depth


def test_what_was_found_before_a_run_was_stopped_is_known_after(tmp_path: Path) -> None:
    model = counters(4, 6, early=True)
    check(model, options(tmp_path, limits=Limits(states=400)), here)
    *_, one = check(model, options(tmp_path, resume=True), here).report.results
    assert one.verdict is Verdict.HOLDS
    assert one.trace is not None
    assert len(one.trace) == 1


def shortcut() -> Model:
    """Ten steps at home are found first, then two by way of another partition."""
    b = Builder("shortcut")
    where, how_far = b.slot("where", 0), b.slot("how far", 0)

    @b.group("walk", [where, how_far], [where, how_far])
    def walk(place: int, steps: int) -> Iterator[Step]:
        if place == 0 and steps < 12:
            yield step("on", {how_far: steps + 1})
        if steps == 0:
            yield step("away", {where: 1}) if place == 0 else step("back", {where: 0, how_far: 10})

    b.always("near", [how_far], lambda steps: steps < 10)
    return b.model()


@pytest.mark.parametrize("stopped", [False, True])
def test_a_shorter_way_through_another_partition_is_the_one_to_show(tmp_path: Path, stopped: bool) -> None:
    spread = Distribution(partitions=2, folder=str(tmp_path / "run"), by=("where",))
    if stopped:
        first = check(shortcut(), Options(distribution=spread, limits=Limits(states=5)), here)
        assert [len(result.trace or ()) for result in first.report.results] == [10]
    found = check(shortcut(), Options(distribution=spread, limits=BOUNDED, resume=stopped), here)
    expected = check_locally(shortcut(), Options(threads=1))
    assert [len(result.trace or ()) for result in found.report.results] == [2]
    assert replace(found.counts, evaluations=0) == replace(expected.counts, evaluations=0)


def test_what_is_counted_where_a_deadlock_ends_a_run(tmp_path: Path) -> None:
    """The states beside it are expanded, those below are not."""
    b = Builder("dies")
    alive = b.slot("alive", 0)

    @b.group("live", [alive], [alive])
    def live(value: int) -> Iterator[Step]:
        if value == 2:
            yield step("die", {alive: -1})
        if 0 <= value < 30:
            yield step("on", {alive: value + 1})

    b.deadlock_free()
    spread = Distribution(partitions=3, folder=str(tmp_path / "run"))
    found, expected = check(b.model(), Options(distribution=spread), here), check_locally(b.model(), Options(threads=1))
    assert replace(found.counts, evaluations=0) == replace(expected.counts, evaluations=0)


def test_a_manifest_says_all() -> None:
    parts = {2: Part("", ("one", "two"), 7, 9, 20, 400, True, ([1, 2], [0], [3], [4]))}
    found, totals = Finding((1, "x"), 4, 5), Totals(*range(1, 12))
    run = Run(
        Cells(1, 1, (0, 2, 3, 1), (3, 0, 2, 1), (1.0, 2.0, 3.0, 4.0)),
        64,
        parts,
        {1: ("three",), 2: ("four", "five")},
        6,
        totals=totals,
    )
    run.findings = [None, found]
    assert restored(json.loads(json.dumps(plain(run)))) == run


def test_a_trace_goes_by_what_came_nearer(tmp_path: Path) -> None:
    """As after a run that was stopped when a shorter path was known, and its end had not been told of it."""
    mine = Check(counters(4, 6), options(tmp_path), here)
    mine.run()
    trace = mine._past(mine.prepared.run).trace_to((3, 2, 0, 1), 9)
    assert len(trace) == 6
    assert trace.states[-1] == (3, 2, 0, 1)


def test_a_run_of_another_model_is_not_gone_on_with(tmp_path: Path) -> None:
    check(counters(4, 6), options(tmp_path, limits=Limits(states=400)), here)
    with pytest.raises(HomingError, match="is a run of another model"):
        check(counters(5, 6), options(tmp_path, resume=True), here)
    file = tmp_path / "run" / "run.json"
    document = unsealed("run.json", file.read_bytes())
    del document["cells"]
    file.write_bytes(sealed("run.json", document))
    with pytest.raises(HomingError, match="of another version of Homing"):
        check(counters(4, 6), options(tmp_path, resume=True), here)
    file.write_text("{")
    with pytest.raises(HomingError, match="cannot be resumed from"):
        check(counters(4, 6), options(tmp_path, resume=True), here)


@pytest.mark.parametrize("write", [1, 3, 6])
def test_a_full_disk_costs_nothing_that_was_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: int) -> None:
    left, true = iter(range(write)), Writer.write

    def full(self: Writer, table: object) -> None:
        if next(left, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        true(self, table)

    model = counters(4, 6)
    with monkeypatch.context() as patched:
        patched.setattr(Writer, "write", full)
        ended = check(model, options(tmp_path), here)
    assert ended.report.results[0].verdict is Verdict.UNKNOWN
    assert "the run folder cannot be written" in str(ended.reason)
    assert "No space left on device" in str(ended.reason)
    resumed = check(model, options(tmp_path, resume=True), here)
    assert resumed.counts.distinct == 6**4
    assert resumed.counts.transitions == 4 * 6**4


@pytest.mark.parametrize("kind", ["states/*/*", "inbox/*"])
@pytest.mark.parametrize("left", [None, 0, 100])
def test_files_that_are_damaged_decide_nothing(tmp_path: Path, kind: str, left: int | None) -> None:
    model = counters(4, 6)
    check(model, options(tmp_path, limits=Limits(states=400)), here)
    file = min(tmp_path.glob(f"run/{kind}"))
    if left is None:
        file.unlink()
    else:
        os.truncate(file, left)
    ended = check(model, options(tmp_path, resume=True), here)
    assert {result.verdict for result in ended.report.results} == {Verdict.UNKNOWN}
    assert "the run folder cannot be read: " in str(ended.reason)


class Killed(BaseException):
    """Nothing is done any more."""


@pytest.mark.parametrize("rounds", [0, 1, 3])
@pytest.mark.parametrize("when", ["save", "remove"])
def test_a_kill_between_two_rounds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str, rounds: int) -> None:
    """Before the manifest is there, or before what nobody needs any more is gone."""
    left, true = iter(range(rounds)), getattr(Folder, when)

    def killed(self: Folder, *given: Any) -> None:
        if next(left, None) is None:
            raise Killed
        true(self, *given)

    model = counters(4, 6)
    with monkeypatch.context() as patched:
        patched.setattr(Folder, when, killed)
        with pytest.raises(Killed):
            check(model, options(tmp_path), here)
    resumed = check(model, options(tmp_path, resume=True), here)
    assert resumed.reason is None
    assert (resumed.counts.distinct, resumed.counts.transitions) == (6**4, 4 * 6**4)


def test_what_was_broken_off_is_swept_away(tmp_path: Path) -> None:
    model = counters(4, 6)
    check(model, options(tmp_path, limits=Limits(states=400)), here)
    rubbish = [tmp_path / "run" / kind / uuid.uuid4().hex for kind in ("states/part=00000", "inbox", "values")]
    for file in rubbish:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"half of it")
    again = check(model, options(tmp_path, limits=Limits(states=600), resume=True), here)
    assert again.reason is not None
    assert not [file for file in rubbish if file.exists()]
    assert check(model, options(tmp_path, resume=True), here).counts.distinct == 6**4


@pytest.mark.parametrize("folder", ["nowhere://runs", "/dev/null/runs"])
def test_what_cannot_be_a_run_folder(folder: str) -> None:
    with pytest.raises(HomingError, match=rf"{folder}.*cannot be a run folder"):
        check(counters(2, 3), Options(distribution=Distribution(folder=folder)), here)


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(HomingError, match=r"holds other files and no homing\.json; a run would remove them"):
        check(counters(2, 3), Options(distribution=Distribution(folder=str(tmp_path))), here)
    assert (tmp_path / "letter").read_text() == "dear"


def test_a_partition_that_has_far_more_than_its_share_is_split(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Lanes(Here):
        lanes = 3

    monkeypatch.setattr(Cells, "divided", lambda self, number: replace(self, parts=(1, 2) + (0,) * 254))
    monkeypatch.setattr(exploring, "SMALL", 50)
    monkeypatch.setattr(exploring, "FIRST_SECONDS", 0.0)
    model, distribution = counters(5, 6), Distribution(folder=str(tmp_path / "run"))
    found = check(model, Options(distribution=distribution), lambda prepared: Lanes(prepared.job.folder))
    assert found.counts.distinct == 6**5
    measured = found.report.engine
    assert measured["splits"] > 0
    assert max(measured["states_by_partition"]) < 6**5 / 2


@pytest.mark.parametrize("by", [(), ("c0",)])
def test_a_model_that_fails_says_where(tmp_path: Path, by: tuple[str, ...]) -> None:
    """Also where walks that only look for good partitions come to the failure first."""
    b = Builder("fails")
    slots = [b.slot(f"c{n}", 0) for n in range(2)]
    for slot in slots:

        @b.group(f"count {slot}", [slot], [slot])
        def count(value: int, slot: int = slot) -> Iterator[Step]:
            if value == 3:
                raise HomingError("three is too much")
            yield step("count", {slot: value + 1})

    distribution = Distribution(partitions=2, folder=str(tmp_path / "run"), by=by)
    ended = check(b.model(), Options(distribution=distribution), here)
    assert "three is too much" in str(ended.report.error)
    assert ended.report.error_trace is not None
    assert len(ended.report.error_trace) == 3
    assert ended.report.checkpoint is None  # the model has to be changed, and is another one then
    ended.done()
    assert not (tmp_path / "run").exists()


def constrained(fails: int, violated: int | None) -> Model:
    """Two counters with a constraint that has no value from one sum on, and an invariant that is violated at another.

    Without the invariant, deadlock is asked about.
    """
    b = Builder("constrained")
    slots = [b.slot(f"c{n}", 0) for n in range(2)]
    for slot in slots:

        @b.group(f"count {slot}", [slot], [slot])
        def count(value: int, slot: int = slot) -> Iterator[Step]:
            yield step("count", {slot: min(value + 1, 4)})

    @partial(b.label, "small", slots)
    def small(one: int, other: int) -> bool:
        if one + other >= fails:
            raise HomingError("no value")
        return one < 3

    if violated is not None:
        b.always("below", slots, lambda one, other: one + other < violated)
    return b.model(Constrained(b.system(), ("small",)))


@pytest.mark.parametrize("violated", [None, 0, 1, 2, 3])
@pytest.mark.parametrize("fails", [0, 1, 2, 5])
def test_a_constraint_without_a_value(tmp_path: Path, fails: int, violated: int | None) -> None:
    """It is asked in all states of a depth before one of them is expanded, or ends the run by its violation."""
    model = constrained(fails, violated)
    found, expected = check(model, options(tmp_path), here), check_locally(model, Options(threads=1))
    assert str(found.report.error) == str(expected.report.error)
    assert (found.report.error is not None) == (violated is None or fails <= violated)
    if expected.report.error is None:
        assert replace(found.counts, evaluations=0) == replace(expected.counts, evaluations=0)
        assert [one.verdict for one in found.report.results] == [Verdict.VIOLATED]


def test_progress_tells_rounds_crossing_and_skew(tmp_path: Path) -> None:
    shown: list[Progress] = []
    found = check(counters(4, 6), options(tmp_path, show=shown.append), here)
    assert "round 1, 1 of 4 partitions, " in shown[0].detail
    assert "skew" in [progress.detail for progress in shown if progress.detail][-1]
    measured = found.report.engine
    assert measured["engine"] == "spark"
    assert measured["partitioned_by"] == ["c0"]
    assert sum(measured["states_by_partition"]) == 6**4
    assert 0 < measured["crossing_ratio"] < 1
    json.dumps(measured)


def test_slots_to_partition_by() -> None:
    with pytest.raises(HomingError, match=r"unknown slot 'nobody' to partition by.*c0"):
        check(counters(2, 3), Options(distribution=Distribution(by=("nobody",))), here)
    with pytest.raises(HomingError, match="partitions are too many"):
        check(counters(2, 3), Options(distribution=Distribution(partitions=1 << 20)), here)


@pytest.mark.slow
def test_a_killed_driver_goes_on_from_its_last_round(tmp_path: Path) -> None:
    shutil.copy(COUNTERS, tmp_path)
    command = [sys.executable, "-m", "homing", "check", "--engine", "spark", "--python", "-q"]
    command += [COUNTERS.name, "--partitions", "8", "--run-folder", "runs", "--json", "out.json"]
    # All that is asked takes six seconds, and a round ends after one.
    slow, quick = (os.environ | {"COUNTERS_PAUSE": pause} for pause in ("0.2", "0.001"))
    quiet = subprocess.DEVNULL
    first = subprocess.Popen(command, cwd=tmp_path, env=slow, stdout=quiet, stderr=quiet)
    try:
        until = time.monotonic() + 180
        while rounds(tmp_path) < 3:
            assert time.monotonic() < until
            assert first.poll() is None, "it was over before it was killed"
            time.sleep(0.05)
    finally:
        os.kill(first.pid, signal.SIGKILL)
        first.wait()
    assert not (tmp_path / "out.json").exists()
    again = [*command, "--resume"]
    subprocess.run(again, cwd=tmp_path, env=quick, check=True, capture_output=True, timeout=240)
    results = json.loads((tmp_path / "out.json").read_text())["results"]
    assert {result["verdict"] for result in results} == {"HOLDS"}
    assert results[0]["distinct"] == 6**5
    assert results[0]["generated"] == 5 * 6**5 + 1
    assert results[0]["depth"] == 5 * 5 + 1


def rounds(folder: Path) -> int:
    found = list(folder.glob("runs/*/run.json"))
    return json.loads(found[0].read_text())["document"]["totals"]["rounds"] if found else 0
