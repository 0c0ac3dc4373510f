"""What an overlay network is: brokers, links, topics, and groups of elements that fail together.

Brokers and links are numbered from 0 inside Homing. Links are sorted by their brokers' numbers, so that
a link keeps its number, and a failure its colour, when lines of a file change places. Links between the same two
brokers keep the order in which they were declared: of equal ones the first is used.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from homing.core.errors import Place

# Costs are compared to this precision: routes must not depend on how a sum of floats was rounded.
COST_DECIMALS = 6


@dataclass(frozen=True)
class Broker:
    """A message broker; the position, if known, is only for drawing."""

    name: str
    x: float | None = None
    y: float | None = None


@dataclass(frozen=True)
class Link:
    """A connection of two brokers; an undirected one carries messages both ways and fails as one."""

    name: str
    source: int
    target: int
    cost: float = 1.0
    latency_ms: float = 0.0
    directed: bool = False


@dataclass(frozen=True)
class Topic:
    """Every message of every publisher has to reach every subscriber, within the deadline if there is one."""

    name: str
    publishers: tuple[int, ...]
    subscribers: tuple[int, ...]
    deadline_ms: float | None = None

    def pairs(self) -> tuple[tuple[int, int], ...]:
        """(publisher, subscriber), without the brokers that serve both themselves."""
        return tuple((p, s) for p in self.publishers for s in self.subscribers if p != s)

    @property
    def is_silent(self) -> bool:
        """Whether nobody publishes or nobody subscribes: then nothing is said about the network."""
        return not self.publishers or not self.subscribers


@dataclass(frozen=True)
class RiskGroup:
    """Links and brokers that one event takes down: a duct, a rack, a power feed."""

    name: str
    links: tuple[int, ...]
    brokers: tuple[int, ...] = ()


@dataclass(frozen=True)
class Network:
    """A checked network: numbers are in range, names are unique."""

    name: str
    brokers: tuple[Broker, ...]
    links: tuple[Link, ...]
    topics: tuple[Topic, ...] = ()
    groups: tuple[RiskGroup, ...] = ()
    notes: tuple[str, ...] = ()  # what a reader changed or found odd

    def _repr_html_(self) -> str:
        from homing.overlay import notebook

        return notebook.network(self)

    @cached_property
    def broker_number(self) -> dict[str, int]:
        return {broker.name: number for number, broker in enumerate(self.brokers)}

    @cached_property
    def link_number(self) -> dict[str, int]:
        return {link.name: number for number, link in enumerate(self.links)}

    @property
    def broker_names(self) -> tuple[str, ...]:
        return tuple(broker.name for broker in self.brokers)

    def pairs(self) -> dict[tuple[int, int], float | None]:
        """What must be delivered: (publisher, subscriber) to the strictest deadline.

        Without topics every broker publishes to every other one.
        """
        if not self.topics:
            everyone = range(len(self.brokers))
            return {(p, s): None for p in everyone for s in everyone if p != s}
        found: dict[tuple[int, int], float | None] = {}
        for topic in self.topics:
            for pair in topic.pairs():
                known = found.get(pair)
                deadlines = [limit for limit in (known, topic.deadline_ms) if limit is not None]
                found[pair] = min(deadlines, default=None)
        return found

    def without_position(self) -> bool:
        return any(broker.x is None or broker.y is None for broker in self.brokers)

    def with_links(self, extra: tuple[Link, ...]) -> Network:
        """The same network with more links; numbers of links change, those of brokers do not."""
        links, numbers = sort_links((*self.links, *extra))
        groups = tuple(replace(group, links=tuple(numbers[link] for link in group.links)) for group in self.groups)
        return replace(self, links=links, groups=groups)

    def to_json(self) -> str:
        """The whole network as text: how it travels to Spark's workers."""
        return json.dumps(asdict(self), separators=(",", ":"))

    @cached_property
    def digest(self) -> str:
        """Changes with anything that can change a verdict."""
        return hashlib.sha256(self.to_json().encode()).hexdigest()[:16]


def sort_links(links: tuple[Link, ...]) -> tuple[tuple[Link, ...], dict[int, int]]:
    """Links in their order of numbering, and the new number of each old one."""

    def key(number: int) -> tuple[int, int, int]:
        low, high = sorted((links[number].source, links[number].target))
        return (low, high, number)

    order = sorted(range(len(links)), key=key)
    return tuple(links[old] for old in order), {old: new for new, old in enumerate(order)}


def from_json(text: str) -> Network:
    """The network that `Network.to_json` wrote."""
    data: dict[str, Any] = json.loads(text)
    return Network(
        name=data["name"],
        brokers=tuple(Broker(**broker) for broker in data["brokers"]),
        links=tuple(Link(**link) for link in data["links"]),
        topics=tuple(
            Topic(t["name"], tuple(t["publishers"]), tuple(t["subscribers"]), t["deadline_ms"]) for t in data["topics"]
        ),
        groups=tuple(RiskGroup(g["name"], tuple(g["links"]), tuple(g["brokers"])) for g in data["groups"]),
        notes=tuple(data["notes"]),
    )


def nowhere(name: str) -> Place:
    """The place of a network that has no file."""
    return Place(name)
