"""A short way around a fair component, wherever its parts are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homing.core.errors import HomingError
from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.branching import Show
from homing.engines.spark.graph.cutting import BAD, GOOD, inner_cycles
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.reaching import Distances, Nearest
from homing.engines.spark.graph.setting import SMALLEST, Setting, ground
from homing.engines.spark.graph.supersteps import Supersteps, fresh
from homing.engines.spark.graph.walking import Hop, Node, Walk, Walker
from homing.properties.lasso import short_cycle

MOST_LEGS = 200
"""Ways from one edge that a cycle needs to the next; each takes supersteps."""
TRIES = 64


@dataclass(frozen=True)
class Wanted:
    """Reports the nearest edge inside a component that gives something lacking, or any where nothing is lacking."""

    setting: Setting
    dist: str
    inside: str
    marks: int
    lacking: tuple[int, ...]

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        anything = not self.marks and not any(self.lacking)
        untaken = np.zeros(len(here.arena.target) if anything else 0, np.uint8)
        best, pair, edge, way = kernels.nearest(
            here.view,
            here.cut(desk.load(self.inside), desk.load(BAD)),
            desk.load(self.dist),
            np.array([self.marks], np.uint64),
            here.give,
            np.array(self.lacking, np.uint64),
            untaken,
        )
        if best >= 0:
            target, mark = int(here.view.delta_target[way]), int(here.view.delta_mark[way])
            desk.report = int(best), Hop(desk.piece.part, int(pair), int(edge), mark), target
        yield from ()


class Lassos:
    """Ways into fair components and around them; GOOD says where these are."""

    def __init__(self, supersteps: Supersteps, setting: Setting) -> None:
        self.supersteps = supersteps
        self.setting = setting
        self.walker = Walker(supersteps, setting)

    def nearest(self, to: Distances, among: str = GOOD) -> Node | None:
        """The nearest of some pairs."""
        reports = self.supersteps.once(Nearest(self.setting, to.into, among))
        found = [(report, part) for part, report in reports.items() if report is not None]
        if not found:
            return None
        (_, _, pair), part = min(found)
        return Node(part, pair)

    def lasso(self, to: Distances) -> Walk:
        """A short way into a fair component, and around it."""
        self.supersteps.fix(to)
        entry = self.nearest(to)
        assert entry is not None
        name = int(self.supersteps.array(GOOD, entry.part)[entry.pair])
        if name < SMALLEST:
            entry, around = self._within(entry, name, to)
        else:
            around = self._around(entry, name)
        way = self.walker.back(entry, to)
        return Walk(entry, way + around, len(way), notes=self.walker.explained(around))

    def _within(self, entry: Node, name: int, to: Distances) -> tuple[Node, list[Hop]]:
        """The same where a component stays in a partition: as the local engine does it."""
        arrays, here = self.supersteps, self.walker.ground(entry.part)
        inside = np.zeros(here.size, np.uint8)
        inside[: here.own] = arrays.array(GOOD, entry.part) == np.uint64(name)
        pairs, cycles = inner_cycles(here, inside, arrays.array(BAD, entry.part))
        dist = arrays.array(to.into, entry.part)[pairs].astype(np.int64)
        nodes = np.flatnonzero((cycles.number >= 0) & (dist != kernels.FAR))
        nodes = nodes[np.argsort(dist[nodes], kind="stable")][:TRIES]
        node, cycle = short_cycle(cycles, here.conditions, [(int(dist[n]), int(n)) for n in nodes])
        graph = cycles.graph
        source = np.repeat(np.arange(graph.nodes), np.diff(graph.start))
        hops = [Hop(entry.part, int(pairs[source[e]]), int(graph.edge[e]), int(graph.mark[e])) for e in cycle]
        return Node(entry.part, int(pairs[node])), hops

    def _around(self, entry: Node, name: int) -> list[Hop]:
        """From edge to edge that gives what is lacking, and back; each leg is a search of its own."""
        if self.walker.ground(entry.part).conditions.everywhere:
            raise HomingError("a loop that takes every step goes through several partitions, and is not shown")
        inside = fresh("inside")
        self.supersteps.fix(Show(self.setting, GOOD, inside, name))
        at, cycle, back = entry, list[Hop](), list[Hop]()
        for _ in range(MOST_LEGS):
            marks, lacking = self._lacking(cycle + back)
            if cycle and not marks and not any(lacking):
                return cycle + back
            there = self._from(at, inside)
            reports = self.supersteps.once(Wanted(self.setting, there.into, inside, marks, lacking))
            _, hop, state = min(report for report in reports.values() if report is not None)
            cycle += [*self.walker.back(Node(hop.part, hop.pair), there), hop]
            at = self.walker.target(hop, state)
            back = self.walker.back(entry, self._from(at, inside)) if at != entry else []
        raise HomingError(f"a loop needs more than {MOST_LEGS} ways to be put together, and is not shown")

    def _from(self, node: Node, inside: str) -> Distances:
        there = Distances(self.setting, fresh("dist"), node, inside, inside, BAD, cyclic=True)
        self.supersteps.fix(there)
        return there

    def _lacking(self, hops: list[Hop]) -> tuple[int, tuple[int, ...]]:
        """The marks, and the bits of each word of conditions, that a cycle of these hops lacks."""
        here = self.walker.ground(hops[0].part if hops else min(self.supersteps.catalog.pieces))
        always, words = len(here.always), len(here.give)
        marks, given, needed = 0, [0] * words, [int(bits) for bits in here.always] + [0] * (words - always)
        for hop in hops:
            there = self.walker.ground(hop.part)
            marks |= hop.mark
            for n in range(words):
                given[n] |= int(there.give[n, hop.edge])
                if n >= always:
                    needed[n] |= int(there.need[n - always, hop.edge])
        return self.setting.marks & ~marks, tuple(need & ~give for need, give in zip(needed, given))
