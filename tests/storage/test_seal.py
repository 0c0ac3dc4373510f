"""Documents and files whose content is checked."""

from __future__ import annotations

import io
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homing.storage import arrays, seal
from homing.storage.damage import Damaged

DOCUMENT = {"parts": {"0": [1, 2]}, "text": "é", "none": None}


def test_a_document_comes_back() -> None:
    assert seal.unsealed("run.json", seal.sealed("run.json", DOCUMENT)) == DOCUMENT


def test_every_bit_counts() -> None:
    data = seal.sealed("run.json", DOCUMENT)
    for place in range(8 * len(data)):
        other = bytearray(data)
        other[place // 8] ^= 1 << place % 8
        with pytest.raises(Damaged, match=r"run\.json is damaged"):
            seal.unsealed("run.json", bytes(other))


@given(st.integers(0, 200), st.binary(max_size=5))
def test_what_is_cut_off_or_follows(length: int, more: bytes) -> None:
    data = seal.sealed("run.json", DOCUMENT)
    other = data[:length] + more
    if other != data:
        with pytest.raises(Damaged):
            seal.unsealed("run.json", other)


def test_a_document_has_its_place() -> None:
    with pytest.raises(Damaged, match=r"graph\.json is damaged: its checksum does not fit"):
        seal.unsealed("graph.json", seal.sealed("run.json", DOCUMENT))


@pytest.mark.parametrize("large", [False, True])
def test_bytes_are_checked(large: bool) -> None:
    data = random.Random(1).randbytes(3_000_000 if large else 100)
    sink = seal.Summed(io.BytesIO())
    for start in range(0, len(data), 77_777):
        sink.write(data[start : start + 77_777])
    size, total = seal.marked(sink.mark)
    assert size == len(data)

    def check(found: bytes) -> None:
        if large:
            seal.check_stream("file", io.BytesIO(found), size, total)
        else:
            seal.check("file", found, size, total)

    check(data)
    for found in (data[:-1], data + b"x", data[:50] + b"\0" + data[51:], b""):
        with pytest.raises(Damaged, match="file is damaged"):
            check(found)


ARRAYS: dict[str, arrays.Array] = {
    "small": np.arange(7, dtype=np.uint8),
    "rows": np.arange(12, dtype=np.uint32).reshape(4, 3),
    "long": np.array([-1, 1 << 40], np.int64),
    "none": np.empty((0, 2), np.uint32),
}


def filed() -> bytes:
    file = io.BytesIO()
    arrays.write(file, {"states": 4}, ARRAYS)
    return file.getvalue()


def test_arrays_come_back() -> None:
    said, found = arrays.read(io.BytesIO(filed()), "x")
    assert said == {"states": 4} == arrays.about(io.BytesIO(filed()), "x")
    assert list(found) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert found[name].dtype == array.dtype
        assert (found[name] == array).all()
        assert found[name].shape == array.shape


def test_every_bit_of_arrays_counts() -> None:
    data = filed()
    for place in range(8 * len(data)):
        other = bytearray(data)
        other[place // 8] ^= 1 << place % 8
        with pytest.raises(Damaged, match="x is damaged"):
            arrays.read(io.BytesIO(bytes(other)), "x")


@pytest.mark.parametrize("length", range(0, 400, 7))
def test_arrays_that_are_cut_off(length: int) -> None:
    data = filed()
    if length < len(data):
        with pytest.raises(Damaged, match="x is damaged"):
            arrays.read(io.BytesIO(data[:length]), "x")


@pytest.mark.parametrize(
    "told",
    [
        [["a", "<u4", [1 << 40, 1 << 40], 0]],
        [["a", "<u4", [-1], 0]],
        [["a", "|O", [1], 0]],
        [["a", "<u4", ["1"], 0]],
        [["a"]],
        5,
    ],
)
def test_a_forged_header_asks_for_nothing(told: object) -> None:
    """No memory for what is not there, no type that is a reference."""
    header = seal.sealed("header", {"about": {}, "arrays": told})
    with pytest.raises(Damaged, match="x is damaged"):
        arrays.read(io.BytesIO(arrays.MAGIC % len(header) + header + b"1234"), "x")
