"""A deterministic part of a process in pieces, as a normal form: internal steps are taken at once, and of the ways on
with one event the first (Lazić's algorithm; see `homing.properties.determinism`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from homing.core.errors import HomingError
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.hiding import MARKED
from homing.engines.spark.graph.kernels import FAR, Array
from homing.engines.spark.graph.reaching import Distances
from homing.engines.spark.graph.refining import behaviour_of
from homing.engines.spark.graph.setting import Setting
from homing.engines.spark.graph.supersteps import Supersteps, fresh
from homing.engines.spark.graph.walking import Hop, Node
from homing.properties.arena import Arena
from homing.properties.ltl.letters import Table
from homing.properties.processes import Name, Normal, Process

MOST_CELLS = 20_000_000
"""States times events of a deterministic part, which one memory is to hold."""
CELL_BYTES = 50
"""Of memory for each of them, with the states and edges themselves, about."""


@dataclass(frozen=True)
class Chosen:
    """Reads a graph so that only the chosen edges are left."""

    hidden: frozenset[str]

    @property
    def table(self) -> Table:
        return MARKED

    def letter(self, arena: Arena) -> Array:
        """By edge, 1 where it is chosen."""
        process = Process(arena.columns.graph, self.hidden)
        number = process.visible(process.alphabet)[arena.event]
        source, events = arena.source.astype(np.int64), len(process.alphabet)
        unstable = np.zeros(arena.states, np.bool_)
        unstable[source[number < 0]] = True
        open_ = np.flatnonzero((number < 0) | ~unstable[source])
        _, first = np.unique(source[open_] * (events + 1) + number[open_] + 1, return_index=True)
        letter = np.zeros(len(source), np.uint32)
        letter[open_[first]] = 1
        return letter


@dataclass(frozen=True)
class Numbered:
    """Ghosts get the numbers that their owners have for them, plus one; reports how many states are near."""

    dist: str
    into: str

    def step(self, desk: Desk) -> Sent:
        piece = desk.piece
        near = np.flatnonzero(desk.load(self.dist)[: piece.own] != FAR)
        desk.report = len(near)
        if not desk.first:
            number = desk.take(self.into)
            for message in desk.inbox:
                pairs, values = piece.pairs(message, 1)
                number[pairs] = values[:, 0]
            desk.save(self.into, number)
            return
        number = np.zeros(piece.own + piece.ghosts, np.uint64)
        number[: piece.own] = piece.number + 1
        desk.save(self.into, number)
        yield from piece.down(near, number[near], 1)


@dataclass(frozen=True)
class Rows:
    """Reports the chosen edges of states that are near: the numbers of both ends; the event and the
    edge; and by state that is near its number, its position and what it offers."""

    alphabet: tuple[Name, ...]
    setting: Setting
    dist: str
    numbers: str

    def step(self, desk: Desk) -> Sent:
        reading = self.setting.reading
        assert isinstance(reading, Chosen)
        piece, arena = desk.piece, desk.piece.arena("never")
        near = desk.load(self.dist) != FAR
        near[piece.own :] = False
        number, behaviour = desk.load(self.numbers), behaviour_of(piece, self.alphabet, reading.hidden)
        edges = np.flatnonzero((reading.letter(arena) != 0) & near[arena.source])
        source, target = arena.source[edges].astype(np.int64), arena.target[edges].astype(np.int64)
        states = np.flatnonzero(near)
        desk.report = (
            np.column_stack([number[source] - 1, number[target] - 1]).astype(np.int64),
            np.column_stack([behaviour.number[edges], edges]).astype(np.int64),
            np.column_stack([number[states] - 1, states]).astype(np.int64),
            behaviour.offers.reshape(-1, behaviour.words)[states],
        )
        yield from ()


class Part:
    """The deterministic part that begins with a state."""

    def __init__(self, supersteps: Supersteps, alphabet: tuple[Name, ...], hidden: frozenset[str], first: Node) -> None:
        self.events = len(alphabet)
        setting = Setting("never", (), Chosen(hidden))
        to, numbers = Distances(setting, fresh("dist"), first), fresh("numbers")
        supersteps.fix(to)
        size = sum(supersteps.fix(Numbered(to.into, numbers)).values())
        most = min(MOST_CELLS, supersteps.job.memory // CELL_BYTES)
        if size * max(self.events, 1) > most:
            what = f"its deterministic part has {size:,} states and {self.events:,} events"
            raise HomingError(f"{what}, and {most:,} for both multiplied are the most in one memory")
        reports = supersteps.once(Rows(alphabet, setting, to.into, numbers))
        supersteps.forget("numbers")
        self._gather(reports)
        self.first = 0  # the state with the least number

    def _gather(self, reports: dict[int, Any]) -> None:
        ends, edges, states, offers = (np.concatenate(column) for column in zip(*reports.values()))
        parts = [np.full(len(report[2]), part) for part, report in reports.items()]
        order = np.argsort(states[:, 0])
        self._numbers = states[order, 0]
        self._place = np.column_stack([np.concatenate(parts), states[:, 1]])[order]
        self._offers = offers[order]
        source, event = self._node(ends[:, 0]), edges[:, 0]
        rows = np.lexsort((event, source))
        source, self._event, self._edge = source[rows], event[rows], edges[rows, 1]
        self._source, self._target = source, self._node(ends[rows, 1])
        self._start = np.searchsorted(source, np.arange(len(self._numbers) + 1))
        # Where the internal steps of each state end; none go round in circles.
        self._stable = np.arange(len(self._numbers))
        internal = self._event < 0
        self._stable[source[internal]] = self._target[internal]
        while not np.array_equal(further := self._stable[self._stable], self._stable):
            self._stable = further

    def _node(self, numbers: Array) -> Array:
        found: Array = np.searchsorted(self._numbers, numbers)
        return found

    def normal(self) -> Normal:
        """As a normal form; each state offers exactly what the stable state that it stands for does."""
        stable, first = np.unique(self._stable), self._stable[self.first]
        # The first normal state is what may be before any event.
        order = np.concatenate([[first], stable[stable != first]])
        number = np.full(len(self._numbers), -1, np.int64)
        number[order] = np.arange(len(order))
        visible = (self._event >= 0) & (number[self._source] >= 0)
        after = np.full(len(order) * self.events, -1, np.int64)
        source, target = number[self._source[visible]], number[self._stable[self._target[visible]]]
        after[source * self.events + self._event[visible]] = target
        return Normal(
            known=np.ones(len(order), np.bool_),
            next=after,
            accept_start=np.arange(len(order) + 1),
            accept=self._offers[order].reshape(-1),
            divergent=np.zeros(len(order), np.bool_),
        )

    def follow(self, events: list[int]) -> tuple[list[Hop], Node]:
        """The hops of the chosen part with these visible events, and all internal steps that are possible; and where
        they end."""
        hops: list[Hop] = []
        state = self._silently(self.first, hops)
        for event in events:
            row = self._row(state, event)
            assert row is not None
            state = self._silently(self._hop(row, hops), hops)
        return hops, Node(*self._place[state].tolist())

    def _silently(self, state: int, hops: list[Hop]) -> int:
        while (row := self._row(state, -1)) is not None:
            state = self._hop(row, hops)
        return state

    def _row(self, state: int, event: int) -> int | None:
        low, high = self._start[state : state + 2].tolist()
        found = np.flatnonzero(self._event[low:high] == event)
        return low + int(found[0]) if len(found) else None

    def _hop(self, row: int, hops: list[Hop]) -> int:
        part, state = self._place[self._source[row]].tolist()
        hops.append(Hop(part, state, int(self._edge[row]), 0))
        return int(self._target[row])
