"""Alphabets: the events that a process of `||` takes part in, given by `#alphabet` or collected from its text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from homing.core.errors import ModelError
from homing.languages.csp.expressions import evaluate, instances
from homing.languages.csp.points import processes
from homing.languages.csp.program import Program
from homing.languages.csp.syntax import EventName, EventSet, Hiding, Input, Prefix, Process, Reference, Replicated
from homing.languages.csp.values import UNKNOWN, Env, NeedsState, NotKnown, Scalar

Label: TypeAlias = tuple[str, tuple[Scalar, ...]]
"""An event: its name and the values of its arguments."""
Alphabet: TypeAlias = frozenset[Label]

MOST_INSTANCES = 20_000
"""A process that refers to itself with more arguments than this has no alphabet that can be collected."""


def collected(program: Program, node: Process, env: Env) -> Alphabet:
    """The plain events in a process and in those that it refers to; raises ModelError when one is not known."""
    found: set[Label] = set()
    seen: set[tuple[Any, ...]] = set()
    waiting: list[tuple[Process, Env]] = [(node, env)]
    while waiting:
        part, bound = waiting.pop()
        match part:
            case Prefix(event=EventName() as event, statements=None):
                found.add(_label(program, event, bound))
                waiting.append((part.then, bound))
            case Hiding(body=body, events=events):
                found |= collected(program, body, bound) - listed(program, events, bound)
            case Reference():
                waiting += _referred(program, part, bound, seen, found)
            case Replicated(body=body, ranges=ranges):
                waiting += [(body, inner) for inner in instances(program.names, ranges, bound)]
            case Input():
                fresh = dict.fromkeys(program.points.binds[part], UNKNOWN)
                waiting.append((part.then, {**bound, **fresh}))
            case _:
                waiting += [(child, bound) for child in processes(part)]
    return frozenset(found)


def _referred(
    program: Program, node: Reference, env: Env, seen: set[tuple[Any, ...]], found: set[Label]
) -> Iterator[tuple[Process, Env]]:
    """What a reference leads to; where its alphabet is given, that is taken."""
    definition = program.points.definitions[node.name]
    values = tuple(_argument(program, argument, env) for argument in node.arguments)
    key = (node.name, *((type(value), value) for value in values))
    if key in seen:
        return
    seen.add(key)
    if len(seen) > MOST_INSTANCES:
        raise _unknown(f"'{node.name}' refers to itself with ever new arguments", node)
    inner = dict(zip(definition.parameters, values, strict=True))
    if node.name in program.alphabets:
        found |= listed(program, program.alphabets[node.name].events, inner)
    else:
        yield definition.body, inner


def _argument(program: Program, argument: Any, env: Env) -> Any:
    try:
        return evaluate(program.names, argument, env)
    except (NotKnown, NeedsState):
        return UNKNOWN


def _label(program: Program, event: EventName, env: Env) -> Label:
    try:
        return event.name, tuple(evaluate(program.names, argument, env) for argument in event.arguments)
    except (NotKnown, NeedsState):
        raise _unknown(f"the arguments of event '{event.name}' are not constant", event) from None


def _unknown(why: str, node: Any) -> ModelError:
    return ModelError(
        f"the alphabet of a process of '||' cannot be collected, since {why}; give it by #alphabet", node.place
    )


def listed(program: Program, events: Iterable[EventSet], env: Env) -> Alphabet:
    """The events that a list stands for."""
    return frozenset(
        _label(program, each.event, inner) for each in events for inner in instances(program.names, each.ranges, env)
    )
