"""Many networks in one Spark job: what is finished stays finished, and a bad network does not stop the others."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from homing.core.errors import HomingError
from homing.core.verdict import Verdict
from homing.overlay import pipeline, store
from homing.overlay.chunks import Job, Summary
from homing.overlay.readers import load
from homing.overlay.verification import COLUMN

BAD_INPUT = 3


@dataclass(frozen=True)
class Swept:
    """One network of a sweep: its totals, or why there are none."""

    source: str
    totals: store.Totals | None = None
    error: str = ""
    resumed: bool = False
    bad_input: bool = False

    def verdict(self, tolerate: frozenset[str]) -> Verdict:
        if self.totals is None or not self.totals.pairs or self.totals.sums.get("errors"):
            return Verdict.UNKNOWN
        if any(self.totals.bad.get(column) for name, column in COLUMN.items() if name not in tolerate):
            return Verdict.VIOLATED
        return Verdict.UNKNOWN if self.totals.silent_topics and "topics" not in tolerate else Verdict.HOLDS


@dataclass(frozen=True)
class Sweep:
    """All networks, and where the time went."""

    networks: tuple[Swept, ...]
    run: pipeline.Run
    seconds: float

    def exit_code(self, tolerate: frozenset[str]) -> int:
        """Bad input wins, since it means that a part of the question has no answer."""
        if any(network.bad_input for network in self.networks):
            return BAD_INPUT
        return max((network.verdict(tolerate) for network in self.networks), default=Verdict.UNKNOWN).exit_code


def sweep(
    sources: Sequence[str],
    out: Path,
    *,
    failures: str = "links:1-2",
    details: bool = False,
    master: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    told: Callable[[Swept], None] | None = None,
) -> Sweep:
    """Runs all networks; results of each stand in its own folder of `out`."""
    started = time.monotonic()
    found = [_prepare(source, out, failures, details) for source in sources]
    settled = [swept for swept in found if isinstance(swept, Swept)]
    jobs = [(source, job) for source, job in zip(sources, found) if isinstance(job, Job)]
    for swept in settled:
        if told:
            told(swept)
    run = pipeline.Run((), 0.0)
    if jobs:
        run = _run([job for _, job in jobs], master, progress)
    for source, job in jobs:
        swept = _finish(source, job, run)
        settled.append(swept)
        if told:
            told(swept)
    order = {source: at for at, source in enumerate(sources)}
    settled.sort(key=lambda swept: order[swept.source])
    return Sweep(tuple(settled), run, time.monotonic() - started)


def _prepare(source: str, out: Path, failures: str, details: bool) -> Job | Swept:
    """A job to run, or a network that is finished or cannot be read."""
    try:
        network = load(source)
        folder = out / slug(source)
        job = Job(source, network.to_json(), failures, details=details, out=str(folder.absolute()))
        job.scenarios(network)
    except HomingError as error:
        return Swept(source, error=str(error), bad_input=True)
    totals = store.finished(job)
    if totals is not None:
        return Swept(source, totals, resumed=True)
    store.begin(job)
    return job


def _run(jobs: list[Job], master: str | None, progress: Callable[[int, int], None] | None) -> pipeline.Run:
    from homing import spark as plumbing

    todo = [piece for job in jobs for piece in pipeline.pieces(job)]
    # The largest pieces first: at the end no core waits for one that was begun late.
    todo.sort(key=lambda piece: -piece.colours * len(piece.job.network))
    if all(piece.finished() for piece in todo):
        return pipeline.run_here(todo)  # only the last step was missing
    at = time.monotonic()
    with plumbing.running(master) as spark:
        start = time.monotonic() - at
        return replace(pipeline.run_on_spark(spark, todo, progress), spark_start_seconds=start)


def _finish(source: str, job: Job, run: pipeline.Run) -> Swept:
    summaries: list[Summary] = [summary for summary in run.summaries if summary.key == job.key]
    if job.key in run.errors:
        return Swept(source, error=run.errors[job.key])
    return Swept(source, store.finish(job, summaries))


def slug(source: str) -> str:
    """A folder's name for a network; different networks get different ones."""
    import hashlib

    words = re.sub(r"[^A-Za-z0-9]+", "-", source).strip("-")[-60:]
    return f"{words}-{hashlib.sha256(source.encode()).hexdigest()[:6]}"
