"""What names stand for, and how mistakes with them are told."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from homing.core.errors import HomingError, Place
from homing.languages.common.names import hint
from homing.languages.csp.syntax import Channel, Definition, Expression, Items, Macro, Name, Variable

CHANNEL_FUNCTIONS = ("cfull", "cempty", "ccount", "csize", "cpeek")
Bound: TypeAlias = Mapping[str, str]
"""The names bound at some point, each with what it is: a parameter, an index, a received value, a local variable."""
LOCAL = "local variable"


@dataclass
class Scope:
    """The declarations of a source by name, and how processes use channels and events."""

    macros: dict[str, Macro] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    channels: dict[str, Channel] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    sent: dict[str, set[int]] = field(default_factory=dict)
    """With how many fields messages are sent over each channel."""
    received: dict[str, set[int]] = field(default_factory=dict)
    """The same for inputs."""
    events: dict[str, set[int]] = field(default_factory=dict)
    """The events that processes do, each with the numbers of arguments it is done with."""

    def kind(self, name: str) -> str | None:
        """What a name was declared as, in words."""
        for words, declared in self.kinds():
            if name in declared:
                return words
        return None

    def kinds(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """What can be declared, in words, and what was."""
        return (
            ("constant or macro", self.macros),
            ("variable", self.variables),
            ("channel", self.channels),
            ("process", self.definitions),
        )


def binds(scope: Scope, bound: Container[str], received: Expression) -> bool:
    """Whether a field of an input binds a fresh name; otherwise it has to equal what is received.

    The rule is PAT's: a name alone that stands for nothing yet is bound, for the rest of the prefix (its guard, its
    statements and what follows `->`). A constant, a parameter, an index, a name that was received before, and every
    other expression has to match. A global variable alone, which PAT refuses, is a mistake that `check` reports.
    """
    return isinstance(received, Name) and not (
        received.name in bound or received.name in scope.macros or received.name in scope.variables
    )


def dimensions(variable: Variable) -> int:
    """How many indices a variable takes; `var a = [1, 2];` has a size that is not written."""
    return len(variable.sizes) or int(isinstance(variable.value, Items))


class Problems:
    """Mistakes as they are found; the first in the file is the one to tell."""

    def __init__(self) -> None:
        self.found: list[HomingError] = []

    def add(self, message: str, place: Place, known: Iterable[str] = ()) -> None:
        """One mistake."""
        self.found.append(HomingError(message, place, known))

    def unknown(self, what: str, name: str, place: Place, known: Iterable[str]) -> None:
        """A name that is not declared, with those that are."""
        known = list(dict.fromkeys(known))
        self.add(f"{what} '{name}'{hint(name, known)}", place, known)

    def settle(self) -> None:
        """Raises the first mistake, if there is any."""
        if self.found:
            raise min(self.found, key=lambda error: (error.place.line, error.place.column) if error.place else (0, 0))


def counted(number: int, word: str) -> str:
    """`1 field`, `2 fields`, `2 indices`."""
    plural = "indices" if word == "index" else word + "s"
    return f"{number} {word if number == 1 else plural}"


def a(kind: str) -> str:
    """`a parameter`, `an index`."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"
