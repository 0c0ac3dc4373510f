"""Checks the properties of a model on Spark: partitions of its states, round by round."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from homing.core import interpreter
from homing.core.errors import HomingError, Place
from homing.core.graph import Graph
from homing.core.model import Model
from homing.core.property import Extreme, OnGraph, Sometimes
from homing.core.result import Counts, Decider, Exploration, Options, Report, Result
from homing.core.stop import Stopped
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.local.monitors import Finding, Monitor, decides
from homing.engines.local.watch import Watch
from homing.engines.spark.closing import Failure
from homing.engines.spark.exploring import Explorer, Run
from homing.engines.spark.folder import FAULTS, unusable
from homing.engines.spark.kernels import NEVER
from homing.engines.spark.machine import Machine
from homing.engines.spark.memory import most_edges, within
from homing.engines.spark.preparing import Prepared, finished, growing, prepare
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.traces import Past
from homing.engines.spark.work import Outcome

Runner = Callable[[Prepared], Rounds]


def check(model: Model, options: Options, runner: Runner | None = None) -> Exploration:
    """The verdicts on the safety properties of a model, and its graph if others need it."""
    return Check(model, options, runner).run()


class Check:
    """One run over the states of a model."""

    def __init__(self, model: Model, options: Options, runner: Runner | None = None) -> None:
        self.model = model
        self.options = options
        # Memory is what partitions are split for; it stops nothing.
        limits = replace(options.limits, memory_mb=None)
        self.watch = Watch(model.name, limits, options.show, options.interrupted)
        self.monitors = [Monitor(prop) for prop in model.properties if not isinstance(prop, OnGraph)]
        self.wants_graph = any(isinstance(prop, OnGraph) for prop in model.properties)
        self.prepared = prepare(model, options, self.watch)
        self.rounds = self._growing() if runner is None else runner(self.prepared)
        self.reason: str | None = None
        self.error: HomingError | None = None
        self.error_trace: Trace | None = None
        self._began = time.monotonic()

    def run(self) -> Exploration:
        """Goes from round to round until all is decided, all is seen, or a limit is reached."""
        lock, folder = self.prepared.lock, self.prepared.job.folder
        try:
            found = self._run()
        except FAULTS as error:
            lock.release()
            raise HomingError(unusable(error), Place(folder.shown)) from None
        except BaseException:
            lock.release()
            raise
        if self._goes_on:
            lock.release()
        return found

    def _run(self) -> Exploration:
        prepared = self.prepared
        explorer = Explorer(prepared.job, self.rounds, prepared.run, prepared.constrained, self._told)
        exhaustive = self._explore(explorer)
        self.watch.disarm()
        report = self._report(explorer, exhaustive)
        graph, decider = self._graph(explorer.run) if exhaustive and self.wants_graph else (None, None)
        # Graph and traces are read from the folder as long as they are needed; what was stopped stays.
        done = partial(finished, prepared.job.folder, prepared.lock) if not self._goes_on else lambda: None
        return Exploration(report, self._counts(explorer), self.reason, graph, decider=decider, done=done)

    @property
    def _goes_on(self) -> bool:
        """Whether there is something to go on with; a model that failed has to be changed first."""
        return self.reason is not None and self.error is None

    def _graph(self, run: Run) -> tuple[Graph | None, Decider | None]:
        """The graph, if one memory can hold it, else what decides properties of it piece by piece."""
        from homing.engines.spark import graph as pieces

        def decider(tracing: bool = True, stopped: Callable[[], str | None] = self._stopped) -> pieces.Decider:
            prepared = self.prepared
            most = most_edges(self.options, prepared.job.memory)
            enough = within(self.options, stopped)
            return pieces.Decider(prepared.job, self.rounds, run, prepared.machine, enough, self._say, tracing, most)

        try:
            found = decider()
            return (found.graph(), None) if found.is_small else (None, decider)
        except Stopped as stopped:
            self.reason = str(stopped)
        except FAULTS as error:
            self.reason = unusable(error)
        return None, None

    def _growing(self) -> Rounds:
        return growing(self.prepared.job.folder, self.options, self._stopped, self._note)

    def _note(self, what: str) -> None:
        self.options.show(self.watch.progress(what))

    def _say(self, what: str) -> None:
        self.options.show(self.watch.progress(detail=what))

    def _explore(self, explorer: Explorer) -> bool:
        """True when every reachable state was seen."""
        try:
            if not self.prepared.resumed:
                explorer.begin(self.prepared.machine)
            while explorer.advance():
                pass
            explorer.finish()
        except Stopped as stopped:
            self.reason = str(stopped)
            return False
        except FAULTS as error:
            self.reason = unusable(error)
            return False
        run = explorer.run
        if run.failure is not None and explorer.end == run.failure.depth and not self._decided_before(run.failure, run):
            self._fail(run.failure, run)
            return False
        return explorer.end == NEVER

    def _decided_before(self, failure: Failure, run: Run) -> bool:
        """Whether a breadth-first search would have ended before it came to the failure."""
        job = self.prepared.job
        if not job.stopping or any(finding is None for finding in run.findings):
            return False
        if any(isinstance(prop, Extreme) for prop in job.properties):  # only the best so far: decided by all states
            return False
        last = max((finding.level for finding in run.findings if finding is not None), default=NEVER)
        return last < failure.depth or (last == failure.depth and not failure.observing)

    def _fail(self, failure: Failure, run: Run) -> None:
        self.reason = "the model failed"
        self.error = self._as_here(failure)
        self.error_trace = self._past(run).trace_to(failure.state, failure.depth)

    def _as_here(self, failure: Failure) -> HomingError:
        """The error with the places that the user knows: workers have the files elsewhere."""
        system = self.model.system
        try:
            if failure.observing:
                for label in range(len(system.shape.labels)):
                    interpreter.label(system, label, failure.state)
            else:
                list(interpreter.successors(system, failure.state))
        except HomingError as error:
            return error
        return failure.error

    # While it goes on

    def _stopped(self) -> str | None:
        """Why to break a round off."""
        return "interrupted" if self.options.interrupted() else self.watch.limits.overdue()

    def _told(self, run: Run, outcomes: Sequence[Outcome]) -> None:
        totals = run.totals
        totals.seconds += time.monotonic() - self._began
        self._began = time.monotonic()
        watch = self.watch
        watch.states, watch.depth = run.states, len(run.by_depth(0))
        waiting = sum(part.states for part in run.parts.values() if part.waiting != NEVER)
        self._say(totals.told(outcomes, run.partitions))
        watch.count(run.states, waiting, watch.depth)
        reason = self._stopped()
        if reason is not None:
            raise Stopped(reason)

    # The report

    def _report(self, explorer: Explorer, exhaustive: bool) -> Report:
        run = explorer.run
        results = tuple(
            self._result(monitor, finding, explorer, exhaustive)
            for monitor, finding in zip(self.monitors, run.findings or [None] * len(self.monitors), strict=True)
        )
        kept = self.prepared.job.folder.shown if self._goes_on else None
        return Report(self.model.name, results, self.error, self.error_trace, kept, self._measures(run))

    def _result(self, monitor: Monitor, finding: Finding | None, explorer: Explorer, exhaustive: bool) -> Result:
        run = explorer.run
        # A finding below what a failure or a limit cut off may not be the nearest, but it is one.
        monitor.finding = finding if finding is None or finding.level <= explorer.end else None
        verdict, reason, trace, vacuous = monitor.verdict(exhaustive), self.reason, None, None
        if monitor.finding is not None:
            try:
                trace = self._witness(monitor, run)
            except interpreter.ReplayFailed as failed:
                verdict, reason = Verdict.UNKNOWN, "its trace could not be replayed"
                self.error = failed.under(self.model.system.shape)
            if isinstance(monitor.prop, Sometimes) and monitor.finding.level == 0:
                vacuous = "true in an initial state"
        self.watch.measure()
        return Result(
            model=self.model.name,
            property=monitor.prop.name,
            verdict=verdict,
            counts=self._counts(explorer),
            seconds=self.watch.seconds,
            memory_mb=self.watch.memory_mb,
            trace=trace,
            value=monitor.finding.value if monitor.finding is not None else None,
            vacuous=vacuous,
            reason=reason if verdict is Verdict.UNKNOWN else None,
        )

    def _witness(self, monitor: Monitor, run: Run) -> Trace:
        assert monitor.finding is not None
        trace = self._past(run).trace_to(monitor.finding.state, monitor.finding.level)
        last, prop = trace.states[-1], monitor.prop
        if not decides(self.model.system, prop, monitor.finding, last):
            raise interpreter.ReplayFailed(f"the last state of the trace, {last}, does not decide '{prop.name}'")
        return trace

    def _past(self, run: Run) -> Past:
        return Past(self._driver, run, self.prepared.job.folder)

    @property
    def _driver(self) -> Machine:
        return self.prepared.machine

    def _counts(self, explorer: Explorer) -> Counts:
        """What a breadth-first search would have counted, had it ended where this one did."""
        run, end = explorer.run, explorer.end
        last = end if end != NEVER else None
        states, outside = run.by_depth(0), run.by_depth(1)
        size = max(len(states), len(outside))
        inside = np.zeros(size, np.int64)
        inside[: len(states)] += states
        inside[: len(outside)] -= outside
        inside = inside[: None if last is None else last + 1]
        transitions = int(run.by_depth(2)[:last].sum())
        found = np.flatnonzero(inside)
        return Counts(
            distinct=int(inside.sum()),
            generated=run.totals.initial + transitions,
            depth=int(found[-1]) + 1 if len(found) else 0,
            transitions=transitions,
            deadlocks=int(run.by_depth(3)[:last].sum()),
            evaluations=run.totals.evaluations,
        )

    def _measures(self, run: Run) -> dict[str, object]:
        owning = [str(self.model.system.shape.slots[slot]) for slot in self.prepared.job.owning]
        sizes = [part.states for part in run.parts.values()]
        return {"engine": "spark", "partitioned_by": owning, **run.totals.measures(sizes, run.partitions)}
