"""Packets simulated: what SimPy allows and what is made of it on one core, and many seeds on Spark beside a loop.

`python -m benchmarks.simulation [SEEDS]`: 1000 unless told otherwise.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import simpy

from benchmarks import ratios
from benchmarks.table import show
from homing.overlay.colours import scenarios
from homing.overlay.readers import load
from homing.overlay.simulation import many, script
from homing.overlay.simulation.clock import Call, Clock
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import collecting_later, simulate
from homing.overlay.simulation.settings import PROTOCOLS, Settings

EVENTS = 1_000_000
SIX = str(Path(__file__).parent.parent / "networks" / "ospf-six.toml")
MASTER = "local[2]"


def clocked(run: Callable[[], object]) -> float:
    """Processor seconds of this process."""
    at = time.process_time()
    with collecting_later():
        run()
    return time.process_time() - at


def processes() -> None:
    """Generators that wait, a hundred of them: how SimPy is meant to be used."""
    environment = simpy.Environment()

    def waiting() -> simpy.events.ProcessGenerator:
        for _ in range(EVENTS // 100):
            yield environment.timeout(1.0)

    for _ in range(100):
        environment.process(waiting())
    environment.run()


def calls() -> None:
    """The same number of waits as calls that schedule the next one."""
    clock = Clock()

    def again(call: Call) -> None:
        clock.after(1.0, again)

    for _ in range(100):
        clock.after(1.0, again)
    clock.run(EVENTS / 100 + 0.5)


def packets(protocol: str) -> tuple[int, float]:
    """Poisson traffic of a hundred pairs on twenty brokers, with failures at random; packet events and seconds."""
    routes = Routes(scenarios(load("random:20:40:seed=3"), "links:1-2"))
    simulate(routes, protocol, Settings(until=1.0))  # tables are there before the clock starts
    settings = Settings(pairs=100, packets=100.0, rate=1e7, until=24.0, traffic="poisson", failure_rate=0.01)
    events: list[int] = []
    seconds = clocked(lambda: events.append(simulate(routes, protocol, settings).events))
    return events[0], seconds


def seeds(count: int) -> None:
    """The thesis's six brokers under many seeds: the same numbers both ways."""
    network = load(SIX)
    changes = script.read(network, ["2-3@50"], ["2-3@100"])
    sweep = many.Sweep(network.to_json(), "links", ("pcrt", "ospf"), Settings(until=150.0), changes)
    at, busy = time.monotonic(), time.process_time()
    here = many.run_here(sweep, range(1, count + 1))
    loop, worked = time.monotonic() - at, time.process_time() - busy
    at = time.monotonic()
    there = many.run_on_spark(sweep, range(1, count + 1), MASTER)
    spark = time.monotonic() - at
    without = spark - there.start_seconds
    same = all(mine.of("lost") == theirs.of("lost") for mine, theirs in zip(here, there.summaries, strict=True))
    rows = [
        ["a plain loop", f"{loop:.1f}", f"{worked:.1f}", "1.0"],
        [f"Spark {MASTER}", f"{spark:.1f}", f"{there.processor_seconds:.1f}", f"{loop / spark:.1f}"],
        ["  without its start", f"{without:.1f}", "", f"{loop / without:.1f}"],
    ]
    what = f"simulation, {count} seeds on Spark {MASTER}, its start apart"
    ratios.add(what, "a plain loop", f"{without:.1f} s", f"{loop:.1f} s", loop / without)
    show([f"{count} seeds, PCRT and OSPF, 150 s each", "s", "processor s in runs", "times as fast"], rows)
    print(f"results are the same: {'yes' if same else 'NO'}")


def main() -> None:
    rows = []
    for name, run in (("SimPy's processes", processes), ("calls by SimPy's events", calls)):
        seconds = clocked(run)
        rows.append([name, f"{EVENTS:,} waits", f"{seconds:.1f}", f"{EVENTS / seconds:,.0f}"])
    for protocol in PROTOCOLS:
        events, seconds = packets(protocol)
        what, limit = f"simulation, {protocol}: a million packet events, CPU", 10.0
        ratios.add(what, "the target", f"{seconds / events * 1e6:.1f} s", f"{limit} s", limit * events / seconds / 1e6)
        rows.append(
            [f"packets under {protocol}", f"{events:,} packet events", f"{seconds:.1f}", f"{events / seconds:,.0f}"]
        )
    show(["one core", "", "s", "a second"], rows)
    print()
    seeds(int(sys.argv[1]) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 1000)


if __name__ == "__main__":
    main()
