"""Sets that are not listed until someone asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, product
from math import prod
from typing import Any

from homing.languages.tla.comparing import agree, member, union
from homing.languages.tla.values import (
    MOST,
    Fault,
    FunctionLike,
    SetLike,
    Value,
    as_set,
    elements,
    force,
    is_function,
    is_sequence,
    kind,
    maker,
    pairs_of,
    show,
    unordered,
)


class Everything(SetLike):
    """`Nat`, `Int`, `Real`, `STRING`, `Any`: without end."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __str__(self) -> str:
        return self.name

    def parts(self) -> tuple[Value, ...]:
        return (self.name,)

    def has(self, value: Value) -> bool:
        if self.name == "Any":
            return True
        if self.name == "STRING":
            if type(value) not in (str, bytes):
                agree(value, "")
            return type(value) is str
        if type(value) not in (int, bytes):
            agree(force(value), 0)
        return type(value) is int and (self.name != "Nat" or value >= 0)


class Interval(SetLike):
    """`low .. high`, when it is long."""

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def __str__(self) -> str:
        return f"{self.low}..{self.high}"

    def has(self, value: Value) -> bool:
        if type(value) is not int and type(value) is not bytes:
            agree(value, 0)
        return type(value) is int and self.low <= value <= self.high

    def items(self) -> Iterable[Value]:
        return range(self.low, self.high + 1)

    def listed(self) -> frozenset[Value]:
        _limit(self, self.high - self.low + 1)
        return frozenset(self.items())


class Powerset(SetLike):
    """`SUBSET base`."""

    def __init__(self, base: Value) -> None:
        self.base = base
        self._listed: frozenset[Value] | None = None

    def __str__(self) -> str:
        return f"SUBSET {show(self.base)}"

    def has(self, value: Value) -> bool:
        if isinstance(value, bytes):
            return False
        return all(member(item, self.base) for item in unordered(value))

    def parts(self) -> tuple[Value, ...]:
        return (self.base,)

    def items(self) -> Iterator[Value]:
        base = list(elements(self.base))
        _limit(self, 2 ** min(len(base), 64))
        for size in range(len(base) + 1):
            for chosen in combinations(base, size):
                yield frozenset(chosen)

    def listed(self) -> frozenset[Value]:
        if self._listed is None:
            self._listed = frozenset(self.items())
        return self._listed


class Functions(SetLike):
    """`[source -> image]`."""

    def __init__(self, source: Value, image: Value) -> None:
        self.source, self.image = source, image

    def __str__(self) -> str:
        return f"[{show(self.source)} -> {show(self.image)}]"

    def has(self, value: Value) -> bool:
        if isinstance(value, bytes):
            return False
        pairs = _pairs(value, self)
        source = as_set(self.source)
        return len(pairs) == len(source) and all(
            key in source and member(item, self.image) for key, item in pairs.items()
        )

    def parts(self) -> tuple[Value, ...] | None:
        return (self.source, self.image) if is_endless(self.source) or self.source else None

    def items(self) -> Iterator[Value]:
        keys, image = list(elements(self.source)), list(elements(self.image))
        _limit(self, len(image) ** min(len(keys), 64))
        yield from map(maker(keys), product(image, repeat=len(keys)))


class Records(SetLike):
    """`[a: S, b: T]`."""

    def __init__(self, fields: tuple[str, ...], images: tuple[Value, ...]) -> None:
        pairs = sorted(zip(fields, images), key=lambda pair: pair[0])
        self.fields = tuple(field for field, _ in pairs)
        self.images = tuple(image for _, image in pairs)

    def __str__(self) -> str:
        return "[" + ", ".join(f"{f}: {show(i)}" for f, i in zip(self.fields, self.images)) + "]"

    def has(self, value: Value) -> bool:
        if isinstance(value, bytes):
            return False
        keys = _pairs(value, self)
        value = force(value)
        if any(type(key) is not str for key in keys):
            raise Fault(f"{show(value)}, no record, cannot be compared with an element of {self}")
        if not is_function(value) or value[1] != self.fields:
            return False
        return all(member(item, image) for item, image in zip(value[2], self.images))

    def items(self) -> Iterator[Value]:
        images = [list(elements(image)) for image in self.images]
        _limit(self, prod(map(len, images)))
        yield from map(maker(self.fields), product(*images))


class Product(SetLike):
    """`S \\X T`."""

    def __init__(self, *factors: Value) -> None:
        self.factors = factors

    def __str__(self) -> str:
        return " \\X ".join(map(show, self.factors))

    def has(self, value: Value) -> bool:
        if isinstance(value, bytes):
            return False
        _pairs(value, self)
        value = force(value)
        return (
            is_sequence(value)
            and len(value) == len(self.factors)
            and all(member(item, factor) for item, factor in zip(value, self.factors))
        )

    def items(self) -> Iterator[Value]:
        factors = [list(elements(factor)) for factor in self.factors]
        _limit(self, prod(map(len, factors)))
        yield from product(*factors)


class Sequences(SetLike):
    """`Seq(base)`."""

    def __init__(self, base: Value) -> None:
        self.base = base

    def __str__(self) -> str:
        return f"Seq({show(self.base)})"

    def has(self, value: Value) -> bool:
        if isinstance(value, bytes):
            return False
        _pairs(value, self)
        value = force(value)
        if not is_sequence(value):
            raise Fault(f"{show(value)}, no sequence, cannot be compared with an element of {self}")
        return all(member(item, self.base) for item in value)

    def parts(self) -> tuple[Value, ...]:
        return (self.base,)


class Union(SetLike):
    """`left \\cup right`, where one of them cannot be listed."""

    def __init__(self, left: Value, right: Value) -> None:
        self.left, self.right = left, right

    def __str__(self) -> str:
        return f"({show(self.left)} \\cup {show(self.right)})"

    def has(self, value: Value) -> bool:
        return member(value, self.left) or member(value, self.right)

    def items(self) -> Iterable[Value]:
        return elements(union(frozenset(elements(self.left)), frozenset(elements(self.right))))


class Filtered(SetLike):
    """`{x \\in base : test(x)}`, where the base cannot be listed."""

    def __init__(self, base: SetLike, test: Any) -> None:
        self.base, self.test = base, test

    def __str__(self) -> str:
        return f"a part of {self.base}"

    def has(self, value: Value) -> bool:
        return self.base.has(value) and bool(self.test(value))

    def items(self) -> Iterable[Value]:
        return [value for value in self.base.items() if self.test(value)]


def interval(low: int, high: int) -> Value:
    """`low .. high`."""
    return frozenset(range(low, high + 1)) if high - low < 256 else Interval(low, high)


def is_endless(group: Value) -> bool:
    """Whether the elements of a set certainly cannot be listed."""
    match group:
        case Everything() | Sequences():
            return True
        case Filtered(base=base) | Powerset(base=base):
            return is_endless(base)
        case Functions(source=source, image=image):
            return is_endless(source) or is_endless(image)
        case Union(left=left, right=right):
            return is_endless(left) or is_endless(right)
        case Records(images=parts) | Product(factors=parts):
            return any(map(is_endless, parts))
    return False


def _pairs(value: Value, group: SetLike) -> dict[Value, Value]:
    if type(value) is not tuple and not isinstance(value, FunctionLike):
        raise Fault(f"{show(value)}, {kind(value)}, cannot be compared with an element of {group}, a function")
    return pairs_of(value)


def _limit(group: SetLike, size: int) -> None:
    if size > MOST:
        raise Fault(f"the set {group} has more than {MOST} elements, too many to list")
