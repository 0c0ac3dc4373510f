"""What the searches for the properties of one model share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from homing.core.errors import HomingError, ModelError
from homing.core.interpreter import ReplayFailed
from homing.core.model import Model
from homing.core.result import Counts, Options
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.local.evaluator import Failed
from homing.engines.local.watch import Watch
from homing.engines.zones.paths import Run, run_to
from homing.engines.zones.symbolic import Failing, Symbolic
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

    def symbolic(
        self,
        labels: Iterable[int],
        *,
        classic: bool = True,
        system: TimedSystem | None = None,
        within: int | None = None,
        recording: bool = False,
        least: Constants | None = None,
    ) -> Symbolic:
        """A search for which the conditions with these labels matter.

        It is `classic` where more is asked than what can be reached; `recording` where runs matter. Where an action is
        blocked by a guard of another, that guard is as good as negated, so that both constants of a clock count.
        """
        system = system or self.system
        lower = upper = (NEVER,) * (len(system.clocks) + 1)
        bounds = [system.constants(label) for label in labels]
        if least is not None:
            bounds.append((least.lower, least.upper))
        for below, above in bounds:
            lower, upper = tuple(map(max, lower, below)), tuple(map(max, upper, above))
        wish, foresight = self._abstraction, classic
        extrapolation = (
            "m" if wish.extrapolation == "lu" and (classic or system.diagonals or system.ranked) else wish.extrapolation
        )
        abstraction = Abstraction(extrapolation, wish.inclusion and not recording, wish.forgetful)
        return Symbolic(system, Constants(lower, upper), abstraction, self.watch.tick, within, foresight, recording)

    def guarded(self, symbolic: Symbolic, search: Callable[[], T], *, traceable: bool = True) -> T:
        """What a search returns; where the model fails, notes how and raises Ended."""
        try:
            return search()
        except Failed as failed:
            self._fail(symbolic, failed.error, self._with(symbolic, failed) if traceable else None)
        except Failing as failing:
            action = symbolic.discrete.actions[int(symbolic.discrete.edges.action[failing.edge])]
            goal = Cell(action.guard)
            self._fail(symbolic, ModelError(action.failure), failing.state if traceable else None, goal)
        raise Ended

    def _with(self, symbolic: Symbolic, failed: Failed) -> int | None:
        """A symbolic state with the discrete state on which the model failed."""
        number = int(symbolic.discrete.numbers([failed.state])[0])
        found = np.flatnonzero(symbolic.states.discrete[: symbolic.states.size[0]] == number)
        return int(found[0]) if len(found) else None

    def _fail(self, symbolic: Symbolic, error: HomingError, state: int | None, goal: Cell | None = None) -> None:
        self.error = error
        if state is not None:
            try:
                self.error_trace = self.witnesses.trace(run_to(symbolic, state)[1], () if goal is None else (goal,))
            except ReplayFailed:
                self.error_trace = None  # the error itself is what matters

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
