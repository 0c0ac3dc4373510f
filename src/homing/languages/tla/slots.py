"""How variables are split into slots: a function or record whose keys never change has a slot for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any

from homing.core.values import encode
from homing.languages.tla.classes import Classes, Known
from homing.languages.tla.values import Value, apply, domain, is_function, maker, permuted, show

Tree = Any
"""None for a slot, by key the tree below it, or the classes of a set."""
Path = tuple[Value, ...]

DEEPEST = 3
WIDEST = 64
MOST = 512
"""Slots that a variable may be split into."""


class Shapes:
    """By variable how it is split; slots are numbered variable by variable, key by key."""

    def __init__(self, names: Sequence[str], trees: Sequence[Tree]) -> None:
        self.names = tuple(names)
        self.trees = list(trees)
        self.slots: list[tuple[int, Path]] = []
        self._numbers: dict[tuple[int, Path | bytes], int] = {}
        for number, tree in enumerate(self.trees):
            for path in _leaves(tree, ()):
                self._numbers[number, _key(path)] = len(self.slots)
                self.slots.append((number, path))

    def node(self, number: int, path: Path) -> Tree:
        """The tree at a path, which exists."""
        tree = self.trees[number]
        for key in path:
            tree = None if isinstance(tree, Classes) else tree[key]
        return tree

    def classes(self, number: int, path: Path) -> Classes | None:
        """The classes of a set that is split by them."""
        if not self.has(number, path):
            return None
        tree = self.node(number, path)
        return tree if isinstance(tree, Classes) else None

    def has(self, number: int, path: Path) -> bool:
        """Whether a path leads to a slot or to some."""
        if number >= len(self.trees):  # the variable of an instance
            return False
        tree = self.trees[number]
        for key in path:
            if (
                tree is None
                or isinstance(tree, Classes)
                or key not in tree
                or not any(type(key) is type(known) for known in tree)
            ):
                return False
            tree = tree[key]
        return True

    def slot(self, number: int, path: Path) -> int | None:
        """The slot at a path, if it is just one."""
        return self._numbers.get((number, _key(path)))

    def below(self, number: int, path: Path) -> list[int]:
        """All slots of a part of a variable."""
        tree = self.node(number, path)
        first = self._numbers[number, _key(next(_leaves(tree, path)))]  # the others follow it
        return [*range(first, first + _size(tree))]

    def name(self, slot: int) -> str:
        """`client[c1].state`."""
        number, path = self.slots[slot]
        shown = self.names[number]
        for key in path:
            if is_class(key):
                known = self._known(number, key[2])
                marks = "other" if known is None else ", ".join(map(show, known.marks.values()))
                return f"{shown}{{{marks}}}"
            shown += f".{key}" if isinstance(key, str) and key.isidentifier() else f"[{show(key)}]"
        return shown

    def divided(self, tree: Tree, value: Value) -> list[Value]:
        """The values of the slots of a part, in their order."""
        if tree is None:
            return [value]
        if isinstance(tree, Classes):
            return [*tree.divided(value)]
        alike = is_function(value) and value[1] == tuple(tree)
        parts = value[2] if alike else [apply(value, key) for key in tree]
        return [leaf for below, part in zip(tree.values(), parts) for leaf in self.divided(below, part)]

    def joiner(self, tree: Tree, positions: Iterator[int]) -> Callable[[Sequence[Value]], Value]:
        """What makes the value of a part of those of its slots, which are found at these positions."""
        if tree is None:
            return itemgetter(next(positions))
        if isinstance(tree, Classes):
            classes = [next(positions) for _ in range(len(tree))]
            return lambda values: frozenset().union(*[values[position] for position in classes])
        made = maker(tuple(tree))
        if all(below is None for below in tree.values()):
            leaves = [next(positions) for _ in tree]
            return lambda values: made([values[position] for position in leaves])
        parts = [self.joiner(below, positions) for below in tree.values()]
        return lambda values: made([part(values) for part in parts])

    def state(self, values: Sequence[Value]) -> tuple[Value, ...]:
        """The slots of a state, from its variables."""
        return tuple(leaf for tree, value in zip(self.trees, values) for leaf in self.divided(tree, value))

    def variables(self, state: Sequence[Value]) -> tuple[Value, ...]:
        """The variables of a state, from its slots."""
        return tuple([joined(state) for joined in self._joiners])

    @cached_property
    def _joiners(self) -> list[Callable[[Sequence[Value]], Value]]:
        positions = iter(range(len(self.slots)))
        return [self.joiner(tree, positions) for tree in self.trees]

    def _known(self, number: int, position: int) -> Known | None:
        tree = self.trees[number]
        assert isinstance(tree, Classes)
        return tree.known[position]

    def moved(self, slot: int, image: Mapping[bytes, bytes]) -> int | None:
        """Where a permutation of model values moves a slot; None when there is no such slot."""
        number, path = self.slots[slot]
        tree = self.trees[number]
        if isinstance(tree, Classes):
            return self.slot(number, (class_key(tree.image(path[0][2], image)),))
        return self.slot(number, tuple(permuted(key, image) for key in path))

    def readable(self) -> tuple[tuple[str, ...], Callable[[Sequence[Value]], tuple[Value, ...]]] | None:
        """The slots as people want to see them, sets in one piece; None when they are so already."""
        if not any(isinstance(tree, Classes) for tree in self.trees):
            return None
        plain = Shapes(self.names, [None if isinstance(tree, Classes) else tree for tree in self.trees])
        names = tuple(plain.name(slot) for slot in range(len(plain.slots)))
        return names, lambda state: plain.state(self.variables(state))

    def with_classes(self, classes: Mapping[int, Classes]) -> Shapes:
        """The same, with some sets split."""
        return Shapes(self.names, [classes.get(number, tree) for number, tree in enumerate(self.trees)])

    def cut(self, cuts: Iterable[tuple[int, Path]]) -> Shapes:
        """The same, with some parts no longer split, nor those beside them that look the same: what one client's
        record does, the next one's will do too, and each that is found by itself is a new start."""
        trees = list(self.trees)
        for number, path in cuts:
            trees[number] = _cut(trees[number], path)
        return Shapes(self.names, trees)

    def symmetric(self, images: Sequence[Mapping[bytes, bytes]]) -> Shapes:
        """The same, with those parts no longer split whose slots a permutation would move to where there are none."""
        shapes = self
        while cuts := {
            (shapes.slots[slot][0], shapes.slots[slot][1][:-1])
            for slot in range(len(shapes.slots))
            if any(shapes.moved(slot, image) is None for image in images)
        }:
            shapes = shapes.cut(cuts)
        return shapes


