"""Supersteps: partitions work on their pieces and registers, what crosses is exchanged, until nothing does."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from homing.core.errors import HomingError
from homing.engines.spark.batches import column
from homing.engines.spark.graph.catalog import GRAPH, Catalog, Filed
from homing.engines.spark.graph.guarding import guarded, told
from homing.engines.spark.graph.messages import Message, received
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.work import Job, _kept

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
    program: Program
    registers: dict[str, str]
    inbox: tuple[str, ...]
    first: bool
    weight: int
    seconds: float = 60.0


@dataclass(frozen=True)
class Done:
    """What came of it."""

    part: int
    written: dict[str, str]
    report: Any


class Desk:
    """What a program has before it: the piece, arrays by name, and what was sent to it."""

    def __init__(self, job: Job, task: Task, piece: Piece) -> None:
        self.job = job
        self.task = task
        self.piece = piece
        self.first = task.first
        self.written: dict[str, str] = {}
        self.report: Any = None
        self._arrays: dict[str, tuple[str, Array]] = piece.kept.setdefault("registers", {})

    def load(self, name: str) -> Array:
        """An array, to be read only."""
        file = self.task.registers[name]
        known, array = self._arrays.get(name, ("", None))
        if array is None or known != file:
            array = column(self.job.folder.read(file), "value")
            self._arrays[name] = (file, array)
        return array

    def take(self, name: str) -> Array:
        """An array that will be changed and saved; what is kept of the old one would no longer be true."""
        array = self.load(name)
        del self._arrays[name]
        return array

    def save(self, name: str, array: Array) -> None:
        """Keeps an array for later supersteps."""
        table = pa.table({"value": array.reshape(-1)})
        file = self.job.folder.write(f"{VALUES}/part={self.piece.part:05d}", table)
        self.written[name] = file
        self._arrays[name] = (file, array.reshape(-1))

    @property
    def inbox(self) -> Iterator[Message]:
        return received(self.job.folder, self.task.inbox)


class _Nobody:
    """No rows that would have to follow a layout."""

    def repack(self, old: Any, new: Any, words: int) -> None: ...


_pieces: OrderedDict[tuple[str, int], Piece] = OrderedDict()


def _piece(job: Job, filed: Filed, bases: Array) -> Piece:
    """The piece, kept from an earlier superstep or from disk."""
    for key in [key for key in _pieces if key[0] != job.key]:
        del _pieces[key]
    key = (job.key, filed.part)
    if key not in _pieces:
        while _pieces and sum(piece.memory for piece in _pieces.values()) > job.cache:
            _pieces.popitem(last=False)
        machine = _kept(job).machine
        machine.holding(_Nobody())
        _kept(job).partitions.clear()
        _pieces[key] = Piece(machine, job.folder, filed, bases)
    _pieces.move_to_end(key)
    return _pieces[key]


@guarded
def superstep(job: Job, task: Task) -> Iterator[tuple[int, Any]]:
    """One partition's part in a superstep."""
    desk = Desk(job, task, _piece(job, task.filed, task.bases))
    yield from task.program.step(desk)
    yield -1, Done(task.filed.part, desk.written, desk.report)


class Supersteps:
    """Runs programs on all pieces, and knows where their registers are."""

    def __init__(
        self,
        job: Job,
        rounds: Rounds,
        catalog: Catalog,
        machine: Machine,
        stopped: Callable[[], str | None],
        show: Callable[[str], None],
    ) -> None:
        self.job = job
        self.rounds = rounds
        self.catalog = catalog
        self.machine = machine
        self.stopped = stopped
        self.show = show
        self.steps = 0
        self.registers: dict[int, dict[str, str]] = {part: {} for part in catalog.pieces}
        self.waiting: dict[int, str] = {}
        """Messages that nobody has read yet."""
        self._bases = catalog.bases()
        self._loaded: OrderedDict[int, Piece] = OrderedDict()

    def once(self, program: Program, parts: Sequence[int] | None = None, first: bool = True) -> dict[int, Any]:
        """One superstep of all pieces; what it sends waits. Returns the reports."""
        reason = self.stopped()
        if reason is not None:
            raise HomingError(reason)
        chosen = sorted(self.catalog.pieces if parts is None else parts)
        read = {part: (self.waiting.pop(part),) for part in chosen if part in self.waiting}
        todo = [self._task(part, program, read.get(part, ()), first) for part in chosen]
        outcomes, self.waiting = self.rounds.run(partial(superstep, self.job), todo, self.catalog.partitions)
        old = []
        for done in told(outcomes):
            registers = self.registers[done.part]
            old += [registers[name] for name in done.written if name in registers]
            registers.update(done.written)
        self.job.folder.remove([*old, *(name for names in read.values() for name in names)])
        self.steps += 1
        self.show(f"superstep {self.steps}: {type(program).__name__.lower()}, {len(todo)} partitions")
        return {done.part: done.report for done in outcomes}

    def fix(self, program: Program) -> dict[int, Any]:
        """Supersteps until nothing crosses; by partition the last report."""
        reports = self.once(program)
        while self.waiting:
            reports |= self.once(program, list(self.waiting), first=False)
        return reports

    def _task(self, part: int, program: Program, inbox: tuple[str, ...], first: bool) -> Task:
        filed = self.catalog.pieces[part]
        weight = filed.size + filed.edges // 4
        return Task(filed, self._bases[part], program, dict(self.registers[part]), inbox, first, weight)

    def drop(self) -> None:
        """Nobody will read what waits."""
        self.job.folder.remove(self.waiting.values())
        self.waiting = {}

    def forget(self, prefix: str) -> None:
        """Removes registers whose names begin so."""
        for registers in self.registers.values():
            names = [name for name in registers if name.startswith(prefix)]
            self.job.folder.remove(registers.pop(name) for name in names)

    # In this process

    def piece(self, part: int, most: int = 4) -> Piece:
        """A piece, to follow a path through; a few are kept."""
        if part not in self._loaded:
            while len(self._loaded) >= most:
                self._loaded.popitem(last=False)
            self.machine.holding(_Nobody())
            self._loaded[part] = Piece(self.machine, self.job.folder, self.catalog.pieces[part], self._bases[part])
        self._loaded.move_to_end(part)
        return self._loaded[part]

    def array(self, name: str, part: int) -> Array:
        """A register of a piece."""
        file = self.registers[part][name]
        arrays = self.piece(part).kept.setdefault("registers", {})
        if arrays.get(name, ("",))[0] != file:
            arrays[name] = (file, column(self.job.folder.read(file), "value"))
        found: Array = arrays[name][1]
        return found


def fresh(what: str) -> str:
    """A name for a register that no other has."""
    return f"{what}-{uuid.uuid4().hex[:12]}"


def flags(truth: Array) -> Array:
    """Truth values as numbers that kernels and files take."""
    return np.ascontiguousarray(truth).astype(np.uint8)
