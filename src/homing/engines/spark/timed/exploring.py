"""A search over all partitions: level by level, since who covers whom must not depend on who is faster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from typing import Any

from homing.core.errors import HomingError
from homing.core.result import Counts
from homing.core.stop import Stopped
from homing.engines.spark import totals
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.timed.identity import MOST_BITS
from homing.engines.spark.timed.tasks import ARRIVING, Assignment, Failure, Job, Outcome, Overflow
from homing.engines.spark.timed.work import work


@dataclass
class Part:
    """What is known of a partition."""

    version: str = ""
    files: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
    serial: int = 0
    """How many states it has named."""
    states: int = 0
    edges: int = 0
    """Moves to them."""
    stale: bool = False
    """Whether it was split off, and its states have not been counted since."""


@dataclass
class Filed:
    """A file of states that were named one after the other."""

    name: str
    first: int
    count: int


@dataclass
class Totals(totals.Totals):
    """With what was generated, and the moves that were written down."""

    generated: int = 0
    edges: int = 0


@dataclass
class Spread:
    """Where a search stands: all that its manifest says but for what was found."""

    bits: int
    level: int = 0
    """The last one that was looked at."""
    frontier: bool = False
    """Whether its states are yet to be fired."""
    parts: dict[int, Part] = field(default_factory=dict)
    inboxes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    filed: dict[str, list[Filed]] = field(default_factory=dict)
    """By who has found them, the states."""
    waiting: int = 0
    """Steps that are in the inboxes."""
    totals: Totals = field(default_factory=Totals)

    @property
    def partitions(self) -> int:
        return 1 << self.bits

    @property
    def states(self) -> int:
        return sum(part.states for part in self.parts.values())

    @property
    def counts(self) -> Counts:
        """What was counted so far."""
        totals = self.totals
        return Counts(
            distinct=self.states,
            generated=totals.generated,
            depth=self.level,
            transitions=totals.generated - totals.initial,
            evaluations=totals.evaluations,
        )

    def part(self, number: int) -> Part:
        return self.parts.setdefault(number, Part())

    def file(self, bits: int, part: int, filed: Filed) -> None:
        """Notes where states are written down."""
        self.filed.setdefault(f"{bits}:{part}", []).append(filed)

    def assignments(self, known: frozenset[int]) -> list[Assignment]:
        """What is to be done in the next level; nothing when all is seen."""
        busy = {*self.inboxes} | {number for number, part in self.parts.items() if part.stale or self.frontier}
        if not self.inboxes and not self.frontier and not any(part.stale for part in self.parts.values()):
            return []
        return [
            Assignment(
                self.bits,
                number,
                self.level if self.frontier else self.level + 1,
                self.part(number).version,
                self.part(number).files,
                self.inboxes.get(number, ()),
                self.part(number).serial,
                self.frontier,
                known,
                self.part(number).states,
                self.part(number).edges,
            )
            for number in sorted(busy)
        ]


def advance(
    job: Job, rounds: Rounds, spread: Spread, todo: Sequence[Assignment]
) -> tuple[list[Outcome], Failure | None]:
    """One level; where the model failed before it came to the level, nothing of that counts. Nor does it where there
    was no room; then there are more partitions."""
    outcomes, inboxes = rounds.run(partial(work, job), todo, spread.partitions)
    if gave_up(job, spread, outcomes, inboxes):
        return [], None
    outcomes.sort(key=lambda outcome: outcome.part)
    failures = [outcome.failure for outcome in outcomes if outcome.failure is not None]
    failure = min(failures, key=lambda found: found.phase, default=None)
    if failure is not None and failure.phase == ARRIVING:
        return outcomes, failure
    _check_arrived(spread, outcomes)
    for outcome in outcomes:
        _take(spread, outcome)
    wave = sum(outcome.wave for outcome in outcomes)
    if not spread.frontier and wave:
        spread.totals.initial = spread.totals.initial if spread.level else wave
        spread.level += 1
    spread.frontier = False
    spread.inboxes = {number: (name,) for number, name in inboxes.items()}
    spread.waiting = sum(outcome.sent for outcome in outcomes)
    spread.totals.rounds += 1
    if spread.bits < MOST_BITS and any(outcome.large for outcome in outcomes):
        _split(spread)
    return outcomes, failure


def gave_up(job: Job, spread: Spread, outcomes: Sequence[Any], inboxes: dict[int, str]) -> bool:
    """Whether a partition had no room: nothing of the round counts, and there are more partitions."""
    full = [outcome for outcome in outcomes if isinstance(outcome, Overflow)]
    if not full:
        return False
    done = [outcome for outcome in outcomes if isinstance(outcome, Outcome)]
    names = [name for outcome in done for name in (outcome.file, outcome.moves) if name is not None]
    job.folder.remove([*names, *inboxes.values()])
    if spread.bits >= MOST_BITS or not all(one.divisible for one in full):
        most, share = max(one.bytes for one in full) >> 20, job.room >> 20
        what = f"a partition takes {most} MB, which is more than its share of {share} MB, and cannot be split"
        raise Stopped(f"the memory limit was reached: {what}")
    _split(spread)
    return True


def _check_arrived(spread: Spread, outcomes: Sequence[Outcome]) -> None:
    """Each step arrives once: what is lost would leave out states, and a verdict could be wrong."""
    received = sum(outcome.received for outcome in outcomes)
    if received != spread.waiting:
        raise HomingError(f"{spread.waiting} steps were sent to partitions, but {received} arrived; the run is damaged")


def _take(spread: Spread, outcome: Outcome) -> None:
    part, totals = spread.part(outcome.part), spread.totals
    part.version, part.stale = outcome.version, False
    part.states = outcome.states
    part.edges += outcome.edges
    if outcome.file is not None:
        part.files += (outcome.file,)
        spread.file(spread.bits, outcome.part, Filed(outcome.file, part.serial, outcome.wave))
        part.serial += outcome.wave
    part.moves += () if outcome.moves is None else (outcome.moves,)
    totals.generated += outcome.generated
    totals.evaluations += outcome.evaluations
    totals.edges += outcome.edges
    totals.steps += outcome.sent
    totals.crossing += outcome.crossing
    totals.loaded += outcome.loaded
    totals.worked += outcome.seconds


def _split(spread: Spread) -> None:
    """Twice as many partitions: files stay, each reader takes what is its own."""
    spread.totals.splits += 1
    spread.bits += 1
    parts: dict[int, Part] = {}
    for number, part in spread.parts.items():
        for half in (2 * number, 2 * number + 1):
            share = (part.states + half % 2) // 2
            parts[half] = Part("", part.files, part.moves, 0, share, part.edges // 2, stale=True)
    spread.parts = parts
    spread.inboxes = {half: names for number, names in spread.inboxes.items() for half in (2 * number, 2 * number + 1)}


def plain(spread: Spread) -> dict[str, Any]:
    """A search as JSON."""
    return asdict(spread)


def restored(document: dict[str, Any]) -> Spread:
    """The search that a manifest describes; no worker has a partition of it in memory."""
    return Spread(
        document["bits"],
        document["level"],
        document["frontier"],
        {int(number): _part(part) for number, part in document["parts"].items()},
        {int(number): tuple(names) for number, names in document["inboxes"].items()},
        {who: [Filed(**one) for one in filed] for who, filed in document["filed"].items()},
        document["waiting"],
        Totals(**document["totals"]),
    )


def _part(part: dict[str, Any]) -> Part:
    return Part(**(part | {"files": tuple(part["files"]), "moves": tuple(part["moves"]), "version": ""}))
