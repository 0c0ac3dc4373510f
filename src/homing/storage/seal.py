"""Checksums: of documents, with the document; of other files, in the documents that name them.

They find damage, by chance or by hand. They do not stop someone who has read this file and computes them again.
"""

from __future__ import annotations

import hashlib
import json
import re
import zlib
from typing import Any

from homing.storage.damage import Damaged

KEY = b"homing"
HEAD, MIDDLE, TAIL = b'{"seal": "', b'", "document": ', b"}\n"
DIGITS = 32
BLOCK = 1 << 20


def digest(name: str, body: bytes) -> str:
    """Of bytes under a name, so that a document does not fit in the place of another."""
    found = hashlib.blake2b(key=KEY, digest_size=DIGITS // 2)
    found.update(name.encode() + b"\0" + body)
    return found.hexdigest()


def sealed(name: str, document: Any) -> bytes:
    """A document as JSON, with the digest of its very bytes."""
    body = json.dumps(document, allow_nan=False).encode()
    return b"".join([HEAD, digest(name, body).encode(), MIDDLE, body, TAIL])


def unsealed(name: str, data: bytes) -> Any:
    """The document; nothing of it is read before the digest was found right."""
    start = len(HEAD) + DIGITS + len(MIDDLE)
    body, said = data[start : -len(TAIL)], data[len(HEAD) : len(HEAD) + DIGITS]
    whole = data[: len(HEAD)] == HEAD and data[start - len(MIDDLE) : start] == MIDDLE and data.endswith(TAIL)
    if not whole or len(data) < start + len(TAIL):
        raise Damaged(name, "it is no document that Homing wrote, or of another version")
    if digest(name, body).encode() != said:
        raise Damaged(name, "its checksum does not fit")
    return json.loads(body)


class Summed:
    """A file to be written whose bytes are counted and summed up."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self.size = 0
        self.sum = 0

    @property
    def closed(self) -> bool:
        return bool(self._file.closed)

    def write(self, data: Any) -> int:
        self._file.write(data)
        self.sum = zlib.crc32(data, self.sum)
        length = len(memoryview(data).cast("B"))
        self.size += length
        return length

    def tell(self) -> int:
        return self.size

    def flush(self) -> None:
        self._file.flush()

    def close(self) -> None:
        self._file.close()

    @property
    def mark(self) -> str:
        """The size and the sum, for who reads it."""
        return f"{self.size}-{self.sum:08x}"


def marked(mark: str) -> tuple[int, int]:
    """Size and sum of a mark."""
    found = re.fullmatch(r"(\d{1,18})-([0-9a-f]{8})", mark)
    if found is None:
        raise ValueError(f"{mark!r} is no checksum")
    return int(found[1]), int(found[2], 16)


def check(name: str, data: bytes, size: int, total: int) -> None:
    """Raises Damaged unless the bytes are those that were written."""
    if len(data) < size:
        raise Damaged(name, f"it ends after {len(data)} bytes of {size}")
    if len(data) > size:
        raise Damaged(name, f"it has more than its {size} bytes")
    if zlib.crc32(data) != total:
        raise Damaged(name, "its checksum does not fit")


def check_stream(name: str, file: Any, size: int, total: int) -> None:
    """The same for a file that is large; afterwards it is at its beginning again."""
    found, count = 0, 0
    while data := file.read(BLOCK):
        found, count = zlib.crc32(data, found), count + len(data)
    if count != size:
        raise Damaged(name, f"it has {count} bytes instead of {size}")
    if found != total:
        raise Damaged(name, "its checksum does not fit")
    file.seek(0)
