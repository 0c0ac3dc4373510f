"""What all searches of a check have in common where they are spread over partitions."""

from __future__ import annotations

import hashlib
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from homing.core.model import Model
from homing.core.result import Options
from homing.core.stop import Stopped
from homing.engines.local.watch import Watch
from homing.engines.spark.folder import Folder
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.timed.exploring import Spread
from homing.engines.spark.timed.looking import Look
from homing.engines.spark.timed.tasks import Job, Outcome
from homing.engines.zones.planning import Plan

MANIFEST = "search.json"


@dataclass
class Site:
    """Where searches are kept, how rounds are run, and what they took."""

    run: str
    rebuild: Callable[[], Model]
    owning: tuple[int, ...]
    folder: Folder
    rounds: Rounds
    memory: int
    options: Options
    watch: Watch
    stopped: Callable[[], str | None]
    searches: Counter[str] = field(default_factory=Counter)
    """How often each was wanted."""
    largest: Spread | None = None
    rounds_done: int = 0
    supersteps: int = 0
    _began: float = field(default_factory=time.monotonic)

    def job(self, plan: Plan, look: Look, beginning: object = None) -> Job:
        """A search, called by what it looks for: a run that was stopped may have left out others before it."""
        digest = hashlib.blake2b(repr((plan, look, beginning)).encode(), digest_size=8).hexdigest()
        self.searches[digest] += 1
        name = f"search={digest}-{self.searches[digest]}"
        return Job(self.run, name, self.rebuild, self.owning, plan, look, self.folder, self.memory, self.memory)

    def bits(self, states: int) -> int:
        """Of how many partitions so many states are handed over to: two a lane, if nobody says otherwise."""
        self.rounds.expect(states)
        return ((self.options.distribution.partitions or 2 * self.rounds.lanes) - 1).bit_length()

    def manifest(self, job: Job) -> dict[str, Any] | None:
        """What is known of a search from before."""
        name = f"{job.name}/{MANIFEST}"
        return self.folder.document(name) if self.options.resume and self.folder.has(name) else None

    def save(self, job: Job, document: dict[str, Any], read: Sequence[str] = ()) -> None:
        """Writes down where a search stands, and removes what was read."""
        self.folder.save(f"{job.name}/{MANIFEST}", document)
        self.folder.remove(read)

    def told(self, spread: Spread, outcomes: Sequence[Outcome]) -> None:
        """Shows how far a search has come, and stops it where a limit is reached."""
        watch, now = self.watch, time.monotonic()
        spread.totals.seconds += now - self._began
        self._began = now
        self.rounds_done += 1
        if self.largest is None or spread.states >= self.largest.states:
            self.largest = spread
        watch.states, watch.depth = spread.states, spread.level
        self.say(spread.totals.told(outcomes, spread.partitions))
        watch.count(spread.states, sum(outcome.wave for outcome in outcomes), spread.level)
        self.check()

    def say(self, what: str) -> None:
        """Shows a line."""
        self.options.show(self.watch.progress(detail=what))

    def check(self) -> None:
        """Stops where there is a reason to."""
        reason = self.stopped()
        if reason is not None:
            raise Stopped(reason)

    def measures(self) -> dict[str, Any]:
        """What the largest search took, as JSON."""
        spread = self.largest
        found: dict[str, Any] = {"engine": "spark", "partitioned_by": list(self.options.distribution.by)}
        found |= {"searches": self.searches.total(), "supersteps": self.supersteps}
        if spread is None:
            return found | {"partitions": 0, "rounds": 0}
        sizes = [part.states for part in spread.parts.values()]
        return found | spread.totals.measures(sizes, spread.partitions) | {"rounds": self.rounds_done}
