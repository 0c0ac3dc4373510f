"""Programs that look for fair cycles: what cannot be on one is removed, the rest is coloured, component by component.

What cannot: pairs without a way on or a way in, and pairs from which something that every fair cycle has is out of
reach ("one way catch them young": Fisler and others, "Is there a best symbolic cycle-detection algorithm?", 2001).

A component is called by its greatest pair. Colours go forwards, the greatest wins; from a pair that kept its own, the
component goes back along pairs of its colour (Orzan, "On distributed verification and verified distribution", 2004).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.kernels import Array, Cut
from homing.engines.spark.graph.messages import UP
from homing.engines.spark.graph.setting import Ground, Setting, ground
from homing.properties.cycles import Digraph, FairCycles, fair_cycles

"""Pairs that may be on a cycle; what their edges must not need; how many others have an edge to them; the component of
those on a fair cycle, and of all, by its name, or by a smaller number where it stays in one partition."""
ALIVE, BAD, HOLDERS, GOOD, COLOUR, COMPONENT, AHEAD = (
    f"cycles-{name}" for name in ("alive", "bad", "holders", "good", "colour", "component", "ahead")
)


@dataclass(frozen=True)
class Begin:
    """Cycles are looked for among these pairs, where the automaton can accept."""

    setting: Setting
    among: str

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        alive = desk.load(self.among).reshape(-1, self.setting.states) * (here.view.component >= 0).astype(np.uint8)
        desk.save(ALIVE, np.minimum(alive.reshape(-1), 1).astype(np.uint8))
        desk.save(BAD, np.zeros(len(here.need) * here.own, np.uint64))
        desk.save(HOLDERS, np.repeat(desk.piece.holders, self.setting.states).astype(np.uint32))
        desk.save(GOOD, np.zeros(here.own, np.uint64))
        yield from ()


@dataclass(frozen=True)
class Trim:
    """Removes what has no way on or, with `inward`, no way in; reports how many pairs are left, and one of them."""

    setting: Setting
    inward: bool = True

    def step(self, desk: Desk) -> Sent:
        here, states = ground(desk.piece, self.setting), self.setting.states
        alive, holders = desk.take(ALIVE), desk.take(HOLDERS)
        for message in desk.inbox:
            pairs, _ = desk.piece.pairs(message, states)
            if message.kind == UP:
                holders[pairs] -= 1
            else:
                alive[pairs] = 0
        gone, unreached = kernels.trim(here.view, here.cut(alive, desk.load(BAD)), holders, self.inward, True)
        desk.save(ALIVE, alive)
        desk.save(HOLDERS, holders)
        left = np.flatnonzero(alive[: here.own])
        desk.report = len(left), int(left[len(left) // 2]) if len(left) else -1
        yield from desk.piece.down(gone, np.zeros(len(gone), np.uint64), states)
        yield from desk.piece.up(unreached, np.zeros(len(unreached), np.uint64), states)


@dataclass(frozen=True)
class Within:
    """Fair cycles that stay in one partition are found at once; reports how many pairs are on some."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        good, bad = np.zeros(here.own, np.uint64), desk.load(BAD)
        alive = desk.load(ALIVE).copy()
        alive[here.own :] = 0  # nothing that leads out of it, or comes from elsewhere
        kernels.trim(here.view, here.cut(alive, bad), np.zeros(here.own, np.uint32), True, True)
        pairs, cycles = inner_cycles(here, alive, bad)
        good[pairs] = cycles.number + 1
        desk.save(GOOD, good)
        desk.report = int(np.count_nonzero(good))
        yield from ()