def _key(path: Path) -> Path | bytes:
    """Equal for equal paths; Python's own equality takes True for 1, but no name for another."""
    for part in path:
        if type(part) is not bytes and type(part) is not str:
            return encode(path)
    return path


def class_key(number: int) -> Value:
    """The last part of the path to a slot of a set; no value of TLA+."""
    return (None, None, number)


def is_class(key: Value) -> bool:
    """Whether a part of a path is a slot of a set."""
    return type(key) is tuple and len(key) == 3 and key[0] is None and key[1] is None


def whole(names: Sequence[str]) -> Shapes:
    """One slot a variable."""
    return Shapes(names, [None] * len(names))


def proposed(names: Sequence[str], states: Sequence[Sequence[Value]]) -> Shapes:
    """Splits every variable that is a function with the same keys in all initial states."""
    trees = []
    for number in range(len(names)):
        tree = _common([state[number] for state in states], 0)
        trees.append(tree if sum(1 for _ in _leaves(tree, ())) <= MOST else None)
    return Shapes(names, trees)


def _common(values: list[Value], depth: int) -> Tree:
    first = values[0]
    if depth == DEEPEST or type(first) is not tuple or not first:
        return None
    keys = first[1] if is_function(first) else tuple(range(1, len(first) + 1))
    if len(keys) > WIDEST:
        return None
    wanted = domain(first)
    if not all(type(value) is tuple and domain(value) == wanted for value in values[1:]):
        return None
    return {key: _common([apply(value, key) for value in values], depth + 1) for key in keys}


def _leaves(tree: Tree, path: Path) -> Iterator[Path]:
    if tree is None:
        yield path
        return
    if isinstance(tree, Classes):
        yield from ((*path, class_key(number)) for number in range(len(tree)))
        return
    for key, below in tree.items():
        yield from _leaves(below, (*path, key))


def _size(tree: Tree) -> int:
    """How many slots there are."""
    if tree is None:
        return 1
    return len(tree) if isinstance(tree, Classes) else sum(map(_size, tree.values()))


def _cut(tree: Tree, path: Path) -> Tree:
    if tree is None or not path or isinstance(tree, Classes):
        return None
    like = tree[path[0]]
    return {key: _cut(below, path[1:]) if below == like else below for key, below in tree.items()}
