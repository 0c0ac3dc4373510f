"""Runs and the folders that Homing manages: links, a second run, larger checkpoints, folders that are not shared."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.command_line import runner
from tests.scale import scaled
from tests.storage.scenes import SCENES, Killed, Local, Scene, Spread, counters, decided, here

from homing.core.errors import HomingError
from homing.core.result import Limits, Options, Progress
from homing.engines.local import checkpoint
from homing.engines.local.engine import check as check_locally
from homing.engines.spark.engine import Check
from homing.engines.spark.engine import check as check_on_spark
from homing.engines.spark.rounds import OnSpark
from homing.overlay import pipeline, store
from homing.overlay.chunks import Job
from homing.overlay.readers import load
from homing.storage.tree import Tree


def told_by(notes: list[str]) -> Any:
    def show(progress: Progress) -> None:
        if progress.note:
            notes.append(progress.note)

    return show


# A larger checkpoint


def saved(path: Path) -> int:
    found = checkpoint.kept(path)
    assert found is not None
    return found.states


def test_a_larger_checkpoint_is_kept_until_someone_asks(tmp_path: Path) -> None:
    path, notes = tmp_path / "run.checkpoint", list[str]()
    small = Options(threads=1, checkpoint=path, limits=Limits(states=20), show=told_by(notes))
    check_locally(counters(), replace(small, limits=Limits(states=90)))
    large = saved(path)
    report = check_locally(counters(), small).report
    assert saved(path) == large
    assert report.checkpoint == str(path)
    (note,) = notes
    assert note.startswith(f"the checkpoint with {large} states is kept, since this run has ")
    assert note.endswith("so far: --resume goes on from it, --restart replaces it")
    check_locally(counters(), replace(small, restart=True))
    assert saved(path) < large
    check_locally(counters(4, 3), small)  # of another model, whose run could not go on from it
    check_locally(counters(4, 3), replace(small, limits=Limits(states=90)))
    assert saved(path) >= 90


def test_a_run_in_partitions_is_not_removed_unasked(tmp_path: Path) -> None:
    scene = Spread()
    scene.stop(tmp_path / "run", early=False)
    options = scene._options(tmp_path / "run")
    with pytest.raises(HomingError, match=r"holds a run of this model with \d+ states: --resume goes on"):
        check_on_spark(counters(), options, here)
    assert scene.resume(tmp_path / "run") == (scene.right(), [])


def test_one_goes_on_or_begins_anew(capsys: pytest.CaptureFixture[str]) -> None:
    found = runner(capsys)("check", "--resume", "--restart", "x.csp")
    assert found.code == 3
    assert "choose one" in found.err


# Two runs


def test_two_runs_do_not_share_a_folder(tmp_path: Path) -> None:
    scene = Spread()
    first = Check(counters(), scene._options(tmp_path / "run"), here)
    files = sorted(Tree(tmp_path / "run").names())
    with pytest.raises(HomingError, match=rf"is used by another run: process {os.getpid()} on "):
        check_on_spark(counters(), scene._options(tmp_path / "run", restart=True), here)
    assert sorted(Tree(tmp_path / "run").names()) == files
    found = first.run()
    assert decided(found.report.results, found.counts) == (scene.right(), [])


# Links


def test_resuming_removes_nothing_outside(tmp_path: Path) -> None:
    scene, treasure = Spread(), tmp_path / "treasure" / ("0" * 32)
    treasure.parent.mkdir()
    treasure.write_text("gold")
    scene.stop(tmp_path / "run", early=False)
    (tmp_path / "run" / "values").symlink_to(treasure.parent)
    (tmp_path / "run" / "inbox" / ("1" * 32)).symlink_to(treasure)
    assert scene.resume(tmp_path / "run") == (scene.right(), [])
    assert treasure.read_text() == "gold"
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["states", "inbox", "run.json", "homing.json", "lock.json", "."])
def test_nothing_is_written_through_a_link(tmp_path: Path, name: str) -> None:
    scene = Spread()
    scene.stop(tmp_path / "run", early=False)
    here_, there = tmp_path / "run" / name, tmp_path / "moved"
    if here_.exists():
        here_.rename(there)
    else:
        there.write_text("{}")
    here_.symlink_to(there)
    before = {file: file.read_bytes() for file in tmp_path.glob("moved/**/*") if file.is_file()}
    try:
        known, said = scene.resume(tmp_path / "run")
    except HomingError as error:
        known, said = {}, [str(error)]
    assert all("is a symbolic link, which is not followed" in sentence for sentence in said)
    assert said or known == scene.right()
    assert {file: file.read_bytes() for file in tmp_path.glob("moved/**/*") if file.is_file()} == before


def test_a_checkpoint_is_not_written_through_a_link(tmp_path: Path) -> None:
    treasure = tmp_path / "treasure"
    treasure.write_text("gold")
    folder = tmp_path / "saved"
    folder.mkdir()
    for name in ("run.checkpoint", "run.new", ".run.checkpoint"):
        (folder / name).symlink_to(treasure)
    Local().stop(folder, early=False)
    assert treasure.read_text() == "gold"
    assert Local().resume(folder) == (Local().right(), [])
    (folder / "run.checkpoint").symlink_to(treasure)
    with pytest.raises(HomingError, match="is a symbolic link, which is not followed"):
        Local().resume(folder)


def test_results_of_networks_are_not_written_through_a_link(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "verdicts").symlink_to(outside)
    job = Job("n", load("random:6:9:seed=3").to_json(), "links", out=str(tmp_path / "out"))
    store.begin(job)
    run = pipeline.run_here(pipeline.pieces(job))
    assert "is a symbolic link, which is not followed" in run.errors["n"]
    assert list(outside.iterdir()) == []


# Folders that are not shared


def test_workers_that_see_another_folder(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A path that leads elsewhere in each process, as on a machine that does not mount the folder."""
    spark.sparkContext.parallelize([1]).collect()  # workers begin where this process is now
    monkeypatch.chdir(tmp_path)
    scene = Spread()
    options = scene._options(Path("/proc/self/cwd/run"))
    runner = lambda prepared: OnSpark(spark.sparkContext, prepared.job.folder)  # noqa: E731
    with pytest.raises(
        HomingError, match=r"/proc/self/cwd/run: the run folder is not shared with the worker on .*"
    ) as e:
        check_on_spark(counters(), options, runner)
    assert "mounted on each machine under the same path, or an address such as s3://bucket/runs" in str(e.value)
    assert "\n" not in str(e.value)


