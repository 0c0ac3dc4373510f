"""Processes that start copies of themselves for ever: `P() = a -> (P() ||| P())` has infinitely many states.

Only what is certain is refused: on the way from the process that is asked about, back to itself, there is no guard, no
condition, no channel, no parameter and no synchronisation that could end it.
"""

from __future__ import annotations

from collections.abc import Iterator

from homing.core.errors import HomingError
from homing.languages.csp.syntax import (
    Atomic,
    Composition,
    Definition,
    Hiding,
    Prefix,
    Process,
    Reference,
    Source,
)

CHOICES = ("[]", "<>", "[*]")


def refuse_growth(source: Source) -> None:
    """Raises where a process that is asked about surely has more and more processes."""
    definitions = {each.name: each for each in source.definitions if not each.parameters}
    for ask in source.assertions:
        _Walk(definitions).follow(ask.process, (), False)


class _Walk:
    """Follows what surely can happen, from definition to definition."""

    def __init__(self, definitions: dict[str, Definition]) -> None:
        self.definitions = definitions
        self.seen: set[tuple[str, bool]] = set()

    def follow(self, process: Process, path: tuple[tuple[str, bool], ...], grown: bool) -> None:
        """`path` has the definitions on the way here, each with whether processes were added before it."""
        for reference, more in _reached(process, grown):
            if reference.name not in self.definitions:
                continue
            if any(name == reference.name and more and not before for name, before in path):
                message = (
                    f"'{reference.name}' starts itself again and again beside other processes, so it has infinitely "
                    "many states; a guard or a parameter can bound their number"
                )
                raise HomingError(message, reference.place)
            if (reference.name, more) not in self.seen:
                self.seen.add((reference.name, more))
                self.follow(self.definitions[reference.name].body, (*path, (reference.name, more)), more)


def _reached(process: Process, grown: bool) -> Iterator[tuple[Reference, bool]]:
    """The definitions that can surely be reached, and whether other processes go on beside them then."""
    if isinstance(process, Reference) and not process.arguments:
        yield process, grown
    elif isinstance(process, Prefix):
        yield from _reached(process.then, grown)
    elif isinstance(process, Atomic | Hiding):
        yield from _reached(process.body, grown)
    elif isinstance(process, Composition):
        yield from _within(process, grown)


def _within(process: Composition, grown: bool) -> Iterator[tuple[Reference, bool]]:
    if process.operator in CHOICES:
        for part in process.parts:
            yield from _reached(part, grown)
    elif process.operator == "|||":
        for number, part in enumerate(process.parts):
            others = process.parts[:number] + process.parts[number + 1 :]
            yield from _reached(part, grown or any(map(_acts, others)))
    elif process.operator in (";", "interrupt"):
        yield from _reached(process.parts[0], grown or any(map(_acts, process.parts[1:])))


def _acts(process: Process) -> bool:
    """Does the process begin with an event of its own, or with another definition?"""
    return isinstance(process, Prefix | Reference)
