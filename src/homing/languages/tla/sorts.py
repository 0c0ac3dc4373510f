"""Sorts of values: which kinds of atoms are where in a value.

TLC refuses to compare values of different kinds, and Python takes TRUE for 1. So before values meet, in a set or in a
comparison, their sorts do: values of sorts that go together are compared as Python compares them, and all others
one with another, as `comparing.agree` does it. Sorts of sets and tuples are kept by identity, so that a set that
grows is looked at once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

Value = Any
Sort = Any
"""A type of Python for atoms; for model values and all else a tuple: what it is, and the sorts of its parts."""

MOST_KNOWN = 1 << 15
MOST_FIELDS = 12
"""Parts of a tuple or a record that are told apart; of a longer one the sorts of all parts are taken together."""

_KNOWN: dict[int, tuple[Value, Sort]] = {}
"""Each entry keeps its value, so that no other gets its number."""
_SORTS: dict[Sort, Sort] = {}
"""One object for each sort: equal ones are found faster when they are the same."""


def is_function(value: Value) -> bool:
    """Whether it is a function that is no sequence."""
    return type(value) is tuple and len(value) == 3 and value[0] is None


def alike(one: Value, other: Value) -> bool:
    """Whether values that Python takes for equal are of the same kinds all through."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if type(one) is tuple:
        return all(map(alike, one, other))
    return type(one) is not frozenset or sort_of(one) == sort_of(other)


def type_of(model_value: bytes) -> bytes:
    """Model values whose names start with a letter and an underscore are of that type; others are of none."""
    return model_value[:1] if model_value[1:2] == b"_" else b""


def sort_of(value: Value) -> Sort:
    """The sort of a value that is listed."""
    t = type(value)
    if t is bytes:
        return ("model", type_of(value))
    if t is not tuple and t is not frozenset:
        return t
    found = _KNOWN.get(id(value))
    if found is None or found[0] is not value:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
            _SORTS.clear()
        sort = _sort(value)
        found = _KNOWN[id(value)] = (value, _SORTS.setdefault(sort, sort))
    return found[1]


def _sort(value: Value) -> Sort:
    if type(value) is frozenset:
        return ("set", frozenset(map(sort_of, value)))
    if not is_function(value):
        return _of_parts("sequence", None, value)
    if all(type(key) is str for key in value[1]):
        return _of_parts("record", value[1], value[2])
    return ("function", frozenset(map(sort_of, value[1])), frozenset(map(sort_of, value[2])))


def _of_parts(what: str, keys: Any, parts: tuple[Value, ...]) -> Sort:
    sorts = tuple(map(sort_of, parts))
    if len(sorts) <= MOST_FIELDS or {bool, int} <= set(sorts):
        return (what, keys, sorts)
    return ("function", frozenset({int if what == "sequence" else str}), frozenset(sorts))


@lru_cache(maxsize=1 << 14)
def together(one: Sort, other: Sort) -> bool:
    """Whether all values of two sorts can be compared; where it is not certain, it depends on the values."""
    if not isinstance(one, tuple) or not isinstance(other, tuple):
        return one is other or _is_free(one) or _is_free(other)
    if one[0] == "model" or other[0] == "model":
        return one == other or _is_free(one) or _is_free(other)
    if (one[0] == "set") != (other[0] == "set"):
        return False
    if one[0] == "set":
        return all(together(a, b) for a in one[1] for b in other[1])
    if one[0] == other[0] != "function":
        (keys, parts), (others, mates) = one[1:], other[1:]
        return keys != others or len(parts) != len(mates) or all(map(together, parts, mates))
    (keys, parts), (others, mates) = _as_function(one), _as_function(other)
    return all(together(a, b) for a in keys for b in others) and all(together(a, b) for a in parts for b in mates)


@lru_cache(maxsize=1 << 14)
def fits(sort: Sort, group: Sort) -> bool:
    """Whether all values of a sort can be compared with the elements of all sets of another."""
    return all(together(sort, each) for each in group[1])


def _is_free(sort: Sort) -> bool:
    """Whether it is that of model values that can be compared with all values."""
    return isinstance(sort, tuple) and sort[0] == "model" and sort[1] == b""


def _as_function(sort: Sort) -> tuple[Any, Any]:
    if sort[0] == "function":
        return sort[1], sort[2]
    key = int if sort[0] == "sequence" else str
    return ((key,) if sort[2] else ()), sort[2]


def are_together(values: Any) -> bool:
    """Whether certainly all of some values can be compared with each other."""
    types = set(map(type, values))
    if len(types) == 1 and not types & {tuple, frozenset, bytes}:
        return True
    sorts = set(map(sort_of, values))
    if len(sorts) == 1 and not types & {tuple, frozenset}:
        return True
    return all(together(one, other) for one in sorts for other in sorts)
