"""CSP# models: states a second on the classics of PAT's authors, and the paper's model of RTPS beside PAT's numbers.

The classics are in `benchmarks/csp`, each of about a million states; the target is 200 000 states a second on two
threads. PAT's numbers are those that the paper prints; they are not expected to agree, since PAT searches depth first
and the paper does not print all of its model.
"""

from __future__ import annotations

import time
from pathlib import Path

import homing
from benchmarks import ratios
from benchmarks.table import show
from homing.core.result import Options, Result

HERE = Path(__file__).parent
TARGET = 200_000
THREADS = 2
CLASSICS = {
    "phil": "College() deadlockfree",
    "cyclers": "Ring() deadlockfree",
    "peterson": "Peterson() deadlockfree",
    "register": "Simulation() deadlockfree",
}
REFINEMENT = ("register", "Simulation() refines Register()")
RTPS = HERE.parent / "models" / "rtps" / "stateful_writer.csp"
PUBLISHED = {
    "SYSTEM() divergencefree": (491, 987),
    "SYSTEM() reaches goal1": (30, 29),
    "SYSTEM() reaches goal2": (55, 54),
    "SYSTEM() |= <> goal2": (186, 420),
    "SYSTEM05() reaches goal3": None,
}


def checked(path: Path, name: str) -> tuple[Result, float, float]:
    """What the check of a property finds, and the seconds with reading and compiling, by the clock and of CPU."""
    start, used = time.perf_counter(), time.process_time()
    (result,) = homing.load(path).check([name], options=Options(threads=THREADS)).results
    return result, time.perf_counter() - start, time.process_time() - used


def papers() -> None:
    """The model of the paper, property by property."""
    rows = []
    for name, published in PUBLISHED.items():
        result, _, _ = checked(RTPS, name)
        states, transitions = published or ("not given", "not given")
        counts = result.counts
        rows.append([name, result.verdict.name, counts.distinct, counts.transitions, states, transitions])
    show(["", "verdict", "states", "transitions", "PAT's states", "PAT's transitions"], rows)


def classics() -> None:
    """All states of each classic; then a refinement, which explores the same states and walks their product."""
    rows, times = [], {}
    for model, name in CLASSICS.items():
        result, seconds, used = checked(HERE / "csp" / f"{model}.csp", name)
        times[model] = seconds
        counts, rate = result.counts, result.counts.distinct / seconds
        found = [result.verdict.name, f"{counts.distinct:,}", f"{counts.transitions:,}"]
        spent = [f"{seconds:.1f}", f"{used:.1f}", f"{rate:,.0f}", f"{rate / TARGET:.1f}"]
        rows.append([f"{model}: {name}", *found, *spent])
        ratios.add(f"{model}.csp: states/s", "the target", f"{rate:,.0f}", f"{TARGET:,}", rate / TARGET)
    show(["", "verdict", "states", "transitions", "seconds", "of CPU", "states/s", "× target"], rows)
    model, name = REFINEMENT
    result, seconds, used = checked(HERE / "csp" / f"{model}.csp", name)
    ratio = seconds / times[model]
    print(f"\n{model}: {name}: {result.verdict.name}, {ratio:.0f} × exploring ({seconds:.1f} s, {used:.1f} s of CPU)")


def main() -> None:
    """The paper first, which also loads the compiled code."""
    papers()
    print()
    classics()
