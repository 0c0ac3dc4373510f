"""The folder of one network's results: begun, continued, finished."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from homing.core.errors import HomingError, Place
from homing.overlay import condensing, results
from homing.overlay.chunks import NOTE, Job, Summary, compiled, document, fingerprint, noted
from homing.overlay.pipeline import clear
from homing.overlay.switching import MicroLoops
from homing.overlay.tables import Sizes
from homing.overlay.trees import NO_BROKER
from homing.storage import seal
from homing.storage.damage import Damaged
from homing.storage.tree import Tree

DONE = "done.json"


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
    silent_topics: int = 0  # without publisher or subscriber


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Says in one sentence where results cannot be kept."""
    try:
        yield
    except Damaged as error:
        raise HomingError(f"{error}: the same command computes it again", Place(str(path))) from None
    except OSError as error:
        raise HomingError(f"cannot write here: {error.strerror or error}", Place(str(path))) from error


def begin(job: Job) -> None:
    """Keeps what an earlier run of the same job left, and removes what another left."""
    folder = Path(job.out)
    with writing(folder):
        tree = Tree(folder)
        tree.make()
        if noted(job) != fingerprint(job):
            clear(folder)
            note = {"fingerprint": fingerprint(job), "failures": job.failures}
            tree.replace(NOTE, seal.sealed(NOTE, note))


def finished(job: Job) -> Totals | None:
    """The totals, if this very job was finished before."""
    with writing(Path(job.out)):
        if not Path(job.out).is_dir() or noted(job) != fingerprint(job):
            return None
        found = document(job, DONE)
        if not isinstance(found, dict) or found.get("fingerprint") != fingerprint(job):
            return None
        return Totals(**found["totals"])


def finish(job: Job, summaries: list[Summary], micro: MicroLoops | None = None) -> Totals:
    """Adds up the chunks, writes the condensed tables, and marks the network as done."""
    with writing(Path(job.out)):
        return _finish(job, summaries, micro)


def _finish(job: Job, summaries: list[Summary], micro: MicroLoops | None) -> Totals:
    import pyarrow as pa

    found, router = compiled(job)
    state, tree = router.state, Tree(job.out)
    files = {name: mark for summary in summaries for name, mark in summary.files.items()}
    if job.details and (job.edits or condensing.fits(state, found)):
        condensed = condensing.listed_rows(state, found, results.read(tree, files, "routes", results.ROUTES))
    else:
        parts = results.read(tree, files, "super_parts", condensing.PARTS)
        condensed = condensing.super_rows(state, found, condensing.sum_parts(parts))
    results.write(condensed, tree, "super_routes/all.parquet")
    if micro is not None:
        columns = list(zip(*micro.found)) or [(), (), ()]
        arrays = [pa.array(column, field.type) for column, field in zip(columns, results.TRANSITIONS)]
        results.write(pa.table(arrays, schema=results.TRANSITIONS), tree, "transitions/all.parquet")
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
        silent_topics=sum(topic.is_silent for topic in state.network.topics),
    )
    tree.replace(DONE, seal.sealed(DONE, {"fingerprint": fingerprint(job), "totals": asdict(totals)}))
    return totals


def _add(summaries: list[Summary], field: str) -> dict[str, int]:
    total: dict[str, int] = {}
    for summary in summaries:
        counts: dict[str, Any] = getattr(summary, field)
        for name, count in counts.items():
            total[name] = total.get(name, 0) + count
    return total
