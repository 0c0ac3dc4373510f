"""Draws processes, and compares what is decided of them in pieces with the local engine's graph in one memory."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import Literal
from unittest.mock import patch

from tests.engines.spark.graph.pieces import decider
from tests.properties.test_processes import Lts

from homing.core.graph import Graph
from homing.core.interpreter import replay
from homing.core.property import OnGraph
from homing.core.temporal import Deterministic, DivergenceFree, Refines
from homing.core.values import State
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.engines.local.graph import explore
from homing.engines.spark.graph import processes, refining
from homing.properties.checker import Checker
from homing.properties.finding import Finding

SENSES: tuple[Literal["T", "F", "FD"], ...] = ("T", "F", "FD")


@dataclass(frozen=True)
class Starting(Lts):
    """It may start in several states."""

    first: int = 1

    def initial(self) -> list[State]:
        return [(state,) for state in range(self.first)]


def draw_process(draw: random.Random, states: int = 12) -> Starting:
    """Steps of a and b, and internal ones: few, or many."""
    count = draw.randint(1, states)
    events = ("a", "b", "tau") if draw.random() < 0.5 else ("a", "b", "a", "b", "a", "b", "tau")
    edges = {
        (draw.randrange(count), draw.choice(events), draw.randrange(count))
        for _ in range(int(count * (1.2 + draw.random())))
    }
    return Starting(tuple(sorted(edges)), min(count, 1 + (draw.random() < 0.15)))


def draw_refinement(draw: random.Random) -> tuple[Starting, Starting]:
    """A system, and a specification that it refines every so often: it has more steps, or other names for states."""
    system = draw_process(draw)
    if draw.random() < 0.3:
        return system, draw_process(draw, 5)
    more = draw_process(draw).edges[: draw.randint(0, 3)]
    twice = [(s + 20, event, t) for s, event, t in system.edges] + [(0, "tau", 20)]
    some = [edge for edge in system.edges if draw.random() < 0.97]
    return system, Starting(tuple(dict.fromkeys([*some, *more, *(twice if draw.random() < 0.3 else [])])), system.first)


def draw_question(draw: random.Random) -> tuple[Starting, OnGraph]:
    """A system, and what is asked of it."""
    kind = draw.randrange(4)
    if kind == 0:
        return draw_process(draw), DivergenceFree("d")
    if kind == 1:
        system = draw_process(draw)
        if draw.random() < 0.5:
            system = replace(system, edges=resolved(draw, system))
        return system, Deterministic("d", draw.choice(("processes", "processes", "steps")))
    system, specification = draw_refinement(draw)
    return system, Refines("r", specification, draw.choice(SENSES))


def resolved(draw: random.Random, system: Starting) -> tuple[tuple[int, str, int], ...]:
    """A part of the steps that is mostly deterministic: each state has one internal step or few others, and what
    internal steps lead to is the same however often they are taken."""
    chosen: dict[tuple[int, str], tuple[int, str, int]] = {}
    for edge in system.edges:
        if edge[1] != "tau" or edge[0] < edge[2]:
            chosen.setdefault((edge[0], edge[1]), edge)
    silent = {source for source, event in chosen if event == "tau"}
    kept = [edge for edge in chosen.values() if edge[0] not in silent or edge[1] == "tau" or draw.random() < 0.1]
    again = [(s + 20, event, t + 20) for s, event, t in kept] + [(0, "tau", 20)]
    return (*kept, *(again if 0 not in silent and draw.random() < 0.5 else []))


def compare(system: Starting, prop: OnGraph, bits: int, cache: int, step: int = 16) -> Finding:
    """Decides a property in both ways; what is decided in pieces. With a small step, the search begins with few levels,
    and the specification is normalised only as it is needed."""
    ahead = patch.object(processes, "AHEAD_SECONDS", 1.0 if step > 2 else 0.0)
    with ahead, patch.object(refining, "FIRST_LIMIT", step):
        return _compare(system, prop, bits, cache)


def _compare(system: Starting, prop: OnGraph, bits: int, cache: int) -> Finding:
    specification: Graph | None = explore(prop.specification) if isinstance(prop, Refines) else None
    expected = Checker(system, explore(system)).check(prop, specification)
    with decider(system, bits, (0,), most=0, cache=cache) as mine:
        found = mine.check(prop, specification)
    assert found.verdict is expected.verdict, (system, prop)
    assert found.vacuous == expected.vacuous, (system, prop)
    assert (found.trace is None) == (expected.trace is None)
    if found.trace is not None and expected.trace is not None:
        replay(system, found.trace)
        shown(found.trace, expected.trace, prop)
    assert found.verdict is Verdict.VIOLATED or found.trace is None
    return found


def shown(one: Trace, other: Trace, prop: OnGraph) -> None:
    """Both traces show the same kind of thing, after as many steps."""
    if isinstance(prop, Deterministic) and one.loop is None and prop.sense == "processes":
        answers(one)
        return
    assert steps_before(one) == steps_before(other)
    if one.loop is not None:
        assert all(move.event.name == "tau" for move in one.moves[one.loop :])
        assert one.loop < len(one.moves)


def steps_before(trace: Trace) -> int:
    """Before what the note speaks of: a loop, or a step too many; one state may do wrong in several ways."""
    if trace.loop is not None:
        return trace.loop
    return len(trace) - any(" it does " in note for note in trace.notes)


def answers(trace: Trace) -> None:
    """Two paths with one trace, of which one goes on and the other refuses to."""
    other = trace.branches[0].trace
    mine, theirs = visible(trace), visible(other)
    assert abs(len(mine) - len(theirs)) == 1
    assert mine[: len(theirs)] == theirs[: len(mine)]


def visible(trace: Trace) -> list[str]:
    return [move.event.name for move in trace.moves if move.event.name != "tau"]
