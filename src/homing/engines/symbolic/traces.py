"""A shortest trace to a set of states: backwards through the levels as sets, forwards by the interpreter."""

from __future__ import annotations

from itertools import pairwise

from homing.core.interpreter import ReplayFailed, moves, replay
from homing.core.system import TransitionSystem
from homing.core.values import State
from homing.core.witness import Move, Trace
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept, Set


def trace_to(search: Search, rings: list[Kept], goal: Set) -> Trace:
    """A shortest path to one of the states, which are in the last of the levels; replayed."""
    waypoints = [search.world.state(goal)]
    for ring in reversed(rings[:-1]):
        waypoints.append(search.world.state(_predecessors(search, ring, waypoints[-1])))
    trace = walk(search.system, waypoints[::-1])
    replay(search.system, trace)
    return trace


def _predecessors(search: Search, ring: Kept, state: State) -> Set:
    target = search.kept(search.world.of_states([state]))
    inside = search.inside(ring)
    for arrow in search.relation.arrows():
        found = arrow.before(target.set) & inside
        if found.satisfiable():
            return found
    raise ReplayFailed(f"no state leads to {state}")


def walk(system: TransitionSystem, waypoints: list[State]) -> Trace:
    """The trace through these states, with the first step that leads from each to the next."""
    taken: list[Move] = []
    for before, after in pairwise(waypoints):
        move = next(moves(system, before, after), None)
        if move is None:
            raise ReplayFailed(f"no step leads from {before} to {after}")
        taken.append(move)
    shape = system.shape
    return Trace(tuple(map(str, shape.slots)), tuple(waypoints), tuple(taken), notation=shape.notation)
