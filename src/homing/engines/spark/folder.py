"""The folder of a run: on this machine, or wherever all workers reach (a URI that Arrow knows: hdfs, s3, gs).

Each file is checked when it is read (docs/decisions/0903-checked-files.md): its name, as manifests and messages have
it, ends with its size and checksum, and a manifest has a digest of itself.
"""

from __future__ import annotations

import re
import socket
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from homing.core.errors import HomingError, Place
from homing.storage import lock, seal
from homing.storage.damage import Damaged
from homing.storage.remote import Remote
from homing.storage.tree import Tree
from homing.storage.uri import Uri, is_uri

UNIQUE = re.compile("[0-9a-f]{32}")
"""What makes the name of a file one of its kind."""

OURS = re.compile(r"(?:.*/)?(?:[a-z]+(?:/part=\d+)?/[0-9a-f]{32}(?:\.parquet)?|\.[^/]*\.json\.[^/]*)")
"""Files that tasks write, and manifests that were not finished."""

FAULTS = (OSError, pa.ArrowInvalid)
"""What may be wrong with a folder: a disk is full, a file is not there, or not whole."""

AT_ONCE = 16 << 20
"""Bytes of a file that is read at once; a larger one is read twice, once for its checksum."""
MARK = "homing.json"
"""Says that a folder is one of ours, and may be removed; and to workers, that it is the very folder."""
SHARED = (
    "all workers need the same files there: use a folder that is mounted on each machine under the same path, "
    "or an address such as s3://bucket/runs or hdfs://host/runs"
)


class NotShared(HomingError):
    """A worker has another folder of this name, or none."""


def unusable(fault: Exception) -> str:
    """Why a run ends early. What its last round left is whole, so that it can go on once there is room."""
    what = "read" if isinstance(fault, FileNotFoundError | Damaged | pa.ArrowInvalid) else "written"
    return f"the run folder cannot be {what}: {fault}"


class Writer:
    """One file, a row group for each table."""

    def __init__(self, folder: Folder, name: str) -> None:
        self.folder = folder
        self.name = name
        self._sink: Any = None
        self._file: Any = None

    def write(self, table: pa.Table) -> None:
        """Adds a table; all have the same columns."""
        if self._file is None:
            self._sink = seal.Summed(self.folder.place.create(self.name))
            # Numbers of values, well mixed: neither a dictionary nor statistics would save anything.
            self._file = pq.ParquetWriter(
                pa.PythonFile(self._sink, mode="w"),
                table.schema,
                compression="lz4",
                use_dictionary=False,
                write_statistics=False,
            )
        self._file.write_table(table)

    def close(self) -> str:
        """Ends the file; its name, with its checksum."""
        self._file.close()
        self._sink.close()
        return f"{self.name}#{self._sink.mark}"


