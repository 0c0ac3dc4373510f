"""A folder elsewhere, within reach of Arrow: HDFS, S3, Google Cloud. There are no links, and secrets stay secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, TypeVar

import pyarrow as pa
import pyarrow.fs

from homing.storage.uri import Uri

WHOLE = ("s3", "gcs", "abfs")
"""There a file appears when it is complete, in the place of an older one."""
T = TypeVar("T")


class Remote:
    """Files by name, as in a tree on this machine."""

    def __init__(self, uri: str) -> None:
        self.uri = Uri(uri)

    @cached_property
    def _place(self) -> tuple[Any, str]:
        with self._told():
            filesystem, path = pyarrow.fs.FileSystem.from_uri(self.uri.for_arrow)
        return filesystem, path

    @property
    def root(self) -> str:
        return self._place[1]

    @property
    def _files(self) -> Any:
        return self._place[0]

    def _path(self, name: str) -> str:
        if any(part in ("", ".", "..") for part in name.split("/")):
            raise OSError(f"{name} leads out of the folder")
        return f"{self.root}/{name}"

    def make(self) -> None:
        """Makes sure that it is there."""
        self._ask(lambda: self._files.create_dir(self.root, recursive=True))

    def create(self, name: str) -> Any:
        """A file to be written; its name was never used before."""
        path = self._path(name)
        self._ask(lambda: self._files.create_dir(path.rpartition("/")[0], recursive=True))
        return self._ask(lambda: self._files.open_output_stream(path, compression=None))

    def open(self, name: str) -> Any:
        """A file, to be read."""
        return self._ask(lambda: self._files.open_input_file(self._path(name)))

    def replace(self, name: str, data: bytes) -> None:
        """Writes a whole file in the place of another."""
        whole = self._files.type_name in WHOLE
        with self._told(), self.create(name if whole else f"{name}.new") as file:
            file.write(data)
        if not whole:
            self.move(f"{name}.new", name)

    def move(self, name: str, to: str) -> None:
        """Gives a file another name."""
        self._ask(lambda: self._files.move(self._path(name), self._path(to)))

    def remove(self, name: str) -> None:
        """Removes a file if it is there."""
        if self.has(name):
            self._ask(lambda: self._files.delete_file(self._path(name)))

    def has(self, name: str) -> bool:
        """Whether there is such a file."""
        found = self._ask(lambda: self._files.get_file_info(self._path(name)))
        return bool(found.type != pyarrow.fs.FileType.NotFound)

    def names(self) -> Iterator[str]:
        """All files."""
        for each in self._below():
            if each.type == pyarrow.fs.FileType.File:
                yield each.path[len(self.root) + 1 :]

    def is_empty(self) -> bool:
        """Whether there is no file in it."""
        return next(self.names(), None) is None

    def clear(self) -> None:
        """Removes the folder."""
        if self._ask(lambda: self._files.get_file_info(self.root)).type != pyarrow.fs.FileType.NotFound:
            self._ask(lambda: self._files.delete_dir(self.root))

    def _below(self) -> list[Any]:
        selector = pyarrow.fs.FileSelector(self.root, recursive=True, allow_not_found=True)
        return list(self._ask(lambda: self._files.get_file_info(selector)))

    def _ask(self, what: Callable[[], T]) -> T:
        with self._told():
            return what()

    @contextmanager
    def _told(self) -> Iterator[None]:
        """What is wrong, without the secrets of the address, which Arrow repeats."""
        try:
            yield
        except FileNotFoundError as error:
            raise FileNotFoundError(self.uri.hide(str(error))) from None
        except (OSError, pa.ArrowException, ImportError) as error:  # some file systems need libraries of their own
            raise OSError(self.uri.hide(str(error))) from None
