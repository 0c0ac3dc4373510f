"""Campaigns and single cases: `python -m tests.fuzz KIND FIRST [LAST]`; a single case keeps its file."""

from __future__ import annotations

import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.fuzz.cases import Became, Wrong, became, judge, prepared
from tests.fuzz.corpus import KINDS, Kind


def campaign(kind: Kind, numbers: range) -> Counter[str]:
    """How many cases came to what; prints those that went wrong."""
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in numbers:
            try:
                counts[judge(kind, number, Path(folder)).value] += 1
            except Wrong as wrong:
                counts["wrong"] += 1
                print(str(wrong).splitlines()[0], flush=True)
    return counts


def single(kind: Kind, number: int) -> Became:
    """One case; its file stays."""
    path = prepared(kind, number, Path(tempfile.mkdtemp()))
    print(path)
    return became(kind, path)


def main(name: str, first: int, last: int | None = None) -> None:
    for kind in KINDS.values() if name == "all" else [KINDS[name]]:
        if last is None:
            print(single(kind, first).value)
            continue
        started = time.process_time()
        counts = campaign(kind, range(first, last))
        print(f"{kind.name}: {dict(counts)}, {time.process_time() - started:.0f} s of processor time", flush=True)


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:4]))
