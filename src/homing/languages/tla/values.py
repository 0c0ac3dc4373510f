"""TLA+'s values as values of the core, so that engines can store and compare them.

| TLA+ | here |
| --- | --- |
| boolean, integer, string | bool, int, str |
| model value | bytes: its name |
| set | frozenset |
| sequence, tuple, any function with domain 1..n | tuple of its values |
| any other function, record | (None, keys, values), the keys in the order of `rank` |

No TLA+ value is None, so a tuple that starts with None is a function that is no sequence. Equal values of TLA+ are
equal here, but `1 = TRUE` in Python, so what compares values asks `agree` for their kinds first: TLC calls it an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from homing.core.errors import Place
from homing.languages.tla import sorts
from homing.languages.tla.sorts import alike

Value = Any
LARGEST, LEAST = 2**31 - 1, -(2**31)
MOST = 10_000_000
"""Sets with more elements than this are not listed one by one."""


class Fault(Exception):
    """An expression has no value; `place` and `bound` are added where they are known."""

    def __init__(self, message: str, place: Place | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.place = place
        self.bound: tuple[str, ...] = ()


class SetLike:
    """A set that is not listed until someone asks: `Nat`, `SUBSET S`, `[S -> T]`."""

    def has(self, value: Value) -> bool:
        """Whether the value is an element."""
        raise NotImplementedError

    def items(self) -> Iterable[Value]:
        """The elements, in order; raises Fault when there is no end to them."""
        raise Fault(f"the elements of {self} cannot be listed")

    def listed(self) -> frozenset[Value]:
        """The same set as a plain value."""
        return frozenset(self.items())

    def parts(self) -> tuple[Value, ...] | None:
        """The sets it is made of, where it is another set if one of them is another; None where that is not so."""
        return None


class FunctionLike:
    """A function whose values are computed when asked for."""

    domain: frozenset[Value] | SetLike

    def at(self, key: Value) -> Value:
        """The value at a key, which is in the domain or else raises Fault."""
        raise NotImplementedError

    def listed(self) -> Value:
        """The same function as a plain value."""
        keys = elements(self.domain)
        return function({key: force(self.at(key)) for key in keys})


LAZY = (SetLike, FunctionLike)


class _Changed(FunctionLike):
    """A function that cannot be listed, with another value at a key."""

    def __init__(self, base: FunctionLike, key: Value, new: Callable[[Value], Value]) -> None:
        self.domain, self._base, self._key = base.domain, base, key
        self._has = base.domain.has(key) if isinstance(base.domain, SetLike) else key in base.domain
        self._new = new(base.at(key)) if self._has else None

    def at(self, key: Value) -> Value:
        return self._new if self._has and key == self._key and alike(key, self._key) else self._base.at(key)


def force(value: Value) -> Value:
    """A plain value; raises Fault for what has no end."""
    return value.listed() if isinstance(value, LAZY) else value


# Kinds and order


def kind(value: Value) -> str:
    """What a value is, for messages."""
    if isinstance(value, bool):
        return "a boolean"
    if isinstance(value, int):
        return "an integer"
    if isinstance(value, str):
        return "a string"
    if isinstance(value, bytes):
        return "a model value"
    if isinstance(value, (frozenset, SetLike)):
        return "a set"
    if isinstance(value, FunctionLike) or is_function(value):
        return "a function"
    return "a sequence" if isinstance(value, tuple) else "no value"


def is_sequence(value: Value) -> bool:
    """Whether it is a sequence."""
    return type(value) is tuple and not (len(value) == 3 and value[0] is None)


is_function = sorts.is_function
ATOMS = frozenset({int, str, bytes, bool})
LISTED = ATOMS | {tuple, frozenset}
"""The kinds of all values that are no sets or functions to be listed yet."""


def rank(value: Value) -> tuple[Any, ...]:
    """What to sort by: the order in which sets are gone through and CHOOSE looks."""
    t = type(value)
    if t is int:
        return (1, value)
    if t is str:
        return (2, value)
    if t is bytes:
        return (-1, _natural(value))
    if t is bool:
        return (0, value)
    if t is frozenset:
        return (4, len(value), sorted(map(rank, value)))
    if is_function(value):
        return (6, len(value[1]), [rank(key) for key in value[1]], [rank(item) for item in value[2]])
    return (5, len(value), [rank(item) for item in value])


@lru_cache(maxsize=1 << 12)
def _natural(name: bytes) -> tuple[Any, ...]:
    """c2 before c10."""
    head = name.rstrip(b"0123456789")
    digits = name[len(head) :].lstrip(b"0")
    return (head, len(name) > len(head), len(digits), digits, name)  # longer is larger, however long


ORDERED = frozenset({int, str, bytes})


def ordered(group: frozenset[Value]) -> list[Value]:
    """The elements of a set, in order."""
    if len(group) < 2:
        return list(group)
    types = set(map(type, group))
    if types in ({int}, {str}):
        return sorted(group)
    if types == {tuple}:
        if _of_numbers(group):
            return sorted(group, key=_by_length)
        if _are_alike(group):
            return sorted(group, key=_by_items)
    if types == {frozenset}:
        inside = frozenset().union(*group)
        kinds = set(map(type, inside))
        if kinds in ({int}, {str}):
            return sorted(group, key=lambda part: (len(part), sorted(part)))
        if kinds == {tuple} and _of_numbers(inside):
            return sorted(group, key=lambda part: (len(part), sorted(map(_by_length, part))))
    return sorted(group, key=rank)


def _of_numbers(group: Iterable[Value]) -> bool:
    return all(type(part) is int for item in group for part in item)


def _are_alike(group: Iterable[Value]) -> bool:
    """Whether tuples of the same length have the same kinds of atoms at the same places."""
    kinds = {tuple(map(type, item)) for item in group}
    return len(set(map(len, kinds))) == len(kinds) and all(map(ORDERED.issuperset, kinds))


def _by_items(value: Value) -> tuple[Any, ...]:
    """As `rank` orders tuples that are alike, but faster."""
    return len(value), [_natural(item) if type(item) is bytes else item for item in value]


def _by_length(value: Value) -> tuple[int, Value]:
    """As `rank` orders tuples of numbers, but faster."""
    return len(value), value


def unordered(group: Value) -> Iterable[Value]:
    """The elements of a set, where their order changes nothing: sorting would cost more than the rest."""
    return group if type(group) is frozenset else elements(group)


def elements(group: Value) -> Iterable[Value]:
    """The elements of a set, in order; raises Fault when it is none or cannot be listed."""
    if type(group) is frozenset:
        return ordered(group)
    if isinstance(group, SetLike):
        return group.items()
    raise Fault(f"{show(group)}, {kind(group)}, is no set")


def as_set(group: Value) -> frozenset[Value]:
    """A set as a plain value."""
    if type(group) is frozenset:
        return group
    if isinstance(group, SetLike):
        return group.listed()
    raise Fault(f"{show(group)}, {kind(group)}, is no set")


# Functions


def function(pairs: Mapping[Value, Value]) -> Value:
    """The function with these keys and values: a sequence when the keys are 1..n."""
    size = len(pairs)
    if all(type(key) is int and 1 <= key <= size for key in pairs):
        return tuple(pairs[key] for key in range(1, size + 1))
    keys = tuple(ordered(frozenset(pairs)))
    return (None, keys, tuple(pairs[key] for key in keys))


def maker(keys: Sequence[Value]) -> Callable[[Iterable[Value]], Value]:
    """Makes the function with these keys, which are in order, of its values."""
    if all(type(key) is int and key == n for n, key in enumerate(keys, 1)):
        return tuple
    fixed = tuple(keys)
    return lambda values: (None, fixed, tuple(values))


def record(fields: Iterable[str], values: Iterable[Value]) -> Value:
    """`[a |-> 1, …]`."""
    pairs = dict(zip(fields, values))
    keys = tuple(sorted(pairs))
    return (None, keys, tuple(pairs[key] for key in keys))


def pairs_of(value: Value) -> dict[Value, Value]:
    """The keys and values of a function."""
    value = force(value)
    if is_function(value):
        return dict(zip(value[1], value[2]))
    if type(value) is tuple:
        return dict(enumerate(value, 1))
    raise Fault(f"{show(value)}, {kind(value)}, is no function")


def domain(value: Value) -> Value:
    """`DOMAIN value`."""
    if type(value) is tuple:
        return frozenset(value[1]) if is_function(value) else frozenset(range(1, len(value) + 1))
    if isinstance(value, FunctionLike):
        return value.domain
    raise Fault(f"{show(value)}, {kind(value)}, is no function and has no domain")


def apply(value: Value, key: Value) -> Value:
    """`value[key]`."""
    if type(value) is tuple:
        if value and value[0] is None:
            try:
                found = value[1].index(key)
            except ValueError:
                raise _outside(value, key) from None
            if not alike(value[1][found], key):
                raise _outside(value, key)
            return value[2][found]
        if type(key) is int and 1 <= key <= len(value):
            return value[key - 1]
        raise _outside(value, key)
    if isinstance(value, FunctionLike):
        return value.at(key)
    raise Fault(f"{show(value)}, {kind(value)}, is no function to apply to {show(key)}")


def _outside(value: Value, key: Value) -> Fault:
    what = "a record without the field" if is_function(value) and isinstance(key, str) else "not defined for"
    return Fault(f"{show(value)} is {what} {show(key)}")


def changed(value: Value, path: tuple[Value, ...], new: Any) -> Value:
    """`[value EXCEPT ![path] = new(old)]`; a key that is not in the domain changes nothing, as in TLC."""
    if not path:
        return new(value)
    key, rest = path[0], path[1:]
    if isinstance(value, FunctionLike):
        try:
            value = value.listed()
        except Fault:
            return _Changed(value, key, lambda old: changed(old, rest, new))
    if is_function(value):
        try:
            found = value[1].index(key)
        except ValueError:
            _check_kinds(value, key, type(value[1][0]))
            return value
        if not alike(value[1][found], key):
            raise _outside(value, key)
        image = list(value[2])
        image[found] = changed(image[found], rest, new)
        return (None, value[1], tuple(image))
    if type(value) is tuple:
        if type(key) is not int or not 1 <= key <= len(value):
            _check_kinds(value, key, int)
            return value
        return (*value[: key - 1], changed(value[key - 1], rest, new), *value[key:])
    raise Fault(f"{show(value)}, {kind(value)}, is no function, so EXCEPT cannot change it")


def _check_kinds(value: Value, key: Value, wanted: type) -> None:
    """Raises Fault where a key is not there because it is of another kind than those that are."""
    if type(key) is not wanted and bytes not in (type(key), wanted):
        raise _outside(value, key)


def permuted(value: Value, image: Mapping[bytes, bytes]) -> Value:
    """The value with model values replaced, at any depth."""
    t = type(value)
    if t is bytes:
        return image.get(value, value)
    if t is frozenset:
        return frozenset(permuted(item, image) for item in value)
    if t is tuple:
        if is_function(value):
            items = tuple([permuted(item, image) for item in value[2]])
            if all(type(key) is str for key in value[1]):
                return (None, value[1], items)
            return function(dict(zip([permuted(key, image) for key in value[1]], items)))
        return tuple([permuted(item, image) for item in value])
    return value


# Text


def show(value: Value) -> str:
    """A value as TLA+ writes it."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if isinstance(value, frozenset):
        return "{" + ", ".join(map(show, ordered(value))) + "}"
    if is_function(value):
        pairs = list(zip(value[1], value[2]))
        if all(isinstance(key, str) and key.isidentifier() for key in value[1]):
            return "[" + ", ".join(f"{key} |-> {show(item)}" for key, item in pairs) + "]"
        return "(" + " @@ ".join(f"{show(key)} :> {show(item)}" for key, item in pairs) + ")"
    if isinstance(value, tuple):
        return "<<" + ", ".join(map(show, value)) + ">>"
    return str(value)
