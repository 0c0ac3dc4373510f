"""The plain interpreter of the interface: slow, obvious, and the judge of every trace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from weakref import WeakKeyDictionary

from homing.core import evaluate
from homing.core.errors import ModelError, Place
from homing.core.system import EVERYONE, QUIET, Event, Pure, Read, Shape, Start, Step, TransitionSystem
from homing.core.values import Short, State, Value, encode, same
from homing.core.witness import STUTTER, Move, Trace

TWO_CAUSES = "either the model answers differently when asked twice (--debug tells), or this is a bug in Homing"
NO_SYMMETRY = (
    "most likely because the symmetry that the model declares is none, as when it chooses among the permuted values "
    "by CHOOSE, or a property names one of them: check it without the symmetry"
)


class ReplayFailed(ModelError):
    """A trace that an engine found is not a path of the system."""

    def __init__(self, what: str, place: Place | None = None, why: str = TWO_CAUSES) -> None:
        super().__init__(f"a trace could not be replayed, {why}: {what}", place)
        self.what = what

    def under(self, shape: Shape) -> ReplayFailed:
        """The failure as it is explained for a system, whose symmetry is the likely cause where it has one."""
        return ReplayFailed(self.what, self.place, NO_SYMMETRY) if shape.symmetry else self


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
    """Every step from a state, group by group in their order; of a joint system, the last group's choices first."""
    shape = system.shape
    if shape.joint:
        yield from _together(system, state)
        return
    for number, group in enumerate(shape.groups):
        for step in evaluate.steps(system, number, short(shape, group.reads, state)):
            yield Move(group.name, step.event), apply(shape, step, state)


def _together(system: TransitionSystem, state: State) -> Iterator[tuple[Move, State]]:
    shape = system.shape
    choices = [
        evaluate.steps(system, number, short(shape, group.reads, state)) for number, group in enumerate(shape.groups)
    ]
    for event, steps in _agreeing(choices):
        writes = {slot: written for step in steps for slot, written in step.writes.items()}
        yield Move(EVERYONE, event), apply(shape, Step(event, writes), state)


def moves(system: TransitionSystem, before: State, after: State) -> Iterator[Move]:
    """The steps from one state to another; of a joint system found group by group, for it may have very many steps."""
    shape = system.shape
    if not shape.joint:
        yield from (move for move, state in successors(system, before) if same(state, after))
        return
    written = {slot for group in shape.groups for slot in group.writes}
    if not all(same(one, other) for slot, (one, other) in enumerate(zip(before, after)) if slot not in written):
        return
    choices = []
    for number, group in enumerate(shape.groups):
        steps = evaluate.steps(system, number, short(shape, group.reads, before))
        reached = ((step, apply(shape, step, before)) for step in steps)
        choices.append([step for step, there in reached if all(same(there[s], after[s]) for s in group.writes)])
    yield from (Move(EVERYONE, event) for event, _ in _agreeing(choices))


def is_initial(system: TransitionSystem, state: State) -> bool:
    """Whether a system starts in a state; asked part by part where its initial states are a product."""
    starts = getattr(system, "starts", None)
    if starts is None:
        return encode(state) in _initial(system)
    parts: Sequence[Start] = starts()
    return all(part.allows(tuple(state[slot] for slot in part.slots)) for part in parts)


def _agreeing(choices: list[list[Step]]) -> Iterator[tuple[Event, tuple[Step, ...]]]:
    """One step of each group, so that no two show different events, in lexicographic order."""
    chosen: list[tuple[Event, Step]] = []
    waiting = [iter(choices[0])]
    while waiting:
        event = chosen[-1][0] if chosen else QUIET
        step = next((step for step in waiting[-1] if _agree(event, step.event)), None)
        if step is None:
            waiting.pop()
            if chosen:
                chosen.pop()
            continue
        chosen.append((event if step.event.key == QUIET.key else step.event, step))
        if len(chosen) < len(choices):
            waiting.append(iter(choices[len(chosen)]))
            continue
        yield chosen[-1][0], tuple(step for _, step in chosen)
        chosen.pop()


def _agree(one: Event, other: Event) -> bool:
    return QUIET.key in (one.key, other.key) or one.key == other.key


def label(system: TransitionSystem, number: int, state: State) -> bool | int:
    """The value of a label in a state."""
    return _label(system, number, state, {})


def _label(system: TransitionSystem, number: int, state: State, known: dict[int, bool | int]) -> bool | int:
    """Each label that comes before it is asked once, though many may come before many."""
    if number not in known:
        about = system.shape.labels[number]
        known[number] = all(_label(system, earlier, state, known) for earlier in about.after) and evaluate.label(
            system, number, short(system.shape, about.reads, state)
        )
    return known[number]


def replay(system: TransitionSystem, trace: Trace) -> None:
    """Raises ReplayFailed unless the trace is a path from an initial state, which returns where it says it does."""
    if not is_initial(system, trace.states[0]):
        raise ReplayFailed(f"{trace.states[0]} is no initial state")
    _replay_moves(system, trace)


_STARTS: WeakKeyDictionary[TransitionSystem, frozenset[bytes]] = WeakKeyDictionary()


def _initial(system: TransitionSystem) -> frozenset[bytes]:
    """The initial states; a model with thousands of formulas has as many traces, and its starts are listed once."""
    try:
        if system not in _STARTS:
            _STARTS[system] = frozenset(map(encode, system.initial()))
        return _STARTS[system]
    except TypeError:  # nothing to remember it by
        return frozenset(map(encode, system.initial()))


def _replay_moves(system: TransitionSystem, trace: Trace) -> None:
    for position, move in enumerate(trace.moves):
        before, after = trace.states[position], trace.states[position + 1]
        if move == STUTTER and same(before, after):
            continue
        if not any(move == found for found in moves(system, before, after)):
            raise ReplayFailed(f"no step {move.event} of {move.group} leads from {before} to {after}")
    if trace.loop is not None and not same(trace.states[trace.loop], trace.states[-1]):
        raise ReplayFailed(f"the loop does not return to {trace.states[trace.loop]} but ends in {trace.states[-1]}")
    for branch in trace.branches:
        if branch.at is None:
            replay(system, branch.trace)
            continue
        if not same(branch.trace.states[0], trace.states[branch.at]):
            raise ReplayFailed(f"the branch for {branch.why} does not start in {trace.states[branch.at]}")
        _replay_moves(system, branch.trace)
