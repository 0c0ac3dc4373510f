"""Parts of conditions on steps that speak of one state only: they are computed once for it, not for each step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from homing.languages.tla.ir import Cell, E, Var, fingerprint
from homing.languages.tla.slots import Shapes
from homing.languages.tla.substitution import rebuilt

LEAST = 4
"""Parts of an expression below which looking up what was computed costs as much as computing it."""


class Hoisting:
    """Finds such parts of one condition; what they are is kept in a list a state."""

    def __init__(self, shapes: Shapes) -> None:
        self._shapes = shapes
        self._cells = (Cell(""), Cell(""))
        self._known: tuple[dict[Any, int], dict[Any, int]] = ({}, {})

    def once(self, e: E) -> E:
        """The condition, with such parts marked; those that say the same have one place."""
        inside = self._inside(e)
        if e.cells or e.size < LEAST or len({var.primed for var in e.reads}) != 1:
            return inside
        after = e.has_prime
        known = self._known[after]
        return E("once", (inside,), (self._cells[after], known.setdefault(fingerprint(e), len(known))), e.place)

    def _inside(self, e: E) -> E:
        if e.op == "unchanged":
            return E("unchanged", (), tuple(leaf for var in e.data for leaf in self._leaves(var)), e.place)
        if not e.args or e.op in ("enabled", "operator"):  # what is primed in there is not the state after the step
            return e
        args = tuple(map(self.once, e.args))
        return e if all(one is other for one, other in zip(args, e.args)) else rebuilt(e, args)

    def _leaves(self, var: Var) -> list[Var]:
        """The slots of a variable, each for itself."""
        if not self._shapes.has(var.number, var.path):
            return [var]
        return [Var(*self._shapes.slots[slot], var.primed) for slot in self._shapes.below(var.number, var.path)]

    def sides(self) -> Iterator[tuple[Cell, int]]:
        """For the state before, and for that after the step, the cell of the list and how many parts it has."""
        return zip(self._cells, map(len, self._known))


def slots_read(parts: Iterable[E], shapes: Shapes) -> set[tuple[int, bool]]:
    """The slots that expressions depend on, before a step and after it."""
    return {
        (slot, var.primed)
        for part in parts
        for var in part.reads
        if shapes.has(var.number, var.path)
        for slot in shapes.below(var.number, var.path)
    }
