"""Checks the properties of a model by searching all of its states."""

from __future__ import annotations

import os
import time

import numpy as np

from homing.core import interpreter
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.property import DeadlockFree, OnGraph, Sometimes
from homing.core.result import Counts, Exploration, Options, Report, Result
from homing.core.stop import Stopped
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.local import checkpoint
from homing.engines.local.evaluator import Failed
from homing.engines.local.graph import build
from homing.engines.local.kernels import Array
from homing.engines.local.kernels.waiting import has_to_wait
from homing.engines.local.monitors import Monitor, Pick, decides
from homing.engines.local.restoring import Position
from homing.engines.local.search import DEFAULT, Search
from homing.engines.local.stepwise import Steps, followed
from homing.engines.local.traces import trace_to
from homing.engines.local.tuning import Tuning
from homing.engines.local.visited import Level
from homing.engines.local.watch import Watch


def check(model: Model, options: Options, tuning: Tuning = DEFAULT) -> Exploration:
    """The verdicts on the safety properties of a model, and its graph if others need it."""
    return Check(model, options, tuning).run()


def cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        return os.cpu_count() or 1


class Check:
    """One run over the states of a model."""

    def __init__(self, model: Model, options: Options, tuning: Tuning = DEFAULT) -> None:
        self.model = model
        self.options = options
        self.watch = Watch(model.name, options.limits, options.show, options.interrupted, self._saving)
        threads = options.threads or cores()
        self.search = Search(model.system, threads, self.watch.tick, tuning)
        self.monitors = [Monitor(prop) for prop in model.properties if not isinstance(prop, OnGraph)]
        self.steps = Steps(followed(model.properties), self.search)
        graphed = [prop for prop in model.properties if isinstance(prop, OnGraph)]
        self.wants_graph = len(graphed) > len(self.steps.kept)
        self.position = Position()
        self.reason: str | None = None
        self.error: HomingError | None = None
        self.error_trace: Trace | None = None
        self._saved = time.monotonic()
        self._resumed = self._told = False

    def run(self) -> Exploration:
        """Searches until all is decided, all is seen, or a limit is reached."""
        try:
            exhaustive = self._search()
            self.watch.disarm()
            report = self._report(exhaustive)
            graph = build(self.search) if exhaustive and (self.wants_graph or self.steps.broken) else None
        finally:
            self.search.pool.close()
        if self.reason is None and self.options.checkpoint is not None:
            checkpoint.remove(self.options.checkpoint)
        kept = self.steps.kept if exhaustive else ()
        return Exploration(report, self.counts, self.reason, graph, kept=kept)

    def _search(self) -> bool:
        """Explores; when that ends early, notes why and keeps what was found."""
        if has_to_wait():
            self.options.show(self.watch.progress("the search is compiled, once; this takes some seconds"))
        try:
            return self._explore()
        except Stopped as stopped:
            if not self._decided:
                self.reason = str(stopped)
                self._save()
        except MemoryError:
            self.reason = "no more memory could be had"
        except Failed as failed:
            self.reason = "the model failed"
            self.watch.disarm()
            self.error = failed.error
            self.error_trace = trace_to(self.search, failed.state, self.position.level)
        return False

    # The search

    def _explore(self) -> bool:
        """True when every reachable state was seen; False when nothing was left to decide before."""
        level = self._begin()
        while len(level):
            if not self.position.observed:
                self._observe(level)
            if self._decided:
                return False
            self._expand(level)
            level = self.search.visited.close_level()
            self.position = Position(self.position.level + 1)
        return True

    @property
    def _decided(self) -> bool:
        asks = self.wants_graph or self.steps.kept or self.steps.broken
        return not asks and all(monitor.decided for monitor in self.monitors)

    def _begin(self) -> Level:
        path = self.options.checkpoint
        if not (self.options.resume and path is not None and path.exists()):
            level = self.search.start()
            self.steps.begin(level)
            return level
        self.options.show(self.watch.progress(f"resuming from {path}"))
        self.position = checkpoint.load(path, self.model, self.search, self.monitors)
        self._resumed = True
        self.steps.forget()
        self.watch.resumed(len(self.search.visited))
        return next(self.search.visited.backwards(self.position.level))

    def _observe(self, level: Level) -> None:
        """Asks every label that matters about every state of a level."""
        labels = sorted({label for monitor in self.monitors if not monitor.decided for label in monitor.labels})
        constraints = self.search.system.shape.constraints
        asked = sorted({*labels, *constraints})
        outside = 0
        for rows, values in self.search.observed(level, asked):
            by_label = dict(zip(asked, values, strict=True))
            for monitor in self.monitors:
                monitor.see(self.position.level, by_label, self._picker(rows))
            if constraints:
                outside += int(np.any([by_label[label] == 0 for label in constraints], axis=0).sum())
            self.watch.tick()
        self.search.tally.outside += outside
        if outside < len(level):
            self.search.tally.depth = self.position.level + 1
        self.position.observed = True

    def _expand(self, level: Level) -> None:
        see = self.steps.see if self.steps.kept else None
        for done in self.search.expand(level, self.position.done, self._dead, see):
            self.position.done = done
            if self.options.checkpoint and time.monotonic() - self._saved > self.options.checkpoint_every:
                self._save()
            found = len(self.search.visited)
            waiting = found - int(level.high.sum()) + len(level) - done
            self.watch.count(found, waiting, self.position.level + 1)

    def _dead(self, rows: Array) -> None:
        for monitor in self.monitors:
            if isinstance(monitor.prop, DeadlockFree) and not monitor.decided:
                unless = () if monitor.prop.unless is None else (monitor.prop.unless,)
                rows, values = self.search.observe(rows, unless)
                excused = (values != 0).any(axis=0)
                monitor.see_dead(self.position.level, excused, self._picker(rows))

    def _picker(self, rows: Array) -> Pick:
        return lambda position: self.search.evaluator.state(rows[position])

    def _saving(self) -> float:
        """Seconds that a checkpoint is expected to take."""
        return 0.0 if self.options.checkpoint is None else checkpoint.cost(self.search)

    def _save(self) -> None:
        """Writes a checkpoint; a disk that is full costs the checkpoint, not the run."""
        if self.options.checkpoint is None or not self.search.visited.levels or self._keeps_larger():
            return
        try:
            checkpoint.save(self.options.checkpoint, self.model, self.search, self.position, self.monitors)
        except OSError as error:
            self.options.show(self.watch.progress(f"no checkpoint: {error}"))
        self._saved = time.monotonic()

    def _keeps_larger(self) -> bool:
        """Is there a checkpoint of a run that came further, which nobody asked to replace?"""
        path, mine = self.options.checkpoint, len(self.search.visited)
        if path is None or self.options.restart or self._resumed:
            return False
        found = checkpoint.kept(path)
        if found is None or found.identity != checkpoint.identity(self.model) or found.states <= mine:
            return False
        if not self._told:
            self._told = True
            what = f"the checkpoint with {found.states:,} states is kept, since this run has {mine:,} so far"
            self.options.show(self.watch.progress(f"{what}: --resume goes on from it, --restart replaces it"))
        return True

    # The report

    def _report(self, exhaustive: bool) -> Report:
        results = tuple(self._result(monitor, exhaustive) for monitor in self.monitors)
        path = self.options.checkpoint
        kept = str(path) if self.reason and path is not None and path.exists() else None
        return Report(self.model.name, results, self.error, self.error_trace, kept)

    def _result(self, monitor: Monitor, exhaustive: bool) -> Result:
        verdict, finding = monitor.verdict(exhaustive), monitor.finding
        reason, trace, vacuous = self.reason, None, None
        try:
            trace = self._witness(monitor) if finding is not None else None
        except interpreter.ReplayFailed as failed:
            verdict, reason = Verdict.UNKNOWN, "its trace could not be replayed"
            self.error = failed.under(self.model.system.shape)
        if isinstance(monitor.prop, Sometimes) and finding is not None and finding.level == 0:
            vacuous = "true in an initial state"
        self.watch.measure()
        return Result(
            model=self.model.name,
            property=monitor.prop.name,
            verdict=verdict,
            counts=self.counts,
            seconds=self.watch.seconds,
            memory_mb=self.watch.memory_mb,
            trace=trace,
            value=finding.value if finding is not None else None,
            vacuous=vacuous,
            reason=reason if verdict is Verdict.UNKNOWN else None,
        )

    @property
    def counts(self) -> Counts:
        """What was counted so far."""
        tally = self.search.tally
        return Counts(
            distinct=len(self.search.visited) - tally.outside,
            generated=tally.initial + tally.transitions,
            depth=tally.depth,
            transitions=tally.transitions,
            deadlocks=tally.deadlocks,
            evaluations=self.search.evaluator.evaluations,
        )

    def _witness(self, monitor: Monitor) -> Trace:
        """The trace to a finding; that its last state is what was claimed is checked without the engine."""
        assert monitor.finding is not None
        trace = trace_to(self.search, monitor.finding.state, monitor.finding.level)
        last, prop = trace.states[-1], monitor.prop
        if not decides(self.model.system, prop, monitor.finding, last):
            raise interpreter.ReplayFailed(f"the last state of the trace, {last}, does not decide '{prop.name}'")
        return trace
