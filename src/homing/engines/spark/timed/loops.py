"""Loops in the graph of a search: the nearest one, in this process where the graph is small enough, else in pieces."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np

from homing.engines.spark.batches import column
from homing.engines.spark.kernels import Array
from homing.engines.spark.memory import most_edges
from homing.engines.spark.timed.exploring import Spread
from homing.engines.spark.timed.identity import PART, finder
from homing.engines.spark.timed.pieces import IN, OUT, Program, Sorting, Task, columns_of, sort, superstep
from homing.engines.spark.timed.site import Site
from homing.engines.spark.timed.trimming import TICKING, First, Mark, Trim, Walk
from homing.engines.zones.staying import nearest_loop

CAME = "came"
MOST_TRIES = 16
"""States that are tried for being on the nearest loop; then any loop will do."""
MOST_KEPT = 4
"""Pieces that are at hand when a way is read back."""


def loop(site: Site, spread: Spread, ticking: bool) -> list[int] | None:
    """The states of a loop, the first of them once more at the end; its first step is a tick, if that is wanted."""
    edges = spread.totals.edges
    if edges and edges + spread.states > most_edges(site.options, site.memory):
        return Loops(site, spread).nearest(ticking)
    names = sorted({name for part in spread.parts.values() for name in part.moves})
    source, target, tick = columns_of(site.folder, names, ("source", "target", "tick"))
    files = [filed.name for every in spread.filed.values() for filed in every]
    states, level, stem = columns_of(site.folder, files, ("state", "level", "stem"))
    # Numbered by level, as the search in one process numbers them.
    states = states[np.lexsort((states, stem, level))]
    by_name = np.argsort(states, kind="stable")

    def numbers(called: Array) -> Array:
        found: Array = by_name[np.searchsorted(states[by_name], called)]
        return found

    wanted = tick == 1 if ticking else np.ones(len(tick), np.bool_)
    moves = nearest_loop(numbers(source), numbers(target), wanted)
    if moves is None:
        return None
    return [int(source[moves[0]]), *(int(target[move]) for move in moves)]


class Loops:
    """Programs on the pieces of a graph, until a loop is found."""

    def __init__(self, site: Site, spread: Spread) -> None:
        self.site = site
        found = sorted((_key(who), filed) for who, filed in spread.filed.items())
        self._keys = np.array([key for key, _ in found], np.uint64)
        self._sizes = [sum(file.count for file in filed) for _, filed in found]
        self._states = [tuple(file.name for file in filed) for _, filed in found]
        names = sorted({name for part in spread.parts.values() for name in part.moves})
        share = spread.totals.edges // max(len(names), 1)
        todo = [Sorting(number, self._keys, name, share) for number, name in enumerate(names)]
        _, self._moves = site.rounds.run(partial(sort, site.folder), todo, len(self._keys))
        self._weight = spread.totals.edges // max(len(self._keys), 1)
        self._registers: list[dict[str, str]] = [{} for _ in self._keys]

    def nearest(self, ticking: bool) -> list[int] | None:
        """The loop that is nearest to the start, as far as a few tries tell."""
        self._trim(Trim(begin=True), ticking)
        tried: list[int] = []
        while True:
            found = [report for report in self._once(First(ticking, tuple(tried))).values() if report is not None]
            if not found:
                break
            begin = (min(found) if len(tried) < MOST_TRIES else max(found))[2]
            path = self._walk(begin, ticking)
            if path is not None:
                self.drop()
                return path
            tried.append(begin)
            if len(tried) > MOST_TRIES:
                # Whatever can be reached from there goes on for ever too, and is less.
                self._trim(Trim(reached=CAME), ticking)
            elif not ticking:
                self._trim(Trim(without=begin), ticking)
        self.drop()
        return None

    def _trim(self, program: Trim, ticking: bool) -> None:
        """Takes away what cannot be on a loop."""
        removed = self._fix(program)
        while ticking:
            for name, way in (("after", OUT), ("before", IN)):
                self._fix(Mark(name, way))
            removed = self._fix(Trim(within=("after", "before")))
            if not sum(removed):
                # A tick to what was taken away leads to no loop, and a walk from there to nowhere.
                self._fix(Mark(TICKING, IN, onward=False))
                return

    def _walk(self, begin: int, ticking: bool) -> list[int] | None:
        """A shortest way from a state back to it."""
        program, first = Walk(begin, ticking, CAME), True
        waiting: dict[int, str] = {}
        while first or waiting:
            reports, waiting = self._step(program, range(len(self._keys)) if first else waiting, waiting, first)
            if any(back for back, _ in reports.values()):
                self.site.folder.remove(waiting.values())
                return self._path(begin)
            first = False
        return None

    def _path(self, begin: int) -> list[int]:
        path, kept = [begin], dict[int, Array]()
        while len(path) == 1 or path[-1] != begin:
            bits, part, serial = finder(path[-1])
            piece = int(np.searchsorted(self._keys, np.uint64(bits << PART | part)))
            if piece not in kept:
                if len(kept) == MOST_KEPT:
                    kept.clear()
                kept[piece] = column(self.site.folder.read(self._registers[piece][CAME]), "value")
            path.append(int(kept[piece][serial]))
        return path[::-1]

    # Supersteps

    def _once(self, program: Program) -> dict[int, Any]:
        return self._step(program, range(len(self._keys)), {}, True)[0]

    def _fix(self, program: Program) -> list[int]:
        """Supersteps until nothing crosses; what they report."""
        reports, waiting = self._step(program, range(len(self._keys)), {}, True)
        every = [*reports.values()]
        while waiting:
            reports, waiting = self._step(program, waiting, waiting, False)
            every += reports.values()
        return every

    def _step(
        self, program: Program, active: Collection[int], waiting: dict[int, str], first: bool
    ) -> tuple[dict[int, Any], dict[int, str]]:
        site = self.site
        site.check()
        todo = [
            Task(
                site.run,
                part,
                self._keys,
                self._sizes[part],
                self._states[part],
                self._moves.get(part, ""),
                program,
                dict(self._registers[part]),
                waiting.get(part, ""),
                first,
                site.memory,
                self._weight,
            )
            for part in sorted(active)
        ]
        outcomes, sent = site.rounds.run(partial(superstep, site.folder), todo, len(self._keys))
        old = [*waiting.values()]
        for done in outcomes:
            registers = self._registers[done.part]
            old += [registers[name] for name in done.written if name in registers]
            registers.update(done.written)
        site.folder.remove(old)
        site.supersteps += 1
        site.say(f"superstep {site.supersteps}: {type(program).__name__.lower()}, {len(outcomes)} pieces")
        return {done.part: done.report for done in outcomes}, sent

    def drop(self) -> None:
        """Removes what was written for it."""
        self.site.folder.remove(self._moves.values())
        for registers in self._registers:
            self.site.folder.remove(registers.values())


def _key(who: str) -> int:
    bits, part = map(int, who.split(":"))
    return bits << PART | part
