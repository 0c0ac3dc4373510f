"""What a fixpoint is about: how deadlocks are read, fairness, and the automaton that the graph is multiplied with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from homing.core.errors import HomingError
from homing.core.formula import Formula
from homing.core.temporal import Fairness, Stuttering
from homing.engines.spark.graph import kernels
from homing.engines.spark.graph.kernels import Array, Cut, View
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.graph.supersteps import fresh
from homing.properties.arena import Arena
from homing.properties.fairness import Conditions, conditions_of
from homing.properties.ltl.check import letters_of
from homing.properties.ltl.letters import Table

STATE_BITS, PART_BITS = 10, 20
"""Of the name of a pair: its state in the automaton, and its partition; the rest is the number of its state."""
SMALLEST = 1 << (STATE_BITS + PART_BITS)
MOST_NUMBERS = 1 << (62 - STATE_BITS - PART_BITS)


@dataclass(frozen=True)
class Reading:
    """An automaton, and the atoms of which its letters are made."""

    atoms: tuple[Formula, ...]
    letters: tuple[int, ...]
    table: Table

    def letter(self, arena: Arena) -> Array:
        """By edge, the position of its letter."""
        letter, here, by_edge = letters_of(arena, list(self.atoms))
        position = {bits: number for number, bits in enumerate(self.letters)}
        there = np.array([position[bits] for bits in here] or [0], np.uint32)
        found: Array = there[letter if by_edge else letter[arena.source]]
        return found

    def __post_init__(self) -> None:
        if self.table.states > 1 << STATE_BITS:
            what = f"its automaton has {self.table.states} states, and {1 << STATE_BITS} are the most on Spark"
            raise HomingError(f"a formula is too large: {what}")


class Read(Protocol):
    """How edges become letters of an automaton."""

    @property
    def table(self) -> Table: ...

    def letter(self, arena: Arena) -> Array: ...


@dataclass(frozen=True)
class Setting:
    """Without a reading, the product is the graph itself."""

    stuttering: Stuttering
    fairness: tuple[Fairness, ...] = ()
    reading: Read | None = None
    key: str = field(default_factory=lambda: fresh("setting"))

    @property
    def states(self) -> int:
        """Of the automaton."""
        return 1 if self.reading is None else self.reading.table.states

    @property
    def marks(self) -> int:
        """Those that a cycle must have."""
        return 0 if self.reading is None else self.reading.table.marks


@dataclass(frozen=True, eq=False)
class Ground:
    """A setting on one piece."""

    piece: Piece
    setting: Setting
    arena: Arena
    view: View
    conditions: Conditions
    give: Array
    """By word of conditions and edge: first those that every cycle needs, then those that go with `need`."""
    need: Array
    always: Array
    """The bits of the first words."""

    @property
    def own(self) -> int:
        """Pairs of its own."""
        return self.piece.own * self.setting.states

    @property
    def size(self) -> int:
        """With those of ghosts."""
        return (self.piece.own + self.piece.ghosts) * self.setting.states

    @cached_property
    def asked(self) -> Array:
        """By word of `need` and own pair, what some edge from it asks for."""
        found = np.zeros((len(self.need), self.piece.own), np.uint64)
        start = self.arena.start[: self.piece.own + 1]
        leaving = np.flatnonzero(np.diff(start))
        for n in range(len(self.need) if len(leaving) else 0):
            found[n, leaving] = np.bitwise_or.reduceat(self.need[n], start[leaving])
        return np.repeat(found, self.setting.states, axis=1)

    def cut(self, alive: Array, bad: Array) -> Cut:
        """What is left of it."""
        return Cut(alive, self.need, bad.reshape(len(self.need), self.own))

    def whole(self) -> Cut:
        """All of it."""
        none = np.zeros((0, len(self.arena.target)), np.uint64)
        return Cut(np.ones(self.size, np.uint8), none, np.zeros((0, self.own), np.uint64))

    def names(self, pairs: Array) -> Array:
        """What own pairs are called everywhere, never less than `SMALLEST`: greater for states that are further from
        the initial ones, so that few components have others of a greater name before them."""
        states = self.setting.states
        number = (self.piece.number[pairs // states] + 1).astype(np.uint64) << np.uint64(STATE_BITS + PART_BITS)
        state = (pairs % states).astype(np.uint64) << np.uint64(PART_BITS)
        found: Array = number | state | np.uint64(self.piece.part)
        return found


def owner_of(names: Array) -> Array:
    """The partition of pairs, by what they are called."""
    found: Array = (names & np.uint64((1 << PART_BITS) - 1)).astype(np.int64)
    return found


def ground(piece: Piece, setting: Setting) -> Ground:
    """The setting on a piece; that keeps what the last one needs."""
    known = piece.kept.get("ground")
    if known is None or known[0] != setting.key:
        known = piece.kept["ground"] = setting.key, _ground(piece, setting)
    return Ground(piece, setting, *known[1])


def _ground(piece: Piece, setting: Setting) -> tuple[Any, ...]:
    """What is after the piece and the setting."""
    piece.kept.pop("ground", None)  # one at a time in memory
    arena = piece.arena(setting.stuttering)
    conditions = conditions_of(arena, setting.fairness)
    always = [word for word in conditions.words if word.need is None]
    sometimes = [word for word in conditions.words if word.need is not None]
    edges = len(arena.target)
    return (
        arena,
        _view(piece, arena, setting.reading),
        conditions,
        _stacked([word.give for word in always + sometimes], edges),
        _stacked([word.need for word in sometimes], edges),
        np.array([word.bits[0] for word in always], np.uint64),
    )


def _stacked(words: list[Any], edges: int) -> Array:
    if len(words) == 1:
        return np.asarray(words[0])[None]  # mostly there is one, and it is large
    return np.stack(words) if words else np.zeros((0, edges), np.uint64)


def _view(piece: Piece, arena: Arena, reading: Read | None) -> View:
    into, back = _backwards(arena)
    letter = np.zeros(len(arena.target), np.uint32)
    one, none = np.array([0, 1], np.int64), np.zeros(1, np.uint32)
    states, letters, component = 1, 1, np.zeros(1, np.int64)
    delta, origins = (one, none, none.astype(np.uint64)), (one, none)
    if reading is not None:
        table = reading.table
        states, letters, component = table.states, table.letters, table.component
        letter = reading.letter(arena)
        delta, origins = (table.start, table.target, table.mark), _origins(table)
    graph = (piece.own, arena.start, arena.target, arena.source, letter, into, back)
    return View(*graph, states, letters, *delta, *origins, component)


def _backwards(arena: Arena) -> tuple[Array, Array]:
    if "backwards" not in arena.kept:
        arena.kept["backwards"] = kernels.backwards(arena.target, arena.states)
    found: Any = arena.kept["backwards"]
    return found[0], found[1]


def _origins(table: Table) -> tuple[Array, Array]:
    """Transitions by the state that they lead to: those into q by a are at `q * letters + a`."""
    cells = table.states * table.letters
    cell = np.repeat(np.arange(cells), np.diff(table.start))
    source, letter = cell // table.letters, cell % table.letters
    key = table.target.astype(np.int64) * table.letters + letter
    order = np.argsort(key, kind="stable")
    start = np.concatenate([[0], np.cumsum(np.bincount(key, minlength=cells))]).astype(np.int64)
    return start, source[order].astype(np.uint32)
