"""A plain search through zones, with every extrapolation, finds what the region graph has."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.scale import scaled
from tests.timed.discrete import Asked
from tests.timed.networks import Network
from tests.timed.oracles import RegionGraph
from tests.timed.systems import Features, network

from homing.core import interpreter
from homing.core.values import State
from homing.timed import zones
from homing.timed.system import NEVER

Extrapolation = Callable[[zones.Zone, list[int], list[int]], zones.Zone]
EXTRAPOLATIONS: dict[str, Extrapolation] = {
    "LU": zones.extrapolate_lu,
    "M": lambda zone, lower, upper: zones.extrapolate_m(zone, [max(*pair) for pair in zip(lower, upper)]),
}


def search(network: Network, label: int, extrapolate: Extrapolation) -> tuple[set[State], bool]:
    """The discrete states, and whether the condition holds somewhere."""
    asked = Asked(network)
    waiting: list[tuple[State, zones.Zone]] = []
    found: dict[State, list[zones.Zone]] = {}

    def enter(state: State, zone: zones.Zone) -> None:
        timing = asked.timing(state)
        settled = zones.constrain(zone, timing.invariant)
        if settled is not None and timing.delay:
            settled = zones.constrain(zones.up(settled), timing.invariant)
        if settled is None:
            return
        settled = extrapolate(settled, *constants(network, label, state))
        if not any(zones.includes(known, settled) for known in found.setdefault(state, [])):
            found[state].append(settled)
            waiting.append((state, settled))

    for state in network.initial():
        enter(state, zones.zero(asked.clocks))
    holds = False
    while waiting:
        state, zone = waiting.pop()
        holds |= any(zones.satisfies(zone, cell.constraints) for cell in asked.cells(label, state))
        for option in asked.timing(state).options:
            enabled = zones.constrain(zone, option.action.guard)
            if enabled is not None:
                enter(option.target, zones.reset(enabled, option.action.resets))
    return {state for state, known in found.items() if known}, holds


def constants(network: Network, label: int, state: State) -> tuple[list[int], list[int]]:
    """Those of all parts, and of the condition."""
    numbers = [int(interpreter.label(network, part, state)) for part in network.parts]
    parts = [network.part(number) for number in numbers]
    lowers, uppers = [part.lower for part in parts], [part.upper for part in parts]
    lower, upper = network.constants(label)
    return [max(NEVER, *each) for each in zip(lower, *lowers)], [max(NEVER, *each) for each in zip(upper, *uppers)]


@pytest.mark.parametrize("extrapolation", EXTRAPOLATIONS)
@pytest.mark.parametrize("features", [Features(), Features(local_bounds=False), Features(copies=True, processes=1)])
@settings(max_examples=scaled(150))
@given(st.integers(0, 10**9))
def test_what_is_reachable(extrapolation: str, features: Features, seed: int) -> None:
    drawn = network(seed, features)
    label = drawn.condition(0)
    graph = RegionGraph(drawn, [label])
    states, holds = search(drawn, label, EXTRAPOLATIONS[extrapolation])
    assert states == {state for state, _ in graph.reachable}
    assert holds == graph.is_reachable(label)
