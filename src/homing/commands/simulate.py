"""`homing simulate`: its options."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Exit, Option

from homing.commands.check import Config, Env, Itf, Json, Msc, Python, TraceForm

EPILOG = "Exit code: 0 it was walked, 2 interrupted or what --until waits for did not happen, 3 bad input."

File = Annotated[Path, Argument(metavar="FILE", help="A model.")]
Part = Annotated[
    str | None, Option("--part", "--system", metavar="NAME", help="Which system of the model.  [default: the first]")
]
Random = Annotated[
    bool, Option("--random", help="Walk at random; default without a terminal, and with --seed, --steps or --until.")
]
Choose = Annotated[bool, Option("--choose", help="Ask for each step; default on a terminal.")]
Seed = Annotated[int | None, Option(min=0, metavar="N", help="The same seed gives the same walk.  [default: any]")]
Steps = Annotated[
    int | None, Option(min=0, metavar="N", help="Random steps at most.  [default: 25; 1000 with --until]")
]
Until = Annotated[str | None, Option(metavar="EVENT", help="Walk at random until this happens.")]
Initial = Annotated[int | None, Option(min=1, metavar="N", help="Start in the Nth initial state.")]
Trace = Annotated[TraceForm | None, Option(help="How to show the walk.  [default: chart of messages]")]


def simulate(
    file: File,
    python: Python = False,
    config: Config = None,
    env: Env = None,
    part: Part = None,
    random: Random = False,
    choose: Choose = False,
    seed: Seed = None,
    steps: Steps = None,
    until: Until = None,
    initial: Initial = None,
    trace: Trace = None,
    json: Json = None,
    msc: Msc = None,
    itf: Itf = None,
) -> None:
    """Walk through a model step by step, at random or as you choose."""
    # Imported when it is needed, so that --help is quick.
    from homing.commands.simulating import Request, run

    request = Request(
        file=file,
        python=python,
        config=config,
        env=tuple(env or ()),
        part=part,
        random=random,
        choose=choose,
        seed=seed,
        steps=steps,
        until=until,
        initial=initial,
        trace=trace.value if trace else None,
        json=json,
        msc=msc,
        itf=itf,
    )
    raise Exit(run(request))
