"""A partition closes over its own states: breadth first up to a depth, whatever crosses put aside."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
import pyarrow as pa

from homing.core.errors import HomingError
from homing.core.property import DeadlockFree
from homing.core.values import State
from homing.engines.local.evaluator import Failed
from homing.engines.local.expander import Round
from homing.engines.local.monitors import Monitor, Pick
from homing.engines.spark import kernels
from homing.engines.spark.kernels import NEVER, Array, Owners, Steps
from homing.engines.spark.machine import Machine
from homing.engines.spark.partition import MOST_SENT, Partition, produced

Crossing: TypeAlias = tuple[int, pa.Table]
"""Rows for a partition."""


@dataclass
class Census:
    """Counts by depth, so that a search that ends early counts what a breadth-first search would have."""

    states: Array
    outside: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    transitions: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    deadlocks: Array = field(default_factory=lambda: np.zeros(0, np.int64))

    def reach(self, depth: int) -> None:
        """Makes room for a depth."""
        for name in ("outside", "transitions", "deadlocks"):
            counts = getattr(self, name)
            if len(counts) <= depth:
                setattr(self, name, np.concatenate([counts, np.zeros(depth + 64 - len(counts), np.int64)]))


@dataclass(frozen=True)
class Failure:
    """The model failed on a state."""

    error: HomingError
    state: State
    depth: int
    observing: bool


class Closing:
    """One round of one partition."""

    def __init__(
        self,
        partition: Partition,
        owners: Callable[[], Owners],
        census: Census,
        monitors: list[Monitor],
        most_sent: int = MOST_SENT,
    ) -> None:
        self.partition = partition
        self.machine: Machine = partition.machine
        self.owners = owners
        self.census = census
        self.monitors = monitors
        self.most_sent = most_sent
        self.failure: Failure | None = None
        self.expanded = 0
        self.again = 0
        """States expanded once more, since a shorter path to them was found."""
        self.steps = 0
        self._observing = False

    def take(self, table: pa.Table) -> None:
        """Takes in what another sent."""
        self.partition.absorb_own(produced(self.machine, table), self.owners())

    def close(self, horizon: int, full: Callable[[], bool], stopping: bool = False) -> Iterator[Crossing]:
        """Expands everything above the horizon, or until there is no room; yields what crosses, by owner.

        Sets `closed`: all states of less depth are expanded, or open.
        """
        seeds = self.partition.open
        keys = self.partition.held.depth[seeds].astype(np.int64)
        found, level, at, self.closed = seeds[:0], 0, 0, horizon
        while True:
            if not len(found):
                if at == len(seeds):
                    break
                level = int(keys[at])
            if level >= horizon:
                break
            if full() and self.expanded:  # a round that does nothing would be followed by another
                self.closed = level
                break
            end = int(np.searchsorted(keys, level, "right"))
            mine = seeds[at:end]
            # One that came nearer meanwhile was expanded then.
            mine = mine[self.partition.held.depth[mine] == level]
            at = end
            numbers = np.concatenate([mine, found])
            try:
                self._observing = True
                self._observe(numbers, level)
                if stopping and all(monitor.decided for monitor in self.monitors):
                    # Nothing is left to decide below: what is found deeper would not count.
                    self.closed = level
                    break
                self._observing = False
                found, whole = yield from self._expand(numbers, level, full)
            except Failed as failed:
                self.failure = Failure(failed.error, failed.state, level, self._observing)
                self.closed = level
                break
            level += 1
            if not whole:
                self.closed = level
                break
        yield from self.partition.messages()

    @property
    def waiting(self) -> int:
        """The least depth of a state that is yet to be expanded, or NEVER."""
        held, count = self.partition.held, len(self.partition)
        depth = held.depth[:count]
        return int(depth[depth < held.counted[:count]].min(initial=NEVER))

    def _observe(self, numbers: Array, level: int) -> None:
        labels = sorted({label for monitor in self.monitors if not monitor.decided for label in monitor.labels})
        if not labels:
            return
        size = 1 << 18
        for start in range(0, len(numbers), size):
            rows, values = self.machine.search.observe(self.partition.held.rows[numbers[start : start + size]], labels)
            by_label = dict(zip(labels, values, strict=True))
            for monitor in self.monitors:
                monitor.see(level, by_label, self._picker(rows))

    def _expand(
        self, numbers: Array, level: int, full: Callable[[], bool]
    ) -> Generator[Crossing, None, tuple[Array, bool]]:
        """The steps from states of one depth: the numbers of those of its own that are new or nearer, and whether there
        was room for all. Yields what crosses, if that becomes much."""
        self.census.reach(level + 1)
        fresh, start = [numbers[:0]], 0
        while start < len(numbers) and not (start and full()):
            chosen = numbers[start : start + self.machine.search.batch]
            start += len(chosen)
            fresh += self._batch(chosen, level)
            if self.partition.crossing > self.most_sent:
                yield from self.partition.messages()
        # Files may call these rows expanded, from now on: the next one has to say that they are not.
        self.partition.held.changed[numbers[start:]] = 1
        return np.concatenate(fresh), start >= len(numbers)

    def _batch(self, numbers: Array, level: int) -> list[Array]:
        search, partition = self.machine.search, self.partition
        search.evaluator.forget(search.memory)
        self._observing = True  # a breadth-first search asks the constraints as it asks the properties
        rows, inside = search.inside(partition.held.rows[numbers])
        self._observing = False
        before = partition.held.counted[numbers]
        self.census.reach(int(before[before != NEVER].max(initial=0)))
        _move(self.census.outside, before[~inside], level, np.ones(int((~inside).sum()), np.int64))
        kept, fresh, ends = np.flatnonzero(inside), list[Array](), list[Array]()
        self.expanded += len(kept)
        self.again += int((before[kept] != NEVER).sum())
        for found in search.steps(rows[kept]):
            fresh += self._round(found, before[kept], level)
            ends.append(found.dead)
        dead = kept[np.sort(np.concatenate(ends))] if ends else kept[:0]
        if len(dead):
            _move(self.census.deadlocks, before[dead], level, np.ones(len(dead), np.int64))
            self._dead(numbers[dead], level)
        partition.held.counted[numbers] = level
        return fresh

    def _round(self, found: Round, before: Array, level: int) -> Iterator[Array]:
        machine, out = self.machine, found.out
        machine.refresh()
        parents = np.empty(len(found.rows), np.uint64)
        kernels.pointers(machine.form, self.owners(), found.rows, parents)
        depth = np.full(len(found.rows), level + 1, np.uint32)
        steps = np.zeros(len(found.rows), np.int64)
        for chunk, filled in enumerate(out.filled):
            if not filled:
                continue
            rows, hashes, origin = out.rows[chunk, :filled], out.hashes[chunk, :filled], out.origin[chunk, :filled]
            if machine.system.shape.symmetry:
                machine.represent(rows)
                hashes = machine.hashes(rows)
            low = int(origin[0])  # origins ascend within a chunk
            steps[low : int(origin[-1]) + 1] += np.bincount(origin - np.uint32(low))
            yield self.partition.follow(Steps(rows, hashes, origin, parents, depth), self.owners())
        self.steps += int(steps.sum())
        _move(self.census.transitions, before[found.positions], level, steps)

    def _dead(self, numbers: Array, level: int) -> None:
        for monitor in self.monitors:
            if isinstance(monitor.prop, DeadlockFree) and not monitor.decided:
                unless = () if monitor.prop.unless is None else (monitor.prop.unless,)
                rows, values = self.machine.search.observe(self.partition.held.rows[numbers], unless)
                monitor.see_dead(level, (values != 0).any(axis=0), self._picker(rows))

    def _picker(self, rows: Array) -> Pick:
        return lambda position: self.machine.state(rows[position])

    def outside(self, level: int) -> None:
        """Counts those outside the constraints at a depth that is not expanded."""
        self.census.reach(level)
        numbers = np.flatnonzero(self.partition.depth == level)
        try:
            _, inside = self.machine.search.inside(self.partition.held.rows[numbers])
        except Failed as failed:
            self.failure = Failure(failed.error, failed.state, level, True)
        else:
            self.census.outside[level] = int((~inside).sum())


def _move(counts: Array, before: Array, level: int, amounts: Array) -> None:
    """Counts amounts at a level; what was counted at another one is taken from there."""
    counts[level] += int(amounts.sum())
    again = before != NEVER
    if again.any():
        np.subtract.at(counts, before[again], amounts[again])
