"""Timed automata: textbook models beside TChecker, and a paper's model of RabbitMQ beside UPPAAL's figures.

    TCHECKER=tck-reach ./homing bench timed      # the program, built from its source

Each row of ours has a fresh process, in which a model of two processes was checked before the clock starts, so that
compiling is apart; reading the file is not. One thread each, since both searches have one. `cpu` says more than time
does where others use the machine, so ratios and `zones/s`, which are symbolic states stored, are by it.

TChecker stores as many symbolic states as we do: both extrapolate by LU+ with the constants of each location, let time
pass before they store, stop it in urgent and committed locations, and leave out what a zone of the same discrete state
includes. It differs where the property compares clocks: to us its constants matter in all locations, and TChecker is
told, by an edge, in which. We may generate more: a wave is fired before its results are compared, so that states which
they cover are followed, while TChecker takes those out of its queue. Our memory is mostly Python's and the compiled
code's; beyond that we keep all zones and what they lead to, since other discrete states will meet the same zones.
"""

from __future__ import annotations

import multiprocessing
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from tools.uppaal_xml import Model, Query, write

from benchmarks import ratios, tchecker
from benchmarks.table import show
from benchmarks.tchecker import Seen
from benchmarks.uppaal import textbook
from homing.core.result import Limits, Options, Result
from homing.engines.zones.timing import Abstraction

RABBITMQ = Path(__file__).parent.parent / "models" / "rabbitmq"
SECURITY = "A[] !(Producer(1).Publish || Consumer(3).Deliver)"
LIMIT = 600
"""Seconds of CPU after which TChecker is stopped."""
MOST = 200_000
"""Symbolic states after which a search without reductions is."""

SILENCE = "A[] Bus.Idle imply forall(i : id_t) not Sender(i).Transm"
"""Of CSMA/CD, too, but without clocks."""

Rows = tuple[Callable[[int], Model], Callable[[int], str], tuple[int, ...], str]
PEERS: dict[str, Rows] = {
    "Fischer": (textbook.fischer, tchecker.fischer, (6, 8, 10), textbook.EXCLUSION),
    "train gate": (textbook.train_gate, tchecker.train_gate, (6, 7), textbook.CROSSING),
    "CSMA/CD": (textbook.csma_cd, tchecker.csma_cd, (6,), textbook.DETECTION),
    "CSMA/CD, no clock asked for": (textbook.csma_cd, tchecker.csma_cd, (6, 10), SILENCE),
}
PUBLISHED = {"kerberos.xml": (9.4, 126), "kerberos_valid_ids.xml": (28.1, 459)}
"""Seconds and megabytes that the paper prints for UPPAAL, on a Core i7."""
WAYS = {
    "all": Abstraction(),
    "M for LU": Abstraction(extrapolation="m"),
    "no clock forgotten": Abstraction(forgetful=False),
    "no inclusion": Abstraction(inclusion=False),
    "M, neither": Abstraction("m", inclusion=False, forgetful=False),
}
REDUCED = 6
"""Processes of Fischer's protocol with which to see what reductions are worth."""


@dataclass(frozen=True)
class Run:
    """What a check found and took."""

    result: Result
    seconds: float
    cpu: float


def run(path: Path, query: str, abstraction: Abstraction, limits: Limits) -> Run:
    """Checks a query, once all is compiled; to be called in a process of its own."""
    with _written(textbook.fischer(2)) as small:
        _check(small, textbook.EXCLUSION, abstraction, limits)
    start, used = time.perf_counter(), time.process_time()
    result = _check(path, query, abstraction, limits)
    return Run(result, time.perf_counter() - start, time.process_time() - used)


def _check(path: Path, query: str, abstraction: Abstraction, limits: Limits) -> Result:
    import homing
    from homing.engines.zones import engine

    (model,) = homing.load(path).only((query,)).models
    (result,) = engine.check(model, Options(limits=limits), abstraction).report.results
    return result


