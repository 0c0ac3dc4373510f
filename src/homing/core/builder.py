"""Writes a transition system by hand, slot by slot and group by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from typing import Any, Literal, TypeAlias

from homing.core.errors import ModelError, Place
from homing.core.formula import Formula
from homing.core.model import Model
from homing.core.property import Always, DeadlockFree, Extreme, Property, Sometimes
from homing.core.system import Event, Group, Label, Projection, Read, Shape, Slot, Step, TransitionSystem, Update
from homing.core.temporal import Fairness, Stuttering, Temporal
from homing.core.values import Short, State, Value

Reads: TypeAlias = Sequence[int | Read]
Steps: TypeAlias = Callable[..., Iterable[Step]]
Observation: TypeAlias = Callable[..., bool | int]


def read(slot: int, through: Projection) -> Read:
    """A slot read through a projection."""
    return Read(slot, through)


def step(event: Event | str, writes: Mapping[int, Value | Update] | None = None) -> Step:
    """A step that shows an event and writes some slots."""
    return Step(event if isinstance(event, Event) else Event(event), writes or {})


class Builder:
    """Collects slots, groups, labels and properties; `model()` is what they make."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._slots: list[Slot] = []
        self._starts: list[tuple[Value, ...]] = []
        self._groups: list[tuple[Group, Steps]] = []
        self._labels: list[tuple[Label, Observation]] = []
        self._properties: list[Property] = []

    def slot(self, name: str, *starts: Value, index: tuple[Value, ...] = ()) -> int:
        """A slot with the values it may start with; every combination of them is an initial state."""
        if not starts:
            raise ModelError(f"slot '{name}' needs a value to start with")
        self._slots.append(Slot(name, index))
        self._starts.append(starts)
        return len(self._slots) - 1

    def group(self, name: str, reads: Reads = (), writes: Sequence[int] = ()) -> Callable[[Steps], Steps]:
        """Decorates a function from the values read to the steps."""

        def declare(steps: Steps) -> Steps:
            self._groups.append((Group(name, _reads(reads), tuple(writes), place_of(steps)), steps))
            return steps

        return declare

    def label(self, name: str, reads: Reads, observe: Observation) -> int:
        """A function of the state that properties and constraints name."""
        self._labels.append((Label(name, _reads(reads), place_of(observe)), observe))
        return len(self._labels) - 1

    def deadlock_free(self, unless: int | None = None) -> None:
        """Asks that every state has a step, or satisfies the label `unless`."""
        self._properties.append(DeadlockFree(unless=unless))

    def always(self, name: str, reads: Reads, holds: Observation) -> None:
        """Asks that a condition is true in every reachable state."""
        self._properties.append(Always(name, self.label(name, reads, holds)))

    def sometimes(self, name: str, reads: Reads, holds: Observation) -> None:
        """Asks for a reachable state in which a condition is true."""
        self._properties.append(Sometimes(name, self.label(name, reads, holds)))

    def extreme(
        self, name: str, sense: Literal["min", "max"], reads: Reads, measure: Observation, where: int | None = None
    ) -> None:
        """Asks for the least or greatest value of an expression, over the states where the label `where` is true."""
        self._properties.append(Extreme(name, self.label(name, reads, measure), sense, where))

    def temporal(
        self,
        name: str,
        formula: Formula,
        *,
        fairness: Sequence[Fairness] = (),
        stuttering: Stuttering = "at the end",
    ) -> None:
        """Asks a formula of CTL or LTL (`homing.core.formula`) of all fair behaviours."""
        place = next((group.place for group, _ in self._groups if group.place), None)
        self.ask(Temporal(name, formula, tuple(fairness), stuttering, Place(place.file) if place else None))

    def ask(self, prop: Property) -> None:
        """Asks any other property, such as `homing.core.temporal.Refines`."""
        self._properties.append(prop)

    def system(self) -> TransitionSystem:
        """The transition system built so far."""
        return Built(self._slots, self._starts, self._groups, self._labels)

    def model(self, system: TransitionSystem | None = None) -> Model:
        """The model built so far, about deadlock if nothing else was asked; `system` may be a wrapper of it."""
        return Model(self.name, system or self.system(), tuple(self._properties) or (DeadlockFree(),))


class Built:
    """A transition system made of Python functions."""

    def __init__(
        self,
        slots: list[Slot],
        starts: list[tuple[Value, ...]],
        groups: list[tuple[Group, Steps]],
        labels: list[tuple[Label, Observation]],
    ) -> None:
        self._starts = list(starts)
        self._steps = [steps for _, steps in groups]
        self._observations = [observe for _, observe in labels]
        self._shape = Shape(
            tuple(slots),
            tuple(group for group, _ in groups),
            tuple(label for label, _ in labels),
            place=next((Place(group.place.file) for group, _ in groups if group.place), None),
        )

    @property
    def shape(self) -> Shape:
        return self._shape

    def initial(self) -> Iterable[State]:
        return product(*self._starts)

    def next(self, group: int, read: Short) -> Iterable[Step]:
        return self._steps[group](*read)

    def label(self, label: int, read: Short) -> bool | int:
        return self._observations[label](*read)


def _reads(reads: Reads) -> tuple[Read, ...]:
    return tuple(entry if isinstance(entry, Read) else Read(entry) for entry in reads)


def place_of(function: Any) -> Place | None:
    """Where a function is defined; a partial is where its function is."""
    code = getattr(getattr(function, "func", function), "__code__", None)
    return Place(code.co_filename, code.co_firstlineno) if code else None
