"""Programs that decide which components are fair: what their edges have is put together by the owner of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.cutting import ALIVE, BAD, COMPONENT, GOOD
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.kernels import Array
from homing.engines.spark.graph.messages import RECORD, VERDICT, packed
from homing.engines.spark.graph.setting import Ground, Setting, ground, owner_of

HOPELESS, FAIR, AGAIN = range(3)


@dataclass(frozen=True)
class Gather:
    """What the edges of each component have in common here: whether there are any, whether a step is not taken, marks,
    what conditions they give and need."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        component = desk.load(COMPONENT)
        names, position = _positions(component[: here.own])
        count = len(names)
        inner, missed = np.zeros(count, np.uint8), np.zeros(count, np.uint8)
        mark = np.zeros(count, np.uint64)
        gives, needs = (np.zeros((len(words), count), np.uint64) for words in (here.give, here.need))
        cut = here.cut(desk.load(ALIVE), desk.load(BAD))
        kernels.gather(here.view, cut, component, position, here.give, mark, inner, gives, needs)
        if here.conditions.everywhere:
            kernels.uncovered(here.view, cut, component, position, here.arena.real, missed)
        record = np.column_stack([inner.astype(np.uint64), missed.astype(np.uint64), mark, *gives, *needs])
        yield from _routed(RECORD, desk.piece.part, owner_of(names), names, record)


def _positions(component: Array) -> tuple[Array, Array]:
    """The components here, and by pair which it is in, or -1."""
    inside = np.flatnonzero(component)
    names, which = np.unique(component[inside], return_inverse=True)
    position = np.full(len(component), -1, np.int64)
    position[inside] = which
    return names, position


def _routed(kind: int, me: int, part: Array, names: Array, values: Array) -> Iterator[tuple[int, bytes]]:
    for there in np.unique(part).tolist():
        chosen = part == there
        for data in packed(kind, me, names[chosen].astype(np.int64), values[chosen]):
            yield there, data


@dataclass(frozen=True)
class Judge:
    """Owners put the parts together; reports how many components are fair."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        messages = [message for message in desk.inbox if message.kind == RECORD]
        desk.report = 0
        if not messages:
            return
        every = np.concatenate([message.index for message in messages])
        names, which = np.unique(every, return_inverse=True)
        columns = messages[0].values.shape[1]
        record = np.zeros((len(names), columns), np.uint64)
        np.bitwise_or.at(record, which, np.concatenate([message.values for message in messages]))
        verdict = _verdicts(here, record)
        desk.report = int(np.count_nonzero(verdict[:, 0] == FAIR))
        for message in messages:
            mine = verdict[np.searchsorted(names, message.index)]
            for data in packed(VERDICT, desk.piece.part, message.index, mine):
                yield message.sender, data


def _verdicts(here: Ground, record: Array) -> Array:
    """By component what to do with it, and, if it is to be split, what of each word it needs in vain."""
    inner, missed, mark = (record[:, n] for n in range(3))
    given, needed = np.split(record[:, 3:], [len(here.give)], axis=1)
    always = len(here.always)
    wanted = np.uint64(here.setting.marks)
    hopeful = (inner != 0) & ((mark & wanted) == wanted)
    hopeful &= ((given[:, :always] & here.always) == here.always).all(axis=1)
    lacking = needed & ~given[:, always:]
    fair = hopeful & (lacking == 0).all(axis=1)
    again = hopeful & ~fair
    if here.conditions.everywhere:
        # A part of it would leave out even more steps.
        fair &= missed == 0
        again &= False
    what = np.where(fair, FAIR, np.where(again, AGAIN, HOPELESS)).astype(np.uint64)
    return np.column_stack([what, lacking])


@dataclass(frozen=True)
class Apply:
    """Fair components are noted, hopeless ones removed, the others lose the edges that need something in vain."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        here = ground(desk.piece, self.setting)
        alive, good = desk.take(ALIVE), desk.take(GOOD)
        bad = desk.take(BAD).reshape(len(here.need), here.own)
        names, position = _positions(desk.load(COMPONENT)[: here.own])
        verdict = np.zeros((len(names), 1 + len(here.need)), np.uint64)
        for message in desk.inbox:
            verdict[np.searchsorted(names, message.index.astype(np.uint64))] = message.values
        pairs = np.flatnonzero(position >= 0)
        mine = verdict[position[pairs]]
        fair = pairs[mine[:, 0] == FAIR]
        good[fair] = names[position[fair]]
        gone = pairs[mine[:, 0] != AGAIN]
        alive[gone] = 0
        for n in range(len(bad)):
            bad[n, pairs] |= np.where(mine[:, 0] == AGAIN, mine[:, 1 + n], np.uint64(0))
        desk.save(ALIVE, alive)
        desk.save(GOOD, good)
        desk.save(BAD, bad)
        desk.report = int(np.count_nonzero(alive[: here.own]))
        yield from desk.piece.down(gone, np.zeros(len(gone), np.uint64), self.setting.states)
