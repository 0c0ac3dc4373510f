"""Supersteps: partitions work on their pieces and registers, what crosses is exchanged, until nothing does."""

from __future__ import annotations

import uuid
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import Any

from homing.core.errors import HomingError
from homing.engines.spark.batches import column
from homing.engines.spark.graph.catalog import Catalog
from homing.engines.spark.graph.desks import Bundle, Program, Task, superstep
from homing.engines.spark.graph.guarding import told
from homing.engines.spark.graph.piece import Piece
from homing.engines.spark.graph.shelf import Nobody
from homing.engines.spark.graph.weighing import bytes_of, held
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.work import Job

WALKING = 2
"""Times what a worker keeps are the pieces that this process keeps to follow a path through: workers rest then."""


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
        self._together: dict[int, list[list[int]]] = {}
        self._bases = catalog.bases()
        self._loaded: OrderedDict[int, Piece] = OrderedDict()

    def once(self, program: Program) -> dict[int, Any]:
        """One superstep of all pieces; what it sends waits. Returns the reports."""
        return self._step(program, self.catalog.pieces, True, False)

    def fix(self, program: Program) -> dict[int, Any]:
        """Supersteps until nothing crosses; by partition the last report."""
        reports = self._step(program, self.catalog.pieces, True, True)
        while self.waiting:
            reports |= self._step(program, self.waiting, False, True)
        return reports

    def _step(self, program: Program, active: Collection[int], first: bool, closing: bool) -> dict[int, Any]:
        reason = self.stopped()
        if reason is not None:
            raise HomingError(reason)
        read = self.waiting
        self._loaded.clear()
        todo = list(self._bundles(program, active, first, closing))
        outcomes, self.waiting = self.rounds.run(partial(superstep, self.job), todo, self.catalog.partitions)
        old = [*read.values()]
        for done in told(outcomes):
            registers = self.registers[done.part]
            old += [registers[name] for name in done.written if name in registers]
            registers.update(done.written)
        self.job.folder.remove(old)
        self.steps += 1
        self.show(f"superstep {self.steps}: {type(program).__name__.lower()}, {len(outcomes)} partitions")
        return {done.part: done.report for done in outcomes}

    def _bundles(self, program: Program, active: Collection[int], first: bool, closing: bool) -> Iterator[Bundle]:
        setting = getattr(program, "setting", None)
        for parts in self._bundled(1 if setting is None else setting.states):
            if any(part in active for part in parts):
                tasks = tuple(self._task(part, part in active) for part in parts)
                weight = sum(task.filed.size + task.filed.edges // 4 for task in tasks if task.active)
                yield Bundle(tasks, program, first, closing, weight)

    def _bundled(self, states: int) -> list[list[int]]:
        if states not in self._together:
            self._together[states] = bundles(self.catalog, self.job.cache, self.rounds.lanes, states)
        return self._together[states]

    def _task(self, part: int, active: bool) -> Task:
        inbox = (self.waiting[part],) if part in self.waiting else ()
        return Task(self.catalog.pieces[part], self._bases[part], dict(self.registers[part]), inbox, active)

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

    def piece(self, part: int, every: bool = False) -> Piece:
        """A piece, to follow a path through; two are kept, and others as far as they fit, or every one."""
        if part not in self._loaded:
            room = WALKING * self.job.cache - bytes_of(self.catalog.pieces[part])
            while not every and len(self._loaded) > 1 and sum(map(held, self._loaded.values())) > room:
                self._loaded.popitem(last=False)
            self.machine.holding(Nobody())
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


def bundles(catalog: Catalog, memory: int, lanes: int, states: int) -> list[list[int]]:
    """Partitions that work together: as few bundles as there are lanes, but no more in each than fits, with an
    automaton of so many states."""
    sizes = {part: bytes_of(filed, states) for part, filed in catalog.pieces.items()}
    share = min(memory, sum(sizes.values()) / max(lanes, 1))
    found: list[list[int]] = []
    room = 0.0
    for part in sorted(sizes):
        if not found or sizes[part] > room:
            found.append([])
            room = max(share, sizes[part])
        found[-1].append(part)
        room -= sizes[part]
    return found


def fresh(what: str) -> str:
    """A name for a register that no other has."""
    return f"{what}-{uuid.uuid4().hex[:12]}"
