"""What the searches for the properties of one model share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from homing.core.errors import HomingError
from homing.core.interpreter import ReplayFailed
from homing.core.model import Model
from homing.core.result import Counts, Options
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.local.evaluator import Failed
from homing.engines.local.watch import Watch
from homing.engines.zones.paths import Run
from homing.engines.zones.planning import Plan
from homing.engines.zones.reaching import Extent, Question, Reaching
from homing.engines.zones.searching import Searching
from homing.engines.zones.staying import Beginning, Staying
from homing.engines.zones.symbolic import Failing
from homing.engines.zones.ticking import Ticking
from homing.engines.zones.timing import Abstraction, Constants
from homing.engines.zones.witness import Witnesses
from homing.timed.system import NEVER, Cell, TimedSystem

T = TypeVar("T")


class Ended(Exception):
    """The model failed: nothing more can be found out about it."""


@dataclass
class Finding:
    """What is known of a property so far."""

    verdict: Verdict = Verdict.UNKNOWN
    trace: Trace | None = None
    value: int | None = None
    vacuous: str | None = None
    reason: str | None = None
    counts: Counts = field(default_factory=Counts)
    seconds: float = 0.0
    """Since the start, when it was decided."""


class Session:
    """One model, its limits, and what went wrong with it."""

    def __init__(self, model: Model, system: TimedSystem, options: Options, abstraction: Abstraction) -> None:
        self.model = model
        self.system = system
        self.watch = Watch(model.name, options.limits, options.show, options.interrupted)
        self.witnesses = Witnesses(system)
        self.error: HomingError | None = None
        self.error_trace: Trace | None = None
        self._abstraction = abstraction

    def plan(
        self,
        labels: Iterable[int],
        *,
        classic: bool = True,
        ticking: bool = False,
        within: int | None = None,
        recording: bool = False,
        least: Constants | None = None,
    ) -> Plan:
        """A plan for a search for which the conditions with these labels matter.

        It is `classic` where more is asked than what can be reached; `recording` where runs matter. Where an action is
        blocked by a guard of another, that guard is as good as negated, so that both constants of a clock count.
        """
        system: TimedSystem = Ticking(self.system) if ticking else self.system
        lower = upper = (NEVER,) * (len(system.clocks) + 1)
        bounds = [system.constants(label) for label in labels]
        if least is not None:
            bounds.append((least.lower, least.upper))
        for below, above in bounds:
            lower, upper = tuple(map(max, lower, below)), tuple(map(max, upper, above))
        wish = self._abstraction
        extrapolation = (
            "m" if wish.extrapolation == "lu" and (classic or system.diagonals or system.ranked) else wish.extrapolation
        )
        abstraction = Abstraction(extrapolation, wish.inclusion and not recording, wish.forgetful)
        return Plan(Constants(lower, upper), abstraction, within, classic, recording, ticking)

    def reaching(self, plan: Plan, questions: Sequence[Question], extents: Sequence[Extent] = ()) -> Reaching:
        """A search for what can be reached."""
        symbolic = plan.symbolic(plan.of(self.system), self.watch.tick)
        return Reaching(symbolic, self.watch, questions, extents)

    def staying(self, plan: Plan, beginning: Beginning | None) -> Staying:
        """A search for runs on which a condition always holds."""
        return Staying(plan.symbolic(plan.of(self.system), self.watch.tick), self.watch, beginning)

    def guarded(self, search: Searching, go: Callable[[], T], *, traceable: bool = True) -> T:
        """What going on with a search returns; where the model fails, notes how and raises Ended."""
        try:
            return go()
        except (Failed, Failing) as failed:
            self.error, run, goal = search.failure(failed)
        if run is not None and traceable:
            try:
                self.error_trace = self.witnesses.trace(run, () if goal is None else (goal,))
            except ReplayFailed:
                self.error_trace = None  # the error itself is what matters
        raise Ended

    def show(
        self,
        finding: Finding,
        run: Run,
        goals: Sequence[Cell] = (),
        within: int | None = None,
        notes: tuple[str, ...] = (),
    ) -> None:
        """Adds the trace of a run to the first of the goals that it can end in; a run that the plain interpreter does
        not find makes the verdict UNKNOWN."""
        try:
            finding.trace = self.witnesses.trace(run, goals, within, notes)
        except ReplayFailed as failed:
            finding.verdict, finding.reason, finding.vacuous = Verdict.UNKNOWN, "its trace could not be replayed", None
            self.error = failed
