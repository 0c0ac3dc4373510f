"""Tables followed hop by hop under one colour: what becomes of every message, and where it goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

import numpy as np
import numpy.typing as npt

from homing.overlay.colours import Failure
from homing.overlay.edits import Edits
from homing.overlay.graph import I64
from homing.overlay.trees import NO_BROKER, NO_DEADLINE, U16, State


class Outcome(IntEnum):
    """What became of a message; ABSENT: its publisher or subscriber was at a failed broker."""

    DELIVERED = 0
    PARTITIONED = 1
    LOOPED = 2
    WRONG = 3
    LATE = 4
    ABSENT = 5

    def __str__(self) -> str:
        return {Outcome.WRONG: "wrong table", Outcome.LATE: "deadline missed"}.get(self, self.name.lower())


@dataclass(frozen=True)
class Walks:
    """All messages to one destination under one colour."""

    outcome: npt.NDArray[np.uint8]
    culprit: npt.NDArray[np.uint32]
    delay: I64
    hops: U16


@dataclass(frozen=True)
class Weather:
    """One failure on a network: what is down, and the right routes around it."""

    state: State
    failure: Failure

    @cached_property
    def weight(self) -> I64:
        """Weights of arcs; infinite where they are down."""
        graph = self.state.graph
        weight = graph.weight.copy()
        down = np.zeros(graph.links + graph.brokers, bool)
        down[list(self.failure)] = True
        links, brokers = down[: graph.links], down[graph.links :]
        weight[links[graph.link] | brokers[graph.source] | brokers[graph.target]] = NO_DEADLINE
        return weight

    @cached_property
    def dead(self) -> npt.NDArray[np.uint8]:
        dead = np.zeros(self.state.size, np.uint8)
        links = self.state.graph.links
        dead[[element - links for element in self.failure if element >= links]] = 1
        return dead

    @cached_property
    def _tables(self) -> tuple[I64, U16, set[int]]:
        n = self.state.size
        return np.zeros(n * n, np.int64), np.zeros(n * n, np.uint16), set()

    def right(self, destination: int) -> tuple[I64, U16]:
        """Distances and next hops towards a destination, computed from scratch."""
        from homing.overlay.kernels.walks import reference

        dist, via, known = self._tables
        g, n = self.state.graph, self.state.size
        if destination not in known:
            reference(destination, n, g.first, g.source, g.target, self.weight, g.back_first, g.back, dist, via)
            known.add(destination)
        row = slice(destination * n, (destination + 1) * n)
        hops = np.full(n, NO_BROKER, np.uint16)
        has = via[row] != NO_BROKER
        hops[has] = g.target[via[row][has]].astype(np.uint16)
        return dist[row], hops

    def table(self, colour: int, destination: int, edits: Edits | None) -> U16:
        """Next hops towards a destination, with the edited entries."""
        hops = self.right(destination)[1].copy()
        for broker, hop in (edits.row(colour, destination) if edits else {}).items():
            hops[broker] = hop
        return hops

    def walk(self, destination: int, hops: U16) -> Walks:
        """Follows next hops from every broker; pairs with a failed end are absent."""
        from homing.overlay.kernels.walks import walk

        g, n = self.state.graph, self.state.size
        outcome, culprit, delay = np.zeros(n, np.uint8), np.zeros(n, np.uint32), np.zeros(n, np.int64)
        dist = self.right(destination)[0]
        walk(destination, n, hops, g.first, g.target, self.weight, g.latency, dist, outcome, culprit, delay)
        if len(self.state.deadline):
            limit = self.state.deadline[destination * n : (destination + 1) * n]
            outcome[(outcome == Outcome.DELIVERED) & (delay > limit)] = Outcome.LATE
        outcome[self.dead == 1] = Outcome.ABSENT
        if self.dead[destination]:
            outcome[:] = Outcome.ABSENT
        return Walks(outcome, culprit, delay, hops)

    def path(self, source: int, destination: int, hops: U16) -> list[int]:
        """Brokers that a message visits: up to its destination, a dead end, or the first one twice."""
        g = self.state.graph
        up = self.weight < NO_DEADLINE
        visited = [source]
        while visited[-1] != destination and hops[visited[-1]] != NO_BROKER:
            u, v = visited[-1], int(hops[visited[-1]])
            arcs = slice(int(g.first[u]), int(g.first[u + 1]))
            if not ((g.target[arcs] == v) & up[arcs]).any():
                break
            visited.append(v)
            if v in visited[:-1]:
                break
        return visited