@dataclass(frozen=True)
class Folder:
    """Files by name. A name is written once; what a run consists of is told by its newest manifest."""

    uri: str
    token: str = ""
    """What the mark in the folder says, for those who look for the same folder elsewhere."""

    @cached_property
    def place(self) -> Tree | Remote:
        """Where the files are."""
        return Remote(self.uri) if is_uri(self.uri) else Tree(self.uri)

    def __getstate__(self) -> dict[str, str]:
        return {"uri": self.uri, "token": self.token}

    @property
    def shown(self) -> str:
        """Its address, without what is secret in it."""
        return Uri(self.uri).shown if is_uri(self.uri) else self.uri

    # Files that are checked

    def writer(self, folder: str) -> Writer:
        """Writes a new file in a folder."""
        return Writer(self, f"{folder}/{uuid.uuid4().hex}.parquet")

    def stream(self, folder: str) -> tuple[str, Any]:
        """The name of a new file in a folder, and what to write its bytes to."""
        name = f"{folder}/{uuid.uuid4().hex}"
        return name, self.place.create(name)

    def write(self, folder: str, table: pa.Table) -> str:
        """Writes a table to a new file; its name."""
        writer = self.writer(folder)
        writer.write(table)
        return writer.close()

    def write_all(self, folder: str, tables: Iterable[pa.Table]) -> str | None:
        """Writes tables, one after the other, to a new file; its name, or None where there are none."""
        writer = None
        for table in tables:
            writer = writer or self.writer(folder)
            writer.write(table)
        return None if writer is None else writer.close()

    def read(self, name: str, columns: Sequence[str] | None = None) -> pa.Table:
        """The table in a file, or some of its columns."""
        with self._whole(name) as source:
            return pq.ParquetFile(source).read(columns=None if columns is None else list(columns))

    def groups(self, name: str) -> Iterator[pa.Table]:
        """The row groups of a file, one at a time in memory."""
        with self._whole(name) as source:
            file = pq.ParquetFile(source)
            for number in range(file.num_row_groups):
                yield file.read_row_group(number)

    def _whole(self, name: str) -> Any:
        """A file as it was written, or Damaged."""
        path, _, mark = name.partition("#")
        size, total = seal.marked(mark)
        file = self._opened(path)
        if size > AT_ONCE:
            seal.check_stream(path, file, size, total)
            return file
        with file:
            data = file.read(size + 1)
        seal.check(path, data, size, total)
        return pa.BufferReader(data)

    def pieces(self, name: str, wanted: Iterable[tuple[int, int, int]]) -> Iterator[bytes]:
        """Parts of a file, one at a time in memory: each has its start, its size and its checksum."""
        with self._opened(name) as source:
            for start, size, total in wanted:
                source.seek(start)
                data = source.read(size)
                seal.check(name, data, size, total)
                yield data

    def _opened(self, path: str) -> Any:
        try:
            return self.place.open(path)
        except FileNotFoundError:
            raise Damaged(path, "it is not there") from None

    # Documents

    def save(self, name: str, document: dict[str, Any]) -> None:
        """Writes JSON in the place of what was there: a kill leaves the old one or the new one."""
        self.place.replace(name, seal.sealed(name, document))

    def document(self, name: str) -> dict[str, Any]:
        """JSON that was saved, or Damaged."""
        with self._opened(name) as source:
            found: dict[str, Any] = seal.unsealed(name, source.read())
        return found

    # All of it

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return self.place.has(name)

    def remove(self, names: Iterable[str]) -> None:
        """Removes files, as far as they are there."""
        for name in files_of(names):
            self.place.remove(name)

    def sweep(self) -> None:
        """Removes files that no document names: what tasks left that were broken off would fill a disk for ever."""
        files = list(self.place.names())
        named: set[str] = set()
        for name in files:
            if name.endswith(".json"):
                with self.place.open(name) as source:
                    named.update(UNIQUE.findall(source.read().decode(errors="replace")))
        for name in files:
            if OURS.fullmatch(name) and not named & set(UNIQUE.findall(name)):
                self.place.remove(name)

    def make(self) -> None:
        """Makes sure that it is there."""
        self.place.make()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return self.place.is_empty()

    def clear(self) -> None:
        """Removes the folder."""
        self.place.clear()

    def locked(self) -> tuple[lock.Lock, str | None]:
        """Keeps other runs out; and what is to be said of who was here before."""
        return lock.taken(self.place, self.shown)

    def marked(self) -> Folder:
        """Says that this is a run folder; who gets the result can tell it from another of the same name."""
        folder = Folder(self.uri, uuid.uuid4().hex)
        self.save(MARK, {"token": folder.token})
        return folder

    def check_shared(self) -> None:
        """Raises HomingError where the folder of this name is another one, on a machine that does not share it."""
        if not self.token or self in _seen:
            return
        try:
            same = self.document(MARK).get("token") == self.token
        except OSError:
            same = False
        if not same:
            here = socket.gethostname()
            raise NotShared(f"the run folder is not shared with the worker on {here}; {SHARED}", Place(self.shown))
        _seen.add(self)


_seen: set[Folder] = set()
"""Folders that this process has found to be shared."""


def files_of(names: Iterable[str]) -> set[str]:
    """The files that names stand for, without checksums; those of places in files too (see exchange.py)."""
    return {re.split("[@#]", each, maxsplit=1)[0] for name in names for each in name.split()}
