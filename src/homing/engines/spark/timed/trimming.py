"""Programs that look for loops: what cannot be on one is taken away, and a shortest path goes round what is left.

States without a move to, or from, what is left are taken away again and again; what is left in the end has a loop,
unless it is nothing. Where a tick has to be on the loop, so is what no tick leads to, or what leads to none (Černá and
Pelánek, "Distributed explicit fair cycle detection", 2003).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from homing.engines.spark.kernels import Array
from homing.engines.spark.timed.identity import SERIAL
from homing.engines.spark.timed.pieces import IN, MASK, OUT, Desk, Moves

ALIVE = "alive"
LEAVING, ENTERING = "leaving", "entering"
"""By state, how many of its moves lead to, and come from, what is left."""
TICKING = "ticking"
"""By state, whether it is left and ticks to what is left."""
NOWHERE = np.uint64(2**64 - 1)
Sent = Iterator[tuple[int, bytes]]


@dataclass(frozen=True)
class Trim:
    """Takes away some states, and what has then no move, in either way; reports how many were taken away."""

    within: tuple[str, ...] = ()
    """Registers: what is not marked in all of them is taken away."""
    reached: str | None = None
    """A register: where nobody came to is taken away."""
    without: int | None = None
    """A state that is taken away."""
    begin: bool = False
    """Whether nothing has been taken away yet."""

    def step(self, desk: Desk) -> Sent:
        piece = desk.piece
        if desk.first and self.begin:
            alive, leaving, entering = (
                np.ones(piece.size, np.uint8),
                np.diff(piece.out.start),
                np.diff(piece.back.start),
            )
        else:
            alive, leaving, entering = (desk.load(name) for name in (ALIVE, LEAVING, ENTERING))
        before = int(alive.sum())
        for way, states, _, many in desk.inbox:
            np.subtract.at(leaving if way == OUT else entering, states, many.astype(np.int64))
        gone = (leaving <= 0) | (entering <= 0)
        if desk.first:
            for name in self.within:
                gone |= desk.load(name) == 0
            if self.reached is not None:
                gone |= desk.load(self.reached) == NOWHERE
            if self.without is not None and self.without >> SERIAL == piece.key:
                gone[self.without & int(MASK)] = True
        yield from self._spread(desk, np.flatnonzero(gone & (alive == 1)), alive, leaving, entering)
        for name, array in ((ALIVE, alive), (LEAVING, leaving), (ENTERING, entering)):
            desk.save(name, array)
        desk.report = before - int(alive.sum())

    def _spread(self, desk: Desk, gone: Array, alive: Array, leaving: Array, entering: Array) -> Sent:
        piece, told = desk.piece, {OUT: [np.empty(0, np.uint64)], IN: [np.empty(0, np.uint64)]}
        while len(gone):
            alive[gone] = 0
            for way, moves, left in ((IN, piece.out, entering), (OUT, piece.back, leaving)):
                other = moves.other[moves.of(gone)[1]]
                here = piece.here(other)
                np.subtract.at(left, (other[here] & MASK).astype(np.int64), 1)
                told[way].append(other[~here])
            gone = np.flatnonzero((alive == 1) & ((leaving <= 0) | (entering <= 0)))
        for way, parts in told.items():
            states, many = np.unique(np.concatenate(parts), return_counts=True)
            yield from desk.send(way, states, states, many.astype(np.uint64))


@dataclass(frozen=True)
class Mark:
    """Marks what is left that can be reached from the far ends of ticks, going along moves or back."""

    into: str
    way: int
    onward: bool = True
    """Whether it goes on from there; else only the far ends themselves are marked."""

    def _moves(self, desk: Desk) -> Moves:
        return desk.piece.out if self.way == OUT else desk.piece.back

    def step(self, desk: Desk) -> Sent:
        piece, moves, alive = desk.piece, self._moves(desk), desk.load(ALIVE) == 1
        marked = np.zeros(piece.size, np.uint8) if desk.first else desk.load(self.into)
        far, told = np.empty(0, np.uint64), [np.empty(0, np.uint64)]
        if desk.first:
            ticks = moves.of(np.flatnonzero(alive))[1]
            far = moves.other[ticks[moves.tick[ticks]]]
        states = [(far[piece.here(far)] & MASK).astype(np.int64), *(mine for _, mine, _, _ in desk.inbox)]
        told.append(far[~piece.here(far)])
        fresh = np.concatenate(states)
        while True:
            fresh = np.unique(fresh[alive[fresh] & (marked[fresh] == 0)])
            if not len(fresh):
                break
            marked[fresh] = 1
            if not self.onward:
                break
            other = moves.other[moves.of(fresh)[1]]
            here = piece.here(other)
            told.append(other[~here])
            fresh = (other[here] & MASK).astype(np.int64)
        desk.save(self.into, marked)
        others = np.unique(np.concatenate(told))
        yield from desk.send(self.way, others, others, np.zeros(len(others), np.uint8))


@dataclass(frozen=True)
class Walk:
    """One step further from a state, by a tick at first if that is wanted, through what is left: notes where each state
    was come to from; reports whether the state was come back to, and how many are new."""

    begin: int
    ticking: bool
    into: str

    def step(self, desk: Desk) -> Sent:
        piece, moves = desk.piece, desk.piece.out
        came = np.full(piece.size, NOWHERE) if desk.first else desk.load(self.into)
        fresh = np.empty(0, np.int64)
        if desk.first:
            if self.begin >> SERIAL == piece.key:
                fresh = np.array([self.begin & int(MASK)], np.int64)
        else:
            alive = desk.load(ALIVE) == 1
            for _, mine, other, _ in desk.inbox:
                new = np.flatnonzero(alive[mine] & (came[mine] == NOWHERE))
                found, first = np.unique(mine[new], return_index=True)
                came[found] = other[new[first]]
                fresh = np.concatenate([fresh, found])
        back = not desk.first and self.begin >> SERIAL == piece.key and came[self.begin & int(MASK)] != NOWHERE
        desk.report = (bool(back), len(fresh))
        desk.save(self.into, came)
        which, steps = moves.of(fresh)
        if desk.first and self.ticking:
            which, steps = which[moves.tick[steps]], steps[moves.tick[steps]]
        sources = (np.uint64(piece.key) << np.uint64(SERIAL)) + fresh[which].astype(np.uint64)
        yield from desk.send(OUT, moves.other[steps], sources, np.zeros(len(steps), np.uint8))


@dataclass(frozen=True)
class First:
    """Reports what is nearest to the start of what is left, if that is wanted of those with a tick, and of those that
    have not been tried: its level, where its run begins, and what it is called."""

    ticking: bool
    tried: tuple[int, ...] = ()

    def step(self, desk: Desk) -> Sent:
        piece = desk.piece
        found = desk.load(ALIVE) == 1
        if self.ticking:
            found &= desk.load(TICKING) == 1
        tried = np.array(self.tried, np.uint64)
        found[(tried[piece.here(tried)] & MASK).astype(np.int64)] = False
        left = np.flatnonzero(found)
        if len(left):
            level, stem = (values[left] for values in desk.columns("level", "stem"))
            at = int(np.lexsort((left, stem, level))[0])
            desk.report = (int(level[at]), int(stem[at]), (piece.key << SERIAL) + int(left[at]))
        yield from ()
