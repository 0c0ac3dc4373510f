"""The cells that values live in: constants, slots of the state, tests of locations, local variables, clocks, channels.

Every variable has a static address, also a local one, for functions do not call themselves. What an expression works on
is a *memory*, one value a cell; a slot that was not read holds None there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from homing.languages.uppaal.syntax import Node
from homing.languages.uppaal.types import BOOL, Array, Bool, Chan, Clock, Int, Scalar, Struct, Type, choices, initial
from homing.timed.system import Reset

Kind: TypeAlias = Literal["constant", "slot", "test", "local", "clock", "channel"]
Interval: TypeAlias = tuple[int, int]
Ranges: TypeAlias = dict[int, Interval]
Bounds: TypeAlias = Callable[[Ranges], Interval]
ROUNDS = 6
"""After so many, what still grows is taken to reach the ends of its type."""


class Memory(list[Any]):
    """What is known while something is evaluated, and what was done to clocks."""

    __slots__ = ("resets",)

    def __init__(self, values: Iterable[Any]) -> None:
        super().__init__(values)
        self.resets: list[Reset] = []

    def copied(self) -> Memory:
        """The same, to be written to."""
        memory = Memory(self)
        memory.resets = list(self.resets)
        return memory


class Fault(Exception):
    """Evaluating something is an error; the message has the place, the element and the expression."""

    def __init__(self, node: Node, message: str) -> None:
        super().__init__(f"{node.place}: {node.source.element}: {message}")


@dataclass(frozen=True)
class Cell:
    """One of them; a test is of the location cell `of`, and asks whether its value is `location`."""

    name: str
    kind: Kind
    type: Type
    of: int = -1
    location: str = ""
    hidden: bool = False


@dataclass
class Store:
    """All cells of a model. `base` has what never changes, `first` also the first values of the slots."""

    cells: list[Cell] = field(default_factory=list)
    base: list[Any] = field(default_factory=list)
    first: list[Any] = field(default_factory=list)
    clocks: list[int] = field(default_factory=list)
    """The addresses of clocks 1, 2, …"""
    facts: list[tuple[Iterable[int], Bounds]] = field(default_factory=list)
    """What is assigned to which cells."""
    clock_values: list[Bounds] = field(default_factory=list)
    """What clocks are set to."""
    _scalars: dict[tuple[Type, Any], int] = field(default_factory=dict)
    _tests: dict[tuple[int, str], int] = field(default_factory=dict)

    def add(self, cell: Cell, value: Any, known: bool) -> int:
        """A new cell's address."""
        self.cells.append(cell)
        self.base.append(value if known else None)
        self.first.append(value)
        return len(self.cells) - 1

    def variable(self, of: Type, name: str, values: tuple[Any, ...] | None, hidden: bool = False) -> int:
        """A variable of the state, with clocks and channels where its type has them."""
        start = len(self.cells)
        for number, (leaf, path) in enumerate(zip(of.leaves(), paths(of))):
            if isinstance(leaf, Clock):
                self.clocks.append(len(self.cells))
                self.add(Cell(name + path, "clock", leaf), len(self.clocks), True)
            elif isinstance(leaf, Chan):
                self.add(Cell(name + path, "channel", leaf), len(self.cells), True)
            else:
                value = initial(leaf) if values is None else values[number]
                self.add(Cell(name + path, "slot", leaf, hidden=hidden), value, False)
        return start

    def constant(self, of: Type, name: str, values: tuple[Any, ...]) -> int:
        """Values that never change; single ones are kept once."""
        if len(values) == 1 and (of, values[0]) in self._scalars:
            return self._scalars[of, values[0]]
        start = len(self.cells)
        for leaf, path, value in zip(of.leaves(), paths(of), values):
            self.add(Cell(name + path, "constant", leaf), value, True)
        if len(values) == 1:
            self._scalars[of, values[0]] = start
        return start

    def local(self, of: Type, name: str) -> int:
        """What is there while a function runs."""
        start = len(self.cells)
        for leaf, path in zip(of.leaves(), paths(of)):
            self.add(Cell(name + path, "local", leaf), initial(leaf), True)
        return start

    def location(self, process: str, first: str) -> int:
        """Where a process is."""
        return self.add(Cell(process, "slot", BOOL), first, False)

    def test(self, of: int, location: str) -> int:
        """Whether a process is in a location."""
        key = of, location
        if key not in self._tests:
            name = f"{self.cells[of].name}.{location}"
            value = self.first[of] == location
            self._tests[key] = self.add(Cell(name, "test", BOOL, of, location), value, False)
        return self._tests[key]

    def changing(self, region: range) -> Iterator[int]:
        """Those cells of a region that can have different values."""
        return (address for address in region if self.cells[address].kind in ("slot", "test", "local"))

    def memory(self) -> Memory:
        """With nothing of a state."""
        return Memory(self.base)

    def start(self) -> Memory:
        """With the first values."""
        return Memory(self.first)

    def ranges(self) -> Ranges:
        """Which values cells can have at all, by what is assigned anywhere."""
        ranges: Ranges = {}
        for address, cell in enumerate(self.cells):
            value = self.first[address]
            if isinstance(cell.type, Int | Bool | Scalar) and not isinstance(value, str):
                ranges[address] = (int(value), int(value))
        rounds = 0
        while self._grow(ranges, widen=rounds >= ROUNDS):
            rounds += 1
        return ranges

    def _grow(self, ranges: Ranges, widen: bool) -> bool:
        changed = False
        for region, bounds in self.facts:
            low, high = bounds(ranges)
            for address in region:
                known = ranges.get(address)
                if known is None:
                    continue
                limit = limits(self.cells[address].type)
                new = (min(known[0], max(low, limit[0])), max(known[1], min(high, limit[1])))
                if new != known:
                    changed = True
                    ranges[address] = limit if widen else new
        return changed


def limits(of: Type) -> Interval:
    """The least and the greatest value of a type."""
    values = choices(of)
    return (values[0], values[-1]) if values else (0, 0)


def paths(of: Type) -> Iterator[str]:
    """How each cell of a variable is reached: `[1].x`."""
    if isinstance(of, Array):
        for index in range(of.low, of.low + of.size):
            yield from (f"[{index}]{path}" for path in paths(of.of))
    elif isinstance(of, Struct):
        for name, inner in of.fields:
            yield from (f".{name}{path}" for path in paths(inner))
    else:
        yield ""
