"""The interface of systems with clocks: a transition system over what is discrete, whose events say what they do to
the clocks.

Clocks are numbered from 1; number 0 stands for the constant 0. A *constraint* is a bound on a difference of two
clocks, `(left, right, bound)`, where an even bound 2c means `left - right < c` and an odd one, 2c + 1, means
`left - right <= c`. Bounds so coded compare as they should.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from homing.core.system import Event, TransitionSystem
from homing.core.values import encode
from homing.timed import is_timed

Constraint: TypeAlias = tuple[int, int, int]
Constraints: TypeAlias = tuple[Constraint, ...]
"""All of them hold."""

INFINITY = 2**30
"""The bound that every difference satisfies."""
MOST = 2**26
"""Constants in constraints are less than this, so that sums of bounds stay within 32 bits."""
NEVER = -1
"""As a clock's lower or upper bound in a location: nothing depends on it."""


def at_most(constant: int, *, strict: bool = False) -> int:
    """The bound `<= constant`, or `< constant`."""
    return 2 * constant + (not strict)


@dataclass(frozen=True)
class Reset:
    """`clock := value`, or with a `source` other than 0 `clock := source + value`."""

    clock: int
    value: int = 0
    source: int = 0


@dataclass(frozen=True)
class Action(Event):
    """An event with what it means for the clocks: it needs its `guard`, and then does its `resets` in their order."""

    guard: Constraints = ()
    resets: tuple[Reset, ...] = ()
    committed: bool = False
    """Whether it leaves a committed location: where one is occupied, no other action is possible."""
    urgent: bool = False
    """Whether time stops where this action is possible; it has no guard then."""
    priority: int = 0
    """Where it is possible, no action of a lower priority is."""
    failure: str = ""
    """Why it cannot be taken, though it is enabled: evaluating it is an error, which names its place. Its writes mean
    nothing."""

    @property
    def key(self) -> tuple[object, ...]:  # type: ignore[override]
        resets = tuple((reset.clock, reset.value, reset.source) for reset in self.resets)
        payload = (self.guard, resets, self.committed, self.urgent, self.priority, self.failure)
        return (*super().key, encode(payload))


@dataclass(frozen=True)
class Part:
    """What one process has to say about time in the location that it is in.

    By clock, from number 0 on: the greatest constant that matters below (guards `x > c`) and above (`x < c`, also in
    invariants) before the clock is reset, or NEVER.
    """

    invariant: Constraints
    lower: tuple[int, ...]
    upper: tuple[int, ...]
    delay: bool = True
    committed: bool = False


@dataclass(frozen=True)
class Cell:
    """A convex set of clock values; with `deadlock`, only the points that are (or are not) deadlocked."""

    constraints: Constraints = ()
    deadlock: bool | None = None


NOWHERE, EVERYWHERE = 0, 1
"""What a condition's label says where clocks do not matter; greater numbers are for `TimedSystem.cells`."""


class TimedSystem(TransitionSystem, Protocol):
    """A transition system whose steps carry actions (`Step.event` is an `Action`).

    Its shape is that of the discrete states. Some labels are of *parts*: their value is a number for `part`. Those
    that properties speak of are *conditions*: NOWHERE, EVERYWHERE, or a number for `cells`.
    """

    @property
    def clocks(self) -> tuple[str, ...]:
        """The names of clocks 1, 2, …"""
        ...

    @property
    def parts(self) -> tuple[int, ...]:
        """Labels, one a process, or fewer where a process has nothing to say about time."""
        ...

    @property
    def ranked(self) -> bool:
        """Whether actions have different priorities."""
        ...

    @property
    def diagonals(self) -> Constraints:
        """Constraints on differences of two clocks that occur in guards, invariants or conditions."""
        ...

    def part(self, number: int) -> Part: ...

    def cells(self, number: int) -> tuple[Cell, ...]:
        """The condition holds in the union of these."""
        ...

    def asks_deadlock(self, label: int) -> bool:
        """Whether some cell of a condition speaks of deadlock."""
        ...

    def constants(self, label: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """By clock the greatest constants in a condition, below and above, as in `Part`."""
        ...


def plain(system: TransitionSystem) -> TransitionSystem:
    """The system itself or, where it has clocks, its zone graph: what can be walked through step by step."""
    if not is_timed(system):
        return system
    # Imported when a model needs it, so that the others start faster.
    from homing.timed.zonegraph import ZoneGraph

    return ZoneGraph(system)
