"""Writes a report where it was asked for."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TextIO

from homing.core.errors import HomingError, Place
from homing.report.wording import json_text, printable

STDOUT = "-"


def say(text: str = "", stream: TextIO | None = None) -> None:
    """Prints a line: the only way out for text of a command that has no `Output`."""
    print(printable(text), file=stream or sys.stdout)


def write(target: str, text: str) -> None:
    """Writes the whole text or nothing: who looks at the file never sees half of it."""
    if target == STDOUT:
        _to_stdout(text)
        return
    path = Path(target)
    try:
        _replace(path, text.encode())
    except OSError as error:
        raise HomingError(f"cannot be written: {error.strerror or error}", Place(target)) from None


def say_json(data: object) -> None:
    """Prints a JSON document."""
    _to_stdout(json_text(data) + "\n")


def numbered(target: str, number: int) -> str:
    """`a.svg`, `a-2.svg`, `a-3.svg`: a trace a file. What follows `.itf` in a name belongs to the ending."""
    if number == 1:
        return target
    path = Path(target)
    ending = path.suffix
    if Path(path.stem).suffix.lower() == ".itf":
        ending = Path(path.stem).suffix + ending
    return str(path.with_name(f"{path.name[: -len(ending) or None]}-{number}{ending}"))


def mute(stream: TextIO) -> None:
    """Sends all further output nowhere; else Python itself would try to write the rest at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _to_stdout(text: str) -> None:
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        mute(sys.stdout)  # the reader has seen enough


def _replace(path: Path, data: bytes) -> None:
    if path.exists() and not path.is_file():
        path.write_bytes(data)  # a pipe or /dev/stdout; a folder fails here with its own reason
        return
    import tempfile

    path = path.resolve()  # through a link to what it stands for
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name[:200]}.")
    fresh = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        fresh.chmod(_mode(path))
        fresh.replace(path)
    except BaseException:
        fresh.unlink()
        raise


def _mode(path: Path) -> int:
    """The mode that an ordinary write would have left; mkstemp's is private."""
    if path.exists():
        return path.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
