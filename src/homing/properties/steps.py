"""Conditions on every step: decided edge by edge."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from homing.core import evaluate
from homing.core.errors import HomingError
from homing.core.interpreter import apply, label, replay, short, successors
from homing.core.system import Shape, Step, TransitionSystem
from homing.core.temporal import EveryStep
from homing.core.values import State, encode, same
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.properties.arena import Arena, Columns
from homing.properties.finding import Finding, finding
from homing.properties.lasso import Path, way_to

Stopped = Callable[[], str | None]


def check(prop: EveryStep, columns: Columns, system: TransitionSystem, stopped: Stopped) -> Finding:
    """The first step that breaks a condition, with a shortest way to it; states are numbered breadth first."""
    arena, shape = columns.arena("never"), system.shape
    merged = bool(shape.symmetry or shape.hidden)
    for number in prop.initially:
        failing = arena.initial[~columns.label(number)[arena.initial]]
        if len(failing):
            return finding(False, arena, Path(int(failing[0])), None if merged else system)
    if not merged:
        path = _broken(prop, arena)
        if path is not None:
            return finding(False, arena, path, system)
    if merged or shape.constraints or prop.among is not None:
        return Real(prop, arena, system, stopped).finding()
    return finding(True, arena, None, system)


def _broken(prop: EveryStep, arena: Arena) -> Path | None:
    broken = np.zeros(len(arena.target), np.bool_)
    for condition in prop.steps:
        broken |= ~arena.on_edges(condition)
    if not broken.any():
        return None
    edge = int(np.argmax(broken))
    path = way_to(arena, int(arena.source[edge]))
    path.edges.append(edge)
    return path


class Real:
    """Looks at the steps themselves, where the graph has others, or not all of them: under a symmetry or a view an
    edge ends in what stands for the state that the step leads to, and steps that a constraint forbids are no edges."""

    def __init__(self, prop: EveryStep, arena: Arena, system: TransitionSystem, stopped: Stopped) -> None:
        self.prop = prop
        self.arena = arena
        self.system = system
        self.steps = prop.among or system
        self.stopped = stopped
        self._known: list[dict[bytes, list[Step]]] = [{} for _ in system.shape.groups]
        self._truth: dict[tuple[int, int, int], bool] = {}

    def finding(self) -> Finding:
        """The verdict, with a trace where one can be followed through what stands for its states."""
        state = self.arena.columns.graph.state
        for number in range(self.arena.states):
            if (reason := self.stopped()) is not None:
                raise HomingError(reason)
            if self.broken(state(number)):
                way = way_to(self.arena, number).states(self.arena)
                return Finding(Verdict.VIOLATED, self.trace([state(each) for each in way]))
        return Finding(Verdict.HOLDS)

    def broken(self, state: State) -> bool:
        """Whether a step from the state breaks a condition."""
        return any(self._breaks(state, after) for after in self._after(state))

    def _after(self, state: State) -> Iterator[State]:
        """Where the steps from a state lead; groups are asked once for what they read."""
        shape = self.system.shape
        if shape.joint:
            yield from (after for _, after in successors(self.steps, state))
            return
        for number, group in enumerate(shape.groups):
            read = short(shape, group.reads, state)
            known, key = self._known[number], encode(read)
            if key not in known:
                known[key] = evaluate.steps(self.steps, number, read)
            for step in known[key]:
                yield apply(shape, step, state)

    def _breaks(self, before: State, after: State) -> bool:
        return not all(self._holds(position, before, after) for position in range(len(self.prop.steps)))

    def _holds(self, position: int, before: State, after: State) -> bool:
        condition = self.prop.steps[position]
        one, other = label(self.system, condition.before, before), label(self.system, condition.after, after)
        key = (position, int(one), int(other))
        if key not in self._truth:
            (self._truth[key],) = self.arena.columns.truth(condition, [key[1:]])
        return self._truth[key]

    def trace(self, way: list[State]) -> Trace | None:
        """Real steps along what stands for their states, and then one that breaks a condition."""
        shape = self.system.shape
        first, *rest = way
        states = [state for state in self.system.initial() if _alike(shape, state, first)][:1]
        moves: list[Move] = []
        for wanted in rest:
            for move, state in successors(self.system, states[-1]):
                if _alike(shape, state, wanted):
                    states.append(state)
                    moves.append(move)
                    break
        if len(states) <= len(rest):
            return None
        for move, state in successors(self.steps, states[-1]):
            if self._breaks(states[-1], state):
                trace = Trace(tuple(map(str, shape.slots)), (*states, state), (*moves, move), notation=shape.notation)
                replay(self.steps, trace)
                return trace
        return None


def _alike(shape: Shape, state: State, wanted: State) -> bool:
    """Whether one stands for the other."""
    shown = [slot for slot in range(len(state)) if slot not in shape.hidden]
    images = (state, *(permutation(state) for permutation in shape.symmetry))
    return any(all(same(image[slot], wanted[slot]) for slot in shown) for image in images)