def inner_cycles(here: Ground, alive: Array, bad: Array) -> tuple[Array, FairCycles]:
    """The fair components of what is alive of a piece's own; and the pairs that its nodes stand for."""
    pairs = np.flatnonzero(alive[: here.own])
    node = np.full(here.size, -1, np.int64)
    node[pairs] = np.arange(len(pairs))
    start, target, edge, mark = edges_inside(here, here.cut(alive, bad), node, 0, len(pairs))
    state = (pairs // here.setting.states).astype(np.uint32)
    graph = Digraph(here.arena, start, target, edge, state, mark, here.setting.marks)
    return pairs, fair_cycles(graph, here.conditions, np.arange(len(pairs), dtype=np.uint32))


def edges_inside(here: Ground, cut: Cut, node: Array, first: int, count: int) -> tuple[Array, Array, Array, Array]:
    """The edges between pairs that have a number, of which `count` are its own, from `first` on: where those of each
    begin, their targets, the edges of the arena, and marks."""
    start, size = np.zeros(count + 1, np.int64), 0
    while True:
        target, edge, mark = np.empty(size, np.uint32), np.empty(size, np.uint32), np.empty(size, np.uint64)
        found = kernels.inside(here.view, cut, node, first, start, target, edge, mark)
        if found == size:
            return start, target, edge, mark
        size = found


@dataclass(frozen=True)
class Ahead:
    """Finds out which marks and conditions of fairness can still be given on ways from each pair."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        here, states = ground(desk.piece, self.setting), self.setting.states
        words = 1 + len(here.give)
        mask, seeds = np.zeros((words, here.size), np.uint64), np.empty(0, np.int64)
        if not desk.first:
            mask = desk.take(AHEAD).reshape(words, here.size)
            seeds = _further(desk, mask, states)
        grown = kernels.ahead(here.view, here.cut(desk.load(ALIVE), desk.load(BAD)), here.give, mask, seeds, desk.first)
        desk.save(AHEAD, mask)
        yield from desk.piece.down(grown, mask[:, grown].T, states)


def _further(desk: Desk, mask: Array, states: int) -> Array:
    """Takes in what owners know of ghosts."""
    found = [np.empty(0, np.int64)]
    for message in desk.inbox:
        pairs, values = desk.piece.pairs(message, states)
        mask[:, pairs] |= values.T
        found.append(pairs)
    return np.unique(np.concatenate(found))


@dataclass(frozen=True)
class Drop:
    """Removes pairs from which something that every fair cycle has can no longer be given, and edges that need what
    can no longer be; reports how many."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        alive = desk.take(ALIVE)
        bad = desk.take(BAD).reshape(len(here.need), here.own)
        mask = desk.load(AHEAD).reshape(-1, here.size)[:, : here.own]
        always = len(here.always)
        wanted = np.array([self.setting.marks, *here.always], np.uint64)[:, None]
        hopeless = ((mask[: 1 + always] & wanted) != wanted).any(axis=0)
        gone = np.flatnonzero(hopeless & (alive[: here.own] != 0))
        alive[gone] = 0
        lacking = here.asked & ~mask[1 + always :] & ~bad
        lacking[:, alive[: here.own] == 0] = 0
        bad |= lacking
        desk.save(ALIVE, alive)
        desk.save(BAD, bad)
        desk.report = len(gone) + int(np.count_nonzero(lacking))
        yield from desk.piece.down(gone, np.zeros(len(gone), np.uint64), self.setting.states)


@dataclass(frozen=True)
class Colour:
    """Every pair gets the greatest name of those that lead to it; with a pivot, only its name goes round."""

    setting: Setting
    pivot: tuple[int, int] | None = None

    def step(self, desk: Desk) -> Sent:
        here, states = ground(desk.piece, self.setting), self.setting.states
        alive = desk.load(ALIVE)
        if desk.first:
            colour = np.zeros(here.size, np.uint64)
            own = np.flatnonzero(alive[: here.own])
            if self.pivot is not None:
                own = np.array([pair for part, pair in [self.pivot] if part == desk.piece.part], np.int64)
            colour[own] = here.names(own)
            seeds = own[::-1].copy()
        else:
            colour = desk.take(COLOUR)
            seeds = _brighter(desk, alive, colour, states)
        ghosts = kernels.spread(here.view, here.cut(alive, desk.load(BAD)), colour, seeds)
        desk.save(COLOUR, colour)
        yield from desk.piece.up(ghosts, colour[ghosts], states)


def _brighter(desk: Desk, alive: Array, colour: Array, states: int) -> Array:
    """Takes in greater colours that came from elsewhere; greatest first."""
    found = [np.empty(0, np.int64)]
    for message in desk.inbox:
        pairs, values = desk.piece.pairs(message, states)
        better = (alive[pairs] != 0) & (values[:, 0] > colour[pairs])
        colour[pairs[better]] = values[better, 0]
        found.append(pairs[better])
    seeds = np.unique(np.concatenate(found))
    ordered: Array = seeds[np.argsort(colour[seeds], kind="stable")][::-1].copy()
    return ordered


@dataclass(frozen=True)
class Collect:
    """The components of pairs that kept their own colour."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        here, states = ground(desk.piece, self.setting), self.setting.states
        alive, colour = desk.load(ALIVE), desk.load(COLOUR)
        if desk.first:
            component = np.zeros(here.size, np.uint64)
            own = np.flatnonzero(alive[: here.own])
            roots = own[colour[own] == here.names(own)]
            component[roots] = colour[roots]
            seeds = roots
        else:
            component = desk.take(COMPONENT)
            found = []
            for message in desk.inbox:
                pairs, values = desk.piece.pairs(message, states)
                component[pairs] = values[:, 0]
                found.append(pairs)
            seeds, roots = np.concatenate(found), np.empty(0, np.int64)
        fresh = kernels.collect(here.view, here.cut(alive, desk.load(BAD)), colour, component, seeds)
        desk.save(COMPONENT, component)
        shown = np.concatenate([roots, fresh])
        yield from desk.piece.down(shown, component[shown], states)
