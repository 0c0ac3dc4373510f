"""Measures on networks of brokers: colours, super routing tables, routes, sub-paths, what has failed."""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from homing import api, bundled
from homing.core.result import Limits, Options
from homing.core.verdict import Verdict, worst
from homing.overlay.colours import NORMAL, element_name, read_list, scenarios
from homing.overlay.export.smv import Asked, Export
from homing.overlay.export.subpaths import ways_back
from homing.overlay.localisation import locate
from homing.overlay.network import Network, Topic
from homing.overlay.readers import load
from homing.overlay.tables import SuperTable, plan
from homing.overlay.trees import prepare
from homing.overlay.verdicts import read_verdicts
from homing.overlay.verification import verify
from homing.report import json_format
from homing.report.outcome import Outcome
from homing.reproducing.claims import Facts
from homing.reproducing.measures import LIMIT, Bench, Measured

SEEDS = 10
"""Over how many draws of topics a count is averaged."""


def network(name: str) -> Network:
    """A network that comes with Homing, or one that is generated."""
    return load(str(bundled.path(name)) if name.startswith("networks/") else name)


def command(verb: str, about: Facts, options: str = "") -> str:
    """How to ask about the network by hand."""
    name = about["network"]
    return f"homing overlay {verb} {bundled.shown(name) if name.startswith('networks/') else name}{options}"


def colours(bench: Bench, about: Facts) -> Measured:
    """The failures that colours stand for."""
    found = scenarios(network(about["network"]))
    texts = [found.text(colour) for colour in range(NORMAL, len(found) + 1)]
    return Measured({"colours": texts}, " / ".join(texts), command("plan", about))


def super_table(bench: Bench, about: Facts) -> Measured:
    """The entries of a super routing table: address, destination, next hop, colours."""
    entries = [
        [entry.address, entry.destination, entry.next_hop, ",".join(map(str, entry.colours))]
        for entry in _condensed(about).entries
    ]
    text = " / ".join("|".join(map(str, entry)) for entry in entries)
    return Measured({"entries": entries}, f"entries {text}", _plan(about))


def lookup(bench: Bench, about: Facts) -> Measured:
    """The two-dimensional array of next hops, a row a destination."""
    rows = [" ".join(row) for row in _condensed(about).next_hops()]
    return Measured({"array": rows}, f"array {' / '.join(rows)}", _plan(about))


def _condensed(about: Facts) -> SuperTable:
    tables = plan(scenarios(network(about["network"])))
    number = tables.network.broker_number[about["broker"]]
    return tables.condense(number, about.get("order", "first seen"))


def _plan(about: Facts) -> str:
    return command("plan", about, f" --broker {about['broker']}")


def entries(bench: Bench, about: Facts) -> Measured:
    """Entries of all plain tables of one broker, counted, for single link failures."""
    found = network(about["network"])
    count = plan(scenarios(found)).sizes().plain_entries // len(found.brokers)
    return Measured({"entries": count}, f"{count:,} entries a broker", command("plan", about))


def route(bench: Bench, about: Facts) -> Measured:
    """The way from one broker to another, under a failure if one is named."""
    found = scenarios(network(about["network"]))
    tables = plan(found)
    failed = read_list(found.network, "down", about["down"])[0] if "down" in about else ()
    colour = found.colour(failed)
    assert colour is not None
    hops, number = tables.hops(colour), found.network.broker_number
    at, goal = number[about["from"]], number[about["to"]]
    way = [at]
    while way[-1] != goal and len(way) <= len(number):
        way.append(int(hops[goal, way[-1]]))
    path = "-".join(found.network.broker_names[broker] for broker in way)
    return Measured({"path": path}, f"path {path}", command("plan", about, f" --broker {about['from']}"))


def delivery(bench: Bench, about: Facts) -> Measured:
    """Whether every message gets home, by the tables themselves."""
    result = verify(scenarios(network(about["network"]), about["failures"]), switching="none")
    return Measured(
        {"verdict": result.verdict.name},
        f"{result.verdict.name}, {len(result.scenarios):,} colours",
        command("verify", about, f" --failures {about['failures']}"),
    )


def switching(bench: Bench, about: Facts) -> Measured:
    """In how many changes of colour messages may loop while brokers disagree on it."""
    result = verify(scenarios(network(about["network"]), about["failures"]))
    finding = next(each for each in result.findings if each.name == "micro-loops")
    return Measured(
        {"verdict": finding.verdict.name},
        f"{finding.verdict.name}, {finding.text}",
        command("verify", about, f" --failures {about['failures']} --strict-switching"),
    )


