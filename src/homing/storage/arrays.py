"""Arrays in a file behind a sealed header that says what they are: nothing is read from it that could be code."""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO, TypeAlias

import numpy as np
from numpy.typing import NDArray

from homing.storage.damage import Damaged
from homing.storage.seal import sealed, unsealed

Array: TypeAlias = NDArray[Any]

MAGIC = b"homing arrays 1 %012d\n"
START = len(MAGIC % 0)
TYPES = {name: np.dtype(name) for name in ("<u1", "<u4", "<i8")}
TYPES["|u1"] = TYPES.pop("<u1")
MOST_HEADER = 1 << 30


def write(file: BinaryIO, about: Mapping[str, Any], arrays: Mapping[str, Array]) -> None:
    """Writes arrays, and what is said about them, to a file."""
    told = [
        [name, array.dtype.str, list(array.shape), zlib.crc32(np.ascontiguousarray(array).data)]
        for name, array in arrays.items()
    ]
    header = sealed("header", {"about": about, "arrays": told})
    file.write(MAGIC % len(header))
    file.write(header)
    for array in arrays.values():
        file.write(np.ascontiguousarray(array).data)


def about(file: BinaryIO, name: str) -> dict[str, Any]:
    """What is said about the arrays of a file, which are not read."""
    return _header(file, name)[0]


def read(file: BinaryIO, name: str) -> tuple[dict[str, Any], dict[str, Array]]:
    """What is said, and the arrays, each as it was written; or Damaged."""
    said, told = _header(file, name)
    try:
        wanted = [(str(each), TYPES[kind], _shape(shape), int(total)) for each, kind, shape, total in told]
    except (KeyError, TypeError, ValueError):
        raise Damaged(name, "its header names arrays of unknown kinds") from None
    here = file.tell()
    size, end = sum(kind.itemsize * _count(shape) for _, kind, shape, _ in wanted), file.seek(0, 2)
    if end - here != size:  # before there is memory for what a header may claim
        raise Damaged(name, f"it has {end} bytes instead of {here + size}")
    file.seek(here)
    return said, {each: _array(file, name, each, kind, shape, total) for each, kind, shape, total in wanted}


def _array(file: BinaryIO, name: str, called: str, kind: Any, shape: tuple[int, ...], total: int) -> Array:
    array = np.empty(shape, kind)
    data = array.reshape(-1).view(np.uint8).data
    if file.readinto(data) != len(data) or zlib.crc32(data) != total:  # type: ignore[attr-defined]
        raise Damaged(name, f"the checksum of '{called}' in it does not fit")
    return array


def _header(file: BinaryIO, name: str) -> tuple[dict[str, Any], list[Any]]:
    first = file.read(START)
    size = first[-13:-1]
    if len(first) != START or not size.isdigit() or first != MAGIC % int(size) or int(size) > MOST_HEADER:
        raise Damaged(name, "it does not begin as files of this version do")
    try:
        found = unsealed("header", file.read(int(size)))
    except Damaged:
        raise Damaged(name, "the checksum of its header does not fit") from None
    try:
        said, told = found["about"], found["arrays"]
    except (KeyError, TypeError):
        raise Damaged(name, "its header says something else") from None
    if not isinstance(said, dict) or not isinstance(told, list):
        raise Damaged(name, "its header says something else")
    return said, told


def _shape(shape: Any) -> tuple[int, ...]:
    if not all(type(length) is int and 0 <= length < 1 << 48 for length in shape):
        raise ValueError("no shape")
    return tuple(shape)


def _count(shape: tuple[int, ...]) -> int:
    found = 1
    for length in shape:
        found *= length
    return found
