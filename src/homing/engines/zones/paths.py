"""From symbolic states back to runs."""

from __future__ import annotations

from dataclasses import dataclass

from homing.core.values import State
from homing.core.witness import Move
from homing.engines.zones.symbolic import Symbolic
from homing.engines.zones.ticking import TICK
from homing.timed.system import Action


@dataclass(frozen=True)
class Run:
    """Discrete states and the moves between them; a lasso comes back to `states[loop]`."""

    states: tuple[State, ...]
    moves: tuple[Move, ...]
    loop: int | None = None

    @property
    def actions(self) -> list[Action]:
        """What the moves do to the clocks."""
        return [move.event for move in self.moves if isinstance(move.event, Action)]

    def after(self, other: Run) -> Run:
        """The other run, and then this one, which begins where it ends."""
        loop = None if self.loop is None else self.loop + len(other.moves)
        return Run((*other.states, *self.states[1:]), (*other.moves, *self.moves), loop)

    def without_ticks(self) -> Run:
        """The same run of the system itself."""
        kept = [position for position, move in enumerate(self.moves) if move.group != TICK]
        loop = None if self.loop is None else sum(position < self.loop for position in kept)
        states = (self.states[0], *(self.states[position + 1] for position in kept))
        return Run(states, tuple(self.moves[position] for position in kept), loop)


def run_to(symbolic: Symbolic, state: int) -> tuple[int, Run]:
    """The run to a symbolic state along which it was found, and in which of its first states the search began."""
    states, edges = [state], []
    while symbolic.states.parent[states[-1]] >= 0:
        edges.append(int(symbolic.states.edge[states[-1]]))
        states.append(int(symbolic.states.parent[states[-1]]))
    root = -1 - int(symbolic.states.parent[states[-1]])
    return root, run_of(symbolic, states[::-1], edges[::-1])


def run_of(symbolic: Symbolic, states: list[int], edges: list[int], loop: int | None = None) -> Run:
    """The run through symbolic states, along edges."""
    discrete = symbolic.discrete
    action = discrete.edges.action
    moves = tuple(Move(discrete.group(edge).name, discrete.actions[int(action[edge])]) for edge in edges)
    values = tuple(discrete.state(int(symbolic.states.discrete[state])) for state in states)
    return Run(values, moves, loop)
