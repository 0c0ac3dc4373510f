"""LTL by its definitions on a small graph, under PAT's kinds of fairness: what Homing's checker is measured against.

A position of a run is a state with the event that led to it. The tableau (Gerth, Peled, Vardi, Wolper 1995) turns what
a formula asks now into what it asks next; runs that refute the formula are cycles of the product that are fair and on
which no `U` is put off for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

Label: TypeAlias = Any
Node: TypeAlias = tuple[int, Label | None]
"""A state, and the event that led to it."""
Formula: TypeAlias = tuple[Any, ...]
"""In negation normal form: atoms are functions of nodes."""
Pair: TypeAlias = tuple[Node, frozenset[Formula]]
DUAL = {"and": "or", "or": "and", "U": "R", "R": "U", "X": "X"}


@dataclass(frozen=True)
class Move:
    """A step: its event, the processes that take part, and the state it leads to."""

    label: Label
    who: frozenset[int]
    target: int


Moves: TypeAlias = list[list[Move]]


def negated(formula: Formula) -> Formula:
    match formula:
        case ("atom", atom, positive):
            return ("atom", atom, not positive)
        case (operator, *operands):
            return (DUAL[operator], *map(negated, operands))
    raise AssertionError(formula)


def holds(formula: Formula, moves: Moves, fairness: str | None, visible: Callable[[Label], bool]) -> bool:
    """Whether every fair run from state 0 satisfies the formula."""
    product = Product(moves, negated(formula))
    start: Pair = ((0, None), frozenset({product.formula}))
    return not any(_fair(product, part, fairness or "none", visible) for part in _parts(product, product.all(start)))


class Product:
    """Positions with what is still asked of the run; edges have the step, and the `U` that are put off."""

    def __init__(self, moves: Moves, formula: Formula) -> None:
        self.moves = moves
        self.formula = formula
        self.untils = frozenset(_untils(formula))
        self._edges: dict[Pair, list[tuple[Move | None, frozenset[Formula], Pair]]] = {}

    def edges(self, pair: Pair) -> list[tuple[Move | None, frozenset[Formula], Pair]]:
        if pair not in self._edges:
            (state, _), asked = pair
            after: list[tuple[Move | None, Node]] = [(m, (m.target, m.label)) for m in self.moves[state]]
            ways = list(_expanded(tuple(asked), pair[0], frozenset(), frozenset(), frozenset()))
            following = after or [(None, (state, None))]
            self._edges[pair] = [(m, put_off, (node, later)) for later, put_off in ways for m, node in following]
        return self._edges[pair]

    def all(self, start: Pair) -> set[Pair]:
        found, waiting = {start}, [start]
        while waiting:
            for _, _, target in self.edges(waiting.pop()):
                if target not in found:
                    found.add(target)
                    waiting.append(target)
        return found

    def inner(self, part: set[Pair]) -> list[tuple[Pair, Move | None, frozenset[Formula]]]:
        return [(one, m, off) for one in part for m, off, target in self.edges(one) if target in part]


def _untils(formula: Formula) -> Iterator[Formula]:
    if formula[0] == "U":
        yield formula
    if formula[0] != "atom":
        for operand in formula[1:]:
            yield from _untils(operand)


def _expanded(
    todo: tuple[Formula, ...],
    node: Node,
    done: frozenset[Formula],
    later: frozenset[Formula],
    put_off: frozenset[Formula],
) -> Iterator[tuple[frozenset[Formula], frozenset[Formula]]]:
    """The ways to satisfy all of it at a position: what then is asked of the next, and the `U` that wait."""
    if not todo:
        yield later, put_off
        return
    formula, *others = todo
    rest = tuple(others)
    if formula in done:
        yield from _expanded(rest, node, done, later, put_off)
        return
    done |= {formula}
    match formula:
        case ("atom", atom, positive):
            if atom(node) == positive:
                yield from _expanded(rest, node, done, later, put_off)
        case ("and", left, right):
            yield from _expanded((left, right, *rest), node, done, later, put_off)
        case ("or", left, right):
            yield from _expanded((left, *rest), node, done, later, put_off)
            yield from _expanded((right, *rest), node, done, later, put_off)
        case ("X", operand):
            yield from _expanded(rest, node, done, later | {operand}, put_off)
        case ("U", left, right):
            yield from _expanded((right, *rest), node, done, later, put_off)
            yield from _expanded((left, *rest), node, done, later | {formula}, put_off | {formula})
        case ("R", left, right):
            yield from _expanded((left, right, *rest), node, done, later, put_off)
            yield from _expanded((right, *rest), node, done, later | {formula}, put_off)


def _parts(product: Product, pairs: set[Pair]) -> Iterator[set[Pair]]:
    """The strongly connected parts with a cycle: by what each pair reaches, and is reached from."""
    left = set(pairs)
    while left:
        one = next(iter(left))
        ahead = _reached(one, left, lambda pair: [target for _, _, target in product.edges(pair)])
        backwards: dict[Pair, list[Pair]] = {}
        for pair in left:
            for _, _, target in product.edges(pair):
                backwards.setdefault(target, []).append(pair)
        part = ahead & _reached(one, left, partial(_before, backwards))
        left -= part
        if product.inner(part):
            yield part


def _before(backwards: dict[Pair, list[Pair]], pair: Pair) -> list[Pair]:
    return backwards.get(pair, [])


def _reached(one: Pair, within: set[Pair], after: Callable[[Pair], Iterable[Pair]]) -> set[Pair]:
    found, waiting = {one}, [one]
    while waiting:
        for other in after(waiting.pop()):
            if other in within and other not in found:
                found.add(other)
                waiting.append(other)
    return found


def _fair(product: Product, part: set[Pair], fairness: str, visible: Callable[[Label], bool]) -> bool:
    """Whether the part, or one inside it, has a fair cycle on which no `U` waits for ever."""
    inner = product.inner(part)
    if any(all(until in off for _, _, off in inner) for until in product.untils):
        return False
    if fairness == "strong-global":
        taken = {(pair[0][0], move) for pair, move, _ in inner}
        return all((state, move) in taken for (state, _), _ in part for move in product.moves[state])
    if fairness == "none":
        return True
    level, strength = fairness.split("-")

    def actions(move: Move | None) -> frozenset[Any]:
        if move is None:
            return frozenset()
        return move.who if level == "process" else frozenset({move.label} if visible(move.label) else ())

    done = frozenset(action for _, move, _ in inner for action in actions(move))
    enabled = {pair: frozenset(a for move in product.moves[pair[0][0]] for a in actions(move)) for pair in part}
    if strength == "weak":
        return frozenset.intersection(*enabled.values()) <= done
    good = {pair for pair in part if enabled[pair] <= done}
    if good == part:
        return True
    return any(_fair(product, smaller, fairness, visible) for smaller in _parts(product, good))
