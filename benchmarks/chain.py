"""A chain of bounded counters: produce at the first, move to the next, consume at the last.

10 counters of 0..4 have 9 765 625 states and 71 875 000 transitions. The peer is SPIN's compiled breadth-first
search of the same system, without partial-order reduction; it is left out where spin or gcc is not installed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from benchmarks import ratios
from benchmarks.table import show
from homing.core.builder import Builder, step
from homing.core.model import Model
from homing.core.result import Options
from homing.core.system import Step
from homing.engines.local.engine import Check, cores

COUNTERS, MOST = 10, 4


def model(counters: int = COUNTERS, most: int = MOST) -> Model:
    """The chain as a transition system."""
    b = Builder(f"chain of {counters}")
    slots = [b.slot(f"counter{n}", 0) for n in range(counters)]

    @b.group("produce", [slots[0]], [slots[0]])
    def produce(first: int) -> Iterator[Step]:
        if first < most:
            yield step("produce", {slots[0]: first + 1})

    for here, there in pairwise(slots):

        @b.group(f"move {here}", [here, there], [here, there])
        def move(one: int, other: int, here: int = here, there: int = there) -> Iterator[Step]:
            if one > 0 and other < most:
                yield step("move", {here: one - 1, there: other + 1})

    @b.group("consume", [slots[-1]], [slots[-1]])
    def consume(last: int) -> Iterator[Step]:
        if last > 0:
            yield step("consume", {slots[-1]: last - 1})

    b.deadlock_free()
    return b.model()


def homing(threads: int) -> tuple[float, int, int, float]:
    """Seconds, states, transitions, and bytes of the visited set for each state."""
    start = time.perf_counter()
    check = Check(model(), Options(threads=threads))
    counts = check.run().counts
    seconds = time.perf_counter() - start
    return seconds, counts.distinct, counts.transitions, check.search.visited.bytes / counts.distinct


def promela() -> str:
    """The chain for SPIN."""
    steps = [f"  :: atomic {{ s[0] < {MOST} -> s[0]++ }}"]
    steps += [
        f"  :: atomic {{ s[{n}] > 0 && s[{n + 1}] < {MOST} -> s[{n}]--; s[{n + 1}]++ }}" for n in range(COUNTERS - 1)
    ]
    steps += [f"  :: atomic {{ s[{COUNTERS - 1}] > 0 -> s[{COUNTERS - 1}]-- }}"]
    return "\n".join([f"byte s[{COUNTERS}];", "active proctype chain() {", "  do", *steps, "  od", "}", ""])


def spin() -> tuple[float, int, int, float] | None:
    """The same four figures of SPIN, compile time apart; None where it is not installed."""
    if not (shutil.which("spin") and shutil.which("gcc")):
        return None
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "chain.pml").write_text(promela())
        flags = ["-O2", "-DNOREDUCE", "-DSAFETY", "-DBFS"]
        subprocess.run(["spin", "-a", "chain.pml"], cwd=folder, check=True, timeout=60, capture_output=True)
        subprocess.run(["gcc", *flags, "-o", "pan", "pan.c"], cwd=folder, check=True, timeout=120, capture_output=True)
        start = time.perf_counter()
        done = subprocess.run(["./pan", "-w24"], cwd=folder, check=True, timeout=600, capture_output=True, text=True)
        seconds = time.perf_counter() - start
    states = int(_figure(r"(\d+) states, stored", done.stdout))
    transitions = int(_figure(r"(\d+) transitions", done.stdout))
    megabytes = _figure(r"([\d.]+)\s+total actual memory usage", done.stdout)
    return seconds, states, transitions, megabytes * 2**20 / states


def _figure(pattern: str, text: str) -> float:
    found = re.search(pattern, text)
    assert found, f"{pattern} not in SPIN's output"
    return float(found[1])


def main() -> None:
    """Runs both and prints the table."""
    Check(model(3, 2), Options(threads=2)).run()  # compiled code is loaded before the clock starts
    found = {f"homing, {threads} threads": homing(threads) for threads in sorted({1, cores()})}
    peer = spin()
    if peer is None:
        print("SPIN is not installed (Debian: apt-get install spin gcc): no ratio")
    for name, ours in found.items():
        what = f"chain of counters, {ours[1]:,} states, {name.split(', ')[1]}"
        if peer is None:
            ratios.absent(what, "SPIN, breadth-first", f"{ours[0]:.1f} s")
        else:
            ratios.add(what, "SPIN, breadth-first", f"{ours[0]:.1f} s", f"{peer[0]:.1f} s", peer[0] / ours[0])
    rows = {**found, **({"SPIN, breadth-first": peer} if peer else {})}
    show(
        ["", "seconds", "states", "transitions", "bytes a state", "SPIN's time / this"],
        [
            [name, f"{seconds:.1f}", states, transitions, f"{size:.1f}", f"{peer[0] / seconds:.1f}" if peer else "-"]
            for name, (seconds, states, transitions, size) in rows.items()
        ],
    )
