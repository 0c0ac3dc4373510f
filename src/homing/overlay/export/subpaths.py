"""Which routes have to be checked when others contain them (thesis, 5.4).

A message to d is routed by entries for d alone, so a checked route says nothing about the entries of brokers on its
way for each other. A pair is left out only where its own route, read off the tables, is a part of a checked one:
forwards, or backwards. The thesis takes that for granted, and for the way back it often is not so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

Pair = tuple[int, int]
Hops = Sequence[Sequence[int]]  # [destination][broker]


@dataclass(frozen=True)
class Cover:
    """The pairs to check, longest routes first, and for every other pair the one whose route contains its own."""

    checked: tuple[Pair, ...]
    part_of: dict[Pair, Pair]

    @property
    def pairs(self) -> int:
        return len(self.checked) + len(self.part_of)


@dataclass(frozen=True)
class Shortcut:
    """What the thesis's pseudo-code does: how many pairs it checks, and what it marks as checked without a reason."""

    checked: tuple[Pair, ...]
    marked: int  # ways between brokers of checked routes, forwards and backwards
    backwards: int  # of those, ways back
    wrong: int  # marked, but the route is another one
    wrong_backwards: int
    unchecked: tuple[Pair, ...]  # asked for, and left out on the strength of a wrong mark


def route(hops: Hops, pair: Pair) -> tuple[int, ...] | None:
    """The brokers a message visits; None where it does not arrive."""
    at, goal = pair
    row, limit = hops[goal], len(hops)
    visited = [at]
    while at != goal:
        at = row[at]
        if at >= limit or len(visited) > limit:
            return None
        visited.append(at)
    return tuple(visited)


def cover(hops: Hops, pairs: Iterable[Pair], *, longest_first: bool = True) -> Cover:
    """The fewest pairs whose routes contain those of all; in the order given it may be more."""
    routes = {pair: route(hops, pair) for pair in dict.fromkeys(pairs)}
    order = list(routes)
    if longest_first:
        order.sort(key=lambda pair: -len(routes[pair] or ()))
    part_of: dict[Pair, Pair] = {}
    checked: list[Pair] = []
    for pair in order:
        if pair in part_of:
            continue
        checked.append(pair)
        for part in _parts(hops, routes[pair] or ()):
            if part in routes:
                part_of.setdefault(part, pair)
    for pair in checked:
        part_of.pop(pair, None)
    return Cover(tuple(checked), part_of)


def _parts(hops: Hops, way: tuple[int, ...]) -> Iterator[Pair]:
    """Pairs whose own route is a part of the way, or of the way back."""
    for end in range(1, len(way)):
        row, goal = hops[way[end]], way[end]
        for at in range(end - 1, -1, -1):
            if row[way[at]] != way[at + 1]:
                break  # from farther away it differs, too
            yield way[at], goal
    yield from _backwards(hops, way)


def _backwards(hops: Hops, way: tuple[int, ...]) -> Iterator[Pair]:
    for end in range(len(way) - 1):
        row, goal = hops[way[end]], way[end]
        for at in range(end + 1, len(way)):
            if row[way[at]] != way[at - 1]:
                break
            yield way[at], goal


def shortcut(hops: Hops, pairs: Sequence[Pair]) -> Shortcut:
    """The pseudo-code of 5.4.1, step by step: by subscriber, then as given, then by publisher."""
    marks: dict[Pair, tuple[int, bool, bool]] = {}  # pair: number of the route, backwards, right
    checked: list[Pair] = []
    for pair in pairs:
        if pair in marks:
            continue
        checked.append(pair)
        way = route(hops, pair) or pair
        right = set(_parts(hops, way))
        for at, u in enumerate(way):
            for v in way[at + 1 :]:
                _mark(marks, (u, v), len(checked), False, (u, v) in right)
                _mark(marks, (v, u), len(checked), True, (v, u) in right)
    wrong = {pair: backwards for pair, (_, backwards, right) in marks.items() if not right}
    return Shortcut(
        tuple(checked),
        len(marks),
        sum(backwards for _, backwards, _ in marks.values()),
        len(wrong),
        sum(wrong.values()),
        tuple(pair for pair in dict.fromkeys(pairs) if pair in wrong and pair not in set(checked)),
    )


def ways_back(hops: Hops) -> tuple[int, int]:
    """Of all parts of all routes: how many there are, and of how many the way back is another one."""
    parts = wrong = 0
    everyone = range(len(hops))
    for way in (route(hops, (u, d)) or () for d in everyone for u in everyone):
        right = sum(1 for _ in _backwards(hops, way))
        count = len(way) * (len(way) - 1) // 2
        parts, wrong = parts + count, wrong + count - right
    return parts, wrong


def _mark(marks: dict[Pair, tuple[int, bool, bool]], pair: Pair, number: int, backwards: bool, right: bool) -> None:
    """A mark that is right stays; a wrong one is replaced by a right one."""
    if pair not in marks or (right and not marks[pair][2]):
        marks[pair] = (number, backwards, right)
