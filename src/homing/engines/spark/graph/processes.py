"""Refinement, determinism and divergence on a graph in pieces; see `homing.properties.refinement`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from homing.core.errors import HomingError
from homing.core.graph import Graph
from homing.core.property import OnGraph
from homing.core.system import Event, TransitionSystem
from homing.core.temporal import Deterministic, DivergenceFree, Refines
from homing.core.values import encode
from homing.core.witness import Trace
from homing.engines.spark.exploring import Run
from homing.engines.spark.graph.cutting import GOOD
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.determining import Part
from homing.engines.spark.graph.hiding import Events, diverging, events_of
from homing.engines.spark.graph.kernels.refining import DIVERGENCE, NORMAL, SHIFT, TRACE
from homing.engines.spark.graph.lassos import Lassos
from homing.engines.spark.graph.refining import Broken, Search
from homing.engines.spark.graph.setting import Setting
from homing.engines.spark.graph.supersteps import Supersteps
from homing.engines.spark.graph.walking import Hop, Node, Walk
from homing.engines.spark.graph.ways import Ways, least
from homing.properties.processes import Name, Normal, Normalisation, Process
from homing.properties.refinement import Breach

AHEAD, AHEAD_SECONDS = 1000, 1.0
"""Normal states that are found out before they are asked for, and for how long: to ask takes a superstep."""


@dataclass(frozen=True)
class Decided:
    """What shows the violation, if there is one."""

    violation: Callable[[], Trace] | None = None
    vacuous: str | None = None


@dataclass(frozen=True)
class TwoSteps:
    """Reports the first state with two steps of one event to different states: its number, position, both edges."""

    def step(self, desk: Desk) -> Sent:
        piece = desk.piece
        arena = piece.arena("never")
        numbers: dict[Name, int] = {}
        names = [numbers.setdefault(_name(event), len(numbers)) for event in piece.events]
        called = np.array(names or [0])[arena.event]
        order = np.lexsort((arena.target, called, arena.source))
        source, event, target = arena.source[order], called[order], arena.target[order]
        same = (source[1:] == source[:-1]) & (event[1:] == event[:-1]) & (target[1:] != target[:-1])
        found = np.flatnonzero(same)
        if len(found):
            state = int(source[found[0]])
            desk.report = int(piece.number[state]), state, int(order[found[0]]), int(order[found[0] + 1])
        yield from ()


def _name(event: Event) -> Name:
    """What tells events apart, whoever takes part in them."""
    return event.name, encode(event.arguments)


class Processes:
    """Decides what is asked of a system as a process of CSP."""

    def __init__(
        self,
        supersteps: Supersteps,
        run: Run,
        system: TransitionSystem,
        stopped: Callable[[], str | None],
        tracing: bool,
    ) -> None:
        self.supersteps = supersteps
        self.system = system
        self.stopped = stopped
        self.tracing = tracing
        self.ways = Ways(supersteps, run, system)
        self.walker = self.ways.walker

    def check(self, prop: OnGraph, specification: Graph | None) -> Decided:
        """The verdict on a property."""
        match prop:
            case Refines():
                assert specification is not None
                return self._refines(prop, specification)
            case DivergenceFree():
                return self._divergence_free(prop)
        assert isinstance(prop, Deterministic)
        return self._deterministic_steps() if prop.sense == "steps" else self._deterministic(prop.hidden)

    # Divergence

    def _divergence_free(self, prop: DivergenceFree) -> Decided:
        if not events_of(self.supersteps, prop.hidden).internal:
            return Decided(vacuous="there are no internal steps")
        return Decided(self._divergence(prop.hidden, ""))

    def _divergence(self, hidden: frozenset[str], so: str) -> Callable[[], Trace] | None:
        setting = diverging(self.supersteps, hidden, self.tracing)
        return None if setting is None else lambda: self._diverging(setting, hidden, so)

    def _diverging(self, setting: Setting, hidden: frozenset[str], so: str) -> Trace:
        """A shortest way to a state on a cycle of internal steps, and around it."""
        node = self.ways.first(GOOD)
        assert node is not None
        way = self.ways.to(node)
        shown = _shown((move.event for move in way.moves), hidden)
        around = Lassos(self.supersteps, setting).around(node)
        return self.ways.on(way, Walk(node, around, 0, notes=[f"diverges after {shown}{so}"]))

    # Refinement

    def _refines(self, prop: Refines, graph: Graph) -> Decided:
        process = Process(graph, prop.hidden)
        normalisation = Normalisation(process, max(1, -(-len(process.alphabet) // 64)))
        setting = diverging(self.supersteps, prop.hidden, True) if prop.sense == "FD" else None
        search = Search(self.supersteps, tuple(process.alphabet), prop.hidden)

        def grow(needed: list[int]) -> Normal:
            normalisation.expand(needed)
            until = time.monotonic() + AHEAD_SECONDS
            while time.monotonic() < until and (unknown := normalisation.unknown):
                normalisation.expand(unknown[:AHEAD])
            reason = self.stopped()
            if reason is not None:
                raise HomingError(reason)
            return normalisation.normal()

        failures, divergences = prop.sense != "T", prop.sense == "FD"
        divergent = None if setting is None else GOOD
        broken, normal = search.find(grow([0]), grow, failures, divergences, divergent)
        if broken is None:
            return Decided(vacuous=None if self._does_something() else "the system does nothing")
        found = broken
        return Decided(lambda: self._breach(search, found, normal, process.alphabet, setting))

    def _does_something(self) -> bool:
        edges = self.supersteps.catalog.edges
        if edges and self.system.shape.constraints:
            edges = events_of(self.supersteps, frozenset()).edges
        return edges > 0

    def _breach(
        self, search: Search, broken: Broken, normal: Normal, alphabet: dict[Name, Event], setting: Setting | None
    ) -> Trace:
        hops, end = search.way(broken, self.walker)
        says = self._explained(search, broken, normal, alphabet).says()
        note = f"after {_shown(self._events(hops), search.hidden)} {says}"
        loop = None
        if broken.what == TRACE:
            hops, end = self._taken(hops, broken)
        elif broken.what == DIVERGENCE:
            assert setting is not None
            loop = len(hops)
            hops = hops + Lassos(self.supersteps, setting).around(end)
        return self.walker.trace(Walk(end, hops, loop, notes=[note]), self.system)

    def _explained(self, search: Search, broken: Broken, normal: Normal, alphabet: dict[Name, Event]) -> Breach:
        """What is broken, as the local engine would tell of the one piece."""
        piece = self.supersteps.piece(broken.part)
        breach = Breach(piece.columns, Process(piece.graph, search.hidden), alphabet, normal)
        breach.what, breach.edge = broken.what, broken.edge
        breach.state, breach.spec_state = broken.pair >> SHIFT, broken.pair & NORMAL
        return breach

    def _taken(self, hops: list[Hop], broken: Broken) -> tuple[list[Hop], Node]:
        last = Hop(broken.part, broken.pair >> SHIFT, broken.edge, 0)
        return [*hops, last], self.walker.target(last, 0)

    def _events(self, hops: list[Hop]) -> list[Event]:
        return [self.walker.move(hop).event for hop in hops]

    # Determinism

    def _deterministic_steps(self) -> Decided:
        found = least(self.supersteps.once(TwoSteps()))
        if found is None:
            return Decided()
        part, (_, state, one, other) = found
        return Decided(lambda: self._two_steps(Hop(part, state, one, 0), Hop(part, state, other, 0)))

    def _two_steps(self, one: Hop, other: Hop) -> Trace:
        name = self.walker.move(one).event
        elsewhere = Walk(self.walker.target(other, 0), [other])
        branches: list[tuple[int | None, str, Walk]] = [(0, f"{name} leads elsewhere", elsewhere)]
        notes = [f"two steps {name} from one state lead to different states"]
        walk = Walk(self.walker.target(one, 0), [one], branches=branches, notes=notes)
        return self.ways.on(self.ways.to(Node(one.part, one.pair)), walk)

    def _deterministic(self, hidden: frozenset[str]) -> Decided:
        pieces = self.supersteps.catalog.pieces
        starts = {part: filed.counts[0] for part, filed in pieces.items() if filed.counts and filed.counts[0]}
        events = events_of(self.supersteps, hidden)
        if events.internal:
            divergence = self._divergence(hidden, ", so it may refuse and accept anything")
            if divergence is not None:
                return Decided(divergence)
        elif sum(starts.values()) <= 1 and least(self.supersteps.once(TwoSteps())) is None:
            return Decided()  # there is never a choice
        return self._two_answers(events, hidden, Node(min(starts), 0))

    def _two_answers(self, events: Events, hidden: frozenset[str], first: Node) -> Decided:
        """Two paths with one trace, of which one offers an event and the other refuses it."""
        names = tuple(events.alphabet)
        part = Part(self.supersteps, names, hidden, first)
        search, normal = Search(self.supersteps, names, hidden), part.normal()
        broken, _ = search.find(normal, _unknown, True)
        if broken is None:
            return Decided()
        found = broken
        return Decided(lambda: self._both(search, found, normal, part, events.alphabet))

    def _both(self, search: Search, broken: Broken, normal: Normal, part: Part, alphabet: dict[Name, Event]) -> Trace:
        hops, end = search.way(broken, self.walker)
        breach = self._explained(search, broken, normal, alphabet)
        numbers = {name: number for number, name in enumerate(alphabet)}
        visible = [numbers[_name(event)] for event in self._events(hops) if event.name not in search.hidden]
        goes_on = broken.what != TRACE
        event = breach.lacking() if goes_on else int(breach.visible[breach.arena.event[broken.edge]])
        if not goes_on:
            hops, end = self._taken(hops, broken)
        along, there = part.follow([*visible, event] if goes_on else visible)
        trace, name = _shown(self._events(along), search.hidden), breach.names[event]
        why = f"{'accepts' if goes_on else 'refuses'} {name}, by the trace {trace}"
        notes = [f"{name} is both accepted and refused after the same trace"]
        return self.walker.trace(Walk(end, hops, branches=[(None, why, Walk(there, along))], notes=notes), self.system)


def _unknown(needed: list[int]) -> Normal:
    raise AssertionError("all of a deterministic part is known")


def _shown(events: Iterable[Event], hidden: frozenset[str]) -> str:
    """The visible ones: `⟨coin, tea⟩`."""
    return "⟨" + ", ".join(str(event) for event in events if event.name not in hidden) + "⟩"
