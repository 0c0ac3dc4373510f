"""From a search in this process to partitions: everything that it knows is written down for their owners."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pyarrow as pa

from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.timed.exploring import Filed, Part, Spread
from homing.engines.spark.timed.identity import ROOT, called, owners
from homing.engines.spark.timed.tables import coded, table
from homing.engines.zones.symbolic import Symbolic
from homing.engines.zones.ticking import TICK


class Handed:
    """A search that partitions go on with."""

    def __init__(
        self, machine: Machine, symbolic: Symbolic, waves: Array, bits: int, name: str, folder: Folder
    ) -> None:
        self._machine, self._symbolic, self._folder, self._name = machine, symbolic, folder, name
        states, count = symbolic.states, int(symbolic.states.size[0])
        self._rows = symbolic.discrete.rows(states.discrete[:count])
        owner = owners(machine, self._rows, bits)
        self.called = np.zeros(count, np.uint64)
        """By state here, what it is called from now on."""
        parts = np.unique(owner).tolist()
        for part in parts:
            self.called[owner == part] = called(bits, part, 0, int((owner == part).sum()))
        self._level = np.searchsorted(waves, np.arange(count), side="right").astype(np.uint32)
        parent = states.parent[:count]
        self._parent = np.where(
            parent < 0, np.uint64(ROOT) + (-1 - parent).astype(np.uint64), self.called[np.maximum(parent, 0)]
        )
        self._stem = np.zeros(count, np.uint32)
        for low, high in pairwise([*waves.tolist(), count]):
            above = parent[low:high]
            self._stem[low:high] = np.where(above < 0, -1 - above, self._stem[np.maximum(above, 0)])
        self.spread = Spread(bits, len(waves), frontier=True)
        totals = self.spread.totals
        totals.initial, totals.generated = symbolic.begun, int(states.size[1])
        totals.evaluations = symbolic.search.evaluator.evaluations
        for part in parts:
            self._write(part, np.flatnonzero(owner == part))
        self._write_moves(owner)

    def _write(self, part: int, mine: Array) -> None:
        symbolic = self._symbolic
        columns = {"state": self.called[mine], "parent": self._parent[mine], "level": self._level[mine]}
        columns["stem"] = self._stem[mine]
        zones = symbolic.zones.dbm[symbolic.states.zone[mine]]
        rows = self._rows[mine]
        written = table(coded(self._machine, rows), rows, zones, **columns)
        file = self._folder.write(f"{self._name}/states/part={part:05d}", written)
        states = len(symbolic.uncovered(mine))
        self.spread.parts[part] = Part(files=(file,), serial=len(mine), states=states)
        self.spread.file(self.spread.bits, part, Filed(file, 0, len(mine)))

    def _write_moves(self, owner: Array) -> None:
        symbolic = self._symbolic
        source, target, edge = (column[: symbolic.moves.size[0]] for column in symbolic.moves[:3])
        ticks = np.array([action.name == TICK for action in symbolic.discrete.actions], np.uint8)
        self.spread.totals.edges = len(source)
        for part in np.unique(owner[target]).tolist():
            mine = owner[target] == part
            columns = {"source": self.called[source[mine]], "target": self.called[target[mine]]}
            tick = ticks[symbolic.discrete.edges.action[edge[mine]]]
            file = self._folder.write(f"{self._name}/moves/part={part:05d}", pa.table(columns | {"tick": tick}))
            self.spread.parts[part].moves, self.spread.parts[part].edges = (file,), int(mine.sum())
