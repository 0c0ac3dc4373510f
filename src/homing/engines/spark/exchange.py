"""What crosses: each task writes its messages to one file, and tells where in it those for each partition are."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from homing.engines.spark.folder import Folder

INBOX = "inbox"


class Outbox:
    """A file of messages, begun with the first.

    The name of what a partition gets is `file@start+size+sum,start+size+sum`, with checksums; several such, with spaces
    between, if several tasks sent something. So bytes go through the run folder once, and only names through Spark.
    """

    def __init__(self, folder: Folder) -> None:
        self.folder = folder
        self._name = ""
        self._file: Any = None
        self._size = 0
        self._pieces: dict[int, list[str]] = {}

    def add(self, part: int, message: bytes) -> None:
        """Takes a message."""
        if self._file is None:
            self._name, self._file = self.folder.stream(INBOX)
        self._file.write(message)
        self._pieces.setdefault(part, []).append(f"{self._size}+{len(message)}+{zlib.crc32(message):08x}")
        self._size += len(message)

    def close(self) -> Iterator[tuple[int, str]]:
        """By partition the name of what it gets; the file is then whole."""
        if self._file is not None:
            self._file.close()
        for part, pieces in self._pieces.items():
            yield part, f"{self._name}@{','.join(pieces)}"


def joined(names: Iterable[tuple[int, str]]) -> dict[int, str]:
    """By partition one name for all that it gets."""
    found: dict[int, list[str]] = {}
    for part, name in names:
        found.setdefault(part, []).append(name)
    return {part: " ".join(each) for part, each in found.items()}


def messages(folder: Folder, name: str) -> Iterator[bytes]:
    """The messages of such a name, one at a time in memory."""
    for each in name.split():
        file, _, pieces = each.partition("@")
        yield from folder.pieces(file, (_place(piece) for piece in pieces.split(",")))


def _place(piece: str) -> tuple[int, int, int]:
    start, size, total = piece.split("+")
    return int(start), int(size), int(total, 16)
