"""Ratios to peers, gathered from all benchmarks of a run, and written as one table."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import psutil

ABSENT = "not to be had"


@dataclass(frozen=True)
class Ratio:
    """How many times as much a peer takes as Homing; more than one is in our favour."""

    benchmark: str
    what: str
    peer: str
    ours: str
    theirs: str
    times: str


found: list[Ratio] = []
_running = ""


def begin(benchmark: str) -> None:
    """What is added from now on is of this benchmark."""
    global _running  # noqa: PLW0603 - benchmarks are plain functions, and one runs at a time
    _running = benchmark


def add(what: str, peer: str, ours: str, theirs: str, times: float | str) -> None:
    """A row of the table; `times` is a text where the peer was stopped before it ended."""
    text = times if isinstance(times, str) else f"{times:.2g}" if times < 10 else f"{times:,.0f}"
    found.append(Ratio(_running, what, peer, ours, theirs, text))


def absent(what: str, peer: str, ours: str = "–") -> None:
    """The peer is not installed."""
    add(what, peer, ours, ABSENT, "–")


def failed(why: str) -> None:
    """The benchmark did not come to its end."""
    add("did not come to its end", "–", "–", " ".join(why.split())[:120], "–")


def markdown() -> str:
    """The table, with the machine and the date; times are of that machine and that moment only."""
    rows = "".join(
        f"| {row.what} | {row.peer} | {row.ours} | {row.theirs} | {row.times} | `{_command(row.benchmark)}` |\n"
        for row in found
    )
    return (
        "# Ratios beside peers\n\n"
        "Written by `make bench`. × is how many times as much the peer takes, of time unless the row says otherwise:\n"
        "more than 1 is in Homing's favour. Times are of one run on one machine: compare within a row only.\n\n"
        f"{datetime.now(UTC):%Y-%m-%d}, {machine()}.\n\n"
        "| what | beside | Homing | peer | × | again |\n| --- | --- | --- | --- | --- | --- |\n" + rows
    )


PEERS = {"tlc": "TLA2TOOLS=tla2tools.jar ", "symbolic": "NUSMV=NuSMV ", "timed": "TCHECKER=tck-reach "}
"""How a peer is given that is not on PATH."""


def _command(benchmark: str) -> str:
    return f"{PEERS.get(benchmark, '')}./homing bench {benchmark}"


def machine() -> str:
    """What it ran on, in a line."""
    memory = psutil.virtual_memory().total / 2**30
    return (
        f"{os.cpu_count()} cores ({_processor()}), {memory:.0f} GB, {platform.system()}, "
        f"Python {platform.python_version()}"
    )


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = (line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
