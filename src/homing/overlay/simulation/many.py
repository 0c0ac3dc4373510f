"""Many seeds, one after the other or on Spark: the same runs, so the same numbers."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from homing.overlay.colours import scenarios
from homing.overlay.comparing.comparison import Estimate
from homing.overlay.network import from_json
from homing.overlay.simulation.measures import Measures, Summary, measures
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import simulate
from homing.overlay.simulation.script import Change
from homing.overlay.simulation.settings import Settings

if TYPE_CHECKING:
    import pyarrow as pa

SEED, RESULT, SECONDS = "seed", "result", "seconds"
TASKS_A_CORE = 4  # seeds differ in length: with several tasks, no core waits long at the end
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Sweep:
    """What every seed has in common; as text it travels to Spark's workers."""

    network: str
    failures: str
    protocols: tuple[str, ...]
    settings: Settings
    changes: tuple[Change, ...]

    def routes(self) -> Routes:
        return _routes(self.network, self.failures)


@lru_cache(maxsize=2)
def _routes(network: str, failures: str) -> Routes:
    """Tables are computed once in a worker, not once a task."""
    return Routes(scenarios(from_json(network), failures))


def one(sweep: Sweep, routes: Routes, seed: int) -> dict[str, Measures]:
    """All protocols under one seed."""
    settings = replace(sweep.settings, seed=seed)
    return {name: measures(simulate(routes, name, settings, sweep.changes)) for name in sweep.protocols}


def run_here(
    sweep: Sweep, seeds: Sequence[int], routes: Routes | None = None, progress: Progress | None = None
) -> tuple[Summary, ...]:
    """Seed after seed, in this process."""
    routes, found = routes or sweep.routes(), {}
    for seed in seeds:
        found[seed] = one(sweep, routes, seed)
        if progress:
            progress(len(found), len(seeds))
    return _summaries(sweep, found)


@dataclass(frozen=True)
class OnSpark:
    """What a sweep on Spark gave, and where the time went."""

    summaries: tuple[Summary, ...]
    start_seconds: float  # of Spark itself
    processor_seconds: float  # of all runs, in the workers


def run_on_spark(sweep: Sweep, seeds: Sequence[int], master: str) -> OnSpark:
    """All seeds as one Spark job."""
    from homing import spark as plumbing

    at = time.monotonic()
    with plumbing.running(master) as spark:
        start = time.monotonic() - at
        context = spark.sparkContext
        tasks = max(min(len(seeds), TASKS_A_CORE * context.defaultParallelism), 1)
        frame = spark.createDataFrame(context.parallelize([(seed,) for seed in seeds], tasks), f"{SEED} long")
        columns = f"{SEED} long, {RESULT} string, {SECONDS} double"
        rows = frame.mapInArrow(lambda batches: run_batches(sweep, batches), columns).collect()
    found = {row[SEED]: json.loads(row[RESULT]) for row in rows}
    return OnSpark(_summaries(sweep, found), start, sum(row[SECONDS] for row in rows))


def run_batches(sweep: Sweep, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """What a Spark task does."""
    import pyarrow as pa

    routes = sweep.routes()
    for batch in batches:
        seeds, results, seconds = batch.column(0).to_pylist(), [], []
        for seed in seeds:
            at = time.process_time()
            results.append(json.dumps(one(sweep, routes, seed)))
            seconds.append(time.process_time() - at)
        columns = [pa.array(seeds, pa.int64()), pa.array(results, pa.string()), pa.array(seconds, pa.float64())]
        yield pa.RecordBatch.from_arrays(columns, [SEED, RESULT, SECONDS])


def _summaries(sweep: Sweep, found: dict[int, dict[str, Measures]]) -> tuple[Summary, ...]:
    seeds = tuple(sorted(found))
    return tuple(Summary(name, seeds, tuple(found[seed][name] for seed in seeds)) for name in sweep.protocols)


def as_data(summaries: Sequence[Summary]) -> dict[str, Any]:
    """Means with intervals, and differences from the first protocol under the same seeds."""
    first = summaries[0]
    found: dict[str, Any] = {"seeds": len(first.seeds), "protocols": {}}
    for each in summaries:
        names = each.measures[0]
        found["protocols"][each.protocol] = {
            "means": {name: _data(each.of(name)) for name in names},
            f"more_than_{first.protocol}": {name: _data(each.beside(first, name)) for name in names},
        }
    return found


def _data(found: Estimate | None) -> dict[str, float | None] | None:
    return None if found is None else found.as_data()
