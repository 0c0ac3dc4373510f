"""The transition system of a specification."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from typing import Protocol

from homing.core.errors import Place
from homing.core.system import Group, Label, Notation, Permutation, Read, Shape, Slot, Step
from homing.core.values import Short, State
from homing.languages.tla.slots import Shapes
from homing.languages.tla.units import GroupUnit


class Observed(Protocol):
    """A label, compiled."""

    name: str
    after: tuple[int, ...]
    lazy: bool

    @property
    def reads(self) -> tuple[Read, ...]: ...

    @property
    def place(self) -> Place | None: ...

    def value(self, read: Short) -> bool | int:
        """What it says of what was read."""


class TlaSystem:
    """Groups and labels, compiled; what they read and write is in the shape."""

    def __init__(
        self,
        shapes: Shapes,
        states: Sequence[State],
        groups: Sequence[GroupUnit],
        labels: Sequence[Observed],
        constraints: tuple[int, ...],
        hidden: frozenset[int],
        symmetry: tuple[Permutation, ...],
        place: Place,
        notation: Notation,
    ) -> None:
        self._states = list(states)
        self._groups = list(groups)
        self._labels = list(labels)
        self.shapes = shapes
        self._shape = Shape(
            tuple(Slot(shapes.name(number)) for number in range(len(shapes.slots))),
            tuple(Group(unit.name, unit.reads, unit.writes, unit.place) for unit in groups),
            tuple(Label(unit.name, unit.reads, unit.place, unit.after, unit.lazy) for unit in labels),
            constraints,
            hidden,
            symmetry,
            place,
            notation,
        )

    @property
    def shape(self) -> Shape:
        return self._shape

    def initial(self) -> Iterable[State]:
        return self._states

    def next(self, group: int, read: Short) -> Iterable[Step]:
        return self._groups[group].steps(read)

    def label(self, label: int, read: Short) -> bool | int:
        return self._labels[label].value(read)

    def unrestricted(self) -> TlaSystem:
        """The same without action constraints."""
        system = copy(self)
        system._groups = [unit.unrestricted() for unit in self._groups]
        return system
