"""Symmetry sets: permutations of model values, as permutations of slots and values."""

from __future__ import annotations

from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.system import Permutation
from homing.languages.tla.slots import Shapes
from homing.languages.tla.values import Fault, Value, pairs_of, permuted, show

MOST = 5040
"""Elements of a group beyond which every state would have too many images."""
MOST_MULTIPLIED = 720
"""Elements of a group whose products are all computed."""
MOST_KNOWN = 1 << 12
"""Elements of sets whose images are kept, for each permutation."""

Image = dict[bytes, bytes]


def images(given: Any, place: Place) -> list[Image]:
    """The elements, other than the identity, of the group that the given permutations generate."""
    if not isinstance(given, frozenset):
        raise HomingError(f"SYMMETRY is {show(given)}, which is no set of permutations", place)
    return _generated([_image(element, place) for element in given], place)


def permutations(found: list[Image], shapes: Shapes, place: Place) -> tuple[Permutation, ...]:
    """What the elements of a group do to slots and values."""
    products = _products(found) if len(found) <= MOST_MULTIPLIED else [()] * len(found)
    return tuple(_permutation(image, row, shapes, place) for image, row in zip(found, products))


def _image(element: Any, place: Place) -> Image:
    try:
        pairs = pairs_of(element)
    except Fault as fault:
        raise HomingError(f"SYMMETRY: {fault.message}", place) from None
    if not all(isinstance(value, bytes) for pair in pairs.items() for value in pair):
        raise HomingError(f"SYMMETRY permutes {show(element)}, but only model values can be permuted", place)
    if frozenset(pairs) != frozenset(pairs.values()):
        raise HomingError(f"SYMMETRY has {show(element)}, which is no permutation", place)
    return {old: new for old, new in pairs.items() if old != new}


def _generated(images: list[Image], place: Place) -> list[Image]:
    """All products of the permutations, the identity left out."""
    found: dict[frozenset[tuple[bytes, bytes]], Image] = {}
    generators: list[Image] = []
    for image in sorted(images, key=lambda image: sorted(image.items())):
        if image and frozenset(image.items()) not in found:
            generators.append(image)
            found = _closed(generators, place)
    return list(found.values())


def _closed(generators: list[Image], place: Place) -> dict[frozenset[tuple[bytes, bytes]], Image]:
    """The group of a few generators, by what its elements move; each further generator at least doubles it."""
    found: dict[frozenset[tuple[bytes, bytes]], Image] = {}
    waiting = list(generators)
    while waiting:
        image = waiting.pop()
        key = frozenset(image.items())
        if not image or key in found:
            continue
        found[key] = image
        if len(found) > MOST:
            raise HomingError(f"SYMMETRY generates more than {MOST} permutations", place)
        waiting += [_product(image, other) for other in generators]
    return found


def _product(one: Image, other: Image) -> Image:
    moved = {old: other.get(one.get(old, old), one.get(old, old)) for old in one.keys() | other.keys()}
    return {old: new for old, new in moved.items() if old != new}


def _products(found: list[Image]) -> list[tuple[int, ...]]:
    """By element and element after it, the number of their product; -1 for the identity."""
    names = sorted({name for image in found for name in image})
    numbers = {name: number for number, name in enumerate(names)}
    moves = [tuple(numbers[image.get(name, name)] for name in names) for image in found]
    known = {move: number for number, move in enumerate(moves)}
    return [tuple(known.get(tuple(map(then.__getitem__, move)), -1) for then in moves) for move in moves]


def _permutation(image: Image, products: tuple[int, ...], shapes: Shapes, place: Place) -> Permutation:
    moved = []
    for number in range(len(shapes.slots)):
        slot = shapes.moved(number, image)
        if slot is None:
            raise HomingError("SYMMETRY moves a part of a variable to one that it does not have", place)
        moved.append(slot)

    return Permutation(tuple(moved), _Renaming(image).value, products)


class _Renaming:
    """Replaces model values; what is in sets again and again, such as messages, once."""

    def __init__(self, image: Image) -> None:
        self.image = image
        # By identity, since equality takes TRUE for 1; each entry keeps its value, so that no other gets its number.
        self._known: dict[int, tuple[Value, Value]] = {}

    def value(self, slot: int, old: Value) -> Value:
        """What a value of a slot becomes."""
        if type(old) is not frozenset:
            return permuted(old, self.image)
        return frozenset([self._element(element) for element in old])

    def _element(self, old: Value) -> Value:
        found = self._known.get(id(old))
        if found is not None and found[0] is old:
            return found[1]
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        new = permuted(old, self.image)
        self._known[id(old)] = old, new
        return new
