"""A chunk of colours of one network, from the kernel to Parquet: the same function with and without Spark."""

from __future__ import annotations

import hashlib
import json
import socket
import time
from collections import OrderedDict
from dataclasses import asdict, dataclass, field
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from homing.core.errors import HomingError
from homing.core.errors import Place as Where
from homing.overlay.colours import NORMAL, Failure, Scenarios, scenarios
from homing.overlay.edits import Edits
from homing.overlay.graph import I64
from homing.overlay.network import Network, from_json
from homing.overlay.readers import load
from homing.overlay.routing import Changes, Router, Tallies
from homing.overlay.tables import select
from homing.overlay.trees import State, prepare
from homing.storage import seal
from homing.storage.damage import Damaged
from homing.storage.tree import Tree

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
NOTE = "job.json"
VERSION = 4  # of the layout; results of another version are computed again
SHARED = "all workers need the same files there: use a folder that is mounted on each machine under the same path"
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
    files: dict[str, str] = field(default_factory=dict)
    """What was written, with the checksum of each."""

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


def fingerprint(job: Job) -> str:
    """Changes with anything that changes the results."""
    edits = tuple(sorted((key, hop) for key, hop in job.edits.hops.items())) if job.edits else ()
    return _fingerprint(job.network, job.failures, job.own, edits, job.details)


@lru_cache(maxsize=KEPT)
def _fingerprint(*about: Any) -> str:
    return hashlib.sha256(json.dumps([VERSION, CUTTING, *about]).encode()).hexdigest()[:16]


def marker(first: int) -> str:
    """The file that says a chunk is done; written last."""
    return f"chunks/{first:010d}.json"


def noted(job: Job) -> str | None:
    """The fingerprint of the job that the folder belongs to; none if it is new, or cannot be read."""
    found = document(job, NOTE)
    return str(found.get("fingerprint")) if isinstance(found, dict) else None


def document(job: Job, name: str) -> Any:
    """A document in the folder of a job; None if it is not there, or damaged: then what it is about is done again."""
    try:
        with Tree(job.out).open(name) as file:
            return seal.unsealed(name, file.read())
    except (FileNotFoundError, Damaged):
        return None


def finished(job: Job, first: int, last: int) -> Summary | None:
    """What an earlier run left of a chunk, if it got this far and all of it is as it was written."""
    found = document(job, marker(first))
    if not isinstance(found, dict) or found.get("fingerprint") != fingerprint(job):
        return None
    try:
        summary = Summary(**found["summary"])
        results_check(Tree(job.out), summary.files)
    except (OSError, TypeError, ValueError, KeyError):
        return None
    return summary if (summary.first, summary.last) == (first, last) else None


def results_check(tree: Tree, files: dict[str, str]) -> None:
    from homing.overlay import results  # Arrow makes every start slower

    results.check(tree, files)


def check_shared(job: Job) -> None:
    """Raises HomingError where the folder of the results is another one, on a machine that does not share it."""
    if noted(job) != fingerprint(job):
        what = f"the folder of the results is not shared with the worker on {socket.gethostname()}; {SHARED}"
        raise HomingError(what, Where(job.out))


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
    files: dict[str, str] = {}
    if job.out:
        check_shared(job)
        files = _write(job, found, state, first, last, counts, tallies, tables)
    wrote = time.perf_counter()
    sums = {name: int(counts[:, at].sum()) for at, name in enumerate(COUNTS)}
    bad = {name: int((counts[:, at] > 0).sum()) for at, name in enumerate(COUNTS)}
    seconds = (computed - started - writing, wrote - computed + writing, started - begun)
    summary = Summary(job.key, first, last, sums, bad, *seconds, files=files)
    if job.out:
        name = marker(first)
        found_by = {"fingerprint": fingerprint(job), "summary": asdict(summary)}
        Tree(job.out).replace(name, seal.sealed(name, found_by))
    return summary


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
) -> dict[str, str]:
    import pyarrow as pa

    from homing.overlay import results
    from homing.overlay.condensing import partial_rows
    from homing.overlay.verification import COUNTS

    name, out = f"{first:010d}.parquet", Tree(job.out)
    if first == NORMAL and tables:
        normal = results.normal_changes(state)
        cell = normal.destination.astype(np.int64) * state.size + normal.source
        tables["routes"].insert(0, results.route_rows(state.network, normal))
        wanted = select(normal, state.wanted[cell] == 1)
        tables["deliveries"].insert(0, results.delivery_rows(state, wanted, results.outcomes(state, wanted)))
    if job.edits:
        from homing.overlay.editing import edited_rows

        edited_rows(job.edits, found, state, first, last, tables)
    written = {kind: pa.concat_tables(parts) for kind, parts in tables.items()} | {
        "scenarios": results.scenario_rows(found, first, last),
        "verdicts": results.verdict_rows(first, counts, COUNTS),
        "super_parts": partial_rows(state, tallies),
    }
    return {f"{kind}/{name}": results.write(table, out, f"{kind}/{name}") for kind, table in written.items()}
