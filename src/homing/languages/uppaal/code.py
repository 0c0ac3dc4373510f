"""Expressions as functions of a memory, with what they read and write."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

from homing.languages.uppaal.store import Bounds, Fault, Interval, Memory, Ranges, limits
from homing.languages.uppaal.syntax import Node
from homing.languages.uppaal.types import Bool, Clock, Int, Type, compound

NOTHING: frozenset[int] = frozenset()
Run = Callable[[Memory], Any]


@dataclass(frozen=True, eq=False)
class Effects:
    """What evaluating something may read and write (addresses), and what it does to clocks."""

    reads: frozenset[int] = NOTHING
    writes: frozenset[int] = NOTHING
    kills: frozenset[int] = NOTHING
    """Clocks that are set in any case."""
    copies: frozenset[tuple[int, int]] = frozenset()
    """Clocks that may get the value of another: `(target, source)`."""
    returns: bool = False
    """Whether a function may return here, so that what follows is not certain."""

    def then(self, *others: Effects) -> Effects:
        """All of them, one after another."""
        every = (self, *others)
        return Effects(
            NOTHING.union(*(each.reads for each in every)),
            NOTHING.union(*(each.writes for each in every)),
            NOTHING.union(*(each.kills for each in every)),
            frozenset().union(*(each.copies for each in every)),
            any(each.returns for each in every),
        )

    def perhaps(self) -> Effects:
        """The same, but it may not happen."""
        return replace(self, kills=NOTHING)

    def without(self, locals_: Iterable[int]) -> Effects:
        """The same as seen from outside, where some cells mean nothing."""
        hidden = frozenset(locals_)
        return replace(self, reads=self.reads - hidden, writes=self.writes - hidden, returns=False)


NO_EFFECTS = Effects()


@dataclass(frozen=True, eq=False)
class Target:
    """What can be assigned to: an address, constant or to be computed, in a region."""

    run: Run
    fixed: int | None
    region: range
    effects: Effects
    """Of computing the address."""
    const: bool = False
    stride: int = 0
    """Where the region is an array that begins at a constant address: the size of its elements."""


@dataclass(frozen=True, eq=False)
class Code:
    """An expression: values of arrays and structs are tuples of their cells."""

    node: Node
    type: Type
    run: Run
    effects: Effects = NO_EFFECTS
    target: Target | None = None
    bounds: Bounds | None = None
    known: bool = False
    """Whether it is constant, with its `value`."""
    value: Any = None

    def interval(self, ranges: Ranges) -> Interval:
        """Between which values it lies."""
        if self.known and not compound(self.type):
            return int(self.value), int(self.value)
        if self.bounds is not None:
            return self.bounds(ranges)
        return limits(self.type)


def constant(node: Node, of: Type, value: Any) -> Code:
    """What is known beforehand."""
    return Code(node, of, lambda _memory: value, known=True, value=value)


def converted(of: Type, node: Node, what: str) -> Callable[[Any], Any]:
    """What a value becomes when it is stored; a number out of range is an error."""
    if isinstance(of, Bool):
        return bool
    if isinstance(of, Int):
        low, high = of.low, of.high

        def checked(value: Any) -> int:
            if low <= value <= high:
                return int(value)
            raise Fault(
                node, f"'{node.words}' gives {what} the value {int(value)}, which is not within {low} to {high}"
            )

        return checked
    return _same


def _same(value: Any) -> Any:
    return value


def storing(of: Type, node: Node, what: str) -> Callable[[Memory, int, Any], None]:
    """How a value is stored at an address."""
    if isinstance(of, Clock):
        raise AssertionError(of)
    if not compound(of):
        convert = converted(of, node, what)

        def store(memory: Memory, address: int, value: Any) -> None:
            memory[address] = convert(value)

        return store
    converts = [converted(leaf, node, what) for leaf in of.leaves()]

    def store_all(memory: Memory, address: int, values: Any) -> None:
        for offset, (convert, value) in enumerate(zip(converts, values)):
            memory[address + offset] = convert(value)

    return store_all


def loading(of: Type) -> Callable[[Memory, int], Any]:
    """How a value is taken from an address."""
    if not compound(of):
        return list.__getitem__
    cells = of.cells
    return lambda memory, address: tuple(memory[address : address + cells])
