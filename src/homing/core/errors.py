"""Errors that say where, what, and what was known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from homing.core.printable import cut, printable


@dataclass(frozen=True)
class Place:
    """Where in a user's file; line and column count from 1, 0 stands for unknown."""

    file: str
    line: int = 0
    column: int = 0
    text: str = field(default="", compare=False, repr=False)
    """What stands there, where a language can say it."""

    def __str__(self) -> str:
        parts = [self.file]
        if self.line:
            parts.append(str(self.line))
            if self.column:
                parts.append(str(self.column))
        return ":".join(parts)


class HomingError(Exception):
    """Bad input, in one sentence: `messaging.csp:41:7: unknown channel 'ComLX'; declared: ComZP`.

    As text it is printable and not too long, whatever stands in the message.
    """

    def __init__(self, message: str, place: Place | None = None, known: Iterable[str] = ()) -> None:
        self.message = message
        self.place = place
        self.known = tuple(known)
        super().__init__(message)

    def __str__(self) -> str:
        where = printable(f"{self.place}: ") if self.place else ""
        known = f"; {listing(self.known)}" if self.known else ""
        return where + cut(printable(f"{self.message}{known}"))


class ModelError(HomingError):
    """The model itself is at fault: it broke the interface, or failed while it was evaluated."""


class TooWide(ModelError):
    """States are all well, but too many to list one by one: initial ones, or those after a single one."""


def listing(known: tuple[str, ...], most: int = 12) -> str:
    """What was declared, cut before it fills the screen."""
    shown = ", ".join(known[:most])
    more = f" and {len(known) - most} more" if len(known) > most else ""
    return f"declared: {shown}{more}"
