"""The end of a run before it is done: a limit, Ctrl-C or SIGTERM.

Engines look at limits between pieces of work (`Watch`). Some pieces have no such places: a parser, or a model that
computes for long. Functions whose work may be dropped at any point are marked `@leavable`; when a signal arrives while
one of them runs, `leave` raises `Stopped` there and then. A C library that calls Python must not see an exception: its
call-backs are marked `@sheltered`, and ask `pending()` instead.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Stopped(BaseException):
    """A limit was reached, or the user interrupted; the text is the reason.

    No `Exception`, as KeyboardInterrupt is none: code that handles errors of models must not handle this.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        settle()


_leavable: set[CodeType] = set()
_sheltered: set[CodeType] = set()
_pending: list[str] = []
"""The reason to end the run, until somebody acts on it. One per process, as signal handlers are."""


def leavable(function: F) -> F:
    """Marks a function that may be left at any point: it changes nothing that is used afterwards."""
    _leavable.add(function.__code__)
    return function


def sheltered(function: F) -> F:
    """Marks a function in which nothing may be raised, since it is called from C."""
    _sheltered.add(function.__code__)
    return function


def pending() -> bool:
    """Must the run end?"""
    return bool(_pending)


def settle() -> None:
    """Somebody acts on the reason: `leave` does nothing until it is given another one."""
    _pending.clear()


def leave(frame: FrameType | None, reason: str | None = None) -> None:
    """Raises Stopped if the frame is inside a leavable function; a later call tries again, while no one has acted."""
    if reason is not None:
        _pending[:] = [reason]
    if not _pending:
        return
    while frame is not None:
        if frame.f_code in _sheltered:
            return
        if frame.f_code in _leavable:
            raise Stopped(_pending[0])
        frame = frame.f_back


def raise_pending() -> None:
    """Raises Stopped if the run must end."""
    if _pending:
        raise Stopped(_pending[0])
