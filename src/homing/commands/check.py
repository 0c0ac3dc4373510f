"""`homing check`: its options."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from typer import Argument, BadParameter, Exit, Option

from homing import engines
from homing.commands import checkpoints
from homing.core.errors import HomingError
from homing.core.result import Distribution, Limits
from homing.languages import FAIRNESS
from homing.report.quantities import duration, megabytes

ENDINGS = (".svg", ".json")
EPILOG = (
    "Exit code: 0 all properties hold, 1 one is violated, 2 one is unknown, 3 bad input. "
    "With --expect: 0 all is as expected, 1 something differs, 3 bad input."
)


class TraceForm(StrEnum):
    """How traces are shown."""

    chart = "chart"
    table = "table"
    json = "json"


def _fairness(name: str | None) -> str | None:
    if name is not None and name not in FAIRNESS:
        raise BadParameter(f"{name!r} is no fairness; known: {', '.join(FAIRNESS)}")
    return name


def _engine(name: str) -> str:
    if name not in engines.NAMES:
        raise BadParameter(f"{name!r} is no engine; known: {', '.join(engines.NAMES)}")
    return name


def _drawing(target: str | None) -> str | None:
    if target is not None and not target.lower().endswith(ENDINGS):
        raise BadParameter(f"{target!r} has another ending than {' or '.join(ENDINGS)}")
    return target


def _itf(target: str | None) -> str | None:
    if target is not None and not target.lower().endswith(".json"):
        raise BadParameter(f"{target!r} has another ending than .json")
    return target


Paths = Annotated[list[Path], Argument(metavar="PATH", help="Models, and folders of models.")]
Python = Annotated[bool, Option("--python", help="Allow models in Python, which are executed.")]
FairnessName = Annotated[
    str | None,
    Option(callback=_fairness, metavar="NAME", help=f"For CSP# formulas that name none: {', '.join(FAIRNESS)}."),
]
Config = Annotated[Path | None, Option(metavar="FILE", help="For TLA+: the configuration.  [default: X.cfg for X.tla]")]
NoDeadlock = Annotated[bool, Option("--no-deadlock", help="For TLA+: do not look for deadlock.")]
Seed = Annotated[int, Option(metavar="N", help="For TLA+: what RandomElement and its like draw depends on it.")]
AllowWrite = Annotated[
    Path | None, Option(metavar="FOLDER", help="For TLA+: let Json, CSV and IOUtils write files, inside this folder.")
]
Env = Annotated[
    list[str] | None,
    Option("--env", metavar="NAME", help="For TLA+: let IOEnv show this variable of the environment; repeatable."),
]
Names = Annotated[list[str] | None, Option("--property", metavar="NAME", help="Check only this one; repeatable.")]
Engine = Annotated[str, Option(callback=_engine, metavar="NAME", help=f"How to search: {', '.join(engines.NAMES)}.")]
Expect = Annotated[bool, Option("--expect", help="Compare with expect.toml beside each model.")]
Trace = Annotated[
    TraceForm | None,
    Option(help="How to show traces; those to states asked for are then shown too.  [default: chart of messages]"),
]
Json = Annotated[str | None, Option(metavar="FILE", help="Write results as JSON; - is stdout, instead of the report.")]
Junit = Annotated[str | None, Option(metavar="FILE", help="Write results as JUnit XML; - as above.")]
Msc = Annotated[
    str | None, Option(callback=_drawing, metavar="FILE", help="Draw traces as message sequence charts: .svg, .json.")
]
Itf = Annotated[
    str | None,
    Option(callback=_itf, metavar="FILE", help="Write traces in the format of Apalache and Quint: .itf.json."),
]
MaxStates = Annotated[int | None, Option(min=1, metavar="N", help="Stop at so many states of a model.")]
TimeLimit = Annotated[float | None, Option(parser=duration, metavar="TIME", help="Stop a model after 90s, 5m, 2h.")]
MemoryLimit = Annotated[
    float | None, Option(parser=megabytes, metavar="SIZE", help="Stop at 500M, 8G.  [default: 80% of the machine]")
]
Threads = Annotated[int | None, Option(min=1, metavar="N", help="Threads.  [default: all cores]")]
Checkpoint = Annotated[Path, Option(metavar="FOLDER", help="Where a run that is stopped is saved.")]
Every = Annotated[float, Option(parser=duration, metavar="TIME", help="How often a long run is saved.")]
Resume = Annotated[bool, Option("--resume", help="Go on from where a run was stopped or killed.")]
Restart = Annotated[bool, Option("--restart", help="Begin anew where a run was stopped, and replace what it saved.")]
Master = Annotated[
    str | None, Option(metavar="URL", help="For --engine spark: its master.  [default: this machine's cores]")
]
Partitions = Annotated[
    int | None, Option(min=1, metavar="N", help="For --engine spark: parts to begin with.  [default: one a core]")
]
PartitionBy = Annotated[
    list[str] | None,
    Option(metavar="SLOT", help="For --engine spark: a slot that decides who owns a state; repeatable."),
]
RunFolder = Annotated[
    str | None, Option(metavar="URI", help="For --engine spark: where states are kept, within reach of all workers.")
]
Debug = Annotated[bool, Option("--debug", help="Watch that groups keep to what they declare.")]
Unsound = Annotated[bool, Option("--unsound", help="Check temporal properties under a symmetry or view all the same.")]
Quiet = Annotated[bool, Option("--quiet", "-q", help="Show no progress.")]


def check(
    paths: Paths,
    python: Python = False,
    names: Names = None,
    engine: Engine = "auto",
    fairness: FairnessName = None,
    config: Config = None,
    no_deadlock: NoDeadlock = False,
    seed: Seed = 0,
    allow_write: AllowWrite = None,
    env: Env = None,
    expect: Expect = False,
    trace: Trace = None,
    json: Json = None,
    junit: Junit = None,
    msc: Msc = None,
    itf: Itf = None,
    max_states: MaxStates = None,
    time_limit: TimeLimit = None,
    memory_limit: MemoryLimit = None,
    threads: Threads = None,
    checkpoint: Checkpoint = checkpoints.DEFAULT,
    checkpoint_every: Every = "10m",  # type: ignore[assignment]  # parsed like what a user types
    resume: Resume = False,
    restart: Restart = False,
    master: Master = None,
    partitions: Partitions = None,
    partition_by: PartitionBy = None,
    run_folder: RunFolder = None,
    debug: Debug = False,
    unsound: Unsound = False,
    quiet: Quiet = False,
) -> None:
    """Check the properties of models."""
    if json == junit == "-":
        raise HomingError("--json and --junit cannot both write to stdout")
    if resume and restart:
        raise HomingError("--resume goes on from where a run was stopped, --restart does not: choose one")
    # Everything else is imported when it is needed, so that --help is quick.
    from homing.commands.running import Request, run

    request = Request(
        paths=tuple(paths),
        python=python,
        properties=tuple(names or ()),
        engine=engine,
        fairness=fairness,
        config=config,
        deadlock=not no_deadlock,
        seed=seed,
        allow_write=allow_write,
        env=tuple(env or ()),
        expect=expect,
        trace=trace.value if trace else None,
        json=json,
        junit=junit,
        msc=msc,
        itf=itf,
        limits=Limits(max_states, time_limit, memory_limit),
        threads=threads,
        checkpoint=checkpoint,
        checkpoint_every=checkpoint_every,
        resume=resume,
        restart=restart,
        distribution=Distribution(master, partitions, run_folder, by=tuple(partition_by or ())),
        debug=debug,
        unsound=unsound,
        quiet=quiet,
    )
    raise Exit(run(request))
