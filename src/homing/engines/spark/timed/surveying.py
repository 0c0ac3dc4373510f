"""Questions about all states of a search that is over, partition by partition."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from homing.core.result import Limits
from homing.engines.local.evaluator import Failed
from homing.engines.local.watch import Watch
from homing.engines.spark.batches import written
from homing.engines.spark.kernels import Array
from homing.engines.spark.timed.exploring import Spread, gave_up
from homing.engines.spark.timed.identity import ROOT
from homing.engines.spark.timed.partition import Partition
from homing.engines.spark.timed.site import Site
from homing.engines.spark.timed.tasks import LOOKING, Assignment, Failure, Job
from homing.engines.spark.timed.work import keep, overflowing, partition_of
from homing.engines.zones.paths import Run
from homing.engines.zones.reaching import Extent, Reaching, beginnings, waits
from homing.engines.zones.staying import Beginning, widened
from homing.engines.zones.symbolic import Symbolic
from homing.timed.property import Bound, LeadsTo

if TYPE_CHECKING:
    from homing.engines.spark.timed.searching import Spreading

MOST_SENT = 1 << 14
Survey = Callable[[Partition, Array], Iterator[tuple[int, Any]]]


def survey(job: Job, ask: Survey, todo: Assignment) -> Iterator[tuple[int, Any]]:
    """Asks something about all states of a partition that no other covers."""
    return overflowing(_asked(job, ask, todo))


def _asked(job: Job, ask: Survey, todo: Assignment) -> Iterator[tuple[int, Any]]:
    partition, _, _ = partition_of(job, todo)
    every = partition.symbolic.uncovered(np.arange(len(partition)))
    try:
        yield from ask(partition, every)
    except Failed as failed:
        number = int(partition.symbolic.discrete.numbers([failed.state])[0])
        at = int(every[partition.symbolic.states.discrete[every] == number][0])
        yield -1, Failure(LOOKING, failed.error, failed.state, partition.called(at))
    keep(job, todo, todo.version, partition)


def surveyed(job: Job, site: Site, spread: Spread, ask: Survey) -> tuple[list[Any], dict[int, str]]:
    """What all partitions answer, and what they sent."""
    while True:
        todo = [
            Assignment(spread.bits, number, 0, part.version, part.files, weight=part.states)
            for number, part in sorted(spread.parts.items())
        ]
        site.check()
        answers, inboxes = site.rounds.run(partial(survey, job, ask), todo, spread.partitions)
        if not gave_up(job, spread, answers, inboxes):
            return answers, inboxes


# `p --> q`


@dataclass(frozen=True)
class _Beginnings:
    """Where `p --> q` begins to matter: told, and sent to where a search through so many clocks begins."""

    prop: LeadsTo
    clocks: int | None = None

    def __call__(self, partition: Partition, every: Array) -> Iterator[tuple[int, Any]]:
        symbolic, total, triggered = partition.symbolic, 0, False
        for low in range(0, len(every), MOST_SENT):
            found, holds = beginnings(symbolic, every[low : low + MOST_SENT], self.prop)
            triggered |= holds
            if self.clocks is not None and found:
                yield from self._sent(partition, symbolic, found, total)
            total += len(found)
        yield -1, (total, triggered)

    def _sent(
        self, partition: Partition, symbolic: Symbolic, found: list[tuple[int, Array]], before: int
    ) -> Iterator[tuple[int, bytes]]:
        assert self.clocks is not None
        count = len(found)
        source = np.array([ROOT + partition.called(state) for state, _ in found], np.uint64)
        rows = symbolic.discrete.rows(symbolic.states.discrete[[state for state, _ in found]])
        columns: dict[str, Array] = {
            "source": source,
            "edge": np.arange(before, before + count, dtype=np.uint32),
            "count": np.ones(count, np.uint32),
            "tick": np.zeros(count, np.uint8),
            "stem": partition.levels(np.array([state for state, _ in found])),
        }
        zones = widened([zone for _, zone in found], self.clocks)
        for part, table in partition.addressed(rows, zones, columns):
            yield part, written(table)


class SpreadBeginning(Beginning):
    """Where runs begin, in partitions."""

    def __init__(self, search: Spreading, prop: LeadsTo) -> None:
        assert search.spread is not None
        self._spreading = search
        self._spread = search.spread
        answers = search.survey(_Beginnings(prop), (prop.where, prop.until))[0]
        super().__init__(search, prop, [], any(triggered for _, triggered in answers))
        self._count: int = sum(count for count, _ in answers)

    def __len__(self) -> int:
        return self._count

    def spread(self, clocks: int) -> Spread:
        """A search through so many clocks that begins there."""
        _, inboxes = self._spreading.survey(_Beginnings(self.prop, clocks), ())
        names: dict[int, tuple[str, ...]] = {number: (name,) for number, name in inboxes.items()}
        return Spread(self._spread.bits, inboxes=names, waiting=self._count)

    def run(self, root: int) -> Run:
        return self._spreading.run_to(root)[1]


# `sup`


@dataclass(frozen=True)
class Waiting:
    """Whether a run may stay somewhere for as long as you like, while a condition holds and a clock has no bound."""

    prop: Bound

    def __call__(self, partition: Partition, every: Array) -> Iterator[tuple[int, Any]]:
        extent, symbolic = Extent(self.prop.where, self.prop.of, self.prop.clock), partition.symbolic
        symbolic.discrete.prepare(symbolic.states.discrete[every])
        reaching = Reaching(symbolic, Watch("", Limits(), lambda shown: None, lambda: False), [], [extent])
        found = False
        for low in range(0, len(every), MOST_SENT):
            extent.endless.clear()
            reaching.see(every[low : low + MOST_SENT])
            found = found or any(waits(symbolic, self.prop.where, state) for state in extent.endless)
        yield -1, found
