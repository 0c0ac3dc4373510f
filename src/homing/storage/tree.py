"""A local folder that Homing manages: no link in it is followed, and no file is written that was there before."""

from __future__ import annotations

import errno
import os
import re
import shutil
import socket
import stat
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# A pipe in place of a file must not be waited for.
OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
LINKS = (errno.ELOOP, errno.ENOTDIR, errno.EMLINK)


class Tree:
    """Files by name, `/` between folders. Folders above the root are the user's, who may have links there."""

    def __init__(self, root: str | Path) -> None:
        self.root = str(root)

    def make(self) -> None:
        """Makes sure that it is there, and is no link."""
        Path(self.root).mkdir(parents=True, exist_ok=True)
        os.close(self._root())

    def create(self, name: str) -> BinaryIO:
        """A file that was not there, to be written."""
        with self._parent(name, make=True) as (folder, last):
            return os.fdopen(os.open(last, NEW, 0o666, dir_fd=folder), "wb")

    def open(self, name: str) -> BinaryIO:
        """A file, to be read."""
        with self._parent(name) as (folder, last):
            try:
                handle = os.open(last, OLD, dir_fd=folder)
            except OSError as error:
                raise self._told(error, name) from None
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            os.close(handle)
            raise OSError(errno.EINVAL, "is no regular file", name)
        return os.fdopen(handle, "rb")

    @contextmanager
    def replacing(self, name: str, sync: bool = False) -> Iterator[BinaryIO]:
        """Writes to a file of another name, then puts it there: a kill leaves the old one or the new one; with `sync`,
        so does a machine that loses power."""
        with self._parent(name, make=True) as (folder, last):
            _forget(folder, last)
            fresh = f".{last}.{_host()}.{os.getpid()}.{uuid.uuid4().hex[:8]}"
            file = os.fdopen(os.open(fresh, NEW, 0o666, dir_fd=folder), "wb")
            try:
                with file:
                    yield file
                    file.flush()
                    if sync:
                        os.fsync(file.fileno())
                os.replace(fresh, last, src_dir_fd=folder, dst_dir_fd=folder)
            except BaseException:
                with suppress(FileNotFoundError):
                    os.unlink(fresh, dir_fd=folder)
                raise

    def replace(self, name: str, data: bytes) -> None:
        """Writes a whole file."""
        with self.replacing(name) as file:
            file.write(data)

    def move(self, name: str, to: str) -> None:
        """Gives a file of the same folder another name."""
        with self._parent(name) as (folder, last):
            os.rename(last, to.rpartition("/")[2], src_dir_fd=folder, dst_dir_fd=folder)

    def remove(self, name: str) -> None:
        """Removes a file if it is there, or a link, but never what that leads to."""
        with suppress(FileNotFoundError), self._parent(name) as (folder, last):
            os.unlink(last, dir_fd=folder)

    def has(self, name: str) -> bool:
        """Whether there is something of this name; also a link, which nobody will follow."""
        try:
            with self._parent(name) as (folder, last):
                os.lstat(last, dir_fd=folder)
        except FileNotFoundError:
            return False
        return True

    def names(self) -> Iterator[str]:
        """All files; what links lead to is not among them."""
        for place, _, files in os.walk(self.root, followlinks=False):
            for file in files:
                path = Path(place, file)
                if not path.is_symlink():
                    yield path.relative_to(self.root).as_posix()

    def is_empty(self) -> bool:
        """Whether nothing is in it, or it is not there."""
        with suppress(FileNotFoundError), os.scandir(self.root) as found:
            return next(found, None) is None
        return True

    def clear(self) -> None:
        """Removes the folder; links in it are removed, and what they lead to stays."""
        assert shutil.rmtree.avoids_symlink_attacks
        with suppress(FileNotFoundError):
            shutil.rmtree(self.root)

    def _root(self) -> int:
        try:
            return os.open(self.root, FOLDER)
        except OSError as error:
            raise self._told(error, "") from None

    @contextmanager
    def _parent(self, name: str, make: bool = False) -> Iterator[tuple[int, str]]:
        """The folder of a file, open, and the last part of the name."""
        *folders, last = name.split("/")
        if any(part in ("", ".", "..") or "\0" in part for part in (*folders, last)):
            raise OSError(errno.EINVAL, "leads out of the folder", name)
        here = self._root()
        try:
            for number, folder in enumerate(folders):
                if make:
                    with suppress(FileExistsError):
                        os.mkdir(folder, dir_fd=here)
                try:
                    below = os.open(folder, FOLDER, dir_fd=here)
                except OSError as error:
                    raise self._told(error, "/".join(folders[: number + 1])) from None
                os.close(here)
                here = below
            yield here, last
        finally:
            os.close(here)

    def _told(self, error: OSError, name: str) -> OSError:
        path = Path(self.root, name)
        if error.errno in LINKS and path.is_symlink():
            return OSError(errno.ELOOP, "is a symbolic link, which is not followed", str(path))
        return OSError(error.errno, error.strerror, str(path))  # of the class that belongs to the number


def _host() -> str:
    return re.sub(r"[^A-Za-z0-9-]", "-", socket.gethostname())


def _forget(folder: int, name: str) -> None:
    """Removes what processes of this machine left that were killed while they wrote the file."""
    pattern = re.compile(rf"\.{re.escape(name)}\.{_host()}\.(\d+)\.[0-9a-f]{{8}}")
    for each in os.listdir(folder):
        found = pattern.fullmatch(each)
        if found and not _lives(int(found[1])):
            with suppress(FileNotFoundError):
                os.unlink(each, dir_fd=folder)


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        pass
    return True
