"""A walk: where it came by, and where it may go on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from homing.core import evaluate, interpreter
from homing.core.model import Model
from homing.core.property import DeadlockFree
from homing.core.system import TransitionSystem
from homing.core.values import NotAValue, State, Value, encode
from homing.core.witness import Move, Trace
from homing.replaying.simulation import TERMINATION
from homing.timed.system import plain

DEADLOCK = "deadlock"


@dataclass(frozen=True)
class Choice:
    """A step that may be taken next; without a move, an initial state that the walk may start in."""

    move: Move | None
    state: State

    @cached_property
    def key(self) -> bytes:
        """Equal where nobody could tell two choices apart; the same on every machine."""
        event: Value = None
        if self.move is not None:
            shown = self.move.event
            event = (shown.name, shown.arguments, shown.sender, shown.receiver, shown.channel)
        return encode((event, self.state))


@dataclass(frozen=True)
class End:
    """Why a walk cannot go on."""

    name: str
    """For machines: deadlock, terminated, constraint."""
    text: str
    """For people, after a comma."""


class Walk:
    """A path from an initial state, which grows and shrinks at its end; before it starts it has no state."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.system: TransitionSystem = plain(model.system)
        self.states: list[State] = []
        self.moves: list[Move] = []
        self._starts = self._distinct(Choice(None, state) for state in evaluate.initial(self.system))
        self._ahead: list[Choice] | None = None
        if len(self._starts) == 1:
            self.take(self._starts[0])

    def __len__(self) -> int:
        return len(self.moves)

    @property
    def state(self) -> State:
        return self.states[-1]

    @property
    def starts(self) -> int:
        """How many initial states there are."""
        return len(self._starts)

    def choices(self) -> list[Choice]:
        """Where it may go on, in the order of the model; raises ModelError where the model fails."""
        if not self.states:
            return self._starts
        if self._ahead is None:
            beyond = self._constraint() is not None
            steps = () if beyond else interpreter.successors(self.system, self.state)
            self._ahead = self._distinct(Choice(move, state) for move, state in steps)
        return self._ahead

    def take(self, choice: Choice) -> None:
        """Goes on."""
        if choice.move is not None:
            self.moves.append(choice.move)
        self.states.append(choice.state)
        self._ahead = None

    def undo(self) -> bool:
        """Takes the last step back, or where there was a choice the start; False when there is nothing to undo."""
        if not self.moves and (not self.states or self.starts == 1):
            return False
        self._ahead = None
        self.states.pop()
        if self.moves:
            self.moves.pop()
        return True

    def end(self) -> End | None:
        """Why there is no choice; None where there is one."""
        if self.choices():
            return None
        constraint = self._constraint()
        if constraint is not None:
            return End("constraint", f"beyond the constraint '{constraint}' of the model, which says nothing of it")
        if self._may_end():
            return End("terminated", "where it ends as it may")
        return End(DEADLOCK, "then a deadlock: no step is possible")

    def trace(self, first: int = 0) -> Trace:
        """The walk from this state on; the whole walk can be replayed."""
        shape = self.system.shape
        states, moves = tuple(self.states[first:]), tuple(self.moves[first:])
        return Trace(tuple(map(str, shape.slots)), states, moves, notation=shape.notation)

    def _constraint(self) -> str | None:
        """The constraint that the model keeps its states to and that is false here, as the engine has it."""
        shape = self.system.shape
        broken = (number for number in shape.constraints if not interpreter.label(self.system, number, self.state))
        return next((shape.labels[number].name for number in broken), None)

    def _may_end(self) -> bool:
        """Whether the model says that no step is no deadlock here."""
        if self.moves and self.moves[-1].event.name == TERMINATION:
            return True
        unless = {prop.unless for prop in self.model.properties if isinstance(prop, DeadlockFree)}
        return any(interpreter.label(self.system, number, self.state) for number in unless if number is not None)

    def _distinct(self, choices: Iterable[Choice]) -> list[Choice]:
        """Without those that look the same as one before."""
        return list({choice.key: choice for choice in self._encoded(choices)}.values())

    def _encoded(self, choices: Iterable[Choice]) -> Iterator[Choice]:
        for choice in choices:
            try:
                encode(choice.state)
            except (NotAValue, RecursionError) as found:
                what = "the initial state" if choice.move is None else f"what group '{choice.move.group}' writes"
                raise evaluate.no_value(found, what, self.system.shape.place) from None
            yield choice
