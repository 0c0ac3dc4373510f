"""What partitions tell one another: positions in the list of ghosts that two of them share, and values."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from homing.engines.spark import exchange
from homing.engines.spark.folder import Folder
from homing.engines.spark.kernels import Array

HEAD = struct.Struct("<qqqq")
MOST = 1 << 17
"""Entries of one message."""

UP, DOWN, RECORD, VERDICT = range(4)
"""To the owner of a ghost, to those who have a ghost, to the owner of a component, and back."""


@dataclass(frozen=True, eq=False)
class Message:
    """Entries that one partition sent: for each an index and some 64-bit values."""

    kind: int
    sender: int
    index: Array
    values: Array
    """By entry and column."""


def packed(kind: int, sender: int, index: Array, values: Array) -> Iterator[bytes]:
    """The entries, in messages of bounded size."""
    columns = values.reshape(len(index), -1) if len(index) else values.reshape(0, 1)
    for low in range(0, len(index), MOST):
        some, theirs = index[low : low + MOST], columns[low : low + MOST]
        head = HEAD.pack(kind, sender, len(some), theirs.shape[1])
        yield head + some.astype(np.int64).tobytes() + theirs.astype(np.uint64).tobytes()


def unpacked(data: bytes) -> Message:
    """The entries of a message."""
    kind, sender, count, columns = HEAD.unpack_from(data)
    index = np.frombuffer(data, np.int64, count, HEAD.size)
    values = np.frombuffer(data, np.uint64, count * columns, HEAD.size + 8 * count)
    return Message(kind, sender, index, values.reshape(count, columns))


def raw(folder: Folder, names: Iterable[str]) -> Iterator[bytes]:
    """The messages in an inbox."""
    for name in names:
        yield from exchange.messages(folder, name)


def received(folder: Folder, names: Iterable[str]) -> Iterator[Message]:
    """The entries in an inbox."""
    return map(unpacked, raw(folder, names))
