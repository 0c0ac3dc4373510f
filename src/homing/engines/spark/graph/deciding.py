"""Decides properties of behaviours after an exploration: on small graphs in one memory, on others in pieces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

import numpy as np

from homing.core.errors import HomingError
from homing.core.formula import logic_of
from homing.core.graph import Graph
from homing.core.interpreter import ReplayFailed
from homing.core.property import OnGraph
from homing.core.stop import Stopped
from homing.core.temporal import Deterministic, DivergenceFree, EachEvent, EveryStep, Refines, Temporal, of_events
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.spark.exploring import Run
from homing.engines.spark.folder import FAULTS, unusable
from homing.engines.spark.graph import ctl, linear
from homing.engines.spark.graph.building import build
from homing.engines.spark.graph.catalog import Catalog
from homing.engines.spark.graph.collecting import collect
from homing.engines.spark.graph.cycles import exist, look
from homing.engines.spark.graph.every_step import Conditions
from homing.engines.spark.graph.hiding import events_of
from homing.engines.spark.graph.processes import Processes
from homing.engines.spark.graph.reasons import Reasons
from homing.engines.spark.graph.setting import MOST_NUMBERS, PART_BITS
from homing.engines.spark.graph.supersteps import Supersteps
from homing.engines.spark.graph.walking import Node, Walk, Walker
from homing.engines.spark.machine import Machine
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.work import Job
from homing.properties.checker import Checker
from homing.properties.finding import Finding
from homing.properties.normal import refuted

MOST_EDGES = 20_000_000
"""Of a graph that is put together in one memory, about 1 GB with what is decided on it."""


class Decider:
    """Decides one property after the other."""

    def __init__(
        self,
        job: Job,
        rounds: Rounds,
        run: Run,
        machine: Machine,
        stopped: Callable[[], str | None] = lambda: None,
        told: Callable[[str], None] = lambda text: None,
        tracing: bool = True,
        most: int = MOST_EDGES,
    ) -> None:
        self.job = job
        self.rounds = rounds
        self.run = run
        self.machine = machine
        self.system = machine.system
        self.stopped = stopped
        self.told = told
        self.tracing = tracing
        self.most = most
        self._ctl: ctl.Ctl | None = None

    # The graph

    @cached_property
    def catalog(self) -> Catalog:
        """Its pieces; they are made when they are first needed."""
        self.told("finding the edges")
        found = build(self.job, self.rounds, self.run)
        if found.states >= MOST_NUMBERS or found.partitions > 1 << PART_BITS:
            raise HomingError(f"the graph has {found.states:,} states in {found.partitions:,} partitions: too many")
        return found

    @property
    def edges(self) -> int:
        """How many there are."""
        return self.catalog.edges

    @property
    def is_small(self) -> bool:
        """Whether the graph is put together in one memory."""
        return self.edges <= self.most

    @cached_property
    def supersteps(self) -> Supersteps:
        return Supersteps(self.job, self.rounds, self.catalog, self.machine, self.stopped, self.told)

    @cached_property
    def _graph(self) -> Graph:
        self.told(f"putting {self.edges:,} edges together")
        return collect(self.catalog, lambda part: self.supersteps.piece(part, every=True))

    def graph(self) -> Graph:
        """The whole graph; raises HomingError where it is too large."""
        if not self.is_small:
            raise HomingError(f"the graph has {self.edges:,} edges, and {self.most:,} are the most in one memory")
        return self._graph

    # Properties

    def check(self, prop: OnGraph, specification: Graph | None = None) -> Finding:
        """The verdict on a property, with names resolved; a refinement needs the graph of its specification."""
        try:
            return self._checker.check(prop, specification) if self.is_small else self._check(prop, specification)
        except Stopped as stopped:
            raise HomingError(str(stopped)) from None
        except FAULTS as error:
            raise HomingError(unusable(error)) from None

    def _check(self, prop: OnGraph, specification: Graph | None) -> Finding:
        match prop:
            case Temporal():
                return self._check_temporal(prop)
            case EveryStep():
                return Conditions(self.supersteps, self.run, self.system).check(prop)
            case Refines() | Deterministic() | DivergenceFree():
                return self._check_process(prop, specification)
        raise HomingError(f"'{prop.name}' is a property that nobody here can decide: {type(prop).__name__}")

    @cached_property
    def _checker(self) -> Checker:
        return Checker(self.system, self._graph, self.tracing, self.stopped)

    def _check_temporal(self, prop: Temporal) -> Finding:
        if any(isinstance(entry, EachEvent) for entry in prop.fairness):
            events = events_of(self.supersteps, frozenset()).alphabet.values()
            prop = replace(prop, fairness=of_events(prop.fairness, events, len(self.system.shape.groups)))
        return self._check_ctl(prop) if logic_of(prop.formula) == "CTL" else self._check_ltl(prop)

    def _check_ltl(self, prop: Temporal) -> Finding:
        steps = self.supersteps
        looking = look if self.tracing else exist
        setting = linear.satisfiable(steps, ~prop.formula, prop.fairness, prop.stuttering, looking)
        if setting is None:
            finding = Finding(Verdict.HOLDS, None, linear.vacuous(steps, prop))
        else:
            walker = Walker(steps, setting)
            trace = self._shown(lambda: walker.trace(linear.lasso(steps, setting), self.system))
            finding = Finding(Verdict.VIOLATED, trace)
        for prefix in ("cycles", "reached", "dist", "inside", "every"):
            steps.forget(prefix)
        return finding

    def _check_ctl(self, prop: Temporal) -> Finding:
        known = self._ctl
        if known is None or (known.fairness, known.setting.stuttering) != (prop.fairness, prop.stuttering):
            self.supersteps.forget("truth")
            known = self._ctl = ctl.Ctl(self.supersteps, prop.stuttering, prop.fairness)
        truth, fair = known.states(prop.formula), known.fair
        first, holds = _first(truth, fair)
        empty = ctl.vacuous(known, prop) if holds else None
        trace = None
        if first is not None:
            trace = self._shown(lambda: self._reason(known, prop, first, holds))
            if holds and trace is not None and not (trace.moves or trace.branches or trace.loop is not None):
                trace = None
        for prefix in ("cycles", "dist", "inside"):
            self.supersteps.forget(prefix)
        return Finding(Verdict.HOLDS if holds else Verdict.VIOLATED, trace, empty)

    def _reason(self, known: ctl.Ctl, prop: Temporal, first: Node, holds: bool) -> Trace | None:
        found = Reasons(known).why(prop.formula if holds else refuted(prop.formula), first)
        if found is None and not holds:
            found = Walk(first)
        return None if found is None else Walker(self.supersteps, known.setting).trace(found, self.system)

    def _check_process(self, prop: OnGraph, specification: Graph | None) -> Finding:
        found = Processes(self.supersteps, self.run, self.system, self.stopped, self.tracing).check(prop, specification)
        trace = None if found.violation is None else self._shown(found.violation)
        for prefix in ("cycles", "dist", "inside", "every", "pairs", "numbers"):
            self.supersteps.forget(prefix)
        return Finding(Verdict.HOLDS if found.violation is None else Verdict.VIOLATED, trace, found.vacuous)

    def _shown(self, trace: Callable[[], Trace | None]) -> Trace | None:
        """A trace; where it would take too long to find, there is none."""
        if not self.tracing:
            return None
        try:
            return trace()
        except ReplayFailed:
            raise
        except HomingError as error:
            if self.stopped() is not None:
                raise
            self.told(str(error))
            return None


def _first(truth: ctl.Truth, fair: ctl.Truth) -> tuple[Node | None, bool]:
    """The initial state to speak of: the first that fails, or the first with a fair path; and whether none fails."""
    failing = [(part, np.flatnonzero(~values & fair.initial[part])) for part, values in sorted(truth.initial.items())]
    for part, found in failing:
        if len(found):
            return Node(part, int(found[0])), False
    for part, values in sorted(fair.initial.items()):
        if values.any():
            return Node(part, int(np.argmax(values))), True
    return None, True
