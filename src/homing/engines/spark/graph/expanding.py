"""The edges of one partition's states: its own targets are looked up here, ghosts, those of others, by their owners."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from homing.core.errors import ModelError
from homing.core.values import encode
from homing.engines.local.expander import Round
from homing.engines.spark import kernels as rows_kernels
from homing.engines.spark.batches import batch, written
from homing.engines.spark.graph import kernels
from homing.engines.spark.kernels import Array, Owners, Produced
from homing.engines.spark.machine import Machine
from homing.engines.spark.partition import Partition

AT_ONCE = 1 << 17
"""Rows of ghosts in a message."""
TWICE = "the model reaches a state that it did not reach before: it answers differently when asked twice"


class _Both:
    """Two sets of rows that follow the layout."""

    def __init__(self, *partitions: Partition) -> None:
        self._partitions = partitions

    def repack(self, old: Any, new: Any, words: int, pool: Any = None) -> None:
        for partition in self._partitions:
            partition.repack(old, new, words, pool)


class Expanding:
    """Expands the states of a partition once more, and this time keeps the edges."""

    def __init__(self, machine: Machine, own: Partition, owners: Callable[[], Owners]) -> None:
        self.machine = machine
        self.own = own
        self.owners = owners
        self.ghosts = Partition(machine)
        machine.holding(_Both(own, self.ghosts))
        self.events: dict[object, tuple[int, Any]] = {}
        self.order = self._enumerate()
        self.rank = np.full(len(own), -1, np.int64)
        """By number in the partition, the position among the states; -1 outside the constraints."""
        self.rank[self.order] = np.arange(len(self.order))
        self.degree = np.zeros(len(self.order), np.uint32)
        self.edges = 0

    def _enumerate(self) -> Array:
        """States by depth, then in an order that every process finds: a task that is done twice does the same."""
        _, inside = self.machine.search.inside(self.own.rows)
        self.machine.refresh()
        numbers = np.flatnonzero(inside)
        depth = self.own.depth[numbers].astype(np.int64)
        return numbers[ordered(self.machine, self.own.rows[numbers], depth)]

    @property
    def depth(self) -> Array:
        """By position."""
        depth: Array = self.own.depth[self.order]
        return depth

    def states(self) -> pa.Table:
        """The states, in order."""
        return batch(self.machine, self.own.held.rows[self.order], depth=self.depth)

    # Edges

    def lines(self) -> Iterator[pa.Table]:
        """The edges, some states at a time."""
        low, search = 0, self.machine.search
        while low < len(self.order):
            chosen = self.order[low : low + search.batch]
            search.evaluator.forget(search.memory)
            parts = [self._round(found) for found in search.steps(self.own.held.rows[chosen])]
            source, target, group, event = (np.concatenate(column) for column in zip(*parts))
            # Rows that had to wait for something to be learnt come late.
            order = np.argsort(source, kind="stable")
            self.degree[low : low + len(chosen)] = np.bincount(source, minlength=len(chosen))
            low += len(chosen)
            self.edges += len(source)
            columns = {"target": target[order].astype(np.uint32), "group": group[order], "event": event[order]}
            yield pa.table(columns)

    def _round(self, found: Round) -> tuple[Array, Array, Array, Array]:
        out, machine = found.out, self.machine
        machine.refresh()
        columns = []
        for chunk, filled in enumerate(out.filled):
            rows, hashes = out.rows[chunk, :filled], out.hashes[chunk, :filled]
            if machine.system.shape.symmetry:
                machine.represent(rows)
                hashes = machine.hashes(rows)
            target = self._targets(rows, hashes)
            kept = target >= 0
            source = found.positions[out.origin[chunk, :filled]]
            group, event = out.group[chunk, :filled], self._event(out.event[chunk, :filled])
            columns.append((source[kept], target[kept], group[kept], event[kept]))
        source, target, group, event = (np.concatenate(column) for column in zip(*columns))
        return source, target, group, event

    def _targets(self, rows: Array, hashes: Array) -> Array:
        """Positions of states; those of ghosts, as they come, behind; -1 outside the constraints."""
        machine, owners = self.machine, self.owners()
        part, target = np.empty(len(rows), np.int64), np.empty(len(rows), np.int64)
        rows_kernels.parts(machine.form, owners, rows, part)
        mine = part == owners.me
        numbers = self._located(self.own, rows[mine], hashes[mine])
        if len(numbers) and numbers.min() < 0:
            raise ModelError(TWICE)
        target[mine] = self.rank[numbers]
        theirs = ~mine
        if theirs.any():
            rows, hashes = rows[theirs], hashes[theirs]
            none = np.zeros(len(rows), np.uint64)
            self.ghosts.absorb(Produced(rows, hashes, none, none.astype(np.uint32)), machine.owners(0, 0, 0))
            target[theirs] = self._located(self.ghosts, rows, hashes) + len(self.order)
        return target

    def _located(self, partition: Partition, rows: Array, hashes: Array) -> Array:
        numbers = np.empty(len(rows), np.int64)
        rows_kernels.locate(partition.held, rows, hashes, self.machine.visible, numbers)
        return numbers

    def _event(self, event: Array) -> Array:
        """The memo may forget, and number events anew; those of the piece stay."""
        known = self.machine.evaluator.events
        numbers = np.zeros(len(known), np.uint32)
        for position in np.flatnonzero(np.bincount(event, minlength=len(known))):
            found = known[position]
            numbers[position] = self.events.setdefault(found.key, (len(self.events), found))[0]
        return numbers[event]

    # Ghosts

    def foreign(self) -> tuple[pa.Table, Iterator[tuple[int, bytes]]]:
        """The ghosts, and what to tell their owners."""
        machine = self.machine
        rows = self.ghosts.rows
        part = np.empty(len(rows), np.int64)
        rows_kernels.parts(machine.form, self.owners(), rows, part)
        order = ordered(machine, rows, part)
        rank = np.empty(len(order), np.uint32)
        rank[order] = np.arange(len(order))
        table = batch(machine, rows[order], owner=part[order].astype(np.uint32), rank=rank)
        return table, self._told(rows[order], part[order])

    def _told(self, rows: Array, part: Array) -> Iterator[tuple[int, bytes]]:
        me = self.owners().me
        bounds = np.flatnonzero(np.diff(part, prepend=-1, append=-1))
        for begin, end in zip(bounds.tolist(), bounds[1:].tolist()):
            for low in range(begin, end, AT_ONCE):
                some = rows[low : min(low + AT_ONCE, end)]
                position = np.arange(low - begin, low - begin + len(some), dtype=np.uint32)
                sender = np.full(len(some), me, np.uint32)
                yield int(part[begin]), written(batch(self.machine, some, position=position, sender=sender))


def ordered(machine: Machine, rows: Array, first: Array) -> Array:
    """What sorts rows by a number, and those with the same one alike in every process."""
    prints = np.empty(len(rows), np.uint64)
    kernels.prints(machine.form, machine.owners(0, 0, 0).print, rows, prints)
    order: Array = np.lexsort((prints, first))
    same = (first[order][1:] == first[order][:-1]) & (prints[order][1:] == prints[order][:-1])
    if same.any():  # which only chance can bring about
        keys = [(int(first[n]), int(prints[n]), encode(machine.state(rows[n]))) for n in range(len(rows))]
        order = np.array(sorted(range(len(rows)), key=keys.__getitem__), np.int64)
    return order
