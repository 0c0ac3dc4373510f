"""Runs as files: packets, measures and the log."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from homing.overlay.simulation import figures
from homing.overlay.simulation.measures import Summary
from homing.overlay.simulation.packets import OUTCOMES
from homing.overlay.simulation.run import Run
from homing.overlay.store import writing
from homing.report.plots import save
from homing.report.wording import csv_cell

if TYPE_CHECKING:
    import pyarrow as pa


def write_runs(runs: Sequence[Run], folder: Path) -> None:
    """packets.parquet, packets.csv, and the plots."""
    import pyarrow as pa

    _write(pa.concat_tables([packets(run) for run in runs]), folder, "packets")
    for plot in figures.of_runs(runs):
        save(plot, folder)


def write_summaries(name: str, summaries: Sequence[Summary], folder: Path) -> None:
    """seeds.parquet, seeds.csv: a row for each seed and protocol; and the plots."""
    import pyarrow as pa

    rows = [
        {"seed": seed, "protocol": each.protocol, **{key: _cell(value) for key, value in found.items()}}
        for each in summaries
        for seed, found in zip(each.seeds, each.measures)
    ]
    _write(pa.Table.from_pylist(rows), folder, "seeds")
    for plot in figures.of_summaries(name, summaries):
        save(plot, folder)


def _cell(value: float) -> float | None:
    return None if math.isnan(value) else value


def packets(run: Run) -> pa.Table:
    """A row for each packet; brokers by name, the path as names joined by dashes."""
    import pyarrow as pa

    found, names = run.packets, np.array(run.network.broker_names)
    paths = np.array(["-".join(names[list(path)]) for path in found.paths] or [""])
    columns = {
        "protocol": pa.array([run.protocol] * len(found)).dictionary_encode(),
        "source": pa.array(names[found.source]).dictionary_encode(),
        "destination": pa.array(names[found.destination]).dictionary_encode(),
        "sent": pa.array(found.sent),
        "ended": pa.array(found.ended, from_pandas=True),
        "latency": pa.array(found.latency, from_pandas=True),
        "outcome": pa.array(np.array(OUTCOMES)[found.outcome]).dictionary_encode(),
        "path": pa.array(paths[found.path]).dictionary_encode(),
    }
    return pa.table(columns)


def _write(table: pa.Table, folder: Path, name: str) -> None:
    import pyarrow.parquet as pq
    from pyarrow import csv

    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(table.unify_dictionaries(), folder / f"{name}.parquet")
        csv.write_csv(_for_spreadsheets(table), folder / f"{name}.csv")


def _for_spreadsheets(table: pa.Table) -> pa.Table:
    """The table with texts that no spreadsheet runs."""
    import pyarrow as pa

    columns = {}
    for name, column in zip(table.column_names, table.columns):
        if pa.types.is_dictionary(column.type) or pa.types.is_string(column.type):
            encoded = column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column.dictionary_encode()
            column = pa.chunked_array(
                [pa.DictionaryArray.from_arrays(chunk.indices, _cells(chunk.dictionary)) for chunk in encoded.chunks],
                pa.dictionary(encoded.type.index_type, pa.string()),
            )
        columns[name] = column
    return pa.table(columns)


def _cells(texts: pa.Array) -> pa.Array:
    import pyarrow as pa

    return pa.array([csv_cell(text) for text in texts.to_pylist()], pa.string())


def write_log(runs: Sequence[Run], path: Path) -> None:
    """A JSON object a line: protocol, time, broker, kind, and what belongs to the kind."""
    with writing(path), path.open("w", encoding="utf-8") as file:
        for run in runs:
            for entry in run.log:
                line = {"protocol": run.protocol, "time": entry.time, "broker": entry.broker, "kind": entry.kind}
                file.write(json.dumps(line | entry.details) + "\n")
