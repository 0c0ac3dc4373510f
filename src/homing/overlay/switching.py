"""While a failure is being announced: some brokers follow the old colour's table, others the new one's.

The thesis leaves this out. Elements that fail at once, as those of a risk group do, are announced one by one: a broker
that knows of a part of them follows the table of that part, if it is a colour. A message to d can loop exactly if the
next hops of all these tables together contain a circle: each broker on it follows one of them. Arcs that are down carry
nothing and close no circle. Edited tables may loop on their own; such pairs loop under one of the colours alone, and
are not counted here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from homing.core.errors import HomingError
from homing.core.stop import Stopped
from homing.overlay.colours import NORMAL, Scenarios
from homing.overlay.edits import EVERY, Edits
from homing.overlay.portions import Look, Progress, nothing, unseen
from homing.overlay.routing import Router, table
from homing.overlay.tables import plan
from homing.overlay.trees import U16, State
from homing.overlay.walking import Outcome, Weather

# Mixing all colours goes through so many entries of tables, some hundred million a minute.
MOST_ENTRIES = 2_000_000_000
# Tables that are mixed at once lie in memory, two bytes an entry.
MOST_AT_ONCE = 250_000_000


@dataclass(frozen=True)
class MicroLoops:
    """How many changes of colour were mixed, and which can loop: (old colour, new colour, pairs at risk)."""

    transitions: int
    found: tuple[tuple[int, int, int], ...]
    left: int = 0
    """Colours that were mixed with no other: they fail several elements one after the other, or too many at once."""
    stopped: bool = False
    """Whether time was up before all changes were mixed."""

    @property
    def colours(self) -> list[int]:
        """The new colours, each once."""
        return list(dict.fromkeys(new for _, new, _ in self.found))

    @property
    def most(self) -> int:
        return max((pairs for _, _, pairs in self.found), default=0)


@dataclass(frozen=True)
class Change:
    """Brokers follow the tables of these colours: the first is the old one, the last the new one."""

    colours: tuple[int, ...]
    before: U16
    others: U16  # one row a table


def micro_loops(
    scenarios: Scenarios,
    state: State,
    which: str,
    upto: int,
    edits: Edits | None = None,
    look: Look = nothing,
    progress: Progress = unseen,
) -> MicroLoops:
    """Mixes colours that one event lies between: from the normal state ("single"), or from every colour ("all").

    An event is the failure of one element, of a risk group, or of what a line of the user's own list names. Once `look`
    raises Stopped, what was found is returned.
    """
    found: list[tuple[int, int, int]] = []
    reached: set[int] = set()
    transitions = 0
    stopped = False
    by_colour = _by_colour(edits, state.size)
    try:
        for change in _changes(scenarios, state, which, upto, look):
            look()
            transitions += 1
            old, new = change.colours[0], change.colours[-1]
            reached.add(new)
            if edits:
                pairs = _mixed_edited(state, scenarios, change, edits, by_colour)
            else:
                pairs = mixed(state, scenarios, new, change.before, change.others)
            if pairs:
                found.append((old, new, pairs))
            progress(len(reached), upto - NORMAL)
    except Stopped:
        stopped = True
    return MicroLoops(transitions, tuple(found), upto - NORMAL - len(reached), stopped)


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


def _mixed_edited(
    state: State, scenarios: Scenarios, change: Change, edits: Edits, by_colour: dict[int, list[tuple[int, int]]]
) -> int:
    """Without the pairs that loop by one of the tables alone."""
    n, new = state.size, change.colours[-1]
    old, *others = (
        _edited(by_colour, colour, hops) for colour, hops in zip(change.colours, (change.before, *change.others))
    )
    risky = np.zeros(n * n, np.uint8)
    if not mixed(state, scenarios, new, old, np.stack(others), risky):
        return 0
    weather = Weather(state, scenarios.failure(new))
    for d in {d for colour in change.colours for d in edits.destinations(colour)}:
        row = slice(d * n, (d + 1) * n)
        if risky[row].any():
            for hops in (old, *others):
                risky[row][weather.walk(d, hops[row]).outcome == Outcome.LOOPED] = 0
    return int(risky.sum())


def mixed(
    state: State, scenarios: Scenarios, new: int, before: U16, others: U16, risky: npt.NDArray[np.uint8] | None = None
) -> int:
    """Pairs whose messages can loop while brokers go over to a new colour, each following one of the tables."""
    from homing.overlay.kernels.walks import mix

    weather = Weather(state, scenarios.failure(new))
    g, n = state.graph, state.size
    marks = np.zeros(0, np.uint8) if risky is None else risky
    rows = others.reshape(-1, n * n)
    return int(mix(n, before, rows, g.first, g.target, weather.weight, state.wanted, weather.dead, marks))


def _changes(scenarios: Scenarios, state: State, which: str, upto: int, look: Look) -> Iterator[Change]:
    if which == "single":
        yield from _single(scenarios, state, upto, look)
        yield from _at_once(scenarios, state, upto, look)
        return
    if len(scenarios) * state.size**2 > MOST_ENTRIES:
        raise HomingError(f"{len(scenarios)} colours are too many to mix all of them; --switching single mixes some")
    tables = plan(scenarios, state, look)
    for new in range(NORMAL + 1, upto + 1):
        for colours in _steps(scenarios, new, state.size):
            yield _change(state, colours, lambda colour: tables.hops(colour).ravel())


def _change(state: State, colours: tuple[int, ...], hops: Callable[[int], U16]) -> Change:
    others = np.empty((len(colours) - 1, state.size**2), np.uint16)
    for row, colour in zip(others, colours[1:]):
        row[:] = hops(colour)
    return Change(colours, hops(colours[0]), others)


def _steps(scenarios: Scenarios, new: int, n: int) -> list[tuple[int, ...]]:
    """The colours that are mixed when a colour is reached: from each colour with one element less, and from the normal
    state where all fail at once, or no colour lies in between."""
    failure = scenarios.failure(new)
    smaller = (scenarios.colour(set(failure) - {element}) for element in failure)
    steps: list[tuple[int, ...]] = [(old, new) for old in smaller if old is not None]
    if not steps or tuple(sorted(failure)) in scenarios.at_once:
        steps += _parts(scenarios, new, n)
    return steps


def _parts(scenarios: Scenarios, new: int, n: int) -> list[tuple[int, ...]]:
    """The normal state, the colours of parts of a failure, and its own; nothing if their tables are too many."""
    colours = (*(part for part in scenarios.parts(new) if part != new), new)
    return [colours] if len(colours) * n**2 <= MOST_AT_ONCE else []


def _single(scenarios: Scenarios, state: State, upto: int, look: Look) -> Iterator[Change]:
    router = Router(state)
    for low, high in _runs(scenarios, upto):
        for first, counts, changes in router.changes(scenarios, low, high, look=look):
            for new in range(first, first + len(counts)):
                yield Change((NORMAL, new), state.hops, table(state, changes, new).reshape(1, -1))


def _at_once(scenarios: Scenarios, state: State, upto: int, look: Look) -> Iterator[Change]:
    router = Router(state)

    def hops(colour: int) -> U16:
        look()
        ((_, _, changes),) = router.changes(scenarios, colour, colour)
        return table(state, changes, colour)

    for failure in sorted(scenarios.at_once):
        new = scenarios.colour(failure)
        if new is not None and new <= upto:
            for colours in _parts(scenarios, new, state.size):
                yield _change(state, colours, hops)


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
