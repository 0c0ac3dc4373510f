"""A shortest trace to a state: from parent to parent through the partitions, then forwards by the interpreter."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from homing.core.interpreter import ReplayFailed, replay, successors
from homing.core.values import State
from homing.core.witness import Trace
from homing.engines.local.traces import walk
from homing.engines.spark import kernels
from homing.engines.spark.batches import column, rows_of
from homing.engines.spark.exploring import Run
from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import FINGERPRINT, Array, Owners
from homing.engines.spark.machine import Machine

KEPT = 4
"""Partitions in memory at once."""


@dataclass(frozen=True)
class _Loaded:
    """What the files of a partition say: a state that came nearer is there several times, each time truly."""

    states: tuple[pa.Table, ...]
    depth: Array
    parent: Array
    pointer: Array

    def at(self, pointer: np.uint64, depth: int) -> list[int]:
        """The rows that a pointer stands for, down to a depth, nearest first."""
        found = np.flatnonzero((self.pointer == pointer) & (self.depth <= depth))
        rows: list[int] = found[np.argsort(self.depth[found], kind="stable")].tolist()
        return rows


class Past:
    """Where states came from."""

    def __init__(self, machine: Machine, run: Run, folder: Folder) -> None:
        self.machine = machine
        self.run = run
        self.folder = folder
        self._loaded: OrderedDict[int, _Loaded] = OrderedDict()

    def trace_to(self, state: State, depth: int) -> Trace:
        """A shortest path, replayed; shorter than asked for where a run was stopped before its end was told of that."""
        waypoints, (pointer, depth) = [state], self._parent(state, depth)
        while depth:
            parent, pointer, depth = self._at(pointer, depth - 1, waypoints[-1])
            waypoints.append(parent)
        trace = walk(self.machine.search, waypoints[::-1])
        replay(self.machine.system, trace)
        return trace

    def _parent(self, state: State, depth: int) -> tuple[int, int]:
        """The pointer of the parent that a state was found from at this depth, or nearer, and at which."""
        row = self.machine.rows([state])
        pointer = np.empty(1, np.uint64)
        kernels.pointers(self.machine.form, self._owners(), row, pointer)
        loaded = self._load(self._part(int(pointer[0])))
        for number in loaded.at(pointer[0], depth):
            if self._same(self._state(loaded, number), state):
                return int(loaded.parent[number]), int(loaded.depth[number])
        raise ReplayFailed(f"the state {state} is not where it should be")

    def _at(self, pointer: int, depth: int, child: State) -> tuple[State, int, int]:
        """A state at a depth, or nearer, that a pointer stands for, with a step to the child, its own parent's pointer,
        and at which depth it is."""
        loaded = self._load(self._part(pointer))
        found = loaded.at(np.uint64(pointer), depth)
        for number in found:
            state = self._state(loaded, number)
            # A pointer has only some bits of what it stands for.
            if len(found) == 1 or any(self._same(after, child) for _, after in successors(self.machine.system, state)):
                return state, int(loaded.parent[number]), int(loaded.depth[number])
        raise ReplayFailed(f"no state leads to {child}")

    def _part(self, pointer: int) -> int:
        cells = self.run.cells
        owner = pointer >> (64 - cells.bits) if cells.bits else 0
        rest = pointer & ((1 << FINGERPRINT) - 1)
        return cells.parts[(owner << cells.more) | (rest >> (FINGERPRINT - cells.more) if cells.more else 0)]

    def _owners(self) -> Owners:
        return self.machine.sharing(self.run.cells, 0)

    def _same(self, one: State, other: State) -> bool:
        rows = self.machine.rows([one, other])[:, : self.machine.visible]
        return bool((rows[0] == rows[1]).all())

    def _state(self, loaded: _Loaded, number: int) -> State:
        for table in loaded.states:
            if number < table.num_rows:
                return self.machine.state(rows_of(self.machine, table.slice(number, 1))[0])
            number -= table.num_rows
        raise AssertionError("there is no such row")

    def _load(self, part: int) -> _Loaded:
        if part not in self._loaded:
            while len(self._loaded) >= KEPT:
                self._loaded.popitem(last=False)
            self._loaded[part] = self._read(part)
        self._loaded.move_to_end(part)
        return self._loaded[part]

    def _read(self, part: int) -> _Loaded:
        tables = tuple(self.folder.read(name) for name in self.run.part(part).files)
        pointers = [np.empty(0, np.uint64)]
        for table in tables:
            rows = rows_of(self.machine, table)
            found = np.empty(len(rows), np.uint64)
            kernels.pointers(self.machine.form, self._owners(), rows, found)
            pointers.append(found)

        def joined(name: str) -> Array:
            return np.concatenate([column(table, name) for table in tables]) if tables else np.empty(0, np.uint64)

        return _Loaded(tables, joined("depth"), joined("parent"), np.concatenate(pointers))
