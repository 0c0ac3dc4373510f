"""Strong global fairness: a cycle takes every step of each of its states.

So its states are a set that no step leaves: a bottom component of the arena. Of its product with the automaton, those
components are fair in which every step is taken. Components are found one by one, from a state in them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from homing.core.witness import Move
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.paths import Node, Row, Taken, Walker
from homing.engines.symbolic.play import Condition, Pairs, Play
from homing.engines.symbolic.space import Set

MOST_STEPS = 2_000
"""Of a component that is walked through step by step."""


def bottoms(arena: Arena) -> list[Set]:
    """The components that no step leaves; a state without a step is one."""
    space, kinds = arena.space, arena.real(())
    found, left = list[Set](), arena.states
    while left.satisfiable():
        forward, rest = space.false, left
        while rest.satisfiable():
            one = space.tuple(space.one(rest, space.now), space.now)
            forward = _closed(arena, one, arena.states, lambda states: [arena.after(kind, states) for kind in kinds])
            back = _closed(arena, one, forward, lambda states: [arena.before(kind, states) for kind in kinds])
            rest = forward & ~back
        found.append(forward)
        everything = arena.states
        left = left & ~_closed(arena, forward, everything, lambda s: [arena.before(kind, s) for kind in kinds])
    return found


def _closed(arena: Arena, states: Set, within: Set, step: Callable[[Set], list[Set]]) -> Set:
    found = new = states
    while new.satisfiable():
        more = arena.space.false
        for image in step(new):
            more = more | image
        new = more & within & ~found
        found = found | new
    return found


def fair(walker: Walker, pairs: Pairs, conditions: Sequence[Condition]) -> Pairs:
    """The pairs in components where every step is taken and every condition is satisfied."""
    play = walker.play
    found = play.none()
    for bottom in walker.arena.kept("bottoms", lambda: bottoms(walker.arena)):
        left, _ = play.fair([part & bottom for part in pairs], [c for c in conditions if c.by_state])
        while play.any(left):
            component = walker.component(walker.pick(left), left)
            left = play.without(left, component)
            if walker.is_fair(component, conditions) and _takes_all(play, component):
                found = play.either(found, component)
    return found


def _takes_all(play: Play, component: Pairs) -> bool:
    space, arena = play.space, play.arena
    visited = space.false
    for part in component:
        visited = visited | part
    for number, kind in enumerate(play.kinds):
        if kind.still:
            continue
        for arrow in kind.arrows:
            taken = space.false
            for link in play.links:
                if link.kind == number and link.inside:
                    here = component[link.source] & link.where
                    taken = taken | (here & space.forwards(component[link.target], arrow.slots))
            if (arrow.only(visited & ~taken).before(arena.states) & arena.states).satisfiable():
                return False
    return True


def tour(walker: Walker, entry: Node, component: Pairs) -> list[Taken] | None:
    """A way from a node through all steps of its component and back; None where they are too many."""
    edges: dict[Node, list[Taken]] = {entry: []}
    waiting, count = [entry], 0
    for node in waiting:  # grows while it is walked
        for step in walker.steps(node, component):
            edges[node].append(step)
            count += 1
            if step.after not in edges:
                edges[step.after] = []
                waiting.append(step.after)
        if count > MOST_STEPS:
            return None
    left = {_arena_edge(step) for steps in edges.values() for step in steps if not _is_still(walker, step)}
    found, at = list[Taken](), entry

    def is_new(step: Taken) -> bool:
        return _arena_edge(step) in left

    while left:
        way = _nearest(edges, at, is_new)
        found += way
        left.difference_update(map(_arena_edge, way))
        at = found[-1].after
    if at != entry or not found:
        found += _nearest(edges, at, lambda step: step.after == entry)
    return found


def _is_still(walker: Walker, step: Taken) -> bool:
    return walker.play.kinds[step.link.kind].still


def _arena_edge(step: Taken) -> tuple[Row, Move | None, Row]:
    return step.before[1], step.move, step.after[1]


def _nearest(edges: dict[Node, list[Taken]], start: Node, wanted: Callable[[Taken], bool]) -> list[Taken]:
    came: dict[Node, Taken | None] = {start: None}
    waiting = [start]
    for node in waiting:
        for step in edges[node]:
            if wanted(step):
                way, before = [step], came[node]
                while before is not None:
                    way.append(before)
                    before = came[before.before]
                return way[::-1]
            if step.after not in came:
                came[step.after] = step
                waiting.append(step.after)
    raise AssertionError("a component is not connected")
