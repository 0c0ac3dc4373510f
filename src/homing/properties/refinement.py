"""Refinement of CSP processes, and divergence freedom.

Every pair of a state and a state of the normal specification is looked at (Roscoe, "Model-checking CSP", 1994): the
system must do no event that the normal state does not know, and offer no less than it allows. The specification is
normalised as the search gets there, for all of it may be much more than what the system does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.errors import HomingError
from homing.core.graph import Graph
from homing.core.system import Event, TransitionSystem
from homing.core.temporal import DivergenceFree, Refines
from homing.properties import kernels
from homing.properties.arena import Arena, Columns
from homing.properties.cycles import fair_cycles, of_arena
from homing.properties.fairness import Conditions
from homing.properties.finding import Finding, finding
from homing.properties.kernels.refinement import DIVERGENCE, FINE, SHIFT, TRACE, WAITING, first_pairs
from homing.properties.lasso import Path, short_cycle, way_back, way_to
from homing.properties.processes import Name, Normal, Normalisation, Process

Array = NDArray[Any]
NORMAL = (1 << SHIFT) - 1
"""The bits of a pair that are the normal state."""


def check(
    prop: Refines,
    columns: Columns,
    specification: Graph,
    system: TransitionSystem | None,
    stopped: Callable[[], str | None] = lambda: None,
) -> Finding:
    """Whether the graph refines the specification, with the trace that does not and what it refuses.

    Raises HomingError with what `stopped` says when it is time to stop.
    """
    spec = Process(specification, prop.hidden)
    normalisation = Normalisation(spec, max(1, -(-len(spec.alphabet) // 64)))

    def grow(needed: Array) -> Normal:
        reason = stopped()
        if reason is not None:
            raise HomingError(reason)
        normalisation.expand(needed.tolist())
        return normalisation.normal()

    first = grow(np.zeros(1, np.int64))
    breach = Breach(columns, Process(columns.graph, prop.hidden), spec.alphabet, first, grow)
    path = breach.find(prop.sense != "T", prop.sense == "FD")
    if path is None and not len(columns.graph.target):
        return finding(True, breach.arena, None, system, "the system does nothing")
    return finding(path is None, breach.arena, path, system)


def check_divergence(prop: DivergenceFree, columns: Columns, system: TransitionSystem | None) -> Finding:
    """Whether no behaviour does internal steps only from some point on."""
    arena = columns.arena("never")
    process = Process(columns.graph, prop.hidden)
    if not process.divergent.any():
        empty = None if process.internal.any() else "there are no internal steps"
        return finding(True, arena, None, system, empty)
    path = way_to(arena, int(np.flatnonzero(process.divergent)[0]))
    path.notes.append(f"diverges after {shown_trace(arena, path, prop.hidden)}")
    return finding(False, arena, diverging(arena, process, path), system)


def diverging(arena: Arena, process: Process, path: Path) -> Path:
    """The path with a cycle of internal steps at its end."""
    nodes = np.arange(arena.states)
    cycles = fair_cycles(of_arena(arena), Conditions(), nodes, process.internal.copy())
    _, cycle = short_cycle(cycles, Conditions(), [(0, path.states(arena)[-1])])
    return Path(path.first, path.edges + cycle, len(path.edges), path.branches, path.notes)


def shown_trace(arena: Arena, path: Path, hidden: frozenset[str]) -> str:
    """The visible events of a path: `⟨coin, tea⟩`."""
    events = (arena.columns.graph.events[arena.event[edge]] for edge in path.edges)
    return "⟨" + ", ".join(str(event) for event in events if event.name not in hidden) + "⟩"


class Breach:
    """Looks for a pair that breaks the refinement of a normal specification."""

    def __init__(
        self,
        columns: Columns,
        process: Process,
        alphabet: dict[Name, Event],
        normal: Normal,
        grow: Callable[[Array], Normal] | None = None,
    ) -> None:
        self.grow = grow
        """Gets the normal specification in which more is known; all is when there is none."""
        self.arena = columns.arena("never")
        self.process = process
        self.names = [str(event) for event in alphabet.values()]
        self.normal = normal
        self.words = max(1, -(-len(alphabet) // 64))
        self.visible = process.visible(alphabet)
        self.offers = process.offers(self.visible, self.words)
        self.what, self.state, self.spec_state, self.edge = FINE, -1, -1, -1

    def find(self, failures: bool, divergences: bool) -> Path | None:
        """The shortest path to a breach, with a note that says what it is; None when there is none."""
        arena, events = self.arena, len(self.names)
        no = np.zeros(arena.states, np.bool_)
        found = first_pairs(arena.initial)
        divergent = self.process.divergent if divergences else no
        while True:
            normal = self.normal
            self.what, at, self.edge, found = kernels.refine(
                arena.start, arena.target, arena.event, self.visible, found, normal.next, normal.known, events,
                self.offers, self.words, normal.accept_start, normal.accept,
                divergent, normal.divergent, failures, divergences,
            )  # fmt: skip
            if self.what != WAITING:
                break
            assert self.grow is not None
            waiting = found.pair[found.done : found.filled] & NORMAL
            self.normal = self.grow(np.unique(waiting))
        if self.what == FINE:
            return None
        pair = found.pair[: found.filled]
        self.state, self.spec_state = int(pair[at] >> SHIFT), int(pair[at] & NORMAL)
        path = way_back(at, pair >> SHIFT, found.parent, found.via)
        path.notes.append(f"after {shown_trace(arena, path, self.process.hidden)} {self.says()}")
        if self.what == TRACE:
            path.edges.append(int(self.edge))
        return diverging(arena, self.process, path) if self.what == DIVERGENCE else path

    def says(self) -> str:
        """What is wrong where it is broken."""
        row = self.normal.next[self.spec_state * len(self.names) : (self.spec_state + 1) * len(self.names)]
        allowed = [name for name, target in zip(self.names, row) if target >= 0]
        if self.what == TRACE:
            event = self.arena.columns.graph.events[self.arena.event[self.edge]]
            return f"it does {event}; the specification allows {_set(allowed)}"
        if self.what == DIVERGENCE:
            return "it diverges, which the specification does not"
        return f"it refuses {_set(self.refused())}; the specification offers {self._offered()}"

    def refused(self) -> list[str]:
        """The events of the alphabet that the state does not offer."""
        return [name for number, name in enumerate(self.names) if not _bit(self.offers, self.state, self.words, number)]

    def lacking(self) -> int:
        """An event that the first least set has and the state does not offer."""
        entry = int(self.normal.accept_start[self.spec_state])
        numbers = range(len(self.names))
        wanted = [n for n in numbers if _bit(self.normal.accept, entry, self.words, n)]
        return next(n for n in wanted if not _bit(self.offers, self.state, self.words, n))

    def _offered(self) -> str:
        low, high = self.normal.accept_start[self.spec_state : self.spec_state + 2]
        accept, words = self.normal.accept, self.words
        sets = [
            _set([name for number, name in enumerate(self.names) if _bit(accept, entry, words, number)])
            for entry in range(low, high)
        ]
        return " or ".join(sets) or "nothing that is stable"


def _bit(bits: Array, row: int, words: int, number: int) -> bool:
    return bool(int(bits[row * words + number // 64]) >> (number % 64) & 1)


def _set(names: list[str]) -> str:
    return "{" + ", ".join(names) + "}"
