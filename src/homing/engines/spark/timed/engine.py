"""Checks the properties of systems with clocks on Spark: as the search through zones does, but in partitions."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias, cast

from homing.core.errors import HomingError, Place
from homing.core.model import Model
from homing.core.result import Exploration, Options
from homing.engines.local.checkpoint import identity
from homing.engines.spark import ownership
from homing.engines.spark.exploring import MANIFEST
from homing.engines.spark.folder import FAULTS, Folder, unusable
from homing.engines.spark.memory import share
from homing.engines.spark.preparing import Site as Opened
from homing.engines.spark.preparing import finished, growing, opened, portable
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.timed.identity import MOST_BITS
from homing.engines.spark.timed.reaching import SpreadReaching
from homing.engines.spark.timed.site import Site
from homing.engines.spark.timed.staying import SpreadStaying
from homing.engines.zones.engine import checked
from homing.engines.zones.planning import Plan
from homing.engines.zones.reaching import Extent, Question, Reaching
from homing.engines.zones.session import Session
from homing.engines.zones.staying import Beginning, Staying
from homing.engines.zones.timing import Abstraction
from homing.timed.system import TimedSystem

Runner: TypeAlias = Callable[[Folder], Rounds]


def check(model: Model, options: Options, runner: Runner | None = None) -> Exploration:
    """The verdicts on all properties of a model with clocks."""
    session = SpreadSession(model, options, runner)
    folder, lock = session.site.folder, session.lock
    try:
        found = checked(session, options)
    except FAULTS as error:
        lock.release()
        raise HomingError(unusable(error), Place(folder.shown)) from None
    except BaseException:
        lock.release()
        raise
    stopped = session.is_stopped
    if stopped:
        lock.release()
    kept = folder.shown if stopped else None
    report = replace(found.report, checkpoint=kept, engine=session.site.measures())
    return replace(found, report=report, done=(lambda: None) if stopped else partial(finished, folder, lock))


class SpreadSession(Session):
    """One model, whose searches are spread once they have grown."""

    def __init__(self, model: Model, options: Options, runner: Runner | None) -> None:
        # Memory is what partitions are split for; it stops nothing.
        limits = replace(options.limits, memory_mb=None)
        super().__init__(model, cast(TimedSystem, model.system), replace(options, limits=limits), Abstraction())
        self._searches: list[SpreadReaching | SpreadStaying] = []
        self.site = self._site(model, options, runner)

    def _site(self, model: Model, options: Options, runner: Runner | None) -> Site:
        wanted, most = options.distribution.partitions or 1, 1 << MOST_BITS
        if not 1 <= wanted <= most:
            raise HomingError(f"{wanted} partitions are too many; at most {most}")
        owning = ownership.named(model.system.shape, options.distribution.by)
        with opened(model, options, lambda said: options.show(self.watch.progress(said))) as site:
            return self._settled(model, options, runner, owning, site)

    def _settled(
        self, model: Model, options: Options, runner: Runner | None, owning: tuple[int, ...], opened: Opened
    ) -> Site:
        folder, self.lock = opened.folder, opened.lock
        if opened.document is None:
            folder.save(MANIFEST, {"identity": identity(model)})
        else:
            options.show(self.watch.progress(f"resuming from {folder.shown}"))
        rounds = growing(folder, options, self._stopped, self._note) if runner is None else runner(folder)
        run, watch = uuid.uuid4().hex, self.watch
        return Site(run, portable(model), owning, folder, rounds, share(options), options, watch, self._stopped)

    def _note(self, what: str) -> None:
        self.site.options.show(self.watch.progress(what))

    def _stopped(self) -> str | None:
        """Why to break a round off."""
        return "interrupted" if self.site.options.interrupted() else self.watch.limits.overdue()

    @property
    def is_stopped(self) -> bool:
        """Whether there is something to go on with: a search that was spread, and did not see all."""
        return any(search.reason is not None and search.spread is not None for search in self._searches)

    def reaching(self, plan: Plan, questions: Sequence[Question], extents: Sequence[Extent] = ()) -> Reaching:
        search = SpreadReaching(self.site, self.system, plan, self.watch, questions, extents)
        self._searches.append(search)
        return search

    def staying(self, plan: Plan, beginning: Beginning | None) -> Staying:
        search = SpreadStaying(self.site, self.system, plan, self.watch, beginning)
        self._searches.append(search)
        return search
