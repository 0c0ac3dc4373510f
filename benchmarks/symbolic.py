"""The symbolic engine on textbook systems, beside the local engine and, where it is given, NuSMV.

`NUSMV=/path/to/NuSMV ./homing bench symbolic` runs NuSMV on the same texts; the philosophers are no text, since they
interleave. Times are processor seconds of a whole run, reading included. NuSMV, with and without reordering, has a
minute of processor time; our engines have one by the clock, which is less where others use the machine.
"""

from __future__ import annotations

import os
import resource
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from benchmarks import ratios
from benchmarks.table import show
from homing.checking import check
from homing.core.builder import Builder, step
from homing.core.model import Model
from homing.core.result import Limits, Options, Report
from homing.core.system import Step
from homing.core.verdict import Verdict

SECONDS = 60
FIFTY = str(Path(__file__).parent.parent / "networks" / "fifty_brokers.toml")


def counter(bits: int) -> str:
    """A counter: each bit turns when all below it are set."""
    cells = "\n".join(f"  b{n} : cell({f'b{n - 1}.carry' if n else 'TRUE'});" for n in range(bits))
    return f"""MODULE cell(turn)
VAR value : boolean;
ASSIGN init(value) := FALSE; next(value) := value xor turn;
DEFINE carry := value & turn;
MODULE main
VAR
{cells}
INVARSPEC NAME possible := b0.value | !b0.value
"""


def register(bits: int) -> str:
    """A shift register of free bits."""
    declared = " ".join(f"b{n} : boolean;" for n in range(bits))
    moved = " ".join(f"next(b{n}) := b{n - 1};" for n in range(1, bits))
    return f"MODULE main\nVAR {declared}\nASSIGN {moved}\nCTLSPEC NAME comes_through := AG EF b{bits - 1}\n"


def cryptographers(count: int) -> str:
    """Chaum's: each says whether two coins differ, whoever pays lies; the number of lies is odd if one of them pays."""
    lines = ["MODULE main", f"VAR payer : 0..{count}; said : boolean;"]
    lines += [f"VAR coin{n} : boolean; says{n} : boolean;" for n in range(count)]
    lines += ["ASSIGN init(said) := FALSE; next(said) := TRUE; next(payer) := payer;"]
    for n in range(count):
        lie = f"(coin{n} xor coin{(n + 1) % count}) xor payer = {n + 1}"
        lines.append(f"ASSIGN init(says{n}) := FALSE; next(coin{n}) := coin{n};")
        lines.append(f"ASSIGN next(says{n}) := case said : says{n}; TRUE : {lie}; esac;")
    odd = " xor ".join(f"says{n}" for n in range(count))
    lines.append(f"INVARSPEC NAME odd_if_one_pays := said -> (({odd}) <-> payer != 0)")
    return "\n".join(lines) + "\n"


def messages(count: int) -> str:
    """So many messages under way at once between the fifty brokers, each from any broker to any other."""
    from homing.overlay.colours import scenarios
    from homing.overlay.export.smv import Asked, Export
    from homing.overlay.readers import load

    network = replace(load(FIFTY), topics=())
    text = "\n".join(Export(scenarios(network, "none"), Asked(subpaths=False, loops=False)).lines())
    body = text[: text.index("CTLSPEC")].replace("MODULE main", "MODULE message")
    declared = " ".join(f"m{n} : message;" for n in range(count))
    arrives = " & ".join(f"AF m{n}.loc = m{n}.dest" for n in range(count))
    return f"{body}\nMODULE main\nVAR {declared}\nCTLSPEC NAME all_arrive := {arrives}\n"


def philosophers(count: int) -> Model:
    """Everybody takes the left fork first, so all may wait for the right one."""
    b = Builder(f"{count} philosophers")
    slots = [(b.slot(f"philosopher {n}", "thinking"), b.slot(f"fork {n}", True)) for n in range(count)]
    for n in range(count):
        me, left, right = slots[n][0], slots[n][1], slots[(n + 1) % count][1]

        @b.group(f"philosopher {n}", [me, left, right], [me, left, right])
        def act(
            state: str, one: bool, other: bool, me: int = me, left: int = left, right: int = right
        ) -> Iterator[Step]:
            if state == "thinking" and one:
                yield step("left", {me: "waiting", left: False})
            if state == "waiting" and other:
                yield step("right", {me: "eating", right: False})
            if state == "eating":
                yield step("put", {me: "thinking", left: True, right: True})

    b.deadlock_free()
    return b.model()


def connect_four(columns: int, rows: int) -> Model:
    """Two players drop pieces in turn until the board is full; who wins is not asked. A slot a cell, as the mCRL2 model
    has it that LTSmin was measured on (docs/symbolic.md)."""
    b = Builder(f"connect four, {columns} × {rows}")
    player = b.slot("player", "yellow")
    for x in range(columns):
        cells = [b.slot(f"cell {x} {y}", "") for y in range(rows)]

        @b.group(f"column {x}", [player, *cells], [player, *cells])
        def drop(now: str, *column: str, cells: list[int] = cells) -> Iterator[Step]:
            if "" in column:
                place = cells[column.index("")]
                yield step("drop", {place: now, player: "red" if now == "yellow" else "yellow"})

    b.always("pieces", [player], lambda now: now in ("yellow", "red"))
    return b.model()


