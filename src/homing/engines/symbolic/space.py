"""Numbers in bits: the variables of the decision diagrams, and sets of tuples of numbers over them.

A *field* holds one number. Slots have two, now and then (before and after a step), with bits side by side. When more
values turn up than a field has bits for, it gets another bit on top: sets that are kept are told that it is 0 in them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any
from weakref import WeakSet

import numpy as np
from oxidd.bcdd import BCDDFunction, BCDDManager

from homing.engines.local.numbering import Interner
from homing.engines.symbolic import tuples
from homing.engines.symbolic.fields import AND, Field, Kept, Set, interleaved

__all__ = ["AND", "Field", "Kept", "Set", "Space"]
SPARE = 3
"""Bits that a field has in reserve when it is given some."""


class Space:
    """The manager of all diagrams, and the fields of a system's slots in a given order."""

    def __init__(
        self, interners: Sequence[Interner], order: Sequence[int], nodes: int, cache: int, threads: int
    ) -> None:
        self.manager = BCDDManager(nodes, cache, threads)
        self.true: Set = self.manager.true()
        self.false: Set = self.manager.false()
        self.now = [Field(interner) for interner in interners]
        self.then = [Field(interner) for interner in interners]
        self.between: list[Field] = []
        """Where asked for, a third number a slot: its value between two steps."""
        self.kept: WeakSet[Kept] = WeakSet()
        self.watched: Callable[[], None] = lambda: None
        """What is done between two operations; it may raise."""
        self.peak = 0
        """The most nodes seen, those included that nobody needed any more."""
        self._nodes = nodes
        self._full = nodes // 2
        """Nodes from which those that nobody needs are thrown away."""
        self.version = 0
        """Changes when fields get more bits."""
        self.order = list(order)
        self._beside: dict[int, list[Field]] = {slot: [] for slot in order}
        self._above: list[tuple[Field, ...]] = []
        self._below: list[tuple[Field, ...]] = []
        self._known: dict[Any, Any] = {}
        self._literals: list[tuple[Set, Set]] = []

    def tick(self) -> None:
        """To be called between two operations, often: makes room, and looks whether it is time to stop."""
        count = self.manager.approx_num_inner_nodes()
        self.peak = max(self.peak, count)
        if count > self._full:
            # OxiDD does so by itself, but so late that operations fail for want of room.
            self.manager.gc()
            self._full = (self.manager.num_inner_nodes() + self._nodes) // 2
        self.watched()

    # Fields and their bits

    def beside(self, slot: int, interner: Interner) -> Field:
        """A field whose bits follow those of a slot."""
        field = Field(interner)
        self._beside[slot].append(field)
        return field

    def in_two_steps(self) -> None:
        """Gives every slot a field for its value between two steps."""
        if not self.between:
            self.between = [Field(field.interner) for field in self.now]
            self.fit()

    def above(self, *interners: Interner) -> tuple[Field, ...]:
        """Fields above all others, bit beside bit."""
        fields = tuple(Field(interner) for interner in interners)
        self._above.insert(0, fields)
        return fields

    def below(self, *interners: Interner) -> tuple[Field, ...]:
        """Fields below all others, bit beside bit."""
        fields = tuple(Field(interner) for interner in interners)
        self._below.append(fields)
        return fields

    def fit(self) -> bool:
        """Gives every field the bits that its numbers need; True when one got more."""
        growing = [field for field in self._fields() if field.wanted > len(field.bits)]
        if not growing:
            return False
        if any(field.wanted > len(field.bits) + len(field.spare) for field in growing):
            self._allocate()
        added: dict[Field, list[Set]] = {}
        for field in growing:
            count = field.wanted - len(field.bits)
            added[field] = [self._literals[bit][1] for bit in field.spare[:count]]
            field.bits += field.spare[:count]
            field.spare = field.spare[count:]
            field.cubes.clear()
        self._known.clear()
        self.version += 1
        for kept in self.kept:
            for field in kept.fields & added.keys():
                for zero in added[field]:
                    kept.set = kept.set & zero
        return True

    def _allocate(self) -> None:
        """Gives every field some bits to spare: to move variables to their place in the order takes time."""
        manager = self.manager
        manager.gc()
        for field in self._fields():
            count = field.wanted + SPARE - len(field.bits) - len(field.spare)
            if count > 0:
                field.spare += manager.add_vars(count)
        done = len(self._literals)
        self._literals += [(manager.var(bit), manager.not_var(bit)) for bit in range(done, manager.num_vars())]
        manager.set_var_order(list(self._layout()))

    def rearrange(self, order: Sequence[int]) -> None:
        """Puts the slots in another order; no tuples may be being listed."""
        self.order = list(order)
        self.manager.set_var_order(list(self._layout()))

    def _fields(self) -> Iterator[Field]:
        yield from self.now
        yield from self.then
        yield from self.between
        for beside in self._beside.values():
            yield from beside
        for fields in (*self._above, *self._below):
            yield from fields

    def _layout(self) -> Iterator[int]:
        for fields in self._above:
            yield from interleaved(fields)
        for slot in self.order:
            yield from interleaved((self.now[slot], self.then[slot], *self.between[slot : slot + 1]))
            for field in self._beside[slot]:
                yield from interleaved((field,))
        for fields in self._below:
            yield from interleaved(fields)

    def level(self, field: Field) -> int:
        """The level of a field's topmost bit; below all where it has none."""
        return min((self.manager.var_to_level(bit) for bit in field.bits), default=1 << 30)

    # Sets

    def keep(self, value: Set, fields: Iterable[Field]) -> Kept:
        """A set over these fields that stays right when they get more bits."""
        kept = Kept(value, frozenset(fields))
        self.kept.add(kept)
        return kept

    def cube(self, field: Field, number: int) -> Set:
        """The field holds this number."""
        found = field.cubes.get(number)
        if found is None:
            found = self.true
            for weight, bit in enumerate(field.bits):
                found = found & self._literals[bit][0 if number >> weight & 1 else 1]
            field.cubes[number] = found
        return found

    def bits(self, fields: Iterable[Field]) -> Set:
        """The variables of these fields, to quantify over."""
        fields = frozenset(fields)
        found: Set | None = self._known.get(fields)
        if found is None:
            found = self.true
            for field in fields:
                for bit in field.bits:
                    found = found & self._literals[bit][0]
            self._known[fields] = found
        return found

    def same(self, slot: int) -> Set:
        """The slot keeps its value."""
        found: Set | None = self._known.get(("same", slot))
        if found is None:
            found = self.true
            for one, other in zip(self.now[slot].bits, self.then[slot].bits, strict=True):
                found = found & self._literals[one][0].equiv(self._literals[other][0])
            self._known["same", slot] = found
        return found

    def forwards(self, value: Set, slots: frozenset[int]) -> Set:
        """What was said of these slots now, said of them then."""
        return value.substitute(self._renaming(slots, self.now, self.then))

    def backwards(self, value: Set, slots: frozenset[int]) -> Set:
        """The other way round."""
        return value.substitute(self._renaming(slots, self.then, self.now))

    def renamed(self, value: Set, sources: Sequence[Field], targets: Sequence[Field]) -> Set:
        """What was said of some fields, said of others."""
        pairs = [
            (one, self._literals[other][0])
            for source, target in zip(sources, targets, strict=True)
            for one, other in zip(source.bits, target.bits, strict=True)
        ]
        return value.substitute(BCDDFunction.make_substitution(pairs))

    def _renaming(self, slots: frozenset[int], sources: list[Field], targets: list[Field]) -> Any:
        key = ("renaming", slots, sources is self.now)
        found = self._known.get(key)
        if found is None:
            pairs = [
                (one, self._literals[other][0])
                for slot in slots
                for one, other in zip(sources[slot].bits, targets[slot].bits, strict=True)
            ]
            found = self._known[key] = BCDDFunction.make_substitution(pairs)
        return found

    def count(self, value: Set, fields: Iterable[Field]) -> int:
        """How many tuples of numbers there are; exact."""
        return value.sat_count(sum(len(field.bits) for field in fields))

    def states(self, value: Set) -> int:
        """How many states there are in a set."""
        return self.count(value, self.now)

    def one_each(self, value: Set, fields: Sequence[Field]) -> Set:
        """Of tuples that differ in these fields only, one: that with the least bits."""
        bits = self.bits(fields)
        for field in fields:
            for bit in field.bits:
                zero = value & self._literals[bit][1]
                value = zero | value & ~zero.exists(bits)
        return value

    # Tuples

    def columns(self, fields: Sequence[Field]) -> list[tuple[int, int, int]]:
        """Variable, position of the field and weight of each bit, from the top down."""
        columns = [
            (bit, position, weight) for position, field in enumerate(fields) for weight, bit in enumerate(field.bits)
        ]
        return sorted(columns, key=lambda column: self.manager.var_to_level(column[0]))

    def tables(self, value: Set, fields: Sequence[Field]) -> Iterator[tuples.Table]:
        """The tuples of numbers in a set over these fields, which are different, many at a time."""
        for table in tuples.listed(value, self.columns(fields), len(fields)):
            self.tick()
            yield table

    def rows(self, value: Set, fields: Sequence[Field]) -> Iterator[tuple[int, ...]]:
        """The same one by one."""
        for table in self.tables(value, fields):
            yield from map(tuple, table.tolist())

    def one(self, value: Set, fields: Sequence[Field]) -> tuple[int, ...]:
        """The first of the tuples; there must be one."""
        return tuples.first(value, self.columns(fields), len(fields))

    def of_rows(self, rows: Iterable[Sequence[int]], fields: Sequence[Field]) -> Set:
        """The set of tuples of numbers over these fields, which are different."""
        rows = list(rows)
        return self.of_table(np.array(rows, np.int64).reshape(len(rows), len(fields)), fields)

    def of_table(self, table: tuples.Table, fields: Sequence[Field]) -> Set:
        """The same of tuples in a table."""
        columns = self.columns(fields)
        literals = [self._literals[bit][0] for bit, _, _ in columns]
        return tuples.united(table, columns, literals, self.true, self.false)

    def tuple(self, row: Sequence[int], fields: Sequence[Field]) -> Set:
        """The one tuple."""
        found = self.true
        for field, number in zip(fields, row, strict=True):
            found = found & self.cube(field, number)
        return found
