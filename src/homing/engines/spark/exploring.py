"""The run over all partitions: which of them work in a round, how deep, and what is known after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from homing.core import evaluate
from homing.core.property import DeadlockFree, Extreme, Safety
from homing.engines.local.monitors import Finding
from homing.engines.spark import kernels
from homing.engines.spark.batches import batch, written
from homing.engines.spark.cells import Cells
from homing.engines.spark.closing import Failure
from homing.engines.spark.exchange import Outbox
from homing.engines.spark.folder import files_of
from homing.engines.spark.kernels import NEVER
from homing.engines.spark.machine import Machine
from homing.engines.spark.rounds import SMALL, UNEVEN, Rounds
from homing.engines.spark.running import Run, plain
from homing.engines.spark.work import Assignment, Job, Outcome, work

__all__ = ["MANIFEST", "Explorer", "Run", "better"]

MANIFEST = "run.json"
WIDER = 3
"""Each window of depths is so many times as deep as the one before: few rounds, and little is done in vain where a
shorter path turns up, or a violation ends the run."""

FIRST_SECONDS, LONGEST = 2.0, 60.0
"""A round on several lanes ends after so much time, then after twice as much, and so on: until much is known, how
states will spread is a guess, and a partition that has far more than its share is split."""


class Explorer:
    """Goes from round to round."""

    def __init__(
        self,
        job: Job,
        rounds: Rounds,
        run: Run,
        constrained: bool,
        told: Callable[[Run, Sequence[Outcome]], None] = lambda run, outcomes: None,
    ) -> None:
        self.job = job
        self.constrained = constrained
        self.rounds = rounds
        self.run = run
        self.told = told
        self._patience = FIRST_SECONDS

    def begin(self, machine: Machine) -> None:
        """Hands out the initial states."""
        run = self.run
        states = evaluate.initial(machine.system)
        rows = machine.rows(states)
        owners = np.empty(len(rows), np.int64)
        kernels.parts(machine.form, machine.sharing(run.cells, 0), rows, owners)
        outbox = Outbox(self.job.folder)
        for part in np.unique(owners).tolist():
            mine = rows[owners == part]
            depth, parent = np.zeros(len(mine), np.uint32), np.zeros(len(mine), np.uint64)
            outbox.add(part, written(batch(machine, mine, depth=depth, parent=parent)))
        run.inboxes = {part: (name,) for part, name in outbox.close()}
        run.totals.initial = len(states)
        run.findings = [None] * len(self.job.properties)
        self.save()

    @property
    def end(self) -> int:
        """The depth at which a breadth-first search would stop, or NEVER: all is decided, or the model failed."""
        run, levels = self.run, []
        for prop, finding in zip(self.job.properties, run.findings):
            if finding is None or isinstance(prop, Extreme):
                levels.append(NEVER)
            else:
                levels.append(finding.level + (1 if isinstance(prop, DeadlockFree) else 0))
        decided = max(levels, default=NEVER) if self.job.stopping else NEVER
        failed = NEVER if run.failure is None else run.failure.depth
        return min(decided, failed)

    def advance(self) -> bool:
        """One round; False when there is nothing left to do."""
        run = self.run
        stale = any(part.stale for part in run.parts.values())
        if run.waiting >= self.end and not stale and not (run.inboxes and run.nearest <= self.end):
            return False
        if run.waiting >= run.horizon:
            run.horizon = run.waiting + WIDER * run.horizon
        horizon = min(run.horizon, self.end)
        self.rounds.expect(sum(run.part(number).states for number in self._busy(horizon)))
        if self.job.spreading and run.partitions == 1 < self.rounds.lanes:
            self._divide(run.cells.divided(self.rounds.lanes))
        self._round([replace(self._assignment(number, horizon), onward=True) for number in self._swept(horizon)])
        if self.rounds.lanes > 1:
            self._patience = min(2 * self._patience, LONGEST)
        return True

    @property
    def _seconds(self) -> float:
        return self._patience if self.job.spreading and self.rounds.lanes > 1 else LONGEST

    def _busy(self, horizon: int) -> list[int]:
        """The partitions that have something to do above a depth."""
        run = self.run
        return [
            number
            for number in sorted({*run.parts, *run.inboxes})
            if number in run.inboxes or run.part(number).waiting < horizon or run.part(number).stale
        ]

    def _swept(self, horizon: int) -> list[int]:
        """The same along the line of cells, and back in the next round: what is sent onward gets far."""
        busy, order = set(self._busy(horizon)), self.run.cells.order
        return [number for number in order[:: 1 if self.run.totals.rounds % 2 else -1] if number in busy]

    def finish(self) -> None:
        """Where a search ends at a depth, its states that are outside the constraints are still to be counted."""
        run = self.run
        if self.end != NEVER and self.constrained:
            todo = [replace(self._assignment(number, 0), last=self.end) for number in sorted(run.parts)]
            self._round(todo)

    def _assignment(self, number: int, horizon: int) -> Assignment:
        part = self.run.part(number)
        return Assignment(
            number,
            self.run.cells,
            horizon,
            part.closed,
            part.version,
            part.files,
            self.run.inboxes.get(number, ()),
            part.census[1:],
            weight=part.states,
            seconds=self._seconds,
            counting=self._seconds < LONGEST,
        )

    def _round(self, todo: Sequence[Assignment]) -> None:
        outcomes, inboxes = self.rounds.run(partial(work, self.job), todo, self.run.partitions)
        read = [name for assignment in todo for name in assignment.inbox + assignment.files]
        for outcome in outcomes:
            self._take(outcome)
        run = self.run
        kept = {number: names for number, names in run.inboxes.items() if number not in {one.part for one in todo}}
        run.inboxes = kept | {number: (name,) for number, name in inboxes.items()}
        # What was sent onward is not in an inbox, and done.
        sent = [depth for one in outcomes for part, depth in one.nearest.items() if part in inboxes]
        run.nearest = min(sent + ([run.nearest] if kept else []), default=NEVER)
        run.totals.rounds += 1
        for outcome in outcomes:
            if self._too_large(outcome) and self._divide(run.cells.split(outcome.part, outcome.counts)):
                run.totals.splits += 1
        self.save()
        self.job.folder.remove(files_of(read) - files_of(name for names in self._needed() for name in names))
        self.told(run, outcomes)

    def _needed(self) -> Iterator[tuple[str, ...]]:
        """The files that the run consists of."""
        yield from self.run.inboxes.values()
        for part in self.run.parts.values():
            yield part.files

    def _take(self, outcome: Outcome) -> None:
        run, part = self.run, self.run.part(outcome.part)
        part.version, part.stale = outcome.version, False
        part.files = (() if outcome.renewed else part.files) + (() if outcome.file is None else (outcome.file,))
        part.closed, part.waiting = outcome.closed, outcome.waiting
        part.states, part.bytes = outcome.states, outcome.bytes
        part.census = tuple(np.trim_zeros(counts, "b").tolist() for counts in outcome.census)
        for number, (prop, found) in enumerate(zip(self.job.properties, outcome.findings)):
            run.findings[number] = better(prop, run.findings[number], found)
        if outcome.failure is not None and (run.failure is None or _rank(outcome.failure) < _rank(run.failure)):
            run.failure = outcome.failure
        totals = run.totals
        totals.evaluations += outcome.evaluations
        totals.steps += outcome.steps
        totals.crossing += outcome.sent
        totals.expanded += outcome.expanded
        totals.again += outcome.again
        totals.loaded += outcome.loaded
        totals.worked += outcome.seconds

    def _too_large(self, outcome: Outcome) -> bool:
        """Whether a partition takes too much memory, or has so much of all that other lanes would wait for it."""
        goes_on = bool(outcome.counts) and outcome.waiting != NEVER and self.rounds.lanes > 1
        fair = self.run.states / self.rounds.lanes
        return (goes_on and outcome.states > max(SMALL, UNEVEN * fair)) or outcome.bytes > self.job.memory

    def _divide(self, cells: Cells) -> bool:
        """Others own what is now in some partitions: files stay, and each reader takes what is its own."""
        run = self.run
        # Cells may have become smaller, all of them alike.
        before = np.repeat(run.cells.parts, len(cells.parts) // len(run.cells.parts))
        heirs = {(int(old), new) for old, new in zip(before, cells.parts)}
        run.cells = cells
        for old in {old for old, new in heirs if old != new}:
            mine = sorted(new for each, new in heirs if each == old)
            part, inbox = run.part(old), run.inboxes.get(old)
            states, size = part.states // len(mine), part.bytes // len(mine)
            share = replace(part, version="", stale=True, states=states, bytes=size)
            for new in mine:
                # What was counted stays with one of them; where a state of another comes nearer, the sum is right.
                run.parts[new] = replace(share, census=part.census if new == old else ((), (), (), ()))
                if inbox is not None:
                    run.inboxes[new] = inbox
        return any(old != new for old, new in heirs)

    def save(self) -> None:
        """Writes the manifest: from now on the run goes on from here."""
        self.job.folder.save(MANIFEST, {"identity": self.job.identity, "owning": self.job.owning, **plain(self.run)})


def better(prop: Safety, known: Finding | None, found: Finding | None) -> Finding | None:
    """Of two states that decide a property, the one to show: the nearer one, or the one with the better value."""
    if known is None or found is None:
        return known or found
    if isinstance(prop, Extreme) and known.value != found.value:
        sign = 1 if prop.sense == "min" else -1
        return min(known, found, key=lambda one: sign * (one.value or 0))
    return found if found.level < known.level else known


def _rank(failure: Failure) -> tuple[int, bool]:
    return failure.depth, not failure.observing
