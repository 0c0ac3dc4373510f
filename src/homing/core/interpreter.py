"""The plain interpreter of the interface: slow, obvious, and the judge of every trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from homing.core import evaluate
from homing.core.system import Pure, Read, Shape, Step, TransitionSystem
from homing.core.values import Short, State, Value, same
from homing.core.witness import Move, Trace


class ReplayFailed(Exception):
    """A trace is not a path of the system: an engine is wrong, not the model."""


def short(shape: Shape, reads: Iterable[Read], state: State) -> Short:
    """What is read of a state."""
    return tuple(_read(shape, read, state[read.slot]) for read in reads)


def _read(shape: Shape, read: Read, value: Value) -> Value:
    if read.through is None:
        return value
    return evaluate.pure(read.through, value, f"read from slot '{shape.slots[read.slot]}'", shape.place)


def apply(shape: Shape, step: Step, state: State) -> State:
    """The state after a step."""
    after = list(state)
    for slot, written in step.writes.items():
        if isinstance(written, Pure):
            where = f"written to slot '{shape.slots[slot]}'"
            after[slot] = evaluate.pure(written, state[slot], where, shape.place)
        else:
            after[slot] = written
    return tuple(after)


def successors(system: TransitionSystem, state: State) -> Iterator[tuple[Move, State]]:
    """Every step from a state, group by group in their order."""
    shape = system.shape
    for number, group in enumerate(shape.groups):
        for step in evaluate.steps(system, number, short(shape, group.reads, state)):
            yield Move(group.name, step.event), apply(shape, step, state)


def label(system: TransitionSystem, number: int, state: State) -> bool | int:
    """The value of a label in a state."""
    shape = system.shape
    return evaluate.label(system, number, short(shape, shape.labels[number].reads, state))


def replay(system: TransitionSystem, trace: Trace) -> None:
    """Raises ReplayFailed unless the trace is a path from an initial state."""
    if not any(same(trace.states[0], state) for state in system.initial()):
        raise ReplayFailed(f"{trace.states[0]} is no initial state")
    for position, move in enumerate(trace.moves):
        before, after = trace.states[position], trace.states[position + 1]
        if not any(move == m and same(after, state) for m, state in successors(system, before)):
            raise ReplayFailed(f"no step {move.event} of {move.group} leads from {before} to {after}")
