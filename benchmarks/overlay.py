"""The overlay's kernels beside NetworkX and SciPy, in one run: ratios, since times are of this machine only.

`python -m benchmarks.overlay [MAP.graphml ...] [--spark]`: maps to add, for example Cogentco and Kdl of the Internet
Topology Zoo (the largest of topohub's are used anyway). NetworkX and SciPy are development tools: `./homing test -k
nothing` installs them.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import ratios
from benchmarks.table import show
from homing.overlay.colours import Failure, Scenarios, scenarios
from homing.overlay.network import Network
from homing.overlay.readers import load
from homing.overlay.routing import COUNTS, Router
from homing.overlay.trees import prepare

PEER_SECONDS = 3.0  # a peer gets as many scenarios as fit in
BEST_OF = 3


def best(run: Callable[[], object], times: int = BEST_OF) -> float:
    """Processor seconds, the least of several: what others do on the machine only ever adds."""
    found = []
    for _ in range(times):
        at = time.process_time()
        run()
        found.append(time.process_time() - at)
    return min(found)


def ours(found: Scenarios, *, words: bool) -> float:
    """Scenarios a second on one core, computed and verified in the kernel."""
    router = Router(prepare(found.network), words=words)
    router.counts(found, 1, 2)  # compiled before the clock starts
    failures = found.arrays(1, len(found))
    counts = np.zeros(len(found) * len(COUNTS), np.int64)

    def run() -> None:
        counts[:] = 0
        router.count_into(failures, 1, counts)

    seconds = best(run)
    assert not counts.reshape(-1, len(COUNTS))[:, COUNTS.index("errors")].any()
    return len(found) / seconds


def peer(found: Scenarios, routes: Callable[[Network, Failure], object]) -> float:
    """Scenarios a second of another library: all pairs, routes only."""
    done, at = 0, time.process_time()
    for failure in found.failures(2, len(found)):
        routes(found.network, failure)
        done += 1
        if time.process_time() - at > PEER_SECONDS:
            break
    return done / (time.process_time() - at)


def networkx_routes(network: Network, failure: Failure) -> object:
    import networkx as nx

    edges = ((link.source, link.target) for n, link in enumerate(network.links) if n not in failure)
    graph = nx.Graph(edges)
    graph.add_nodes_from(range(len(network.brokers)))
    return [nx.single_source_shortest_path(graph, source) for source in graph]


def scipy_routes(network: Network, failure: Failure) -> object:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    ends = np.array([(link.source, link.target) for n, link in enumerate(network.links) if n not in failure])
    size = len(network.brokers)
    graph = csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
    return shortest_path(graph, directed=False, unweighted=True, return_predecessors=True)


def compare(source: str, failures: str) -> list[str]:
    found = scenarios(load(source), failures)
    network = found.network
    router = Router(prepare(network))
    kernel = ours(found, words=True)
    cells = [
        f"{network.name} ({len(network.brokers)}/{len(network.links)}) {failures}",
        f"{len(found):,}",
        f"{len(found) / kernel:.2f}",
        f"{kernel:,.0f}{' words' if router.uses_words else ''}",
        f"{kernel / ours(found, words=False):.1f}" if router.uses_words else "1",
    ]
    for name, routes in (("networkx", networkx_routes), ("scipy", scipy_routes)):
        if importlib.util.find_spec(name) is None:
            cells.append("not installed")
            ratios.absent(cells[0], name)
        else:
            speed = peer(found, routes)
            cells.append(f"{kernel / speed:,.0f}")
            rates = f"{kernel:,.0f}", f"{speed:,.0f}"
            ratios.add(f"{cells[0]} failures: scenarios a second", name, *rates, kernel / speed)
    return cells


def growth() -> list[list[str]]:
    """Cost follows the changed entries, not the tables."""
    rows = []
    for size in (16, 32, 64):
        found = scenarios(load(f"random:{size}:{size * 2}:seed=7"), "links:2")
        router = Router(prepare(found.network), words=False)
        seconds = best(lambda router=router, found=found: router.counts(found, 1, len(found)))  # type: ignore[misc]
        changed = int(router.counts(found, 1, len(found))[:, COUNTS.index("changed")].sum())
        full = len(found) * size * (size - 1)
        rows.append(
            [
                f"{size}/{size * 2}",
                f"{full:,}",
                f"{changed:,}",
                f"{seconds / changed * 1e9:.0f}",
                f"{seconds / full * 1e9:.1f}",
            ]
        )
    return rows


def on_spark() -> None:
    """Three failures to Parquet, and every map of the zoo; Spark's own part apart."""
    from homing import spark as plumbing
    from homing.overlay import pipeline, store
    from homing.overlay.chunks import Job
    from homing.overlay.readers import expand
    from homing.overlay.sweeping import sweep
    from homing.overlay.terminal import timing

    with tempfile.TemporaryDirectory() as folder:
        at = time.perf_counter()
        with plumbing.running("local[2]") as spark:
            print(f"Spark starts in {time.perf_counter() - at:.1f} s")
            network = load("random:50:100:seed=7")
            job = Job("three", network.to_json(), "links:1-3", out=f"{folder}/three")
            store.begin(job)
            at = time.perf_counter()
            run = pipeline.run_on_spark(spark, pipeline.pieces(job))
            totals = store.finish(job, list(run.summaries))
            print(
                f"three failures, {totals.colours:,} colours, to Parquet: {time.perf_counter() - at:.1f} s end to end"
            )
            print(f"  {timing(run)}")
            zoo = expand("topohub:topozoo/*")
            result = sweep(zoo, Path(folder) / "zoo")
            colours = sum(network.totals.colours for network in result.networks if network.totals)
            print(f"{len(zoo)} maps of the zoo, {colours:,} single and double failures: {result.seconds:.1f} s")
            print(f"  {timing(result.run)}")


def main(arguments: list[str] | None = None) -> None:
    words = arguments or []
    maps = [word for word in words if not word.startswith("--")]
    cases = [
        ("random:50:100:seed=7", "links:2"),
        ("topohub:topozoo/TataNld", "links:2"),
        ("topohub:topozoo/TataNld", "links"),
    ]
    cases += [(path, "links:2" if Path(path).stat().st_size < 200_000 else "links") for path in maps]
    head = ["network", "scenarios", "CPU s", "a second", "÷ general", "÷ NetworkX", "÷ SciPy"]
    show(head, [compare(*case) for case in cases])
    show(["random", "entries in full", "changed", "ns a changed one", "ns an entry"], growth())
    if "--spark" in words:
        on_spark()


if __name__ == "__main__":
    main(sys.argv[1:])
