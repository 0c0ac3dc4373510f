"""The folder of a run: on this machine, or wherever all workers reach (a URI that Arrow knows: hdfs, s3, gs)."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.fs
import pyarrow.parquet as pq

UNIQUE = re.compile("[0-9a-f]{32}")
"""What makes the name of a file one of its kind."""

FAULTS = (OSError, pa.ArrowInvalid)
"""What may be wrong with a folder: a disk is full, a file is not there, or not whole."""


def unusable(fault: Exception) -> str:
    """Why a run ends early. What its last round left is whole, so that it can go on once there is room."""
    what = "read" if isinstance(fault, FileNotFoundError | pa.ArrowInvalid) else "written"
    return f"the run folder cannot be {what}: {fault}"


class Writer:
    """One file, a row group for each table."""

    def __init__(self, folder: Folder, name: str) -> None:
        self.folder = folder
        self.name = name
        self._file: Any = None

    def write(self, table: pa.Table) -> None:
        """Adds a table; all have the same columns."""
        if self._file is None:
            # Numbers of values, well mixed: neither a dictionary nor statistics would save anything.
            self._file = pq.ParquetWriter(
                self.folder.path(self.name),
                table.schema,
                filesystem=self.folder.files,
                compression="lz4",
                use_dictionary=False,
                write_statistics=False,
            )
        self._file.write_table(table)

    def close(self) -> str:
        """Ends the file; its name."""
        self._file.close()
        return self.name


@dataclass(frozen=True)
class Folder:
    """Files by name. A name is written once; what a run consists of is told by its newest manifest."""

    uri: str

    @cached_property
    def _place(self) -> tuple[Any, str]:
        if "://" in self.uri:
            filesystem, path = pyarrow.fs.FileSystem.from_uri(self.uri)
            return filesystem, path
        return pyarrow.fs.LocalFileSystem(), self.uri

    def __getstate__(self) -> dict[str, str]:
        return {"uri": self.uri}

    def path(self, name: str) -> str:
        return f"{self._place[1]}/{name}"

    @property
    def files(self) -> Any:
        return self._place[0]

    def writer(self, folder: str) -> Writer:
        """Writes a new file in a folder."""
        self.files.create_dir(self.path(folder), recursive=True)
        return Writer(self, f"{folder}/{uuid.uuid4().hex}.parquet")

    def stream(self, folder: str) -> tuple[str, Any]:
        """The name of a new file in a folder, and what to write its bytes to."""
        self.files.create_dir(self.path(folder), recursive=True)
        name = f"{folder}/{uuid.uuid4().hex}"
        return name, self.files.open_output_stream(self.path(name))

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

    def read(self, name: str) -> pa.Table:
        """The table in a file."""
        return pq.read_table(self.path(name), filesystem=self.files, partitioning=None)

    def groups(self, name: str) -> Iterator[pa.Table]:
        """The row groups of a file, one at a time in memory."""
        with self.files.open_input_file(self.path(name)) as source:
            file = pq.ParquetFile(source)
            for number in range(file.num_row_groups):
                yield file.read_row_group(number)

    def save(self, name: str, document: dict[str, Any]) -> None:
        """Writes JSON beside its name, then puts it there: a kill leaves the old one or the new one."""
        fresh = self.path(f"{name}.new")
        self.files.create_dir(self.path(name).rpartition("/")[0], recursive=True)
        with self.files.open_output_stream(fresh) as out:
            out.write(json.dumps(document).encode())
        self.files.move(fresh, self.path(name))

    def document(self, name: str) -> dict[str, Any]:
        """JSON that was saved."""
        with self.files.open_input_stream(self.path(name)) as source:
            found: dict[str, Any] = json.loads(source.read())
        return found

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        return bool(self.files.get_file_info(self.path(name)).type != pyarrow.fs.FileType.NotFound)

    def remove(self, names: Iterable[str]) -> None:
        """Removes files, as far as they are there."""
        for name in files_of(names):
            if self.has(name):
                self.files.delete_file(self.path(name))

    def sweep(self) -> None:
        """Removes files that no document names: what tasks left that were broken off would fill a disk for ever."""
        found = self.files.get_file_info(pyarrow.fs.FileSelector(self._place[1], recursive=True))
        files = [each.path for each in found if each.type == pyarrow.fs.FileType.File]
        named: set[str] = set()
        for path in files:
            if path.endswith(".json"):
                with self.files.open_input_stream(path) as source:
                    named.update(UNIQUE.findall(source.read().decode()))
        for path in files:
            if not path.endswith(".json") and not named & set(UNIQUE.findall(path)):
                self.files.delete_file(path)

    def make(self) -> None:
        """Makes sure that it is there."""
        self.files.create_dir(self._place[1], recursive=True)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is in it."""
        return not self.files.get_file_info(pyarrow.fs.FileSelector(self._place[1], allow_not_found=True))

    def clear(self) -> None:
        """Removes the folder."""
        if self.has(""):
            self.files.delete_dir(self._place[1])


def files_of(names: Iterable[str]) -> set[str]:
    """The files that names stand for; those of places in files too (see exchange.py)."""
    return {each.partition("@")[0] for name in names for each in name.split()}
