"""From what symbolic states are called back to runs: from parent to parent, one small file at a time."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from homing.core.interpreter import ReplayFailed
from homing.engines.spark.batches import column, rows_of
from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.timed.exploring import Spread
from homing.engines.spark.timed.identity import ROOT, finder
from homing.engines.spark.timed.tables import row, zones_of
from homing.engines.zones.paths import Run, run_of
from homing.engines.zones.planning import Plan
from homing.engines.zones.ticking import TICK


class Retracing:
    """Finds the states of a search again, and the steps between them."""

    def __init__(self, machine: Machine, plan: Plan, spread: Spread, folder: Folder) -> None:
        self.symbolic = plan.retracing.symbolic(machine.system, search=machine.search)  # type: ignore[arg-type]
        self._machine = machine
        self._spread = spread
        self._folder = folder

    def run_to(self, state: int) -> tuple[int, Run]:
        """The run along which a state was found, and in which of its first states the search began."""
        numbers, parent, before = [], state, None
        while parent < ROOT:
            number, parent, level = self._state(parent)
            if before is not None and level != before - 1:
                raise ReplayFailed("a symbolic state was not found from what is called its parent")
            numbers.append(number)
            before = level
        numbers.reverse()
        return parent - ROOT, self._run(numbers, [None] * (len(numbers) - 1))

    def around(self, states: Sequence[int], ticking: bool) -> Run:
        """The run once around a loop, whose first state is its last; its first step is a tick, if that is wanted."""
        numbers = [self._state(state)[0] for state in states]
        wanted: list[bool | None] = [True if ticking else None, *[None] * (len(numbers) - 2)]
        return self._run(numbers, wanted, loop=0)

    def enter(self, state: int) -> int:
        """The number of a state in the search here."""
        return self._state(state)[0]

    def _state(self, state: int) -> tuple[int, int, int]:
        """The number of a state here, the parent that it was found from, and its level."""
        bits, part, serial = finder(state)
        filed = self._spread.filed[f"{bits}:{part}"]
        file = filed[bisect_right([one.first for one in filed], serial) - 1]
        found = row(self._folder, file.name, serial - file.first)
        if int(column(found, "state")[0]) != state:
            raise ReplayFailed("a symbolic state is not where it should be")
        symbolic = self.symbolic
        rows = rows_of(self._machine, found)
        numbers = symbolic.discrete.numbers_of(rows)
        zones = symbolic.interned(zones_of(found, len(symbolic.system.clocks)))
        parent, level = (int(column(found, name)[0]) for name in ("parent", "level"))
        return int(symbolic.put_back(numbers, zones)[0]), parent, level

    def _run(self, numbers: list[int], wanted: Sequence[bool | None], loop: int | None = None) -> Run:
        steps = zip(pairwise(numbers), wanted, strict=True)
        edges = [self._edge(one, other, tick) for (one, other), tick in steps]
        return run_of(self.symbolic, numbers, edges, loop)

    def _edge(self, source: int, target: int, tick: bool | None) -> int:
        """An edge from one state to another."""
        symbolic = self.symbolic
        symbolic.discrete.prepare(symbolic.states.discrete[[source]])
        symbolic.moves.size[0] = 0
        symbolic.follow(np.array([source]))
        many = int(symbolic.moves.size[0])
        edges: Array = symbolic.moves.edge[:many][symbolic.moves.target[:many] == target]
        for edge in edges.tolist():
            action = symbolic.discrete.actions[int(symbolic.discrete.edges.action[edge])]
            if tick is None or (action.name == TICK) == tick:
                return int(edge)
        raise ReplayFailed("a step of the trace is not there when it is taken again")
