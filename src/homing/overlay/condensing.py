"""Super routing tables of whole networks from tallies: each chunk counts, and the counts are added up.

A chunk knows which changed entries its colours use and how often. The normal entry of a broker for a
destination serves all other colours, so the sums say everything, and no list of colours is ever built.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

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


def sum_parts(folder: Path) -> pa.Table:
    """The parts of all chunks added up; few rows each, since they count entries and not colours."""
    keys = ["destination", "broker", "next_hop"]
    parts = pq.read_table(folder, schema=PARTS)
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
    ]
    return pa.table(table, schema=results.SUPER_ROUTES)


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
