"""Symmetry sets: permutations of model values, as permutations of slots and values."""

from __future__ import annotations

from typing import Any

from homing.core.errors import HomingError, Place
from homing.core.system import Permutation
from homing.languages.tla.slots import Shapes
from homing.languages.tla.values import Fault, Value, pairs_of, permuted, show

MOST = 5040
"""Elements of a group beyond which every state would have too many images."""

Image = dict[bytes, bytes]


def images(given: Any, place: Place) -> list[Image]:
    """The elements, other than the identity, of the group that the given permutations generate."""
    if not isinstance(given, frozenset):
        raise HomingError(f"SYMMETRY is {show(given)}, which is no set of permutations", place)
    return _generated([_image(element, place) for element in given], place)


def permutations(found: list[Image], shapes: Shapes, place: Place) -> tuple[Permutation, ...]:
    """What the elements of a group do to slots and values."""
    return tuple(_permutation(image, shapes, place) for image in found)


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
    waiting: list[Image] = [image for image in images if image]
    while waiting:
        image = waiting.pop()
        key = frozenset(image.items())
        if not image or key in found:
            continue
        found[key] = image
        if len(found) > MOST:
            raise HomingError(f"SYMMETRY generates more than {MOST} permutations", place)
        waiting += [_product(image, other) for other in images]
    return list(found.values())


def _product(one: Image, other: Image) -> Image:
    moved = {old: other.get(one.get(old, old), one.get(old, old)) for old in one.keys() | other.keys()}
    return {old: new for old, new in moved.items() if old != new}


def _permutation(image: Image, shapes: Shapes, place: Place) -> Permutation:
    moved = []
    for number in range(len(shapes.slots)):
        slot = shapes.moved(number, image)
        if slot is None:
            raise HomingError("SYMMETRY moves a part of a variable to one that it does not have", place)
        moved.append(slot)

    def value(slot: int, old: Value) -> Value:
        return permuted(old, image)

    return Permutation(tuple(moved), value)
