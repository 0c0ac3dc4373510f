"""Decides LTL: looks for a fair path of the arena that the automaton of the negation accepts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.errors import HomingError
from homing.core.formula import Between, Enabled, Formula, Happens, Holds, Taken
from homing.core.temporal import Fairness
from homing.properties import kernels
from homing.properties.arena import Arena
from homing.properties.cycles import Digraph, FairCycles, fair_cycles
from homing.properties.fairness import Conditions, conditions_of, explain
from homing.properties.kernels.product import NONE
from homing.properties.lasso import Path, short_cycle
from homing.properties.ltl.letters import tabulate

Array = NDArray[Any]
DENSE = 16
"""Up to this many atoms, letters are counted in a table of all that could occur."""


def counterexample(arena: Arena, formula: Formula, fairness: tuple[Fairness, ...]) -> Path | None:
    """A fair path from an initial state on which the formula is false, or None."""
    return satisfying(arena, ~formula, fairness)


def satisfying(arena: Arena, formula: Formula, fairness: tuple[Fairness, ...]) -> Path | None:
    """A fair path from an initial state on which the formula is true, or None."""
    fair = conditions_of(arena, fairness)
    product = _product(arena, formula)
    if product is None:
        return None
    cycles = fair_cycles(product.graph, fair, product.nodes)
    if not cycles.found:
        return None
    path = _lasso(product, cycles, fair)
    path.notes += explain(arena, fairness, np.array(path.edges[path.loop :]))
    return path


def exists(arena: Arena, formula: Formula, fairness: tuple[Fairness, ...]) -> bool:
    """Whether there is such a path."""
    product = _product(arena, formula)
    return product is not None and fair_cycles(product.graph, conditions_of(arena, fairness), product.nodes).found


def atoms_of(formula: Formula) -> list[Formula]:
    """The atoms of a formula, each once."""
    return list(
        dict.fromkeys(part for part in formula.walk() if isinstance(part, Holds | Happens | Enabled | Taken | Between))
    )


@dataclass(frozen=True, eq=False)
class _Product:
    """The reachable pairs, breadth first, with the way to each; the graph has only edges that cycles may use."""

    graph: Digraph
    parent: Array
    via: Array
    nodes: Array
    """Those that a cycle may use."""

    def way(self, node: int) -> list[int]:
        """The edges of the arena that lead to a node."""
        edges = []
        while self.parent[node] != NONE:
            edges.append(int(self.via[node]))
            node = int(self.parent[node])
        return edges[::-1]

    def root(self, node: int) -> int:
        """The node that the way starts in."""
        while self.parent[node] != NONE:
            node = int(self.parent[node])
        return node


MOST_ATOMS = 64
"""A letter is a 64-bit number."""


def _product(arena: Arena, formula: Formula) -> _Product | None:
    """None when the automaton accepts nothing of what can occur."""
    atoms = atoms_of(formula)
    if len(atoms) > MOST_ATOMS:
        raise HomingError(f"a formula is too large: it speaks of {len(atoms)} things, and {MOST_ATOMS} are the most")
    letter, letters, by_edge = letters_of(arena, atoms)
    table = tabulate(formula, atoms, letters)
    if not len(table.initial):
        return None
    pairs = kernels.explore(
        arena.start, arena.target, letter, by_edge, arena.initial, table.initial, len(letters),
        table.start, table.target, table.mark, table.component,
    )  # fmt: skip
    nodes = np.flatnonzero(table.component[pairs.automaton] >= 0)
    graph = Digraph(arena, pairs.start, pairs.target, pairs.edge, pairs.state, pairs.mark, table.marks)
    return _Product(graph, pairs.parent, pairs.via, nodes)


def letters_of(arena: Arena, atoms: list[Formula]) -> tuple[Array, list[int], bool]:
    """By state (or by edge, where an atom speaks of steps) the position of its letter among those that occur."""
    by_edge = any(isinstance(atom, Happens | Taken | Between) for atom in atoms)
    code = np.zeros(arena.states, np.uint64)
    for bit, atom in enumerate(atoms):
        if isinstance(atom, Holds | Enabled):
            code |= arena.on_states(atom).astype(np.uint64) << np.uint64(bit)
    if by_edge:
        code = code[arena.source]
        for bit, atom in enumerate(atoms):
            if isinstance(atom, Happens | Taken | Between):
                code |= arena.on_edges(atom).astype(np.uint64) << np.uint64(bit)
    if len(atoms) > DENSE:
        known, letter = np.unique(code, return_inverse=True)
        return letter.astype(np.uint32), [int(bits) for bits in known], by_edge
    narrow = code.astype(np.uint32)
    occurs = np.bincount(narrow, minlength=1 << len(atoms)) > 0
    position = (np.cumsum(occurs) - 1).astype(np.uint32)
    return position[narrow], [int(bits) for bits in np.flatnonzero(occurs)], by_edge


def _lasso(product: _Product, cycles: FairCycles, fair: Conditions) -> Path:
    """A short way to a fair cycle, and around it."""
    entry, cycle = short_cycle(cycles, fair, _entries(product, cycles))
    edges = product.way(entry)
    around = [int(product.graph.edge[edge]) for edge in cycle]
    first = int(product.graph.state[product.root(entry)])
    return _rolled(product.graph.arena, Path(first, edges + around, loop=len(edges)))


def _entries(product: _Product, cycles: FairCycles) -> Iterator[tuple[int, int]]:
    for node in np.flatnonzero(cycles.number >= 0):  # breadth first, so the nearest comes first
        yield len(product.way(int(node))), int(node)


def _rolled(arena: Arena, path: Path) -> Path:
    """The same path with its loop begun as early as possible: where the way in ends like the loop does."""
    assert path.loop is not None
    way, around = path.edges[: path.loop], path.edges[path.loop :]
    while way and way[-1] == around[-1]:
        around.insert(0, around.pop())
        way.pop()
    return Path(path.first, way + around, len(way))
