"""Everyday projections and updates of sets and sequences."""

from __future__ import annotations

from typing import Any

from homing.core.system import Projection, Update
from homing.core.values import Value


def _contains(value: Any, item: Value) -> Value:
    return bool(item in value)


def _size(value: Any) -> Value:
    return len(value)


def _first(value: Any) -> Value:
    return tuple(value[:1])


def _add(value: Any, item: Value) -> Value:
    return frozenset(value | {item})


def _remove(value: Any, item: Value) -> Value:
    return frozenset(value - {item})


def _append(value: Any, item: Value) -> Value:
    return (*value, item)


def _drop_first(value: Any) -> Value:
    return tuple(value[1:])


def contains(item: Value) -> Projection:
    """Whether the item is in the set or sequence."""
    return Projection(_contains, (item,))


def size() -> Projection:
    """How many items there are."""
    return Projection(_size)


def first() -> Projection:
    """The first item of a sequence, as a sequence of one; the empty sequence when there is none."""
    return Projection(_first)


def add(item: Value) -> Update:
    """The set with the item."""
    return Update(_add, (item,))


def remove(item: Value) -> Update:
    """The set without the item."""
    return Update(_remove, (item,))


def append(item: Value) -> Update:
    """The sequence with the item at its end."""
    return Update(_append, (item,))


def drop_first() -> Update:
    """The sequence without its first item."""
    return Update(_drop_first)
