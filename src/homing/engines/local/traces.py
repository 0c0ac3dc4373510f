"""A shortest trace to a state, found backwards through the levels and walked forwards by the interpreter."""

from __future__ import annotations

import numpy as np

from homing.core.interpreter import ReplayFailed, replay, successors
from homing.core.values import State
from homing.core.witness import Move, Trace
from homing.engines.local import kernels
from homing.engines.local.search import Search
from homing.engines.local.visited import Level


def trace_to(search: Search, state: State, level: int) -> Trace:
    """A shortest path to a state that was found in the level with this number; replayed."""
    waypoints = [state]
    for earlier in search.visited.backwards(level - 1):
        waypoints.append(_predecessor(search, earlier, waypoints[-1]))
    trace = walk(search, waypoints[::-1])
    replay(search.system, trace)
    return trace


def _predecessor(search: Search, level: Level, state: State) -> State:
    """The first state of a level with a step to the state (or, under a symmetry, to one like it)."""
    for skip in range(0, len(level), search.batch):
        for found in search.rounds(level, skip, min(search.batch, len(level) - skip), recording=True):
            target = search.evaluator.rows([state])[0]
            chunk, number = kernels.match(found.out, target)
            if chunk >= 0:
                return search.evaluator.state(found.rows[found.out.origin[chunk, number]])
    raise ReplayFailed(f"no state leads to {state}")


def walk(search: Search, waypoints: list[State]) -> Trace:
    """The waypoints stand for their orbits; the walk follows them with real steps from a real initial state."""
    slots = tuple(map(str, search.system.shape.slots))
    starts = [state for state in search.system.initial() if _same(search, state, waypoints[0])]
    states, moves = [starts[0]], list[Move]()
    for waypoint in waypoints[1:]:
        for move, state in successors(search.system, states[-1]):
            if _same(search, state, waypoint):
                states.append(state)
                moves.append(move)
                break
        else:
            symmetry = "; the system may not be symmetric as declared" if search.system.shape.symmetry else ""
            raise ReplayFailed(f"no step from {states[-1]} is the one that was found{symmetry}")
    return Trace(slots, tuple(states), tuple(moves), notation=search.system.shape.notation)


def _same(search: Search, one: State, other: State) -> bool:
    rows = search.rows([one, other])  # at once: values that turn up may change the layout
    return np.array_equal(rows[0], rows[1])
