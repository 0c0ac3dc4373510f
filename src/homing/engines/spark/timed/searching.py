"""Searches that begin in this process, as long as they are small, and go on in partitions."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from homing.core.errors import HomingError, ModelError, Place
from homing.core.result import Counts
from homing.core.stop import Stopped
from homing.engines.local.evaluator import Failed
from homing.engines.spark.folder import FAULTS, unusable
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.timed.exploring import Spread, advance, plain, restored
from homing.engines.spark.timed.handing import Handed
from homing.engines.spark.timed.looking import Look, Seen
from homing.engines.spark.timed.retracing import Retracing
from homing.engines.spark.timed.site import Site
from homing.engines.spark.timed.surveying import Survey, surveyed
from homing.engines.spark.timed.tasks import ARRIVING, FIRING, Failure, Job
from homing.engines.zones.paths import Run
from homing.engines.zones.planning import Plan
from homing.engines.zones.searching import Searching
from homing.engines.zones.symbolic import Failing, Symbolic
from homing.timed.system import Cell

SAVE_EVERY = 1.0
"""Seconds: what is written down grows with the number of levels, of which there may be thousands a second."""


class Spreading(Searching):
    """A search that is handed over to partitions once it has grown; from then on its states are called as they are
    everywhere."""

    job: Job
    site: Site
    machine: Machine
    spread: Spread | None = None

    def settle(self, site: Site, machine: Machine, plan: Plan, look: Look, beginning: object = None) -> None:
        """What a search needs to be spread; one that was before goes on from there."""
        self.site = site
        self.machine = machine
        self.job = site.job(plan, look, beginning)
        self.failed_at: int | None = None
        self._over = False
        self._read: list[str] = []
        self._saved = time.monotonic()
        document = site.manifest(self.job)
        if document is not None:
            try:
                self.spread, self._over = restored(document["spread"]), document["over"]
                self.recall(document["found"])
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                what = f"cannot be resumed from: it is of another version of Homing ({error})"
                raise HomingError(what, Place(site.folder.shown)) from None

    # What is found

    def known(self) -> frozenset[int]:
        """Questions that have been answered."""
        return frozenset()

    def merge(self, seen: Sequence[Seen]) -> None:
        """Takes in what partitions have found in a level."""
        raise NotImplementedError

    def rename(self, called: Array) -> None:
        """From now on states have other names."""
        raise NotImplementedError

    def found(self) -> dict[str, Any]:
        """What was found, as JSON."""
        raise NotImplementedError

    def recall(self, found: dict[str, Any]) -> None:
        """Takes over what was found before."""
        raise NotImplementedError

    # Levels

    def explore(self, begin: Callable[[], Array]) -> None:
        try:
            if self.spread is None:
                self.explore_here(begin)
            if self.spread is not None and not self._over:
                self._explore_there(self.spread)
        except (Stopped, *FAULTS) as error:
            self.reason = why(error)

    def explore_here(self, begin: Callable[[], Array]) -> None:
        """Goes from wave to wave in this process until there are too many states."""
        symbolic, waves = self.symbolic, [0]
        for wave in symbolic.waves(begin()):
            self.depth += 1
            self.see(wave)
            if self.is_decided:
                return
            states = int(symbolic.states.size[0])
            self.watch.count(states, len(wave), self.depth)
            if states >= self.site.options.distribution.small or symbolic.used > self.site.memory:
                self._hand_over(waves)
                return
            waves.append(states)

    def _hand_over(self, waves: list[int]) -> None:
        site = self.site
        bits = site.bits(int(self.symbolic.states.size[0]))
        handed = Handed(self.machine, self.symbolic, np.array(waves), bits, self.job.name, site.folder)
        self.rename(handed.called)
        self.spread = handed.spread
        self.symbolic = self._fresh()
        self.save()

    def _fresh(self) -> Symbolic:
        return self.job.plan.retracing.symbolic(self.machine.system, search=self.machine.search)  # type: ignore[arg-type]

    def _explore_there(self, spread: Spread) -> None:
        try:
            self._levels(spread)
        except Stopped:
            self.save()
            raise
        self._over = True
        self.save()

    def _levels(self, spread: Spread) -> None:
        while not self.is_decided:
            todo = spread.assignments(self.known())
            if not todo:
                break
            outcomes, failure = advance(self.job, self.site.rounds, spread, todo)
            if not outcomes:  # there was no room
                self.site.check()
                continue
            if failure is None or failure.phase != ARRIVING:
                self.merge([outcome.seen for outcome in outcomes])
            if failure is not None and not (self.is_decided and failure.phase == FIRING):
                self._fail(failure, self.job.look.labels)
            self._read += [name for one in todo for name in one.inbox]
            if time.monotonic() - self._saved >= SAVE_EVERY:
                self.save()
            self.site.told(spread, outcomes)

    def save(self) -> None:
        """Writes down where it stands: from now on it goes on from here."""
        assert self.spread is not None
        document = {"spread": plain(self.spread), "over": self._over, "found": self.found()}
        self.site.save(self.job, document, self._read)
        self._read, self._saved = [], time.monotonic()

    # What comes of it

    @property
    def counts(self) -> Counts:
        return super().counts if self.spread is None else self.spread.counts

    def retracing(self) -> Retracing:
        """Where its states are written down."""
        assert self.spread is not None
        return Retracing(self.machine, self.job.plan, self.spread, self.site.folder)

    def run_to(self, state: int) -> tuple[int, Run]:
        return super().run_to(state) if self.spread is None else self.retracing().run_to(state)

    def survey(self, ask: Survey, labels: tuple[int, ...]) -> tuple[list[Any], dict[int, str]]:
        """Asks something about all states, for which these labels are looked at; the answers, and what was sent."""
        assert self.spread is not None
        try:
            answers, inboxes = surveyed(self.job, self.site, self.spread, ask)
        except (Stopped, *FAULTS) as error:
            self.reason = why(error)
            raise Stopped(self.reason) from None
        for answer in answers:
            if isinstance(answer, Failure):
                self._fail(answer, labels)
        return answers, inboxes

    def _fail(self, failure: Failure, labels: tuple[int, ...]) -> None:
        """Has the model fail here as it did elsewhere, since here the places in its text are known."""
        self.failed_at = failure.at
        symbolic = self.symbolic = self._fresh()
        if failure.phase == FIRING:
            assert failure.at is not None
            retracing = self.retracing()
            symbolic = self.symbolic = retracing.symbolic
            number = retracing.enter(failure.at)
            symbolic.discrete.prepare(symbolic.states.discrete[[number]])
            for _ in symbolic.firing(np.array([number])):
                pass
            raise AssertionError("the model failed elsewhere, but not here")
        assert failure.state is not None
        assert failure.error is not None
        numbers = symbolic.discrete.numbers([failure.state])
        symbolic.discrete.prepare(numbers)
        for label in labels:
            symbolic.discrete.values(label, numbers)
        raise Failed(failure.error, failure.state)

    def failure(self, failed: Failed | Failing) -> tuple[HomingError, Run | None, Cell | None]:
        if self.spread is None:
            return super().failure(failed)
        run = None if self.failed_at is None else self.run_to(self.failed_at)[1]
        if isinstance(failed, Failed):
            return failed.error, run, None
        action = self.symbolic.discrete.actions[int(self.symbolic.discrete.edges.action[failed.edge])]
        return ModelError(action.failure), run, Cell(action.guard)


def why(error: Exception | Stopped) -> str:
    """Why a search ends early."""
    return str(error) if isinstance(error, Stopped) else unusable(error)
