"""What a limit leaves for partitions, and what happens where it was not enough."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import psutil
import pytest
from py4j.protocol import Py4JError, Py4JJavaError  # type: ignore[import-untyped]
from pyspark.errors import PythonException
from tests.engines.spark.counters import counters

from homing import spark
from homing.core.errors import HomingError
from homing.core.result import Distribution, Limits, Options
from homing.core.stop import Stopped
from homing.engines.local.tuning import Tuning
from homing.engines.spark import memory, preparing, work
from homing.engines.spark.batches import written
from homing.engines.spark.engine import Check
from homing.engines.spark.folder import Folder, files_of
from homing.engines.spark.preparing import Prepared
from homing.engines.spark.rounds import LOST, Here, Work, complained, on_spark

MB = 1 << 20


def limited(megabytes: float, master: str | None = "local[2]", **given: Any) -> Options:
    return Options(limits=Limits(memory_mb=megabytes), distribution=Distribution(master, **given))


def test_all_processes_together_keep_to_the_limit() -> None:
    share = memory.share(limited(8000))
    assert 2 * memory.SHARES * share + memory.JAVA + 3 * memory.PYTHON <= 8000 * MB
    assert memory.share(limited(8000, "local[8]")) < share < memory.share(limited(16000))
    assert memory.share(limited(100)) == memory.LEAST
    assert memory.too_little(limited(8000)) is None
    assert str(memory.too_little(limited(600))).startswith("600 MB of memory are less than the ")


def test_a_limit_that_cannot_be_kept_is_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    options = Options(
        limits=Limits(memory_mb=600),
        distribution=Distribution("local[2]", 2, str(tmp_path / "run"), small=0),
        show=lambda progress: told.append(progress.note),
    )
    monkeypatch.setattr(preparing, "on_spark", lambda master, folder, stopped: Here(folder))
    assert Check(counters(3, 3), options).run().counts.distinct == 27
    assert [note for note in told if note] == [memory.too_little(options)]


@pytest.mark.parametrize(("master", "lanes"), [("local[3]", 3), ("local[5,4]", 5), ("local[0]", 1)])
def test_lanes_of_a_master(master: str, lanes: int) -> None:
    assert memory.lanes_of(master) == lanes
    assert memory.lanes_of("local[*]") == memory.lanes_of("spark://host:7077") == memory.lanes_of(None)


def test_buffers_and_graphs_in_one_memory_are_smaller_too() -> None:
    assert memory.tuning(1 << 40) == memory.tuning(1 << 30)
    small = memory.tuning(50 * MB)
    assert (small.output, small.memo) == (50 * MB, 50 * MB)
    assert memory.tuning(1).output == memory.LEAST
    assert memory.most_edges(limited(1e6), 1 << 40) == Distribution.most_edges
    assert memory.most_edges(limited(1e6, most_edges=7), 1 << 40) == 7
    assert memory.most_edges(limited(2000), 50 * MB) * memory.EDGE_BYTES <= 2 * memory.SHARES * 50 * MB / 2


def test_a_process_that_takes_more_than_its_part_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    reason = memory.within(limited(1e6), lambda: "interrupted")
    assert reason() == "interrupted"
    monkeypatch.setattr(psutil.Process, "memory_info", lambda self: SimpleNamespace(rss=1 << 50))
    assert str(reason()).startswith("this process took more than ")


class Counting(Here):
    """Notes how many rows each round reads."""

    def __init__(self, prepared: Prepared) -> None:
        prepared.job = replace(prepared.job, memory=10_000, cache=10_000)
        super().__init__(prepared.job.folder)
        self.read: list[int] = []

    def run(self, work: Work, todo: Sequence[Any], partitions: int) -> tuple[list[Any], dict[int, str]]:
        names = [name for one in todo for name in one.files]
        self.read.append(sum(self.folder.read(name).num_rows for name in names))
        return super().run(work, todo, partitions)


def test_what_was_split_is_written_anew(tmp_path: Path) -> None:
    """So that nobody has to read, round by round, what is someone else's."""
    spread = Distribution(partitions=1, folder=str(tmp_path / "run"))
    mine = Check(counters(5, 5), Options(distribution=spread), Counting)
    found, rounds = mine.run(), mine.rounds
    assert isinstance(rounds, Counting)
    assert (found.counts.distinct, found.counts.transitions) == (5**5, 5 * 5**5)
    assert found.report.engine["splits"] > 8
    assert rounds.read[-1] <= 1.5 * 5**5  # a state is there again where it was open, or came nearer
    named = [name for part in mine.prepared.run.parts.values() for name in part.files]
    assert sorted(files_of(named)) == sorted(
        str(file.relative_to(spread.folder or "")) for file in tmp_path.rglob("*.parquet")
    )


def test_what_crosses_is_sent_before_it_takes_too_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = Mock(wraps=written)
    monkeypatch.setattr(work, "written", sent)
    monkeypatch.setattr(work, "LEAST_SENT", 1)
    monkeypatch.setattr(work, "tuning", lambda memory: Tuning(chunk=2, chunks=1))
    messages = []
    for bytes_a_row in (1, 1 << 60):
        monkeypatch.setattr(work, "SENT_SHARE", bytes_a_row)
        spread = Distribution(partitions=2, folder=str(tmp_path / f"run{bytes_a_row}"), by=("c0",))
        mine = Check(counters(3, 5), Options(distribution=spread), lambda prepared: Here(prepared.job.folder))
        sent.reset_mock()
        assert mine.run().counts.transitions == 3 * 5**3
        messages.append(sent.call_count)
    assert messages[1] > 2 * messages[0]


class Said(Py4JJavaError):  # type: ignore[misc]
    """What Java says is asked of Java."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text


@pytest.mark.parametrize("error", [*(Said(f"Job aborted: {sign}") for sign in LOST), Py4JError(), ConnectionError()])
def test_what_was_killed_ends_a_run_with_a_sentence(error: Exception) -> None:
    with pytest.raises(Stopped, match=r"was killed.*: where memory is short, a smaller --memory-limit"), complained():
        raise error


@pytest.mark.parametrize(
    "said", ["ModuleNotFoundError: No module named 'homing'", "[PYTHON_VERSION_MISMATCH] Python in worker has 3.9"]
)
def test_workers_without_homing_are_no_bug(said: str) -> None:
    text = f"Traceback (most recent call last):\n  File one\n{said}\n"
    with pytest.raises(HomingError, match=rf"in the Python of each: {re.escape(said)}$"), complained():
        raise PythonException(text)
    with pytest.raises(PythonException), complained():
        raise PythonException("AssertionError")


def test_what_is_wrong_stays_an_error() -> None:
    with pytest.raises(Said, match="ZeroDivisionError"), complained():
        raise Said("Job aborted: ZeroDivisionError")


@pytest.mark.parametrize(
    ("given", "submitted", "asked"),
    [
        ("local[2]", False, "local[2,4]"),
        ("local", False, "local[1,4]"),
        (None, False, "local[*,4]"),
        (None, True, None),
        ("local[2,1]", False, "local[2,1]"),
        ("spark://host:7077", False, "spark://host:7077"),
    ],
)
def test_tasks_are_tried_again_on_one_machine_too(
    monkeypatch: pytest.MonkeyPatch, given: str | None, submitted: bool, asked: str | None
) -> None:
    monkeypatch.setattr(spark, "submitted", lambda: submitted)
    monkeypatch.setattr(spark, "session", lambda master: SimpleNamespace(sparkContext=master))
    assert on_spark(given, Folder(""), lambda: None).context == asked
