"""The search over symbolic states: wave by wave, edges are fired, time passes, and what is new is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from homing.core.values import State
from homing.engines.local.search import Search
from homing.engines.zones.conditions import Conditions
from homing.engines.zones.discrete import Discrete
from homing.engines.zones.growing import columns, empty_memo, enlarged, nothing
from homing.engines.zones.timing import Abstraction, Constants
from homing.timed.kernels.arrays import (
    EXACT,
    EXTRAPOLATED,
    ROOM,
    Array,
    Cells,
    Fired,
    Memo,
    Moves,
    Zones,
)
from homing.timed.kernels.arrays import Symbolic as States
from homing.timed.kernels.firing import fire
from homing.timed.kernels.rows import place_rows
from homing.timed.kernels.settling import put_back, settle
from homing.timed.kernels.storage import intern_all, move_memo
from homing.timed.system import TimedSystem

START = 1 << 14
"""Zones, results and symbolic states for which there is room in the beginning."""
STATE_BYTES, ZONE_BYTES, MEMO_BYTES = 41, 24, 56
"""Of a symbolic state, of a zone beside its bounds, and of a result; tables have room for half as many again."""


class Failing(Exception):
    """An enabled action whose evaluation is an error."""

    def __init__(self, state: int, edge: int) -> None:
        super().__init__(state, edge)
        self.state = state
        self.edge = edge


class Symbolic:
    """The symbolic states found so far and all that is needed to find more."""

    def __init__(
        self,
        system: TimedSystem,
        constants: Constants,
        abstraction: Abstraction,
        tick: Callable[[], None] = lambda: None,
        within: int | None = None,
        foresight: bool = False,
        recording: bool = False,
        search: Search | None = None,
    ) -> None:
        self.system = system
        self.search = search or Search(system, 1, tick)
        self.discrete = Discrete(system, self.search, constants, within, foresight or system.ranked, abstraction)
        self._within = within is not None
        self._ranked = system.ranked
        self._how = EXACT if abstraction.extrapolation == "none" else EXTRAPOLATED
        self._inclusion = abstraction.inclusion
        self._diagonals = np.array(system.diagonals, np.int32).reshape(-1, 3)
        self._tick = tick
        self._conditions = Conditions(system)
        self._allocate(len(system.clocks) + 1, recording)
        self.begun = 0
        """In how many symbolic states the search began."""

    def _allocate(self, n: int, recording: bool) -> None:
        dbm, table = np.empty((START, n, n), np.int32), np.zeros(4 * START, np.uint32)
        self.zones = Zones(dbm, np.empty(START, np.uint64), table, nothing())
        self._fire_memo, self._settle_memo = empty_memo(START), empty_memo(START)
        discrete, zone, parent, edge, following = columns(5, START)
        covered, head = np.zeros(START, np.uint8), np.empty(0, np.int64)
        self.states = States(discrete, zone, parent, edge, following, covered, head, np.zeros(2, np.int64))
        source, edge, zone = columns(3, START)
        self._fired = Fired(source, edge, zone, nothing())
        source, target, edge = columns(3, START if recording else 0)
        self.moves = Moves(source, target, edge, nothing())

    # The search

    def start(self) -> Array:
        """The initial symbolic states."""
        numbers = self.discrete.initial()
        n = self.zones.dbm.shape[1]
        zone = np.empty(1, np.int64)
        intern_all(self.zones, np.ones((1, n, n), np.int32), zone)
        return self._enter(numbers, np.repeat(zone, len(numbers)))

    def start_in(self, states: list[State], zones: Array) -> Array:
        """Symbolic states in which the search begins instead: discrete states with zones, before time passes."""
        return self._enter(self.discrete.numbers(states), self.interned(zones))

    def _enter(self, numbers: Array, zones: Array) -> Array:
        found = self.arrive(numbers, zones)
        found = self.uncovered(found)
        self.begun += len(found)
        self.moves.size[0] = 0  # they have no source
        return found

    def arrive(self, numbers: Array, zones: Array) -> Array:
        """Lets time pass after steps from elsewhere; what is new has the parent -1 - k, the k-th of the steps."""
        count = len(numbers)
        before = int(self.states.size[0])
        self.discrete.prepare(numbers)
        self._settle(Fired(numbers, -1 - np.arange(count), zones, np.array([count], np.int64)))
        return np.arange(before, self.states.size[0])

    def put_back(self, numbers: Array, zones: Array) -> Array:
        """Symbolic states, by discrete state and zone, that were found before; none of them counts as found."""
        found = np.empty(len(numbers), np.int64)
        for begin in range(0, len(numbers), ROOM):
            self._fit_states()
            some, generated = slice(begin, begin + ROOM), int(self.states.size[1])
            put_back(numbers[some], zones[some], self.zones, self.states, self._inclusion, found[some])
            self.states.size[1] = generated
        return found

    def interned(self, zones: Array) -> Array:
        """The numbers of zones."""
        numbers = np.empty(len(zones), np.int64)
        for begin in range(0, len(zones), ROOM):
            self._grow_zones()
            intern_all(self.zones, zones[begin : begin + ROOM], numbers[begin : begin + ROOM])
        return numbers

    def waves(self, todo: Array) -> Iterator[Array]:
        """The new symbolic states, wave by wave, those that have been covered since left out."""
        while len(todo):
            yield todo
            before = int(self.states.size[0])
            self.follow(todo)
            todo = self.uncovered(np.arange(before, self.states.size[0]))

    def uncovered(self, found: Array) -> Array:
        """Those symbolic states that no other includes."""
        left: Array = found[self.states.covered[found] == 0]
        return left

    def follow(self, todo: Array) -> None:
        """Takes all steps from symbolic states."""
        for fired in self.firing(todo):
            self.discrete.prepare(self.discrete.edges.target[fired.edge[: fired.size[0]]])
            self._settle(fired)

    def firing(self, todo: Array) -> Iterator[Fired]:
        """What comes of firing all edges of symbolic states, some at a time. Those that are covered meanwhile are fired
        too, so that nothing depends on how many that is."""
        position = 0
        while position < len(todo):
            self._tick()
            self._fired.size[0] = 0
            position = self._fire(todo, position)
            if self._fired.size[0]:
                self._check_failures()
                yield self._fired

    def _fire(self, todo: Array, begin: int) -> int:
        while True:
            done = self._fired_to(todo, begin)
            if done > begin or done == len(todo):
                return done
            self._tick()
            zones, memo = self.zones, self._fire_memo
            self._fire_memo = self._grown(memo)
            if self.zones is zones and self._fire_memo.results is memo.results and self._fire_memo.keys is memo.keys:
                self._enlarge_fired()

    def _fired_to(self, todo: Array, begin: int) -> int:
        discrete, actions = self.discrete, self.discrete.kernel_actions
        if not self._ranked:
            return int(
                fire(todo, begin, self.states, discrete.edges, actions, self.zones, self._fire_memo, self._fired)
            )
        from homing.timed.kernels.ranking import fire_ranked

        edges, timings = discrete.edges, discrete.timings
        return int(fire_ranked(todo, begin, self.states, edges, actions, timings, self.zones, self._fired))

    def _settle(self, fired: Fired) -> None:
        begin = 0
        self._conditions.reach(int(self.discrete.timings.cells.max()))
        while True:
            self._fit_states()
            edges, timings = self.discrete.edges, self.discrete.timings
            time = (edges, timings, self._how, self._diagonals, self.zones, self._settle_memo)
            begin = settle(fired, begin, *time, self.states, self._inclusion, self.moves)
            if begin == fired.size[0]:
                return
            self._settle_memo = self._grown(self._settle_memo)
            self._learn(fired, begin)
            self._tick()

    def _learn(self, fired: Fired, begin: int) -> None:
        """Has what `settle` leaves to be learnt, with compiled code that few models need."""
        if len(self._diagonals) or self._within:
            from homing.timed.kernels.delaying import learn_pieces

            edges, timings = self.discrete.edges, self.discrete.timings
            arguments = (edges, timings, self.cells, self._how, self._diagonals, self.zones, self._settle_memo)
            learn_pieces(fired, begin, *arguments)

    def _check_failures(self) -> None:
        failing = self.discrete.failing
        count = self._fired.size[0]
        actions = self.discrete.edges.action[self._fired.edge[:count]]
        failed = np.flatnonzero(failing[actions])
        if len(failed):
            raise Failing(int(self._fired.source[failed[0]]), int(self._fired.edge[failed[0]]))

    # Room

    def _grown(self, memo: Memo) -> Memo:
        """The memo with more room, and more room for zones."""
        self._grow_zones()
        keys, results = int(memo.used[0]), int(memo.used[1])
        bigger = memo._replace(results=enlarged(memo.results, results + 2 * ROOM))
        if 2 * keys + 2 * ROOM > len(memo.keys):
            size = 2 * len(memo.keys)
            bigger = bigger._replace(
                keys=np.zeros(size, np.uint64), first=np.empty(size, np.int64), many=np.empty(size, np.int32)
            )
            move_memo(memo.keys, memo.first, memo.many, bigger)
        return bigger

    def _grow_zones(self) -> None:
        zones, count = self.zones, int(self.zones.size[0])
        if count + 2 * ROOM <= len(zones.dbm):
            return
        size = 2 * len(zones.dbm)
        table = np.zeros(4 * size, np.uint32)
        place_rows(zones.hashes[:count], table)
        self.zones = Zones(enlarged(zones.dbm, size), enlarged(zones.hashes, size), table, zones.size)

    def _enlarge_fired(self) -> None:
        size = 2 * len(self._fired.source)
        source, edge, zone = (enlarged(column, size) for column in self._fired[:3])
        self._fired = Fired(source, edge, zone, self._fired.size)

    def _fit_states(self) -> None:
        """Room for symbolic states, and for a chain of each discrete state."""
        states, count = self.states, int(self.states.size[0])
        head = enlarged(states.head, len(self.discrete), -1)
        states = states._replace(head=head)
        if count + ROOM > len(states.discrete):
            size = 2 * len(states.discrete)
            states = states._replace(
                **{
                    name: enlarged(getattr(states, name), size)
                    for name in States._fields
                    if name not in ("head", "size")
                }
            )
        self.states = states
        if len(self.moves.source) and self.moves.size[0] + ROOM > len(self.moves.source):
            size = 2 * len(self.moves.source)
            source, target, edge = (enlarged(column, size) for column in self.moves[:3])
            self.moves = Moves(source, target, edge, self.moves.size)

    @property
    def used(self) -> int:
        """The bytes that are in use, about; there is room for more."""
        memos, n = (self._fire_memo, self._settle_memo), int(self.zones.dbm.shape[1])
        memo = sum(MEMO_BYTES * int(memo.used[0]) for memo in memos)
        zones = int(self.zones.size[0]) * (4 * n * n + ZONE_BYTES)
        return memo + zones + int(self.states.size[0]) * STATE_BYTES + self.discrete.memory

    @property
    def memory(self) -> int:
        """The bytes that it takes, about; discrete states have edges of their own, and rows."""
        tuples = (self.zones, self._fire_memo, self._settle_memo, self.states, self._fired, self.moves)
        return sum(array.nbytes for arrays in tuples for array in arrays) + self.discrete.memory

    # Conditions

    @property
    def cells(self) -> Cells:
        return self._conditions.cells

    def condition(self, label: int, found: Array) -> Array:
        """By discrete state the condition that a label stands for; right for the symbolic states that are given."""
        numbers = self.states.discrete[found]
        values = self.discrete.values(label, numbers)
        if len(numbers):
            self._conditions.reach(int(values[numbers].max()))
        return values
