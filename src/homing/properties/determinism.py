"""Determinism: by steps, and of processes as CSP has it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.system import TransitionSystem
from homing.core.temporal import Deterministic
from homing.core.values import encode
from homing.properties.arena import Arena, Columns
from homing.properties.finding import Finding, finding
from homing.properties.kernels.refinement import TRACE
from homing.properties.lasso import Path, way_to
from homing.properties.processes import Normal, Process
from homing.properties.refinement import Breach, diverging, shown_trace

Array = NDArray[Any]


def check(prop: Deterministic, columns: Columns, system: TransitionSystem | None) -> Finding:
    """Whether the system is deterministic, with two paths that show that it is not."""
    arena = columns.arena("never")
    path = _two_steps(arena) if prop.sense == "steps" else _two_answers(columns, prop.hidden)
    return finding(path is None, arena, path, system)


def _two_steps(arena: Arena) -> Path | None:
    """A state with two steps of one event to different states; whoever takes part in it."""
    numbers: dict[tuple[str, bytes], int] = {}
    names = [(event.name, encode(event.arguments)) for event in arena.columns.graph.events]
    called = np.array([numbers.setdefault(name, len(numbers)) for name in names] or [0])[arena.event]
    order = np.lexsort((arena.target, called, arena.source))
    source, event, target = arena.source[order], called[order], arena.target[order]
    same = (source[1:] == source[:-1]) & (event[1:] == event[:-1]) & (target[1:] != target[:-1])
    found = np.flatnonzero(same)
    if not len(found):
        return None
    one, other = int(order[found[0]]), int(order[found[0] + 1])
    state = int(arena.source[one])
    path = way_to(arena, state)
    at = len(path.edges)
    name = arena.columns.graph.events[arena.event[one]]
    path.edges.append(one)
    path.branches.append((at, f"{name} leads elsewhere", Path(state, [other])))
    path.notes.append(f"two steps {name} from one state lead to different states")
    return path


def _two_answers(columns: Columns, hidden: frozenset[str]) -> Path | None:
    """Two paths with one trace, of which one offers an event and the other refuses it.

    Resolves every choice at will, and asks whether the process refines what is left in failures: it does exactly when
    it is deterministic (Roscoe, "The Theory and Practice of Concurrency", 1997, 9.2: Lazić's algorithm).
    """
    arena, process = columns.arena("never"), Process(columns.graph, hidden)
    if not len(arena.initial):  # the constraints exclude them all
        return None
    if process.divergent.any():
        path = way_to(arena, int(np.flatnonzero(process.divergent)[0]))
        path.notes.append(f"diverges after {shown_trace(arena, path, hidden)}, so it may refuse and accept anything")
        return diverging(arena, process, path)
    chosen = _Chosen(arena, process)
    breach = Breach(columns, process, process.alphabet, chosen.normal())
    found = breach.find(True, False)
    if found is None:
        return None
    event = int(breach.visible[arena.event[breach.edge]]) if breach.what == TRACE else breach.lacking()
    goes_on = breach.what != TRACE
    other = chosen.follow(found.edges if goes_on else found.edges[:-1], event if goes_on else None)
    trace, name = shown_trace(arena, other, hidden), breach.names[event]
    found.notes = [f"{name} is both accepted and refused after the same trace"]
    found.branches.append((None, f"{'accepts' if goes_on else 'refuses'} {name}, by the trace {trace}", other))
    return found


class _Chosen:
    """A deterministic part of a process: of the ways on with one event, the first; internal steps at once."""

    def __init__(self, arena: Arena, process: Process) -> None:
        self.arena = arena
        self.process = process
        self.number = process.visible(process.alphabet)[arena.event]
        self.events = len(process.alphabet)

    def normal(self) -> Normal:
        """As a normal form; each state offers exactly what the one state it stands for does."""
        words = max(1, -(-self.events // 64))
        first = self._stable(int(self.arena.initial[0]), [])
        known, order, rows = {first: 0}, [first], list[list[int]]()
        for state in order:  # grows while it is walked
            row = [-1] * self.events
            for event, edge in self._ways(state).items():
                after = self._stable(int(self.arena.target[edge]), [])
                if after not in known:
                    known[after] = len(order)
                    order.append(after)
                row[event] = known[after]
            rows.append(row)
        offers = self.process.offers(self.process.visible(self.process.alphabet), words).reshape(-1, words)
        return Normal(
            known=np.ones(len(order), np.bool_),
            next=np.array(rows, np.int64).reshape(-1),
            accept_start=np.arange(len(order) + 1),
            accept=offers[order].reshape(-1),
            divergent=np.zeros(len(order), np.bool_),
        )

    def follow(self, edges: list[int], event: int | None) -> Path:
        """The path of the chosen part with the same visible events, and one more event if there is one."""
        path = Path(int(self.arena.initial[0]))
        state = self._stable(path.first, path.edges)
        for number in [*(int(self.number[edge]) for edge in edges), *([] if event is None else [event])]:
            if number >= 0:
                edge = self._ways(state)[number]
                path.edges.append(edge)
                state = self._stable(int(self.arena.target[edge]), path.edges)
        return path

    def _ways(self, state: int) -> dict[int, int]:
        """By event, the first edge with it."""
        ways: dict[int, int] = {}
        for edge in range(int(self.arena.start[state]), int(self.arena.start[state + 1])):
            ways.setdefault(int(self.number[edge]), edge)
        ways.pop(-1, None)
        return ways

    def _stable(self, state: int, edges: list[int]) -> int:
        """Where the first internal steps lead; adds them to the edges."""
        while True:
            low, high = int(self.arena.start[state]), int(self.arena.start[state + 1])
            edge = next((edge for edge in range(low, high) if self.number[edge] < 0), None)
            if edge is None:
                return state
            edges.append(edge)
            state = int(self.arena.target[edge])
