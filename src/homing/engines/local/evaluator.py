"""Between the model, which knows values, and the kernels, which know numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import NoReturn

import numpy as np

from homing.core import evaluate, interpreter
from homing.core.errors import HomingError, Place
from homing.core.reading import Reading
from homing.core.system import QUIET, Event, Group, Label, Pure, TransitionSystem, Update
from homing.core.values import NotAValue, Short, State, Value, encode, key_of
from homing.engines.local import kernels
from homing.engines.local.kernels import GROWING, KEEP, Array
from homing.engines.local.memo import Memo
from homing.engines.local.numbering import Numbering
from homing.engines.local.packing import Layout
from homing.engines.local.planning import Planner
from homing.engines.local.trees import Asked, Trees

RAISED = -(2**31)
"""In place of the value of a label that failed."""


class Failed(Exception):
    """The model failed on a state."""

    def __init__(self, error: HomingError, state: State) -> None:
        super().__init__(str(error))
        self.error = error
        self.state = state


class Evaluator:
    """Asks the model once for each argument, and keeps the kernels' plan and memo in step."""

    def __init__(self, system: TransitionSystem, tick: Callable[[], None] = lambda: None) -> None:
        self.system = system
        self.shape = system.shape
        self.numbering = Numbering(self.shape)
        self.planner = Planner(self.numbering)
        self.memo = Memo(Trees([*(False for _ in self.shape.groups), *map(_has_tree, self.shape.labels)]))
        self.memo.reindex(self.planner.plan, self.planner.dense_size)
        self.evaluations = 0
        self._tick = tick
        self._forget()

    @property
    def plan(self) -> kernels.Plan:
        return self.planner.plan

    @property
    def layout(self) -> Layout:
        return self.planner.layout

    @cached_property
    def longest_key(self) -> int:
        """Words of the longest key: the function and what it reads; an update's key has two, that of a tree three."""
        return max([3, *(1 + len(reads) for reads in self.numbering.reads)])

    @cached_property
    def _places(self) -> list[dict[int, int]]:
        """By group and slot, where it is among those that the group writes."""
        return [{slot: place for place, slot in enumerate(group.writes)} for group in self.shape.groups]

    def rows(self, states: list[State]) -> Array:
        """The canonical rows of states, whose values may be new: the layout may change."""
        ids = [[self.numbering.intern(slot, value) for slot, value in enumerate(state)] for state in states]
        self._fit()
        rows = np.array([self.layout.pack(numbers) for numbers in ids], np.uint32)
        rows = rows.reshape(len(states), self.layout.words)
        if self.shape.symmetry:
            kernels.canonical_rows(self.plan, rows, 0, len(rows))
        return rows

    def state(self, row: Array) -> State:
        """The state of a row."""
        ids = self.layout.unpack(row)
        return tuple(slot.values[number] for slot, number in zip(self.numbering.slots, ids, strict=True))

    def meet(self, values: list[list[Value]]) -> None:
        """Numbers values that another process has met."""
        for slot, known in enumerate(values):
            for value in known:
                self.numbering.intern(slot, value)
        self._fit()

    def restore(self, values: list[list[Value]]) -> None:
        """Numbers values as an earlier run did; none has a number yet."""
        self.numbering.restore(values)
        self._fit()

    def learn(self, misses: Iterable[Array], rows: Array) -> None:
        """Evaluates what the kernels missed: each miss has a row's number, a key's length, and the key."""
        learnt: dict[tuple[int, ...], list[int]] = {}
        asked: list[Asked] = []
        try:
            for miss in (miss for part in misses for miss in part.tolist()):
                key = tuple(miss[2 : 2 + miss[1]])
                if key not in learnt:
                    self._tick()
                    learnt[key] = self._evaluate(key, rows[miss[0]])
                    if key[0] & GROWING:
                        asked.append(Asked(miss[0], key[0] ^ GROWING, len(self.memo) + len(learnt), self._reading.seen))
        finally:
            self.memo.trees.grow(self.plan, rows, asked)  # while rows have the layout of the plan
            self._fit()
            self.memo.add(self.plan, [(() if key[0] & GROWING else key, said) for key, said in learnt.items()])

    def forget(self, budget: int) -> None:
        """Empties the memo when it has outgrown its budget."""
        if self.memo.bytes > budget:
            self.memo.clear()
            self._forget()

    def _forget(self) -> None:
        self.events: list[Event] = []
        self._event_ids: dict[object, int] = {}
        self._latest: tuple[Event | None, int] = (None, 0)
        self._updates: list[tuple[int, Pure]] = []
        self._update_ids: dict[tuple[int, object, bytes], int] = {}
        if self.shape.joint:
            self._event(QUIET)  # kernels know it by its number

    def _fit(self) -> None:
        if self.planner.fit():
            self.memo.reindex(self.plan, self.planner.dense_size)

    def _evaluate(self, key: tuple[int, ...], row: Array) -> list[int]:
        try:
            return self._result(key, row)
        except HomingError as error:
            raise Failed(error, self.state(row)) from None

    def _result(self, key: tuple[int, ...], row: Array) -> list[int]:
        self.evaluations += 1
        function, ids = key[0], key[1:]
        groups = len(self.shape.groups)
        if function & GROWING:
            self._reading = self._lazily(function ^ GROWING, row)
            return [self._observed((function ^ GROWING) - groups, self._reading.short)]
        if function >= len(self.numbering.reads):
            return [self._updated(function - len(self.numbering.reads), ids[0])]
        if len(ids) != len(self.numbering.reads[function]):
            self._explain(function, row)
        if function < groups:
            return self._stepped(function, self._short(function, ids))
        return [self._observed(function - groups, self._short(function, ids))]

    def _lazily(self, function: int, row: Array) -> Reading:
        """What a function reads of a row."""
        ids, reads, sources = self.layout.unpack(row), self.numbering.reads[function], self._sources[function]

        def fetch(position: int) -> Value:
            slot, unary = reads[position]
            number = ids[slot] if unary < 0 else self.numbering.unaries[unary].table[ids[slot]]
            if number < 0:
                self._explain(function, row)
            return sources[position][number]

        return Reading(len(reads), fetch)

    def _observed(self, label: int, read: Short) -> int:
        try:
            return int(evaluate.label(self.system, label, read))
        except HomingError:
            if not self.shape.labels[label].after:
                raise
            return RAISED  # which is an error only where the labels before it are true

    def fail(self, label: int, row: Array) -> NoReturn:
        """Raises what a label raises in a state."""
        state = self.state(row)
        try:
            interpreter.label(self.system, label, state)
        except HomingError as error:
            raise Failed(error, state) from None
        raise AssertionError("a label failed once and then did not: it is not pure")

    def _short(self, function: int, ids: tuple[int, ...]) -> Short:
        return tuple([values[number] for values, number in zip(self._sources[function], ids)])

    @cached_property
    def _sources(self) -> list[list[list[Value]]]:
        """By function and read, the values that its numbers stand for."""
        slots, unaries = self.numbering.slots, self.numbering.unaries
        return [
            [(unaries[unary].results if unary >= 0 else slots[slot]).values for slot, unary in reads]
            for reads in self.numbering.reads
        ]

    def _stepped(self, number: int, read: Short) -> list[int]:
        group, results = self.shape.groups[number], list[int]()
        places, kept = self._places[number], [KEEP] * len(group.writes)
        for step in evaluate.steps(self.system, number, read):
            written = kept[:]
            # In the order of the slots: the numbers of new values must not depend on that of a dictionary.
            for slot in sorted(step.writes):
                written[places[slot]] = self._written(group, slot, step.writes[slot])
            results.append(self._event(step.event))
            results += written
        return results

    def _written(self, group: Group, slot: int, written: Value | Update) -> int:
        if not isinstance(written, Pure):
            return self._interned(slot, written, lambda: f"what group '{group.name}' writes", group.place)
        known = (slot, written.function, key_of(written.arguments))
        number = self._update_ids.get(known)
        if number is None:
            encode(written.arguments)  # fails when they are no values
            number = self._update_ids[known] = len(self._updates)
            self._updates.append((slot, written))
        return -(number + 2)

    def _updated(self, update: int, old: int) -> int:
        slot, function = self._updates[update]
        where = f"written to slot '{self.shape.slots[slot]}'"
        value = evaluate.pure(function, self.numbering.slots[slot].values[old], where, self.shape.place)
        return self._interned(slot, value, lambda: f"the result of {function}", self.shape.place)

    def _interned(self, slot: int, value: Value, what: Callable[[], str], place: Place | None) -> int:
        try:
            return self.numbering.intern(slot, value)
        except (NotAValue, RecursionError) as found:
            where = f"{what()} to slot '{self.shape.slots[slot]}'"
            raise evaluate.no_value(found, where, place) from None

    def _event(self, event: Event) -> int:
        # A model often has one object for all steps of a group, and then its key need not be made again.
        if event is self._latest[0]:
            return self._latest[1]
        key = event.key
        number = self._event_ids.get(key)
        if number is None:
            number = self._event_ids[key] = len(self.events)
            self.events.append(event)
        self._latest = (event, number)
        return number

    def _explain(self, function: int, row: Array) -> NoReturn:
        """A projection failed when its value turned up; now that it is needed, it fails aloud."""
        state = self.state(row)
        for _, number in self.numbering.reads[function]:
            if number >= 0:
                unary = self.numbering.unaries[number]
                try:
                    encode(unary.apply(state[unary.slot]))
                except (NotAValue, RecursionError) as found:
                    where = f"what is read from slot '{self.shape.slots[unary.slot]}'"
                    raise evaluate.no_value(found, where, self.shape.place) from None
        raise AssertionError("a projection failed once and then did not: it is not pure")


def _has_tree(label: Label) -> bool:
    return label.lazy and len(label.reads) > 1 and not any(read.guard for read in label.reads)
