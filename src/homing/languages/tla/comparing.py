"""Whether values are equal, or elements of sets; an error where TLC calls it one to compare them."""

from __future__ import annotations

from typing import Any

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


def _type_of(model_value: bytes) -> bytes:
    """Model values whose names start with a letter and an underscore are of that type; others are of none."""
    return model_value[:1] if model_value[1:2] == b"_" else b""


SIMPLE = frozenset({int, str, bool})
"""Kinds of values that can be compared with all of their kind."""


def agree(one: Value, other: Value) -> None:
    """Raises Fault where TLC refuses to compare: the first difference is one of kinds."""
    first, second = type(one), type(other)
    if first is bytes or second is bytes:
        _agree_model_values(one, other)
    elif first is not second:
        raise Fault(f"{show(one)}, {kind(one)}, cannot be compared with {show(other)}, {kind(other)}")
    elif first is frozenset:
        if len(one) == len(other) and not _of_one_sort(one, other):
            for left, right in zip(ordered(one), ordered(other)):
                agree(left, right)
                if left != right:
                    return
    elif first is tuple:
        _agree_functions(one, other)


def _of_one_sort(one: frozenset[Value], other: frozenset[Value]) -> bool:
    """Whether no two elements could be refused: asking costs less than going through them in their order."""
    sorts = set(map(_sort, one))
    return len(sorts) == 1 and sorts == set(map(_sort, other)) and None not in sorts


def _sort(value: Value) -> Any:
    """Equal for values that can be compared, down to the atoms; None where it is not looked for."""
    t = type(value)
    if t is bytes:
        return _type_of(value)
    if t is not tuple:
        return t if t is not frozenset else None
    keys, items = (value[1], value[2]) if is_function(value) else (None, value)
    sorts = tuple([_sort(item) for item in items])
    return None if None in sorts else (keys, sorts)


def _agree_functions(one: Value, other: Value) -> None:
    are_functions = is_function(one)
    if are_functions != is_function(other):
        return
    if are_functions:
        if one[1] != other[1]:
            return
        one, other = one[2], other[2]
    elif len(one) != len(other):
        return
    for left, right in zip(one, other):
        if left is right:
            continue
        if type(left) is not type(right) or type(left) not in SIMPLE:
            agree(left, right)
        if left != right:
            return


def _agree_model_values(one: Value, other: Value) -> None:
    types = {_type_of(value) if isinstance(value, bytes) else None for value in (one, other)}
    if b"" not in types and len(types) > 1:
        raise Fault(f"{show(one)}, {kind(one)}, cannot be compared with {show(other)}, {kind(other)}")


def equal(one: Value, other: Value) -> bool:
    """`one = other`; raises Fault for values of different kinds."""
    t = type(one)
    if t is not type(other) or t not in LISTED:
        one, other = force(one), force(other)
    elif t in ATOMS:
        if t is bytes and one != other:
            _agree_model_values(one, other)
        return bool(one == other)
    if one is other:
        return True
    same = bool(one == other)
    if not same or not _alike(one, other):
        agree(one, other)
    return same


def _alike(one: Value, other: Value) -> bool:
    """Whether values that Python takes for equal are of the same kinds all through."""
    if type(one) is not type(other):
        return False
    if type(one) is tuple:
        return all(map(_alike, one, other))
    if type(one) is frozenset:
        return set(map(type, one)) == set(map(type, other))
    return True


def member(value: Value, group: Value) -> bool:
    """`value \\in group`."""
    if type(group) is not frozenset:
        if isinstance(group, SetLike):
            return group.has(value)
        raise Fault(f"{show(group)}, {kind(group)}, is no set to look for {show(value)} in")
    if type(value) not in LISTED:
        value = force(value)
    if value in group:
        return True
    for element in group:
        if type(element) is not type(value) and type(element) is not bytes and type(value) is not bytes:
            agree(value, element)
        break
    return False
