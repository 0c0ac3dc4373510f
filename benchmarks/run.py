"""`./homing bench [NAME…] [--results FILE]`: runs benchmarks, prints ratios, and writes them as one table.

Times are of this machine and this moment only.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path

NAMES = {
    "chain": "the local engine beside SPIN on a chain of bounded counters",
    "spark_states": "state spaces on Spark beside the local engine",
    "symbolic": "sets of states on textbook systems, beside the local engine and NuSMV",
    "liveness": "weak and strong fairness beside exploring the same graph",
    "overlay": "failures of broker networks beside NetworkX and SciPy",
    "overlay_smv": "broker networks as NuSMV text beside the thesis, and 2450 specifications of fifty brokers checked",
    "simulation": "packets through queues: events a second on SimPy, and 1000 seeds on Spark beside a plain loop",
    "memo": "projections and updates beside whole slots, on sets of messages in flight",
    "csp_states": "CSP# models: states a second on PAT's classics, and a paper's model beside PAT's counts",
    "tlc": "TLA+ specs beside TLC: time, memory and counts",
    "timed": "timed automata beside TChecker, and a paper's model beside UPPAAL's figures",
}


def main(arguments: list[str]) -> int:
    """Runs the benchmarks named, or all; the exit code."""
    names, results = _read(arguments)
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        known = "; ".join(f"{name}: {what}" for name, what in NAMES.items())
        print(f"bench: unknown benchmark '{unknown[0]}'; declared: {known}", file=sys.stderr)
        return 3
    sys.path.insert(0, str(Path(__file__).parent.parent))
    from benchmarks import ratios

    failed = 0
    for name in names or NAMES:
        print(f"\n== {name}: {NAMES[name]}", flush=True)
        ratios.begin(name)
        failed += not _run(name)
        if results is not None:  # after each, so that nothing is lost when a later one is stopped
            results.write_text(ratios.markdown(), encoding="utf-8")
    return 1 if failed else 0


def _read(arguments: list[str]) -> tuple[list[str], Path | None]:
    if "--results" not in arguments[:-1]:
        return arguments, None
    at = arguments.index("--results")
    return arguments[:at] + arguments[at + 2 :], Path(arguments[at + 1])


def _run(name: str) -> bool:
    """Whether it came to its end; the others run all the same."""
    from benchmarks import ratios

    try:
        importlib.import_module(f"benchmarks.{name}").main()
    except (Exception, SystemExit) as error:
        traceback.print_exc()
        ratios.failed(f"{type(error).__name__}: {error}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
