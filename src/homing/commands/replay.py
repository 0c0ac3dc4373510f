"""`homing replay`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from homing.commands.check import Env, Json, Msc, Python, TimeLimit, TraceForm
from homing.core.result import Limits

EPILOG = "Exit code: 0 it is a trace, 1 it is none, 2 unknown, 3 bad input."

ModelFile = Annotated[Path, Argument(metavar="MODEL", help="A model.")]
TraceFile = Annotated[str, Argument(metavar="TRACE", help="Events, or JSON as check --json writes it; - is stdin.")]
System = Annotated[
    list[str] | None, Option("--system", metavar="NAME", help="Only this system of the model; repeatable.")
]
Of = Annotated[
    str | None, Option("--property", metavar="NAME", help="Which trace of a JSON document.  [default: first]")
]
Hide = Annotated[
    list[str] | None, Option(metavar="NAME", help="Events so called need not be mentioned, as tau; repeatable.")
]
Ends = Annotated[bool, Option("--ends", help="Nothing visible may follow the trace.")]
Goal = Annotated[
    str | None, Option(metavar="NAME", help="This property's condition, or label, is true after the trace.")
]
Trace = Annotated[TraceForm | None, Option(help="How to show the run; it is then also shown of what is a trace.")]
MaxStates = Annotated[int, Option(min=1, metavar="N", help="Give up after so many states.")]


def replay(
    model: ModelFile,
    trace_file: TraceFile,
    python: Python = False,
    env: Env = None,
    system: System = None,
    of: Of = None,
    hide: Hide = None,
    ends: Ends = False,
    goal: Goal = None,
    trace: Trace = None,
    json: Json = None,
    msc: Msc = None,
    max_states: MaxStates = 1_000_000,
    time_limit: TimeLimit = None,
) -> None:
    """Check whether a trace that somebody wrote down is one of the model."""
    # Imported when it is needed, so that --help is quick.
    from homing.commands.replaying import Request, run

    request = Request(
        model=model,
        trace_file=trace_file,
        python=python,
        env=tuple(env or ()),
        systems=tuple(system or ()),
        of=of,
        hide=frozenset(hide or ()),
        ends=ends,
        goal=goal,
        trace=trace.value if trace else None,
        json=json,
        msc=msc,
        limits=Limits(max_states, time_limit),
    )
    raise Exit(run(request))
