"""What a trace file says, before any model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from homing.core.errors import Place
from homing.core.values import State, Value


@dataclass(frozen=True)
class Mention:
    """An event as text, as a paper prints it: what it stands for depends on the language of the model."""

    text: str
    place: Place


@dataclass(frozen=True)
class Given:
    """An event field by field, as JSON has it; what is not given may be anything."""

    name: str
    place: Place
    arguments: tuple[Value, ...] | None = None
    ends: Mapping[str, str | None] = field(default_factory=dict)
    """Of `sender`, `receiver` and `channel` those that are given; None says that there is none."""
    text: str = ""
    """How it was written, for people."""


@dataclass(frozen=True)
class Stage:
    """One event of a trace, with the group that takes the step where that is known."""

    event: Mention | Given
    group: str | None = None

    @property
    def shown(self) -> str:
        """How to call it."""
        return self.event.text or (self.event.name if isinstance(self.event, Given) else "")


@dataclass(frozen=True)
class Offshoot:
    """A branch of a trace: see `homing.core.witness.Branch`."""

    at: int | None
    why: str
    story: Story


@dataclass(frozen=True)
class Story:
    """A trace; with `states`, every one of them is given, and no step happens that is not mentioned."""

    stages: tuple[Stage, ...]
    states: tuple[State, ...] | None = None
    slots: tuple[str, ...] | None = None
    loop: int | None = None
    branches: tuple[Offshoot, ...] = ()
    system: str = ""
    """The system that it is a trace of, by its own account."""

    def __len__(self) -> int:
        return len(self.stages)
