"""Small networks as plain data: enumerated, written in every format, and failed by the names of their links."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from homing.overlay.network import Network
from homing.overlay.readers import load

KINDS = ("none", "undirected", "forwards", "backwards", "parallel", "both kinds", "one way each")
FORMATS = ("csv", "toml", "yaml", "json")


@dataclass(frozen=True)
class Wire:
    """A link between two brokers, as a file declares it."""

    name: str
    source: str
    target: str
    directed: bool = False
    cost: int = 1
    latency_ms: float = 0


@dataclass(frozen=True)
class Description:
    """Brokers are called 1, 2, …; groups name links that fail at once."""

    brokers: int
    wires: tuple[Wire, ...]
    groups: tuple[tuple[str, ...], ...] = ()
    deadline_ms: float | None = None  # of a topic from broker 1 to 2
    silent: tuple[str, ...] = ()  # "publishers" or "subscribers" that another topic lacks

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(str(number + 1) for number in range(self.brokers))


def wires(a: str, b: str, kind: str, costs: tuple[int, int]) -> tuple[Wire, ...]:
    """What connects two brokers."""
    one = Wire(f"{a}{b}", a, b, cost=costs[0])
    forwards = Wire(f"{a}to{b}", a, b, directed=True, cost=costs[0])
    backwards = Wire(f"{b}to{a}", b, a, directed=True, cost=costs[1])
    return {
        "none": (),
        "undirected": (one,),
        "forwards": (forwards,),
        "backwards": (backwards,),
        "parallel": (one, Wire(f"{a}{b}spare", a, b, cost=costs[1])),
        "both kinds": (one, backwards),
        "one way each": (forwards, backwards),
    }[kind]


def descriptions(brokers: int, costs: tuple[int, int], step: int = 1) -> Iterator[Description]:
    """All networks of so many brokers by what connects each two of them; each `step`-th of them."""
    pairs = list(itertools.combinations(range(1, brokers + 1), 2))
    for kinds in itertools.islice(itertools.product(KINDS, repeat=len(pairs)), 0, None, step):
        found: list[Wire] = []
        for number, ((a, b), kind) in enumerate(zip(pairs, kinds)):
            # Costs differ from pair to pair, so that routes go round.
            found += wires(str(a), str(b), kind, (1 + (costs[0] * number) % 4, 1 + (costs[1] * number) % 4))
        if len(found) > 1:
            yield Description(brokers, tuple(found))


def written(description: Description, kind: str, folder: Path, both_ends: bool = False) -> Path:
    """The network in a format; with `both_ends`, every undirected link is listed once more from its other end."""
    listed = list(description.wires)
    if both_ends:
        listed += [Wire(w.name, w.target, w.source, False, w.cost, w.latency_ms) for w in listed if not w.directed]
    path = folder / f"n.{kind}"
    if kind == "csv":
        rows = [
            f"{w.source},{w.target},{w.cost},{w.latency_ms},{'yes' if w.directed else 'no'},{w.name}" for w in listed
        ]
        path.write_text("\n".join(["source,target,cost,latency_ms,directed,name", *rows]) + "\n")
        return path
    data = document(description, listed)
    # JSON is YAML; TOML takes its inline tables with another sign.
    text = json.dumps(data) if kind != "toml" else "\n".join(f"{key} = {toml(value)}" for key, value in data.items())
    path.write_text(text + "\n")
    return path


def document(description: Description, listed: list[Wire]) -> dict[str, object]:
    """Our own format."""
    links = []
    for w in listed:
        ends: dict[str, object] = (
            {"from": w.source, "to": w.target} if w.directed else {"between": [w.source, w.target]}
        )
        links.append(ends | {"cost": w.cost, "latency_ms": w.latency_ms, "name": w.name})
    topics: list[dict[str, object]] = []
    if description.deadline_ms is not None:
        timed = {"name": "timed", "publishers": ["1"], "subscribers": ["2"], "deadline_ms": description.deadline_ms}
        topics.append(timed)
    if description.silent:
        other = {"publishers": ["1"], "subscribers": ["2"]}
        topics.append({"name": "silent"} | {key: [] if key in description.silent else other[key] for key in other})
    groups = [{"name": f"group {at}", "links": list(names)} for at, names in enumerate(description.groups)]
    return {"brokers": list(description.names), "links": links, "topics": topics, "risk_groups": groups}


def toml(value: object) -> str:
    match value:
        case dict():
            return "{ " + ", ".join(f"{key} = {toml(inner)}" for key, inner in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(toml, value)) + "]"
    return json.dumps(value)


def loaded(description: Description, folder: Path, kind: str = "json") -> Network:
    return load(str(written(description, kind, folder)))
