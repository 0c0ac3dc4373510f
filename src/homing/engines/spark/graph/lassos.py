"""A short way around a fair component, wherever its parts are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homing.core.errors import HomingError
from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.branching import Show
from homing.engines.spark.graph.components import Component, component_of, inner_component
from homing.engines.spark.graph.cutting import BAD, GOOD
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.reaching import Distances, Nearest
from homing.engines.spark.graph.setting import SMALLEST, Setting, ground
from homing.engines.spark.graph.supersteps import Supersteps, fresh
from homing.engines.spark.graph.walking import Hop, Node, Walk, Walker

MOST_LEGS = 200
"""Ways from one edge that a cycle needs to the next; each takes supersteps."""
MOST_PAIRS, MOST_STEPS = 1 << 20, 20_000
"""Of a component that is put together in one memory; and its edges, where a loop has to take every one of them."""
PAIR_BYTES = 500
"""Of memory for each pair of such a component, with its edges, about."""


@dataclass(frozen=True)
class Members:
    """Reports how many pairs are in a component."""

    name: int

    def step(self, desk: Desk) -> Sent:
        desk.report = int(np.count_nonzero(desk.load(GOOD) == np.uint64(self.name)))
        yield from ()


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
        component = self._component(entry)
        if component is None:
            around = self._legs(entry)
        else:
            entry, around = component.cycle(lambda part: self.supersteps.array(to.into, part))
        way = self.walker.back(entry, to)
        return Walk(entry, way + around, len(way), notes=self.walker.explained(around))

    def around(self, entry: Node) -> list[Hop]:
        """A short way around a fair component and back to a pair of it."""
        component = self._component(entry)
        return self._legs(entry) if component is None else component.around(entry)

    def _name(self, entry: Node) -> int:
        return int(self.supersteps.array(GOOD, entry.part)[entry.pair])

    def _component(self, entry: Node) -> Component | None:
        """The component that a pair is in, unless it is too large for one memory."""
        name = self._name(entry)
        if name < SMALLEST:
            return inner_component(self.walker, name, entry.part)
        members = self.supersteps.once(Members(name))
        if sum(members.values()) > min(MOST_PAIRS, self.supersteps.job.memory // PAIR_BYTES):
            return None
        component = component_of(self.walker, name, sorted(part for part, count in members.items() if count))
        if component.conditions.everywhere and component.edges > MOST_STEPS:
            what = f"a loop that takes every one of {component.edges:,} steps"
            raise HomingError(f"{what} goes through several partitions, and is not shown")
        return component

    def _legs(self, entry: Node) -> list[Hop]:
        """From edge to edge that gives what is lacking, and back; each leg is a search of its own."""
        if self.walker.ground(entry.part).conditions.everywhere:
            raise HomingError("a loop that takes every step of a large component is not shown")
        inside = fresh("inside")
        self.supersteps.fix(Show(self.setting, GOOD, inside, self._name(entry)))
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
