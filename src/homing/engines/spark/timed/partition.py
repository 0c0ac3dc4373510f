"""The symbolic states of one partition: all zones of some discrete states, so that who covers whom is decided here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

import numpy as np
import pyarrow as pa

from homing.engines.spark.batches import column, rows_of
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.timed.identity import ROOT, called, owners
from homing.engines.spark.timed.tables import coded, table, zones_of
from homing.engines.zones.growing import Growing
from homing.engines.zones.planning import Plan
from homing.engines.zones.ticking import TICK
from homing.timed.kernels.arrays import Fired


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
        """The memory that its states take, room to grow and what was learnt left out."""
        zones, discrete = self.symbolic.zones, self.symbolic.discrete
        row = 4 * self.machine.layout.words + 64
        zone = 4 * (self._clocks + 1) ** 2 + 24
        return len(self) * 57 + len(discrete) * row + int(zones.size[0]) * zone

    @property
    def memory(self) -> int:
        """All that would be free without it, about."""
        return self.symbolic.memory

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

    def load(self, tables: Iterable[pa.Table], level: int) -> Array:
        """Takes over what was found before; returns the states of a level that no other covers."""
        last = [np.empty(0, np.int64)]
        for found in tables:
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

    def begin(self) -> None:
        """A level begins."""
        self.symbolic.discrete.fit()
        self._before = len(self)
        self._moves = []
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
        self._note(source, tick)
        return len(numbers)

    def _read(self, found: pa.Table) -> tuple[Array, ...]:
        rows = rows_of(self.machine, found)
        mine = self._owned(rows)
        numbers = self.symbolic.discrete.numbers_of(np.ascontiguousarray(rows[mine]))
        zones = self.symbolic.interned(zones_of(found, self._clocks)[mine])
        return numbers, zones, *(column(found, name)[mine] for name in ("source", "edge", "count", "tick", "stem"))

    def _note(self, source: Array, tick: Array) -> None:
        """Keeps which state led to which."""
        moves = self.symbolic.moves
        many = int(moves.size[0])
        if many:
            step = -1 - moves.edge[:many]
            kept = source[step] < np.uint64(ROOT)
            self._moves.append((source[step][kept], moves.target[:many][kept], tick[step][kept]))
            moves.size[0] = 0

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

    def table(self, wave: Array) -> pa.Table:
        """New states, as others read them."""
        symbolic = self.symbolic
        rows = symbolic.discrete.rows(symbolic.states.discrete[wave])
        return table(
            coded(self.machine, rows),
            rows,
            symbolic.zones.dbm[symbolic.states.zone[wave]],
            state=self._called.array[wave],
            parent=self._parent.array[wave],
            level=self._level.array[wave],
            stem=self._stem.array[wave],
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
