"""`homing overlay simulate`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from homing.core.errors import HomingError
from homing.overlay.colours import Scenarios
from homing.overlay.simulation import files, many, script, showing
from homing.overlay.simulation.measures import Summary, summary
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import Run, simulate
from homing.overlay.simulation.settings import Settings
from homing.overlay.terminal import bar
from homing.report.files import say, say_json


@dataclass(frozen=True)
class Asked:
    """What the command line asks for beside the settings of a run."""

    protocols: tuple[str, ...]
    fail: tuple[str, ...] = ()
    repair: tuple[str, ...] = ()
    until: float | None = None
    seeds: int = 1
    master: str | None = None
    out: Path | None = None
    log: Path | None = None
    as_json: bool = False


def run(found: Scenarios, failures: str, settings: Settings, asked: Asked) -> int:
    """Simulates and prints; the exit code."""
    changes = script.read(found.network, asked.fail, asked.repair)
    settings = replace(settings, until=script.length(changes, asked.until))
    if asked.seeds < 1:
        raise HomingError(f"--seeds is {asked.seeds}; it has to be at least 1")
    if asked.seeds > 1 or asked.master:
        return _many(found, failures, settings, changes, asked)
    routes = Routes(found)
    runs = [simulate(routes, protocol, settings, changes) for protocol in asked.protocols]
    if asked.out:
        files.write_runs(runs, asked.out)
    if asked.log:
        files.write_log(runs, asked.log)
    if asked.as_json:
        say_json({"network": found.network.name, "runs": [showing.run_data(each) for each in runs]})
    else:
        _print([summary([each]) for each in runs], found.network.name, showing.ways(runs))
        _print_done(runs, asked)
    return 0


def _many(found: Scenarios, failures: str, settings: Settings, changes: tuple[script.Change, ...], asked: Asked) -> int:
    if asked.log:
        raise HomingError(f"--log is of one run, and --seeds asks for {asked.seeds}")
    network = found.network
    sweep = many.Sweep(network.to_json(), failures, asked.protocols, settings, changes)
    seeds = range(settings.seed, settings.seed + asked.seeds)
    if asked.master:
        summaries = many.run_on_spark(sweep, seeds, asked.master).summaries
    else:
        with bar(f"{asked.seeds} seeds", not asked.as_json, "seeds") as progress:
            summaries = many.run_here(sweep, seeds, Routes(found), progress)
    if asked.out:
        files.write_summaries(network.name, summaries, asked.out)
    if asked.as_json:
        say_json({"network": network.name, **many.as_data(summaries)})
    else:
        _print(summaries, network.name, showing.beside(summaries))
        if asked.out:
            say(f"results in {asked.out}")
    return 0


def _print(summaries: Sequence[Summary], name: str, further: list[str]) -> None:
    say(showing.finding(summaries, name))
    say()
    for line in showing.table(summaries):
        say(line)
    for line in (*showing.remarks(summaries), *further):
        say(f"  {line}")


def _print_done(runs: list[Run], asked: Asked) -> None:
    events, seconds = sum(each.events for each in runs), sum(each.seconds for each in runs)
    where = "".join(f"; {text} in {path}" for text, path in (("results", asked.out), ("log", asked.log)) if path)
    say(f"{events:,} packet events in {seconds:.2f} s{where}")
