"""Tables that brokers follow: computed once for each set of failed links, whoever asks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.colours import NORMAL, Block, Combinations, Scenarios
from homing.overlay.layers import Layers, build
from homing.overlay.network import Network
from homing.overlay.tables import Tables, plan
from homing.overlay.trees import NO_BROKER, State, grow, prepare

Links = frozenset[int]
NO_LINK = -1
DOWN = np.int64(2**61)  # the weight of a failed arc
MOST_LISTED = 200_000  # colours with brokers, whose links have to be listed
KEPT = 50_000_000  # entries of tables that are kept for later


@dataclass
class Routes:
    """Of one network, shared by all runs on it. A table says for [destination, broker] by which link to go on."""

    scenarios: Scenarios
    _shortest: dict[Links, npt.NDArray[np.int32]] = field(default_factory=dict)
    _planned: dict[int, npt.NDArray[np.int32]] = field(default_factory=dict)

    _layers: dict[int, Layers] = field(default_factory=dict)

    @property
    def network(self) -> Network:
        return self.scenarios.network

    @cached_property
    def state(self) -> State:
        return prepare(self.network)

    @cached_property
    def tables(self) -> Tables:
        """What `homing overlay plan` computes: the tables of all colours, ready before anything fails."""
        return plan(self.scenarios, self.state)

    def shortest(self, failed: Links) -> npt.NDArray[np.int32]:
        """Shortest paths over what is left, from scratch: what a router of OSPF computes."""
        if failed not in self._shortest:
            self._make_room(self._shortest)
            graph = self.state.graph
            weight = graph.weight.copy()
            weight[np.isin(graph.link, list(failed))] = DOWN
            via = grow(graph, weight).via
            links = np.full(len(via), NO_LINK, np.int32)
            has = via != NO_BROKER
            links[has] = graph.link[via[has]].astype(np.int32)
            self._shortest[failed] = links.reshape(graph.brokers, graph.brokers)
        return self._shortest[failed]

    def planned(self, colour: int) -> npt.NDArray[np.int32]:
        """The table of a colour: the plan's next hops, each over the first link that the colour has up."""
        if colour not in self._planned:
            self._make_room(self._planned)
            self._planned[colour] = self.links_of(self.tables.hops(colour), self.down(colour))
        return self._planned[colour]

    def links_of(self, hops: npt.NDArray[np.uint16], failed: Links) -> npt.NDArray[np.int32]:
        """Links to the next hops [destination, broker]: of parallel ones the cheapest that has not failed."""
        n = self.state.size
        best = np.full((n, n + 1), NO_LINK, np.int32)
        graph = self.state.graph
        for arc in reversed(range(graph.arcs)):  # the first in the order of the tie-break is written last
            if int(graph.link[arc]) not in failed:
                best[graph.source[arc], graph.target[arc]] = graph.link[arc]
        hop = np.where(hops == NO_BROKER, n, hops).astype(np.int64)
        return best[np.arange(n)[None, :], hop]

    def layers(self, count: int) -> Layers:
        """Resilient Routing Layers of this network; part of its configuration, so the same under every seed."""
        if count not in self._layers:
            self._layers[count] = build(self.network, count)
        return self._layers[count]

    def down(self, colour: int) -> Links:
        """The links that are down under a colour, those of failed brokers with them."""
        links, found = len(self.network.links), set()
        for element in self.scenarios.failure(colour):
            found |= {element} if element < links else self._links_at(element - links)
        return frozenset(found)

    def colour(self, failed: Links) -> int | None:
        """The colour under which just these links are down, if there is one."""
        found = self.scenarios.colour(failed)
        return found if found is not None else self._by_links.get(failed)

    @cached_property
    def _by_links(self) -> dict[Links, int]:
        """Colours by the links that are down, where brokers fail: neighbours notice only their links."""
        if not any(_has_brokers(block, len(self.network.links)) for block in self.scenarios.blocks):
            return {}
        if len(self.scenarios) > MOST_LISTED:
            raise HomingError(f"{len(self.scenarios)} colours, some with brokers, are too many to simulate")
        found: dict[Links, int] = {}
        for colour in range(NORMAL + 1, len(self.scenarios) + 1):
            found.setdefault(self.down(colour), colour)
        return found

    def _make_room(self, kept: dict[Any, npt.NDArray[np.int32]]) -> None:
        """Failures at random meet ever new sets of links."""
        if (len(kept) + 1) * self.state.size**2 > KEPT:
            kept.clear()

    def _links_at(self, broker: int) -> set[int]:
        return {at for at, link in enumerate(self.network.links) if broker in (link.source, link.target)}


def _has_brokers(block: Block, links: int) -> bool:
    if isinstance(block, Combinations):
        return block.first + block.count > links
    return any(max(failure) >= links for failure in block.failures)
