"""Follows a trace through a system: which states may it be in after each event?

All of them are kept, since one event may lead to several states, and internal steps lead on unseen. Each knows how it
was reached by as few steps as possible, so that a run with all its steps can be shown.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from homing.core import evaluate, interpreter
from homing.core.errors import HomingError
from homing.core.result import Limits
from homing.core.stop import Stopped
from homing.core.system import Event, TransitionSystem
from homing.core.values import NotAValue, State, encode, same
from homing.core.verdict import Verdict
from homing.core.witness import STUTTER, Move, Trace
from homing.replaying.matching import INTERNAL, Wanted

MOST_STATES = 1_000_000
TERMINATION = "terminate"
"""The event by which processes of CSP# end: where it is all that may follow, a trace is complete."""
LOOKS_AT_CLOCK = 64
"""States between two looks at the clock, which cost more than a small state."""


@dataclass(frozen=True)
class Settings:
    """What counts as internal, what is asked of the last state, and when to give up."""

    internal: frozenset[str] = frozenset({INTERNAL})
    silent: bool = True
    """Whether internal steps may happen that the trace does not mention."""
    goal: tuple[int, ...] = ()
    """Labels that must be true after the trace, all of them: the parts of one condition."""
    ends: bool = False
    """Whether nothing visible may follow."""
    told: Callable[[State], State] = lambda state: state
    """How the trace tells a state: as engines know it, or as people do."""
    limits: Limits = field(default_factory=lambda: Limits(MOST_STATES))
    interrupted: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Run:
    """How far a trace leads: `trace` has every step of one way to go that far."""

    verdict: Verdict
    matched: int
    """Events that were followed; the next one, if there is one, is not possible or was not decided."""
    trace: Trace
    states: int
    reason: str = ""
    """Why it is UNKNOWN, or VIOLATED."""
    possible: tuple[Event, ...] = ()
    """The visible events that may come next where it is VIOLATED."""
    error: HomingError | None = None
    """Why the event that is not possible may never be: the language does not know it."""


@dataclass(eq=False)
class Node:
    """A state, and the step that it was reached by."""

    state: State
    depth: int = 0
    parent: Node | None = None
    move: Move | None = None


Layer = dict[bytes, Node]
"""States that a trace may be in, those reached in fewer steps first."""


@dataclass
class Around:
    """What there is around a layer: all its states with those that internal steps lead to, and what may come next."""

    nodes: Layer = field(default_factory=dict)
    ahead: Layer = field(default_factory=dict)
    visible: dict[object, Event] = field(default_factory=dict)
    onward: set[bytes] = field(default_factory=set)
    """States that a visible event is possible in, or that the model says nothing of what follows."""
    inner: dict[bytes, list[bytes]] = field(default_factory=dict)
    """By state, those that an internal step leads to it from."""
    similar: bool = False
    """Whether the event wanted is possible, though not by the step wanted."""


def follow(
    system: TransitionSystem,
    wanted: Sequence[Wanted],
    settings: Settings,
    start: State | None = None,
    initial: bool = True,
) -> Run:
    """Follows the events from every initial state, or from `start` only, which has to be `initial` or not."""
    return _Simulation(system, wanted, settings).run(start, initial)


