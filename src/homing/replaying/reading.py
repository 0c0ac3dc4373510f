"""A trace file: JSON, or events as text."""

from __future__ import annotations

import sys
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.replaying import document, text
from homing.replaying.story import Story

STDIN = "-"


def read(source: str, name: str | None = None) -> Story:
    """The trace in a file, `-` being stdin; `name` is the property whose trace is wanted of a document."""
    file = "stdin" if source == STDIN else source
    return parse(_content(source, file), file, name)


def parse(content: str, file: str, name: str | None = None) -> Story:
    """The trace that a text holds."""
    if content.lstrip().startswith("{"):  # no event starts so
        return document.parse(content, file, name)
    if name is not None:
        raise HomingError(f"is no JSON, so it has no trace of a property '{name}'", Place(file))
    return text.parse(content, file)


def _content(source: str, file: str) -> str:
    try:
        data = sys.stdin.buffer.read() if source == STDIN else Path(source).read_bytes()
    except FileNotFoundError:
        raise HomingError("no such file", Place(file)) from None
    except OSError as error:
        raise HomingError(f"cannot be read: {error.strerror or error}", Place(file)) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise HomingError("is no UTF-8 text", Place(file, line)) from None
