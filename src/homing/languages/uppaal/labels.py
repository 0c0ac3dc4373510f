"""What is asked of states: what processes say about time, where conditions hold, and the values of expressions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from homing.languages.uppaal.bounds import Bounds
from homing.languages.uppaal.code import Code
from homing.languages.uppaal.conditions import ALWAYS, Formula, cells
from homing.languages.uppaal.conditions import effects as read_by
from homing.languages.uppaal.network import Location, Member
from homing.languages.uppaal.store import Fault, Memory
from homing.languages.uppaal.syntax import Node
from homing.timed.system import EVERYWHERE, NOWHERE, Cell, Part

IMPOSSIBLE = (0, 0, 0)
"""A constraint that nothing satisfies: 0 < 0."""


@dataclass(eq=False)
class Tables:
    """The numbers that labels have for values, in the order in which they come up."""

    parts: list[Part] = field(default_factory=list)
    unions: list[tuple[Cell, ...]] = field(default_factory=lambda: [(), ALWAYS])
    _numbers: dict[object, int] = field(default_factory=dict)

    def part(self, part: Part) -> int:
        """The number of a part."""
        if part not in self._numbers:
            self._numbers[part] = len(self.parts)
            self.parts.append(part)
        return self._numbers[part]

    def union(self, union: tuple[Cell, ...]) -> int:
        """The number of a union of cells."""
        if not union:
            return NOWHERE
        if union == ALWAYS:
            return EVERYWHERE
        if union not in self._numbers:
            self._numbers[union] = len(self.unions)
            self.unions.append(union)
        return self._numbers[union]


@dataclass(frozen=True, eq=False)
class Timing:
    """The part of a process."""

    name: str
    member: Member
    bounds: dict[Location, Bounds]
    reads: frozenset[int]

    def value(self, memory: Memory, tables: Tables) -> int:
        """In its location now."""
        at = self.member.process.at
        name = self.member.initial.name if at is None else memory[at]
        location = next(each for each in self.member.locations if each.name == name)
        holds = cells(location.invariant, memory)
        if len(holds) > 1:
            text = location.text.invariant
            assert text is not None
            raise Fault(Node(text, 0, len(text.value)), "the invariant is a disjunction of bounds on clocks here")
        constraints = holds[0].constraints if holds else (IMPOSSIBLE,)
        bounds = self.bounds[location]
        text_ = location.text
        delay = not text_.urgent and not text_.committed
        return tables.part(Part(constraints, tuple(bounds.lower), tuple(bounds.upper), delay, text_.committed))


@dataclass(frozen=True, eq=False)
class Condition:
    """Where a formula holds."""

    name: str
    formula: Formula
    bounds: Bounds

    @property
    def reads(self) -> frozenset[int]:
        return read_by(self.formula).reads

    def value(self, memory: Memory, tables: Tables) -> int:
        return tables.union(cells(self.formula, memory))


@dataclass(frozen=True, eq=False)
class Value:
    """What an expression is."""

    name: str
    code: Code

    @property
    def reads(self) -> frozenset[int]:
        return self.code.effects.reads

    def value(self, memory: Memory, _tables: Tables) -> int:
        return int(self.code.run(memory))


Labelled: TypeAlias = Timing | Condition | Value
