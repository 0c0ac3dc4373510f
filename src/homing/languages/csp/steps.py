"""Takes an action in a state: whether it is possible there, what it shows, writes and leads to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from homing.core.errors import ModelError
from homing.core.functions import append, drop_first
from homing.core.system import Event, Read, Update
from homing.core.values import Value
from homing.languages.csp.actions import Action, Move, Rules
from homing.languages.csp.alphabets import Label
from homing.languages.csp.captions import Captions
from homing.languages.csp.expressions import HEAD, SIZE, Names, Store, condition, evaluate, forced, offset, reads, slots
from homing.languages.csp.statements import effects, execute
from homing.languages.csp.syntax import Assertion, Expression, Input, Name, Output, Prefix
from homing.languages.csp.terms import STOP, Terms
from homing.languages.csp.values import UNKNOWN, Env, Lazy, Scalar, Term

Message = tuple[Scalar, ...]


@dataclass(frozen=True)
class Taken:
    """An action that was possible: `nexts` are the terms that its moves lead to, one each."""

    event: Event
    writes: dict[int, Value | Update]
    nexts: list[Term]


@dataclass(frozen=True)
class Shown:
    """An event before it has a sender: its label, how it is written, and the channel that it is on."""

    label: Label
    text: str
    channel: str | None = None


class Steps:
    """Takes actions of one system."""

    def __init__(self, rules: Rules, who: Callable[[Action], Sequence[str]]) -> None:
        self.rules = rules
        self.terms: Terms = rules.terms
        self.names: Names = rules.names
        self.points = rules.points
        self.captions = Captions(rules.names, rules.points)
        self.who = who
        """The names of those that make the moves of an action."""

    def take(self, action: Action, store: Store) -> Taken | None:
        """What comes of an action in a state; None when it is not possible there."""
        for guard, env, wanted in action.guards:
            if condition(self.names, guard, env, store) is not wanted:
                return None
        envs = [self._known(move.env, store) if action.lazy else move.env for move in action.moves]
        writes: dict[int, Value | Update] = {}
        shown = self._shown(action, envs, store, writes)
        if shown is None or any((shown.label in labels) is not wanted for labels, wanted in action.tests):
            return None
        after = store.branch()
        for slot in writes:
            after = _resized(after, slot, 1 if isinstance(action.moves[0].node, Output) else -1)
        for move, env in zip(action.moves, envs, strict=True):
            statements = getattr(move.node, "statements", None)
            if statements:
                execute(self.names, statements, env, after)
        writes.update(_changes(store, after))
        nexts = [self._next(move, env, store) for move, env in zip(action.moves, envs, strict=True)]
        return Taken(self._named(action, shown), writes, nexts)

    def _next(self, move: Move, env: Env, store: Store) -> Term:
        if move.then is None:
            return move.term
        return self.terms.make(move.then, self._known(env, store))

    def _known(self, env: Env, store: Store) -> Env:
        """The names with arguments that were put off evaluated, before anything is written."""
        return {name: self._forced(value, store) for name, value in env.items()}

    def forced(self, term: Any, store: Store) -> Any:
        """The term with arguments that were put off evaluated."""
        if isinstance(term, tuple):
            return tuple(self.forced(part, store) for part in term)
        return self._forced(term, store)

    def _forced(self, value: Any, store: Store) -> Any:
        if isinstance(value, Lazy):
            return forced(self.names, value, store)
        return value

    # What is shown

    def _shown(self, action: Action, envs: list[Env], store: Store, writes: dict[int, Value | Update]) -> Shown | None:
        """The event; binds what inputs receive in `envs`, and notes what is done to a buffer in `writes`."""
        node = action.moves[0].node
        match node:
            case None | Assertion():
                return self._ended(action, store)
            case Prefix(event=None):
                return Shown(("tau", ()), "")
            case Prefix():
                return self._plain(action, store)
            case Output() if len(action.moves) > 1:  # both halves, also where it is hidden
                return self._handshake(action, envs, store)
            case Output():
                return self._sent(node, envs[0], store, writes)
            case Input():
                return self._received(node, envs, store, writes)

    def _ended(self, action: Action, store: Store) -> Shown | None:
        """Termination, or what became of it; of processes that terminate together, any may assert something.

        An assertion that is only asked, and leads to `Stop`, is no step.
        """
        for move in action.moves:
            if isinstance(move.node, Assertion) and not condition(self.names, move.node.condition, move.env, store):
                raise ModelError("the assertion is false here", move.node.place)
        if isinstance(action.moves[0].node, Assertion) and action.moves[0].term == STOP:
            return None
        return Shown(("terminate" if action.kind == "tick" else "tau", ()), "")

    def _plain(self, action: Action, store: Store) -> Shown | None:
        first: Shown | None = None
        for move in action.moves:
            assert isinstance(move.node, Prefix)
            assert move.node.event is not None
            event = move.node.event
            values = self._values(event.arguments, move.env, store)
            label = event.name, values
            if first is None:
                first = Shown(
                    label, ".".join([event.name, *self.captions.sent(event.name, event.arguments, values, move.env)])
                )
            elif not same(first.label, label):
                return None
        return first

    def _handshake(self, action: Action, envs: list[Env], store: Store) -> Shown | None:
        output, receiving = action.moves[0].node, action.moves[1].node
        assert isinstance(output, Output)
        assert isinstance(receiving, Input)
        layout = self.names.channels[output.channel]
        element = offset(self.names, layout, output, envs[0], store)
        if element != offset(self.names, layout, receiving, envs[1], store):
            return None
        message = self._values(output.fields, envs[0], store)
        bound = self._matched(receiving, envs[1], message, store)
        if bound is None:
            return None
        text = ".".join([layout.element(element), *self.captions.sent(output.channel, output.fields, message, envs[0])])
        envs[1] = bound
        return Shown((layout.element(element), message), text, layout.element(element))

    def _sent(self, node: Output, env: Env, store: Store, writes: dict[int, Value | Update]) -> Shown | None:
        layout = self.names.channels[node.channel]
        element = offset(self.names, layout, node, env, store)
        if store.sizes[layout.first + element] >= layout.capacity:
            return None
        message = self._values(node.fields, env, store)
        writes[layout.first + element] = append(message)
        channel = layout.element(element)
        text = ".".join(self.captions.sent(node.channel, node.fields, message, env))
        return Shown((f"{channel}!", message), f"{channel}!{text}", channel)

    def _received(self, node: Input, envs: list[Env], store: Store, writes: dict[int, Value | Update]) -> Shown | None:
        layout = self.names.channels[node.channel]
        element = offset(self.names, layout, node, envs[0], store)
        slot = layout.first + element
        head = store.heads[slot]
        bound = self._matched(node, envs[0], head[0], _resized(store, slot, -1)) if head else None
        if bound is None:
            return None
        envs[0] = bound
        writes[slot] = drop_first()
        channel = layout.element(element)
        text = ".".join(self.captions.received(node.channel, head[0]))
        return Shown((f"{channel}?", head[0]), f"{channel}?{text}", channel)

    def _matched(self, node: Input, env: Env, message: Message, store: Store) -> Env | None:
        """The names bound to what is received; None when it does not match."""
        if len(node.fields) != len(message):
            return None
        bound = dict(env)
        fresh = set(self.points.binds[node])
        for field, value in zip(node.fields, message, strict=True):
            if isinstance(field, Name) and field.name in fresh:
                fresh.discard(field.name)
                bound[field.name] = value
            elif not same(evaluate(self.names, field, bound, store), value):
                return None
        if node.guard is not None and not condition(self.names, node.guard, bound, store):
            return None
        return bound

    def _values(self, expressions: Sequence[Expression], env: Env, store: Store) -> Message:
        return tuple(evaluate(self.names, expression, env, store) for expression in expressions)

    def _named(self, action: Action, shown: Shown) -> Event:
        """The event with those who take part."""
        who = self.who(action)
        name, arguments = shown.label
        alone = who[0] if len(who) == 1 else None
        if action.kind == "tau":
            text = "τ" if name == "tau" else f"τ ({shown.text})"
            return Event("tau", sender=alone, text=text)
        if action.kind == "comm":
            return Event(name, arguments, who[0], who[1], shown.channel, shown.text)
        if isinstance(action.moves[0].node, Input):
            return Event(name, arguments, None, who[0], shown.channel, shown.text)
        return Event(name, arguments, alone, None, shown.channel, shown.text)


def same(left: Any, right: Any) -> bool:
    """Equal, and of one kind: true is not 1."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