SYSTEMS: dict[str, Callable[[], str | Model]] = {
    "shift register, 20 bits": partial(register, 20),
    "shift register, 200 bits": partial(register, 200),
    "counter, 12 bits": partial(counter, 12),
    "counter, 20 bits": partial(counter, 20),
    **{f"{n} cryptographers": partial(cryptographers, n) for n in (10, 20, 50, 100)},
    **{f"fifty brokers, {n} message{'s'[: n > 1]}": partial(messages, n) for n in (1, 2, 4)},
    **{f"{n} philosophers": partial(philosophers, n) for n in (10, 20, 50, 100)},
    **{f"connect four, {x} × {y}": partial(connect_four, x, y) for x, y in ((5, 4), (6, 5))},
}


def measured(model: Model, engine: str) -> tuple[Report | None, float]:
    """What an engine says, and its processor time."""
    at = time.process_time()
    try:
        report: Report | None = check(model, engine, Options(threads=1, limits=Limits(seconds=SECONDS)))
    except Exception:  # too many states to list
        report = None
    return report, time.process_time() - at


def nusmv(text: str) -> float | None:
    """NuSMV's processor time on a text, with or without reordering, whichever is less; None when neither ended.

    `-r` has it count the reachable states, as we do: a formula alone may need few of them.
    """
    binary = os.environ.get("NUSMV")
    if not binary:
        return None
    with tempfile.NamedTemporaryFile("w", suffix=".smv") as file:
        file.write(text)
        file.flush()
        found = [_spent([binary, *options, file.name]) for options in (("-r",), ("-r", "-dynamic"))]
    return min((seconds for seconds in found if seconds is not None), default=None)


def _spent(command: list[str]) -> float | None:
    """Processor seconds of a command, which has no more than others have; others may use the machine, too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limited = ["sh", "-c", f'ulimit -t {SECONDS}; exec "$@"', "sh", *command]
    if subprocess.run(limited, capture_output=True, check=False).returncode:
        return None
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def loaded(source: str | Model) -> tuple[Model, float]:
    """The model that a text is, and the time to read it."""
    from homing.languages.smv import model
    from homing.languages.smv.tokens import Source

    at = time.process_time()
    found = source if isinstance(source, Model) else model(Source("benchmark.smv", source))
    return found, time.process_time() - at


def shown(report: Report | None, seconds: float) -> str:
    decided = report is not None and report.error is None and report.verdict is not Verdict.UNKNOWN
    return f"{seconds:.2f}" if decided else "–"


def row(name: str) -> list[str]:
    """One system: by the symbolic engine, by the local one, by NuSMV."""
    source = SYSTEMS[name]()
    model, reading = loaded(source)
    report, symbolic = measured(model, "symbolic")
    other, local = measured(loaded(source)[0], "local")
    peer = nusmv(source) if isinstance(source, str) else None
    assert report is not None
    counts = report.results[0].counts
    states = f"{counts.distinct:,}" if counts.distinct < 10**9 else f"{counts.distinct:.1e}"
    decided = shown(report, symbolic) != "–"
    if decided and peer is not None:
        ours = reading + symbolic
        ratios.add(f"{name}, {states} states: CPU", "NuSMV", f"{ours:.2f} s", f"{peer:.2f} s", peer / ours)
    if decided and shown(other, 1) != "–":
        ratios.add(f"{name}: CPU", "the local engine", f"{symbolic:.2f} s", f"{local:.2f} s", local / symbolic)
    verdicts = "/".join(sorted({result.verdict.name for result in report.results}))
    return [
        name, states, f"{report.engine['nodes']:,}", verdicts, shown(report, reading + symbolic),
        shown(other, reading + local), f"{peer:.2f}" if peer is not None else "–",
        f"{local / symbolic:.2g}" if shown(other, 1) != "–" and decided else "",
        f"{peer / (reading + symbolic):.2g}" if peer is not None and decided else "",
    ]  # fmt: skip


def main() -> None:
    """All systems, or those whose name has one of the words in `SYSTEMS_WITH`."""
    measured(philosophers(3), "local")  # compiled before the clock starts
    wanted = os.environ.get("SYSTEMS_WITH", "").split()
    names = [name for name in SYSTEMS if not wanted or any(word in name for word in wanted)]
    head = [
        "",
        "states",
        "nodes",
        "verdict",
        "symbolic s",
        "local s",
        "NuSMV s",
        "local / symbolic",
        "NuSMV / symbolic",
    ]
    show(head, [row(name) for name in names])


if __name__ == "__main__":
    main()
