"""Edited entries in the results: rows of routes and deliveries as the edited tables make them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from homing.overlay import results
from homing.overlay.colours import NORMAL, Scenarios
from homing.overlay.edits import Edits
from homing.overlay.routing import Changes
from homing.overlay.trees import NO_DEADLINE, U16, State
from homing.overlay.walking import Outcome, Walks, Weather


def edited_rows(
    edits: Edits, found: Scenarios, state: State, first: int, last: int, tables: dict[str, list[Any]]
) -> None:
    """Replaces the computed rows of edited destinations, colour by colour.

    Changes are told against colour 1. Where that is edited, every colour's rows are made anew.
    """
    if not tables:
        return
    names = state.network.broker_names
    everywhere = edits.destinations(NORMAL)
    normal = {d: Weather(state, ()).table(NORMAL, d, edits) for d in range(state.size)}
    colours = range(first, last + 1) if everywhere else edits.colours(found)
    for colour in colours:
        if not first <= colour <= last:
            continue
        weather = Weather(state, found.failure(colour))
        for d in sorted({*edits.destinations(colour), *everywhere}):
            for kind, column in (("routes", "destination"), ("deliveries", "subscriber")):
                tables[kind] = [_without(part, colour, column, names[d]) for part in tables[kind]]
            walks = weather.walk(d, weather.table(colour, d, edits))
            routes, deliveries, outcome = _rows(weather, colour, d, walks, normal[d])
            tables["routes"].append(results.route_rows(state.network, routes))
            tables["deliveries"].append(results.delivery_rows(state, deliveries, outcome))


def _without(part: pa.Table, colour: int, column: str, name: str) -> pa.Table:
    same = pc.and_(pc.equal(part["colour"], colour), pc.equal(part[column], name))
    return part.filter(pc.invert(same))


def _rows(weather: Weather, colour: int, d: int, walks: Walks, normal: U16) -> tuple[Changes, Changes, Any]:
    """Next hops that differ from those of colour 1, and all wanted pairs."""
    state, n = weather.state, weather.state.size
    row = slice(d * n, (d + 1) * n)
    alive = (weather.dead == 0) & (np.arange(n) != d) & (weather.dead[d] == 0)
    moved = np.flatnonzero(alive & ((walks.hops != normal) | (colour == NORMAL)))
    wanted = np.flatnonzero((state.wanted[row] == 1) & (walks.outcome != Outcome.ABSENT))

    def changes(brokers: Any) -> Changes:
        weight = [_weight(weather, int(u), d, walks) for u in brokers]
        return Changes(
            np.full(len(brokers), colour, np.uint32),
            brokers.astype(np.uint16),
            np.full(len(brokers), d, np.uint16),
            walks.hops[brokers],
            np.array(weight, np.int64),
            walks.delay[brokers],
        )

    return changes(moved), changes(wanted), walks.outcome[wanted]


def _weight(weather: Weather, source: int, d: int, walks: Walks) -> int:
    """The weight of the way that is really taken."""
    if walks.outcome[source] not in (Outcome.DELIVERED, Outcome.LATE):
        return int(NO_DEADLINE)
    g = weather.state.graph
    total = 0
    for u, v in zip(path := weather.path(source, d, walks.hops), path[1:]):
        arcs = range(int(g.first[u]), int(g.first[u + 1]))
        total += min(int(weather.weight[e]) for e in arcs if g.target[e] == v)
    return total
