"""Draws systems and properties, and compares what is decided in pieces with the local engine's graph in one memory."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from unittest.mock import patch

from tests.engines.spark.graph.pieces import decider
from tests.properties.drawing import STUTTERING, draw_fairness
from tests.properties.structures import (
    ANY_ATOM,
    LTL_BINARY,
    LTL_UNARY,
    PAST_BINARY,
    PAST_UNARY,
    Edge,
    System,
    Word,
    draw_ctl,
    draw_ltl,
    draw_structure,
    holds_on,
    is_fair,
)

from homing.core.formula import Formula, Happens, Taken, logic_of
from homing.core.interpreter import replay
from homing.core.system import TransitionSystem
from homing.core.temporal import StrongGlobal, Temporal
from homing.core.verdict import Verdict
from homing.core.witness import STUTTER, Trace
from homing.engines.local.graph import explore
from homing.engines.spark.graph import cutting, cycles, lassos
from homing.engines.spark.graph.desks import Desk, Sent
from homing.engines.spark.graph.setting import Setting
from homing.properties.checker import Checker
from homing.properties.finding import Finding

ON_STATES = tuple(atom for atom in ANY_ATOM if not isinstance(atom, Happens | Taken))


def draw_system(draw: random.Random) -> TransitionSystem:
    """A structure whose states are spread by hash over the partitions."""
    return System(draw_structure(draw, 14, 1.2 + draw.random()))


def draw_property(draw: random.Random, shape_labels: int = 3) -> Temporal:
    """A formula of either logic, with fairness or without."""
    formula: Formula
    if draw.random() < 0.5:
        formula = draw_ctl(draw, 1 + int(draw.random() * 3), ON_STATES)
    else:
        unary, binary = LTL_UNARY + PAST_UNARY, LTL_BINARY + PAST_BINARY
        formula = draw_ltl(draw, 1 + int(draw.random() * 4), unary, binary, ANY_ATOM)
    fairness = (StrongGlobal(),) if draw.random() < 0.1 else draw_fairness(draw)
    return Temporal(str(formula), formula, fairness, draw.choice(STUTTERING))


@dataclass(frozen=True)
class Blind:
    """In place of `Within`: leaves cycles that stay in one partition to what finds all others."""

    setting: Setting

    def step(self, desk: Desk) -> Sent:
        desk.report = 0
        yield from ()


def compare(
    system: TransitionSystem,
    properties: Sequence[Temporal],
    bits: int,
    owning: tuple[int, ...],
    most: int,
    cache: int,
    blind: bool = False,
) -> list[Finding]:
    """Decides the properties in both ways; what is decided in pieces. Where it is blind, no component is put together
    in one memory either, unless a loop has to take every step of it."""
    most_pairs = 0 if blind and not any(StrongGlobal() in prop.fairness for prop in properties) else lassos.MOST_PAIRS
    within = patch.object(cycles, "Within", Blind if blind else cutting.Within)
    with within, patch.object(lassos, "MOST_PAIRS", most_pairs):
        return _compare(system, properties, bits, owning, most, cache)


def _compare(
    system: TransitionSystem, properties: Sequence[Temporal], bits: int, owning: tuple[int, ...], most: int, cache: int
) -> list[Finding]:
    checker = Checker(system, explore(system))
    found = []
    with decider(system, bits, owning, most, cache) as mine:
        for prop in (prop.resolved(system.shape) for prop in properties):
            one, other = mine.check(prop), checker.check(prop)
            assert one.verdict is other.verdict, (str(prop.formula), prop)
            assert one.vacuous == other.vacuous, str(prop.formula)
            if one.verdict is Verdict.VIOLATED:
                assert (one.trace is None) == (other.trace is None), str(prop.formula)
            if one.trace is not None:
                replay(system, one.trace)
                if isinstance(system, System) and logic_of(prop.formula) != "CTL":
                    violates(system, one.trace, prop)
            found.append(one)
    return found


def violates(system: System, trace: Trace, prop: Temporal) -> None:
    """A lasso is fair, and the formula is false on it: as a naive reading says."""
    assert trace.loop is not None
    numbers = [state[0] for state in trace.states]
    assert all(isinstance(number, int) for number in numbers)
    if trace.loop == len(trace.moves):
        states, edges = numbers, [*_edges(trace), None]
    else:
        states, edges = numbers[:-1], _edges(trace)
    word = Word(system.structure, tuple(map(int, states)), tuple(edges), trace.loop)  # type: ignore[arg-type]
    assert is_fair(word, prop.fairness), str(prop)
    assert not holds_on(word, prop.formula), str(prop.formula)


def _edges(trace: Trace) -> list[Edge | None]:
    found: list[Edge | None] = []
    for before, move, after in zip(trace.states, trace.moves, trace.states[1:]):
        one, other = before[0], after[0]
        assert isinstance(one, int)
        assert isinstance(other, int)
        found.append(None if move == STUTTER else (one, int(move.group[1:]), other))
    return found
