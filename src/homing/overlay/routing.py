"""Routes under every colour: picks the kernel for a network and runs ranges of colours on it.

The tie-break, in this order: least cost; fewest hops; the next hop that was declared first (numbers of brokers);
of parallel links the cheapest, then the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from homing.overlay.colours import Scenarios
from homing.overlay.graph import I64
from homing.overlay.portions import Look, Progress, nothing, portions, unseen
from homing.overlay.trees import NO_BROKER, NO_DEADLINE, U16, State

COUNTS = ("affected", "changed", "cut", "late", "absent", "errors")
WORD = 64
PORTION = 20_000  # scenarios at once
# Scenarios for which one destination's tables stay in the cache.
BLOCK = 4096
# Recorded entries before they are handed on; more where one scenario could fill it.
ROOM = 1_000_000


@dataclass(frozen=True)
class Changes:
    """Entries that differ from the normal state, in order of colours.

    `hop` is NO_BROKER where no path is left; `weight` and `delay` are those of the whole route.
    """

    colour: npt.NDArray[np.uint32]
    source: U16
    destination: U16
    hop: U16
    weight: I64
    delay: I64

    def __len__(self) -> int:
        return len(self.colour)


@dataclass(frozen=True)
class Tallies:
    """How often, and under which colour first, each changed entry was used; summed up into the super tables."""

    changes: I64  # destination * arcs + arc
    first: npt.NDArray[np.uint32]
    losses: I64  # destination * brokers + source: colours under which there is no route

    @staticmethod
    def empty(state: State) -> Tallies:
        entries = state.size * state.graph.arcs
        return Tallies(np.zeros(entries, np.int64), np.zeros(entries, np.uint32), np.zeros(state.size**2, np.int64))

    @staticmethod
    def none() -> Tallies:
        return Tallies(np.zeros(0, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.int64))


@dataclass
class Router:
    """Runs scenarios on one network; not for two threads at once, since kernels patch its tables in place."""

    state: State
    all_destinations: bool = False  # also those that nobody subscribes at: wanted for tables, not for verdicts
    words: bool = True  # machine words where they are possible; off for comparisons

    def __post_init__(self) -> None:
        g, trees = self.state.graph, self.state.trees
        self._weight = g.weight.copy()
        self._dist = trees.dist.copy()
        self._delay = trees.delay.copy()

    @property
    def uses_words(self) -> bool:
        """Words know no latencies: with them the general kernel runs."""
        graph = self.state.graph
        small = 0 < graph.brokers <= WORD and graph.uniform
        return self.words and small and not len(self.state.deadline)

    @cached_property
    def destinations(self) -> npt.NDArray[np.uint32]:
        return np.arange(self.state.size, dtype=np.uint32) if self.all_destinations else self.state.destinations

    @cached_property
    def _sets(self) -> tuple[npt.NDArray[np.uint64], ...]:
        from homing.overlay.kernels.bitset import sets

        g, t, n = self.state.graph, self.state.trees, self.state.size
        found = sets(n, g.first, g.target, t.dist, t.via, t.order, t.at, t.size, self.state.wanted)
        cut = ((self.state.wanted == 1) & (t.dist >= NO_DEADLINE)).reshape(n, n)
        bits = np.uint64(1) << np.arange(n, dtype=np.uint64)
        base_cut = np.where(cut, bits, np.uint64(0)).sum(axis=1, dtype=np.uint64)
        return (*found, base_cut)

    def counts(self, scenarios: Scenarios, first: int, last: int, tallies: Tallies | None = None) -> I64:
        """One row a colour, columns as in COUNTS."""
        counts = np.zeros((last - first + 1) * len(COUNTS), np.int64)
        self.count_into(scenarios.arrays(first, last), first, counts, tallies)
        return counts.reshape(-1, len(COUNTS))

    def counted(
        self, scenarios: Scenarios, first: int, last: int, look: Look = nothing, progress: Progress = unseen
    ) -> Iterator[I64]:
        """The same in portions, between which a limit may end it."""
        for low, high in portions(first, last, PORTION, look):
            yield self.counts(scenarios, low, high)
            progress(high, last)

    def count_into(
        self, failures: tuple[I64, npt.NDArray[np.uint32]], first: int, counts: I64, tallies: Tallies | None = None
    ) -> None:
        """The kernel alone, on arrays that are there already."""
        self._run(failures, tallies or Tallies.none(), _no_record(), first, 0, BLOCK, counts)

    def changes(
        self, scenarios: Scenarios, first: int, last: int, tallies: Tallies | None = None, look: Look = nothing
    ) -> Iterator[tuple[int, I64, Changes]]:
        """Changed entries in portions: the first colour of each, its counts, its entries."""
        starts, elements = scenarios.arrays(first, last)
        done, total = 0, last - first + 1
        each = self.state.size**2
        record = _record(min(max(ROOM, each), each * total))
        counts = np.zeros(total * len(COUNTS), np.int64)
        rows = counts.reshape(-1, len(COUNTS))
        for _, end in portions(0, total - 1, total, look):
            asked = (starts[: end + 2], elements)
            while done <= end:
                upto, used = self._run(asked, tallies or Tallies.none(), record, first, done, 1, counts)
                yield first + done, rows[done:upto], Changes(*(column[:used].copy() for column in record))
                done = upto

    def _run(
        self,
        failures: tuple[I64, npt.NDArray[np.uint32]],
        tallies: Tallies,
        record: tuple[npt.NDArray[Any], ...],
        first_colour: int,
        begin: int,
        block: int,
        counts: I64,
    ) -> tuple[int, int]:
        g, t, state = self.state.graph, self.state.trees, self.state
        graph: tuple[Any, ...]
        n, links, end = np.uint64(g.brokers), np.uint64(g.links), len(failures[0]) - 1
        tally = (tallies.changes, tallies.first, tallies.losses)
        plan = (state.slot, state.normal_faults, first_colour, begin, end)
        if self.uses_words and not self._needs_delays(record):
            from homing.overlay.kernels.bitset import scan_words

            parallel = bool((state.slot != np.arange(g.arcs)).any())
            graph = (
                n, links, parallel, g.first, g.source, g.target, g.link, g.back_first, g.back, g.link_first,
                g.link_arcs,
            )  # fmt: skip
            chosen = np.bitwise_or.reduce(np.uint64(1) << self.destinations.astype(np.uint64), initial=np.uint64(0))
            upto, used = scan_words(graph, self._sets, t.via, (chosen,), failures, tally, record[:5], *plan, counts)
            return int(upto), int(used)
        from homing.overlay.kernels.scan import scan

        timed = self._needs_delays(record) or bool(len(state.deadline))
        graph = (
            n, links, g.uniform, g.first, g.source, g.target, self._weight, g.latency, g.back_first, g.back,
            g.link_first, g.link_arcs,
        )  # fmt: skip
        trees = (self._dist, t.via, t.order, t.at, t.size, self._delay if timed else self._delay[:0])
        pairs = (state.wanted, state.deadline, self.destinations)
        upto, used = scan(graph, trees, pairs, failures, tally, record, *plan, block, counts)
        return int(upto), int(used)

    def _needs_delays(self, record: tuple[npt.NDArray[Any], ...]) -> bool:
        """Recorded routes carry their latency where links have one."""
        return len(record[0]) > 0 and bool(self.state.graph.latency.any())


def _record(room: int) -> tuple[npt.NDArray[Any], ...]:
    kinds = (np.uint32, np.uint16, np.uint16, np.uint16, np.int64, np.int64)
    return tuple(np.zeros(room, kind) for kind in kinds)


def _no_record() -> tuple[npt.NDArray[Any], ...]:
    return _record(0)


def table(state: State, changes: Changes, colour: int) -> U16:
    """All next hops under one colour: the normal table with its changes."""
    hops = state.hops.copy()
    rows = slice(*np.searchsorted(changes.colour, np.array([colour, colour + 1], np.uint32)))
    n = state.size
    hops[changes.destination[rows].astype(np.int64) * n + changes.source[rows]] = changes.hop[rows]
    return hops


__all__ = ["COUNTS", "NO_BROKER", "Changes", "Router", "Tallies", "table"]
