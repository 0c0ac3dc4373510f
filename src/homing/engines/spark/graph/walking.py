"""Paths through pieces: back from a pair by its distance, then as a trace."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np

from homing.core.interpreter import ReplayFailed, replay
from homing.core.system import TransitionSystem
from homing.core.values import State
from homing.core.witness import STUTTER, Branch, Move, Trace
from homing.engines.spark.graph.reaching import Distances
from homing.engines.spark.graph.setting import Ground, Setting, ground
from homing.engines.spark.graph.supersteps import Supersteps
from homing.properties.fairness import explain


class Node(NamedTuple):
    """A pair of a partition's own."""

    part: int
    pair: int


class Hop(NamedTuple):
    """An edge of a partition's piece, from one of its pairs, and the marks of the automaton's transition."""

    part: int
    pair: int
    edge: int
    mark: int


@dataclass
class Walk:
    """Hops from a node on, and where they end; from position `loop` on they repeat for ever."""

    end: Node
    hops: list[Hop] = field(default_factory=list)
    loop: int | None = None
    branches: list[tuple[int | None, str, Walk]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def nodes(self) -> list[Node]:
        return [*(Node(hop.part, hop.pair) for hop in self.hops), self.end]


class Walker:
    """Follows paths in this process, with a few pieces in memory."""

    def __init__(self, supersteps: Supersteps, setting: Setting) -> None:
        self.supersteps = supersteps
        self.setting = setting

    def ground(self, part: int) -> Ground:
        return ground(self.supersteps.piece(part), self.setting)

    def state(self, node: Node) -> State:
        return self.supersteps.piece(node.part).state(node.pair // self.setting.states)

    def back(self, end: Node, to: Distances) -> list[Hop]:
        """The hops of a shortest path to a node."""
        hops: list[Hop] = []
        node = end
        left = int(self.supersteps.array(to.into, node.part)[node.pair])
        while left > 0:
            hop = self._before(node.part, node.pair, left, to)
            if hop is None:
                hop = self._from_elsewhere(node, left, to)
            hops.append(hop)
            node, left = Node(hop.part, hop.pair), left - 1
        return hops[::-1]

    def _from_elsewhere(self, node: Node, left: int, to: Distances) -> Hop:
        part = int(self.supersteps.array(f"{to.into}-via", node.part)[node.pair])
        states = self.setting.states
        ghost = self.ghost(node, part) if part >= 0 else None
        hop = None if ghost is None else self._before(part, ghost * states + node.pair % states, left, to)
        if hop is None:
            raise ReplayFailed(f"no state leads to {self.state(node)}")
        return hop

    def ghost(self, node: Node, part: int) -> int | None:
        """The state that stands for a node's in another partition."""
        mirrored = self.supersteps.piece(node.part).mirrored(part)
        found = np.flatnonzero(mirrored == node.pair // self.setting.states)
        return self.supersteps.piece(part).first_ghost(node.part) + int(found[0]) if len(found) else None

    def _before(self, part: int, pair: int, left: int, to: Distances) -> Hop | None:
        """An edge of a partition that leads to a pair, from one that is nearer by one."""
        here = self.ground(part)
        view, arrays = here.view, self.supersteps
        dist = arrays.array(to.into, part)
        expanding = None if to.expanding is None else arrays.array(to.expanding, part)
        bad = None if to.bad is None else arrays.array(to.bad, part).reshape(len(here.need), here.own)
        target, q = divmod(pair, view.states)
        for edge in view.back[view.into[target] : view.into[target + 1]].tolist():
            at = q * view.letters + int(view.letter[edge])
            for other in view.origin_source[view.origin_start[at] : view.origin_start[at + 1]].tolist():
                before = int(view.source[edge]) * view.states + other
                if dist[before] != left - 1 or (expanding is not None and not expanding[before]):
                    continue
                if to.cyclic and view.component[other] != view.component[q]:
                    continue
                if bad is None or not (here.need[:, edge] & bad[:, before]).any():
                    return Hop(part, before, edge, _mark(here, other, edge, q))
        return None

    def target(self, hop: Hop, state: int) -> Node:
        """The node that a hop leads to, with this state of the automaton."""
        piece = self.supersteps.piece(hop.part)
        target = int(self.ground(hop.part).arena.target[hop.edge])
        states = self.setting.states
        if target < piece.own:
            return Node(hop.part, target * states + state)
        owner = int(piece.owner[target - piece.own])
        local = self.supersteps.piece(owner).mirrored(hop.part)[target - piece.first_ghost(owner)]
        return Node(owner, int(local) * states + state)

    # As a trace

    def trace(self, walk: Walk, system: TransitionSystem) -> Trace:
        """The walk, which starts in an initial state, replayed by the plain interpreter."""
        trace = self.steps(walk, system)
        replay(system, trace)
        return trace

    def steps(self, walk: Walk, system: TransitionSystem) -> Trace:
        """The walk as it is, from wherever it starts."""
        shape, hops, nodes = system.shape, walk.hops, walk.nodes
        if walk.loop is not None and all(self._stutters(hop) for hop in hops[walk.loop :]):
            hops, nodes = hops[: walk.loop], nodes[: walk.loop + 1]  # it stays where it is
        branches = tuple(
            Branch(None if at is None else min(at, len(hops)), why, self.steps(branch, system))
            for at, why, branch in walk.branches
        )
        return Trace(
            tuple(map(str, shape.slots)),
            tuple(self.state(node) for node in nodes),
            tuple(self.move(hop) for hop in hops),
            walk.loop,
            branches,
            tuple(walk.notes),
            shape.notation,
        )

    def _stutters(self, hop: Hop) -> bool:
        arena = self.ground(hop.part).arena
        return int(arena.group[hop.edge]) >= len(arena.columns.shape.groups)

    def move(self, hop: Hop) -> Move:
        """What happens along a hop."""
        if self._stutters(hop):
            return STUTTER
        arena = self.ground(hop.part).arena
        event = self.supersteps.piece(hop.part).events[arena.event[hop.edge]]
        return Move(arena.columns.shape.mover(arena.group[hop.edge]), event)

    def explained(self, loop: Sequence[Hop]) -> list[str]:
        """How a loop is fair; where it goes through several partitions, the strongest of what each says."""
        parts = sorted({hop.part for hop in loop})
        told = []
        for part in parts:
            edges = np.array([hop.edge for hop in loop if hop.part == part])
            told.append(explain(self.ground(part).arena, self.setting.fairness, edges))
        return [_strongest(notes) for notes in zip(*told)]


def _strongest(notes: Iterable[str]) -> str:
    """That something is taken says more than that it was disabled, and that more than that it never was enabled."""

    def rank(note: str) -> tuple[bool, bool]:
        return ": never " in note, ": disabled " in note

    return min(notes, key=rank)


def _mark(here: Ground, before: int, edge: int, after: int) -> int:
    """The marks of a transition between two states of the automaton; of several, the one with the most."""
    view = here.view
    at = before * view.letters + int(view.letter[edge])
    ways = range(int(view.delta_start[at]), int(view.delta_start[at + 1]))
    return max((int(view.delta_mark[way]) for way in ways if view.delta_target[way] == after), key=int.bit_count)


def rolled(walk: Walk) -> Walk:
    """The same with its loop begun as early as possible: where the way in ends like the loop does."""
    assert walk.loop is not None
    way, around, end = walk.hops[: walk.loop], walk.hops[walk.loop :], walk.end
    while way and way[-1] == around[-1]:
        around.insert(0, around.pop())
        way.pop()
        end = Node(around[0].part, around[0].pair)
    return replace(walk, end=end, hops=way + around, loop=len(way))
