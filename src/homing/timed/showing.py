"""Zones as people write them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from homing.timed.system import INFINITY

ZERO = 1


def sentence(bounds: list[list[int]], clocks: Sequence[str]) -> str:
    """`x = 3, 1 <= y - x < 2, z > 4`: no more of canonical bounds than is needed, and `true` where nothing is."""
    names = ["", *clocks]
    classes = _classes(bounds)
    parts = [part for members in classes for part in _equalities(bounds, names, members)]
    heads = [members[0] for members in classes]
    for position, i in enumerate(heads):
        for j in heads[:position]:
            low, high = _needed(bounds, heads, j, i), _needed(bounds, heads, i, j)
            if j == 0 and low == ZERO:
                low = INFINITY  # no clock is negative
            parts.extend(_between(names[i], names[j], low, high))
    return ", ".join(parts) or "true"


def _add(a: int, b: int) -> int:
    return INFINITY if INFINITY in (a, b) else a + b - ((a | b) & 1)


def _classes(bounds: list[list[int]]) -> list[list[int]]:
    """Clocks whose differences are fixed belong together, the least first: none is negative if that one is not. The
    class of 0 comes first."""
    classes: list[list[int]] = []
    for i in range(len(bounds)):
        home = next((known for known in classes if _add(bounds[i][known[0]], bounds[known[0]][i]) == ZERO), None)
        if home is None:
            classes.append([i])
        else:
            home.append(i)
    return [sorted(members, key=lambda i: bounds[i][members[0]]) for members in classes]


def _equalities(bounds: list[list[int]], names: list[str], members: list[int]) -> Iterator[str]:
    """`x = y = 3` in the class of 0; `x = y`, `z = x + 2` in others."""
    head = members[0]
    by_offset: dict[int, list[str]] = defaultdict(list)
    for member in members:
        by_offset[bounds[member][head] >> 1].append(names[member])
    least = by_offset.pop(0)
    if head == 0:
        by_offset[0] = least[1:]
    elif len(least) > 1:
        yield " = ".join(least)
    for offset, equal in sorted(by_offset.items()):
        if equal:
            yield " = ".join([*equal, f"{names[head]} + {offset}" if head else str(offset)])


def _needed(bounds: list[list[int]], heads: list[int], i: int, j: int) -> int:
    """The bound on the difference of two heads, or INFINITY if it follows from others (Larsen, Larsson, Pettersson
    and Yi, 1997: without cycles of length 0 all that follow may go at once)."""
    through = [_add(bounds[i][k], bounds[k][j]) for k in heads if k not in (i, j)]
    return INFINITY if any(length <= bounds[i][j] for length in through) else bounds[i][j]


def _between(left: str, right: str, low: int, high: int) -> Iterator[str]:
    """What lies between the bounds, the lower one being that of `right - left`."""
    if low == high == INFINITY:
        return
    if right and INFINITY in (low, high) and _constant(low, high) <= 0:
        left, right, low, high = right, left, high, low
    if right and INFINITY in (low, high) and _constant(low, high) == 0:
        # One bound only, and it is 0.
        yield f"{left} {_sign(low, '>')} {right}" if high == INFINITY else f"{left} {_sign(high, '<')} {right}"
        return
    difference = f"{left} - {right}" if right else left
    if low == INFINITY:
        yield f"{difference} {_sign(high, '<')} {high >> 1}"
    elif high == INFINITY:
        yield f"{difference} {_sign(low, '>')} {-(low >> 1)}"
    else:
        yield f"{-(low >> 1)} {_sign(low, '<')} {difference} {_sign(high, '<')} {high >> 1}"


def _constant(low: int, high: int) -> int:
    """The one that is there."""
    return -(low >> 1) if high == INFINITY else high >> 1


def _sign(bound: int, strict: str) -> str:
    return f"{strict}=" if bound & 1 else strict
