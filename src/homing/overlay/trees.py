"""The normal state, computed once for a network: trees towards every broker, and what has to be delivered."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from homing.overlay.graph import I64, MICROSECONDS, Graph, compile_network
from homing.overlay.network import Network
from homing.overlay.portions import Look, Progress, nothing, portions, unseen

U16 = npt.NDArray[np.uint16]
NO_DEADLINE = np.int64(2**61)
NO_BROKER = 65535


@dataclass(frozen=True)
class Trees:
    """Flat tables by destination: entry d * n + u is about the way from u to d."""

    dist: I64
    via: U16
    order: U16
    at: U16
    size: U16
    delay: I64


@dataclass(frozen=True)
class State:
    """A compiled network: graph, normal trees and pairs; everything a chunk of scenarios needs."""

    network: Network
    graph: Graph
    trees: Trees
    wanted: npt.NDArray[np.uint8]
    deadline: I64  # empty when no topic has one

    @property
    def size(self) -> int:
        return self.graph.brokers

    @cached_property
    def hops(self) -> U16:
        """Normal next hops, flat by destination; NO_BROKER where there is none."""
        via = self.trees.via
        hops = np.full(len(via), NO_BROKER, np.uint16)
        has = via != NO_BROKER
        hops[has] = self.graph.target[via[has]].astype(np.uint16)
        return hops

    @cached_property
    def slot(self) -> U16:
        """Each arc's first parallel: one entry of a table for all links between two brokers."""
        graph = self.graph
        slots = np.arange(graph.arcs, dtype=np.int64)
        same = (graph.source[1:] == graph.source[:-1]) & (graph.target[1:] == graph.target[:-1])
        slots[1:][same] = 0
        return np.maximum.accumulate(slots).astype(np.uint16)

    @cached_property
    def normal_faults(self) -> I64:
        """Pairs cut off, and late, with nothing failed."""
        wanted = self.wanted == 1
        cut = wanted & (self.trees.dist >= NO_DEADLINE)
        late = (wanted & ~cut & (self.trees.delay > self.deadline)) if len(self.deadline) else np.zeros(1, bool)
        return np.array([cut.sum(), late.sum()], np.int64)

    @cached_property
    def destinations(self) -> npt.NDArray[np.uint32]:
        """Brokers that somebody has to reach."""
        return np.flatnonzero(self.wanted.reshape(self.size, self.size).any(axis=1)).astype(np.uint32)

    @cached_property
    def mean_hops(self) -> float:
        reached = (self.trees.dist < NO_DEADLINE) & (self.trees.dist > 0)
        return float(self.graph.hops(self.trees.dist[reached]).mean()) if reached.any() else 0.0


def prepare(network: Network, look: Look = nothing, progress: Progress = unseen) -> State:
    """Computes the normal state of a network."""
    graph = compile_network(network)
    n = graph.brokers
    wanted, deadline = _everyone(n) if not network.topics else _topics(network)
    return State(network, graph, grow(graph, graph.weight, look, progress), wanted, deadline)


def _everyone(n: int) -> tuple[npt.NDArray[np.uint8], I64]:
    return 1 - np.eye(n, dtype=np.uint8).ravel(), np.zeros(0, np.int64)


def _topics(network: Network) -> tuple[npt.NDArray[np.uint8], I64]:
    n = len(network.brokers)
    wanted = np.zeros(n * n, np.uint8)
    pairs = network.pairs()
    strict = any(limit is not None for limit in pairs.values())
    deadline = np.full(n * n if strict else 0, NO_DEADLINE, np.int64)
    for (publisher, subscriber), limit in pairs.items():
        wanted[subscriber * n + publisher] = 1
        if limit is not None:
            deadline[subscriber * n + publisher] = round(limit * MICROSECONDS)
    return wanted, deadline


def grow(graph: Graph, weight: I64, look: Look = nothing, progress: Progress = unseen) -> Trees:
    """Trees from scratch, with the weights given; those of failed arcs are infinite."""
    from homing.overlay.kernels.trees import all_trees

    n = graph.brokers
    trees = Trees(
        dist=np.zeros(n * n, np.int64),
        via=np.zeros(n * n, np.uint16),
        order=np.zeros(n * n, np.uint16),
        at=np.zeros(n * n, np.uint16),
        size=np.zeros(n * n, np.uint16),
        delay=np.zeros(n * n, np.int64),
    )
    t, g = trees, graph
    for low, high in portions(0, n - 1, n, look):
        all_trees(
            low, high + 1, n, g.first, g.source, g.target, weight, g.latency, g.back_first, g.back,
            t.dist, t.via, t.order, t.at, t.size, t.delay,
        )  # fmt: skip
        progress(high + 1, n)
    return trees
