"""Bags: functions from elements to how often they are there."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from homing.languages.tla.modules.build import strict
from homing.languages.tla.scope import Builtin
from homing.languages.tla.values import Fault, Value, as_set, elements, force, function, pairs_of, show


def _bag(value: Value) -> dict[Value, int]:
    pairs = pairs_of(value)
    if not all(type(count) is int and count > 0 for count in pairs.values()):
        raise Fault(f"{show(value)} is no bag")
    return pairs


def _is_bag(value: Value) -> bool:
    try:
        return all(type(count) is int and count > 0 for count in pairs_of(value).values())
    except Fault:
        return False


def _sum(one: Value, other: Value) -> Value:
    total = dict(_bag(one))
    for item, count in _bag(other).items():
        total[item] = total.get(item, 0) + count
    return function(total)


def _difference(one: Value, other: Value) -> Value:
    gone = _bag(other)
    left = {item: count - gone.get(item, 0) for item, count in _bag(one).items()}
    return function({item: count for item, count in left.items() if count > 0})


def _union(group: Value) -> Value:
    total: Value = ()
    for bag in elements(group):
        total = _sum(total, bag)
    return total


def _within(one: Value, other: Value) -> bool:
    more = _bag(other)
    return all(count <= more.get(item, 0) for item, count in _bag(one).items())


def _sub_bags(bag: Value) -> Value:
    pairs = _bag(bag)
    choices = product(*(range(count + 1) for count in pairs.values()))
    return frozenset(function({i: n for i, n in zip(pairs, chosen) if n}) for chosen in choices)


def _of_all(make: Callable[[Value], Any], bag: Value) -> Value:
    total: dict[Value, int] = {}
    for item, count in _bag(bag).items():
        made = force(make(item))
        total[made] = total.get(made, 0) + count
    return function(total)


BAGS: dict[str, Builtin] = dict(
    [
        strict("IsABag", _is_bag),
        strict("BagToSet", lambda bag: frozenset(_bag(bag))),
        strict("SetToBag", lambda group: function(dict.fromkeys(as_set(group), 1))),
        strict("BagIn", lambda item, bag: item in _bag(bag)),
        strict("EmptyBag", lambda: ()),
        strict("(+)", _sum),
        strict("(-)", _difference),
        strict("BagUnion", _union),
        strict("\\sqsubseteq", _within),
        strict("SubBag", _sub_bags),
        strict("BagOfAll", _of_all, (1, 0)),
        strict("BagCardinality", lambda bag: sum(_bag(bag).values())),
        strict("CopiesIn", lambda item, bag: _bag(bag).get(item, 0)),
    ]
)
