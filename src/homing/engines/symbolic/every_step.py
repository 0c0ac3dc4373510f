"""Conditions on every step: a relation that must be empty."""

from __future__ import annotations

from homing.core.interpreter import replay
from homing.core.temporal import EveryStep
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.arrows import Arrow
from homing.engines.symbolic.described import Describing
from homing.engines.symbolic.relation import Relation
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept, Set
from homing.engines.symbolic.temporal import Finding
from homing.engines.symbolic.traces import trace_to, walk
from homing.engines.symbolic.world import World


def check(prop: EveryStep, search: Search, arena: Arena) -> Finding:
    """The nearest step that breaks a condition, with a shortest way to it. Steps out of the constraints count."""
    for number in prop.initially:
        failing = arena.initial & ~arena.label(number)
        if failing.satisfiable():
            return Finding(Verdict.VIOLATED, trace_to(search, [search.initial], failing))
    relation = search.relation if prop.among is None else _other(prop, search, arena)
    states = search.kept(arena.states)
    broken = search.kept(search.space.false)
    for arrow in relation.arrows():
        ends = search.kept(arrow.after(states.set))
        broken.set = broken.set | _broken(prop, search, arrow, states, ends)
    if not broken.set.satisfiable():
        return Finding(Verdict.HOLDS)
    return Finding(Verdict.VIOLATED, _trace(prop, search, relation, broken))


def _other(prop: EveryStep, search: Search, arena: Arena) -> Relation:
    """The steps of a system that has more of them, from the states that were found."""
    assert prop.among is not None
    world = World(prop.among, search.world.slots, search.space)
    world.also = search.world
    search.world.also = world
    relation = Relation(world, Describing(world, search.tuning.wide), search.tuning.cluster)
    relation.learn(search.kept(arena.states))
    return relation


def _broken(prop: EveryStep, search: Search, arrow: Arrow, states: Kept, ends: Kept) -> Set:
    """The states that have a step which breaks a condition."""
    labels, space = search.labels, search.space
    found = space.false
    for condition in prop.steps:
        labels.learn(condition.before, states)
        labels.learn(condition.after, ends)
        after = labels.values(condition.after, ends.set)
        for value, here in labels.values(condition.before, states.set).items():
            bad = space.false
            for other, there in after.items():
                if not condition.holds(value, other):
                    bad = bad | there
            found = found | (arrow.before(bad) & here)
            space.tick()
    return found


def _trace(prop: EveryStep, search: Search, relation: Relation, broken: Kept) -> Trace:
    """The way to the nearest of the states, and the step."""
    rings: list[Kept] = []
    for level in search.levels(lambda states: None):
        rings.append(level)
        if (level.set & broken.set).satisfiable():
            break
    way = trace_to(search, rings, rings[-1].set & broken.set)
    system, last = relation.world.system, search.kept(search.world.of_states([way.states[-1]]))
    for arrow in relation.arrows():
        ends = search.kept(arrow.after(last.set))
        for condition in prop.steps:
            before = search.labels.values(condition.before, last.set)
            for other, there in search.labels.values(condition.after, ends.set).items():
                if not condition.holds(next(iter(before)), other):
                    step = walk(system, [way.states[-1], search.world.state(there)])
                    moves: tuple[Move, ...] = (*way.moves, *step.moves)
                    trace = Trace(way.slots, (*way.states, step.states[-1]), moves, notation=way.notation)
                    replay(system, trace)
                    return trace
    raise AssertionError("a step that was found is none")
