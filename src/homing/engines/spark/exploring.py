"""The run over all partitions: which of them work in a round, how deep, and what is known after it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from homing.core import evaluate
from homing.core.property import DeadlockFree, Extreme, Safety
from homing.core.values import decode, encode
from homing.engines.local.monitors import Finding
from homing.engines.spark import kernels
from homing.engines.spark.batches import batch, written
from homing.engines.spark.closing import Failure
from homing.engines.spark.kernels import NEVER, Array
from homing.engines.spark.machine import Machine
from homing.engines.spark.rounds import Boxes, Rounds
from homing.engines.spark.work import Assignment, Job, Outcome, work

MANIFEST = "run.json"
FIRST_WINDOW = 16
WIDER = 3
"""Each window of depths is so many times as deep as the one before: few rounds, and little is done in vain where a
shorter path turns up, or a violation ends the run."""


@dataclass
class Part:
    """What is known of a partition."""

    version: str = ""
    files: tuple[str, ...] = ()
    closed: int = 0
    waiting: int = NEVER
    states: int = 0
    bytes: int = 0
    stale: bool = False
    """Whether it was split off, and its states have not been counted since."""
    census: tuple[Sequence[int], ...] = ((), (), (), ())
    """By depth: states, those outside the constraints, transitions, deadlocks."""


@dataclass
class Totals:
    """Sums over all rounds."""

    rounds: int = 0
    initial: int = 0
    evaluations: int = 0
    steps: int = 0
    crossing: int = 0
    expanded: int = 0
    again: int = 0
    loaded: int = 0
    splits: int = 0
    seconds: float = 0.0
    worked: float = 0.0
    """Seconds that tasks took, summed."""


@dataclass
class Run:
    """Where a run stands: all that its manifest says."""

    bits: int
    more: int = 0
    horizon: int = FIRST_WINDOW
    parts: dict[int, Part] = field(default_factory=dict)
    inboxes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    nearest: int = 0
    """The least depth of what waits in inboxes."""
    findings: list[Finding | None] = field(default_factory=list)
    failure: Failure | None = None
    totals: Totals = field(default_factory=Totals)

    @property
    def partitions(self) -> int:
        return 1 << (self.bits + self.more)

    @property
    def states(self) -> int:
        return sum(part.states for part in self.parts.values())

    @property
    def waiting(self) -> int:
        """The least depth of a state that is yet to be expanded, or NEVER."""
        waiting = [part.waiting for part in self.parts.values()]
        return min([*waiting, self.nearest] if self.inboxes else waiting, default=NEVER)

    def part(self, number: int) -> Part:
        return self.parts.setdefault(number, Part())

    def by_depth(self, which: int) -> Array:
        """One of the counts, summed over the partitions: states, outside, transitions, deadlocks."""
        columns = [part.census[which] for part in self.parts.values()]
        total = np.zeros(max([len(column) for column in columns], default=0), np.int64)
        for column in columns:
            total[: len(column)] += np.array(column, np.int64)
        return total


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

    def begin(self, machine: Machine) -> None:
        """Hands out the initial states."""
        run = self.run
        states = evaluate.initial(machine.system)
        rows = machine.rows(states)
        owners = np.empty(len(rows), np.int64)
        kernels.parts(machine.form, machine.owners(run.bits, run.more, 0), rows, owners)
        boxes = Boxes(self.job.folder)
        for part in np.unique(owners).tolist():
            mine = rows[owners == part]
            depth, parent = np.zeros(len(mine), np.uint32), np.zeros(len(mine), np.uint64)
            message = written(batch(machine, mine, depth=depth, parent=parent))
            boxes.add(part, message)
        run.inboxes = {part: (name,) for part, name in boxes.close()}
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
        todo = [
            self._assignment(number, horizon)
            for number in sorted({*run.parts, *run.inboxes})
            if number in run.inboxes or run.part(number).waiting < horizon or run.part(number).stale
        ]
        self._round(todo)
        return True

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
            self.run.bits,
            self.run.more,
            horizon,
            part.closed,
            part.version,
            part.files,
            self.run.inboxes.get(number, ()),
            part.census[1:],
            weight=part.states,
        )

    def _round(self, todo: Sequence[Assignment]) -> None:
        outcomes, inboxes = self.rounds.run(partial(work, self.job), todo, self.run.partitions)
        read = [name for assignment in todo for name in assignment.inbox]
        for outcome in outcomes:
            self._take(outcome)
        run = self.run
        kept = {number: names for number, names in run.inboxes.items() if number not in {one.part for one in todo}}
        run.inboxes = kept | {number: (name,) for number, name in inboxes.items()}
        run.nearest = min([outcome.nearest for outcome in outcomes] + ([run.nearest] if kept else []), default=NEVER)
        run.totals.rounds += 1
        self._split(outcomes)
        self.save()
        self.job.folder.remove(read)
        self.told(run, outcomes)

    def _take(self, outcome: Outcome) -> None:
        run, part = self.run, self.run.part(outcome.part)
        part.version, part.stale = outcome.version, False
        part.files += () if outcome.file is None else (outcome.file,)
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

    def _split(self, outcomes: Sequence[Outcome]) -> None:
        """Twice as many partitions, once one has grown too large: files stay, each reader takes what is its own."""
        run = self.run
        if not any(outcome.bytes > self.job.memory for outcome in outcomes):
            return
        run.totals.splits += 1
        # Where slots that decide the owner tell no more states apart, the whole state has to.
        crowded = max(part.states for part in run.parts.values()) > run.states / 2 and run.partitions > 2
        if run.more or crowded or run.bits >= 20:
            run.more += 1
        else:
            run.bits += 1
        parts, inboxes = {}, {}
        for number, part in run.parts.items():
            halved = replace(part, version="", stale=True, states=(part.states + 1) // 2, bytes=part.bytes // 2)
            parts[2 * number] = halved
            # What was counted stays with one of the two; where a state of the other comes nearer, the sum is right.
            parts[2 * number + 1] = replace(halved, census=((), (), (), ()))
        for number, names in run.inboxes.items():
            inboxes[2 * number], inboxes[2 * number + 1] = names, names
            for half in (2 * number, 2 * number + 1):
                parts.setdefault(half, Part())
        run.parts, run.inboxes = parts, inboxes

    def save(self) -> None:
        """Writes the manifest: from now on the run goes on from here."""
        self.job.folder.save(MANIFEST, {"identity": self.job.identity, "owning": self.job.owning, **_plain(self.run)})


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


def _plain(run: Run) -> dict[str, Any]:
    """A run as JSON. A failure is not kept: who resumes will meet it again."""
    return {
        "bits": run.bits,
        "more": run.more,
        "horizon": run.horizon,
        "nearest": run.nearest,
        "parts": {str(number): asdict(part) for number, part in run.parts.items()},
        "inboxes": {str(number): names for number, names in run.inboxes.items()},
        "findings": [
            None if found is None else {"state": encode(found.state).hex(), "level": found.level, "value": found.value}
            for found in run.findings
        ],
        "totals": asdict(run.totals),
    }


def restored(document: dict[str, Any]) -> Run:
    """The run that a manifest describes."""
    return Run(
        document["bits"],
        document["more"],
        document["horizon"],
        {int(number): _part(part) for number, part in document["parts"].items()},
        {int(number): tuple(names) for number, names in document["inboxes"].items()},
        document["nearest"],
        [
            None if found is None else Finding(decode(bytes.fromhex(found["state"])), found["level"], found["value"])  # type: ignore[arg-type]
            for found in document["findings"]
        ],
        None,
        Totals(**document["totals"]),
    )


def _part(part: dict[str, Any]) -> Part:
    return Part(**(part | {"files": tuple(part["files"]), "census": tuple(part["census"]), "version": ""}))