def exported(bench: Bench, about: Facts) -> Measured:
    """The network as NuSMV text, and the text checked."""
    asked = Asked(subpaths=about.get("subpaths", True))
    export = Export(scenarios(network(about["network"]), about.get("failures", "none")), asked)
    began = time.monotonic()
    with _written(export) as file:
        report = api.load(file).check(options=_options(bench))
    verdict = worst(result.verdict for result in report.results)
    return Measured(
        {"verdict": verdict.name, "specifications": len(report.results)},
        f"{verdict.name}, {len(report.results):,} specifications",
        command("export", about, " --smv network.smv && homing check network.smv"),
        time.monotonic() - began,
        unknown="undecided" if verdict is Verdict.UNKNOWN else None,
    )


def located(bench: Bench, about: Facts) -> Measured:
    """What has failed, judging by the specifications that turn false."""
    found = network(about["network"])
    down = read_list(found, "down", about["down"])[0]
    asked = Asked(subpaths=False, loops=False, hops=True, down=down)
    with _written(Export(scenarios(found, "none"), asked)) as file:
        report = api.load(file).check(options=_options(bench))
        text = json_format.render([Outcome(str(file), report)])
        suspects = locate(prepare(found), *read_verdicts(file, text, found))
    first = element_name(found, suspects.ranked[0].element)
    return Measured(
        {"suspect": first},
        f"suspect {first}, explains {len(suspects.ranked[0].explains)} of {suspects.failing} that fail",
        command("locate", about, " --verdicts verdicts.json"),
    )


def subpaths(bench: Bench, about: Facts) -> Measured:
    """How many paths the thesis's sub-path detection leaves, on the average over draws of topics."""
    export = [Export(scenarios(full, "none")) for full in _draws(about)]
    left = round(sum(len(each.shortcut.checked) for each in export) / SEEDS)
    wrong = round(sum(len(each.shortcut.unchecked) for each in export) / SEEDS)
    sound = round(sum(len(each.cover.checked) for each in export) / SEEDS)
    facts = {"left": left, "never checked": wrong, "sound": sound}
    return Measured(
        facts, f"{left} left, {sound} without its wrong marks and longest first", "homing bench overlay_smv"
    )


def writing(bench: Bench, about: Facts) -> Measured:
    """Which way of writing the NuSMV text is faster: with or without sub-path detection."""
    full = next(_draws(about))
    spent = {}
    for name, asked in (("with", True), ("without", False)):
        at = time.process_time()
        list(Export(scenarios(full, "none"), Asked(subpaths=asked)).lines())
        spent[name] = time.process_time() - at
    text = ", ".join(f"{seconds * 1000:.0f} ms {name}" for name, seconds in spent.items())
    return Measured({"faster": min(spent, key=spent.__getitem__)}, text, "homing bench overlay_smv")


def text(bench: Bench, about: Facts) -> Measured:
    """How long the NuSMV text of a network is."""
    found = network(about["network"])
    began = time.process_time()
    lines = sum(1 for _ in Export(scenarios(found, "none")).lines())
    spent = time.process_time() - began
    where = command("export", about, " --smv network.smv")
    return Measured({"lines": lines}, f"{lines:,} lines", where, spent)


def backwards(bench: Bench, about: Facts) -> Measured:
    """How often the way back is another one than the way there turned round."""
    export = Export(scenarios(replace(network(about["network"]), topics=()), "none"))
    parts, other = ways_back(export.hops)
    share = f"{100 * other / parts:.1f} % of {parts:,} parts of routes"
    return Measured({"always the same": other == 0}, share, command("export", about, " --smv network.smv"))


def _draws(about: Facts) -> Iterator[Network]:
    found = network(about["network"])
    return (with_topics(found, about["topics"], seed) for seed in range(SEEDS))


def with_topics(found: Network, count: int, seed: int, subscribers: int = 5) -> Network:
    """One publisher and some subscribers a topic, all at different brokers."""
    rng = random.Random(seed)
    topics = []
    for number in range(1, count + 1):
        first, *others = rng.sample(range(len(found.brokers)), subscribers + 1)
        topics.append(Topic(f"topic {number}", (first,), tuple(others)))
    return replace(found, topics=tuple(topics))


@contextmanager
def _written(export: Export) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "network.smv"
        file.write_text("\n".join(export.lines()), encoding="utf-8")
        yield file


def _options(bench: Bench) -> Options:
    return Options(limits=Limits(seconds=LIMIT), show=bench.show, interrupted=bench.interrupted)


MEASURES: dict[str, Callable[[Bench, Facts], Measured]] = {
    "colours": colours,
    "super table": super_table,
    "lookup": lookup,
    "entries": entries,
    "route": route,
    "delivery": delivery,
    "switching": switching,
    "exported": exported,
    "located": located,
    "sub-paths": subpaths,
    "writing": writing,
    "text": text,
    "ways back": backwards,
}
