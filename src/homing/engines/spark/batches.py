"""Rows as Arrow tables that explain themselves: what their numbers stand for is in the table's metadata."""

from __future__ import annotations

from base64 import b64decode, b64encode
from functools import cached_property

import numpy as np
import pyarrow as pa

from homing.engines.local.packing import Layout, pack
from homing.engines.spark import kernels
from homing.engines.spark.kernels import Array, Form
from homing.engines.spark.machine import Machine

WORD = "word"


class Code:
    """The numbers and the layout that tables have in common: made for the values that their rows use, told before."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._used = np.zeros(len(machine._whole), np.uint8)

    def use(self, rows: Array) -> None:
        """Rows that a table is to have."""
        kernels.mark(self._machine.form, rows, self._used)

    @cached_property
    def _made(self) -> tuple[Array, Form, Layout, dict[bytes, bytes]]:
        machine, used = self._machine, self._used
        numbers = np.zeros(len(used), np.uint32)
        values: list[list[bytes]] = []
        for slot, known in enumerate(machine.bytes):
            start = int(machine.form.start[slot])
            there = np.flatnonzero(used[start : start + len(known)])
            numbers[start + there] = np.arange(len(there))
            values.append([known[number] for number in there])
        layout = pack([max(1, len(found)) for found in values], machine.system.shape.hidden)
        return numbers, _form(layout, values), layout, _metadata(values, layout)

    def table(self, rows: Array, **columns: Array) -> pa.Table:
        """The rows, and further columns."""
        numbers, form, layout, metadata = self._made
        packed = np.empty((len(rows), layout.words), np.uint32)
        kernels.translate(self._machine.form, numbers, form, rows, packed)
        words = {f"{WORD}{number}": np.ascontiguousarray(packed[:, number]) for number in range(layout.words)}
        table = pa.table({name: pa.array(column) for name, column in (words | columns).items()})
        return table.replace_schema_metadata(metadata)


def batch(machine: Machine, rows: Array, **columns: Array) -> pa.Table:
    """The rows, numbered by the values that they use, and further columns."""
    code = Code(machine)
    code.use(rows)
    return code.table(rows, **columns)


def rows_of(machine: Machine, table: pa.Table) -> Array:
    """The rows of such a table, in the form that the machine now has."""
    values, layout = _read(table.schema.metadata)
    machine.learn(values)
    known = [number for slot, found in enumerate(values) for number in machine.known(slot, found)]
    numbers = np.array(known, np.uint32)
    rows = np.empty((table.num_rows, layout.words), np.uint32)
    for number in range(layout.words):
        rows[:, number] = column(table, f"{WORD}{number}")
    there = np.empty((table.num_rows, machine.layout.words), np.uint32)
    kernels.translate(_form(layout, values), numbers, machine.form, rows, there)
    return there


def column(table: pa.Table, name: str) -> Array:
    """A column as an array of its own: kernels are compiled for arrays that can be written."""
    return np.array(table.column(name).to_numpy())


def written(table: pa.Table) -> bytes:
    """A table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def read(data: bytes) -> pa.Table:
    """The table that bytes are."""
    with pa.ipc.open_stream(pa.BufferReader(data)) as reader:
        return reader.read_all()


def _form(layout: Layout, values: list[list[bytes]]) -> Form:
    start = np.concatenate([[0], np.cumsum([len(found) for found in values])]).astype(np.int64)
    return Form(layout.word, layout.shift, layout.mask, start[:-1])


def _metadata(values: list[list[bytes]], layout: Layout) -> dict[bytes, bytes]:
    every = [data for found in values for data in found]
    plain = {
        b"counts": np.array([len(found) for found in values], np.uint32).tobytes(),
        b"lengths": np.array([len(data) for data in every], np.uint32).tobytes(),
        b"values": b"".join(every),
        b"layout": np.array([layout.word, layout.shift, layout.mask], np.uint32).tobytes(),
        b"words": np.array([layout.words, layout.visible], np.uint32).tobytes(),
    }
    return {key: b64encode(data) for key, data in plain.items()}  # Parquet wants text there


def _read(metadata: dict[bytes, bytes]) -> tuple[list[list[bytes]], Layout]:
    def numbers(name: bytes) -> Array:
        return np.frombuffer(b64decode(metadata[name]), np.uint32)

    ends = np.cumsum(numbers(b"lengths")).tolist()
    joined = b64decode(metadata[b"values"])
    every = [joined[low:high] for low, high in zip([0, *ends], ends)]
    values, at = [], 0
    for count in numbers(b"counts").tolist():
        values.append(every[at : at + count])
        at += count
    word, shift, mask = numbers(b"layout").reshape(3, -1)
    words, visible = numbers(b"words").tolist()
    return values, Layout(word, shift, mask, words, visible)
