"""Conditions on every step: a relation that must be empty."""

from __future__ import annotations

from homing.core.formula import Between
from homing.core.interpreter import label, replay
from homing.core.system import TransitionSystem
from homing.core.temporal import EveryStep
from homing.core.values import State
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.engines.symbolic.arena import Arena
from homing.engines.symbolic.between import Judge
from homing.engines.symbolic.described import Describing
from homing.engines.symbolic.relation import Relation
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept
from homing.engines.symbolic.temporal import Finding
from homing.engines.symbolic.traces import trace_to, walk
from homing.engines.symbolic.world import World


def check(prop: EveryStep, search: Search, arena: Arena) -> Finding:
    """The nearest step that breaks a condition, with a shortest way to it. Steps out of the constraints count."""
    for number in prop.initially:
        failing = arena.initial & ~arena.label(number)
        if failing.satisfiable():
            return Finding(Verdict.VIOLATED, trace_to(search, [search.initial], failing))
    states = search.kept(arena.states)
    relation = search.relation if prop.among is None else _other(prop, search, states)
    ends = search.kept(search.space.false)
    for arrow in relation.arrows():
        ends.set = ends.set | arrow.after(states.set)
        search.space.tick()
    broken = search.kept(search.space.false)
    for condition in prop.steps:
        judge = Judge(search.labels, condition, states, ends)
        for arrow in relation.arrows():
            broken.set = broken.set | judge.breaking(arrow)
            search.space.tick()
    if not broken.set.satisfiable():
        return Finding(Verdict.HOLDS)
    return Finding(Verdict.VIOLATED, _trace(prop, search, relation, broken))


def _other(prop: EveryStep, search: Search, states: Kept) -> Relation:
    """The steps of a system that has more of them, from the states that were found."""
    assert prop.among is not None
    world = World(prop.among, search.world.slots, search.space)
    world.also = search.world
    search.world.also = world
    relation = Relation(world, search.tuning.cluster)
    relation.begin(Describing(world, search.tuning.wide))
    relation.learn(states)
    return relation


def _trace(prop: EveryStep, search: Search, relation: Relation, broken: Kept) -> Trace:
    """The way to the nearest of the states, and the step."""
    rings: list[Kept] = []
    for level in search.levels(lambda states: None):
        rings.append(level)
        if (level.set & broken.set).satisfiable():
            break
    way = trace_to(search, rings, rings[-1].set & broken.set)
    system, space, last = relation.world.system, search.space, way.states[-1]
    here = search.kept(search.world.of_states([last]))
    relation.learn(here)  # under a symmetry, it may be another of its orbit than was asked about
    for arrow in relation.arrows():
        for row in space.rows(arrow.after(here.set), space.now):
            end = search.world.decoded(row)
            if all(_holds(condition, search.system, last, end) for condition in prop.steps):
                continue
            step = walk(system, [last, end])
            moves: tuple[Move, ...] = (*way.moves, *step.moves)
            trace = Trace(way.slots, (*way.states, end), moves, notation=way.notation)
            replay(system, trace)
            return trace
    raise AssertionError("a step that was found is none")


def _holds(condition: Between, system: TransitionSystem, before: State, after: State) -> bool:
    return condition.holds(int(label(system, condition.before, before)), int(label(system, condition.after, after)))
