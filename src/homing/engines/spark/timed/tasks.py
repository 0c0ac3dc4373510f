"""What a task is told, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from homing.core.errors import HomingError
from homing.core.model import Model
from homing.core.values import State
from homing.engines.spark.folder import Folder
from homing.engines.spark.timed.looking import Look, Seen
from homing.engines.zones.planning import Plan

ARRIVING, LOOKING, FIRING = range(3)
"""When a model fails: the first of these is part of the level before."""
AT_ONCE = 64 << 20
"""Bytes of messages that are taken in together, unless that is much of what a partition may take."""
PIECE_BYTES = 40
"""That a move takes when loops are looked for: pieces are what partitions have named, and cannot be split any more."""


@dataclass(frozen=True)
class Job:
    """What is the same for all tasks of a search."""

    run: str
    """Of all searches of a check."""
    name: str
    """Of this one: its folder."""
    rebuild: Callable[[], Model]
    owning: tuple[int, ...]
    """The slots that decide who owns a state; all, if there are none."""
    plan: Plan
    look: Look
    folder: Folder
    memory: int
    """Bytes that a partition may take before it is split."""
    cache: int
    """Bytes of partitions that a worker may keep between levels."""

    @property
    def room(self) -> int:
        """Bytes that a partition may take before its level is given up, to be done again in more partitions."""
        return 2 * self.memory

    @property
    def at_once(self) -> int:
        """Bytes of messages that are taken in together."""
        return min(AT_ONCE, self.memory // 8)


@dataclass(frozen=True)
class Assignment:
    """One partition, as its last level left it, and what to do in this one."""

    bits: int
    part: int
    level: int
    version: str = ""
    files: tuple[str, ...] = ()
    inbox: tuple[str, ...] = ()
    serial: int = 0
    """How many states it has named."""
    frontier: bool = False
    """Whether the states of the level are known and were looked at, so that they are to be fired only."""
    known: frozenset[int] = frozenset()
    """Questions that have been answered."""
    weight: int = 0
    """States that it has, about."""
    edges: int = 0
    """Moves to them that are written down, about."""
    seconds: float = 60.0


@dataclass(frozen=True)
class Failure:
    """The model failed."""

    phase: int
    error: HomingError | None
    state: State | None
    """The discrete state that it failed on."""
    at: int | None
    """The symbolic state."""


@dataclass(frozen=True)
class Outcome:
    """What a level made of a partition."""

    part: int
    version: str
    states: int
    wave: int
    generated: int
    file: str | None = None
    moves: str | None = None
    edges: int = 0
    seen: Seen = field(default_factory=Seen)
    failure: Failure | None = None
    sent: int = 0
    crossing: int = 0
    received: int = 0
    evaluations: int = 0
    large: bool = False
    """Whether it takes too much memory, and more partitions would have less each."""
    seconds: float = 0.0
    loaded: bool = False


@dataclass(frozen=True)
class Overflow:
    """Instead of an outcome: a partition took more than there is room for."""

    part: int
    bytes: int
    divisible: bool
