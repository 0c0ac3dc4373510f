"""Does every message get home, under every colour? Counts first; the failing pairs on demand."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from homing.core.result import Limits
from homing.core.stop import Stopped
from homing.core.verdict import Verdict, worst
from homing.overlay.colours import NORMAL, Scenarios
from homing.overlay.edits import Edits
from homing.overlay.graph import I64
from homing.overlay.portions import Look, Progress, looking, nothing, unseen
from homing.overlay.routing import COUNTS as KERNEL_COUNTS
from homing.overlay.routing import Router
from homing.overlay.switching import MicroLoops, micro_loops
from homing.overlay.trees import State, prepare
from homing.overlay.walking import Outcome, Weather
from homing.report.wording import plural

if TYPE_CHECKING:
    from homing.overlay.chunks import Job
    from homing.overlay.pipeline import Run

COUNTS = ("delivered", "partitioned", "looped", "wrong", "late", "absent", "changed", "affected", "errors")
COLUMN = {"partitions": "partitioned", "loops": "looped", "tables": "wrong", "deadlines": "late"}
"""The count that answers each question."""


@dataclass(frozen=True)
class Finding:
    """One question about the network and its answer, with the first colours that answer it badly."""

    name: str
    verdict: Verdict
    text: str
    colours: tuple[int, ...] = ()
    tolerated: bool = False


@dataclass(frozen=True)
class Failing:
    """A pair whose messages do not get home under a colour, and the way they take."""

    colour: int
    publisher: int
    subscriber: int
    outcome: Outcome
    path: tuple[int, ...]
    culprit: int | None = None
    delay_ms: float | None = None


@dataclass(frozen=True)
class Verification:
    """Counts for every colour; `counts[colour - 1]` has the columns COUNTS."""

    scenarios: Scenarios
    state: State
    counts: I64
    edits: Edits | None = None
    micro: MicroLoops | None = None
    tolerate: frozenset[str] = frozenset()
    seconds: float = 0.0
    findings: tuple[Finding, ...] = field(default=())

    @property
    def pairs(self) -> int:
        return int(self.state.wanted.sum())

    @property
    def complete(self) -> bool:
        return len(self.counts) == len(self.scenarios)

    @property
    def verdict(self) -> Verdict:
        return worst(finding.verdict for finding in self.findings if not finding.tolerated)

    def _repr_html_(self) -> str:
        from homing.overlay import notebook

        return notebook.verification(self)

    def column(self, name: str) -> I64:
        return np.asarray(self.counts[:, COUNTS.index(name)])

    def bad_colours(self, *names: str) -> I64:
        """Colours under which something of this sort happens."""
        total = sum(self.column(name) for name in names)
        return np.flatnonzero(total) + NORMAL

    @property
    def violated(self) -> set[int]:
        """Colours under which something is violated that is not tolerated."""
        found: set[int] = set()
        for finding in self.findings:
            if finding.verdict is Verdict.VIOLATED and not finding.tolerated:
                column = COLUMN.get(finding.name)
                found.update(self.bad_colours(column).tolist() if column else self.micro.colours if self.micro else ())
        return found

    def failing(self, colour: int, look: Look = nothing) -> Iterator[Failing]:
        """The pairs that fail under a colour, each followed hop by hop."""
        weather = Weather(self.state, self.scenarios.failure(colour))
        n = self.state.size
        for d in self.state.destinations.tolist():
            look()
            hops = weather.table(colour, d, self.edits)
            walks = weather.walk(d, hops)
            wanted = self.state.wanted[d * n : (d + 1) * n] == 1
            bad = wanted & (walks.outcome != Outcome.DELIVERED) & (walks.outcome != Outcome.ABSENT)
            for u in np.flatnonzero(bad).tolist():
                outcome = Outcome(int(walks.outcome[u]))
                culprit = int(walks.culprit[u])
                yield Failing(
                    colour, u, d, outcome, tuple(weather.path(u, d, hops)), culprit if culprit < n else None,
                    float(walks.delay[u]) / 1000 if outcome == Outcome.LATE else None,
                )  # fmt: skip


def verify(
    scenarios: Scenarios,
    *,
    edits: Edits | None = None,
    tolerate: frozenset[str] = frozenset({"micro-loops"}),
    switching: str = "single",
    seconds: float | None = None,
    limits: Limits | None = None,
    progress: Progress = unseen,
    mixing: Progress = unseen,
    state: State | None = None,
) -> Verification:
    """Checks all colours; stops after `seconds`, or at `limits`, and what was not looked at is then unknown."""
    limits = (limits or Limits(seconds=seconds)).started()
    look = looking(limits)
    router = Router(state or prepare(scenarios.network))
    parts = [np.zeros((0, len(COUNTS)), np.int64)]
    try:
        for part in router.counted(scenarios, NORMAL, len(scenarios), look, progress):
            parts.append(from_kernel(router.state, part))
            if edits:
                apply_edits(router.state, scenarios, edits, parts[-1], NORMAL + sum(map(len, parts[:-1])))
    except Stopped:
        pass  # what is missing is seen from the counts
    counts = np.concatenate(parts)
    micro = None
    if switching != "none" and len(counts):
        micro = micro_loops(scenarios, router.state, switching, len(counts), edits, look, mixing)
    spent = time.monotonic() - (limits.begun or 0.0)
    return conclude(Verification(scenarios, router.state, counts, edits, micro, tolerate, spent))


def stored(
    job: Job, scenarios: Scenarios, run: Run, tolerate: frozenset[str], switching: str = "single"
) -> Verification:
    """The same from the verdicts that a pipeline wrote."""
    from homing.overlay.chunks import compiled
    from homing.overlay.results import VERDICT_COUNTS, VERDICTS, read
    from homing.overlay.store import writing
    from homing.storage.tree import Tree

    state = compiled(job)[1].state
    files = {name: mark for summary in run.summaries for name, mark in summary.files.items()}
    with writing(Path(job.out)):
        table = read(Tree(job.out), files, "verdicts", VERDICTS).sort_by("colour")
    counts = np.zeros((len(table), len(COUNTS)), np.int64)
    for name in VERDICT_COUNTS:
        counts[:, COUNTS.index(name)] = table[name].to_numpy()
    # Colours do not keep their failed self-checks apart; one is enough to withdraw the verdict.
    counts[:1, COUNTS.index("errors")] = sum(summary.sums.get("errors", 0) for summary in run.summaries)
    micro = None if switching == "none" else micro_loops(scenarios, state, switching, len(counts), job.edits)
    return conclude(Verification(scenarios, state, counts, job.edits, micro, tolerate, run.wall_seconds))


def from_kernel(state: State, kernel: I64) -> I64:
    """The kernels' counts in our columns; computed tables neither loop nor mislead."""
    columns = {name: kernel[:, at] for at, name in enumerate(KERNEL_COUNTS)}
    zero = np.zeros(len(kernel), np.int64)
    delivered = int(state.wanted.sum()) - columns["cut"] - columns["late"] - columns["absent"]
    return np.stack(
        [delivered, columns["cut"], zero, zero, columns["late"], columns["absent"], columns["changed"],
         columns["affected"], columns["errors"]],
        axis=1,
    )  # fmt: skip


