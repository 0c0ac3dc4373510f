"""The text of a model file."""

from __future__ import annotations

from pathlib import Path

from homing.core.errors import HomingError, Place


def data_of(path: Path) -> bytes:
    """The bytes of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "unknown reason").lower()
        raise HomingError(f"cannot be read: {reason}", Place(str(path))) from None


def text_of(path: Path) -> str:
    """The text of a file, which has to be UTF-8."""
    data = data_of(path)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        column = error.start - data.rfind(b"\n", 0, error.start)
        where = Place(str(path), line, column)
        raise HomingError(f"is no UTF-8 text: byte 0x{data[error.start]:02x} stands here", where) from None
