"""The graph of a search in pieces: each has the states that one partition has named, and the moves from and to them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from homing.engines.spark.batches import column, read, written
from homing.engines.spark.exchange import messages
from homing.engines.spark.folder import Folder
from homing.engines.spark.graph.desks import Done
from homing.engines.spark.kernels import Array
from homing.engines.spark.timed.identity import SERIAL

OUT, IN = 0, 1
MASK = np.uint64((1 << SERIAL) - 1)
KEPT = 1 << 30
"""Bytes of pieces that a process keeps between supersteps."""


@dataclass(frozen=True)
class Sorting:
    """Moves that are to be sorted by the pieces that they belong to."""

    part: int
    keys: Array
    """What pieces are called, in order."""
    file: str
    weight: int
    seconds: float = 60.0


def sort(folder: Folder, todo: Sorting) -> Iterator[tuple[int, Any]]:
    """Sends each move to the piece of its source, and to that of its target."""
    found = folder.read(todo.file)
    source, target, tick = (column(found, name) for name in ("source", "target", "tick"))
    for way, mine, other in ((OUT, source, target), (IN, target, source)):
        for part, some in by_piece(todo.keys, mine):
            yield part, sent(way, mine[some] & MASK, other[some], tick[some])
    yield -1, None


def by_piece(keys: Array, states: Array) -> Iterator[tuple[int, Array]]:
    """By piece the positions of states that are its own."""
    piece = np.searchsorted(keys, states >> np.uint64(SERIAL))
    order = np.argsort(piece, kind="stable")
    bounds = np.flatnonzero(np.diff(piece[order], prepend=-1, append=-1)).tolist()
    for low, high in pairwise(bounds):
        yield int(piece[order[low]]), order[low:high]


def sent(way: int, mine: Array, other: Array, value: Array) -> bytes:
    """A message: for some states of a piece, which state is meant besides, and a number."""
    ways = np.full(len(mine), way, np.uint8)
    return written(pa.table({"way": ways, "mine": mine, "other": other, "value": value}))


class Piece:
    """Moves by state."""

    def __init__(self, key: int, size: int, moves: Iterable[pa.Table]) -> None:
        self.key = key
        self.size = size
        tables = list(moves)
        self.out, self.back = (self._sorted([_way(table, way) for table in tables]) for way in (OUT, IN))

    def _sorted(self, parts: list[tuple[Array, Array, Array]]) -> Moves:
        empty = np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, np.uint8)
        mine, other, tick = (np.concatenate(columns) for columns in zip(empty, *parts, strict=True))
        order = np.argsort(mine, kind="stable")
        counts = np.bincount(mine.astype(np.int64), minlength=self.size)
        start = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Moves(start, other[order], tick[order] == 1)

    @property
    def memory(self) -> int:
        return sum(array.nbytes for moves in (self.out, self.back) for array in (moves.start, moves.other, moves.tick))

    def here(self, states: Array) -> Array:
        """Which states are its own."""
        own: Array = (states >> np.uint64(SERIAL)) == np.uint64(self.key)
        return own


@dataclass(frozen=True)
class Moves:
    """By state of a piece where moves lead to, or come from, and whether they are ticks."""

    start: Array
    other: Array
    tick: Array

    def of(self, states: Array) -> tuple[Array, Array]:
        """The moves of some states: which of the states each belongs to, and which move it is."""
        low, many = self.start[states], self.start[states + 1] - self.start[states]
        which = np.repeat(np.arange(len(states)), many)
        return which, np.arange(len(which)) - np.repeat(np.cumsum(many) - many, many) + low[which]


def _way(table: pa.Table, way: int) -> tuple[Array, Array, Array]:
    kept = column(table, "way") == way
    return column(table, "mine")[kept], column(table, "other")[kept], column(table, "value")[kept]


def columns_of(folder: Folder, files: Iterable[str], wanted: Sequence[str]) -> list[Array]:
    """Columns of several files, one after the other."""
    tables = [
        pq.read_table(folder.path(name), columns=list(wanted), filesystem=folder.files, partitioning=None)
        for name in files
    ]
    return [
        np.concatenate([np.empty(0, np.uint64), *(column(table, name).astype(np.uint64) for table in tables)])
        for name in wanted
    ]


# Supersteps


class Program(Protocol):
    """What a piece does in a superstep; it yields messages by piece. Picklable."""

    def step(self, desk: Desk) -> Iterator[tuple[int, bytes]]: ...


@dataclass(frozen=True)
class Task:
    """One piece in one superstep."""

    run: str
    part: int
    keys: Array
    size: int
    states: tuple[str, ...]
    """The files that they are written down in, in their order."""
    moves: str
    program: Program
    registers: dict[str, str]
    inbox: str
    first: bool
    weight: int
    seconds: float = 60.0


class Desk:
    """What a program has before it: the piece, arrays by name, and what was sent to it."""

    def __init__(self, folder: Folder, task: Task, piece: Piece) -> None:
        self.piece = piece
        self.first = task.first
        self.report: Any = None
        self._folder, self._task = folder, task
        self._fresh: dict[str, Array] = {}

    @property
    def inbox(self) -> Iterator[tuple[int, Array, Array, Array]]:
        """What was sent: the way, states of its own, other states, numbers."""
        if self._task.inbox:
            for table in map(read, messages(self._folder, self._task.inbox)):
                mine = column(table, "mine").astype(np.int64)
                yield int(table.column("way")[0].as_py()), mine, column(table, "other"), column(table, "value")

    def columns(self, *names: str) -> list[Array]:
        """What is written down of its states."""
        return columns_of(self._folder, self._task.states, names)

    def load(self, name: str) -> Array:
        """An array, which may be changed and saved."""
        return column(self._folder.read(self._task.registers[name]), "value")

    def save(self, name: str, array: Array) -> None:
        """Keeps an array for later supersteps."""
        self._fresh[name] = array

    def send(self, way: int, states: Array, other: Array, value: Array) -> Iterator[tuple[int, bytes]]:
        """Tells the pieces of states about them."""
        for part, some in by_piece(self._task.keys, states):
            yield part, sent(way, states[some] & MASK, other[some], value[some])

    def done(self) -> Done:
        """Writes what was saved."""
        where = f"registers/part={self._task.part:05d}"
        files = {name: self._folder.write(where, pa.table({"value": array})) for name, array in self._fresh.items()}
        return Done(self._task.part, files, self.report)


_pieces: OrderedDict[tuple[str, str], Piece] = OrderedDict()


def superstep(folder: Folder, task: Task) -> Iterator[tuple[int, Any]]:
    """A piece's part in a superstep."""
    desk = Desk(folder, task, _piece(folder, task))
    yield from task.program.step(desk)
    yield -1, desk.done()


def _piece(folder: Folder, task: Task) -> Piece:
    for old in [key for key in _pieces if key[0] != task.run]:
        del _pieces[old]
    key = (task.run, f"{task.part} {task.moves}")
    if key not in _pieces:
        while _pieces and sum(piece.memory for piece in _pieces.values()) > KEPT:
            _pieces.popitem(last=False)
        moves = map(read, messages(folder, task.moves)) if task.moves else iter(())
        _pieces[key] = Piece(int(task.keys[task.part]), task.size, moves)
    _pieces.move_to_end(key)
    return _pieces[key]
