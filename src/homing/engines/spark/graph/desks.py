"""What a worker does in a superstep: programs run on its pieces, which tell each other first and then the others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from homing.engines.spark.batches import column
from homing.engines.spark.graph.catalog import GRAPH, Filed
from homing.engines.spark.graph.guarding import guarded
from homing.engines.spark.graph.messages import Message, raw, unpacked
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.graph.shelf import Shelf
from homing.engines.spark.kernels import Array
from homing.engines.spark.work import Job

VALUES = f"{GRAPH}/values"
Sent = Iterator[tuple[int, bytes]]


class Program(Protocol):
    """What a partition does in a superstep; it yields messages by partition. Picklable."""

    def step(self, desk: Desk) -> Sent: ...


@dataclass(frozen=True)
class Task:
    """One partition in one superstep."""

    filed: Filed
    bases: Array
    registers: dict[str, str]
    inbox: tuple[str, ...]
    active: bool
    """Whether it has something to do even if nobody in its bundle has something to tell it."""


@dataclass(frozen=True)
class Bundle:
    """Partitions whose pieces fit in one memory. Where a program is `closing`, they exchange what crosses between them
    until nothing does: few supersteps are left, and these are what costs."""

    tasks: tuple[Task, ...]
    program: Program
    first: bool
    closing: bool
    weight: int
    seconds: float = 60.0


@dataclass(frozen=True)
class Done:
    """What came of a partition."""

    part: int
    written: dict[str, str]
    report: Any


class Desk:
    """What a program has before it: the piece, arrays by name, and what was sent to it."""

    def __init__(self, job: Job, task: Task, piece: Piece, first: bool) -> None:
        self.job = job
        self.task = task
        self.piece = piece
        self.first = first
        self.report: Any = None
        self.received: list[bytes] | None = None
        """What others in the bundle sent, once that is what counts."""
        self._arrays: dict[str, tuple[str, Array]] = piece.kept.setdefault("registers", {})
        for name in self._arrays.keys() - task.registers.keys():
            del self._arrays[name]  # nobody will ask for it again
        self._fresh: dict[str, Array] = {}

    def load(self, name: str) -> Array:
        """An array, to be read only."""
        if name in self._fresh:
            return self._fresh[name]
        file = self.task.registers[name]
        known, array = self._arrays.get(name, ("", None))
        if array is None or known != file:
            array = column(self.job.folder.read(file), "value")
            self._arrays[name] = (file, array)
        return array

    def take(self, name: str) -> Array:
        """An array that will be changed and saved; what is kept of the old one would no longer be true."""
        array = self.load(name)
        self._arrays.pop(name, None)
        return array

    def save(self, name: str, array: Array) -> None:
        """Keeps an array for later supersteps."""
        self._fresh[name] = array.reshape(-1)

    def done(self) -> Done:
        """Writes what was saved."""
        written = {}
        for name, array in self._fresh.items():
            table = pa.table({"value": array})
            written[name] = self.job.folder.write(f"{VALUES}/part={self.piece.part:05d}", table)
            self._arrays[name] = (written[name], array)
        return Done(self.piece.part, written, self.report)

    @property
    def inbox(self) -> Iterator[Message]:
        data: Iterable[bytes] = self.received or []
        return map(unpacked, raw(self.job.folder, self.task.inbox) if self.received is None else data)


_shelf = Shelf()


@guarded
def superstep(job: Job, bundle: Bundle) -> Iterator[tuple[int, Any]]:
    """A bundle's part in a superstep."""
    tasks = {task.filed.part: task for task in bundle.tasks}
    desks: dict[int, Desk] = {}
    todo: dict[int, list[bytes] | None] = {part: None for part, task in tasks.items() if task.active}
    while todo:
        told: dict[int, list[bytes] | None] = {}
        for part, received in todo.items():
            if part not in desks:
                task = tasks[part]
                desks[part] = Desk(job, task, _shelf.piece(job, task.filed, task.bases), bundle.first)
            desk = desks[part]
            if received is not None:
                desk.first, desk.received = False, received
            for receiver, data in bundle.program.step(desk):
                if bundle.closing and receiver in tasks:
                    waiting = told.setdefault(receiver, [])
                    assert waiting is not None
                    waiting.append(data)
                else:
                    yield receiver, data
            if not bundle.closing:
                yield -1, desks.pop(part).done()
                _shelf.fit(job.cache)
        todo = told
    for desk in desks.values():
        yield -1, desk.done()
    _shelf.fit(job.cache)


def flags(truth: Array) -> Array:
    """Truth values as numbers that kernels and files take."""
    return np.ascontiguousarray(truth).astype(np.uint8)
