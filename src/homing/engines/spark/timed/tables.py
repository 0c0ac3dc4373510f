"""Symbolic states as Arrow tables: the row of the discrete state as everywhere, the zone as bytes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from homing.engines.spark.batches import Code
from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine

ZONE = "zone"


def coded(machine: Machine, rows: Array) -> Code:
    """What tables of some of these rows have in common."""
    machine.refresh()
    code = Code(machine)
    code.use(np.ascontiguousarray(rows))
    return code


def table(code: Code, rows: Array, zones: Array, **columns: Array) -> pa.Table:
    """Rows with their zones, and further columns."""
    width = 4 * zones.shape[1] * zones.shape[2]
    data = pa.py_buffer(np.ascontiguousarray(zones, np.int32))
    bounds = pa.FixedSizeBinaryArray.from_buffers(pa.binary(width), len(zones), [None, data])
    return code.table(np.ascontiguousarray(rows), **columns).append_column(ZONE, bounds)


def row(folder: Folder, name: str, number: int) -> pa.Table:
    """One row of a file."""
    for found in folder.groups(name):
        if number < found.num_rows:
            return found.slice(number, 1)
        number -= found.num_rows
    raise IndexError(name, number)


def zones_of(found: pa.Table, clocks: int) -> Array:
    """The zones of such a table."""
    n = clocks + 1
    parts = [np.empty((0, n, n), np.int32)]
    for chunk in found.column(ZONE).chunks:
        bounds = np.frombuffer(chunk.buffers()[1], np.int32, len(chunk) * n * n, 4 * n * n * chunk.offset)
        parts.append(bounds.reshape(-1, n, n))
    return np.concatenate(parts)
