"""`./homing bench [NAME…]`: runs benchmarks and prints ratios. Times are of this machine and this moment only."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

NAMES = {
    "chain": "the local engine beside SPIN on a chain of bounded counters",
    "spark_states": "state spaces on Spark beside the local engine",
    "symbolic": "sets of states on textbook systems, beside the local engine and NuSMV",
    "liveness": "weak and strong fairness beside exploring the same graph",
    "overlay": "failures of broker networks beside NetworkX and SciPy",
    "overlay_smv": "broker networks as NuSMV text beside the thesis, and 2450 specifications of fifty brokers checked",
    "memo": "projections and updates beside whole slots, on sets of messages in flight",
    "csp_states": "CSP# models: states a second on PAT's classics, and a paper's model beside PAT's counts",
    "tlc": "TLA+ specs beside TLC: time, memory and counts",
    "timed": "timed automata beside TChecker, and a paper's model beside UPPAAL's figures",
}


def main(names: list[str]) -> int:
    """Runs the benchmarks named, or all; the exit code."""
    unknown = [name for name in names if name not in NAMES]
    if unknown:
        known = "; ".join(f"{name}: {what}" for name, what in NAMES.items())
        print(f"bench: unknown benchmark '{unknown[0]}'; declared: {known}", file=sys.stderr)
        return 3
    sys.path.insert(0, str(Path(__file__).parent.parent))
    for name in names or NAMES:
        print(f"\n== {name}: {NAMES[name]}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
