"""Shortest ways to states, out of what the exploration left: no superstep is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from homing.core.interpreter import replay
from homing.core.system import TransitionSystem
from homing.core.witness import Trace
from homing.engines.spark.exploring import Run
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.setting import Setting
from homing.engines.spark.graph.supersteps import Supersteps
from homing.engines.spark.graph.walking import Node, Walk, Walker
from homing.engines.spark.traces import Past


@dataclass(frozen=True)
class First:
    """Reports the first state of those in which a register has something: its number and position."""

    among: str

    def step(self, desk: Desk) -> Sent:
        found = np.flatnonzero(desk.load(self.among)[: desk.piece.own])
        if len(found):
            desk.report = int(desk.piece.number[found[0]]), int(found[0])
        yield from ()


def least(reports: dict[int, tuple[int, ...] | None]) -> tuple[int, tuple[int, ...]] | None:
    """The partition and report of the state with the least number."""
    found = [(report, part) for part, report in reports.items() if report is not None]
    return (min(found)[1], min(found)[0]) if found else None


class Ways:
    """Traces that begin with a shortest way to a state."""

    def __init__(self, supersteps: Supersteps, run: Run, system: TransitionSystem) -> None:
        self.supersteps = supersteps
        self.run = run
        self.system = system
        self.walker = Walker(supersteps, Setting("never"))

    @cached_property
    def _past(self) -> Past:
        return Past(self.supersteps.machine, self.run, self.supersteps.job.folder)

    def first(self, among: str) -> Node | None:
        """The first state of those in which a register has something."""
        found = least(self.supersteps.once(First(among)))
        return None if found is None else Node(found[0], found[1][1])

    def to(self, node: Node) -> Trace:
        """A shortest way to a state."""
        counts = np.cumsum(self.supersteps.catalog.pieces[node.part].counts)
        depth = int(np.searchsorted(counts, node.pair, "right"))
        return self._past.trace_to(self.walker.state(node), depth)

    def on(self, way: Trace, walk: Walk) -> Trace:
        """A way, and a walk from where it ends; replayed."""
        last, at = self.walker.steps(walk, self.system), len(way.moves)
        trace = replace(
            way,
            states=way.states + last.states[1:],
            moves=way.moves + last.moves,
            loop=None if last.loop is None else last.loop + at,
            branches=tuple(replace(branch, at=(branch.at or 0) + at) for branch in last.branches),
            notes=last.notes,
        )
        replay(self.system, trace)
        return trace