def _resized(store: Store, slot: int, by: int) -> Store:
    """The store after a message was put into a buffer, or taken out of it: as guards and statements see it."""
    sizes = {**store.sizes, slot: store.sizes[slot] + by} if slot in store.sizes else store.sizes
    return Store(store.variables, sizes, store.heads)


def _changes(before: Store, after: Store) -> Iterator[tuple[int, Value]]:
    for slot, value in after.variables.items():
        old = before.variables.get(slot)
        if old is not value and not same(old, value):
            yield slot, value


# What an action may read and write, before the state is known


@dataclass(frozen=True)
class Footprint:
    """What an action may read, and the slots that it may write."""

    reads: frozenset[Read]
    writes: frozenset[int]


def footprint(rules: Rules, action: Action) -> Footprint:
    """What of the state, apart from the processes themselves, decides an action and what it does."""
    names = rules.names
    found_reads: set[Read] = set()
    found_writes: set[int] = set()
    for guard, env, _ in action.guards:
        found_reads |= reads(names, guard, env)
    for lazy in action.lazy:
        found_reads |= reads(names, lazy.expression, lazy.env)
    for move in action.moves:
        env = dict(move.env)
        if isinstance(move.node, Input):
            env.update(dict.fromkeys(rules.points.binds[move.node], UNKNOWN))
        for expression in _expressions(move.node):
            found_reads |= reads(names, expression, env)
        if isinstance(move.node, Output | Input):
            _buffer(names, move.node, env, found_reads, found_writes)
        read, written = effects(names, getattr(move.node, "statements", None) or (), env)
        found_reads |= read
        found_writes |= written
    return Footprint(frozenset(found_reads), frozenset(found_writes))


def _expressions(node: Any) -> Iterator[Expression]:
    match node:
        case Prefix(event=event) if event is not None:
            yield from event.arguments
        case Output(indices=indices, fields=fields):
            yield from (*indices, *fields)
        case Input(indices=indices, fields=fields, guard=guard):
            yield from (*indices, *fields, *(() if guard is None else (guard,)))
        case Assertion(condition=test):
            yield test


def _buffer(names: Names, node: Output | Input, env: Env, found: set[Read], written: set[int]) -> None:
    layout = names.channels[node.channel]
    if layout.capacity:
        through = SIZE if isinstance(node, Output) else HEAD
        for slot in slots(names, layout, node, env):
            found.add(Read(slot, through))
            written.add(slot)
