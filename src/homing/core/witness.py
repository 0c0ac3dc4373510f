"""Witnesses: a path through the system that a person can follow."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from homing.core.showing import Shown
from homing.core.system import Event, Notation
from homing.core.values import State, same


@dataclass(frozen=True)
class Move:
    """One step of a trace: which group took it, and the event it showed."""

    group: str
    event: Event


STUTTER = Move("", Event("stutter"))
"""The move that changes nothing and that no group takes."""


@dataclass(frozen=True)
class Branch:
    """Another trace, which shows `why`: it starts in `states[at]` of the trace it belongs to."""

    at: int | None
    """None when it starts in an initial state of its own."""
    why: str
    trace: Trace


@dataclass(frozen=True)
class Trace(Shown):
    """`states[0]` is initial and `moves[i]` leads from `states[i]` to `states[i + 1]`.

    A lasso has a `loop`: its last state is `states[loop]` again, and from there it goes on for ever. When that is the
    last position itself, the behaviour stays in its last state.
    """

    slots: tuple[str, ...]
    states: tuple[State, ...]
    moves: tuple[Move, ...]
    loop: int | None = None
    branches: tuple[Branch, ...] = ()
    notes: tuple[str, ...] = ()
    """What is worth knowing of it: why it is fair, what it refuses."""
    notation: Notation = field(default_factory=Notation, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.moves)

    def readable(self) -> Trace:
        """The same trace with the slots that people know; it cannot be replayed."""
        slots, state = self.notation.slots, self.notation.state
        branches = tuple(replace(branch, trace=branch.trace.readable()) for branch in self.branches)
        if slots is None or state is None:
            return replace(self, branches=branches)
        states = tuple(map(state, self.states))
        return replace(self, slots=slots, states=states, branches=branches, notation=self.notation.alone)

    def changes(self, position: int) -> tuple[int, ...]:
        """The slots whose value differs from the state before; all of them at the start."""
        now = self.states[position]
        if position == 0:
            return tuple(range(len(now)))
        before = self.states[position - 1]
        return tuple(slot for slot, value in enumerate(now) if not same(value, before[slot]))
