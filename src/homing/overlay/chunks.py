"""A chunk of colours of one network, from the kernel to Parquet: the same function with and without Spark."""

from __future__ import annotations

import json
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from homing.overlay.colours import NORMAL, Failure, Scenarios, scenarios
from homing.overlay.edits import Edits
from homing.overlay.graph import I64
from homing.overlay.network import Network, from_json
from homing.overlay.readers import load
from homing.overlay.routing import Changes, Router, Tallies
from homing.overlay.tables import select
from homing.overlay.trees import State, prepare

if TYPE_CHECKING:
    import pyarrow as pa

# Networks that a worker keeps compiled; sweeps come back to a network chunk after chunk.
KEPT = 8
# A chunk should be worth its task, and lose little when a worker dies.
CHUNK_SECONDS = 1.5
ENTRY_SECONDS = 1.2e-7
SCENARIO_SECONDS = 6e-6
MOST_COLOURS = 50_000
# Chunks of another cut would stand beside these and be counted twice.
CUTTING = (CHUNK_SECONDS, ENTRY_SECONDS, SCENARIO_SECONDS, MOST_COLOURS)


@dataclass(frozen=True)
class Job:
    """One network and what is asked about it, as it travels to workers."""

    key: str
    network: str  # JSON
    failures: str
    own: tuple[Failure, ...] = ()
    edits: Edits | None = None
    details: bool = True  # routes and deliveries, not only verdicts
    out: str = ""  # folder of the results; every worker must see it

    def scenarios(self, network: Network | None = None) -> Scenarios:
        return scenarios(network or from_json(self.network), self.failures, self.own)


@dataclass(frozen=True)
class Summary:
    """What a chunk came to; `counts` are sums over its colours, `bad` counts colours."""

    key: str
    first: int
    last: int
    sums: dict[str, int]
    bad: dict[str, int]
    kernel_seconds: float
    write_seconds: float
    prepare_seconds: float = 0.0  # loading the compiled kernels, and the normal state
    error: str = ""

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @staticmethod
    def from_json(text: str) -> Summary:
        return Summary(**json.loads(text))


_kept: OrderedDict[tuple[str, str, tuple[Failure, ...]], tuple[Scenarios, Router]] = OrderedDict()


def compiled(job: Job) -> tuple[Scenarios, Router]:
    """Scenarios and router of a job; kept, since preparing costs as much as many scenarios."""
    key = (job.network, job.failures, job.own)
    if key not in _kept:
        found = job.scenarios()
        _kept[key] = (found, Router(prepare(found.network), all_destinations=True))
        if len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


@cache
def warm() -> None:
    """Loads the compiled kernels once a process, so that no chunk's time contains it."""
    network = load("random:3:3")
    state = prepare(network)
    found = scenarios(network, "links")
    for words in (True, False):
        router = Router(state, words=words)
        router.counts(found, NORMAL, len(found), Tallies.empty(state))


def cut_into_chunks(state: State, found: Scenarios, details: bool) -> list[tuple[int, int]]:
    """Ranges of colours of about equal work, by the entries that a failure is expected to touch."""
    touched = state.size**2 * state.mean_hops / max(state.graph.links, 1)
    size = max(len(found.failure(len(found))), 1)
    each = SCENARIO_SECONDS + touched * size * ENTRY_SECONDS * (3 if details else 1)
    colours = int(min(max(CHUNK_SECONDS / each, 1), MOST_COLOURS))
    return [(first, min(first + colours - 1, len(found))) for first in range(NORMAL, len(found) + 1, colours)]


def marker(job: Job, first: int) -> Path:
    """The file that says a chunk is done; written last."""
    return Path(job.out) / "chunks" / f"{first:010d}.json"


def run_chunk(job: Job, first: int, last: int) -> Summary:
    """Computes, verifies and writes the colours first to last."""
    from homing.overlay.verification import COUNTS, apply_edits, from_kernel

    begun = time.perf_counter()
    warm()
    found, router = compiled(job)
    state = router.state
    tallies = Tallies.empty(state)
    started = time.perf_counter()
    writing = 0.0
    if job.details and job.out:
        parts: list[I64] = []
        tables: dict[str, list[pa.Table]] = {"routes": [], "deliveries": []}
        for _, counts, changes in router.changes(found, first, last, tallies):
            parts.append(counts)
            at = time.perf_counter()
            _collect(state, changes, tables)
            writing += time.perf_counter() - at
        kernel = np.concatenate(parts)
    else:
        tables = {}
        kernel = router.counts(found, first, last, tallies)
    counts = from_kernel(state, kernel)
    if job.edits:
        apply_edits(state, found, job.edits, counts, first)
    computed = time.perf_counter()
    if job.out:
        _write(job, found, state, first, last, counts, tallies, tables)
    wrote = time.perf_counter()
    sums = {name: int(counts[:, at].sum()) for at, name in enumerate(COUNTS)}
    bad = {name: int((counts[:, at] > 0).sum()) for at, name in enumerate(COUNTS)}
    seconds = (computed - started - writing, wrote - computed + writing, started - begun)
    summary = Summary(job.key, first, last, sums, bad, *seconds)
    if job.out:
        _mark(marker(job, first), summary)
    return summary


def _mark(path: Path, summary: Summary) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(f".{time.monotonic_ns()}")
    partial.write_text(summary.to_json())
    partial.replace(path)


def _collect(state: State, changes: Changes, tables: dict[str, list[Any]]) -> None:
    from homing.overlay import results

    cell = changes.destination.astype(np.int64) * state.size + changes.source
    moved = select(changes, state.hops[cell] != changes.hop)
    tables["routes"].append(results.route_rows(state.network, moved))
    wanted = select(changes, state.wanted[cell] == 1)
    tables["deliveries"].append(results.delivery_rows(state, wanted, results.outcomes(state, wanted)))


def _write(
    job: Job,
    found: Scenarios,
    state: State,
    first: int,
    last: int,
    counts: I64,
    tallies: Tallies,
    tables: dict[str, Any],
) -> None:
    import pyarrow as pa

    from homing.overlay import results
    from homing.overlay.condensing import partial_rows
    from homing.overlay.verification import COUNTS

    name = f"{first:010d}.parquet"
    out = Path(job.out)
    if first == NORMAL and tables:
        normal = results.normal_changes(state)
        cell = normal.destination.astype(np.int64) * state.size + normal.source
        tables["routes"].insert(0, results.route_rows(state.network, normal))
        wanted = select(normal, state.wanted[cell] == 1)
        tables["deliveries"].insert(0, results.delivery_rows(state, wanted, results.outcomes(state, wanted)))
    if job.edits:
        from homing.overlay.editing import edited_rows

        edited_rows(job.edits, found, state, first, last, tables)
    for kind, parts in tables.items():
        results.write(pa.concat_tables(parts), out / kind / name)
    results.write(results.scenario_rows(found, first, last), out / "scenarios" / name)
    results.write(results.verdict_rows(first, counts, COUNTS), out / "verdicts" / name)
    results.write(partial_rows(state, tallies), out / "super_parts" / name)
