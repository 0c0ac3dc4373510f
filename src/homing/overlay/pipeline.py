"""Chunks of many networks, run on Spark or in this process; results on disk say what is done."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from homing.core.errors import HomingError
from homing.overlay.chunks import Job, Summary, cut_into_chunks, finished, marker, run_chunk
from homing.overlay.network import from_json
from homing.overlay.trees import prepare

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import SparkSession

POLL_SECONDS = 0.5
KEY, FIRST, LAST, SUMMARY = "key", "first", "last", "summary"
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Piece:
    """A range of colours of one job."""

    job: Job
    first: int
    last: int

    @property
    def colours(self) -> int:
        return self.last - self.first + 1

    def finished(self) -> Summary | None:
        """What an earlier run left, if it got this far."""
        return finished(self.job, self.first, self.last) if self.job.out else None


@dataclass(frozen=True)
class Run:
    """Summaries of all pieces, and where the time went."""

    summaries: tuple[Summary, ...]
    wall_seconds: float
    resumed: int = 0
    spark_start_seconds: float = 0.0
    workers: int = 1
    errors: dict[str, str] = field(default_factory=dict)

    @property
    def kernel_seconds(self) -> float:
        return sum(summary.kernel_seconds for summary in self.summaries)

    @property
    def write_seconds(self) -> float:
        return sum(summary.write_seconds for summary in self.summaries)

    @property
    def prepare_seconds(self) -> float:
        return sum(summary.prepare_seconds for summary in self.summaries)

    @property
    def overhead_seconds(self) -> float:
        """Worker time that was none of ours: scheduling, transport, idling at the end."""
        ours = self.kernel_seconds + self.write_seconds + self.prepare_seconds
        return max(self.wall_seconds * self.workers - ours, 0.0)


def pieces(job: Job) -> list[Piece]:
    """A job cut into chunks; always in the same way, so that a later run finds what is done."""
    network = from_json(job.network)
    state = prepare(network)
    return [Piece(job, first, last) for first, last in cut_into_chunks(state, job.scenarios(network), job.details)]


def run_here(todo: Sequence[Piece], progress: Progress | None = None) -> Run:
    """All pieces in this process."""
    started = time.monotonic()
    done, missing = _divide(todo)
    total, finished = sum(piece.colours for piece in todo), sum(piece.last - piece.first + 1 for piece in done)
    summaries = list(done)
    for piece in missing:
        summaries.append(run_safely(piece.job, piece.first, piece.last))
        finished += piece.colours
        if progress:
            progress(finished, total)
    return _run(summaries, time.monotonic() - started, len(done))


def run_on_spark(spark: SparkSession, todo: Sequence[Piece], progress: Progress | None = None) -> Run:
    """All pieces as tasks of one Spark job; a task that is lost is run again by Spark, and changes nothing."""
    started = time.monotonic()
    done, missing = _divide(todo)
    summaries = list(done)
    context = spark.sparkContext
    if missing:
        jobs = context.broadcast({piece.job.key: piece.job for piece in missing})
        rows = [(piece.job.key, piece.first, piece.last) for piece in missing]
        # One piece a task: what is lost with a worker is small, and progress is seen piece by piece.
        frame = spark.createDataFrame(context.parallelize(rows, len(rows)), f"{KEY} string, {FIRST} long, {LAST} long")
        with _Watched(todo, progress), _said():
            found = frame.mapInArrow(lambda batches: run_batches(jobs.value, batches), f"{SUMMARY} string").collect()
        summaries += [Summary.from_json(row[SUMMARY]) for row in found]
        jobs.unpersist()
    return _run(summaries, time.monotonic() - started, len(done), context.defaultParallelism)


@contextmanager
def _said() -> Iterator[None]:
    """What Spark ends with, in a sentence; it has a page of Java for each."""
    from py4j.protocol import Py4JJavaError  # type: ignore[import-untyped]
    from pyspark.errors import PythonException

    from homing.core.stop import Stopped
    from homing.engines.spark.rounds import complained

    try:
        with complained():
            yield
    except Stopped as stopped:
        raise HomingError(f"{stopped}; what is finished is kept, and the same command goes on") from None
    except (Py4JJavaError, PythonException) as error:
        lines = [line.strip() for line in str(error).splitlines() if "Error" in line or "Exception" in line]
        raise HomingError(f"Spark ended the job: {lines[-1] if lines else type(error).__name__}") from None


def run_batches(jobs: dict[str, Job], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What a Spark task does."""
    import pyarrow as pa

    for batch in batches:
        summaries = [run_safely(jobs[row[KEY]], row[FIRST], row[LAST]).to_json() for row in batch.to_pylist()]
        yield pa.RecordBatch.from_arrays([pa.array(summaries, pa.string())], [SUMMARY])


def run_safely(job: Job, first: int, last: int) -> Summary:
    """A network that fails must not take the others of a sweep with it."""
    try:
        return run_chunk(job, first, last)
    except HomingError as error:
        return Summary(job.key, first, last, {}, {}, 0.0, 0.0, error=str(error))
    except Exception as error:
        said = f"colours {first} to {last}: {type(error).__name__}: {error}"
        return Summary(job.key, first, last, {}, {}, 0.0, 0.0, error=said)


def _divide(todo: Sequence[Piece]) -> tuple[list[Summary], list[Piece]]:
    done, missing = [], []
    for piece in todo:
        finished = piece.finished()
        if finished:
            done.append(finished)
        else:
            missing.append(piece)
    return done, missing


def _run(summaries: list[Summary], seconds: float, resumed: int, workers: int = 1) -> Run:
    errors = {summary.key: summary.error for summary in summaries if summary.error}
    return Run(tuple(summaries), seconds, resumed, workers=workers, errors=errors)


class _Watched:
    """Shows progress from the files that finished pieces leave, while Spark blocks the caller."""

    def __init__(self, todo: Sequence[Piece], progress: Progress | None) -> None:
        self._left = [piece for piece in todo if piece.job.out]
        self._total = sum(piece.colours for piece in todo)
        self._progress = progress
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._done = 0

    def __enter__(self) -> None:
        if self._progress:
            self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        if self._progress:
            self._thread.join()
            self._look()

    def _watch(self) -> None:
        while not self._stop.wait(POLL_SECONDS):
            self._look()

    def _look(self) -> None:
        left = []
        for piece in self._left:
            if Path(piece.job.out, marker(piece.first)).exists():
                self._done += piece.colours
            else:
                left.append(piece)
        self._left = left
        if self._progress:
            self._progress(self._done, self._total)


def clear(folder: Path) -> None:
    """Removes the results of a network, and nothing else that may be in its folder."""
    from homing.overlay.results import TABLES

    for name in (*TABLES, "super_parts", "chunks"):
        shutil.rmtree(folder / name, ignore_errors=True)
    for name in ("done.json", "job.json"):
        (folder / name).unlink(missing_ok=True)
