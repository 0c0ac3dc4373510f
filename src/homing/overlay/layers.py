"""Resilient Routing Layers (after Hansen, Kvalbein, Čičić, Gjessing and Lysne, DSN and ISCC 2005).

A layer has all brokers and a part of the links, and connects whatever the network connects. A broker is *safe* in
a layer that has only one of its links: nobody's way leads through it there. Layer 0 is the network itself; the
others are built so that each broker is safe in one of them (`protect="brokers"`, which covers failures of brokers and
of links) or that each link is missing from one of them (`protect="links"`).

Whoever finds the next hop of a packet gone marks the packet with a layer, and it travels on there to its end: the layer
in which the next hop is safe. On the last hop that layer may need the very link that failed. Then it is the own safe
layer of the broker that noticed, which keeps another of its links; else any layer without the failed link. So that
there is one, links that no layer is without are taken out of one at the end, where the layer stays connected.

The idea is the papers'; how layers are searched for and the rule for the last hop were written without their full text.

An articulation point is safe in no layer, and a bridge missing from none. What else is left depends on how many
layers there are: on a ring every layer can do without one link only.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.graph import Graph, compile_network
from homing.overlay.network import Network, nowhere
from homing.overlay.trees import NO_BROKER, NO_DEADLINE, grow

Protect = Literal["brokers", "links"]
PROTECT: tuple[Protect, ...] = ("brokers", "links")
ATTEMPTS = 20  # orders in which brokers are tried before what is left unprotected is left
NO_LINK = -1


@dataclass(frozen=True)
class Layers:
    """Routes of all layers, [layer, destination, broker]; layer 0 is the network itself."""

    network: Network
    links: npt.NDArray[np.bool_]  # [layer, link]: which links a layer has
    safe: tuple[int, ...]  # the layer in which a broker is safe; 0: none
    hops: npt.NDArray[np.uint16]  # the next hop; NO_BROKER if there is no way
    over: npt.NDArray[np.int32]  # the link to it; NO_LINK if there is no way
    lengths: npt.NDArray[np.int32]  # how many hops; only where there is a way
    articulations: tuple[int, ...]  # brokers that cannot be safe in any layer
    bridges: tuple[int, ...]  # links that cannot be missing from any layer

    @property
    def count(self) -> int:
        """Layers beside the network itself."""
        return len(self.links) - 1

    @cached_property
    def unsafe(self) -> tuple[int, ...]:
        """Brokers that are safe in no layer, but could be if there were more layers."""
        return tuple(u for u, layer in enumerate(self.safe) if not layer and u not in self.articulations)

    @cached_property
    def exposed(self) -> tuple[int, ...]:
        """Links that are in every layer, but could be missing from one if there were more layers."""
        everywhere = np.flatnonzero(self.links.all(axis=0)).tolist()
        return tuple(link for link in everywhere if link not in self.bridges)

    def layer_for(self, broker: int, failed_next_hop: int, failed_link: int, destination: int) -> int | None:
        """The layer with which the broker that notices the failure marks a packet; None: no layer helps."""
        spare = self.safe[failed_next_hop]
        if destination == failed_next_hop or not spare:
            choices = (spare, self.safe[broker], *range(1, self.count + 1))
            spare = next((layer for layer in choices if layer and not self.links[layer, failed_link]), 0)
        return spare if spare and self.hops[spare, destination, broker] != NO_BROKER else None

    def path(self, source: int, destination: int, failed_link: int | None = None) -> list[int] | None:
        """The brokers a packet visits when a link is down; None if it is lost."""
        layer, visited = 0, [source]
        while visited[-1] != destination:
            u = visited[-1]
            link = int(self.over[layer, destination, u])
            if link == failed_link and link != NO_LINK:
                chosen = self.layer_for(u, int(self.hops[layer, destination, u]), link, destination)
                if layer or not chosen:
                    return None
                layer = chosen
                continue
            if link == NO_LINK or len(visited) > 2 * len(self.network.brokers):
                return None
            visited.append(int(self.hops[layer, destination, u]))
        return visited

    def path_in(self, layer: int, source: int, destination: int) -> list[int] | None:
        """The brokers a packet visits that is marked with a layer from its start; None if there is no way."""
        visited = [source]
        while visited[-1] != destination:
            hop = int(self.hops[layer, destination, visited[-1]])
            if hop == NO_BROKER:
                return None
            visited.append(hop)
        return visited


def build(network: Network, count: int, seed: int = 0, protect: Protect = "brokers") -> Layers:
    """As many layers as wished, beside the network itself, with the brokers or links they protect shared out evenly."""
    if count < 1:
        raise HomingError(
            f"{count} layers protect nothing: at least 1 beside the network itself", nowhere(network.name)
        )
    if protect not in PROTECT:
        raise HomingError(f"layers cannot protect '{protect}'", None, PROTECT)
    one_way = next((link.name for link in network.links if link.directed), None)
    if one_way is not None:
        raise HomingError(f"layers need links that carry both ways, and '{one_way}' does not", nowhere(network.name))
    rng = random.Random(seed)
    whole = _Attempt(network, 0)
    articulations = tuple(u for u in range(len(network.brokers)) if not whole.spares_broker(0, u))
    bridges = tuple(link for link in range(len(network.links)) if not whole.spares_link(0, link))
    best: _Attempt | None = None
    for _ in range(ATTEMPTS):
        attempt = _Attempt(network, count)
        if protect == "brokers":
            attempt.share_brokers(rng, articulations)
        attempt.share_links(rng, bridges)
        best = min(best or attempt, attempt, key=lambda each: each.missed(protect, articulations, bridges))
        if best.missed(protect, articulations, bridges)[:2] == (0, 0):
            break
    assert best is not None
    return _routed(network, best, articulations, bridges)


class _Attempt:
    """Layers while links are taken out of them: `at[layer][broker]` are the links that are left."""

    def __init__(self, network: Network, count: int) -> None:
        self.ends = [(link.source, link.target) for link in network.links]
        at: list[set[int]] = [set() for _ in network.brokers]
        for number, (a, b) in enumerate(self.ends):
            at[a].add(number)
            at[b].add(number)
        self.at = [[set(links) for links in at] for _ in range(count + 1)]
        self.safe = [0] * len(network.brokers)
        self.load = [0] * (count + 1)  # of each layer: brokers or links that it protects
        self.without = [0] * len(self.ends)  # of each link: layers that lack it

    def share_brokers(self, rng: random.Random, articulations: tuple[int, ...]) -> None:
        """Makes each broker safe in the layer that has the fewest so far, of those where it can be."""
        brokers = [u for u in range(len(self.safe)) if u not in articulations]
        rng.shuffle(brokers)
        for u in brokers:
            for layer in self._lightest():
                if self.spares_broker(layer, u):
                    self._make_safe(layer, u, rng)
                    break

    def _make_safe(self, layer: int, u: int, rng: random.Random) -> None:
        links = sorted(self.at[layer][u])
        rng.shuffle(links)
        # A link that some other layer lacks may stay; one that all have is better lost here.
        links.sort(key=lambda link: self.without[link] == 0)
        for link in links[1:]:
            self._remove(layer, link)
        self.safe[u] = layer
        self.load[layer] += 1

    def share_links(self, rng: random.Random, bridges: tuple[int, ...]) -> None:
        """Takes each link that is in every layer out of one that stays connected."""
        left = [link for link, lacking in enumerate(self.without) if not lacking and link not in bridges]
        rng.shuffle(left)
        for link in left:
            for layer in self._lightest():
                if self.spares_link(layer, link):
                    self._remove(layer, link)
                    self.load[layer] += 1
                    break

    def missed(
        self, protect: Protect, articulations: tuple[int, ...], bridges: tuple[int, ...]
    ) -> tuple[int, int, int]:
        """What an attempt is judged by, less is better: unsafe brokers, links in every layer, uneven shares."""
        unsafe = self.safe.count(0) - len(articulations) if protect == "brokers" else 0
        return unsafe, self.without.count(0) - len(bridges), max(self.load[1:]) - min(self.load[1:])

    def spares_broker(self, layer: int, u: int) -> bool:
        """Whether the others stay connected without a broker."""
        around = {self._other(link, u) for link in self.at[layer][u]}
        return len(around) < 2 or around <= self._reached(layer, min(around), without=u)

    def spares_link(self, layer: int, link: int) -> bool:
        """Whether a layer stays connected without a link."""
        a, b = self.ends[link]
        return b in self._reached(layer, a, down=link)

    def _reached(self, layer: int, start: int, without: int = -1, down: int = -1) -> set[int]:
        seen, todo = {start, without}, [start]
        while todo:
            u = todo.pop()
            for link in self.at[layer][u]:
                v = self._other(link, u)
                if link != down and v not in seen:
                    seen.add(v)
                    todo.append(v)
        return seen

    def _other(self, link: int, u: int) -> int:
        a, b = self.ends[link]
        return b if a == u else a

    def _lightest(self) -> list[int]:
        return sorted(range(1, len(self.load)), key=lambda layer: self.load[layer])

    def _remove(self, layer: int, link: int) -> None:
        for u in self.ends[link]:
            self.at[layer][u].discard(link)
        self.without[link] += 1


def _routed(network: Network, attempt: _Attempt, articulations: tuple[int, ...], bridges: tuple[int, ...]) -> Layers:
    graph = compile_network(network)
    links = np.zeros((len(attempt.at), graph.links), bool)
    for layer, at in enumerate(attempt.at):
        links[layer, sorted(set().union(*at))] = True
    routes = [_routes(graph, present) for present in links]
    hops, over, lengths = (np.stack([route[kind] for route in routes]) for kind in range(3))
    safe = tuple(attempt.safe)
    return Layers(network, links, safe, hops.astype(np.uint16), over, lengths, articulations, bridges)


def _routes(graph: Graph, present: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[np.int32], ...]:
    """Next hops, links to them and lengths, by the overlay's own shortest paths and tie-break."""
    n = graph.brokers
    trees = grow(graph, np.where(present[graph.link], graph.weight, NO_DEADLINE))
    has = trees.via != NO_BROKER
    hops, over, lengths = (np.full(n * n, nothing, np.int32) for nothing in (NO_BROKER, NO_LINK, 0))
    hops[has] = graph.target[trees.via[has]]
    over[has] = graph.link[trees.via[has]]
    lengths[has] = graph.hops(trees.dist[has])
    return hops.reshape(n, n), over.reshape(n, n), lengths.reshape(n, n)
