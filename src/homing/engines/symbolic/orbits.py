"""Symmetry: of states that are alike but for names, one stands for all.

To take the least of every orbit is no cheap operation on diagrams. So states that are new are listed, many at a time,
and each is replaced by the least of its orbit, as the local engine does it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from homing.core.system import Shape
from homing.core.values import State
from homing.engines.local import kernels
from homing.engines.local.numbering import Numbering
from homing.engines.local.planning import Planner
from homing.engines.symbolic.space import Set
from homing.engines.symbolic.tuples import Table
from homing.engines.symbolic.world import World


def numbering(shape: Shape) -> Numbering:
    """Numbers of values, and of their images."""
    return Numbering(replace(shape, groups=(), labels=(), constraints=()))


class Orbits:
    """The orbits of states under the symmetry of a system."""

    def __init__(self, world: World, values: Numbering) -> None:
        self.world = world
        self.elements = world.shape.symmetry
        self._planner = Planner(values)

    def representatives(self, states: Set) -> Set:
        """The least of the orbits of some states. All images of their values have numbers, and bits, already."""
        space = self.world.space
        found = space.false
        for table in space.tables(states, space.now):
            found = found | space.of_table(self._least(table), space.now)
        return found

    def _least(self, table: Table) -> Table:
        self._planner.fit()
        layout = self._planner.layout
        rows = np.zeros((len(table), layout.words), np.uint32)
        for slot, column in enumerate(table.T.astype(np.uint32)):
            rows[:, layout.word[slot]] |= column << layout.shift[slot]
        kernels.canonical_rows(self._planner.plan, rows, 0, len(rows))
        return (rows[:, layout.word] >> layout.shift & layout.mask).astype(np.int64)

    def all_like(self, state: State) -> list[State]:
        """The orbit of a state, itself first."""
        return [state, *(element(state) for element in self.elements)]
