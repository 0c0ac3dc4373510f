"""Splits a system into components that run side by side, and finds out what each may do before anything runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from homing.core.errors import ModelError
from homing.languages.csp.actions import Action, Rules
from homing.languages.csp.alphabets import Label
from homing.languages.csp.expressions import evaluate, foreseen, offset
from homing.languages.csp.layout import Misfit
from homing.languages.csp.program import Program
from homing.languages.csp.steps import Footprint, footprint
from homing.languages.csp.syntax import (
    Composition,
    Expression,
    Hiding,
    Input,
    Name,
    Number,
    Output,
    Prefix,
    Process,
    Reference,
    Replicated,
    Truth,
)
from homing.languages.csp.terms import LAUNCHED, Terms, largest_share
from homing.languages.csp.values import UNKNOWN, Env, Lazy, NeedsState, NotKnown, Term, Unknown, shown

MOST_TERMS = 3000
MOST_GROWN = 16
"""A component that may grow more often than this on one way is taken to grow without end."""


@dataclass(frozen=True)
class Component:
    """One process of a system, with the term that it begins with; one that is launched by another is idle till then."""

    name: str
    start: Term
    launched: bool = False


@dataclass(frozen=True)
class Launch:
    """When a component becomes a composition, as `init -> (P ||| Q)` does, its operands go on as components."""

    term: Term
    components: tuple[int, ...]


@dataclass(frozen=True)
class Skeleton:
    """How components are composed: a term in which each is `("component", number)`."""

    tree: Term
    components: tuple[Component, ...]
    launches: Mapping[int, Launch]


class Splitter:
    """Walks down through `|||`, `||` and hiding, which stay as they are while the system runs."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._components: list[Component] = []
        self._names: dict[str, int] = {}
        self._launches: dict[int, Launch] = {}
        self._tails: set[Process] = set()

    def split(self, process: Process) -> Skeleton:
        """The skeleton of a system."""
        tree = self._walk(process, {}, None)
        return Skeleton(tree, tuple(self._components), self._launches)

    def _walk(self, node: Process, env: Env, name: str | None) -> Term:
        match node:
            case Reference():
                arguments = self.terms.arguments(node, env)
                if not any(isinstance(value, Lazy) for value in arguments):
                    self.terms.unfolded(node, arguments)  # says when it never comes to an event
                    definition = self.terms.points.definitions[node.name]
                    inner = dict(zip(definition.parameters, arguments, strict=True))
                    return self._walk(definition.body, inner, name or _called(node.name, arguments))
            case Composition(operator="|||" | "||") | Replicated(operator="|||" | "||"):
                parts = [self._walk(part, inner, None) for part, inner in self.terms.operands(node, env)]
                if not parts:
                    return ("|||",)  # no copies: nothing keeps the others from terminating
                return (*self.terms.make(node, env)[: 3 if node.operator == "||" else 1], *parts)
            case Hiding(body=body):
                return (*self.terms.make(node, env)[:3], self._walk(body, env, name))
        component = self._component(self.terms.make(node, env), name or self.terms.points.key[node])
        return self._with_launch(component, node, env)

    def _component(self, term: Term, name: str) -> Term:
        number = self._names[name] = self._names.get(name, 0) + 1
        launched = bool(self._tails)
        self._components.append(Component(name if number == 1 else f"{name} #{number}", term, launched))
        return ("component", len(self._components) - 1)

    def _with_launch(self, component: Term, node: Process, env: Env) -> Term:
        """The component, and beside it those that it becomes in the end, where that is certain."""
        tail = self._tail(node, env)
        if tail is None or tail[0] in self._tails:
            return component
        if self._components[component[1]].start == self.terms.make(*tail):  # it begins there, so no step leads to it
            return component
        self._tails.add(tail[0])
        first = len(self._components)
        tree = self._walk(*tail, None)
        self._tails.remove(tail[0])
        self._launches[component[1]] = Launch(self.terms.make(*tail), tuple(range(first, len(self._components))))
        return ("|||", component, tree)

    def _tail(self, node: Process, env: Env) -> tuple[Process, Env] | None:
        """The composition that a process becomes whatever happens, if nothing that it receives counts for that."""
        seen: set[Process] = set()
        while node not in seen:
            seen.add(node)
            match node:
                case Composition(operator="|||" | "||") | Replicated(operator="|||" | "||"):
                    return (node, env) if _known(self.terms.make(node, env)) else None
                case Input():
                    env = {**env, **dict.fromkeys(self.terms.points.binds[node], UNKNOWN)}
                    node = node.then
                case Prefix() | Output():
                    node = node.then
                case Composition(operator=";"):
                    node = node.parts[-1]
                case Reference():
                    arguments = self.terms.arguments(node, env)
                    if any(isinstance(value, Lazy) for value in arguments):  # its first step begins inside
                        return None
                    definition = self.terms.points.definitions[node.name]
                    node, env = definition.body, dict(zip(definition.parameters, arguments, strict=True))
                case _:
                    return None
        return None


def _known(term: Any) -> bool:
    """Whether a term is a value."""
    if isinstance(term, tuple):
        return all(map(_known, term))
    return not isinstance(term, Unknown | Lazy)


def _called(name: str, arguments: tuple[Any, ...]) -> str:
    return f"{name}({', '.join(map(shown, arguments))})" if arguments else name


