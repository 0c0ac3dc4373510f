"""Values and the small numbers that stand for them inside the engine."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from homing.core import evaluate
from homing.core.errors import HomingError
from homing.core.system import Permutation, Read, Shape
from homing.core.values import ATOMS, NotAValue, Value, encode, key_of


class Interner:
    """Numbers values from 0 in the order they turn up; a number never changes its value."""

    def __init__(self) -> None:
        self.values: list[Value] = []
        self._ids: dict[object, int] = {}
        self.seconds = 0.0
        """Spent on encoding; a checkpoint does it again."""

    def __len__(self) -> int:
        return len(self.values)

    def find(self, value: Value) -> int | None:
        """The number of a value, if it has one."""
        return self._ids.get(_key(value))

    def intern(self, value: Value) -> int:
        """The number of a value, a new one if need be."""
        key = _key(value)
        number = self._ids.get(key)
        if number is None:
            begun = time.perf_counter()
            encode(value)  # fails when it is no value
            self.seconds += time.perf_counter() - begun
            number = self._ids[key] = len(self.values)
            self.values.append(value)
        return number

    @property
    def capacity(self) -> int:
        """A power of two, no less than the number of values: how long tables by number are made."""
        return max(2, 1 << (len(self.values) - 1).bit_length())


def _projected(read: Read) -> object:
    """Equal for reads of the same, None for whole slots."""
    through = read.through
    return None if through is None else (read.slot, through.function, encode(through.arguments))


def _key(value: Value) -> object:
    # Atoms hash faster than their encoding; the type keeps True apart from 1.
    return (type(value), value) if type(value) in ATOMS else key_of(value)


def _products(elements: Sequence[Permutation]) -> list[list[int]]:
    """By element, the identity first, and element after it: where in an orbit their product is. Empty if not known."""
    if not elements or not all(element.products for element in elements):
        return []
    return [[*range(1, len(elements) + 1)], *([product + 1 for product in element.products] for element in elements)]


@dataclass
class Unary:
    """A function of one slot's value, tabulated for every value of the slot as it turns up.

    A projection numbers its results by itself; the image under a symmetry lands in slot `target`.
    """

    slot: int
    apply: Callable[[Value], Value]
    results: Interner
    target: int | None = None
    table: list[int] = field(default_factory=list)


class Numbering:
    """The numbers of all slots' values, and the unary functions between them."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape
        self.slots = [Interner() for _ in shape.slots]
        self.unaries: list[Unary] = []
        self._by_slot: list[list[Unary]] = [[] for _ in shape.slots]
        self._projections: dict[object, int] = {}
        functions = [*(group.reads for group in shape.groups), *(label.reads for label in shape.labels)]
        self._guarding = {_projected(read) for reads in functions for read in reads if read.guard}
        self.reads = [tuple((read.slot, self._projection(read)) for read in reads) for reads in functions]
        """By function (groups, then labels): slot and unary function (-1 for none) of each read."""
        self.guards = [tuple(read.guard and read.through is not None for read in reads) for reads in functions]
        self._images: list[list[Unary]] = []
        """By symmetry element and slot: the unary function that takes its values away."""
        self.images = [self._image(element) for element in shape.symmetry]
        """By symmetry element and slot: the unary function whose result lands there."""
        self._products = _products(shape.symmetry)

    def intern(self, slot: int, value: Value) -> int:
        """A value's number; a new one is put through the slot's unary functions, and so are its images."""
        known = self.slots[slot].find(value)
        if known is not None:
            return known
        number, is_new = self._numbered(slot, value)
        if is_new and self._products:
            self._orbit(slot, number, value)
        elif is_new:
            for unary in self._by_slot[slot]:
                if unary.target is not None:
                    unary.table[number] = self._tabulate(unary, value)
        return number

    def restore(self, values: Sequence[Sequence[Value]]) -> None:
        """Numbers values as they were numbered before; raises ValueError unless they are all, and each is once."""
        for slot, known in enumerate(values):
            for number, value in enumerate(known):
                if self._numbered(slot, value) != (number, True):
                    raise ValueError("its values are not all different")
        for slot, known in enumerate(values):
            for number, value in enumerate(known):
                for unary in self._by_slot[slot]:
                    if unary.target is not None:
                        unary.table[number] = self._tabulate(unary, value)
        if any(len(slot) != len(known) for slot, known in zip(self.slots, values, strict=True)):
            raise ValueError("its values lack images of one another")

    def _numbered(self, slot: int, value: Value) -> tuple[int, bool]:
        """The number, and whether it is new: then the value was put through projections, but not through images."""
        interner = self.slots[slot]
        before = len(interner.values)
        number = interner.intern(value)
        if len(interner.values) == before:
            return number, False
        for unary in self._by_slot[slot]:
            unary.table.append(-1)
        for unary in self._by_slot[slot]:
            if unary.target is None:
                unary.table[number] = self._tabulate(unary, value)
        return number, True

    def _orbit(self, slot: int, number: int, value: Value) -> None:
        """Tabulates the images of a value, and theirs: since these are the same again, each is made once."""
        orbit = [(slot, number)]
        for element in self.shape.symmetry:
            target = element.slots[slot]
            orbit.append((target, self._numbered(target, element.value(slot, value))[0]))
        for (place, known), products in dict(zip(orbit, self._products, strict=True)).items():
            for unaries, product in zip(self._images, products, strict=True):
                unaries[place].table[known] = orbit[product][1]

    def _tabulate(self, unary: Unary, value: Value) -> int:
        try:
            result = unary.apply(value)
            return unary.results.intern(result) if unary.target is None else self.intern(unary.target, result)
        except (HomingError, NotAValue, RecursionError):
            return -1  # Perhaps nobody needs it: a state outside the constraint is never expanded.

    def _add(self, unary: Unary) -> int:
        self.unaries.append(unary)
        self._by_slot[unary.slot].append(unary)
        return len(self.unaries) - 1

    def _projection(self, read: Read) -> int:
        through = read.through
        if through is None:
            return -1
        key = _projected(read)
        if key not in self._projections:
            where = f"read from slot '{self.shape.slots[read.slot]}'"

            def apply(value: Value) -> Value:
                return evaluate.pure(through, value, where, self.shape.place)

            results = Interner()
            if key in self._guarding:
                results.intern(False)  # as number 0: that is how kernels tell a guard that is false
            self._projections[key] = self._add(Unary(read.slot, apply, results))
        return self._projections[key]

    def _image(self, element: Permutation) -> list[int]:
        by_target = [0] * len(self.slots)
        self._images.append([])
        for slot, target in enumerate(element.slots):

            def apply(value: Value, slot: int = slot) -> Value:
                return element.value(slot, value)

            by_target[target] = self._add(Unary(slot, apply, self.slots[target], target))
            self._images[-1].append(self.unaries[-1])
        return by_target
