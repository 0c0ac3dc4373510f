"""Builds the state graph from a search that has found every state."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import numpy as np

from homing.core.errors import ModelError
from homing.core.graph import Graph, stable_order
from homing.core.system import Event, TransitionSystem
from homing.core.values import State
from homing.engines.local.evaluator import Failed
from homing.engines.local.expander import Round
from homing.engines.local.kernels import Array
from homing.engines.local.search import DEFAULT, Search
from homing.engines.local.tuning import Tuning
from homing.engines.local.visited import Level

OUTSIDE = np.uint32(0xFFFFFFFF)


def explore(system: TransitionSystem, threads: int = 1, tuning: Tuning = DEFAULT) -> Graph:
    """The graph of everything reachable."""
    search = Search(system, threads, tuning=tuning)
    level = search.start()
    while len(level):
        for _ in search.expand(level, 0, lambda dead: None):
            pass
        level = search.visited.close_level()
    return build(search)


def build(search: Search) -> Graph:
    """The graph of all states found; they must be all there are."""
    return _Builder(search).graph()


class _Builder:
    """A *place* numbers the rows partition by partition; the graph numbers the states level by level."""

    def __init__(self, search: Search) -> None:
        self.search = search
        sizes = search.visited.store.size
        self.base = np.cumsum(sizes) - sizes
        self.number = np.full(int(sizes.sum()), OUTSIDE, np.uint32)
        """By place, the number of the state."""
        self.levels = [level for level in search.visited.forwards() if len(level)]
        self.events: dict[object, tuple[int, Event]] = {}

    def graph(self) -> Graph:
        place, first = self._enumerate()
        source, target, group, event = self._edges()
        start = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=len(place)))])
        search, base = self.search, self.base.tolist()

        def state(number: int) -> State:
            part = bisect_right(base, place[number]) - 1
            return search.evaluator.state(search.visited.row(part, int(place[number]) - base[part]))

        events = tuple(event for _, event in self.events.values())
        return Graph(start, target, group, event, events, first, state, self._label)

    def _enumerate(self) -> tuple[Array, Array]:
        """Numbers the states inside the constraints: by state its place, by level its first state."""
        places, count = [], 0
        for level in self.levels:
            place = self._places(level)[self._inside(level)]
            self.number[place] = np.arange(count, count + len(place))
            places.append(place)
            count += len(place)
        first = np.concatenate([[0], np.cumsum([len(place) for place in places])])
        return np.concatenate(places), first

    def _places(self, level: Level) -> Array:
        sizes = level.high - level.low
        before = np.cumsum(sizes) - sizes
        places: Array = np.repeat(self.base + level.low - before, sizes) + np.arange(len(level))
        return places

    def _inside(self, level: Level) -> Array:
        constraints = self.search.system.shape.constraints
        inside: Array = (self._observe(level, constraints) != 0).all(axis=0)
        return inside

    def _observe(self, level: Level, labels: Sequence[int]) -> Array:
        return np.concatenate([values for _, values in self.search.observed(level, labels)], axis=1)

    def _label(self, label: int) -> Array:
        """By state, the value of a label."""
        values = [np.empty(0, np.int32)]
        for level in self.levels:
            try:
                values.append(self._observe(level, [label])[0][self.number[self._places(level)] != OUTSIDE])
            except Failed as failed:
                raise failed.error from None
        return np.concatenate(values)

    def _edges(self) -> tuple[Array, ...]:
        """By edge, in the order of the states: source, target, group and event."""
        edges = tuple(np.empty(self.search.tally.transitions, np.uint32) for _ in range(4))
        filled = 0
        for level in self.levels:
            numbers = self.number[self._places(level)]
            for skip in range(0, len(level), self.search.batch):
                size = min(self.search.batch, len(level) - skip)
                for found in self.search.rounds(level, skip, size, recording=True):
                    columns = self._of_round(found, numbers[skip : skip + size])
                    for edge, column in zip(edges, columns, strict=True):
                        edge[filled : filled + len(column)] = column
                    filled += len(columns[0])
        edges = tuple(edge[:filled] for edge in edges)
        # Rows that had to wait for something to be learnt come late; mostly everything is in order.
        if np.any(edges[0][1:] < edges[0][:-1]):
            order = stable_order(edges[0])
            edges = tuple(edge[order] for edge in edges)
        return edges

    def _of_round(self, found: Round, numbers: Array) -> tuple[Array, Array, Array, Array]:
        out = found.out
        origin, group, event = (
            np.concatenate([column[chunk, :filled] for chunk, filled in enumerate(out.filled)])
            for column in (out.origin, out.group, out.event)
        )
        search = self.search
        places = search.visited.locate(search.evaluator.plan, out, self.base, search.pool)
        if places.size and places.min() < 0:
            raise ModelError(
                "the model reaches a state that it did not reach before: it answers differently when asked twice"
            )
        target = self.number[places]
        source = numbers[found.positions[origin]]
        event = self._of_events(event)
        if not search.system.shape.constraints:
            return source, target, group, event
        inside = target != OUTSIDE
        return source[inside], target[inside], group[inside], event[inside]

    def _of_events(self, event: Array) -> Array:
        """The memo may forget, and number events anew; the graph's numbers stay."""
        known = self.search.evaluator.events
        numbers = np.zeros(len(known), np.uint32)
        for position in np.flatnonzero(np.bincount(event, minlength=len(known))):
            found = known[position]
            numbers[position] = self.events.setdefault(found.key, (len(self.events), found))[0]
        return numbers[event]
