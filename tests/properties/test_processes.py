"""Refinement, determinism and divergence against the definitions, on all traces up to a length."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import pytest

from homing.core.graph import Graph
from homing.core.interpreter import replay
from homing.core.system import Event, Group, Read, Shape, Slot, Step
from homing.core.temporal import Deterministic, DivergenceFree, Refines
from homing.core.values import Short, State
from homing.core.verdict import Verdict
from homing.core.witness import Trace
from homing.properties.checker import Checker
from homing.properties.finding import Finding

LONGEST = 7
ALPHABET = ("a", "b", "tau")


@dataclass(frozen=True)
class Lts:
    """Edges with an event each; state 0 is initial."""

    edges: tuple[tuple[int, str, int], ...]

    @property
    def states(self) -> int:
        return 1 + max((max(edge[0], edge[2]) for edge in self.edges), default=0)

    @property
    def shape(self) -> Shape:
        return Shape((Slot("at"),), tuple(Group(name, (Read(0),), (0,)) for name in ALPHABET))

    def initial(self) -> list[State]:
        return [(0,)]

    def next(self, group: int, read: Short) -> Iterator[Step]:
        for source, event, target in self.edges:
            if source == read[0] and event == ALPHABET[group]:
                yield Step(Event(event), {0: target})

    def label(self, label: int, read: Short) -> bool:
        raise AssertionError

    @property
    def graph(self) -> Graph:
        edges = sorted(self.edges, key=lambda edge: (edge[0], ALPHABET.index(edge[1])))
        events = np.array([ALPHABET.index(event) for _, event, _ in edges], np.uint32)
        counts = np.bincount(np.array([edge[0] for edge in edges], np.int64), minlength=self.states)
        return Graph(
            np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            np.array([edge[2] for edge in edges], np.uint32),
            events,
            events,
            tuple(map(Event, ALPHABET)),
            np.array([0, 1, self.states]),
            lambda number: (number,),
            lambda label: np.zeros(self.states),
        )

    # By the definitions

    def after(self, states: Iterable[int], event: str) -> set[int]:
        return {target for source, name, target in self.edges if source in states and name == event}

    def closed(self, states: Iterable[int]) -> frozenset[int]:
        found = set(states)
        while not (more := self.after(found, "tau")) <= found:
            found |= more
        return frozenset(found)

    def offers(self, state: int) -> frozenset[str]:
        return frozenset(name for source, name, _ in self.edges if source == state and name != "tau")

    def stable(self, states: Iterable[int]) -> list[int]:
        return [state for state in states if not self.after({state}, "tau")]

    def diverges(self, states: Iterable[int]) -> bool:
        return any(state in self.closed(self.after({state}, "tau")) for state in states)


def draw(seed: int) -> Lts:
    random_ = random.Random(seed)
    n = random_.randint(1, 4)
    count = random_.randint(0, 6)
    edges = {
        (random_.randrange(n), random_.choice(("a", "b", "a", "b", "tau")), random_.randrange(n)) for _ in range(count)
    }
    reached, order = {0}, [0]
    for state in order:
        for _, _, target in sorted(edge for edge in edges if edge[0] == state):
            if target not in reached:
                reached.add(target)
                order.append(target)
    number = {state: position for position, state in enumerate(order)}
    return Lts(tuple(sorted((number[s], event, number[t]) for s, event, t in edges if s in reached)))


def traces(lts: Lts, other: Lts) -> Iterator[tuple[tuple[str, ...], frozenset[int], frozenset[int]]]:
    """Traces of the first, with where both may be after them."""
    waiting: list[tuple[tuple[str, ...], frozenset[int], frozenset[int]]] = [((), lts.closed({0}), other.closed({0}))]
    while waiting:
        trace, mine, theirs = waiting.pop(0)
        yield trace, mine, theirs
        if len(trace) < LONGEST:
            for event in ("a", "b"):
                after = lts.closed(lts.after(mine, event))
                if after:
                    waiting.append(((*trace, event), after, other.closed(other.after(theirs, event))))


def refines(system: Lts, specification: Lts, sense: str) -> bool:
    anything: set[tuple[str, ...]] = set()
    for trace, mine, theirs in traces(system, specification):
        if sense == "FD" and (trace[:-1] in anything or (theirs and specification.diverges(theirs))):
            anything.add(trace)
            continue
        if not theirs or (sense == "FD" and system.diverges(mine)):
            return False
        allowed = [specification.offers(state) for state in specification.stable(theirs)]
        if sense != "T" and not all(
            any(least <= system.offers(state) for least in allowed) for state in system.stable(mine)
        ):
            return False
    return True


def deterministic(lts: Lts) -> bool:
    for _, states, _ in traces(lts, lts):
        if lts.diverges(states):
            return False
        for event in ("a", "b"):
            refusing = [state for state in lts.stable(states) if event not in lts.offers(state)]
            if refusing and lts.after(states, event):
                return False
    return True


def check(system: Lts, prop: Refines | Deterministic | DivergenceFree) -> Finding:
    specification = prop.specification.graph if isinstance(prop, Refines) else None  # type: ignore[attr-defined]
    found = Checker(system, system.graph).check(prop, specification)
    assert (found.trace is not None) == (found.verdict is Verdict.VIOLATED)
    if found.trace is not None:
        replay(system, found.trace)
    return found


def visible(trace: Trace) -> list[str]:
    return [move.event.name for move in trace.moves if move.event.name != "tau"]


@pytest.mark.parametrize("sense", ["T", "F", "FD"])
def test_refinement_agrees_with_the_definition(sense: str) -> None:
    violated = 0
    for seed in range(1500):
        system, specification = draw(2 * seed), draw(2 * seed + 1)
        if seed % 2:  # a part of the specification is refined by it more often
            keep = random.Random(seed)
            system = Lts(tuple(edge for edge in specification.edges if keep.random() < 0.8))
        found = check(system, Refines("r", specification, sense))  # type: ignore[arg-type]
        expected = refines(system, specification, sense)
        assert (found.verdict is Verdict.HOLDS) == expected, (seed, system, specification)
        violated += not expected
    assert 150 < violated < 1350


def test_determinism_agrees_with_the_definition() -> None:
    violated = 0
    for seed in range(2000):
        lts = draw(seed)
        found = check(lts, Deterministic("d"))
        assert (found.verdict is Verdict.HOLDS) == deterministic(lts), (seed, lts)
        if found.trace is not None and found.trace.loop is None:
            violated += 1
            one, other = visible(found.trace), visible(found.trace.branches[0].trace)
            assert abs(len(one) - len(other)) == 1, "one goes on, the other refuses to"
            assert one[: len(other)] == other[: len(one)]
    assert violated > 150


def test_divergence_agrees_with_the_definition() -> None:
    for seed in range(500):
        lts = draw(seed)
        found = check(lts, DivergenceFree("d"))
        assert (found.verdict is Verdict.VIOLATED) == lts.diverges(range(lts.states)), (seed, lts)
        if found.trace is not None:
            assert found.trace.loop is not None
            assert all(move.event.name == "tau" for move in found.trace.moves[found.trace.loop :])


VENDING = Lts(((0, "a", 1), (1, "b", 0)))


def test_the_offending_trace() -> None:
    found = check(Lts(((0, "a", 1), (1, "a", 1))), Refines("r", VENDING, "T"))
    assert found.trace is not None
    assert visible(found.trace) == ["a", "a"]
    assert found.trace.notes == ("after ⟨a⟩ it does a; the specification allows {b}",)


def test_the_refusal() -> None:
    found = check(Lts(((0, "a", 1), (0, "a", 2), (1, "b", 0))), Refines("r", VENDING, "F"))
    assert found.trace is not None
    assert found.trace.notes == ("after ⟨a⟩ it refuses {a, b}; the specification offers {b}",)


def test_the_divergence() -> None:
    diverging = Lts(((0, "a", 1), (1, "b", 0), (1, "tau", 2), (2, "tau", 1)))
    assert check(diverging, Refines("r", VENDING, "F")).verdict is Verdict.HOLDS
    found = check(diverging, Refines("r", VENDING, "FD"))
    assert found.trace is not None
    assert found.trace.loop is not None
    assert found.trace.notes == ("after ⟨a⟩ it diverges, which the specification does not",)


def test_steps_may_be_deterministic_where_the_process_is_not() -> None:
    lts = Lts(((0, "a", 1), (0, "tau", 2), (2, "b", 0)))
    assert check(lts, Deterministic("d", "steps")).verdict is Verdict.HOLDS
    assert check(lts, Deterministic("d")).verdict is Verdict.VIOLATED
    found = check(Lts(((0, "a", 1), (0, "a", 2), (2, "b", 0))), Deterministic("d", "steps"))
    assert found.trace is not None
    assert found.trace.branches[0].at == 0
