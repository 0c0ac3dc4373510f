"""One partition's piece of the graph, in memory while a superstep works on it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from homing.core.graph import Graph
from homing.core.temporal import Stuttering
from homing.core.values import State
from homing.engines.local.evaluator import Failed
from homing.engines.spark.batches import column, rows_of
from homing.engines.spark.folder import Folder
from homing.engines.spark.graph.building import NOWHERE
from homing.engines.spark.graph.catalog import Filed, numbers
from homing.engines.spark.graph.events import events_of
from homing.engines.spark.graph.messages import DOWN, UP, Message, packed, received
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine, moved
from homing.properties import kernels as properties_kernels
from homing.properties.arena import Arena, Columns

OBSERVED = 1 << 18


class Lines:
    """Rows that follow the machine's layout when they are asked for."""

    def __init__(self, machine: Machine, tables: list[pa.Table]) -> None:
        self.machine = machine
        for table in tables[1:]:
            rows_of(machine, table)  # it may bring values that change the layout of all
        self._rows = np.concatenate([rows_of(machine, table) for table in tables])
        self._plan = machine.plan

    @property
    def rows(self) -> Array:
        machine = self.machine
        if self._plan.word is not machine.plan.word:
            self._rows = moved(self._rows, self._plan, machine.plan, machine.layout.words)
            self._plan = machine.plan
        return self._rows

    def state(self, number: int) -> State:
        """The state of a row."""
        return self.machine.state(self.rows[number])

    def label(self, label: int) -> Array:
        """By row, the value of a label."""
        found = [np.empty(0, np.int32)]
        for low in range(0, len(self._rows), OBSERVED):
            try:
                _, values = self.machine.search.observe(self.rows[low : low + OBSERVED], [label])
            except Failed as failed:
                raise failed.error from None
            found.append(values[0])
        self.machine.refresh()
        return np.concatenate(found)


