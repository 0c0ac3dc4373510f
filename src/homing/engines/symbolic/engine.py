"""Checks the properties of a model on sets of states."""

from __future__ import annotations

from collections.abc import Callable

from homing.core import interpreter
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.property import Always, DeadlockFree, OnGraph, Property, Sometimes
from homing.core.result import Counts, Exploration, Options, Report, Result
from homing.core.temporal import DivergenceFree, EveryStep, Temporal
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.local.watch import DEFAULT_SHARE, Stopped, Watch, available_mb
from homing.engines.symbolic import divergence, every_step
from homing.engines.symbolic.counting import transitions
from homing.engines.symbolic.fairness import Undecided
from homing.engines.symbolic.leaping import leap
from homing.engines.symbolic.safety import Monitor
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept, Set
from homing.engines.symbolic.temporal import Decider, Finding
from homing.engines.symbolic.traces import Far, shortest, some, trace_to
from homing.engines.symbolic.tuning import Tuning, chosen
from homing.engines.symbolic.world import Failed
from homing.properties.ends import not_total

NODE_BYTES = 40
"""Of memory, a node with its share of the tables."""
MOST_NODES, FEWEST_NODES = 1 << 30, 1 << 16
MOST_CACHE = 1 << 20
ELSEWHERE = "that is for the local engine"
SYMMETRY = "symmetry is not used: all states are counted"


def check(model: Model, options: Options, tuning: Tuning | None = None) -> Exploration:
    """The verdicts on all properties of a model."""
    return Check(model, options, tuning or chosen()).run()


