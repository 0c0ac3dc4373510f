"""The folder of one network's results: begun, continued, finished."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from homing.core.errors import HomingError, Place
from homing.overlay import condensing, results
from homing.overlay.chunks import CUTTING, Job, Summary, compiled
from homing.overlay.pipeline import clear
from homing.overlay.switching import MicroLoops
from homing.overlay.tables import Sizes
from homing.overlay.trees import NO_BROKER

VERSION = 2  # of the layout; results of another version are computed again


@dataclass(frozen=True)
class Totals:
    """A finished network in numbers."""

    name: str
    brokers: int
    links: int
    pairs: int
    colours: int
    sums: dict[str, int]
    bad: dict[str, int]
    sizes: dict[str, int]
    kernel_seconds: float
    write_seconds: float


def fingerprint(job: Job) -> str:
    """Changes with anything that changes the results."""
    edits = sorted((key, hop) for key, hop in job.edits.hops.items()) if job.edits else []
    text = json.dumps([VERSION, CUTTING, job.network, job.failures, job.own, edits, job.details])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Says in one sentence where results cannot be kept."""
    try:
        yield
    except OSError as error:
        raise HomingError(f"cannot write here: {error.strerror or error}", Place(str(path))) from error


def begin(job: Job) -> None:
    """Keeps what an earlier run of the same job left, and removes what another left."""
    folder = Path(job.out)
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        if _noted(job) != fingerprint(job):
            clear(folder)
            note = json.dumps({"fingerprint": fingerprint(job), "failures": job.failures})
            (folder / "job.json").write_text(note)


def _noted(job: Job) -> str | None:
    """The fingerprint of the job that the folder belongs to; none if it is new, or was killed while noting it."""
    try:
        note = json.loads((Path(job.out) / "job.json").read_text())
    except (FileNotFoundError, ValueError):
        return None
    return str(note.get("fingerprint")) if isinstance(note, dict) else None


def finished(job: Job) -> Totals | None:
    """The totals, if this very job was finished before."""
    done = Path(job.out) / "done.json"
    with writing(Path(job.out)):
        if not done.exists() or _noted(job) != fingerprint(job):
            return None
        return Totals(**json.loads(done.read_text()))


def finish(job: Job, summaries: list[Summary], micro: MicroLoops | None = None) -> Totals:
    """Adds up the chunks, writes the condensed tables, and marks the network as done."""
    with writing(Path(job.out)):
        return _finish(job, summaries, micro)


def _finish(job: Job, summaries: list[Summary], micro: MicroLoops | None) -> Totals:
    import pyarrow as pa

    found, router = compiled(job)
    state, folder = router.state, Path(job.out)
    if job.details and (job.edits or condensing.fits(state, found)):
        condensed = condensing.listed_rows(state, found, folder / "routes")
    else:
        condensed = condensing.super_rows(state, found, condensing.sum_parts(folder / "super_parts"))
    results.write(condensed, folder / "super_routes" / "all.parquet")
    if micro is not None:
        columns = list(zip(*micro.found)) or [(), (), ()]
        arrays = [pa.array(column, field.type) for column, field in zip(columns, results.TRANSITIONS)]
        results.write(pa.table(arrays, schema=results.TRANSITIONS), folder / "transitions" / "all.parquet")
    sums, bad = _add(summaries, "sums"), _add(summaries, "bad")
    n, colours = state.size, len(found)
    normal = int(np.count_nonzero(state.hops != NO_BROKER))
    sizes = Sizes(colours * n * (n - 1), len(condensed), colours * n * n, normal, sums.get("changed", 0))
    totals = Totals(
        name=state.network.name,
        brokers=n,
        links=len(state.network.links),
        pairs=int(state.wanted.sum()),
        colours=colours,
        sums=sums,
        bad=bad,
        sizes=asdict(sizes),
        kernel_seconds=sum(summary.kernel_seconds for summary in summaries),
        write_seconds=sum(summary.write_seconds for summary in summaries),
    )
    partial = folder / ".done.json"
    partial.write_text(json.dumps(asdict(totals)))
    partial.replace(folder / "done.json")
    return totals


def _add(summaries: list[Summary], field: str) -> dict[str, int]:
    total: dict[str, int] = {}
    for summary in summaries:
        counts: dict[str, Any] = getattr(summary, field)
        for name, count in counts.items():
            total[name] = total.get(name, 0) + count
    return total
