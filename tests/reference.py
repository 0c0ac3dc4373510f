"""The naive search that every engine is measured against: dictionaries, no sharing of code with the engines.

It also does without `homing.core.interpreter`, so that a mistake there is a difference here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product

from homing.core.system import QUIET, Pure, Read, TransitionSystem
from homing.core.values import State, Value, encode

Key = Callable[[State], bytes]


@dataclass
class Found:
    """What a search has to agree on."""

    distinct: int = 0
    transitions: int = 0
    initial: int = 0
    depth: int = 0
    deadlocks: int = 0
    labels: dict[int, int] = field(default_factory=dict)
    """By label, the distance of the nearest state where it is true."""
    unlabelled: dict[int, int] = field(default_factory=dict)
    """And of the nearest where it is false."""
    nearest_deadlock: int | None = None
    nearest_unmarked: int | None = None
    """The same, of deadlocks where label 0 is false."""
    values_where: dict[int, set[int]] = field(default_factory=dict)
    """By label, the values it takes where label 0 is true."""
    values: dict[int, set[int]] = field(default_factory=dict)
    """By label, all values it takes."""
    edges: set[tuple[bytes, str, bytes]] = field(default_factory=set)


def explore(system: TransitionSystem, most: int = 5000) -> Found | None:
    """Everything reachable; None when that is more than `most` states."""
    shape = system.shape
    identity = identity_of(system)
    numbers = range(len(shape.labels))
    found = Found(values={number: set() for number in numbers}, values_where={number: set() for number in numbers})
    initial = list(system.initial())
    found.initial = len(initial)
    seen: dict[bytes, State] = {}
    for state in initial:
        seen.setdefault(identity(state), state)
    level = list(seen.values())
    distance = 0
    while level:
        inside = [state for state in level if _inside(system, state)]
        for state in level:
            _look(system, state, distance, found)
        found.distinct += len(inside)
        if inside:
            found.depth = distance + 1
        level = []
        for state in inside:
            steps = list(steps_from(system, state))
            found.transitions += len(steps)
            if not steps:
                found.deadlocks += 1
                if found.nearest_deadlock is None:
                    found.nearest_deadlock = distance
                if found.nearest_unmarked is None and not (shape.labels and label_of(system, 0, state)):
                    found.nearest_unmarked = distance
            for event, after in steps:
                found.edges.add((identity(state), event, identity(after)))
                if identity(after) not in seen:
                    seen[identity(after)] = after
                    level.append(after)
        distance += 1
        if len(seen) > most:
            return None
    return found


def identity_of(system: TransitionSystem) -> Key:
    """What makes two states one: the visible slots, and the least of the orbit."""
    shape = system.shape

    def visible(state: State) -> bytes:
        return encode(tuple(value for slot, value in enumerate(state) if slot not in shape.hidden))

    def identity(state: State) -> bytes:
        return min([visible(state), *(visible(element(state)) for element in shape.symmetry)])

    return identity


def steps_from(system: TransitionSystem, state: State) -> Iterator[tuple[str, State]]:
    """Every step, with its event."""
    if system.shape.joint:
        yield from _joint_steps(system, state)
        return
    for number, group in enumerate(system.shape.groups):
        for step in system.next(number, tuple(_value(read, state) for read in group.reads)):
            after = list(state)
            for slot, written in step.writes.items():
                after[slot] = written(state[slot]) if isinstance(written, Pure) else written
            yield str(step.event), tuple(after)


def _joint_steps(system: TransitionSystem, state: State) -> Iterator[tuple[str, State]]:
    choices = [
        list(system.next(number, tuple(_value(read, state) for read in group.reads)))
        for number, group in enumerate(system.shape.groups)
    ]
    for steps in product(*choices):
        events = {str(step.event) for step in steps} - {str(QUIET)}
        if len(events) < 2:
            after = list(state)
            for step in steps:
                for slot, written in step.writes.items():
                    after[slot] = written(state[slot]) if isinstance(written, Pure) else written
            yield min(events, default=str(QUIET)), tuple(after)


def _value(read: Read, state: State) -> Value:
    value = state[read.slot]
    return value if read.through is None else read.through(value)


def label_of(system: TransitionSystem, label: int, state: State) -> int:
    return int(system.label(label, tuple(_value(read, state) for read in system.shape.labels[label].reads)))


def _inside(system: TransitionSystem, state: State) -> bool:
    return all(label_of(system, label, state) for label in system.shape.constraints)


def _look(system: TransitionSystem, state: State, distance: int, found: Found) -> None:
    for label in range(len(system.shape.labels)):
        value = label_of(system, label, state)
        found.values[label].add(value)
        if label_of(system, 0, state):
            found.values_where[label].add(value)
        nearest = found.labels if value else found.unlabelled
        nearest.setdefault(label, distance)
