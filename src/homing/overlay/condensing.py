"""Super routing tables of whole networks from tallies: each chunk counts, and the counts are added up.

A chunk knows which changed entries its colours use and how often. The normal entry of a broker for a
destination serves all other colours, so the sums say everything but which colours they are. Those are listed
from the routes that were written, edited entries included, where they are few enough.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from homing.overlay import results
from homing.overlay.colours import NORMAL, Combinations, Scenarios
from homing.overlay.routing import Tallies
from homing.overlay.trees import NO_BROKER, State

PARTS = pa.schema(
    [
        ("destination", pa.int32()),
        ("broker", pa.int32()),
        ("next_hop", pa.int32()),  # -1: no route
        ("colours", pa.int64()),
        ("first_colour", pa.int64()),
    ]
)
LOST = -1
MOST_LISTED = 10_000_000  # colours in all lists together: some seconds, and as many 32-bit numbers


def partial_rows(state: State, tallies: Tallies) -> pa.Table:
    """What one chunk of colours saw."""
    g, n = state.graph, state.size
    used = np.flatnonzero(tallies.changes)
    destination, arc = used // max(g.arcs, 1), used % max(g.arcs, 1)
    lost = np.flatnonzero(tallies.losses)
    columns = [
        np.concatenate([destination, lost // n]).astype(np.int32),
        np.concatenate([g.source[arc], lost % n]).astype(np.int32),
        np.concatenate([g.target[arc].astype(np.int64), np.full(len(lost), LOST)]).astype(np.int32),
        np.concatenate([tallies.changes[used], tallies.losses[lost]]),
        np.concatenate([tallies.first[used].astype(np.int64), np.zeros(len(lost), np.int64)]),
    ]
    return pa.table(columns, schema=PARTS)


def sum_parts(parts: pa.Table) -> pa.Table:
    """The parts of all chunks added up; few rows each, since they count entries and not colours."""
    keys = ["destination", "broker", "next_hop"]
    summed = parts.group_by(keys).aggregate([("colours", "sum"), ("first_colour", "min")])
    return summed.rename_columns([*keys, "colours", "first_colour"]).select(PARTS.names).cast(PARTS)


def super_rows(state: State, found: Scenarios, parts: pa.Table) -> pa.Table:
    """The super routing tables of all brokers, addresses counted as the thesis does."""
    d, u, hop, colours, first = (parts[name].to_numpy() for name in PARTS.names)
    n = state.size
    normal = np.flatnonzero(state.hops != NO_BROKER)
    away = np.zeros(n * n, np.int64)
    np.add.at(away, d.astype(np.int64) * n + u, colours)
    down = _absent(found, n)
    has = hop != LOST
    columns = {
        "broker": np.concatenate([normal % n, u[has]]),
        "destination": np.concatenate([normal // n, d[has]]),
        "hop": np.concatenate([state.hops[normal].astype(np.int64), hop[has]]),
        "colours": np.concatenate([len(found) - away[normal] - down[normal], colours[has]]),
        "first": np.concatenate([np.full(len(normal), NORMAL), first[has]]),
    }
    return _addressed(state, columns, None)


def _addressed(
    state: State, columns: dict[str, npt.NDArray[np.int64]], lists: list[npt.NDArray[np.int32]] | None
) -> pa.Table:
    """Entries in their order, with addresses; `lists` are the colours of each."""
    order = np.lexsort((columns["destination"], columns["first"], columns["broker"]))
    rows = {name: column[order] for name, column in columns.items()}
    starts = np.searchsorted(rows["broker"], rows["broker"])
    names = state.network.broker_names
    table = [
        results.named(rows["broker"], names),
        pa.array((np.arange(len(order)) - starts + 1).astype(np.int32)),
        results.named(rows["destination"], names),
        results.named(rows["hop"], names),
        pa.array(rows["colours"]),
        pa.array(rows["first"].astype(np.int32)),
        _lists(len(order), None if lists is None else [lists[at] for at in order.tolist()]),
    ]
    return pa.table(table, schema=results.SUPER_ROUTES)


def _lists(rows: int, lists: list[npt.NDArray[np.int32]] | None) -> pa.Array:
    if lists is None:
        return pa.nulls(rows, pa.list_(pa.int32()))
    ends = np.cumsum([0, *(len(colours) for colours in lists)]).astype(np.int32)
    return pa.ListArray.from_arrays(ends, np.concatenate([np.zeros(0, np.int32), *lists]))


def fits(state: State, found: Scenarios) -> bool:
    """Whether every entry's colours can be listed."""
    return len(found) * state.size**2 <= MOST_LISTED


