"""Splits a variable that is a set, such as the messages in flight, by what its elements are.

Elements that are records of the same fields, or tuples of the same length, differ in their *marks*: the components
that are strings, model values or booleans. Each combination of marks gets a slot of its own, and what has none goes to
the last slot. An action on one kind of message then reads and writes one slot. The marks that occur are learnt from a
few random walks; what they miss ends up in the last slot, so that they matter for speed only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product
from math import prod
from typing import Any

from homing.core.values import encode, key_of
from homing.languages.tla.values import Value, is_function, permuted

MOST = 96
"""Slots that a set may be split into."""
MARKS = (str, bytes, bool)

Signature = Any
"""The fields of a record, or the length of a tuple."""


class Known:
    """What is known of an element from the slot that it is in."""

    __slots__ = ("marks", "signature")

    def __init__(self, signature: Signature, marks: dict[Value, Value]) -> None:
        self.signature = signature
        self.marks = marks


def signature_of(element: Value) -> Signature | None:
    """What elements must have in common to be compared by their marks."""
    if type(element) is not tuple or not element:
        return None
    if is_function(element):
        return element[1] if all(isinstance(key, str) for key in element[1]) else None
    return len(element)


def components(element: Value) -> dict[Value, Value]:
    """The fields of a record, or the items of a tuple by position."""
    if is_function(element):
        return dict(zip(element[1], element[2]))
    return dict(enumerate(element, 1))


class Classes:
    """The slots of one set."""

    def __init__(self, kinds: Mapping[Signature, Mapping[Value, frozenset[Value]]]) -> None:
        self.kinds = kinds
        """By signature and component that is a mark, its values."""
        self._numbers: dict[Any, int] = {}
        self.known: list[Known | None] = []
        for signature in sorted(kinds, key=repr):
            marks = kinds[signature]
            choices = [sorted(marks[name], key=encode) for name in marks]
            for chosen in product(*choices):
                self._numbers[signature, key_of(chosen)] = len(self.known)
                self.known.append(Known(signature, dict(zip(marks, chosen))))
        self.known.append(None)

    def __len__(self) -> int:
        return len(self.known)

    def of(self, element: Value) -> int:
        """The slot of an element."""
        signature = signature_of(element)
        if signature not in self.kinds:
            return len(self.known) - 1
        return self.of_marks(signature, components(element))

    def of_marks(self, signature: Signature, marks: Mapping[Value, Value]) -> int:
        """The slot of elements with these marks."""
        chosen = tuple(marks[name] for name in self.kinds[signature])
        return self._numbers.get((signature, key_of(chosen)), len(self.known) - 1)

    def divided(self, value: Value) -> list[frozenset[Value]]:
        """The elements of a set, slot by slot."""
        parts: list[list[Value]] = [[] for _ in self.known]
        for element in value:
            parts[self.of(element)].append(element)
        return list(map(frozenset, parts))

    def image(self, number: int, names: Mapping[bytes, bytes]) -> int:
        """Where a permutation of model values moves a slot."""
        known = self.known[number]
        if known is None:
            return number
        return self.of_marks(known.signature, {name: permuted(mark, names) for name, mark in known.marks.items()})


def learnt(elements: Iterable[Value], images: Iterable[Mapping[bytes, bytes]]) -> Classes | None:
    """The classes of a set in which these elements were seen; closed under permutations of model values."""
    seen: dict[Signature, dict[Value, set[Value] | None]] = {}
    for element in elements:
        signature = signature_of(element)
        if signature is None:
            continue
        marks = seen.setdefault(signature, {})
        for name, value in components(element).items():
            known = marks.setdefault(name, set())
            if type(value) not in MARKS:
                marks[name] = None
            elif known is not None:
                known.add(value)
    moves = list(images)
    kinds: dict[Signature, dict[Value, frozenset[Value]]] = {}
    for signature, marks in seen.items():
        kept = {name: closed(values, moves) for name, values in marks.items() if values is not None}
        if kept:
            kinds[signature] = kept
    size = sum(prod(map(len, marks.values())) for marks in kinds.values())
    return Classes(kinds) if 2 <= size < MOST else None


def closed(values: Iterable[Value], images: list[Mapping[bytes, bytes]]) -> frozenset[Value]:
    """The values and their images."""
    found, before = frozenset(values), None
    while found != before:
        before = found
        found |= {permuted(value, image) for value in found for image in images}
    return found
