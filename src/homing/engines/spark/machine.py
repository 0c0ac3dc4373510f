"""A system in one process: what was learnt of it, and its rows as every other process understands them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from homing.core.errors import HomingError
from homing.core.system import TransitionSystem
from homing.core.values import State, decode, encode
from homing.engines.local.kernels import hash_rows
from homing.engines.local.kernels import repack as repack_rows
from homing.engines.local.packing import Layout
from homing.engines.local.search import DEFAULT, Search
from homing.engines.local.tuning import Tuning
from homing.engines.spark import kernels
from homing.engines.spark.cells import Cells
from homing.engines.spark.kernels import Array, Form, Owners


class Rows(Protocol):
    """Rows that have to follow when the layout changes."""

    def repack(self, old: Any, new: Any, words: int, pool: Any = None) -> None: ...


class Machine:
    """Numbers differ by process, so rows travel with the bytes of their values, and owners follow from these."""

    def __init__(
        self,
        system: TransitionSystem,
        owning: Sequence[int],
        tuning: Tuning = DEFAULT,
        conditions: Mapping[tuple[int, int, int], Callable[[int, int], bool]] | None = None,
    ) -> None:
        self.system = system
        self.conditions = conditions
        """On steps, as this very system knows them."""
        self.search = Search(system, 1, tuning=tuning)
        self.evaluator = self.search.evaluator
        self.owning = frozenset(owning)
        self._slots = np.array(sorted(owning), np.int64)
        self.bytes: list[list[bytes]] = [[] for _ in system.shape.slots]
        """By slot and number, the value's bytes."""
        self._numbers: list[dict[bytes, int]] = [{} for _ in system.shape.slots]
        self._hashes: list[set[int]] = [set() for _ in system.shape.slots]
        self._layout: Layout | None = None
        self._capacities: list[int] = []
        self._cells: Cells | None = None
        self.refresh()

    @property
    def layout(self) -> Layout:
        return self.evaluator.layout

    @property
    def plan(self) -> Any:
        return self.evaluator.plan

    @property
    def visible(self) -> int:
        """Words that count for identity."""
        return self.layout.visible

    def holding(self, rows: Rows) -> None:
        """Whose rows follow from now on when the layout changes."""
        self.search.visited = rows  # type: ignore[assignment]  # which is all that a search without levels asks of it

    # Hashes of values

    def refresh(self) -> None:
        """Takes in values that turned up since."""
        slots = self.evaluator.numbering.slots
        capacities = [slot.capacity for slot in slots]
        if capacities != self._capacities or self._layout is not self.layout:
            self._capacities, self._layout = capacities, self.layout
            self._start = np.concatenate([[0], np.cumsum(capacities)]).astype(np.int64)
            old, self._whole = getattr(self, "_whole", None), np.zeros(int(self._start[-1]), np.uint64)
            self._own, self._print = np.zeros_like(self._whole), np.zeros_like(self._whole)
            self.form = Form(self.layout.word, self.layout.shift, self.layout.mask, self._start[:-1])
            again = old is not None
            for slot, known in enumerate(self.bytes):
                self._write(slot, 0, known, again)
        for slot, interner in enumerate(slots):
            known = self.bytes[slot]
            if len(known) < len(interner):
                fresh = [encode(value) for value in interner.values[len(known) :]]
                self._write(slot, len(known), fresh, False)
                self._numbers[slot].update(zip(fresh, range(len(known), len(known) + len(fresh))))
                known += fresh

    def _write(self, slot: int, start: int, values: list[bytes], again: bool) -> None:
        hidden = slot in self.system.shape.hidden
        for number, data in enumerate(values, start):
            h = hash_of(slot, data)
            if not again:
                if h in self._hashes[slot]:
                    raise HomingError("two values of a slot have the same hash of 64 bits; use the local engine")
                self._hashes[slot].add(h)
            at = int(self._start[slot]) + number
            self._whole[at] = h
            self._print[at] = 0 if hidden else h
            if slot in self.owning:
                self._own[at] = hash_of(-1 - slot, data)

    def owners(self, bits: int, more: int, me: int) -> Owners:
        """Who owns what, where each of 2 ** (bits + more) cells is a partition."""
        return Owners(
            self._slots, self._own, self._print, bits, more, np.arange(1 << (bits + more), dtype=np.int32), me
        )

    def sharing(self, cells: Cells, me: int) -> Owners:
        """Who owns what, where partitions share the cells."""
        if cells.partitions == 1:
            return self.owners(0, 0, me)
        if cells is not self._cells:
            self._cells, self._parts = cells, np.array(cells.parts, np.int32)
        return Owners(self._slots, self._own, self._print, cells.bits, cells.more, self._parts, me)

    # Rows and what travels

    def hashes(self, rows: Array) -> Array:
        """What tables in this process find rows by."""
        found = np.empty(len(rows), np.uint64)
        hash_rows(self.plan, rows, 0, len(rows), found, 0)
        return found

    def represent(self, rows: Array) -> None:
        """Puts for each row the representative of its orbit that all processes agree on."""
        plan = self.plan
        if len(plan.source):
            kernels.represent(self.form, plan.visible, self._whole, plan.source, plan.image, plan.unary, rows)

    def rows(self, states: list[State]) -> Array:
        """The rows of states."""
        rows = self.search.rows(states)
        self.refresh()
        self.represent(rows)
        return rows

    def state(self, row: Array) -> State:
        """The state of a row."""
        return self.evaluator.state(row)

    def known(self, slot: int, values: list[bytes]) -> list[int]:
        """The numbers of values, all of them known."""
        numbers = self._numbers[slot]
        return [numbers[data] for data in values]

    def learn(self, values: list[list[bytes]]) -> None:
        """Numbers values that may be new, by slot; the layout may change, and a search may have changed it before."""
        self.refresh()
        fresh = [
            [decode(data) for data in found if data not in self._numbers[slot]] for slot, found in enumerate(values)
        ]
        if any(fresh):
            plan, layout = self.plan, self.layout
            self.evaluator.meet(fresh)
            if self.layout is not layout:
                self.search.visited.repack(plan, self.plan, self.layout.words)
            self.refresh()


def moved(rows: Array, old: Any, new: Any, words: int, capacity: int | None = None) -> Array:
    """Rows in another layout, with room for more."""
    fresh = np.empty((capacity or len(rows), words), np.uint32)
    repack_rows(old, new, rows, fresh[: len(rows)])
    return fresh


def hash_of(slot: int, data: bytes) -> int:
    """64 bits of a value in a slot, the same everywhere."""
    digest = hashlib.blake2b(data, digest_size=8, salt=slot.to_bytes(8, "little", signed=True))
    return int.from_bytes(digest.digest(), "little")
