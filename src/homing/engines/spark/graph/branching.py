"""Programs of CTL: each writes, by state and ghost, whether a formula is true there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from homing.core.formula import Enabled, Formula
from homing.core.temporal import Stuttering
from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.cutting import ALIVE
from homing.engines.spark.graph.desks import Desk, Sent, flags
from homing.engines.spark.graph.kernels import Array
from homing.engines.spark.graph.setting import Setting, ground

BOOLEAN: dict[str, Callable[[list[Array]], Array]] = {
    "not": lambda parts: parts[0] ^ 1,
    "and": np.bitwise_and.reduce,
    "or": np.bitwise_or.reduce,
}


def told(desk: Desk, name: str, truth: Array) -> None:
    """Saves what is true where; reports whether it is anywhere, and by initial state."""
    desk.save(name, truth)
    own = truth[: desk.piece.own]
    desk.report = (bool(own.any()), own[desk.piece.initial] != 0)


def heard(desk: Desk, truth: Array) -> Array:
    """The ghosts that are true, as their owners say, and were not."""
    pairs = np.concatenate([desk.piece.pairs(message, 1)[0] for message in desk.inbox])
    fresh: Array = np.unique(pairs[truth[pairs] == 0])
    return fresh


def _completed(desk: Desk, into: str) -> None:
    """Takes in what owners say of ghosts, which is the second and last round."""
    truth = desk.take(into)
    truth[heard(desk, truth)] = 1
    told(desk, into, truth)


@dataclass(frozen=True)
class Evaluate:
    """A formula without temporal operators."""

    formula: Formula
    stuttering: Stuttering
    into: str

    def step(self, desk: Desk) -> Sent:
        if not desk.first:
            _completed(desk, self.into)
            return
        piece = desk.piece
        truth = flags(piece.arena(self.stuttering).on_states(self.formula))
        if any(isinstance(part, Enabled) for part in self.formula.walk()):
            # What is enabled in a ghost, only its owner knows.
            truth[piece.own :] = 0
            told(desk, self.into, truth)
            yield from _shown(desk, np.flatnonzero(truth))
        else:
            told(desk, self.into, truth)


def _shown(desk: Desk, states: Array) -> Sent:
    yield from desk.piece.down(states, np.zeros(len(states), np.uint64), 1)


@dataclass(frozen=True)
class Combine:
    """`not`, `and`, `or` of what was decided before."""

    operator: str
    parts: tuple[str, ...]
    into: str

    def step(self, desk: Desk) -> Sent:
        parts = [desk.load(name) for name in self.parts]
        told(desk, self.into, np.asarray(BOOLEAN[self.operator](parts), np.uint8))
        yield from ()


@dataclass(frozen=True)
class Everywhere:
    """True or false."""

    value: bool
    into: str

    def step(self, desk: Desk) -> Sent:
        told(desk, self.into, np.full(desk.piece.own + desk.piece.ghosts, int(self.value), np.uint8))
        yield from ()


@dataclass(frozen=True)
class Next:
    """E X: where an edge leads to the goal."""

    setting: Setting
    goal: str
    into: str

    def step(self, desk: Desk) -> Sent:
        if not desk.first:
            _completed(desk, self.into)
            return
        arena = ground(desk.piece, self.setting).arena
        truth = np.zeros(arena.states, np.uint8)
        truth[arena.source[desk.load(self.goal)[arena.target] != 0]] = 1
        told(desk, self.into, truth)
        yield from _shown(desk, np.flatnonzero(truth))


@dataclass(frozen=True)
class Until:
    """E U: where a path through what is allowed leads to the goal."""

    setting: Setting
    allowed: str
    goal: str
    into: str

    def step(self, desk: Desk) -> Sent:
        view = ground(desk.piece, self.setting).view
        if desk.first:
            truth = desk.load(self.goal).copy()
            seeds = np.flatnonzero(truth)
        else:
            truth = desk.take(self.into)
            seeds = heard(desk, truth)
            truth[seeds] = 1
        fresh = kernels.until(view.into, view.back, view.source, desk.load(self.allowed), truth, seeds)
        told(desk, self.into, truth)
        yield from _shown(desk, fresh)


@dataclass(frozen=True)
class Show:
    """Which pairs are alive, or on fair cycles, or on those of one component: ghosts know what their owners do."""

    setting: Setting
    what: str
    into: str
    name: int | None = None

    def step(self, desk: Desk) -> Sent:
        states = self.setting.states
        if not desk.first:
            truth = desk.take(self.into)
            for message in desk.inbox:
                truth[desk.piece.pairs(message, states)[0]] = 1
            desk.save(self.into, truth)
            return
        own = desk.piece.own * states
        found = desk.load(self.what)[:own]
        truth = np.zeros(own + desk.piece.ghosts * states, np.uint8)
        truth[:own] = found != 0 if self.name is None else found == np.uint64(self.name)
        desk.save(self.into, truth)
        pairs = np.flatnonzero(truth)
        yield from desk.piece.down(pairs, np.zeros(len(pairs), np.uint64), states)


@dataclass(frozen=True)
class Without:
    """Takes states out of those among which cycles are looked for."""

    these: str

    def step(self, desk: Desk) -> Sent:
        alive = desk.take(ALIVE)
        alive[desk.load(self.these) != 0] = 0
        desk.save(ALIVE, alive)
        yield from ()
