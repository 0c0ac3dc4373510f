"""Witnesses: a path through the system that a person can follow."""

from __future__ import annotations

from dataclasses import dataclass

from homing.core.system import Event
from homing.core.values import State, same


@dataclass(frozen=True)
class Move:
    """One step of a trace: which group took it, and the event it showed."""

    group: str
    event: Event


@dataclass(frozen=True)
class Trace:
    """`states[0]` is initial and `moves[i]` leads from `states[i]` to `states[i + 1]`."""

    slots: tuple[str, ...]
    states: tuple[State, ...]
    moves: tuple[Move, ...]

    def __len__(self) -> int:
        return len(self.moves)

    def changes(self, position: int) -> tuple[int, ...]:
        """The slots whose value differs from the state before; all of them at the start."""
        now = self.states[position]
        if position == 0:
            return tuple(range(len(now)))
        before = self.states[position - 1]
        return tuple(slot for slot, value in enumerate(now) if not same(value, before[slot]))
