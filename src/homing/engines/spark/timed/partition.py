"""The symbolic states of one partition: all zones of some discrete states, so that who covers whom is decided here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import pyarrow as pa

from homing.engines.spark.batches import column, rows_of
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.timed.identity import MOST_BITS, ROOT, called, owners
from homing.engines.spark.timed.tables import coded, table, zones_of
from homing.engines.zones.growing import Growing
from homing.engines.zones.planning import Plan
from homing.engines.zones.ticking import TICK
from homing.timed.kernels.arrays import Fired

NAME_BYTES, MOVE_BYTES = 24, 34
"""Of what a state is called, and of a move that is to be written down."""
SLICE = 1 << 14
"""States that are written at once."""


class Full(Exception):
    """A partition takes more than there is room for."""

    def __init__(self, partition: Partition) -> None:
        super().__init__(partition.part)
        self.partition = partition


class Partition:
    """A search that gets steps from elsewhere, and sends its own there."""

    def __init__(self, machine: Machine, plan: Plan, bits: int, part: int) -> None:
        self.machine = machine
        self.plan = plan
        self.bits = bits
        self.part = part
        self.symbolic = plan.symbolic(machine.system, search=machine.search)  # type: ignore[arg-type]
        self._clocks = len(self.symbolic.system.clocks)
        self._called, self._parent = Growing(np.uint64), Growing(np.uint64)
        self._stem, self._level = Growing(np.uint32), Growing(np.uint32)
        self._moves: list[tuple[Array, Array, Array]] = []
        self._noted = 0
        self._before = 0
        self._generated = 0

    # What is known

    @property
    def states(self) -> int:
        """Those that no other covers."""
        count = len(self)
        return count - int(self.symbolic.states.covered[:count].sum())

    def __len__(self) -> int:
        return int(self.symbolic.states.size[0])

    @property
    def bytes(self) -> int:
        """The memory that it takes, room to grow left out."""
        return self.symbolic.used + NAME_BYTES * len(self) + MOVE_BYTES * self._noted

    @property
    def memory(self) -> int:
        """All that would be free without it, about."""
        return self.symbolic.memory + NAME_BYTES * len(self)

    @property
    def is_divisible(self) -> bool:
        """Whether more partitions would have less each: not if all its states are always owned together."""
        count = len(self)
        rows = self.symbolic.discrete.rows(np.unique(self.symbolic.states.discrete[:count]))
        return len(np.unique(owners(self.machine, rows, MOST_BITS))) > 1

    def called(self, state: int) -> int:
        """What a state is called everywhere."""
        return int(self._called.array[state])

    def stem(self, state: int) -> int:
        """How far the search had come where a state's first ancestor was found: what begins earlier is preferred."""
        return int(self._stem.array[state])

    def levels(self, states: Array) -> Array:
        """How far states are from the start."""
        levels: Array = self._level.array[states]
        return levels

    # Taking in

    def _owned(self, rows: Array) -> Array:
        mine: Array = owners(self.machine, rows, self.bits) == self.part
        return mine

    def load(self, tables: Iterable[pa.Table], level: int, room: int) -> Array:
        """Takes over what was found before; returns the states of a level that no other covers. There is room for so
        many bytes."""
        last = [np.empty(0, np.int64)]
        for found in tables:
            self.check(room)
            rows = rows_of(self.machine, found)
            mine = self._owned(rows)
            if not mine.any():
                continue
            numbers = self.symbolic.discrete.numbers_of(np.ascontiguousarray(rows[mine]))
            zones = self.symbolic.interned(zones_of(found, self._clocks)[mine])
            states = self.symbolic.put_back(numbers, zones)
            self._called.extend(column(found, "state")[mine])
            self._parent.extend(column(found, "parent")[mine])
            self._stem.extend(column(found, "stem")[mine])
            self._level.extend(column(found, "level")[mine])
            last.append(states[self.levels(states) == level])
        return self.symbolic.uncovered(np.concatenate(last))

    def check(self, room: int) -> None:
        """Stops where it takes more than so many bytes."""
        if self.bytes > room:
            raise Full(self)

    def begin(self) -> None:
        """A level begins."""
        self.symbolic.discrete.fit()
        self._before = len(self)
        self._moves, self._noted = [], 0
        self._generated = int(self.symbolic.states.size[1])

    def take(self, tables: Iterable[pa.Table]) -> int:
        """Lets time pass after steps from elsewhere; how many there were."""
        parts = [self._read(found) for found in tables]
        if not parts:
            return 0
        columns = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        numbers, zones, source, edge, count, tick, stem = columns
        if not len(numbers):
            return 0
        # In an order that does not depend on who was first.
        order = np.lexsort((zones, numbers, edge, source, stem))
        order = np.repeat(order, count[order])
        source, tick = source[order], tick[order]
        self.symbolic.arrive(numbers[order], zones[order])
        new = -1 - self.symbolic.states.parent[self._called.count : len(self)]
        self._parent.extend(source[new])
        self._stem.extend(stem[order][new])
        self._called.extend(np.zeros(len(new), np.uint64))
        self._level.extend(np.zeros(len(new), np.uint32))
        self._note(source, tick, stem[order])
        return len(numbers)

    def _read(self, found: pa.Table) -> tuple[Array, ...]:
        rows = rows_of(self.machine, found)
        mine = self._owned(rows)
        numbers = self.symbolic.discrete.numbers_of(np.ascontiguousarray(rows[mine]))
        zones = self.symbolic.interned(zones_of(found, self._clocks)[mine])
        return numbers, zones, *(column(found, name)[mine] for name in ("source", "edge", "count", "tick", "stem"))

    def _note(self, source: Array, tick: Array, stem: Array) -> None:
        """Keeps which state led to which."""
        moves = self.symbolic.moves
        many = int(moves.size[0])
        if many:
            step, target = -1 - moves.edge[:many], moves.target[:many]
            self._prefer(source[step], target, stem[step])
            kept = source[step] < np.uint64(ROOT)
            self._moves.append((source[step][kept], target[kept], tick[step][kept]))
            self._noted += int(kept.sum())
            moves.size[0] = 0

    def _prefer(self, source: Array, target: Array, stem: Array) -> None:
        """Of all that lead to a new state, one whose run begins earliest is its parent; others may have come before."""
        earlier = np.flatnonzero((target >= self._before) & (stem < self._stem.array[target]))
        earlier = earlier[np.argsort(stem[earlier], kind="stable")[::-1]]  # of several, the last one stays
        self._parent.array[target[earlier]] = source[earlier]
        self._stem.array[target[earlier]] = stem[earlier]

    def end(self, level: int, serial: int) -> Array:
        """The level is whole: names the states that are new, after so many that were named before."""
        wave = self.symbolic.uncovered(np.arange(self._before, len(self)))
        wave = wave[np.argsort(self._stem.array[wave], kind="stable")]
        self._level.array[wave] = level
        self._called.array[wave] = called(self.bits, self.part, serial, len(wave))
        return wave

    @property
    def generated(self) -> int:
        """Steps that were taken in since the level began."""
        return int(self.symbolic.states.size[1]) - self._generated

    # What is written down

    def tables(self, wave: Array) -> Iterator[pa.Table]:
        """New states, as others read them."""
        symbolic = self.symbolic
        discrete = symbolic.states.discrete[wave]
        code = coded(self.machine, symbolic.discrete.rows(discrete))
        for low in range(0, len(wave), SLICE):
            some = wave[low : low + SLICE]
            yield table(
                code,
                symbolic.discrete.rows(discrete[low : low + SLICE]),
                symbolic.zones.dbm[symbolic.states.zone[some]],
                state=self._called.array[some],
                parent=self._parent.array[some],
                level=self._level.array[some],
                stem=self._stem.array[some],
            )

    def moves(self) -> pa.Table | None:
        """Which state led to which in this level."""
        if not self._moves:
            return None
        source, target, tick = (np.concatenate(columns) for columns in zip(*self._moves, strict=True))
        return pa.table({"source": source, "target": self._called.array[target], "tick": tick})

    # What is sent

    def messages(self, wave: Array) -> Iterator[tuple[int, pa.Table]]:
        """The steps from states, by the partition that they lead to."""
        symbolic = self.symbolic
        symbolic.discrete.prepare(symbolic.states.discrete[wave])
        for fired in symbolic.firing(wave):
            yield from self._sent(fired)

    def _sent(self, fired: Fired) -> Iterator[tuple[int, pa.Table]]:
        symbolic, discrete = self.symbolic, self.symbolic.discrete
        source, edge, zone = (column[: fired.size[0]] for column in fired[:3])
        edges = discrete.edges
        target, count = edges.target[edge], np.ones(len(edge), np.uint32)
        if not self.plan.recording:
            _, first, count = np.unique(target << 32 | zone, return_index=True, return_counts=True)
            source, edge, zone, target = source[first], edge[first], zone[first], target[first]
        ticks = np.array([action.name == TICK for action in discrete.actions], np.uint8)
        columns = {
            "source": self._called.array[source],
            "edge": (edge - edges.low[symbolic.states.discrete[source]]).astype(np.uint32),
            "count": count.astype(np.uint32),
            "tick": ticks[edges.action[edge]],
            "stem": self._stem.array[source],
        }
        yield from self.addressed(discrete.rows(target), symbolic.zones.dbm[zone], columns)

    def addressed(self, rows: Array, zones: Array, columns: dict[str, Array]) -> Iterator[tuple[int, pa.Table]]:
        """Rows by the partition that they belong to."""
        owner = owners(self.machine, rows, self.bits)
        code, order = coded(self.machine, rows), np.argsort(owner, kind="stable")
        bounds = np.flatnonzero(np.diff(owner[order], prepend=-1, append=-1))
        for low, high in pairwise(bounds.tolist()):
            some = order[low:high]
            mine = {name: values[some] for name, values in columns.items()}
            yield int(owner[some[0]]), table(code, rows[some], zones[some], **mine)
