"""Checks the properties of a model on sets of states."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from homing.core import interpreter
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.property import Always, DeadlockFree, OnGraph, Property, Sometimes
from homing.core.result import Counts, Exploration, Options, Report, Result
from homing.core.stop import Stopped
from homing.core.temporal import DivergenceFree, EveryStep, Temporal
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.local.watch import Watch
from homing.engines.symbolic import divergence, every_step
from homing.engines.symbolic.counting import transitions
from homing.engines.symbolic.exploring import Explorer
from homing.engines.symbolic.listing import LISTED, Listed, compares_traces, listed
from homing.engines.symbolic.safety import Monitor
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.temporal import Decider, Finding
from homing.engines.symbolic.traces import nearest, trace_to
from homing.engines.symbolic.tuning import Tuning, chosen, clear_up
from homing.engines.symbolic.world import Failed
from homing.properties.ends import not_total

SYMMETRY = "symmetry is not used, since a property speaks of behaviours: all states are counted"


def check(model: Model, options: Options, tuning: Tuning | None = None) -> Exploration:
    """The verdicts on all properties of a model."""
    found = Check(model, options, tuning or chosen()).run()
    clear_up(int(found.report.engine["peak_nodes"]))
    return found


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
        self.notes: list[str] = []
        self.search = self._search()
        self.explorer = Explorer(self.search, model.properties, self.watch, options.limits.states is not None)
        self.decider = Decider(self.search)

    def _search(self) -> Search:
        nodes, cache = self.tuning.room(self.options.limits.memory_mb, self.watch.memory_mb)
        system, threads = self.model.system, self.options.threads or 1
        symmetric = bool(system.shape.symmetry) and not any(map(_of_behaviours, self.model.properties))
        if system.shape.symmetry and not symmetric:
            self.notes.append(SYMMETRY)
        search = Search(system, nodes, cache, threads, self.tuning, symmetric)
        search.space.watched = self.watch.tick
        return search

    def run(self) -> Exploration:
        """Explores until all is decided, all is seen, or a limit is reached; then judges what is left."""
        self._guarded(self.explorer.explore)
        if self.reason is not None and self.error is None:
            self.error = self.explorer.failure  # how far away that is was not found out
        if self.search.complete and not self.explorer.breadth_first and self.reason is None:
            self._guarded(self.explorer.look_back)
        if self.reason is not None:
            self.watch.disarm()  # what was found is counted all the same
        self._guarded(self._count_states)
        self._guarded(self._count_steps)
        left = tuple(prop for prop in self.model.properties if isinstance(prop, OnGraph) and compares_traces(prop))
        results = tuple(self._result(prop) for prop in self.model.properties if not compares_traces(prop))
        graph = self._listed() if left else Listed()
        report = Report(self.model.name, results, self.error, self.error_trace, engine=self._measured())
        reason = self.reason or graph.reason
        return Exploration(report, self.counts, reason, graph.graph, complete=True, left=left)

    def _listed(self) -> Listed:
        if not self.search.complete or self.reason is not None:
            return Listed()
        found = listed(self.model, replace(self.options, limits=self.watch.limits), self.counts)
        if found.graph is not None:
            self.notes.append(LISTED)
        return found

    def _measured(self) -> dict[str, object]:
        """What the engine has to say of itself."""
        states, peak = self.search.reached.set.node_count(), self.search.space.peak
        chosen = "chaining" if self.tuning.strategy == "auto" else self.tuning.strategy
        strategy = "levels" if self.explorer.breadth_first else chosen
        sizes = f"decision diagrams: {states:,} nodes for the states, at most {peak:,} in all, by {strategy}"
        return {
            "engine": "symbolic",
            "strategy": strategy,
            "nodes": states,
            "peak_nodes": peak,
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
            self.reason, self.error = "the model failed", failed.error
            self.watch.disarm()
            states = self.search.kept(failed.states)
            with suppress(Stopped, MemoryError, Failed):
                self.error_trace = self.explorer.locate(states)

    def _too_large(self) -> str:
        """Says so, and makes room for what is left to do."""
        manager = self.search.space.manager
        size = manager.num_inner_nodes()
        manager.gc()
        return f"the memory was not enough for the decision diagrams, which have {size:,} nodes"

    # The report

    def _count_states(self) -> None:
        search, rings, depth = self.search, self.explorer.rings, self.explorer.depth
        if not search.complete and rings:
            depth = len(rings)
            # Which of those found last are outside the constraints was not asked yet.
            if self.reason is None and not search.inside(rings[-1]).satisfiable():
                depth -= 1
        if search.complete and not depth:
            self.notes.append("the depth is not counted, that would take longer than the search")
        elif not depth:
            self.notes.append("the depth is not counted, since states were not found breadth first")
        self.counts = Counts(
            distinct=search.space.states(search.reached.set & ~search.outside()),
            generated=search.starts,
            depth=depth,
            evaluations=search.world.evaluations,
        )

    def _count_steps(self) -> None:
        search, rings, known = self.search, self.explorer.rings, self.counts
        expanded = search.reached.set & ~search.outside()
        if not search.complete and rings:  # what was looked at last has no successors yet
            expanded = expanded & ~rings[-1].set
        try:
            steps = transitions(search, expanded)
        except (Stopped, MemoryError):  # what is decided stays so
            steps = None
        if steps is None:
            self.notes.append("steps are not counted: that would take longer than the search")
            return
        dead = search.space.states(search.relation.dead(expanded)) if search.complete or rings else 0
        self.counts = replace(known, generated=known.generated + steps, transitions=steps, deadlocks=dead)

    def _result(self, prop: Property) -> Result:
        if isinstance(prop, OnGraph):
            return self._on_graph(prop)
        monitor = next(each for each in self.explorer.monitors if each.prop is prop)
        verdict, finding = monitor.verdict(self.explorer.whole), monitor.finding
        reason, trace, vacuous, missing = self.reason, None, None, None
        try:
            trace = self._witness(monitor)
        except interpreter.ReplayFailed as failed:
            verdict, reason = Verdict.UNKNOWN, "its trace could not be replayed"
            self.error = failed.under(self.model.system.shape)
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
            note = self._ends() if isinstance(prop, Temporal) and prop.stuttering == "never" else None
        except (Stopped, HomingError) as why:
            return self._make(prop, Verdict.UNKNOWN, reason=str(why))
        except Failed as failed:
            return self._make(prop, Verdict.UNKNOWN, reason=str(failed.error))
        except MemoryError:
            return self._make(prop, Verdict.UNKNOWN, reason=self._too_large())
        except RecursionError:
            return self._make(prop, Verdict.UNKNOWN, reason="the formula is nested too deeply")
        return self._make(prop, finding.verdict, finding.trace, vacuous=finding.vacuous, reason=note)

    def _decide(self, prop: OnGraph) -> Finding:
        match prop:
            case Temporal():
                return self.decider.check(prop)
            case EveryStep():
                try:
                    return every_step.check(prop, self.search, self.decider.arena("never"))
                finally:
                    self.decider = Decider(self.search)  # slots may have got more bits
        assert isinstance(prop, DivergenceFree)
        return divergence.check(prop, self.decider.arena("never"))

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
            trace = trace_to(self.search, self.explorer.rings[: finding.level + 1], finding.states.set)
        else:
            trace = nearest(self.search, finding.states.set, self.explorer.bound)
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


def _of_behaviours(prop: Property) -> bool:
    """Whether it needs all states; a condition on steps does with those that stand for others."""
    return isinstance(prop, OnGraph) and not isinstance(prop, EveryStep)
