"""A graph as a process of CSP: visible and internal events, what a state offers, normal forms."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.graph import Graph
from homing.core.system import Event
from homing.core.values import encode
from homing.properties import kernels

Array = NDArray[Any]
Name = tuple[str, bytes]


@dataclass(frozen=True, eq=False)
class Process:
    """A graph whose events with a name in `hidden` are internal; events are the same when name and arguments are."""

    graph: Graph
    hidden: frozenset[str]

    @cached_property
    def alphabet(self) -> dict[Name, Event]:
        """The visible events that occur, in a stable order."""
        visible = (event for event in self.graph.events if event.name not in self.hidden)
        named = {(event.name, encode(event.arguments)): event for event in visible}
        return {name: named[name] for name in sorted(named)}

    def visible(self, alphabet: Collection[Name]) -> Array:
        """By event its number in the alphabet: -1 when internal, one past the last when it is not in it."""
        position = {name: number for number, name in enumerate(alphabet)}
        numbers = [
            -1 if event.name in self.hidden else position.get((event.name, encode(event.arguments)), len(alphabet))
            for event in self.graph.events
        ]
        return np.array([*numbers, -1], np.int64)  # never empty

    @cached_property
    def internal(self) -> Array:
        """By edge, whether it is internal."""
        return self.visible({})[self.graph.event] < 0

    @cached_property
    def divergent(self) -> Array:
        """The states on a cycle of internal steps."""
        graph = self.graph
        comp = np.full(graph.states, -1, np.int32)
        nodes = np.arange(graph.states, dtype=np.uint32)
        alive = self.internal.copy()
        start, target = np.asarray(graph.start, np.int64), np.asarray(graph.target, np.uint32)
        count = kernels.components(start, target, alive, nodes, comp)
        inner = np.zeros(count, np.bool_)
        marks = np.zeros(len(target), np.uint64)
        kernels.gather(start, target, alive, nodes, comp, marks, np.zeros(count, np.uint64), inner)
        return np.asarray(inner[comp])

    def offers(self, visible: Array, words: int) -> Array:
        """By state, `words` numbers with the bits of the visible events that it offers."""
        bits = np.zeros(self.graph.states * words, np.uint64)
        number = visible[self.graph.event]
        known = np.flatnonzero((number >= 0) & (number < 64 * words))
        at = self.graph.source[known].astype(np.int64) * words + number[known] // 64
        np.bitwise_or.at(bits, at, np.uint64(1) << (number[known] % 64).astype(np.uint64))
        return bits


@dataclass(frozen=True)
class Normal:
    """A deterministic automaton with what each state may refuse: `accept[start[d]:]` are the least sets it offers.

    Of a state that is not `known` yet, only its number is.
    """

    known: Array
    next: Array
    accept_start: Array
    accept: Array
    divergent: Array


class Normalisation:
    """The subset construction over internal steps; state 0 is what may be before any event."""

    def __init__(self, process: Process, words: int) -> None:
        self.process = process
        self.words = words
        graph = process.graph
        self.events = len(process.alphabet)
        self._number = process.visible(process.alphabet)[graph.event].tolist()
        self._target = graph.target.tolist()
        self._start = graph.start.tolist()
        self._offers = process.offers(process.visible(process.alphabet), words)
        self._diverges = process.divergent.tolist()
        self._numbers: dict[frozenset[int], int] = {}
        self._sets: list[frozenset[int]] = []
        self._rows: list[list[int] | None] = []
        self._accepted: list[list[tuple[int, ...]]] = []
        self._divergent: list[bool] = []
        self._add(self._closed(map(int, graph.initial)))

    def _add(self, states: frozenset[int]) -> int:
        if states not in self._numbers:
            self._numbers[states] = len(self._sets)
            self._sets.append(states)
            self._rows.append(None)
            self._accepted.append([])
            self._divergent.append(any(self._diverges[state] for state in states))
        return self._numbers[states]

    @property
    def unknown(self) -> list[int]:
        """The states of which only the number is known."""
        return [number for number, row in enumerate(self._rows) if row is None]

    def expand(self, normal_states: Iterable[int]) -> None:
        """Finds out what comes after these, and what they offer."""
        for number in normal_states:
            if self._rows[number] is None:
                row = [-1] * self.events
                for event, reached in self._after(self._sets[number]).items():
                    row[event] = self._add(self._closed(reached))
                self._rows[number] = row
                self._accepted[number] = self._acceptances(self._sets[number])

    def normal(self) -> Normal:
        """The normal form, as far as it is known."""
        nowhere = [-1] * self.events
        flat = [entry for sets in self._accepted for entry in sets]
        return Normal(
            known=np.array([row is not None for row in self._rows]),
            next=np.array([nowhere if row is None else row for row in self._rows], np.int64).reshape(-1),
            accept_start=np.concatenate([[0], np.cumsum([len(sets) for sets in self._accepted])]).astype(np.int64),
            accept=np.array(flat, np.uint64).reshape(-1),
            divergent=np.array(self._divergent),
        )

    def _closed(self, states: Any) -> frozenset[int]:
        """With all that internal steps lead to."""
        found = set(states)
        waiting = list(found)
        while waiting:
            state = waiting.pop()
            for edge in range(self._start[state], self._start[state + 1]):
                if self._number[edge] < 0 and self._target[edge] not in found:
                    found.add(self._target[edge])
                    waiting.append(self._target[edge])
        return frozenset(found)

    def _after(self, states: frozenset[int]) -> dict[int, set[int]]:
        after: dict[int, set[int]] = {}
        for state in sorted(states):
            for edge in range(self._start[state], self._start[state + 1]):
                if self._number[edge] >= 0:
                    after.setdefault(self._number[edge], set()).add(self._target[edge])
        return after

    def _acceptances(self, states: frozenset[int]) -> list[tuple[int, ...]]:
        """The least sets of events that a stable state of these offers."""
        words, sets = self.words, set[tuple[int, ...]]()
        for state in states:
            if all(self._number[edge] >= 0 for edge in range(self._start[state], self._start[state + 1])):
                sets.add(tuple(int(word) for word in self._offers[state * words : (state + 1) * words]))
        return sorted(
            one
            for one in sets
            if not any(other != one and all(a & ~b == 0 for a, b in zip(other, one)) for other in sets)
        )