class _Simulation:
    def __init__(self, system: TransitionSystem, wanted: Sequence[Wanted], settings: Settings) -> None:
        self.system = system
        self.wanted = wanted
        self.settings = settings
        self.states = 0
        self._inside = settings.internal
        self._inside_at_the_end = settings.internal | ({TERMINATION} if settings.ends else set())
        self._limits = settings.limits.started()

    def run(self, start: State | None, initial: bool) -> Run:
        layer = self._start(start, initial)
        if not layer:
            first = Node(evaluate.initial(self.system)[0])
            return self._run(Verdict.VIOLATED, 0, first, "its first state is no initial state")
        for position, wanted in enumerate(self.wanted):
            last = position + 1 == len(self.wanted)
            try:
                around = self._around(layer, wanted, any_will_do=last and not self._asks_of_the_end)
            except Stopped as stop:
                return self._run(Verdict.UNKNOWN, position, _first(layer), str(stop))
            if not around.ahead:
                return self._stuck(position, layer, around)
            layer = around.ahead
        return self._end(layer)

    # The ends of a run

    def _stuck(self, position: int, layer: Layer, around: Around) -> Run:
        wanted = self.wanted[position]
        event = f"event {position + 1} '{wanted.stage.shown}'"
        if around.similar:
            reason = f"{event} is possible there, but not by the group or to the state given"
        else:
            reason = f"{event} is not possible {f'after the {position} before it' if position else 'at the start'}"
        events = tuple(around.visible.values())
        return self._run(Verdict.VIOLATED, position, _first(layer), reason, events, wanted.error)

    @property
    def _asks_of_the_end(self) -> bool:
        return self.settings.ends or bool(self.settings.goal)

    def _end(self, layer: Layer) -> Run:
        total = len(self.wanted)
        if not self._asks_of_the_end:
            return self._run(Verdict.HOLDS, total, _first(layer))
        try:
            around = self._around(layer, None)
        except Stopped as stop:
            return self._run(Verdict.UNKNOWN, total, _first(layer), str(stop))
        fine = {key: node for key, node in around.nodes.items() if self.settings.silent or key in layer}
        if self.settings.ends:
            going_on = _backwards(around)
            fine = {key: node for key, node in fine.items() if key not in going_on}
            if not fine:
                events = tuple(around.visible.values())
                return self._run(Verdict.VIOLATED, total, _first(layer), "it does not end there", events)
        for node in fine.values():
            if all(interpreter.label(self.system, label, node.state) for label in self.settings.goal):
                return self._run(Verdict.HOLDS, total, node)
        goal = self.system.shape.labels[self.settings.goal[0]].name
        where = "where it ends" if self.settings.ends else "after it"
        return self._run(Verdict.VIOLATED, total, _first(fine), f"'{goal}' is not true {where}")

    def _run(
        self,
        verdict: Verdict,
        matched: int,
        node: Node,
        reason: str = "",
        possible: tuple[Event, ...] = (),
        error: HomingError | None = None,
    ) -> Run:
        slots = tuple(map(str, self.system.shape.slots))
        path = list(_path(node))
        moves = tuple(each.move for each in path if each.move is not None)
        trace = Trace(slots, tuple(each.state for each in path), moves, notation=self.system.shape.notation)
        return Run(verdict, matched, trace, self.states, reason, possible, error)

    # One event

    def _start(self, start: State | None, initial: bool) -> Layer:
        if start is not None and not initial:
            return {encode(start): Node(start)}
        states = {encode(state): Node(state) for state in evaluate.initial(self.system)}
        if start is None:
            return states
        return {key: node for key, node in states.items() if same(self.settings.told(node.state), start)}

    def _around(self, layer: Layer, wanted: Wanted | None, any_will_do: bool = False) -> Around:
        """Everything around a layer; `any_will_do` ends with the first state ahead."""
        around = Around()
        # By depth, so that every state is reached in as few steps as there are. The number keeps it deterministic.
        waiting = [(node.depth, number, key, node) for number, (key, node) in enumerate(layer.items())]
        heapq.heapify(waiting)
        number = len(waiting)
        while waiting and not (any_will_do and around.ahead):
            _, _, key, node = heapq.heappop(waiting)
            if key in around.nodes:
                continue
            around.nodes[key] = node
            self._count()
            for inner, reached in self._expand(key, node, wanted, around):
                around.inner.setdefault(inner, []).append(key)
                heapq.heappush(waiting, (reached.depth, number, inner, reached))
                number += 1
        return around

    def _expand(self, key: bytes, node: Node, wanted: Wanted | None, around: Around) -> Iterator[tuple[bytes, Node]]:
        """Notes the visible steps of a state; yields the internal ones that the trace may leave out."""
        if wanted is not None and wanted.stutters and wanted.leads_to(self.settings.told(node.state)):
            around.ahead.setdefault(key, Node(node.state, node.depth + 1, node, STUTTER))
        if not self._explored(node.state):
            around.onward.add(key)
            return
        for move, state in interpreter.successors(self.system, node.state):
            reached = Node(state, node.depth + 1, node, move)
            internal = move.event.name in (self._inside if wanted is not None else self._inside_at_the_end)
            if not internal:
                around.visible.setdefault(move.event.key, move.event)
                around.onward.add(key)
            if wanted is not None and wanted.matches(move.event):
                if wanted.taken_by(move, self.settings.told(state)):
                    around.ahead.setdefault(self._key(move, state), reached)
                else:
                    around.similar = True
            # What may follow the last event is of interest also where every step before it was mentioned.
            if internal and (self.settings.silent or wanted is None):
                yield self._key(move, state), reached

    def _explored(self, state: State) -> bool:
        """Beyond its constraints a model says nothing."""
        return all(interpreter.label(self.system, number, state) for number in self.system.shape.constraints)

    def _key(self, move: Move, state: State) -> bytes:
        try:
            return encode(state)
        except (NotAValue, RecursionError) as found:
            what = f"what group '{move.group}' writes"
            raise evaluate.no_value(found, what, self.system.shape.place) from None

    def _count(self) -> None:
        limits = self._limits
        if limits.states is not None and self.states >= limits.states:
            raise Stopped(f"stopped at {self.states:,} states")
        if self.states % LOOKS_AT_CLOCK == 0:
            overdue = limits.overdue()
            if overdue is not None:
                raise Stopped(overdue)
            if self.settings.interrupted():
                raise Stopped("interrupted")
        self.states += 1


def _first(layer: Layer) -> Node:
    return min(layer.values(), key=lambda node: node.depth)


def _path(node: Node) -> list[Node]:
    path = [node]
    while path[-1].parent is not None:
        path.append(path[-1].parent)
    return path[::-1]


def _backwards(around: Around) -> set[bytes]:
    """The states from which a visible event can be reached."""
    waiting = list(around.onward)
    found = set(waiting)
    while waiting:
        for before in around.inner.get(waiting.pop(), ()):
            if before not in found:
                found.add(before)
                waiting.append(before)
    return found