def apply_edits(state: State, scenarios: Scenarios, edits: Edits, counts: I64, first: int = NORMAL) -> None:
    """Corrects the counts, from colour `first` on, where edited entries change what becomes of messages."""
    n = state.size
    for colour in edits.colours(scenarios):
        if not first <= colour < first + len(counts):
            continue
        weather = Weather(state, scenarios.failure(colour))
        for d in edits.destinations(colour):
            wanted = state.wanted[d * n : (d + 1) * n] == 1
            before = weather.walk(d, weather.right(d)[1]).outcome[wanted]
            after = weather.walk(d, weather.table(colour, d, edits)).outcome[wanted]
            difference = np.bincount(after, minlength=6) - np.bincount(before, minlength=6)
            counts[colour - first, : len(difference)] += difference


def conclude(result: Verification) -> Verification:
    """Answers the questions from the counts."""
    asked = [
        _finding(result, "partitions", "no path exists", "a path exists for every pair"),
        _finding(result, "loops", "messages loop", "no message loops"),
        _finding(result, "tables", "a table leads nowhere", "every table leads on"),
    ]
    if len(result.state.deadline):
        asked.append(_finding(result, "deadlines", "a deadline is missed", "every deadline is met"))
    asked += _silent(result)
    asked += _micro(result)
    asked += _internal(result)
    return Verification(
        result.scenarios, result.state, result.counts, result.edits, result.micro, result.tolerate, result.seconds,
        tuple(asked),
    )  # fmt: skip


