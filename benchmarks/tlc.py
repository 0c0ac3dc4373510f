"""TLA+ specs beside TLC, in one run: the model of Kafka's transactions, with and without liveness, symmetry and view.

    TLA2TOOLS=tla2tools.jar ./homing bench tlc      # or the class path of a TLC built from its source

Both are started as a user would start them, in a process of their own, with two threads or workers, one after the
other; time is from start to end. `cpu` is what all threads spent, which says more than time does where others use the
machine. `× checking` is TLC's whole time beside what Homing says that the check took, which leaves its start out (and
TLC's in). `× exploring` leaves out of both what comes before the first state: of Homing's, once more in this process,
loading code and specification; of TLC's, the time that it takes for a spec of 28 states.
A row that takes TLC too long is not waited for: its ratios are then lower bounds, shown as such. Targets: ten
times TLC's speed on `2223`, fifty on `2223, liveness`, half of its memory.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from benchmarks import ratios
from benchmarks.table import show
from homing import Options, load

HERE = Path(__file__).parent
KAFKA = HERE.parent / "models" / "kafka"
THREADS = 2
SMALL = KAFKA / "transactions_1112_live.cfg"
LIMIT = float(os.environ.get("TLC_LIMIT", "900"))
"""Seconds after which TLC is stopped."""

ROWS = {
    "2223": HERE / "tla" / "transactions_as_published_2223.cfg",
    "2223, symmetry": KAFKA / "transactions_as_published_2223_symmetry.cfg",
    "2223, symmetry, view": KAFKA / "transactions_as_published_2223_view.cfg",
    "2233, symmetry, view": KAFKA / "transactions_as_published_2233_view.cfg",
    "2233, symmetry": KAFKA / "transactions_as_published_2233_symmetry.cfg",
    "zombies, liveness": KAFKA / "transactional_producer_zombie.cfg",
    "2222, liveness": KAFKA / "transactions_as_published_2222_live.cfg",
    "2223, liveness": KAFKA / "transactions_as_published_2223_live.cfg",
}


@dataclass(frozen=True)
class Run:
    """What one run took and found."""

    seconds: float
    cpu: float
    megabytes: float
    distinct: int
    generated: int
    done: bool = True
    checking: float | None = None
    """Seconds without the start, where they are told."""


def timed(
    command: list[str], limit: float, folder: str, environment: dict[str, str] | None = None
) -> tuple[float, float, float, str, bool]:
    """Seconds, CPU seconds and peak megabytes of a process, its output, and whether it ended by itself."""
    with tempfile.TemporaryFile("w+") as out:
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=folder, env=environment)
        done = _ends(process, start + limit)
        if not done:
            process.kill()
        _, _, used = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        process.returncode = 0
        out.seek(0)
        return seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, out.read(), done


def _ends(process: subprocess.Popen[bytes], deadline: float) -> bool:
    # Not `process.wait`, which would take what `wait4` is to tell: how much memory and CPU it used.
    while os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.perf_counter() > deadline:
            return False
        time.sleep(0.002)
    return True


def homing(config: Path) -> Run:
    """A check by Homing."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "found.json"
        command = [sys.executable, "-m", "homing", "check", "-q", "--threads", str(THREADS), "--json", str(found)]
        seconds, cpu, megabytes, said, _ = timed([*command, str(config)], LIMIT, folder, _environment())
        if not found.is_file():
            raise SystemExit(f"bench: homing failed on {config.name}: {said[-2000:]}")
        first = json.loads(found.read_text())["results"][0]
        checking = max(result["seconds"] for result in json.loads(found.read_text())["results"])
        return Run(seconds, cpu, megabytes, first["distinct"], first["generated"], checking=checking)


