"""Programs that go forwards: the letters that occur, the pairs that are reachable, and how far they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homing.core.formula import Formula
from homing.core.temporal import Stuttering
from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.kernels import FAR, Array
from homing.engines.spark.graph.setting import Ground, Setting, ground
from homing.properties.ltl.check import letters_of


@dataclass(frozen=True)
class Letters:
    """Which letters occur."""

    stuttering: Stuttering
    atoms: tuple[Formula, ...]

    def step(self, desk: Desk) -> Sent:
        desk.report = letters_of(desk.piece.arena(self.stuttering), list(self.atoms))[1]
        yield from ()


@dataclass(frozen=True)
class Reach:
    """Marks all reachable pairs; reports how many."""

    setting: Setting
    into: str

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        states = self.setting.states
        if desk.first:
            reached = np.zeros(here.size, np.uint8)
            seeds = _starts(here)
        else:
            reached = desk.take(self.into)
            pairs = np.concatenate([desk.piece.pairs(message, states)[0] for message in desk.inbox])
            seeds = np.unique(pairs[reached[pairs] == 0])
        reached[seeds] = 1
        ghosts = kernels.reach(here.view, reached, seeds)
        desk.save(self.into, reached)
        desk.report = int(np.count_nonzero(reached[: here.own]))
        yield from desk.piece.up(ghosts, np.zeros(len(ghosts), np.uint64), states)


def _starts(here: Ground) -> Array:
    """The pairs that behaviours start with."""
    reading = here.setting.reading
    initial = np.zeros(1, np.int64) if reading is None else reading.table.initial
    starts: Array = (here.piece.initial.astype(np.int64)[:, None] * here.setting.states + initial[None, :]).reshape(-1)
    return starts


@dataclass(frozen=True)
class Distances:
    """The least number of steps from the initial pairs, or from one pair, along what is alive."""

    setting: Setting
    into: str
    begin: tuple[int, int] | None = None
    """A partition and a pair there."""
    expanding: str | None = None
    """Pairs that a path may leave; all where it is None."""
    alive: str | None = None
    """Pairs that a path may enter."""
    bad: str | None = None
    cyclic: bool = False

    def step(self, desk: Desk) -> Sent:
        here, states = ground(desk.piece, self.setting), self.setting.states
        if desk.first:
            dist, seeds = np.full(here.size, FAR, np.uint32), np.empty(0, np.int64)
            via = np.full(here.own, -1, np.int64)
            if self.begin is None:
                seeds = _starts(here)
            elif self.begin[0] == desk.piece.part:
                seeds = np.array([self.begin[1]], np.int64)
            dist[seeds] = 0
        else:
            dist, via = desk.take(self.into), desk.take(f"{self.into}-via")
            seeds = _nearer(desk, dist, via, states)
        cut = here.whole()
        if self.alive is not None:
            alive = desk.load(self.alive)
            cut = cut._replace(alive=alive) if self.bad is None else here.cut(alive, desk.load(self.bad))
        expanding = np.ones(here.size, np.uint8) if self.expanding is None else desk.load(self.expanding)
        ghosts = kernels.distances(here.view, cut, expanding, self.cyclic, dist, seeds)
        desk.save(self.into, dist)
        desk.save(f"{self.into}-via", via)
        yield from desk.piece.up(ghosts, dist[ghosts].astype(np.uint64), states)


def _nearer(desk: Desk, dist: Array, via: Array, states: int) -> Array:
    """Takes in what others found to be nearer; nearest first."""
    found = [np.empty(0, np.int64)]
    for message in desk.inbox:
        pairs, values = desk.piece.pairs(message, states)
        better = values[:, 0] < dist[pairs]
        pairs = pairs[better]
        dist[pairs] = values[better, 0].astype(np.uint32)
        via[pairs] = message.sender
        found.append(pairs)
    seeds = np.unique(np.concatenate(found))
    ordered: Array = seeds[np.argsort(dist[seeds], kind="stable")]
    return ordered


@dataclass(frozen=True)
class Nearest:
    """Reports the nearest pair of some: its distance, the number of its state, the pair."""

    setting: Setting
    dist: str
    among: str

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        dist = desk.load(self.dist)[: here.own]
        found = np.flatnonzero((desk.load(self.among)[: here.own] != 0) & (dist != FAR))
        if len(found):
            pair = int(found[np.argmin(dist[found])])
            desk.report = (int(dist[pair]), int(desk.piece.number[pair // self.setting.states]), pair)
        yield from ()
