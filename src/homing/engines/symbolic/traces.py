"""A shortest trace to a set of states: backwards through the levels as sets, forwards by the interpreter."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from homing.core.interpreter import ReplayFailed, moves, replay, successors
from homing.core.system import TransitionSystem
from homing.core.values import State, encode
from homing.core.witness import Move, Trace
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept, Set


def trace_to(search: Search, rings: list[Kept], goal: Set) -> Trace:
    """A shortest path to one of the states, which are in the last of the levels; replayed."""
    waypoints = [search.world.state(goal)]
    for ring in reversed(rings[:-1]):
        waypoints.append(search.world.state(_predecessors(search, ring, waypoints[-1])))
    trace = walk(search.system, _real(search, waypoints[::-1]))
    replay(search.system, trace)
    return trace


LONG = "this is not the shortest trace, which would take long to find"


class Far(Exception):
    """A shortest path would take too long to find."""


def nearest(search: Search, goal: Set, most: int) -> Trace:
    """A shortest path where that is not too much work, else some path."""
    if not search.complete:
        return some(search, goal)
    try:
        return shortest(search, goal, most)
    except Far:
        return some(search, goal)


def some(search: Search, goal: Set) -> Trace:
    """A path in the order in which states were found, which need not be a shortest one."""
    here = [search.world.state(goal)]
    while not (search.world.of_states([here[-1]]) & search.initial.set).satisfiable():
        here.append(search.world.state(_found_from(search, search.world.of_states([here[-1]]))))
    trace = walk(search.system, here[::-1])
    replay(search.system, trace)
    return replace(trace, notes=(LONG,))


def _found_from(search: Search, state: Set) -> Set:
    """States that were known before a state was found, and that the group that found it leads from."""
    number = next(number for number, entry in enumerate(search.history) if (entry.new.set & state).satisfiable())
    before = search.space.false
    for arrow in search.relation.of_group(search.history[number].group):
        before = before | arrow.before(state)
    for known in (search.initial, *(entry.new for entry in search.history[:number])):
        if (before & known.set).satisfiable():
            return before & known.set
    raise ReplayFailed("no state that was known before leads to one that was found")


def shortest(search: Search, goal: Set, most: int) -> Trace:
    """The same where all states are known, but not their levels: from both ends, each time from that with the simpler
    set. Raises Far where the sets have more nodes in all than `most`."""
    space, arrows = search.space, search.relation.arrows()
    inside = search.inside(search.reached)
    forwards, backwards = [search.kept(search.initial.set)], [search.kept(goal)]
    seen, work = [search.initial.set, goal], 0
    while not (forwards[-1].set & backwards[-1].set).satisfiable():
        new = space.false
        ahead = forwards[-1].set.node_count() <= backwards[-1].set.node_count()
        for arrow in arrows:
            new = new | (arrow.after(forwards[-1].set & inside) if ahead else arrow.before(backwards[-1].set) & inside)
            space.tick()
        rings, number = (forwards, 0) if ahead else (backwards, 1)
        rings.append(search.kept(new & ~seen[number]))
        seen[number] = seen[number] | new
        work += rings[-1].set.node_count()
        if work > most and search.history:
            raise Far
        if not rings[-1].set.satisfiable():
            raise ReplayFailed("no path leads to a state that was found")
    here = [search.world.state(forwards[-1].set & backwards[-1].set)]
    for ring in reversed(forwards[:-1]):
        here.append(search.world.state(_predecessors(search, ring, here[-1])))
    here.reverse()
    for ring in reversed(backwards[:-1]):
        here.append(search.world.state(_successors(search, ring, here[-1])))
    trace = walk(search.system, here)
    replay(search.system, trace)
    return trace


def _successors(search: Search, ring: Kept, state: State) -> Set:
    source = search.kept(search.world.of_states([state]))
    for arrow in search.relation.arrows():
        found = arrow.after(source.set) & ring.set
        if found.satisfiable():
            return found
    raise ReplayFailed(f"nothing follows on {state}")


def _predecessors(search: Search, ring: Kept, state: State) -> Set:
    alike = [state] if search.orbits is None else search.orbits.all_like(state)
    target = search.kept(search.world.of_states(alike))
    inside = search.inside(ring)
    for arrow in search.relation.arrows():
        found = arrow.before(target.set) & inside
        if found.satisfiable():
            return found
    raise ReplayFailed(f"no state leads to {state}")


def _real(search: Search, waypoints: list[State]) -> list[State]:
    """Where waypoints stand for their orbits: states of these orbits that steps lead through from an initial one."""
    if search.orbits is None:
        return waypoints
    orbits = [{encode(state) for state in search.orbits.all_like(waypoint)} for waypoint in waypoints]
    found = [next(state for state in search.system.initial() if encode(state) in orbits[0])]
    for orbit in orbits[1:]:
        after = next((state for _, state in successors(search.system, found[-1]) if encode(state) in orbit), None)
        if after is None:
            raise ReplayFailed(
                f"no step from {found[-1]} is the one that was found; the system may not be symmetric as declared"
            )
        found.append(after)
    return found


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
