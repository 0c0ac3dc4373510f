"""Looks for states until what is asked is decided, or all are found, and for how far away things are."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from homing.core.errors import HomingError
from homing.core.property import DeadlockFree, OnGraph, Property
from homing.core.stop import Stopped
from homing.core.witness import Trace
from homing.engines.local.watch import Watch
from homing.engines.symbolic.leaping import leap
from homing.engines.symbolic.safety import Monitor
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept, Set
from homing.engines.symbolic.traces import trace_to
from homing.engines.symbolic.world import Failed

AGAIN = 10
"""Times as many nodes when levels are tried again."""


class Explorer:
    """One search, with what properties wait for."""

    def __init__(self, search: Search, properties: Sequence[Property], watch: Watch, limited: bool) -> None:
        """`limited`: whether there is a limit of states, so that they have to be counted all the time."""
        self.search = search
        self.tuning = search.tuning
        self.watch = watch
        self.limited = limited
        self.monitors = [Monitor(prop, search) for prop in properties if not isinstance(prop, OnGraph)]
        self.wants_all = any(isinstance(prop, OnGraph) for prop in properties)
        self.whole = False
        """Whether all states were found, and every monitor has seen them."""
        self.rings: list[Kept] = []
        """The levels, as far as states were looked for breadth first."""
        self.depth = 0
        self.work = 0
        """Nodes of all levels that were looked at breadth first."""
        self._doubt = self.tuning.doubt if self.tuning.strategy == "auto" else None
        """Nodes of the states at which chaining is doubted next."""
        self.failure: HomingError | None = None
        """That of the model that chaining met, until it is known how far away it is."""
        self._simpler = False
        """Whether levels turned out to be simpler sets."""

    @property
    def breadth_first(self) -> bool:
        """Which of the states that a view takes for the same is kept must not depend on the order of groups; and under
        a symmetry a way back is known level by level only."""
        search = self.search
        shape = search.system.shape
        merged = bool(shape.hidden) or search.orbits is not None
        return self.tuning.strategy == "levels" or self._simpler or shape.joint or merged

    @property
    def decided(self) -> bool:
        """Whether no further state is wanted."""
        return not self.wants_all and all(monitor.decided for monitor in self.monitors)

    @property
    def bound(self) -> int:
        """How much may be spent on shortest traces."""
        return max(self.tuning.work, self.tuning.share * self.search.work)

    def explore(self) -> None:
        """Until all is decided or all is seen."""
        self.search.start()
        if not self.breadth_first:
            try:
                self._by_chaining()
                return
            except Failed as failed:
                # Breadth first all may be decided before it gets there. If not, it is the nearest failure that is told.
                self.failure = failed.error
                self._simpler, self.monitors = True, [Monitor(each.prop, self.search) for each in self.monitors]
        self._by_levels(self.monitors, lambda: self.decided)
        self.whole = self.search.complete

    def _by_chaining(self) -> None:
        for _ in self.search.closure(lambda states: self._observe(states, self.monitors)):
            self._progress(0)
            if self.decided and self._located():
                return
            if self._doubt is not None and self.search.reached.set.node_count() > self._doubt and self._by_simpler():
                return
        self._dead(self.search.kept(self.search.reached.set), self.monitors)
        self.whole = True
        if not (self.monitors and self.decided and self._located()):
            self.work = 0

    def _by_simpler(self) -> bool:
        """Goes by levels instead, to the end; False where, with as many states found, their set is not much simpler."""
        search = self.search
        reached, nodes = search.kept(search.reached.set), search.reached.set.node_count()
        self._doubt = AGAIN * nodes
        states, bound = search.space.states(reached.set), max(self.tuning.share * search.work, self.tuning.work)
        monitors, self.monitors = self.monitors, [Monitor(monitor.prop, search) for monitor in self.monitors]
        self.work, order = 0, search.arranged(search.order)  # the order may have been made for the sets of chaining

        def enough() -> bool:
            if self.decided:
                self._simpler = True
            if self._simpler:
                return self.decided
            self.work += self.rings[-1].set.node_count()
            if search.space.states(search.reached.set) >= states:
                self._simpler = search.reached.set.node_count() <= self.tuning.simpler * nodes
                return not self._simpler
            return self.work > bound

        try:
            ended = self._by_levels(self.monitors, enough)
        except (Stopped, MemoryError):
            # What was found before stays.
            pairs = zip(self.monitors, monitors, strict=True)
            self.monitors = [old if new.finding is None else new for new, old in pairs]
            raise
        if self._simpler or not ended:
            self._simpler, self.whole = True, search.complete
            return True
        self.monitors, self.rings, self.work, search.reached.set = monitors, [], 0, reached.set
        search.arranged(order)
        return False

    def look_back(self) -> None:
        """All states are known; their levels are counted, as far as that is little work."""
        every = self.search.kept(self.search.reached.set)
        found = [number for number, monitor in enumerate(self.monitors) if monitor.finding is not None]
        again = {number: Monitor(self.monitors[number].prop, self.search) for number in found}
        self._by_levels(list(again.values()), self._too_much)
        for number, monitor in again.items():
            if not _as_good(monitor, self.monitors[number]):
                monitor = Monitor(monitor.prop, self.search)  # all states that decide it, whichever is nearest
                monitor.see(every)
                self._dead(every, [monitor])
            self.monitors[number] = monitor

    def _located(self) -> bool:
        """Looks breadth first for what was found, as if the search had been so; False where that is a long way."""
        search = self.search
        again = [Monitor(monitor.prop, search) for monitor in self.monitors]
        reached = search.kept(search.reached.set)
        ended = self._by_levels(again, lambda: all(monitor.decided for monitor in again) or self._too_much())
        if all(monitor.decided for monitor in again):
            self.monitors = again
            if ended:
                search.complete, search.reached.set = False, self._near()
            return True
        self.rings = []
        search.reached.set = reached.set
        return False

    def _too_much(self) -> bool:
        self.work += self.rings[-1].set.node_count()
        return self.work > self.bound

    def _near(self) -> Set:
        """All levels that were looked at."""
        found = self.search.space.false
        for ring in self.rings:
            found = found | ring.set
        return found

    def _by_levels(self, monitors: list[Monitor], enough: Callable[[], bool]) -> bool:
        """Breadth first until it is enough; False where there was nothing more to find."""
        self.rings = []

        def observe(states: Kept) -> None:
            for monitor in monitors:
                monitor.level = len(self.rings)
            self.rings.append(states)  # first, since it may end there with something found
            self._observe(states, monitors)

        for level in self.search.levels(observe):
            self._progress(len(self.rings))
            if enough():
                return True
            self._dead(level, monitors)
            if len(self.rings) == self.tuning.leap and self._leapt(monitors):
                return False
        rings, constrained = list(self.rings), bool(self.search.system.shape.constraints)
        while constrained and rings and not self.search.inside(rings[-1]).satisfiable():
            rings.pop()
        self.depth = len(rings)
        return False

    def _leapt(self, monitors: list[Monitor]) -> bool:
        """Goes the rest of a long way at once; False where it cannot, or finds something: its level is then wanted."""
        search = self.search
        try:
            found = leap(search, search.kept(self._near()))
            if found is None:
                return False
            again = [Monitor(monitor.prop, search) for monitor in monitors if not monitor.decided]
            search.relation.learn(found.reached)
            self._observe(found.reached, again)
            self._dead(found.reached, again)
        except Failed:
            return False
        undecided = [monitor for monitor in monitors if not monitor.decided]
        if any(one.found != other.found for one, other in zip(undecided, again, strict=True)):
            return False
        search.reached.set, search.complete = found.reached.set, True
        self.depth = len(self.rings) + found.levels
        return True

    def _observe(self, states: Kept, monitors: list[Monitor]) -> None:
        """Asks every label that matters about the states."""
        asked = [monitor for monitor in monitors if not monitor.decided]
        for label in sorted({label for monitor in asked for label in monitor.labels}):
            self.search.labels.learn(label, states)
        for monitor in asked:
            monitor.see(states)

    def _dead(self, states: Kept, monitors: list[Monitor]) -> None:
        asked = [monitor for monitor in monitors if isinstance(monitor.prop, DeadlockFree) and not monitor.decided]
        if asked:
            inside = self.search.kept(self.search.inside(states))
            if not self.search.complete:
                self.search.relation.learn(inside)
            dead = self.search.kept(self.search.relation.dead(inside.set))
            for monitor in asked:
                monitor.see_dead(dead)

    def _progress(self, depth: int) -> None:
        """Counting takes its time, so it is done when somebody looks, or has set a limit."""
        if self.limited or self.watch.due:
            self.watch.count(self.search.space.states(self.search.reached.set), 0, depth)

    def locate(self, states: Kept) -> Trace | None:
        """The way to the nearest of some states."""
        rings: list[Kept] = []
        for level in self.search.levels(lambda states: None):
            rings.append(level)
            here = level.set & states.set
            if here.satisfiable():
                return trace_to(self.search, rings, here)
        return None


def _as_good(monitor: Monitor, other: Monitor) -> bool:
    """Whether it has found what the other has."""
    return monitor.finding is not None and monitor.found == other.found