def apart(path: Path, query: str, abstraction: Abstraction | None = None, limits: Limits | None = None) -> Run:
    """The same in a fresh process, so that its memory is its own."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
        return process.submit(run, path, query, abstraction or Abstraction(), limits or Limits()).result()


@contextmanager
def _written(model: Model) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.xml")
        write(path, model)
        yield path


HEAD = ["", "by", "verdict", "stored", "generated", "seconds", "cpu", "zones/s", "MB"]


def _ours(run: Run) -> list[str]:
    counts = run.result.counts
    found = _figures(counts.distinct, counts.generated, run.seconds, run.cpu, run.result.memory_mb)
    return [run.result.verdict.name, *found]


def _theirs(seen: Seen) -> list[str]:
    return ["-", *_figures(seen.stored, seen.generated, seen.seconds, seen.cpu, seen.megabytes)]


def _figures(stored: int, generated: int, seconds: float, cpu: float, megabytes: float) -> list[str]:
    speed = f"{stored / cpu:,.0f}"
    return [f"{stored:,}", f"{generated:,}", f"{seconds:.2f}", f"{cpu:.2f}", speed, f"{megabytes:,.0f}"]


def peers() -> None:
    """Textbook models, by us and, where the environment says where it is, by TChecker."""
    program = os.environ.get("TCHECKER")
    if program is None:
        print("TCHECKER does not say where TChecker's tck-reach is: no ratios")
    rows = []
    for name, (ours, theirs, sizes, query) in PEERS.items():
        for size in sizes:
            with _written(replace(ours(size), queries=(Query(query),))) as path:
                found = apart(path, query)
            seen = tchecker.explore(program, theirs(size), LIMIT) if program else None
            columns = (
                [f"{seen.cpu / found.cpu:.1f}", f"{seen.stored / found.result.counts.distinct:.2f}"] if seen else []
            )
            rows.append([f"{name} {size}", "homing", *_ours(found), *(columns or ["-", "-"])])
            _keep(f"{name} {size}: CPU", found, seen, program)
            if seen:
                rows.append(["", "TChecker", *_theirs(seen), "", ""])
            elif program:
                rows.append(["", "TChecker", "stopped", "", "", "", f"> {LIMIT}", "", "", "", ""])
    show([*HEAD, "× cpu", "× stored"], rows)


def _keep(what: str, found: Run, seen: Seen | None, program: str | None) -> None:
    ours = f"{found.cpu:.2f} s"
    if seen is not None:
        ratios.add(what, "TChecker", ours, f"{seen.cpu:.2f} s", seen.cpu / found.cpu)
    elif program is None:
        ratios.absent(what, "TChecker", ours)
    else:
        ratios.add(what, "TChecker", ours, f"> {LIMIT} s, stopped", f"> {LIMIT / found.cpu:.0f}")


def paper() -> None:
    """The last security query of the paper, which its authors ask of both scenarios, beside their figures."""
    rows = []
    for name, (seconds, megabytes) in PUBLISHED.items():
        found = apart(RABBITMQ / name, SECURITY)
        columns = [f"{seconds / found.seconds:.1f}", f"{megabytes / found.result.memory_mb:.1f}"]
        rows.append([name, "homing", *_ours(found), *columns])
        what = f"RabbitMQ, {name}, last security query"
        ratios.add(
            what, "UPPAAL, the paper's Core i7", f"{found.seconds:.1f} s", f"{seconds} s", seconds / found.seconds
        )
        rows.append(["", "UPPAAL, Core i7", "HOLDS", "-", "-", f"{seconds}", "-", "-", f"{megabytes}", "", ""])
    show([*HEAD, "× time", "× memory"], rows)


def reductions() -> None:
    """What each reduction is worth; the verdict does not depend on them."""
    rows = []
    with _written(textbook.fischer(REDUCED)) as path:
        for name, abstraction in WAYS.items():
            found = apart(path, textbook.EXCLUSION, abstraction, Limits(states=MOST))
            rows.append([name, "homing", *_ours(found)])
    show([f"Fischer {REDUCED}", *HEAD[1:]], rows)


def main() -> None:
    """All three tables."""
    peers()
    print()
    paper()
    print()
    reductions()


if __name__ == "__main__":
    main()