def _environment() -> dict[str, str]:
    """Python keeps its compiled modules unless it is told not to; where it is, every start would compile them again."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def exploring(config: Path) -> float:
    """Seconds of the search and what it learns: the specification is loaded before, and so is the code."""
    options = Options(threads=THREADS)
    load(SMALL).check(engine="local", options=options)
    model = load(config)
    start = time.perf_counter()
    model.check(engine="local", options=options)
    return time.perf_counter() - start


def tlc(config: Path, classes: str) -> Run:
    """A check by TLC."""
    java = shutil.which("java") or "java"
    options = shlex.split(os.environ.get("TLC_JAVA", "-XX:+UseParallelGC -Xmx3g"))
    with tempfile.TemporaryDirectory() as folder:
        # TLC looks for modules and configurations beside the specification only.
        for file in (*KAFKA.glob("*.tla"), config):
            shutil.copy(file, folder)
        spec = _specification(config)
        command = [java, *options, "-cp", classes, "tlc2.TLC", "-workers", str(THREADS), "-metadir", "meta"]
        command += ["-noGenerateSpecTE", "-config", config.name, spec]
        seconds, cpu, megabytes, said, done = timed(command, LIMIT, folder)
    counts = re.findall(r"([\d,]+) states generated.*?, ([\d,]+) distinct states found", said)
    if not counts or (done and "Model checking completed. No error has been found." not in said):
        raise SystemExit(f"bench: TLC failed on {config.name}: {said[-2000:]}")
    generated, distinct = (int(count.replace(",", "")) for count in counts[-1])
    return Run(seconds, cpu, megabytes, distinct, generated, done)


def _specification(config: Path) -> str:
    found = re.search(r"^\\\* SPEC (\S+)$", config.read_text(), re.MULTILINE)
    assert found, f"{config.name} names no specification"
    return Path(found[1]).name


def main() -> None:
    """All rows; those of TLC only where the environment says where it is."""
    classes = os.environ.get("TLA2TOOLS")
    if classes is None:
        print("TLA2TOOLS does not say where TLC is (tla2tools.jar, or a class path): no ratios")
    for config in (SMALL, *ROWS.values()):
        homing(config)  # compiled code is made and cached before the clock starts
    start = tlc(SMALL, classes).seconds if classes else 0.0
    head = ["", "by", "distinct", "generated", "seconds", "cpu", "states/s", "MB"]
    columns = ["× time", "× cpu", "× checking", "× exploring", "× memory"]
    wanted = os.environ.get("ROWS_WITH", "")
    for name, config in ROWS.items():
        if wanted not in name:
            continue
        ours = homing(config)
        if classes is None:
            show(head, [[name, "homing", *_figures(ours)]])
            ratios.absent(f"Kafka transactions, {name}", "TLC, 2 workers", f"{ours.seconds:.1f} s")
        else:
            theirs = tlc(config, classes)
            alone = exploring(config), theirs.seconds - start
            found = _ratios(ours, theirs, alone)
            _keep(name, ours, theirs, alone, found)
            rows = [[name, "homing", *_figures(ours), *found]]
            show([*head, *columns], [*rows, ["", "TLC", *_figures(theirs), *("" for _ in columns)]])
        print(flush=True)


def _keep(name: str, ours: Run, theirs: Run, alone: tuple[float, float], found: list[str]) -> None:
    what, peer = f"Kafka transactions, {name}", "TLC, 2 workers"
    stopped = "" if theirs.done else ", stopped"
    seconds = f"{theirs.seconds:.1f} s{stopped}"
    ratios.add(what, peer, f"{ours.seconds:.1f} s", seconds, found[0])
    ratios.add(f"{what}: CPU", peer, f"{ours.cpu:.1f} s", f"{theirs.cpu:.1f} s{stopped}", found[1])
    ratios.add(f"{what}, our start apart", peer, f"{ours.checking or ours.seconds:.1f} s", seconds, found[2])
    ratios.add(f"{what}, exploring alone", peer, f"{alone[0]:.2f} s", f"{alone[1]:.1f} s{stopped}", found[3])
    ratios.add(f"{what}: memory", peer, f"{ours.megabytes:,.0f} MB", f"{theirs.megabytes:,.0f} MB", found[4])


def _figures(run: Run) -> list[str]:
    seconds = f"{run.seconds:.1f}" + ("" if run.done else ", stopped")
    speed = f"{run.distinct / run.seconds:,.0f}"
    return [f"{run.distinct:,}", f"{run.generated:,}", seconds, f"{run.cpu:.1f}", speed, f"{run.megabytes:,.0f}"]


def _ratios(ours: Run, theirs: Run, alone: tuple[float, float]) -> list[str]:
    """How many times as much TLC takes: of time, CPU, time without our start, time to explore, and memory."""
    found = [theirs.seconds / ours.seconds, theirs.cpu / ours.cpu]
    found += [theirs.seconds / (ours.checking or ours.seconds), alone[1] / alone[0]]
    found += [theirs.megabytes / ours.megabytes]
    return [("" if theirs.done else "> ") + f"{ratio:.1f}" for ratio in found]


if __name__ == "__main__":
    main()
