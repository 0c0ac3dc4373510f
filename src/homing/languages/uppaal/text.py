"""Texts inside a file: what an element of the document says, and where in the file each character stands."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

from homing.core.errors import HomingError, Place
from homing.languages.common.names import hint


@dataclass(frozen=True, eq=False)
class Text:
    """The text of one element; `marks` says for some offsets at which line and column they stand."""

    file: str
    element: str
    """What it is, as errors name it: `guard of the edge Idle → Busy of template Train`."""
    value: str = ""
    marks: tuple[tuple[int, int, int], ...] = ((0, 0, 0),)

    def place(self, offset: int) -> Place:
        """Where in the file a character stands."""
        number = bisect_right(self.marks, offset, key=lambda mark: mark[0]) - 1
        start, line, column = self.marks[max(number, 0)]
        before = self.value[start:offset]
        if "\n" in before:
            return Place(self.file, line + before.count("\n"), len(before) - before.rfind("\n"))
        return Place(self.file, line, column + len(before) if line else 0)

    def error(self, offset: int, message: str, known: Iterable[str] = ()) -> HomingError:
        """A mistake in it."""
        return HomingError(f"{self.element}: {message}", self.place(offset), known)

    def named(self, element: str) -> Text:
        """The same, called otherwise."""
        return Text(self.file, element, self.value, self.marks)


def unknown(what: str, name: str, known: Iterable[str]) -> tuple[str, list[str]]:
    """The sentence for a name that is not declared, and those that are."""
    known = list(dict.fromkeys(known))
    return f"{what} '{name}'{hint(name, known)}", known


def a(kind: str) -> str:
    """`a clock`, `an array`."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def counted(number: int, word: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {word}{'' if number == 1 else 's'}"
