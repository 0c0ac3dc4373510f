"""Properties of the reachable states; their names read as sentences."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias


@dataclass(frozen=True)
class DeadlockFree:
    """Every reachable state has a step, or satisfies the label `unless` (it may end there)."""

    name: str = "deadlock free"
    unless: int | None = None


@dataclass(frozen=True)
class Always:
    """The label is true in every reachable state, and so are those in `also`: the parts of one condition, since a
    function of few slots is evaluated less often than one of many."""

    name: str
    label: int
    also: tuple[int, ...] = ()

    @property
    def labels(self) -> tuple[int, ...]:
        """All that must be true."""
        return (self.label, *self.also)


@dataclass(frozen=True)
class Sometimes:
    """The label is true in some reachable state."""

    name: str
    label: int


@dataclass(frozen=True)
class Extreme:
    """The least or greatest value of an int label, over the reachable states where `where` is true.

    VIOLATED when there is no such state, for then there is no value.
    """

    name: str
    label: int
    sense: Literal["min", "max"]
    where: int | None = None


Safety: TypeAlias = DeadlockFree | Always | Sometimes | Extreme
"""What an engine decides while it searches."""


def labels_of(prop: Safety) -> tuple[int, ...]:
    """The labels to observe on every state."""
    match prop:
        case Always(labels=labels):
            return labels
        case Sometimes(label=label):
            return (label,)
        case Extreme(label=label, where=where):
            return (label,) if where is None else (label, where)
        case DeadlockFree():
            return ()


@dataclass(frozen=True)
class OnGraph:
    """A property of the whole state graph, decided after the search; subclasses say which."""

    name: str


Property: TypeAlias = Safety | OnGraph