def test_results_of_networks_that_workers_write_elsewhere(
    spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spark.sparkContext.parallelize([1]).collect()
    monkeypatch.chdir(tmp_path)
    job = Job("n", load("random:6:9:seed=3").to_json(), "links", out="/proc/self/cwd/out")
    store.begin(job)
    run = pipeline.run_on_spark(spark, pipeline.pieces(job))
    assert "the folder of the results is not shared with the worker on " in run.errors["n"]


# Killed again and again


@pytest.mark.parametrize("kind", ["local", "spark", "timed", "sweep"])
def test_killed_again_and_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    """At every write of a manifest, in turn; what is left goes on, and ends as if nothing had been."""
    scene, kills = Local(every=0.0) if kind == "local" else SCENES[kind], 0
    for allowed in range(scaled(40)):
        folder = tmp_path / str(allowed)
        folder.mkdir()
        kills += _killed(scene, folder, monkeypatch, allowed)
        assert scene.resume(folder) == (scene.right(), []), allowed
    assert kills > scaled(20) // 2


def _dying(writes: int) -> Any:
    left, true = iter(range(writes)), Tree.replacing

    def replacing(self: Tree, *given: Any, **named: Any) -> Any:
        if next(left, None) is None:
            raise Killed
        return true(self, *given, **named)

    return replacing


def _killed(scene: Scene, folder: Path, monkeypatch: pytest.MonkeyPatch, allowed: int) -> int:
    """Kills a run, and what goes on from it, three times, each time after some more writes."""
    kills = 0
    for again in range(3):
        with monkeypatch.context() as patched, suppress(Killed):
            patched.setattr(Tree, "replacing", _dying(1 + (allowed + again) // 3))
            kills += 1
            scene.resume(folder) if again else scene.stop(folder, early=False)
            kills -= 1
            return kills
    return kills
