"""What a worker does with a partition in a level: what arrived settles, is looked at, and is fired."""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from homing.core.system import TransitionSystem
from homing.engines.local.evaluator import Failed
from homing.engines.spark.batches import read, written
from homing.engines.spark.exchange import messages
from homing.engines.spark.graph.shelf import Nobody
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.memory import tuning
from homing.engines.spark.timed.looking import Seen, looked
from homing.engines.spark.timed.partition import Full, Partition
from homing.engines.spark.timed.tasks import (
    ARRIVING,
    FIRING,
    LOOKING,
    PIECE_BYTES,
    Assignment,
    Failure,
    Job,
    Outcome,
    Overflow,
)
from homing.engines.zones.planning import Plan
from homing.engines.zones.symbolic import Failing


@dataclass(frozen=True)
class _Kept:
    """A partition as a level left it."""

    version: str
    partition: Partition
    memory: int


_machines: OrderedDict[tuple[str, bool], Machine] = OrderedDict()
_partitions: OrderedDict[tuple[str, str, int, int], _Kept] = OrderedDict()
MOST_MACHINES = 4


def machine_of(job: Job) -> Machine:
    """The system in this process; what it has learnt serves all searches of the run."""
    key = (job.run, job.plan.ticking)
    if key not in _machines:
        while len(_machines) >= MOST_MACHINES:
            _machines.popitem(last=False)
        _machines[key] = timed_machine(job.plan, job.rebuild().system, job.owning, job.memory)
    _machines.move_to_end(key)
    return _machines[key]


def timed_machine(plan: Plan, system: TransitionSystem, owning: tuple[int, ...], memory: int) -> Machine:
    """What is searched, in this process."""
    searched = plan.of(system)  # type: ignore[arg-type]
    machine = Machine(searched, owning, tuning(memory))
    machine.holding(Nobody())
    return machine


def partition_of(job: Job, todo: Assignment) -> tuple[Partition, Array, bool]:
    """The partition as its last level left it, its states of that level, and whether it was read from disk."""
    for key in [key for key in _partitions if key[0] != job.run]:
        del _partitions[key]
    kept = _partitions.pop((job.run, job.name, todo.bits, todo.part), None)
    if kept is not None and kept.version == todo.version and not todo.frontier:
        kept.partition.begin()
        return kept.partition, np.empty(0, np.int64), False
    partition = Partition(machine_of(job), job.plan, todo.bits, todo.part)
    tables = (table for name in todo.files for table in job.folder.groups(name))
    frontier = partition.load(tables, todo.level, job.room)
    partition.begin()
    return partition, frontier, bool(todo.files)


def forget() -> None:
    """Keeps no partition: their searches are over."""
    _partitions.clear()


def keep(job: Job, todo: Assignment, version: str, partition: Partition) -> None:
    """Keeps a partition for later, as long as there is room."""
    _partitions[job.run, job.name, todo.bits, todo.part] = _Kept(version, partition, partition.memory)
    while sum(kept.memory for kept in _partitions.values()) > job.cache:
        _partitions.popitem(last=False)


def overflowing(steps: Iterator[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """What a task yields; where it has no room, that is told instead of an outcome."""
    try:
        yield from steps
    except Full as full:
        partition = full.partition
        yield -1, Overflow(partition.part, partition.bytes, partition.is_divisible)


def work(job: Job, todo: Assignment) -> Iterator[tuple[int, Any]]:
    """Yields messages by partition, and last, under -1, the outcome."""
    return overflowing(_worked(job, todo))


def _worked(job: Job, todo: Assignment) -> Iterator[tuple[int, Any]]:
    task = _Task(job, todo)
    try:
        yield from task.messages()
    except Full:
        job.folder.remove(name for name in (task.file, task.moves) if name is not None)
        raise
    yield -1, task.outcome()


class _Task:
    """One partition in one level."""

    def __init__(self, job: Job, todo: Assignment) -> None:
        self.job = job
        self.todo = todo
        self.started = time.perf_counter()
        self.partition, self.wave, self.loaded = partition_of(job, todo)
        self.asked = self.partition.machine.evaluator.evaluations
        self.file: str | None = None
        self.moves: str | None = None
        self.edges = self.received = self.sent = self.crossing = 0
        self.seen = Seen()
        self.failure: Failure | None = None

    def messages(self) -> Iterator[tuple[int, bytes]]:
        """Does the level; what it sends."""
        if not self.todo.frontier:
            try:
                self._take()
            except Failed as failed:
                self.failure = Failure(ARRIVING, failed.error, failed.state, None)
                return
            self._save()
            self._look()
        if self.failure is None:
            yield from self._fire()

    def _take(self) -> None:
        tables, size = [], 0
        for name in self.todo.inbox:
            for message in messages(self.job.folder, name):
                tables.append(read(message))
                size += len(message)
                if size > self.job.at_once:
                    self.received += self.partition.take(tables)
                    self.partition.check(self.job.room)
                    tables, size = [], 0
        self.received += self.partition.take(tables)
        self.wave = self.partition.end(self.todo.level, self.todo.serial)

    def _save(self) -> None:
        where, partition = f"part={self.todo.part:05d}", self.partition
        self.file = self.job.folder.write_all(f"{self.job.name}/states/{where}", partition.tables(self.wave))
        moves = partition.moves()
        if moves is not None:
            self.edges = moves.num_rows
            self.moves = self.job.folder.write(f"{self.job.name}/moves/{where}", moves)

    def _look(self) -> None:
        self.seen, failed = looked(self.partition, self.job.look, self.todo.known, self.wave)
        if failed is not None:
            symbolic = self.partition.symbolic
            number = int(symbolic.discrete.numbers([failed.state])[0])
            at = int(self.wave[symbolic.states.discrete[self.wave] == number][0])
            self.failure = Failure(LOOKING, failed.error, failed.state, self.partition.called(at))

    def _fire(self) -> Iterator[tuple[int, bytes]]:
        try:
            for part, table in self.partition.messages(self.wave):
                self.sent += table.num_rows
                self.crossing += table.num_rows if part != self.todo.part else 0
                yield part, written(table)
                self.partition.check(self.job.room)
        except Failing as failing:
            self.failure = Failure(FIRING, None, None, self.partition.called(failing.state))

    @property
    def _is_large(self) -> bool:
        """One that was not read from disk has also what it no longer needs, and need not be kept."""
        most, partition = self.job.memory, self.partition
        large = self.loaded and partition.bytes > most
        return (large or PIECE_BYTES * (self.todo.edges + self.edges) > most) and partition.is_divisible

    def outcome(self) -> Outcome:
        """What came of it."""
        version, partition = uuid.uuid4().hex, self.partition
        if self.failure is None:
            keep(self.job, self.todo, version, partition)
        return Outcome(
            part=self.todo.part,
            version=version,
            states=partition.states,
            wave=len(self.wave),
            generated=partition.generated,
            file=self.file,
            moves=self.moves,
            edges=self.edges,
            seen=self.seen,
            failure=self.failure,
            sent=self.sent,
            crossing=self.crossing,
            received=self.received,
            evaluations=partition.machine.evaluator.evaluations - self.asked,
            large=self._is_large,
            seconds=time.perf_counter() - self.started,
            loaded=self.loaded,
        )
