"""While a failure is being announced: some brokers follow the old colour's table, others the new one's.

The thesis leaves this out. A message to d can loop exactly if the next hops of both tables together contain a
circle: each broker on it follows the one or the other. Arcs that are down carry nothing and close no circle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.colours import NORMAL, Scenarios
from homing.overlay.routing import Router, table
from homing.overlay.tables import plan
from homing.overlay.trees import U16, State
from homing.overlay.walking import Weather

# Mixing all colours goes through so many entries of tables, some hundred million a minute.
MOST_ENTRIES = 2_000_000_000


@dataclass(frozen=True)
class MicroLoops:
    """How many changes of colour were mixed, and which can loop: (old colour, new colour, pairs at risk)."""

    transitions: int
    found: tuple[tuple[int, int, int], ...]

    @property
    def colours(self) -> list[int]:
        """The new colours."""
        return [new for _, new, _ in self.found]

    @property
    def most(self) -> int:
        return max((pairs for _, _, pairs in self.found), default=0)


def micro_loops(scenarios: Scenarios, state: State, which: str, upto: int) -> MicroLoops:
    """Mixes colours that differ by one failed element: from normal only ("single"), or all of them ("all")."""
    found: list[tuple[int, int, int]] = []
    transitions = 0
    for old, new, before, after in _changes(scenarios, state, which, upto):
        transitions += 1
        pairs = mixed(state, scenarios, new, before, after)
        if pairs:
            found.append((old, new, pairs))
    return MicroLoops(transitions, tuple(found))


def mixed(
    state: State, scenarios: Scenarios, new: int, before: U16, after: U16, risky: npt.NDArray[np.uint8] | None = None
) -> int:
    """Pairs whose messages can loop while brokers go over to a new colour."""
    from homing.overlay.kernels.walks import mix

    weather = Weather(state, scenarios.failure(new))
    g = state.graph
    marks = np.zeros(0, np.uint8) if risky is None else risky
    n = state.size
    return int(mix(n, before, after, g.first, g.target, weather.weight, state.wanted, weather.dead, marks))


def _changes(scenarios: Scenarios, state: State, which: str, upto: int) -> Iterator[tuple[int, int, U16, U16]]:
    if which == "single":
        yield from _from_normal(scenarios, state, upto)
        return
    if len(scenarios) * state.size**2 > MOST_ENTRIES:
        raise HomingError(f"{len(scenarios)} colours are too many to mix all of them; --switching single mixes some")
    tables = plan(scenarios, state)
    for new in range(NORMAL + 1, upto + 1):
        failure = scenarios.failure(new)
        for element in failure:
            old = scenarios.colour(set(failure) - {element})
            if old is not None:
                yield old, new, tables.hops(old).ravel(), tables.hops(new).ravel()


def _from_normal(scenarios: Scenarios, state: State, upto: int) -> Iterator[tuple[int, int, U16, U16]]:
    router = Router(state)
    for low, high in _runs(scenarios, upto):
        for first, counts, changes in router.changes(scenarios, low, high):
            for new in range(first, first + len(counts)):
                yield NORMAL, new, state.hops, table(state, changes, new)


def _runs(scenarios: Scenarios, upto: int) -> Iterator[tuple[int, int]]:
    """Runs of colours with one failed element; they are few, whatever the number of colours."""
    start = NORMAL + 1
    for block in scenarios.blocks:
        singles = getattr(block, "size", None) == 1
        if singles and start <= upto:
            yield start, min(start + len(block) - 1, upto)
        elif hasattr(block, "failures"):
            yield from (
                (start + rank, start + rank)
                for rank, failure in enumerate(block.failures)
                if len(failure) == 1 and start + rank <= upto
            )
        start += len(block)
