"""What a worker does with a partition in a round; it keeps what it has learnt, and partitions, for the next."""

from __future__ import annotations

import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from homing.core.model import Model
from homing.core.property import Safety
from homing.engines.local.monitors import Finding, Monitor
from homing.engines.spark.batches import column, read, written
from homing.engines.spark.cells import Cells
from homing.engines.spark.closing import Census, Closing, Failure
from homing.engines.spark.conditions import conditions_of
from homing.engines.spark.exchange import messages
from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import NEVER, Owners
from homing.engines.spark.machine import Machine
from homing.engines.spark.memory import give_back, tuning
from homing.engines.spark.partition import LEAST_SENT, MOST_SENT, Partition

STATES = "states"
SENT_SHARE = 256
"""Bytes that a partition may take for each row that waits to be sent."""


@dataclass(frozen=True)
class Job:
    """What is the same for all tasks of a run."""

    identity: str
    """Of the model and what is asked."""
    key: str
    """Of this run of it."""
    rebuild: Callable[[], Model]
    owning: tuple[int, ...]
    folder: Folder
    properties: tuple[Safety, ...]
    stopping: bool
    """Whether nothing below a depth at which all properties are decided matters."""
    memory: int
    """Bytes that a partition may take before it is split."""
    cache: int
    """Bytes of partitions that a worker may keep between rounds."""
    spreading: bool = False
    """Whether there are to be as many partitions as lanes, however many these turn out to be."""


@dataclass(frozen=True)
class Assignment:
    """One partition, as its last round left it, and what to do in this one."""

    part: int
    cells: Cells
    horizon: int
    closed: int = 0
    version: str = ""
    files: tuple[str, ...] = ()
    inbox: tuple[str, ...] = ()
    census: tuple[Any, ...] = ()
    last: int | None = None
    """The depth whose states are only looked at, since the search ends there."""
    weight: int = 0
    """States that it has, about."""
    seconds: float = 60.0
    """After so much time the round ends at the next depth: rounds are what a run can be resumed from."""
    counting: bool = False
    """Whether its states are to be counted by cell."""
    onward: bool = False
    """Whether what others send before its turn, in the same round, is for this round."""


@dataclass(frozen=True)
class Outcome:
    """What a round made of a partition."""

    part: int
    version: str
    file: str | None
    closed: int
    waiting: int
    states: int
    census: tuple[Any, ...]
    findings: tuple[Finding | None, ...]
    failure: Failure | None
    sent: int
    nearest: dict[int, int]
    """By partition the least depth of what was sent to it."""
    received: int
    steps: int
    expanded: int
    again: int
    evaluations: int
    bytes: int
    seconds: float
    loaded: bool
    counts: tuple[int, ...] = ()
    """Its states by cell, if asked or grown too large."""
    renewed: bool = False
    """Whether the file has all its states, so that no other is needed."""


@dataclass
class _Kept:
    """What a process keeps of a run."""

    machine: Machine
    partitions: OrderedDict[int, tuple[str, Partition]] = field(default_factory=OrderedDict)


_runs: OrderedDict[str, _Kept] = OrderedDict()
MOST_RUNS = 2


def work(job: Job, todo: Assignment) -> Iterator[tuple[int, Any]]:
    """Yields messages by partition, and last, under -1, the outcome."""
    started = time.perf_counter()
    kept = _kept(job)
    machine = kept.machine
    asked = machine.evaluator.evaluations

    def owners() -> Owners:
        return machine.sharing(todo.cells, todo.part)

    partition, loaded, whole = _partition(job, todo, kept, owners)
    if not whole:
        partition.renew()
    census = Census(partition.by_depth, *(np.array(counts, np.int64) for counts in todo.census))
    monitors = [Monitor(prop) for prop in job.properties]
    most_sent = min(max(job.memory // SENT_SHARE, LEAST_SENT), MOST_SENT)
    closing = Closing(partition, owners, census, monitors, most_sent)
    received = 0
    for name in todo.inbox:
        for message in messages(job.folder, name):
            table = read(message)
            received += table.num_rows
            closing.take(table)
    sent, nearest = 0, dict[int, int]()
    full = partial(_full, job, partition, started + todo.seconds)
    for part, table in closing.close(todo.horizon, full, job.stopping):
        sent += table.num_rows
        nearest[part] = min(nearest.get(part, NEVER), int(column(table, "depth").min()))
        yield part, written(table)
    if todo.last is not None:
        closing.outside(todo.last)
    closed = max(todo.closed, closing.closed)
    file = job.folder.write_all(f"{STATES}/part={todo.part:05d}", partition.save(closed))
    version = uuid.uuid4().hex
    waiting = closing.waiting
    _keep(job, kept, todo.part, version, partition)
    yield (
        -1,
        Outcome(
            part=todo.part,
            version=version,
            file=file,
            closed=closed,
            waiting=waiting,
            states=len(partition),
            census=(partition.by_depth, census.outside, census.transitions, census.deadlocks),
            findings=tuple(monitor.finding for monitor in monitors),
            failure=closing.failure,
            sent=sent,
            nearest=nearest,
            received=received,
            steps=closing.steps,
            expanded=closing.expanded,
            again=closing.again,
            evaluations=machine.evaluator.evaluations - asked,
            bytes=partition.bytes,
            seconds=time.perf_counter() - started,
            loaded=loaded,
            counts=partition.counts(todo.cells) if todo.counting or partition.bytes > job.memory else (),
            renewed=not whole,
        ),
    )


def _full(job: Job, partition: Partition, until: float) -> bool:
    return partition.bytes > job.memory or time.perf_counter() > until


def _kept(job: Job) -> _Kept:
    if job.key not in _runs:
        while len(_runs) >= MOST_RUNS:
            _runs.popitem(last=False)
        model = job.rebuild()
        conditions = conditions_of(model.properties)
        _runs[job.key] = _Kept(Machine(model.system, job.owning, tuning(job.memory), conditions))
    _runs.move_to_end(job.key)
    return _runs[job.key]


def _partition(job: Job, todo: Assignment, kept: _Kept, owners: Callable[[], Owners]) -> tuple[Partition, bool, bool]:
    """The partition as its last round left it, kept or from disk; whether it was read, and whether all was its own."""
    version, partition = kept.partitions.pop(todo.part, ("", None))
    if partition is not None and version == todo.version:
        partition.activate()
        return partition, False, True
    partition = Partition(kept.machine)
    partition.activate()
    tables = (table for name in todo.files for table in job.folder.groups(name))
    whole = partition.load(tables, owners, todo.closed)
    return partition, bool(todo.files), whole


def _keep(job: Job, kept: _Kept, part: int, version: str, partition: Partition) -> None:
    kept.partitions[part] = (version, partition)
    while sum(found.bytes for _, found in kept.partitions.values()) > job.cache:
        kept.partitions.popitem(last=False)
    give_back()