def _finding(result: Verification, name: str, bad: str, good: str) -> Finding:
    colours = result.bad_colours(COLUMN[name])
    tolerated = name in result.tolerate
    if len(colours):
        pairs = int(result.column(COLUMN[name]).max())
        text = f"{bad} under {len(colours)} of {len(result.counts)} colours, for up to {pairs} of {result.pairs} pairs"
        return Finding(name, Verdict.VIOLATED, text, tuple(colours[:12].tolist()), tolerated)
    if not result.pairs:
        return Finding(name, Verdict.UNKNOWN, "nothing to deliver, so nothing was checked")
    if not result.complete:
        text = f"stopped after {len(result.counts)} of {len(result.scenarios)} colours; so far {good}"
        return Finding(name, Verdict.UNKNOWN, text)
    return Finding(name, Verdict.HOLDS, f"{good}, under all {len(result.counts)} colours", (), tolerated)


def _silent(result: Verification) -> list[Finding]:
    """Topics about which nothing is said, since nobody publishes or nobody subscribes."""
    topics = [topic for topic in result.scenarios.network.topics if topic.is_silent]
    if not topics:
        return []
    names = ", ".join(f"'{topic.name}'" for topic in topics[:3]) + (", …" if len(topics) > 3 else "")
    text = f"{plural(len(topics), 'topic')} without publisher or subscriber, so nothing was checked for them: {names}"
    return [Finding("topics", Verdict.UNKNOWN, text, (), "topics" in result.tolerate)]


def _micro(result: Verification) -> list[Finding]:
    micro = result.micro
    if micro is None:
        return []
    tolerated = "micro-loops" in result.tolerate
    if micro.found:
        text = (
            f"while brokers disagree, messages may loop in {len(micro.found)} of {micro.transitions} changes of "
            f"colour, up to {plural(micro.most, 'pair')}"
        )
        return [Finding("micro-loops", Verdict.VIOLATED, text, tuple(micro.colours[:12]), tolerated)]
    if micro.transitions == 0 and not micro.stopped:
        return [Finding("micro-loops", Verdict.UNKNOWN, "no two adjacent colours to mix", (), tolerated)]
    text = f"no mixture of adjacent colours loops, in {plural(micro.transitions, 'change')} of colour"
    why = _undecided(result, micro)
    if why:
        return [Finding("micro-loops", Verdict.UNKNOWN, f"{why}; so far {text}", (), tolerated)]
    return [Finding("micro-loops", Verdict.HOLDS, text, (), tolerated)]


def _undecided(result: Verification, micro: MicroLoops) -> str:
    """Why the changes that were mixed do not decide, or nothing."""
    if not result.pairs:
        return "nothing to deliver"
    if not result.complete:
        return f"stopped after {len(result.counts)} of {len(result.scenarios)} colours"
    if micro.stopped:
        return "stopped by the time limit"
    if micro.left:
        return f"{plural(micro.left, 'colour')} with several failures not mixed"
    return ""


def _internal(result: Verification) -> list[Finding]:
    """Distances that fail the kernel's own check would be a mistake of ours: no verdict can be trusted then."""
    wrong = int(result.column("errors").sum())
    if not wrong:
        return []
    return [Finding("self-check", Verdict.UNKNOWN, f"{wrong} computed routes failed verification: please report")]
