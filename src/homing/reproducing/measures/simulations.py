"""Measures on packets: protocols that meet the same failure in the same traffic."""

from __future__ import annotations

from collections.abc import Callable

from homing.overlay.colours import scenarios
from homing.overlay.simulation import figures, script
from homing.overlay.simulation.measures import summary
from homing.overlay.simulation.routes import Routes
from homing.overlay.simulation.run import Run, simulate
from homing.overlay.simulation.settings import Settings
from homing.reproducing.claims import Facts
from homing.reproducing.measures import Bench, Measured
from homing.reproducing.measures.networks import command, network

SEEDS = 10
"""Runs over which times and losses are averaged; seeds differ in when heartbeats are due."""
ALIKE = 1e-9
"""Seconds that two moments may differ and be the same."""
PROTOCOLS = ("pcrt", "ospf")


def compared(bench: Bench, about: Facts) -> Measured:
    """Which of two protocols is better by one measure, on the average over seeds."""
    name = about["measure"]
    means = {}
    for protocol in PROTOCOLS:
        found = summary(_runs(bench, about, protocol)).of(name)
        if found is None:
            return Measured({}, "never happened", _where(about), unknown=f"'{name}' was never seen with {protocol}")
        means[protocol] = found.mean
    first, second = means.values()
    better = "neither" if abs(first - second) < ALIKE else min(means, key=means.__getitem__)
    text = ", ".join(f"{protocol} {value:.2f} {about['unit']}" for protocol, value in means.items())
    return Measured({"better": better}, f"better {better}: {text}", _where(about))


def ways(bench: Bench, about: Facts) -> Measured:
    """The ways that packets take, one after the other."""
    run = _runs(bench, about, "pcrt")[0]
    names = run.network.broker_names
    path = ", ".join("-".join(names[broker] for broker in stretch.path) for stretch in run.stretches())
    shown = figures.of_runs([_runs(bench, about, protocol)[0] for protocol in PROTOCOLS])
    return Measured({"path": path}, f"path {path}", _where(about), plots=shown)


def _runs(bench: Bench, about: Facts, protocol: str) -> list[Run]:
    key = f"simulated {protocol} {about['network']} {about['fail']} {about['repair']}"
    if key not in bench.known:
        found = network(about["network"])
        routes = Routes(scenarios(found))
        changes = script.read(found, [about["fail"]], [about["repair"]])
        seeds = (Settings(until=float(about["until"]), seed=seed) for seed in range(1, SEEDS + 1))
        bench.known[key] = [simulate(routes, protocol, settings, changes) for settings in seeds]
    runs = bench.known[key]
    assert isinstance(runs, list)
    return runs


def _where(about: Facts) -> str:
    times = f" --fail {about['fail']} --repair {about['repair']} --until {about['until']}"
    return command("simulate", about, f" --protocol {','.join(PROTOCOLS)}{times} --seeds {SEEDS}")


MEASURES: dict[str, Callable[[Bench, Facts], Measured]] = {"compared": compared, "ways": ways}