def listed_rows(state: State, found: Scenarios, routes: pa.Table) -> pa.Table:
    """The same from the routes as they were written, so with edited entries, broker after broker."""
    n, listed = state.size, fits(state, found)
    colour, broker, destination, hop = _numbered(state, routes)
    by_broker = np.argsort(broker, kind="stable")
    starts = np.searchsorted(broker[by_broker], np.arange(n + 1))
    down = _down(found, n)
    parts: dict[str, list[npt.NDArray[np.int64]]] = {
        name: [np.zeros(0, np.int64)] for name in ("broker", "destination", "hop", "colours", "first")
    }
    lists: list[npt.NDArray[np.int32]] = []
    for u in range(n):
        rows = by_broker[starts[u] : starts[u + 1]]
        normal, changed = rows[colour[rows] == NORMAL], rows[colour[rows] != NORMAL]
        plain = np.full((n, len(found)), LOST, np.int64)  # [destination, colour - 1]
        plain[destination[normal], :] = hop[normal][:, None]
        plain[destination[changed], colour[changed] - NORMAL] = hop[changed]
        for d in range(n):
            plain[d, down[d]] = LOST
        plain[:, down[u]] = LOST
        cells = np.flatnonzero(plain.ravel() != LOST)
        keys = cells // len(found) * n + plain.ravel()[cells]
        order = np.argsort(keys, kind="stable")  # colours stay in order
        found_keys, first_at, count = np.unique(keys[order], return_index=True, return_counts=True)
        colours = (cells[order] % len(found) + NORMAL).astype(np.int32)
        parts["broker"].append(np.full(len(found_keys), u, np.int64))
        parts["destination"].append(found_keys // n)
        parts["hop"].append(found_keys % n)
        parts["colours"].append(count.astype(np.int64))
        parts["first"].append(colours[first_at].astype(np.int64))
        if listed:
            lists += np.split(colours, first_at[1:]) if len(found_keys) else []
    return _addressed(state, {name: np.concatenate(part) for name, part in parts.items()}, lists if listed else None)


def _numbered(state: State, table: pa.Table) -> tuple[npt.NDArray[np.int64], ...]:
    """Colours, brokers, destinations and next hops as numbers."""
    names = pa.array(state.network.broker_names, pa.string())

    def numbers(column: str) -> npt.NDArray[np.int64]:
        at = pc.index_in(table[column].cast(pa.string()), value_set=names)
        return np.asarray(pc.fill_null(at, LOST).to_numpy(), np.int64)

    return table["colour"].to_numpy().astype(np.int64), *(numbers(name) for name in results.ROUTES.names[1:])


def _down(found: Scenarios, n: int) -> list[npt.NDArray[np.int64]]:
    """For each broker, the places (colour - 1) of the colours under which it is down."""
    links = len(found.network.links)
    down: list[list[int]] = [[] for _ in range(n)]
    for at, failure in enumerate(found.failures(NORMAL, len(found))):
        for element in failure:
            if element >= links:
                down[element - links].append(at)
    return [np.array(places, np.int64) for places in down]


def _absent(found: Scenarios, n: int) -> npt.NDArray[np.int64]:
    """For each destination and broker, the colours under which one of the two is down and has no entry."""
    links = len(found.network.links)
    both = np.zeros((n, n), np.int64)  # on the diagonal: colours under which one broker is down
    for block in found.blocks:
        if isinstance(block, Combinations) and block.first < links:
            continue  # links only
        for failure in block.between(0, len(block)):
            down = [element - links for element in failure if element >= links]
            for x in down:
                both[x, down] += 1
    alone = np.diag(both)
    return (alone[:, None] + alone[None, :] - both).ravel()