class Check:
    """One run over the states of a model."""

    def __init__(self, model: Model, options: Options, tuning: Tuning) -> None:
        self.model = model
        self.options = options
        self.tuning = tuning
        self.watch = Watch(model.name, options.limits, options.show, options.interrupted)
        self.reason: str | None = None
        self.error: HomingError | None = None
        self.error_trace: Trace | None = None
        self.counts = Counts()
        self.notes: list[str] = [SYMMETRY] if model.system.shape.symmetry else []
        self.peak = 0
        self.search = self._search()
        self.monitors = [Monitor(prop, self.search) for prop in model.properties if not isinstance(prop, OnGraph)]
        self.wants_all = any(isinstance(prop, OnGraph) for prop in model.properties)
        self.decider = Decider(self.search)
        self.work = 0
        """Nodes of all levels that were looked at breadth first."""
        self.rings: list[Kept] = []
        """The levels, as far as states were looked for breadth first."""
        self.depth = 0

    def _search(self) -> Search:
        limits, tuning = self.options.limits, self.tuning
        memory = limits.memory_mb or DEFAULT_SHARE * available_mb()
        nodes = tuning.nodes or int(min(max(memory * 2**20 / NODE_BYTES, FEWEST_NODES), MOST_NODES))
        cache = tuning.cache or min(nodes // 4, MOST_CACHE)
        search = Search(self.model.system, nodes, cache, self.options.threads or 1, tuning)
        search.space.tick = self._tick
        return search

    def run(self) -> Exploration:
        """Explores until all is decided, all is seen, or a limit is reached; then judges what is left."""
        self._guarded(self._explore)
        if self.reason is not None:
            self.watch.disarm()  # what was found is counted all the same
        self._guarded(self._count)
        results = tuple(self._result(prop) for prop in self.model.properties)
        report = Report(self.model.name, results, self.error, self.error_trace, engine=self._measured())
        return Exploration(report, self.counts, self.reason, complete=True)

    def _measured(self) -> dict[str, object]:
        """What the engine has to say of itself."""
        states = self.search.reached.set.node_count()
        self.peak = max(self.peak, self.search.space.manager.approx_num_inner_nodes())
        strategy = "levels" if self._breadth_first else self.tuning.strategy
        sizes = f"decision diagrams: {states:,} nodes for the states, at most {self.peak:,} in all, by {strategy}"
        return {
            "engine": "symbolic",
            "strategy": strategy,
            "nodes": states,
            "peak_nodes": self.peak,
            "rounds": self.search.rounds,
            "evaluations": self.search.world.evaluations,
            "notes": [sizes, *self.notes],
        }

    def _guarded(self, work: Callable[[], None]) -> None:
        """Does some work; when that ends early, notes why and keeps what was found."""
        try:
            work()
        except Stopped as stopped:
            self.reason = self.reason or str(stopped)
        except MemoryError:
            self.reason = self.reason or self._too_large()
        except Failed as failed:
            self.reason = "the model failed"
            self.watch.disarm()
            self.error = failed.error
            states = self.search.kept(failed.states)
            self._guarded(lambda: self._locate_error(states))

    def _too_large(self) -> str:
        size = self.search.space.manager.num_inner_nodes()
        return f"the memory was not enough for the decision diagrams, which have {size:,} nodes"

    def _tick(self) -> None:
        self.peak = max(self.peak, self.search.space.manager.approx_num_inner_nodes())
        self.watch.tick()

    # The search

    def _explore(self) -> None:
        self.search.start()
        if self._breadth_first:
            self._by_levels(self.monitors, self._decided)
            return
        rounds = self.search.closure(lambda states: self._observe(states, self.monitors))
        for _ in rounds:
            self._progress(self.search.reached.set, 0)
            if self._decided() and self._located():
                return
        self._dead(self.search.kept(self.search.reached.set), self.monitors)
        self._guarded(self._look_back)

    @property
    def _breadth_first(self) -> bool:
        """Which of the states that a view takes for the same is kept must not depend on the order of groups."""
        joint, hidden = self.search.relation.joint, self.model.system.shape.hidden
        return self.tuning.strategy == "levels" or joint or bool(hidden)

    def _decided(self) -> bool:
        return not self.wants_all and all(monitor.decided for monitor in self.monitors)

    def _located(self) -> bool:
        """Looks breadth first for what was found, so that traces are shortest; False where that is a long way."""
        again = [Monitor(monitor.prop, self.search) for monitor in self.monitors]
        reached = self.search.kept(self.search.reached.set)
        self._by_levels(again, lambda: all(monitor.decided for monitor in again) or self._too_much())
        if all(monitor.decided for monitor in again):
            self.monitors = again
            return True
        self.search.reached.set = reached.set
        return False

    def _too_much(self) -> bool:
        self.work += self.rings[-1].set.node_count()
        return self.work > max(self.tuning.work, self.tuning.share * self.search.work)

    def _nearest(self, states: Set) -> Trace:
        try:
            return shortest(self.search, states, max(self.tuning.work, self.tuning.share * self.search.work))
        except Far:
            return some(self.search, states)

    def _look_back(self) -> None:
        """All states are known; their levels are counted, as far as that is little work."""
        every = self.search.kept(self.search.reached.set)
        found = [number for number, monitor in enumerate(self.monitors) if monitor.finding is not None]
        again = {number: Monitor(self.monitors[number].prop, self.search) for number in found}
        self.work = 0
        self._by_levels(list(again.values()), self._too_much)
        for number, monitor in again.items():
            if not _as_good(monitor, self.monitors[number]):
                monitor = Monitor(monitor.prop, self.search)  # all states that decide it, whichever is nearest
                monitor.see(every)
                self._dead(every, [monitor])
            self.monitors[number] = monitor

    def _by_levels(self, monitors: list[Monitor], enough: Callable[[], bool]) -> None:
        """Breadth first until it is enough."""
        self.rings = []

        def observe(states: Kept) -> None:
            for monitor in monitors:
                monitor.level = len(self.rings)
            self._observe(states, monitors)

        for level in self.search.levels(observe):
            self.rings.append(level)
            self._progress(self.search.reached.set, len(self.rings))
            if enough():
                return
            self._dead(level, monitors)
            if len(self.rings) == self.tuning.leap and self._leapt(monitors):
                return
        rings, constrained = list(self.rings), bool(self.search.system.shape.constraints)
        while constrained and rings and not self.search.inside(rings[-1]).satisfiable():
            rings.pop()
        self.depth = len(rings)

    def _leapt(self, monitors: list[Monitor]) -> bool:
        """Goes the rest of a long way at once; False where it cannot, or finds something: its level is then wanted."""
        search = self.search
        known = search.kept(search.space.false)
        for ring in self.rings:
            known.set = known.set | ring.set
        try:
            found = leap(search, known)
            if found is None:
                return False
            again = [Monitor(monitor.prop, search) for monitor in monitors if not monitor.decided]
            search.relation.learn(found.reached)
            self._observe(found.reached, again)
            self._dead(found.reached, again)
        except Failed:
            return False
        undecided = [monitor for monitor in monitors if not monitor.decided]
        if any(_value(one) != _value(other) for one, other in zip(undecided, again)):
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
            dead = inside.set & ~self.search.relation.enabled()
            for monitor in asked:
                monitor.see_dead(dead)

    def _progress(self, states: Set, depth: int) -> None:
        """Counting takes its time, so it is done when somebody looks, or has set a limit."""
        if self.options.limits.states is not None or self.watch.due:
            self.watch.count(self.search.space.states(states), 0, depth)
        self.peak = max(self.peak, self.search.space.manager.approx_num_inner_nodes())

    def _locate_error(self, states: Kept) -> None:
        """The way to the nearest of the states in which the model failed."""
        self.rings = []
        for level in self.search.levels(lambda states: None):
            self.rings.append(level)
            here = level.set & states.set
            if here.satisfiable():
                self.error_trace = trace_to(self.search, self.rings, here)
                return

    # The report

    def _count(self) -> None:
        search = self.search
        states = search.reached.set & ~self._outside()
        expanded = states
        if not search.complete and self.rings:  # what was looked at last has no successors yet
            expanded = states & ~self.rings[-1].set
            self.depth = len(self.rings)
        steps = transitions(search, expanded)
        dead = search.space.states(states & ~search.relation.enabled()) if search.complete else 0
        if search.complete and not self.depth:
            self.notes.append("the depth is not counted, that would take longer than the search")
        if steps is None:
            self.notes.append("steps are not counted: that would take longer than the search")
        self.counts = Counts(
            distinct=search.space.states(states),
            generated=search.starts + (steps or 0),
            depth=self.depth,
            transitions=steps or 0,
            deadlocks=dead,
            evaluations=search.world.evaluations,
        )

    def _outside(self) -> Set:
        """The states that are known not to satisfy a constraint."""
        labels, found = self.search.labels, self.search.space.false
        for number in self.search.system.shape.constraints:
            reader = labels[number].reader
            found = found | (reader.spread(reader.known.set) & ~labels.true(number))
        return found

    def _result(self, prop: Property) -> Result:
        if isinstance(prop, OnGraph):
            return self._on_graph(prop)
        monitor = next(each for each in self.monitors if each.prop is prop)
        verdict, finding = monitor.verdict(self.search.complete), monitor.finding
        reason, trace, vacuous, missing = self.reason, None, None, None
        try:
            trace = self._witness(monitor)
        except interpreter.ReplayFailed as failed:
            verdict, reason, self.error = Verdict.UNKNOWN, "its trace could not be replayed", failed
        except (Stopped, MemoryError) as stopped:
            missing = f"there is no trace: {stopped if isinstance(stopped, Stopped) else self._too_large()}"
        if isinstance(prop, Sometimes) and trace is not None and not len(trace):
            vacuous = "true in an initial state"
        value = finding.value if finding is not None else None
        return self._make(prop, verdict, trace, value, vacuous, reason if verdict is Verdict.UNKNOWN else missing)

    def _on_graph(self, prop: OnGraph) -> Result:
        """What speaks of behaviours, or of all steps."""
        if not self.search.complete or self.reason is not None:
            return self._make(prop, Verdict.UNKNOWN, reason=self.reason or "not all states were seen")
        try:
            self.watch.look()
            finding = self._decide(prop)
        except (Stopped, Undecided, HomingError) as why:
            return self._make(prop, Verdict.UNKNOWN, reason=str(why))
        except Failed as failed:
            return self._make(prop, Verdict.UNKNOWN, reason=str(failed.error))
        except MemoryError:
            return self._make(prop, Verdict.UNKNOWN, reason=self._too_large())
        except RecursionError:
            return self._make(prop, Verdict.UNKNOWN, reason="the formula is nested too deeply")
        note = self._ends() if isinstance(prop, Temporal) and prop.stuttering == "never" else None
        return self._make(prop, finding.verdict, finding.trace, vacuous=finding.vacuous, reason=note)

    def _decide(self, prop: OnGraph) -> Finding:
        match prop:
            case Temporal():
                return self.decider.check(prop)
            case EveryStep():
                finding = every_step.check(prop, self.search, self.decider.arena("never"))
                self.decider = Decider(self.search)  # slots may have got more bits
                return finding
            case DivergenceFree():
                return divergence.check(prop, self.decider.arena("never"))
        raise Undecided(f"{type(prop).__name__} compares what is possible after each trace; {ELSEWHERE}")

    def _ends(self) -> str | None:
        """What there is to know where only infinite behaviours count, but some states have no successor."""
        ends = self.decider.arena("never").ends()
        if not ends.satisfiable():
            return None
        count = self.search.space.states(ends)
        return not_total(self.model.system.shape, self.search.world.state(ends), count)

    def _make(
        self,
        prop: Property,
        verdict: Verdict,
        trace: Trace | None = None,
        value: int | None = None,
        vacuous: str | None = None,
        reason: str | None = None,
    ) -> Result:
        self.watch.measure()
        return Result(
            model=self.model.name,
            property=prop.name,
            verdict=verdict,
            counts=self.counts,
            seconds=self.watch.seconds,
            memory_mb=self.watch.memory_mb,
            trace=trace,
            value=value,
            vacuous=vacuous,
            reason=reason,
        )

    def _witness(self, monitor: Monitor) -> Trace | None:
        """The trace to a finding; that its last state is what was claimed is checked without the engine."""
        finding, prop = monitor.finding, monitor.prop
        if finding is None:
            return None
        if finding.level is not None:
            trace = trace_to(self.search, self.rings[: finding.level + 1], finding.states.set)
        elif self.search.complete:
            trace = self._nearest(finding.states.set)
        else:
            trace = some(self.search, finding.states.set)
        system, last = self.model.system, trace.states[-1]
        match prop:
            case DeadlockFree():
                shown = next(iter(interpreter.successors(system, last)), None) is None
            case Always(labels=labels):
                shown = not all(interpreter.label(system, label, last) for label in labels)
            case Sometimes(label=label):
                shown = bool(interpreter.label(system, label, last))
            case _:
                shown = interpreter.label(system, prop.label, last) == finding.value
        if not shown:
            raise interpreter.ReplayFailed(f"the last state of the trace, {last}, does not decide '{prop.name}'")
        return trace


def _value(monitor: Monitor) -> tuple[bool, int | None]:
    return monitor.finding is not None, monitor.finding.value if monitor.finding else None


def _as_good(monitor: Monitor, other: Monitor) -> bool:
    """Whether it has found what the other has."""
    found, wanted = monitor.finding, other.finding
    return found is not None and wanted is not None and found.value == wanted.value
