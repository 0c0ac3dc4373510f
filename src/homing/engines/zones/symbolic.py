"""The search over symbolic states: wave by wave, edges are fired, time passes, and what is new is kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from homing.core.values import State
from homing.engines.local.search import Search
from homing.engines.zones.discrete import Discrete
from homing.engines.zones.growing import Lists, enlarged
from homing.engines.zones.timing import Abstraction, Constants
from homing.timed.kernels.arrays import (
    ALIVE,
    ANY,
    DEAD,
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
from homing.timed.kernels.settling import settle
from homing.timed.kernels.storage import intern_all, move_memo
from homing.timed.system import TimedSystem

START = 1 << 14
"""Zones, results and symbolic states for which there is room in the beginning."""


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
    ) -> None:
        self.system = system
        self.search = Search(system, 1, tick)
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
        self.zones = Zones(dbm, np.empty(START, np.uint64), table, _nothing())
        self._fire_memo, self._settle_memo = _memo(START), _memo(START)
        discrete, zone, parent, edge, following = _columns(5, START)
        covered, head = np.zeros(START, np.uint8), np.empty(0, np.int64)
        self.states = States(discrete, zone, parent, edge, following, covered, head, np.zeros(2, np.int64))
        source, edge, zone = _columns(3, START)
        self._fired = Fired(source, edge, zone, _nothing())
        source, target, edge = _columns(3, START if recording else 0)
        self.moves = Moves(source, target, edge, _nothing())

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
        numbers = np.empty(len(zones), np.int64)
        for begin in range(0, len(zones), ROOM):
            self._grow_zones()
            intern_all(self.zones, zones[begin : begin + ROOM], numbers[begin : begin + ROOM])
        return self._enter(self.discrete.numbers(states), numbers)

    def _enter(self, numbers: Array, zones: Array) -> Array:
        count = len(numbers)
        before = int(self.states.size[0])
        self.discrete.prepare(numbers)
        self._settle(Fired(numbers, -1 - np.arange(count), zones, np.array([count], np.int64)))
        found = np.arange(before, self.states.size[0])
        self.begun += len(found)
        return found

    def waves(self, todo: Array) -> Iterator[Array]:
        """The new symbolic states, wave by wave, those that have been covered since left out."""
        while len(todo):
            yield todo
            before = int(self.states.size[0])
            self._follow(todo)
            todo = np.arange(before, self.states.size[0])
            todo = todo[self.states.covered[todo] == 0]

    def _follow(self, todo: Array) -> None:
        position = 0
        while position < len(todo):
            self._tick()
            self._fired.size[0] = 0
            position = self._fire(todo, position)
            if self._fired.size[0]:
                self._check_failures()
                edges = self._fired.edge[: self._fired.size[0]]
                self.discrete.prepare(self.discrete.edges.target[edges])
                self._settle(self._fired)

    def _fire(self, todo: Array, begin: int) -> int:
        while True:
            done = self._fired_to(todo, begin)
            if done > begin or done == len(todo):
                return done
            self._enlarge_fired()
            self._fire_memo = self._grown(self._fire_memo)

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


class Conditions:
    """The cells of all conditions that have turned up, for the kernels."""

    def __init__(self, system: TimedSystem) -> None:
        self._system = system
        self._start = [0, 0]
        self._constraints = Lists(3)
        self._deadlock: list[int] = []
        self._add([((), None)])
        self._made()

    def reach(self, number: int) -> None:
        """Has all conditions up to this one."""
        if number + 2 > len(self._start):
            while number + 2 > len(self._start):
                found = self._system.cells(len(self._start) - 1)
                self._add([(cell.constraints, cell.deadlock) for cell in found])
            self._made()

    def _add(self, cells: list[tuple[object, bool | None]]) -> None:
        for constraints, deadlock in cells:
            self._constraints.append(constraints)
            self._deadlock.append(ANY if deadlock is None else DEAD if deadlock else ALIVE)
        self._start.append(len(self._deadlock))

    def _made(self) -> None:
        self.cells = Cells(
            np.array(self._start, np.int64),
            self._constraints.start,
            self._constraints.rows,
            np.array(self._deadlock, np.int64),
        )


def _nothing() -> Array:
    return np.zeros(1, np.int64)


def _columns(many: int, size: int) -> list[Array]:
    return [np.empty(size, np.int64) for _ in range(many)]


def _memo(size: int) -> Memo:
    return Memo(
        np.zeros(2 * size, np.uint64),
        np.empty(2 * size, np.int64),
        np.empty(2 * size, np.int32),
        np.empty(size, np.int64),
        np.zeros(2, np.int64),
    )
