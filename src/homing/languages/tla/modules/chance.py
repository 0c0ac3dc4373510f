"""Operators that draw at random: RandomElement of TLC, and Randomization.

What is drawn depends on a seed, on the place in the text, on what is bound there and on the state, and on nothing else:
so it is the same in every run, engine and thread, and another in another state, as in TLC. The operators get all
this as one more argument, the moment; where nothing of it is known, `calls.py` does not call them.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import blake2b
from random import Random
from typing import Any

from homing.core.values import encode
from homing.languages.tla.scope import Builtin
from homing.languages.tla.sets import Functions, Interval, Powerset, Product, Records
from homing.languages.tla.values import MOST, Fault, SetLike, Value, as_set, elements, maker, ordered, show

Moment = tuple[Any, ...]
TRIES = 20
"""Draws for each element that is wanted of a set that is too large to list."""


def source(moment: Moment) -> Random:
    """The numbers that belong to a moment."""
    return Random(int.from_bytes(blake2b(encode(moment), digest_size=16).digest(), "big"))


def _element(group: Value, chance: Random) -> Value:
    match group:
        case Functions():
            keys = list(elements(group.source))
            return maker(keys)([_element(group.image, chance) for _ in keys])
        case Records():
            return maker(group.fields)([_element(image, chance) for image in group.images])
        case Product():
            return tuple(_element(factor, chance) for factor in group.factors)
        case Powerset():
            return frozenset(item for item in elements(group.base) if chance.random() < 0.5)
        case Interval():
            return chance.randint(group.low, group.high)
    items = ordered(as_set(group))
    if not items:
        raise Fault("an element of {} cannot be drawn")
    return chance.choice(items)


def _natural(value: Value, what: str) -> int:
    if type(value) is not int or value < 0:
        raise Fault(f"{what} is given {show(value)}, not a natural number, first")
    return value


def _subset(size: Value, group: Value, chance: Random) -> Value:
    wanted = _natural(size, "RandomSubset")
    try:
        items = ordered(as_set(group))
    except Fault:
        if not isinstance(group, SetLike) or wanted > MOST:
            raise
        found: set[Value] = set()
        for _ in range(TRIES * wanted):
            if len(found) < wanted:
                found.add(_element(group, chance))
        return frozenset(found)
    return frozenset(chance.sample(items, min(wanted, len(items))))


def _subsets(count: Value, size: Value, group: Value, chance: Random) -> Value:
    items = ordered(as_set(group))
    picks, average = _natural(count, "RandomSetOfSubsets"), _natural(size, "RandomSetOfSubsets")
    if average > len(items) or picks > 2 ** len(items):
        raise Fault(f"RandomSetOfSubsets({picks}, {average}, S) asks for more than a set of {len(items)} elements has")
    share = average / len(items) if items else 0
    return frozenset(frozenset(item for item in items if chance.random() < share) for _ in range(picks))


def _tested(count: Value, size: Value, group: Value, chance: Random) -> Value:
    return tuple(len(_subsets(count, size, group, chance)) for _ in range(5))


def _drawing(name: str, arity: int, draw: Callable[..., Value]) -> tuple[str, Builtin]:
    def drawn(*given: Value) -> Value:
        *args, moment = given
        return draw(*args, source(moment))

    return name, Builtin(name, arity, drawn, lazy=True)


TLC = dict([_drawing("RandomElement", 1, _element)])
RANDOMIZATION = dict(
    [
        _drawing("RandomSubset", 2, _subset),
        _drawing("RandomSetOfSubsets", 3, _subsets),
        _drawing("TestRandomSetOfSubsets", 3, _tested),
    ]
)
DRAWING = frozenset([*TLC.values(), *RANDOMIZATION.values()])
