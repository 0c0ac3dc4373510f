"""State spaces on Spark beside the local engine, in one run: the chain of bounded counters, start-up apart.

With LARGE=1 also a chain of 8 counters of 0..9, which has 10^8 states; it takes some minutes, and its memory is told.
"""

from __future__ import annotations

import os
import tempfile
import time

import psutil

from benchmarks import chain, ratios
from benchmarks.table import show
from homing import spark
from homing.core.model import Model
from homing.core.result import Distribution, Options
from homing.engines.local.engine import Check as Local
from homing.engines.local.engine import cores
from homing.engines.spark.engine import Check as OnSpark

HEAD = ("engine", "states", "seconds", "states/s", "× local", "rounds", "depth", "crossing", "skew", "start", "memory")


def local(model: Model) -> tuple[float, list[object]]:
    """States a second, and a row of the table."""
    begun = time.perf_counter()
    check = Local(model, Options(threads=cores()))
    counts = check.run().counts
    seconds = time.perf_counter() - begun
    speed = counts.distinct / seconds
    memory = f"{check.watch.memory_mb:,.0f} MB"
    return speed, [f"local, {cores()} threads", f"{counts.distinct:,}", f"{seconds:.1f}", f"{speed:,.0f}", "1.00", "",
                   counts.depth, "", "", "", memory]  # fmt: skip


def on_spark(model: Model, workers: int, beside: float) -> list[object]:
    """A row of the table; `beside` is the local engine's speed."""
    begun = time.perf_counter()
    session = spark.session(f"local[{workers}]")
    start = time.perf_counter() - begun
    warm_up(workers)
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        check = OnSpark(model, Options(distribution=Distribution(f"local[{workers}]", None, f"{folder}/run")))
        exploration = check.run()
        seconds = time.perf_counter() - begun
    memory = sum(process.memory_info().rss for process in psutil.Process().children(recursive=True)) / 2**20
    session.stop()
    if beside:
        speed = exploration.counts.distinct / seconds
        what = f"chain of counters on Spark, {exploration.counts.distinct:,} states, {workers} workers: states/s"
        ratios.add(what, "the local engine", f"{speed:,.0f}", f"{beside:,.0f}", speed / beside)
    counts, measured = exploration.counts, exploration.report.engine
    speed = counts.distinct / seconds
    return [
        f"spark, {workers} worker{'s'[: workers > 1]}",
        f"{counts.distinct:,}",
        f"{seconds:.1f}",
        f"{speed:,.0f}",
        f"{speed / beside:.2f}" if beside else "",
        measured["rounds"],
        counts.depth,
        f"{measured['crossing_ratio']:.0%}",
        measured["skew"],
        f"{start:.1f} s",
        f"{memory:,.0f} MB",
    ]


def warm_up(workers: int) -> None:
    """Workers start, and load what is compiled: that is start-up."""
    with tempfile.TemporaryDirectory() as folder:
        few = Distribution(f"local[{workers}]", None, f"{folder}/run", small=0)
        OnSpark(chain.model(4), Options(distribution=few)).run()


def main() -> None:
    """Prints the table."""
    model = chain.model()
    speed, row = local(model)
    show(HEAD, [row, on_spark(model, 1, speed), on_spark(model, 2, speed)])
    if os.environ.get("LARGE"):
        show(HEAD, [on_spark(chain.model(8, 9), 2, speed)])


if __name__ == "__main__":
    main()
