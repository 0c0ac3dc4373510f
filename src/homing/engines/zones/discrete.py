"""The discrete states, numbered, with their edges and what they say about time; each is looked at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homing.core import evaluate
from homing.core.system import Group
from homing.core.values import State
from homing.engines.local import kernels as local
from homing.engines.local.evaluator import Failed
from homing.engines.local.expander import Round
from homing.engines.local.search import Search
from homing.engines.zones.growing import Growing, Lists, enlarged
from homing.engines.zones.numbers import Numbers
from homing.engines.zones.timing import Abstraction, Constants, TimingTable
from homing.timed.kernels.arrays import Actions, Array, Edges, Timings
from homing.timed.system import Action, TimedSystem

UNKNOWN = -1


class Discrete:
    """The discrete part of a search. `within` is the condition that has to hold all the time, if there is one."""

    def __init__(
        self,
        system: TimedSystem,
        search: Search,
        constants: Constants,
        within: int | None,
        foresight: bool,
        abstraction: Abstraction,
    ) -> None:
        self.system = system
        self.search = search
        self._labels = [*system.parts, *([] if within is None else [within])]
        self._foresight = foresight
        self._layout = search.evaluator.layout
        self._plan = search.evaluator.plan
        self._states = Numbers(self._layout.words, self._plan.visible)
        self._low = np.empty(0, np.int64)
        self._high = np.empty(0, np.int64)
        self._timing = np.empty(0, np.int64)
        self._target, self._action, self._group = Growing(np.int64), Growing(np.int64), Growing(np.int32)
        self.actions: list[Action] = []
        self._action_numbers: dict[object, int] = {}
        self._guards, self._resets, self._flags = Lists(3), Lists(3), Growing(np.int64, 4)
        self._timings = TimingTable(system, constants, within is not None, abstraction)
        self._values: dict[int, Array] = {}

    def __len__(self) -> int:
        return self._states.count

    @property
    def memory(self) -> int:
        """The bytes that it takes, about."""
        return int(self._states.rows.nbytes + 64 * len(self) + 20 * self._target.count)

    # States

    def initial(self) -> Array:
        """The numbers of the initial states."""
        return self.numbers(evaluate.initial(self.system))

    def numbers(self, states: list[State]) -> Array:
        """The numbers of states."""
        return self.numbers_of(self.search.rows(states))

    def numbers_of(self, rows: Array) -> Array:
        """The numbers of rows."""
        self.fit()
        hashes = np.empty(len(rows), np.uint64)
        local.hash_rows(self._plan, rows, 0, len(rows), hashes, 0)
        return self._numbered(rows, hashes)

    def rows(self, numbers: Array) -> Array:
        """The rows of states."""
        rows: Array = self._states.rows[numbers]
        return rows

    def state(self, number: int) -> State:
        """The values of a state."""
        return self.search.evaluator.state(self._states.rows[number])

    def group(self, edge: int) -> Group:
        """The group that an edge belongs to."""
        return self.search.evaluator.shape.groups[int(self._group.array[edge])]

    def _numbered(self, rows: Array, hashes: Array) -> Array:
        numbers = self._states.of(rows, hashes)
        count = self._states.count
        self._low = enlarged(self._low, count, UNKNOWN)
        self._high = enlarged(self._high, count, UNKNOWN)
        self._timing = enlarged(self._timing, count, UNKNOWN)
        return numbers

    def fit(self) -> None:
        """Follows the layout that is in force; others may have changed it."""
        now, plan = self.search.evaluator.layout, self.search.evaluator.plan
        if now is not self._layout:
            rows = np.empty((self._states.count, now.words), np.uint32)
            local.repack(self._plan, plan, np.ascontiguousarray(self._states.rows), rows)
            self._states.replace(rows, plan.visible)
            self._layout = now
        self._plan = plan

    # What labels say

    def values(self, label: int, numbers: Array) -> Array:
        """By state, for all states, the value of a label; it is right for those that are asked about."""
        known = self._values.get(label)
        missing = np.int32(-(2**31))
        if known is None:
            known = np.empty(0, np.int32)
        known = self._values[label] = enlarged(known, max(1, self._states.count), int(missing))
        asked = np.unique(numbers)
        asked = asked[known[asked] == missing]
        if len(asked):
            known[asked] = self._observed(asked, [label])[0]
        return known

    def _observed(self, numbers: Array, labels: Sequence[int]) -> Array:
        _, values = self.search.observe(self._states.rows[numbers].copy(), labels)
        self.fit()
        return values

    # What comes next, and when

    def prepare(self, numbers: Array) -> None:
        """Has the edges and the timing of these states ready."""
        new = np.unique(numbers)
        new = new[self._low[new] == UNKNOWN]
        for begin in range(0, len(new), self.search.batch):
            part = new[begin : begin + self.search.batch]
            parts = self._observed(part, self._labels)
            self._expand(part, parts)
            self._time(part, parts)
            if self._foresight:
                self._foresee(part)

    def _foresee(self, numbers: Array) -> None:
        """Has the invariants of all targets ready, whether they can be reached or not."""
        targets = np.unique(np.concatenate([self._target.array[self._low[n] : self._high[n]] for n in numbers]))
        targets = targets[self._timing[targets] == UNKNOWN]
        if len(targets):
            self._timing[targets] = self._foreseen(targets)

    def _foreseen(self, targets: Array) -> Array:
        try:
            return self._timings.of(self._observed(targets, self._labels), np.zeros(len(targets), np.bool_))
        except Failed:
            # An error in a state that nothing may lead to is none. If something does, the state is looked at again.
            if len(targets) > 1:
                return np.concatenate([self._foreseen(targets[n : n + 1]) for n in range(len(targets))])
            return self._timings.failed()

    def _expand(self, numbers: Array, parts: Array) -> None:
        committed = self._timings.are_committed(parts)
        self.search.evaluator.forget(self.search.memory)
        for found in self.search.steps(self._states.rows[numbers].copy()):
            self.fit()
            self._take(found, numbers, committed)
        self.fit()

    def _take(self, found: Round, numbers: Array, committed: Array) -> None:
        """Keeps the edges of one round; of a committed state, those that leave a committed location."""
        out, filled = found.out, found.out.filled
        rows = np.concatenate([out.rows[c, : filled[c]] for c in range(len(filled))])
        hashes = np.concatenate([out.hashes[c, : filled[c]] for c in range(len(filled))])
        origin, group, event = (
            np.concatenate([column[c, : filled[c]] for c in range(len(filled))]).astype(np.int64)
            for column in (out.origin, out.group, out.event)
        )
        position = found.positions[origin]
        action = self._numbered_actions(event)
        kept = ~committed[position] | (self._flags.array[action, 0] == 1)
        position, action = position[kept], action[kept]
        first = self._target.count
        self._target.extend(self._numbered(rows[kept], hashes[kept]))
        self._action.extend(action)
        self._group.extend(group[kept])
        many = np.bincount(position, minlength=len(numbers))
        end = first + np.cumsum(many)
        done = found.positions[out.deferred[: len(found.rows)] == 0]
        self._low[numbers[done]], self._high[numbers[done]] = (end - many)[done], end[done]

    def _numbered_actions(self, event: Array) -> Array:
        """The memo may forget, and number events anew; our numbers stay."""
        known = self.search.evaluator.events
        numbers = np.zeros(len(known) + 1, np.int64)
        for number in np.unique(event):
            numbers[number] = self._numbered_action(known[number])
        return numbers[event]

    def _numbered_action(self, action: object) -> int:
        assert isinstance(action, Action)
        number = self._action_numbers.get(action.key)
        if number is None:
            number = self._action_numbers[action.key] = len(self.actions)
            self.actions.append(action)
            self._guards.append(action.guard)
            self._resets.append([(reset.clock, reset.source, reset.value) for reset in action.resets])
            self._flags.extend([(action.committed, action.urgent, action.priority, bool(action.failure))])
        return number

    def _time(self, numbers: Array, values: Array) -> None:
        stopped = np.zeros(len(numbers), np.bool_)
        if (self._flags.array[:, 1] == 1).any():
            urgent = np.cumsum(self._flags.array[self._action.array, 1])
            before = np.concatenate([[0], urgent])
            stopped = before[self._high[numbers]] > before[self._low[numbers]]
        self._timing[numbers] = self._timings.of(values, stopped)

    # For the kernels

    @property
    def edges(self) -> Edges:
        return Edges(self._low, self._high, self._target.array, self._action.array, self._timing)

    @property
    def timings(self) -> Timings:
        return self._timings.arrays

    @property
    def kernel_actions(self) -> Actions:
        flags = self._flags.array
        return Actions(self._guards.start, self._guards.rows, self._resets.start, self._resets.rows, flags[:, 2].copy())

    @property
    def failing(self) -> Array:
        """By action, whether evaluating it is an error."""
        failing: Array = self._flags.array[:, 3] == 1
        return failing
