"""Results as Parquet: the schema of every table (docs/overlay.md), and how arrays become its rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from homing.overlay.colours import NORMAL, Scenarios, element_name
from homing.overlay.graph import I64
from homing.overlay.network import Network
from homing.overlay.routing import Changes
from homing.overlay.trees import NO_BROKER, NO_DEADLINE, State
from homing.overlay.walking import Outcome
from homing.storage import seal
from homing.storage.damage import Damaged
from homing.storage.tree import Tree

NAME = pa.dictionary(pa.int32(), pa.string())
SCENARIOS = pa.schema(
    [
        ("colour", pa.int32()),
        ("failed", pa.int32()),
        ("failure", pa.string()),
        ("links", pa.list_(NAME)),
        ("brokers", pa.list_(NAME)),
    ]
)
ROUTES = pa.schema([("colour", pa.int32()), ("broker", NAME), ("destination", NAME), ("next_hop", NAME)])
DELIVERIES = pa.schema(
    [
        ("colour", pa.int32()),
        ("publisher", NAME),
        ("subscriber", NAME),
        ("outcome", NAME),
        ("hops", pa.int32()),
        ("cost", pa.float64()),
        ("latency_ms", pa.float64()),
    ]
)
VERDICT_COUNTS = ("delivered", "partitioned", "looped", "wrong", "late", "absent", "changed")
VERDICTS = pa.schema([("colour", pa.int32()), ("verdict", NAME), *((name, pa.int64()) for name in VERDICT_COUNTS)])
SUPER_ROUTES = pa.schema(
    [
        ("broker", NAME),
        ("address", pa.int32()),
        ("destination", NAME),
        ("next_hop", NAME),
        ("count", pa.int64()),
        ("first_colour", pa.int32()),
        ("colours", pa.list_(pa.int32())),
    ]
)
TRANSITIONS = pa.schema([("old_colour", pa.int32()), ("new_colour", pa.int32()), ("pairs", pa.int64())])
TABLES = {
    "scenarios": SCENARIOS,
    "routes": ROUTES,
    "deliveries": DELIVERIES,
    "verdicts": VERDICTS,
    "super_routes": SUPER_ROUTES,
    "transitions": TRANSITIONS,
}
OUTCOMES = [str(outcome) for outcome in Outcome]


def named(indices: npt.NDArray[Any], names: Iterable[str], missing: int | None = None) -> pa.DictionaryArray:
    """Numbers as the names they stand for."""
    mask = None if missing is None else indices == missing
    numbers = pa.array(indices.astype(np.int32), mask=mask)
    return pa.DictionaryArray.from_arrays(numbers, pa.array(list(names), pa.string()))


def write(table: pa.Table, tree: Tree, name: str) -> str:
    """Whole or not at all: a task that is killed, or runs twice, leaves no half file. Returns its checksum."""
    with tree.replacing(name) as file:
        sink = seal.Summed(file)
        # Statistics help those who look for a colour; on the other columns they only cost time.
        pq.write_table(
            table,
            pa.PythonFile(sink, mode="w"),
            compression="zstd",
            compression_level=1,
            write_statistics=["colour"],
        )
    return sink.mark


def check(tree: Tree, files: Mapping[str, str]) -> None:
    """Raises Damaged unless files are as they were written."""
    for name, mark in files.items():
        with _opened(tree, name) as file:
            seal.check_stream(name, file, *seal.marked(mark))


def read(tree: Tree, files: Mapping[str, str], kind: str, schema: pa.Schema) -> pa.Table:
    """The tables of one kind among files, one below the other; or Damaged."""
    tables = [schema.empty_table()]
    for name, mark in files.items():
        if name.startswith(f"{kind}/"):
            with _opened(tree, name) as file:
                seal.check_stream(name, file, *seal.marked(mark))
                tables.append(pq.read_table(file, schema=schema))
    return pa.concat_tables(tables)


def _opened(tree: Tree, name: str) -> BinaryIO:
    try:
        return tree.open(name)
    except FileNotFoundError:
        raise Damaged(name, "it is not there") from None


def scenario_rows(scenarios: Scenarios, first: int, last: int) -> pa.Table:
    network = scenarios.network
    starts, elements = scenarios.arrays(first, last)
    links = len(network.links)
    texts = [element_name(network, element) for element in range(links + len(network.brokers))]
    words = [texts[element] for element in elements.tolist()]
    bounds = starts.tolist()
    failures = [" ".join(words[low:high]) or "None" for low, high in pairwise(bounds)]
    is_link = elements < links
    return pa.table(
        {
            "colour": pa.array(np.arange(first, last + 1, dtype=np.int32)),
            "failed": pa.array(np.diff(starts).astype(np.int32)),
            "failure": pa.array(failures, pa.string()),
            "links": _lists(starts, is_link, elements, [link.name for link in network.links]),
            "brokers": _lists(starts, ~is_link, elements - np.uint32(links), network.broker_names),
        },
        schema=SCENARIOS,
    )


def _lists(
    starts: I64, keep: npt.NDArray[np.bool_], numbers: npt.NDArray[np.uint32], names: Iterable[str]
) -> pa.ListArray:
    before = np.concatenate([[0], np.cumsum(keep)]).astype(np.int32)
    return pa.ListArray.from_arrays(pa.array(before[starts]), named(numbers[keep], names))


def route_rows(network: Network, changes: Changes) -> pa.Table:
    """Next hops that differ from the normal table; null where no path is left."""
    names = network.broker_names
    columns = [
        pa.array(changes.colour.astype(np.int32)),
        named(changes.source, names),
        named(changes.destination, names),
        named(changes.hop, names, NO_BROKER),
    ]
    return pa.table(columns, schema=ROUTES)


def delivery_rows(state: State, changes: Changes, outcome: npt.NDArray[np.uint8]) -> pa.Table:
    """What became of pairs; hops, cost and latency are null unless the message arrived."""
    names = state.network.broker_names
    lost = (outcome != Outcome.DELIVERED) & (outcome != Outcome.LATE)
    weight = np.where(lost, 0, changes.weight)
    columns = [
        pa.array(changes.colour.astype(np.int32)),
        named(changes.source, names),
        named(changes.destination, names),
        named(outcome, OUTCOMES),
        pa.array(state.graph.hops(weight).astype(np.int32), mask=lost),
        pa.array(state.graph.cost(weight), mask=lost),
        pa.array(changes.delay / 1000.0, mask=lost),
    ]
    return pa.table(columns, schema=DELIVERIES)


def outcomes(state: State, changes: Changes) -> npt.NDArray[np.uint8]:
    """Of computed routes: delivered, partitioned or late."""
    found = np.where(changes.weight >= NO_DEADLINE, Outcome.PARTITIONED, Outcome.DELIVERED).astype(np.uint8)
    if len(state.deadline):
        limit = state.deadline[changes.destination.astype(np.int64) * state.size + changes.source]
        found[(found == Outcome.DELIVERED) & (changes.delay > limit)] = Outcome.LATE
    return found


def normal_changes(state: State) -> Changes:
    """The whole normal state in the form of changes, under colour 1."""
    n = state.size
    cell = np.flatnonzero(~np.eye(n, dtype=bool).ravel())
    return Changes(
        colour=np.full(len(cell), NORMAL, np.uint32),
        source=(cell % n).astype(np.uint16),
        destination=(cell // n).astype(np.uint16),
        hop=state.hops[cell],
        weight=state.trees.dist[cell],
        delay=state.trees.delay[cell],
    )


def verdict_rows(first: int, counts: I64, columns: tuple[str, ...]) -> pa.Table:
    found = {name: counts[:, columns.index(name)] for name in VERDICT_COUNTS}
    bad = sum(found[name] for name in ("partitioned", "looped", "wrong", "late")) > 0
    arrays = [
        pa.array(np.arange(first, first + len(counts), dtype=np.int32)),
        named(np.asarray(bad).astype(np.int32), ["HOLDS", "VIOLATED"]),
        *(pa.array(found[name]) for name in VERDICT_COUNTS),
    ]
    return pa.table(arrays, schema=VERDICTS)
