"""A fair component, put together in one memory from the partitions that have parts of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from homing.engines.spark.graph.building import NOWHERE
from homing.engines.spark.graph.cutting import BAD, GOOD, edges_inside, inner_cycles
from homing.engines.spark.graph.kernels import FAR, Array
from homing.engines.spark.graph.setting import Ground
from homing.engines.spark.graph.walking import Hop, Node, Walker
from homing.properties.cycles import Digraph, FairCycles
from homing.properties.fairness import Conditions, Word
from homing.properties.lasso import short_cycle

TRIES = 64


@dataclass(frozen=True, eq=False)
class Component:
    """Its pairs are nodes of a graph; that knows its edges by numbers of its own."""

    cycles: FairCycles
    conditions: Conditions
    part: Array
    """By node."""
    pair: Array
    edge: Array
    """By edge of the graph, that of the partition's arena."""

    @property
    def edges(self) -> int:
        return len(self.edge)

    def cycle(self, dist: Callable[[int], Array]) -> tuple[Node, list[Hop]]:
        """A short way around it, and where it is entered; the nearest entries are tried."""
        far = np.empty(len(self.part), np.int64)
        for part in np.unique(self.part).tolist():
            mine = self.part == part
            far[mine] = dist(part)[self.pair[mine]]
        nodes = np.flatnonzero((self.cycles.number >= 0) & (far != FAR))
        nodes = nodes[np.argsort(far[nodes], kind="stable")][:TRIES]
        node, cycle = self._short([(int(far[n]), int(n)) for n in nodes])
        return Node(int(self.part[node]), int(self.pair[node])), cycle

    def around(self, entry: Node) -> list[Hop]:
        """A short way around it from a pair."""
        node = np.flatnonzero((self.part == entry.part) & (self.pair == entry.pair))[0]
        return self._short([(0, int(node))])[1]

    def _short(self, entries: list[tuple[int, int]]) -> tuple[int, list[Hop]]:
        node, cycle = short_cycle(self.cycles, self.conditions, entries)
        graph = self.cycles.graph
        source = np.searchsorted(graph.start, np.array(cycle), "right") - 1
        return node, [
            Hop(int(self.part[n]), int(self.pair[n]), int(self.edge[e]), int(graph.mark[e]))
            for n, e in zip(source.tolist(), cycle)
        ]


def inner_component(walker: Walker, name: int, part: int) -> Component:
    """One that stays in a partition: it may have lost edges on the way to what is fair, so it is found once more."""
    here, arrays = walker.ground(part), walker.supersteps
    inside = np.zeros(here.size, np.uint8)
    inside[: here.own] = arrays.array(GOOD, part) == np.uint64(name)
    pairs, cycles = inner_cycles(here, inside, arrays.array(BAD, part))
    return Component(cycles, here.conditions, np.full(len(pairs), part), pairs, cycles.graph.edge)


def component_of(walker: Walker, name: int, parts: list[int]) -> Component:
    """The component of a name, which has pairs in these partitions."""
    members, first = dict[int, _Members](), 0
    for part in parts:
        members[part] = _Members(np.flatnonzero(walker.supersteps.array(GOOD, part) == np.uint64(name)), first)
        first += len(members[part].pairs)
    lines = [_Part(walker, part, members) for part in parts]
    starts = np.cumsum([0, *(len(line.target) for line in lines)])
    start = np.concatenate([*(line.start[:-1] + low for line, low in zip(lines, starts)), starts[-1:]])
    target, mark = np.concatenate([line.target for line in lines]), np.concatenate([line.mark for line in lines])
    own = np.concatenate([line.pairs for line in lines])
    owner = np.concatenate([np.full(len(line.pairs), line.part) for line in lines])
    number, used = _numbered(lines)
    here = walker.ground(parts[0])
    state = (own // here.setting.states).astype(np.uint32)
    graph = Digraph(here.arena, start, target, number, state, mark, here.setting.marks)
    alive = np.ones(len(target), np.bool_)
    cycles = FairCycles(graph, np.zeros(len(own), np.int32), alive)
    return Component(cycles, _conditions(walker, here, used), owner, own, np.concatenate([line.edge for line in lines]))


class _Members(NamedTuple):
    """The pairs of a partition that are in it, in order; they are nodes from `first` on."""

    pairs: Array
    first: int

    def nodes(self, pairs: Array) -> Array:
        """By pair its node, or -1."""
        at = np.minimum(np.searchsorted(self.pairs, pairs), len(self.pairs) - 1)
        found: Array = np.where(self.pairs[at] == pairs, self.first + at, -1)
        return found


class _Part:
    """What one partition has of it."""

    def __init__(self, walker: Walker, part: int, members: dict[int, _Members]) -> None:
        here, arrays, states = walker.ground(part), walker.supersteps, walker.setting.states
        self.part = part
        self.pairs, first = members[part]
        inside = np.full(here.size, -1, np.int64)
        inside[self.pairs] = first + np.arange(len(self.pairs))
        by_state = inside.reshape(-1, states)
        for owner in np.unique(here.piece.owner).tolist():
            if owner in members:
                local = arrays.piece(owner).mirrored(part)
                there = np.flatnonzero(local != NOWHERE)
                pairs = local[there][:, None] * states + np.arange(states)
                by_state[here.piece.first_ghost(owner) + there] = members[owner].nodes(pairs)
        cut = here.cut((inside >= 0).astype(np.uint8), arrays.array(BAD, part))
        self.start, self.target, self.edge, self.mark = edges_inside(here, cut, inside, first, len(self.pairs))


def _numbered(lines: list[_Part]) -> tuple[Array, list[tuple[int, Array]]]:
    """By edge a number that those with the same edge of an arena share; and by partition the edges in this order."""
    numbers, used, first = [], [], 0
    for line in lines:
        edges, number = np.unique(line.edge, return_inverse=True)
        numbers.append(number + first)
        used.append((line.part, edges))
        first += len(edges)
    return np.concatenate(numbers).astype(np.uint32), used


def _conditions(walker: Walker, here: Ground, used: list[tuple[int, Array]]) -> Conditions:
    always, words = len(here.always), []
    for n in range(len(here.give)):
        give = np.concatenate([walker.ground(part).give[n, edges] for part, edges in used])
        if n < always:
            words.append(Word(here.always[n : n + 1], give))
        else:
            need = np.concatenate([walker.ground(part).need[n - always, edges] for part, edges in used])
            words.append(Word(np.zeros(1, np.uint64), give, need))
    return Conditions(tuple(words), here.conditions.everywhere)
