"""The graph of a search in pieces: each has the states that one partition has named, and the moves from and to them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
import pyarrow as pa

from homing.engines.spark.batches import column, read, written
from homing.engines.spark.exchange import messages
from homing.engines.spark.folder import Folder
from homing.engines.spark.graph.desks import Done
from homing.engines.spark.kernels import Array
from homing.engines.spark.timed.identity import SERIAL
from homing.engines.spark.timed.tasks import PIECE_BYTES
from homing.engines.spark.timed.work import forget

OUT, IN = 0, 1
MASK = np.uint64((1 << SERIAL) - 1)


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
    for found in folder.groups(todo.file):
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


def received(folder: Folder, name: str) -> Iterator[tuple[int, Array, Array, Array]]:
    """What was sent, one message at a time in memory."""
    for table in map(read, messages(folder, name) if name else ()):
        mine = column(table, "mine").astype(np.int64)
        yield int(table.column("way")[0].as_py()), mine, column(table, "other"), column(table, "value")


class Piece:
    """Moves by state."""

    def __init__(self, key: int, size: int, folder: Folder, moves: str) -> None:
        self.key = key
        self.size = size
        many = np.zeros((2, size + 1), np.int64)
        for way, mine, _, _ in received(folder, moves):
            np.add.at(many[way], mine + 1, 1)
        self.out, self.back = (_room(np.cumsum(each)) for each in many)
        free = {OUT: self.out.start[:-1].copy(), IN: self.back.start[:-1].copy()}
        for way, mine, other, tick in received(folder, moves):
            (self.out if way == OUT else self.back).fill(free[way], mine, other, tick)

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

    def fill(self, free: Array, mine: Array, other: Array, tick: Array) -> None:
        """Takes in some moves; by state, where there is room for the next."""
        order = np.argsort(mine, kind="stable")
        states, first, many = np.unique(mine[order], return_index=True, return_counts=True)
        at = np.repeat(free[states] - first, many) + np.arange(len(mine))
        self.other[at], self.tick[at] = other[order], tick[order] == 1
        free[states] += many

    def of(self, states: Array) -> tuple[Array, Array]:
        """The moves of some states: which of the states each belongs to, and which move it is."""
        low, many = self.start[states], self.start[states + 1] - self.start[states]
        which = np.repeat(np.arange(len(states)), many)
        return which, np.arange(len(which)) - np.repeat(np.cumsum(many) - many, many) + low[which]


def _room(start: Array) -> Moves:
    return Moves(start, np.empty(start[-1], np.uint64), np.empty(start[-1], np.bool_))


def columns_of(folder: Folder, files: Iterable[str], wanted: Sequence[str]) -> list[Array]:
    """Columns of several files, one after the other."""
    tables = [folder.read(name, wanted) for name in files]
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
    cache: int
    """Bytes of pieces that a process keeps between supersteps."""
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
        return received(self._folder, self._task.inbox)

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
    _fit(task.cache)


def _piece(folder: Folder, task: Task) -> Piece:
    forget()
    for old in [key for key in _pieces if key[0] != task.run]:
        del _pieces[old]
    key = (task.run, f"{task.part} {task.moves}")
    if key not in _pieces:
        _fit(task.cache - PIECE_BYTES * task.weight)
        _pieces[key] = Piece(int(task.keys[task.part]), task.size, folder, task.moves)
    _pieces.move_to_end(key)
    return _pieces[key]


def _fit(room: int) -> None:
    """Drops the pieces that were used least recently until the rest takes no more than so many bytes."""
    while _pieces and sum(piece.memory for piece in _pieces.values()) > room:
        _pieces.popitem(last=False)
