"""Fields of numbers in bits, and sets that stay right when fields get more of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from oxidd.bcdd import BCDDFunction
from oxidd.util import BooleanOperator

from homing.engines.local.numbering import Interner

Set: TypeAlias = BCDDFunction
"""A set of states, or a relation: a function of the variables."""
AND = BooleanOperator.AND


def children(node: Set) -> tuple[Set, Set]:
    """Of a set that is neither empty nor all: what is left where its first variable is 1, and where it is 0."""
    cofactors = node.cofactors()
    assert cofactors is not None
    return cofactors


class Field:
    """The bits of one number, the least significant first."""

    def __init__(self, interner: Interner) -> None:
        self.interner = interner
        self.bits: list[int] = []
        self.spare: list[int] = []
        """Variables that are in their place, but that nobody speaks of yet."""
        self.cubes: dict[int, Set] = {}

    @property
    def wanted(self) -> int:
        """How many bits its numbers need."""
        return max(0, len(self.interner) - 1).bit_length()


class Kept:
    """A set over some fields that outlives a change of their bits; a space knows those that it made."""

    __slots__ = ("__weakref__", "fields", "set")

    def __init__(self, value: Set, fields: frozenset[Field]) -> None:
        self.set = value
        self.fields = fields


def interleaved(fields: Sequence[Field]) -> Iterator[int]:
    """The most significant first, bit beside bit."""
    every = [field.bits + field.spare for field in fields]
    for weight in reversed(range(max(map(len, every), default=0))):
        for bits in every:
            if weight < len(bits):
                yield bits[weight]
