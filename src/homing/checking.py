"""Checks a model: an engine explores and decides safety, the rest is decided on the graph, and all is one report."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from homing import engines
from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.property import OnGraph, Property
from homing.core.result import Distribution, Exploration, GraphChecker, Options, Progress, Report, Result
from homing.core.stop import Stopped
from homing.core.system import Shape
from homing.core.temporal import EveryStep, Refines, Temporal
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.memory import resident_mb
from homing.properties.ends import not_total
from homing.storage.uri import below
from homing.timed import is_timed


def check(model: Model, engine: str = "local", options: Options | None = None, *, unsound: bool = False) -> Report:
    """One result a property, in their order; bad formulas raise HomingError before anything is explored.

    What speaks of behaviours is UNKNOWN under a symmetry or a view; `unsound` has it checked all the same, and the
    result says so.
    """
    options = options or Options()
    options = replace(options, limits=options.limits.started())
    begun = time.monotonic()
    shape = model.system.shape
    properties = tuple(_resolved(prop, shape) for prop in model.properties)
    refusal = None if unsound or is_timed(model.system) else _unsoundness(shape)
    explored = tuple(prop for prop in properties if refusal is None or not _is_of_behaviours(prop))
    exploration = engines.check(replace(model, properties=explored), engine, options)
    try:
        on_graph = any(isinstance(prop, OnGraph) for prop in properties)
        reported = (exploration.complete and not exploration.left) or not on_graph
        if explored == properties and not unsound and reported:
            return _told(exploration.report, model)
        judge = _Judge(model, engine, options, exploration, begun, unsound)
        results = tuple(judge.results(properties, refusal, _unsoundness(shape) if unsound else None))
        return _told(replace(exploration.report, results=results), model)
    finally:
        exploration.done()


def _told(report: Report, model: Model) -> Report:
    """The report with what the model tells: its seed, and choices of its language that a verdict may depend on."""
    report = _seeded(report, model)
    if not model.notes:
        return report
    notes = [(result, model.notes.get(result.property)) for result in report.results]
    results = [
        replace(result, reason="; ".join(filter(None, (result.reason, note)))) if note else result
        for result, note in notes
    ]
    return replace(report, results=tuple(results))


def _seeded(report: Report, model: Model) -> Report:
    """Tells the seed, where the model draws at random: with another one it is another model."""
    if model.seed is None:
        return report
    notes = (*report.engine.get("notes", ()), f"the model draws at random, with --seed {model.seed}")
    return replace(report, engine={**report.engine, "seed": model.seed, "notes": notes})


def _resolved(prop: Property, shape: Shape) -> Property:
    try:
        return prop.resolved(shape) if isinstance(prop, Temporal) else prop
    except RecursionError:
        raise HomingError(f"the formula of '{prop.name}' is nested too deeply") from None


def _unsoundness(shape: Shape) -> str | None:
    """Why properties of the whole graph cannot be trusted on the graph that an engine builds of this system."""
    if shape.symmetry:
        return "symmetry merges states whose futures differ by name, so a property of behaviours would be unsound"
    if shape.hidden:
        return "the view merges states whose futures may differ, so a property of behaviours would be unsound"
    return None


def _is_of_behaviours(prop: Property) -> bool:
    """Whether it needs the whole graph; a condition on steps is decided on the steps that real states have."""
    return isinstance(prop, OnGraph) and not isinstance(prop, EveryStep)


def _note(doubt: str) -> str:
    return f"unsound: {doubt}; there is no trace"


def _doubted(result: Result, doubt: str) -> Result:
    return replace(result, trace=None, reason=result.reason or _note(doubt))


@dataclass(frozen=True)
class _Specified:
    """Builds the specification that a property of a model names."""

    build: Callable[[], Model]
    name: str

    def __call__(self) -> Model:
        model = self.build()
        for prop in model.properties:
            if isinstance(prop, Refines) and prop.name == self.name:
                return replace(model, system=prop.specification)
        raise AssertionError(f"'{self.name}' is no refinement of {model.name}")


class _Judge:
    """Decides what the engine left open."""

    def __init__(
        self, model: Model, engine: str, options: Options, found: Exploration, begun: float, unsound: bool
    ) -> None:
        self.unsound = unsound
        self.model = model
        self.engine = engine
        self.options = options
        self.found = found
        self.begun = begun
        self._made: dict[bool, GraphChecker] = {}
        self._memory = max((result.memory_mb for result in found.report.results), default=0.0)
        self._asked = 0.0

    def results(self, properties: Iterable[Property], refusal: str | None, doubt: str | None) -> Iterator[Result]:
        """All results; those of the engine come in the order of its properties."""
        decided = iter(self.found.report.results)
        for prop in properties:
            if isinstance(prop, OnGraph) and refusal is not None and _is_of_behaviours(prop):
                yield self._unknown(prop, f"{refusal}; --unsound has it checked all the same")
            elif not isinstance(prop, OnGraph) or (self.found.complete and prop not in self.found.left):
                result = next(decided)
                yield _doubted(result, doubt) if doubt is not None and _is_of_behaviours(prop) else result
            else:
                yield self._result(prop, doubt if _is_of_behaviours(prop) else None)

    def _result(self, prop: OnGraph, doubt: str | None) -> Result:
        if prop in self.found.kept:
            return self._make(prop, Verdict.HOLDS, None, None, None)
        reason = self._stopped()
        if (self.found.graph is None and self.found.decider is None) or reason is not None:
            return self._unknown(prop, reason or self.found.reason or "not all states were seen")
        self._show()
        specification = None
        if isinstance(prop, Refines):
            merged = _unsoundness(prop.specification.shape)
            if merged is not None and not self.unsound:
                return self._unknown(prop, f"its specification: {merged}; --unsound has it checked all the same")
            doubt = doubt or merged
            explored = self._specification(prop)
            explored.done()  # what is asked of its graph is in memory
            if explored.graph is None:
                why = explored.report.error or explored.reason or "not all states were seen"
                if explored.decider is not None:
                    why = f"its {explored.counts.transitions:,} steps are too many for one memory, which it must be in"
                return self._unknown(prop, f"its specification: {why}")
            specification = explored.graph
        try:
            finding = self._checker(doubt is None).check(prop, specification)
        except Stopped as stopped:
            return self._unknown(prop, str(stopped))
        except MemoryError:
            return self._unknown(prop, "the memory was not enough")
        except RecursionError:
            return self._unknown(prop, "the formula is nested too deeply")
        except HomingError as error:  # too large, or a trace that could not be replayed
            return self._unknown(prop, str(error))
        note = self._ends(prop) if doubt is None else _note(doubt)
        return self._make(prop, finding.verdict, finding.trace, finding.vacuous, note)

    def _ends(self, prop: OnGraph) -> str | None:
        """What there is to know where only infinite behaviours count, but some states have no successor."""
        graph, deadlocks = self.found.graph, self.found.counts.deadlocks
        if not (isinstance(prop, Temporal) and prop.stuttering == "never" and deadlocks and graph is not None):
            return None
        return not_total(self.model.system.shape, graph.state(int(graph.ends[0])), deadlocks)

    def _checker(self, tracing: bool) -> GraphChecker:
        if tracing not in self._made and self.found.decider is not None:
            self._made[tracing] = self.found.decider(tracing, self._stopped)
        if tracing not in self._made:
            # Compiled code takes a while to load, so it is imported when it is used.
            from homing.properties.checker import Checker

            assert self.found.graph is not None
            self._made[tracing] = Checker(self.model.system, self.found.graph, tracing, self._stopped)
        return self._made[tracing]

    def _specification(self, prop: Refines) -> Exploration:
        portable = self.model.portable
        wanted = Model(
            f"{self.model.name}: specification",
            prop.specification,
            (OnGraph("graph"),),
            portable=None if portable is None else lambda: _Specified(portable(), prop.name),
        )
        # It is normalised in one memory, and what is kept of the system stays where it is.
        spread = self.options.distribution
        folder = None if spread.folder is None else below(spread.folder, "specification")
        spread = replace(spread, folder=folder, most_edges=max(spread.most_edges, Distribution.most_edges))
        options = replace(self.options, checkpoint=None, resume=False, restart=True, distribution=spread)
        return engines.check(wanted, self.engine, options)

    def _stopped(self) -> str | None:
        """Why not to go on with the next property."""
        return "interrupted" if self.options.interrupted() else self.options.limits.overdue()

    def _show(self) -> None:
        counts, seconds = self.found.counts, time.monotonic() - self.begun
        speed = counts.distinct / max(seconds, 1e-9)
        self.options.show(Progress(self.model.name, counts.distinct, speed, 0, counts.depth, self._memory, seconds))

    def _unknown(self, prop: OnGraph, reason: str) -> Result:
        return self._make(prop, Verdict.UNKNOWN, None, None, reason)

    def _make(
        self, prop: OnGraph, verdict: Verdict, trace: Trace | None, vacuous: str | None, reason: str | None
    ) -> Result:
        return Result(
            model=self.model.name,
            property=prop.name,
            verdict=verdict,
            counts=self.found.counts,
            seconds=time.monotonic() - self.begun,
            memory_mb=self._measured(),
            trace=trace,
            vacuous=vacuous,
            reason=reason,
        )

    def _measured(self) -> float:
        """The most memory seen; asking takes longer than deciding a small formula, of which there may be thousands."""
        if time.monotonic() - self._asked < 0.1:
            return self._memory
        self._asked = time.monotonic()
        self._memory = max(self._memory, resident_mb())
        return self._memory