@dataclass(frozen=True)
class Offer:
    """Something that a component may do: `what` is a kind of action; its event or channel, as far as known."""

    what: str
    label: Label | str | None
    footprint: Footprint
    atomic: bool = False


class NoSurvey(Exception):
    """What a component may do could not be found out before it runs; `grows` names a definition that keeps growing."""

    def __init__(self, grows: str | None = None) -> None:
        self.grows = grows
        super().__init__(grows or "")


def survey(program: Program, start: Term, synchronised: bool, launch: Launch | None = None) -> set[Offer]:
    """All that a component may ever do, whatever variables hold and messages bring; raises NoSurvey.

    Also where it may be in the middle of `atomic` and blocked: then who else may go on would depend on everything.
    Where it launches others they go on, not it, so their many common states need not be looked at.
    """
    end = launch.term if launch else None
    try:
        return _survey(Rules(Terms(program)), start, end, synchronised)
    except NoSurvey:
        # Arguments that are computed may take too many values: a counter. So they are left open.
        return _survey(Rules(_Blurred(program)), start, end, synchronised)


def urgent(actions: Sequence[Action], synchronised: bool) -> bool:
    """Whether what is atomic can go on in any case, so that nothing else can."""
    return any(action.atomic and _free(action) and not (synchronised and action.kind == "event") for action in actions)


class _Blurred(Terms):
    def _argument(self, argument: Expression, env: Env) -> Any:
        simple = isinstance(argument, Name | Number | Truth)
        return super()._argument(argument, env) if simple else self.left_open(argument, env)


def _survey(rules: Rules, start: Term, end: Term | None, synchronised: bool) -> set[Offer]:
    seen, waiting = {start: _Way(largest_share(start)[0])}, [start]
    found: list[Action] = []
    while waiting:
        term = waiting.pop()
        actions = _actions(rules, term)
        found += actions
        if any(action.atomic for action in actions) and not urgent(actions, synchronised):
            raise NoSurvey
        for action in actions:
            after = None if _impossible(rules, action) else _after(rules, action)
            if after is None:
                continue
            if after == end:
                after = LAUNCHED
            if after in seen:
                continue
            parts, owner = largest_share(after)
            seen[after] = seen[term].on(parts, _free(action))
            if seen[after].grown > MOST_GROWN:
                raise NoSurvey(owner if seen[after].free else None)
            if len(seen) >= MOST_TERMS:
                raise NoSurvey
            waiting.append(after)
    return {_offer(rules, action) for action in found}  # last, for it takes long and the rest may be given up


@dataclass(frozen=True)
class _Way:
    """How a component got somewhere: how many parts it has there, how often it grew, whether nothing can stop it."""

    parts: int
    grown: int = 0
    free: bool = True

    def on(self, parts: int, free: bool) -> _Way:
        """One step further."""
        return _Way(parts, self.grown + (parts > self.parts), self.free and free)


def _free(action: Action) -> bool:
    """Whether a component can do something whatever the state is."""
    alone = all(move.node is None or isinstance(move.node, Prefix) for move in action.moves)
    return alone and not action.guards and action.kind in ("event", "local", "tau")


def _actions(rules: Rules, term: Term) -> list[Action]:
    try:
        return rules.actions(term)
    except (NotKnown, NeedsState):
        raise NoSurvey from None


def _impossible(rules: Rules, action: Action) -> bool:
    """Whether a guard is false, or an error such as an index that is out of range, in every state."""
    for guard, env, wanted in action.guards:
        if foreseen(rules.names, guard, env) is (not wanted):
            return True
        try:
            evaluate(rules.names, guard, env)
        except (NotKnown, NeedsState):
            continue
        except ModelError:
            return True
    return False


def _after(rules: Rules, action: Action) -> Term | None:
    """The term that an action leads to, where what is read or received is not known; None where that is an error."""
    nexts = []
    for move in action.moves:
        env = {name: UNKNOWN if isinstance(value, Lazy) else value for name, value in move.env.items()}
        if isinstance(move.node, Input):
            env.update(dict.fromkeys(rules.points.binds[move.node], UNKNOWN))
        try:
            nexts.append(move.term if move.then is None else rules.terms.make(move.then, env))
        except (NotKnown, NeedsState):
            raise NoSurvey from None
        except Misfit:  # says so when it is taken
            return None
    try:
        after = action.rebuild(nexts)
        return rules.terms.settled(_unknown(after)) if action.lazy else after
    except (NotKnown, NeedsState):
        raise NoSurvey from None


def _unknown(term: Any) -> Any:
    if isinstance(term, tuple):
        return tuple(map(_unknown, term))
    return UNKNOWN if isinstance(term, Lazy) else term


def _offer(rules: Rules, action: Action) -> Offer:
    label: Label | str | None = None
    node = action.moves[0].node
    if action.kind == "event":
        label = rules.label(action)
        if label is None and isinstance(node, Prefix) and node.event is not None:
            label = node.event.name
    elif action.kind in ("in", "out") and isinstance(node, Output | Input):
        label = _element(rules, node, action.moves[0].env)
    return Offer(action.kind, label, footprint(rules, action), action.atomic)


def _element(rules: Rules, node: Output | Input, env: Env) -> Label | str:
    """The element of a channel, or the whole array of channels where the index is not known."""
    layout = rules.names.channels[node.channel]
    try:
        return node.channel, (offset(rules.names, layout, node, env),)
    except (NeedsState, NotKnown):
        return node.channel
    except ModelError:  # out of range: says so when it is taken
        return node.channel
