"""While a failure is being announced: some brokers follow the old colour's table, others the new one's.

The thesis leaves this out. A message to d can loop exactly if the next hops of both tables together contain a
circle: each broker on it follows the one or the other. Arcs that are down carry nothing and close no circle.
Edited tables may loop on their own; such pairs loop under the old colour or the new, and are not counted here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.overlay.colours import NORMAL, Scenarios
from homing.overlay.edits import EVERY, Edits
from homing.overlay.routing import Router, table
from homing.overlay.tables import plan
from homing.overlay.trees import U16, State
from homing.overlay.walking import Outcome, Weather

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


def micro_loops(scenarios: Scenarios, state: State, which: str, upto: int, edits: Edits | None = None) -> MicroLoops:
    """Mixes colours that differ by one failed element: from normal only ("single"), or all of them ("all")."""
    found: list[tuple[int, int, int]] = []
    transitions = 0
    by_colour = _by_colour(edits, state.size)
    for old, new, before, after in _changes(scenarios, state, which, upto):
        transitions += 1
        if edits:
            tables = _edited(by_colour, old, before), _edited(by_colour, new, after)
            touched = {*edits.destinations(old), *edits.destinations(new)}
            pairs = _mixed_edited(state, scenarios, new, *tables, touched)
        else:
            pairs = mixed(state, scenarios, new, before, after)
        if pairs:
            found.append((old, new, pairs))
    return MicroLoops(transitions, tuple(found))


def _by_colour(edits: Edits | None, n: int) -> dict[int, list[tuple[int, int]]]:
    """Cells of the tables and their edited next hops."""
    found: dict[int, list[tuple[int, int]]] = {}
    for (colour, d, u), hop in edits.hops.items() if edits else ():
        found.setdefault(colour, []).append((d * n + u, hop))
    return found


def _edited(by_colour: dict[int, list[tuple[int, int]]], colour: int, hops: U16) -> U16:
    """A colour's table with its edited entries; what names the colour goes before the rest."""
    hops = hops.copy()
    for entries in (by_colour.get(EVERY, ()), by_colour.get(colour, ())):
        for cell, hop in entries:
            hops[cell] = hop
    return hops


def _mixed_edited(state: State, scenarios: Scenarios, new: int, before: U16, after: U16, touched: set[int]) -> int:
    """Without the pairs that loop by one of the two tables alone."""
    n = state.size
    risky = np.zeros(n * n, np.uint8)
    if not mixed(state, scenarios, new, before, after, risky):
        return 0
    weather = Weather(state, scenarios.failure(new))
    for d in touched:
        row = slice(d * n, (d + 1) * n)
        if risky[row].any():
            for hops in (before[row], after[row]):
                risky[row][weather.walk(d, hops).outcome == Outcome.LOOPED] = 0
    return int(risky.sum())


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
