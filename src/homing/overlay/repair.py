"""A wrong table entry: which one it is, what it should say, and the proof that this helps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from homing.core.errors import Place
from homing.overlay.colours import Scenarios
from homing.overlay.edits import EVERY, Edits, Key
from homing.overlay.trees import NO_BROKER, State
from homing.overlay.walking import Outcome, Weather

MOST_REPAIRS = 50


@dataclass(frozen=True)
class Repair:
    """One entry to change; `verified`: with all repairs made, no message loops or gets stuck any more."""

    colour: int  # the first one under which the entry does harm
    every_colour: bool
    broker: int
    destination: int
    wrong: int | None
    right: int | None
    place: Place | None
    verified: bool = False


def propose(scenarios: Scenarios, state: State, edits: Edits) -> list[Repair]:
    """The fewest edited entries, taken one culprit at a time, whose computed values bring all messages home."""
    left = edits
    found: list[Repair] = []
    while len(found) < MOST_REPAIRS:
        repair = _next(scenarios, state, left)
        if repair is None:
            break
        found.append(repair)
        key = (EVERY if repair.every_colour else repair.colour, repair.destination, repair.broker)
        left = left.without({key})
    verified = not any(_culprits(scenarios, state, left))
    return [
        Repair(r.colour, r.every_colour, r.broker, r.destination, r.wrong, r.right, r.place, verified) for r in found
    ]


def _next(scenarios: Scenarios, state: State, edits: Edits) -> Repair | None:
    for colour, destination, weather in _culprits(scenarios, state, edits):
        key = _guilty(state, edits, colour, destination, weather)
        if key is not None:
            c, d, broker = key
            wrong, right = edits.hops[key], int(weather.right(d)[1][broker])
            hops = [None if hop == NO_BROKER else hop for hop in (wrong, right)]
            return Repair(colour, c == EVERY, broker, d, hops[0], hops[1], edits.places.get(key))
    return None


def _culprits(scenarios: Scenarios, state: State, edits: Edits) -> Iterator[tuple[int, int, Weather]]:
    """Colours and destinations with messages that loop, get stuck, or come late because of an edit."""
    for colour in edits.colours(scenarios):
        weather = Weather(state, scenarios.failure(colour))
        for d in edits.destinations(colour):
            if _harm(state, weather, d, edits, colour):
                yield colour, d, weather


def _harm(state: State, weather: Weather, d: int, edits: Edits, colour: int) -> int:
    """Wanted pairs that fail with the edited table and not with the computed one."""
    n = state.size
    wanted = state.wanted[d * n : (d + 1) * n] == 1
    good = (Outcome.DELIVERED, Outcome.ABSENT)
    after = weather.walk(d, weather.table(colour, d, edits)).outcome
    before = weather.walk(d, weather.right(d)[1]).outcome
    return int((wanted & ~np.isin(after, good) & np.isin(before, good)).sum())


def _guilty(state: State, edits: Edits, colour: int, destination: int, weather: Weather) -> Key | None:
    """The edited entry whose removal helps most; the first of them when removing one alone does not."""
    keys: list[Key] = []
    for broker in edits.row(colour, destination):
        own = (colour, destination, broker)
        keys.append(own if own in edits.hops else (EVERY, destination, broker))
    if not keys:
        return None
    harm = {key: _harm(state, weather, destination, edits.without({key}), colour) for key in keys}
    return min(keys, key=lambda key: harm[key])
