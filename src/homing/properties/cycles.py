"""Fair cycles: components of a graph in which a behaviour can go on for ever and be fair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.temporal import Fairness
from homing.properties import kernels
from homing.properties.arena import Arena
from homing.properties.fairness import Conditions, conditions_of

Array = NDArray[Any]
NO_BITS = np.uint64(0)


@dataclass(frozen=True, eq=False)
class Digraph:
    """What cycles are looked for in: nodes stand for states of an arena, edges for its edges."""

    arena: Arena
    start: Array
    target: Array
    edge: Array
    """By edge, the edge of the arena that it stands for."""
    state: Array
    """By node, the state that it stands for."""
    mark: Array
    """By edge, marks of an automaton."""
    marks: int = 0
    """The marks that a cycle must have."""

    @property
    def nodes(self) -> int:
        return len(self.start) - 1


@dataclass(frozen=True, eq=False)
class FairCycles:
    """The fair components: `number[v]` is that of node v, or -1; only `alive` edges are inside one."""

    graph: Digraph
    number: Array
    alive: Array

    @property
    def found(self) -> bool:
        return bool((self.number >= 0).any())


def of_arena(arena: Arena) -> Digraph:
    """The arena itself as a graph to look for cycles in."""
    edge = np.arange(len(arena.target), dtype=np.uint32)
    mark = np.zeros(len(arena.target), np.uint64)
    return Digraph(arena, arena.start, arena.target, edge, np.arange(arena.states, dtype=np.uint32), mark)


def some_behaviour(arena: Arena, fairness: tuple[Fairness, ...]) -> bool:
    """Whether any behaviour is fair: all of the arena is reachable, so any fair cycle will do."""
    asked = ("behaviour", fairness)
    if asked not in arena.kept:
        nodes = np.arange(arena.states, dtype=np.uint32)
        arena.kept[asked] = fair_cycles(of_arena(arena), conditions_of(arena, fairness), nodes).found
    return bool(arena.kept[asked])


def fair_cycles(graph: Digraph, fair: Conditions, nodes: Array, alive: Array | None = None) -> FairCycles:
    """All fair components among the nodes; live edges from `nodes` must lead to `nodes`.

    A component that needs what it cannot give loses the edges that need it and is split again, until every component
    is fair or empty: Streett emptiness by recursive removal (Emerson and Lei 1987), here in rounds.
    """
    if alive is None:
        alive = np.ones(len(graph.target), np.bool_)
    number = np.full(graph.nodes, -1, np.int32)
    comp = np.full(graph.nodes, -1, np.int32)
    nodes = np.asarray(nodes, np.uint32)
    found = 0
    while len(nodes):
        count = kernels.components(graph.start, graph.target, alive, nodes, comp)
        good, again = _judge(graph, fair, nodes, alive, comp, count)
        mine = comp[nodes]
        inside = good[mine]
        number[nodes[inside]] = mine[inside] + found
        found += count
        nodes = nodes[again[mine]]
    return FairCycles(graph, number, alive)


def _judge(
    graph: Digraph, fair: Conditions, nodes: Array, alive: Array, comp: Array, count: int
) -> tuple[Array, Array]:
    """By component whether it is fair, and whether a part of it may be; what may not be used of it is dropped."""
    union, inner = np.zeros(count, np.uint64), np.zeros(count, np.bool_)
    kernels.gather(graph.start, graph.target, alive, nodes, comp, graph.mark, union, inner)
    wanted = np.uint64(graph.marks)
    good = inner & ((union & wanted) == wanted)
    again = np.zeros(count, np.bool_)
    if not good.any():
        return good, again
    lacking = []
    for word in fair.words:
        given = _union(graph, alive, nodes, comp, word.give, count)
        if word.need is None:
            good &= (given & word.bits[0]) == word.bits[0]
        else:
            lacking.append((word.need, _union(graph, alive, nodes, comp, word.need, count) & ~given))
    hopeful = good.copy()
    for _, bad in lacking:
        good &= bad == NO_BITS
    if fair.everywhere:
        _cover(graph, nodes, alive, comp, good)
        return good, again
    again = hopeful & ~good
    for need, bad in lacking:
        bad[~again] = NO_BITS
        kernels.drop_edges(graph.start, alive, nodes, comp, graph.edge, need, bad)
    return good, again


def _union(graph: Digraph, alive: Array, nodes: Array, comp: Array, mark: Array, count: int) -> Array:
    union = np.zeros(count, np.uint64)
    kernels.gather_through(graph.start, alive, nodes, comp, graph.edge, mark, union)
    return union


def _cover(graph: Digraph, nodes: Array, alive: Array, comp: Array, good: Array) -> None:
    bad = np.zeros(len(good), np.bool_)
    inside = nodes[good[comp[nodes]]]
    order = inside[np.argsort(comp[inside], kind="stable")]
    arena = graph.arena
    kernels.uncovered(graph.start, alive, order, comp, graph.edge, graph.state, arena.start, arena.real, bad)
    good &= ~bad