class Piece:
    """States of its own, then ghosts; the edges of its own states.

    Nothing that it has leads back to it: its memory is free as soon as it is dropped.
    """

    def __init__(self, machine: Machine, folder: Folder, filed: Filed, bases: Array) -> None:
        self.machine = machine
        self.filed = filed
        self.part = filed.part
        self.own, self.ghosts = filed.size, filed.ghosts
        self.number = numbers(np.array(filed.counts, np.int64), bases)
        """By state of its own, its number in the whole graph."""
        foreign = folder.read(filed.foreign)
        self._lines = Lines(machine, [folder.read(filed.states), foreign])
        self.owner = column(foreign, "owner").astype(np.int64)
        """By ghost, who owns it; in order."""
        self.events = events_of(folder.read(filed.events))
        degree = column(folder.read(filed.degrees), "degree").astype(np.int64)
        edges = folder.read(filed.lines)
        target, group, event = (column(edges, name) for name in ("target", "group", "event"))
        foreign_edge = target >= self.own
        target[foreign_edge] = self.own + column(foreign, "rank")[target[foreign_edge] - self.own]
        if filed.dropped is not None:
            gone = np.zeros(self.own + self.ghosts, np.bool_)
            for message in received(folder, [filed.dropped]):
                gone[self.first_ghost(message.sender) + message.index] = True
            kept = ~gone[target]
            source = np.repeat(np.arange(self.own), degree)[kept]
            degree = np.bincount(source, minlength=self.own)
            target, group, event = target[kept], group[kept], event[kept]
        start = np.concatenate([[0], np.cumsum(degree), np.full(self.ghosts, int(degree.sum()))]).astype(np.int64)
        level = np.array([0, int(filed.counts[0]) if filed.counts else 0])
        self.graph = Graph(start, target, group, event, self.events, level, self._lines.state, self._lines.label)
        self._mirror(None if filed.mirrors is None else folder.read(filed.mirrors))
        self._columns: Columns | None = None
        self._arenas: dict[Stuttering, Arena] = {}
        self.kept: dict[object, Any] = {}
        """What was computed for one superstep and serves others."""

    @property
    def initial(self) -> Array:
        """The initial states among its own."""
        return self.graph.initial

    def state(self, number: int) -> State:
        """A state of its own, or a ghost."""
        return self._lines.state(number)

    # What properties are decided on

    @property
    def columns(self) -> Columns:
        if self._columns is None:
            self._columns = Columns(self.graph, self.machine.system.shape, self.machine.conditions)
        return self._columns

    def arena(self, stuttering: Stuttering) -> Arena:
        """The piece in a reading of deadlock: ghosts never stutter here, their owners see to that."""
        if stuttering not in self._arenas:
            self._arenas[stuttering] = self._arena(stuttering)
        return self._arenas[stuttering]

    def _arena(self, stuttering: Stuttering) -> Arena:
        graph, columns = self.graph, self.columns
        where = np.zeros(self.own + self.ghosts, np.bool_)
        where[: self.own] = True if stuttering == "always" else np.diff(graph.start)[: self.own] == 0
        start, target, group, event = graph.start, graph.target, graph.group, graph.event
        if stuttering != "never" and where.any():
            none = len(columns.shape.groups), len(graph.events)
            start, target, group, event = properties_kernels.stutters(start, target, group, event, where, *none)
        return Arena(columns, stuttering, start, target, group, event)

    # What others have of it, and it of others

    def _mirror(self, table: pa.Table | None) -> None:
        self._theirs: dict[int, Array] = {}
        """By partition, the states here that are ghosts there."""
        if table is None:
            self._mirror_start = np.zeros(self.own + 1, np.int64)
            self._mirror_part = self._mirror_position = np.empty(0, np.int64)
            return
        sender, local = column(table, "sender").astype(np.int64), column(table, "local").astype(np.int64)
        bounds = np.flatnonzero(np.diff(sender, prepend=-1, append=-1))
        position = np.empty(len(sender), np.int64)
        for low, high in zip(bounds.tolist(), bounds[1:].tolist()):
            self._theirs[int(sender[low])] = local[low:high]
            position[low:high] = np.arange(high - low)
        there = np.flatnonzero(local != NOWHERE)
        order = there[np.argsort(local[there], kind="stable")]
        counts = np.bincount(local[order], minlength=self.own)
        self._mirror_start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        self._mirror_part, self._mirror_position = sender[order], position[order]

    def first_ghost(self, part: int) -> int:
        """The first ghost that a partition owns, as a state here."""
        return self.own + int(np.searchsorted(self.owner, part))

    def mirrored(self, part: int) -> Array:
        """The states here that a partition has as ghosts, in its order; NOWHERE outside the constraints."""
        return self._theirs[part]

    @cached_property
    def holders(self) -> Array:
        """By state of its own, how many others have it as a ghost."""
        found: Array = np.diff(self._mirror_start).astype(np.uint32)
        return found

    def down(self, pairs: Array, values: Array, states: int) -> Iterator[tuple[int, bytes]]:
        """Tells those who have pairs of its own as ghosts."""
        state, automaton = pairs // states, pairs % states
        first, count = self._mirror_start[state], self._mirror_start[state + 1] - self._mirror_start[state]
        entry = np.repeat(np.arange(len(pairs)), count)
        at = np.arange(len(entry)) - np.repeat(np.cumsum(count) - count, count) + first[entry]
        index = self._mirror_position[at] * states + automaton[entry]
        yield from self._sorted(DOWN, self._mirror_part[at], index, values[entry])

    def up(self, pairs: Array, values: Array, states: int) -> Iterator[tuple[int, bytes]]:
        """Tells the owners of ghosts."""
        ghost, automaton = pairs // states - self.own, pairs % states
        owner = self.owner[ghost]
        index = (ghost - np.searchsorted(self.owner, owner)) * states + automaton
        yield from self._sorted(UP, owner, index, values)

    def _sorted(self, kind: int, part: Array, index: Array, values: Array) -> Iterator[tuple[int, bytes]]:
        order = np.argsort(part, kind="stable")
        bounds = np.flatnonzero(np.diff(part[order], prepend=-1, append=-1))
        for low, high in zip(bounds.tolist(), bounds[1:].tolist()):
            some = order[low:high]
            for data in packed(kind, self.part, index[some], values[some]):
                yield int(part[some[0]]), data

    def pairs(self, message: Message, states: int) -> tuple[Array, Array]:
        """The pairs here that a message speaks of, and its values."""
        if message.kind == DOWN:
            return self.first_ghost(message.sender) * states + message.index, message.values
        local = self._theirs[message.sender][message.index // states]
        there = local != NOWHERE
        return (local * states + message.index % states)[there], message.values[there]
