"""A short fair cycle out of a fair component, and a path as a trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.interpreter import replay
from homing.core.system import TransitionSystem
from homing.core.witness import STUTTER, Branch, Move, Trace
from homing.properties import kernels
from homing.properties.arena import Arena
from homing.properties.cycles import FairCycles
from homing.properties.fairness import Conditions
from homing.properties.kernels.product import NONE

Array = NDArray[Any]
TRIES = 64
"""Nodes that a short cycle is looked for from."""
SMALL = 20_000
"""Edges of a graph in which looking that often costs nothing."""


@dataclass
class Path:
    """Edges of an arena from a state on; from position `loop` on they repeat for ever."""

    first: int
    edges: list[int] = field(default_factory=list)
    loop: int | None = None
    branches: list[tuple[int | None, str, Path]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def states(self, arena: Arena) -> list[int]:
        """The states that it goes through."""
        return [self.first, *(int(arena.target[edge]) for edge in self.edges)]


def short_cycle(cycles: FairCycles, fair: Conditions, entries: Iterable[tuple[int, int]]) -> tuple[int, list[int]]:
    """An entry and a fair cycle from it and back, as edges of the graph; of a few entries (distance, node), given
    nearest first, the one with the shortest way there and around."""
    best: tuple[int, int, list[int]] | None = None
    tries = TRIES if len(cycles.graph.target) <= SMALL else 1
    for number, (distance, entry) in enumerate(entries):
        if number >= tries or (best is not None and distance + 1 >= best[0]):
            break
        cycle = _cycle(cycles, fair, entry)
        if best is None or distance + len(cycle) < best[0]:
            best = (distance + len(cycle), entry, cycle)
    assert best is not None
    return best[1:]


def _cycle(cycles: FairCycles, fair: Conditions, entry: int) -> list[int]:
    """Goes to the nearest edge that gives something still missing, until nothing is, and then back."""
    graph, nothing = cycles.graph, np.zeros(len(cycles.graph.target), np.bool_)
    cycle = list(map(int, kernels.shortest(graph.start, graph.target, cycles.alive, entry, nothing, entry)))
    wanted = _missing(cycles, fair, entry, cycle)
    if wanted is None:
        return cycle
    cycle, at = [], entry
    while wanted is not None:
        cycle += map(int, kernels.shortest(graph.start, graph.target, cycles.alive, at, wanted, -1))
        at = int(graph.target[cycle[-1]])
        back: list[int] = []
        if at != entry:
            back = list(map(int, kernels.shortest(graph.start, graph.target, cycles.alive, at, nothing, entry)))
        wanted = _missing(cycles, fair, entry, cycle + back)
    return cycle + back


def _missing(cycles: FairCycles, fair: Conditions, entry: int, cycle: list[int]) -> Array | None:
    """The edges of the component that give what the cycle lacks; None when it lacks nothing."""
    graph = cycles.graph
    inside = (cycles.number[graph.target] == cycles.number[entry]) & cycles.alive
    lack = np.uint64(graph.marks) & ~np.bitwise_or.reduce(graph.mark[cycle])
    wanted = (graph.mark & lack) != 0
    some = lack != 0
    edges = graph.edge[cycle]
    for word in fair.words:
        need = word.bits[0] if word.need is None else np.bitwise_or.reduce(word.need[edges])
        lack = need & ~np.bitwise_or.reduce(word.give[edges])
        if lack != 0:
            some = True
            wanted |= (word.give[graph.edge] & lack) != 0
    if fair.everywhere:
        left = inside & ~np.isin(graph.edge, edges)
        some |= bool(left.any())
        wanted |= left
    return (wanted & inside) if some else None


def way_to(arena: Arena, state: int) -> Path:
    """A shortest path from an initial state."""
    one, letter = np.zeros(1, np.int64), np.zeros(arena.states, np.uint32)
    delta = np.array([0, 1], np.int64), np.zeros(1, np.uint32), np.zeros(1, np.uint64)
    pairs = kernels.explore(arena.start, arena.target, letter, False, arena.initial, one, 1, *delta, one - 1)
    position = int(np.flatnonzero(pairs.state == state)[0])
    return way_back(position, pairs.state, pairs.parent, pairs.via)


def way_back(position: int, states: Array, parent: Array, via: Array) -> Path:
    """The path to what was found at a position, through the parents."""
    edges = []
    while parent[position] != NONE:
        edges.append(int(via[position]))
        position = int(parent[position])
    return Path(int(states[position]), edges[::-1])


def trace_of(arena: Arena, path: Path, system: TransitionSystem) -> Trace:
    """The trace of a path that starts in an initial state; replayed by the plain interpreter."""
    trace = _trace(arena, path)
    replay(system, trace)
    return trace


def _trace(arena: Arena, path: Path) -> Trace:
    columns = arena.columns
    shape, graph = columns.shape, columns.graph
    edges, loop = path.edges, path.loop
    if loop is not None and all(arena.group[edge] >= len(shape.groups) for edge in edges[loop:]):
        edges = edges[:loop]  # it stays where it is
    moves = [
        Move(shape.mover(arena.group[edge]), graph.events[arena.event[edge]])
        if arena.group[edge] < len(shape.groups)
        else STUTTER
        for edge in edges
    ]
    states = [graph.state(path.first), *(graph.state(int(arena.target[edge])) for edge in edges)]
    branches = tuple(
        Branch(None if at is None else min(at, len(edges)), why, _trace(arena, branch))
        for at, why, branch in path.branches
    )
    slots = tuple(map(str, shape.slots))
    return Trace(slots, tuple(states), tuple(moves), loop, branches, tuple(path.notes), shape.notation)
