"""Whether values are equal, or elements of sets; an error where TLC calls it one to compare them."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product

from homing.languages.tla.sorts import alike, are_together, fits, sort_of, together, type_of
from homing.languages.tla.values import (
    ATOMS,
    LISTED,
    Fault,
    SetLike,
    Value,
    force,
    is_function,
    kind,
    ordered,
    show,
)

SIMPLE = frozenset({int, str, bool})
"""Kinds of values that can be compared with all of their kind."""


def agree(one: Value, other: Value) -> None:
    """Raises Fault where TLC refuses to compare: the first difference is one of kinds.

    TLC compares the fields of a record in the order in which they turned up in the text; where a field differs that can
    be compared, it is taken to come first.
    """
    first, second = type(one), type(other)
    if first is bytes or second is bytes:
        _agree_model_values(one, other)
    elif first is not second:
        raise _different(one, other)
    elif first is frozenset:
        if len(one) == len(other) and not together(sort_of(one), sort_of(other)):
            for left, right in zip(ordered(one), ordered(other)):
                agree(left, right)
                if not _same(left, right):
                    return
    elif first is tuple:
        _agree_functions(one, other)


def _different(one: Value, other: Value) -> Fault:
    return Fault(f"{show(one)}, {kind(one)}, cannot be compared with {show(other)}, {kind(other)}")


def _agree_functions(one: Value, other: Value) -> None:
    if not is_function(one) and not is_function(other):
        if len(one) == len(other):
            _agree_parts(one, other)
        return
    keys, values = _parts(one)
    others, mates = _parts(other)
    if len(keys) != len(others):
        return
    for key, mate in zip(keys, others):
        agree(key, mate)
        if not _same(key, mate):
            return
    fault = None
    for value, mate in zip(values, mates):
        try:
            agree(value, mate)
        except Fault as found:
            fault = found
            continue
        if not _same(value, mate):
            return
    if fault is not None:
        raise fault


def _parts(value: Value) -> tuple[tuple[Value, ...], tuple[Value, ...]]:
    """The keys and values of a function."""
    return (value[1], value[2]) if is_function(value) else (tuple(range(1, len(value) + 1)), value)


def _agree_parts(one: Value, other: Value) -> None:
    for left, right in zip(one, other):
        if left is right:
            continue
        if type(left) is not type(right) or type(left) not in SIMPLE:
            agree(left, right)
        if not _same(left, right):
            return


def _agree_model_values(one: Value, other: Value) -> None:
    types = {type_of(value) if isinstance(value, bytes) else None for value in (one, other)}
    if b"" not in types and len(types) > 1:
        raise _different(one, other)


def equal(one: Value, other: Value) -> bool:
    """`one = other`; raises Fault for values of different kinds."""
    t = type(one)
    if t is not type(other) or t not in LISTED:
        if one is other:
            return True
        if isinstance(one, SetLike) and type(one) is type(other):
            try:
                one, other = force(one), force(other)
            except Fault:
                return _equal_parts(one, other)
        one, other = force(one), force(other)
        t = type(one)
    if t is type(other) and t in ATOMS:
        if t is bytes and one != other:
            _agree_model_values(one, other)
        return bool(one == other)
    if one is other:
        return True
    same = _same(one, other)
    if not same:
        if t is tuple and type(other) is tuple:
            _agree_records(one, other)
        agree(one, other)
    return same


def _equal_parts(one: SetLike, other: SetLike) -> bool:
    """Whether sets that cannot be listed are made of the same sets in the same way."""
    parts, others = one.parts(), other.parts()
    if parts is None or others is None or (parts != others and "STRING" in (*parts, *others)):
        raise _different(one, other)
    return all(map(equal, parts, others))


def _agree_records(one: Value, other: Value) -> None:
    """TLC compares a record with records only, of whatever size."""
    if is_function(one) and type(one[1][0]) is str:
        keys = other[1] if is_function(other) else range(1, len(other) + 1)
        if any(type(key) is not str for key in keys):
            raise _different(one, other)


def _same(one: Value, other: Value) -> bool:
    """Whether listed values are one: Python takes TRUE for 1."""
    return bool(one == other) and alike(one, other)


def member(value: Value, group: Value) -> bool:
    """`value \\in group`."""
    if type(group) is not frozenset:
        if isinstance(group, SetLike):
            return group.has(value)
        raise Fault(f"{show(group)}, {kind(group)}, is no set to look for {show(value)} in")
    if type(value) not in LISTED:
        value = force(value)
    if fits(sort_of(value), sort_of(group)):
        return value in group
    found = [equal(value, element) for element in group]  # all of them: the order of a set must not matter
    return any(found)


def set_of(items: Iterable[Value]) -> frozenset[Value]:
    """The set of some values; raises Fault where TLC could not sort them."""
    listed = items if isinstance(items, (list, tuple)) else list(items)
    if len(listed) > 1 and not are_together(listed):
        for one, other in combinations(listed, 2):
            agree(one, other)
    return frozenset(listed)


def _agree_sets(one: frozenset[Value], other: frozenset[Value]) -> None:
    """Raises Fault where an element of one cannot be compared with one of the other."""
    if one and other and one is not other and not together(sort_of(one), sort_of(other)):
        for left, right in product(one, other):
            agree(left, right)


def union(one: frozenset[Value], other: frozenset[Value]) -> frozenset[Value]:
    """`one \\cup other`."""
    _agree_sets(one, other)
    return one | other


def union_of(parts: list[frozenset[Value]]) -> frozenset[Value]:
    """`UNION parts`."""
    if not are_together(parts):
        for one, other in combinations(parts, 2):
            _agree_sets(one, other)
    return frozenset().union(*parts)


def intersection(one: frozenset[Value], other: frozenset[Value]) -> frozenset[Value]:
    """`one \\cap other`."""
    _agree_sets(one, other)
    return one & other


def difference(one: frozenset[Value], other: frozenset[Value]) -> frozenset[Value]:
    """`one \\ other`."""
    _agree_sets(one, other)
    return one - other


def within(one: frozenset[Value], other: frozenset[Value]) -> bool:
    """`one \\subseteq other`."""
    _agree_sets(one, other)
    return one <= other
