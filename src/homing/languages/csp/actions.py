"""What a term may do next, before the state is known: the rules of CSP# as in Hoare and Roscoe, one a function.

An *action* is made of the moves of those processes that take part in it; `steps` decides in a state whether it is
possible and what it leads to. Its kinds: `event` (plain, synchronises in `||`), `local` (visible, but never
synchronised: with statements, or on a channel with a buffer), `tau`, `tick` (termination), `out` and `in` (one half of
a handshake), `comm` (both halves).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, TypeAlias

from homing.languages.csp.alphabets import Alphabet, Label
from homing.languages.csp.expressions import decided, evaluate
from homing.languages.csp.syntax import (
    Assertion,
    Atomic,
    Case,
    Composition,
    Conditional,
    EventName,
    Expression,
    Guard,
    Input,
    Output,
    Prefix,
    Process,
    Reference,
    Replicated,
)
from homing.languages.csp.terms import (
    DEEPEST,
    DONE,
    LAUNCHED,
    OPERANDS,
    SKIP,
    STOP,
    Terms,
    operands_of,
    replaced,
    unguarded,
)
from homing.languages.csp.values import Env, Lazy, NeedsState, NotKnown, Term

Kind: TypeAlias = Literal["event", "local", "tau", "tick", "out", "in", "comm"]
Rebuild: TypeAlias = Callable[[Sequence[Term]], Term]


@dataclass(frozen=True, slots=True)
class Move:
    """One process takes part: at a program point it goes on with `then`, or, where there is no text, with `term`."""

    node: Prefix | Output | Input | Assertion | None
    env: Env
    then: Process | None = None
    term: Term = DONE


@dataclass(frozen=True, slots=True)
class Part:
    """The component of a system that takes part with some of the moves, and how it is put together again."""

    component: int
    moves: int
    rebuild: Rebuild


@dataclass(frozen=True, slots=True)
class Action:
    """Something that may happen where its guards are true and its event passes the tests."""

    kind: Kind
    moves: tuple[Move, ...]
    rebuild: Rebuild
    guards: tuple[tuple[Expression, Env, bool], ...] = ()
    tests: tuple[tuple[Alphabet, bool], ...] = ()
    """The event is one of these, or is not."""
    shared: Label | None = None
    """The event, where several processes of `||` take part."""
    atomic: bool = False
    lazy: tuple[Lazy, ...] = ()
    """Arguments that are evaluated now."""
    parts: tuple[Part, ...] = ()


def _only(terms: Sequence[Term]) -> Term:
    return terms[0]


class Rules:
    """The actions of terms; components of a system are `("component", number)`, those present have terms."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.names = terms.names
        self.points = terms.points
        self._depth = 0
        self._guards = 0
        self._open: dict[Term, int] = {}
        """Closures that are being opened, with how many guards of the state stood before each."""

    def actions(self, term: Term, present: Mapping[int, Term] | None = None) -> list[Action]:
        """All actions of a term."""
        return list(self._actions(term, present or {}))

    def _actions(self, term: Term, present: Mapping[int, Term]) -> Iterator[Action]:
        head = term[0]
        if head == "component":
            return self._component(term[1], present)
        if head not in OPERANDS:
            return self._closure(term)
        # What an operand does leads elsewhere than what the whole does: coming back in there is another matter.
        around, self._open = self._open, {}
        try:
            operands = [self.actions(operand, present) for operand in operands_of(term)]
        finally:
            self._open = around
        return getattr(self, RULES[head])(term, operands)  # type: ignore[no-any-return]

    def _component(self, number: int, present: Mapping[int, Term]) -> Iterator[Action]:
        if number in present:
            for action in self._actions(present[number], {}):
                yield replace(
                    action, parts=(Part(number, len(action.moves), action.rebuild),), rebuild=lambda terms: ()
                )

    # What has not begun

    def _closure(self, term: Term) -> Iterator[Action]:
        if term in (SKIP, LAUNCHED):
            yield Action("tick", (Move(None, {}),), _only)
        if term[0] not in self.points.node:
            return  # Stop, and what is done
        before = self._open.get(term)
        if before is not None and before < self._guards:
            return  # it comes back behind a guard: the same actions again, under more conditions
        node, env = self.points.opened(term)
        self._depth += 1
        try:
            if self._depth > DEEPEST:
                raise unguarded(self.points.owner(node), node)
            self._open[term] = self._guards
            yield from self._opened(node, env)
        finally:
            self._depth -= 1
            if before is None:
                self._open.pop(term, None)

    def _opened(self, node: Process, env: Env) -> Iterator[Action]:
        match node:
            case Prefix() | Output() | Input():
                yield self._prefix(node, env)
            case Composition(operator="[]") | Replicated(operator="[]"):
                for part, inner in self.terms.operands(node, env):
                    yield from self._begun(part, inner)
            case Composition(operator="<>") | Replicated(operator="<>"):
                for part, inner in self._alternatives(node, env):
                    yield Action("tau", (Move(None, inner, part),), _only)
            case Guard(condition=condition, body=body):
                yield from self._guarded(self._begun(body, env), condition, env, True)
            case Conditional():
                yield from self._conditional(node, env)
            case Case():
                yield from self._case(node, env)
            case Atomic(body=body):
                for action in self._begun(body, env):
                    yield self._wrapped(action, self._in_atomic(action))
            case Assertion():
                yield Action("tick", (Move(node, env),), _only)
                # Those that have to terminate with it may never do so: it is asked as soon as it stands there.
                yield Action("tau", (Move(node, env, term=STOP),), _only)
            case Reference():
                yield from self._called(node, env)

    def _alternatives(self, node: Composition | Replicated, env: Env) -> Iterator[tuple[Process, Env]]:
        """What is chosen from; an internal choice that is written in another one is part of it, as in PAT."""
        for part, inner in self.terms.operands(node, env):
            if isinstance(part, Composition | Replicated) and part.operator == "<>":
                yield from self._alternatives(part, inner)
            else:
                yield part, inner

    def _begun(self, node: Process, env: Env) -> Iterator[Action]:
        yield from self._actions(self.terms.make(node, env), {})

    def _prefix(self, node: Prefix | Output | Input, env: Env) -> Action:
        kind: Kind = "tau"
        if isinstance(node, Prefix):
            if node.event is not None:
                kind = "event" if node.statements is None else "local"
        elif self.names.channels[node.channel].capacity:
            kind = "local"
        else:
            kind = "out" if isinstance(node, Output) else "in"
        return Action(kind, (Move(node, env, node.then),), _only)

    def _guarded(self, actions: Iterable[Action], condition: Expression, env: Env, wanted: bool) -> Iterator[Action]:
        """The actions where the condition is as wanted; what needs no state is decided at once, before going on."""
        known = decided(self.names, condition, env)
        if known is (not wanted):
            return
        if known is wanted:
            yield from actions
            return
        self._guards += 1
        try:
            for action in actions:
                yield replace(action, guards=((condition, env, wanted), *action.guards))
        finally:
            self._guards -= 1

    def _conditional(self, node: Conditional, env: Env) -> Iterator[Action]:
        """`if` and `ifb` take an internal step; `ifa` is tested together with what comes next."""
        branches: list[tuple[Process | None, bool]] = [(node.then, True), (node.otherwise, False)]
        for branch, wanted in branches[:1] if node.kind == "ifb" else branches:
            if node.kind == "ifa":
                begun = self._actions(SKIP, {}) if branch is None else self._begun(branch, env)
                yield from self._guarded(begun, node.condition, env, wanted)
            else:
                step = Action("tau", (Move(None, env, branch, SKIP),), _only)
                yield from self._guarded([step], node.condition, env, wanted)

    def _case(self, node: Case, env: Env) -> Iterator[Action]:
        refused: tuple[tuple[Expression, Env, bool], ...] = ()
        for condition, branch in node.branches:
            step = Action("tau", (Move(None, env, branch),), _only, refused)
            yield from self._guarded([step], condition, env, True)
            if decided(self.names, condition, env):
                return
            refused += ((condition, env, False),)
        yield Action("tau", (Move(None, env, node.default, SKIP),), _only, refused)

    def _called(self, node: Reference, env: Env) -> Iterator[Action]:
        """A reference whose arguments read variables: they are evaluated when its first step is taken."""
        arguments = self.terms.arguments(node, env)
        lazy = tuple(argument for argument in arguments if isinstance(argument, Lazy))
        for action in self._actions(self.terms.unfolded(node, arguments), {}):
            yield replace(action, lazy=(*lazy, *action.lazy))

    # Operators

    def _sequence(self, term: Term, operands: list[list[Action]]) -> Iterator[Action]:
        rest = term[2:]
        for action in operands[0]:
            if action.kind == "tick":
                yield replace(
                    action, kind="tau", rebuild=lambda _: self.terms.sequence(self.terms.enter(rest[0]), *rest[1:])
                )
            else:
                yield self._wrapped(action, lambda inner: self.terms.sequence(inner, *rest))

    def _interleave(self, term: Term, operands: list[list[Action]]) -> Iterator[Action]:
        for number, actions in enumerate(operands):
            yield from (_inside(term, number, action) for action in actions if action.kind != "tick")
        yield from _joint_ticks(term, operands)
        yield from _handshakes(term, operands)

    def _parallel(self, term: Term, operands: list[list[Action]]) -> Iterator[Action]:
        alphabets = self.terms.alphabets(term[1], term[2])
        for number, actions in enumerate(operands):
            yield from (_inside(term, number, action) for action in actions if action.kind not in ("tick", "event"))
        yield from _joint_ticks(term, operands)
        yield from _handshakes(term, operands)
        yield from self._synchronised(term, operands, alphabets)

    def _synchronised(
        self, term: Term, operands: list[list[Action]], alphabets: tuple[Alphabet, ...]
    ) -> Iterator[Action]:
        """An event needs every process whose alphabet has it; one that does not have it does it alone, as in PAT."""
        offers: dict[Label, list[list[Action]]] = {}
        for number, actions in enumerate(operands):
            for action in actions:
                if action.kind != "event":
                    continue
                for label, variant in self._variants(action, alphabets[number]):
                    if label is None:
                        yield _inside(term, number, variant)
                    else:
                        offers.setdefault(label, [[] for _ in operands])[number].append(variant)
        for label, offered in offers.items():
            yield from _agreed(term, label, offered, alphabets)

    def _variants(self, action: Action, own: Alphabet) -> Iterator[tuple[Label | None, Action]]:
        """The action for each event that it may show; None for one that is not in the process's own alphabet."""
        label = self.label(action)
        if label is not None:
            yield label if label in own else None, action
            return
        name = self._event(action).name
        named = frozenset(label for label in own if label[0] == name)
        yield None, replace(action, tests=(*action.tests, (named, False)))
        for label in sorted(named, key=repr):
            yield label, replace(action, tests=(*action.tests, (frozenset({label}), True)))

    def _hiding(self, term: Term, operands: list[list[Action]]) -> Iterator[Action]:
        hidden = self.terms.hidden(term[1], term[2])
        for action in operands[0]:
            inner = action if action.kind == "tick" else _inside(term, 0, action)
            if action.kind not in ("event", "local", "comm"):
                yield inner
                continue
            label = self.label(action)
            if label is None or action.kind == "comm":
                yield replace(inner, tests=(*inner.tests, (hidden, False)))
                yield replace(inner, kind="tau", tests=(*inner.tests, (hidden, True)))
            else:
                yield replace(inner, kind="tau") if label in hidden else inner

    def _external(self, term: Term, operands: list[list[Action]]) -> Iterator[Action]:
        for number, actions in enumerate(operands):
            for action in actions:
                yield _inside(term, number, action) if action.kind == "tau" else action

    def _interrupt(self, term: Term, operands: list[list[Action]]) -> Iterator[Action]:
        for action in operands[0]:
            yield action if action.kind == "tick" else _inside(term, 0, action)
        for action in operands[1]:
            yield _inside(term, 1, action) if action.kind == "tau" else action

    def _atomic(self, term: Term, operands: list[list[Action]]) -> Iterator[Action]:
        for action in operands[0]:
            yield replace(self._wrapped(action, self._in_atomic(action)), atomic=True)

    def _in_atomic(self, action: Action) -> Callable[[Term], Term]:
        return lambda inner: inner if action.kind == "tick" else ("atomic", inner)

    def _wrapped(self, action: Action, wrap: Callable[[Term], Term]) -> Action:
        return replace(action, rebuild=lambda terms: wrap(action.rebuild(terms)))

    # Events

    def label(self, action: Action) -> Label | None:
        """The event of a plain action, where its arguments need no state."""
        if action.shared is not None:
            return action.shared
        if action.kind not in ("event", "local") or not isinstance(action.moves[0].node, Prefix):
            return None
        event = self._event(action)
        try:
            values = tuple(evaluate(self.names, each, action.moves[0].env) for each in event.arguments)
        except (NeedsState, NotKnown):
            return None
        return event.name, values

    def _event(self, action: Action) -> EventName:
        node = action.moves[0].node
        assert isinstance(node, Prefix)
        assert node.event is not None
        return node.event


RULES = {
    ";": "_sequence",
    "|||": "_interleave",
    "||": "_parallel",
    "[*]": "_external",
    "interrupt": "_interrupt",
    "atomic": "_atomic",
    "\\": "_hiding",
}


def _inside(term: Term, number: int, action: Action) -> Action:
    """The action of one operand, while the others stay as they are."""
    return replace(action, rebuild=lambda terms: replaced(term, number, action.rebuild(terms)))


def _joint(term: Term, numbers: Sequence[int], actions: Sequence[Action], kind: Kind) -> Action:
    """Actions of several operands as one."""
    counts = [len(action.moves) for action in actions]

    def rebuild(terms: Sequence[Term]) -> Term:
        whole, start = term, 0
        for number, action, count in zip(numbers, actions, counts, strict=True):
            whole = replaced(whole, number, action.rebuild(terms[start : start + count]))
            start += count
        return whole

    return Action(
        kind,
        tuple(move for action in actions for move in action.moves),
        rebuild,
        tuple(guard for action in actions for guard in action.guards),
        tuple(test for action in actions for test in action.tests),
        atomic=any(action.atomic for action in actions),
        lazy=tuple(lazy for action in actions for lazy in action.lazy),
        parts=tuple(part for action in actions for part in action.parts),
    )


def _joint_ticks(term: Term, operands: list[list[Action]]) -> Iterator[Action]:
    """All terminate together."""
    ticks = [[action for action in actions if action.kind == "tick"] for actions in operands]
    for chosen in product(*ticks):
        yield replace(_joint(term, range(len(operands)), chosen, "tick"), rebuild=lambda terms: DONE)


def _handshakes(term: Term, operands: list[list[Action]]) -> Iterator[Action]:
    """One operand sends, another receives."""
    halves = [(number, action) for number, actions in enumerate(operands) for action in actions]
    inputs: dict[str, list[tuple[int, Action]]] = {}
    for number, action in halves:
        if action.kind == "in":
            inputs.setdefault(channel_of(action), []).append((number, action))
    for sender, output in halves:
        if output.kind == "out":
            for receiver, action in inputs.get(channel_of(output), ()):
                if receiver != sender:
                    yield _joint(term, (sender, receiver), (output, action), "comm")


def channel_of(action: Action) -> str:
    """The channel of one half of a handshake, or of both."""
    node = action.moves[0].node
    assert isinstance(node, Output | Input)
    return node.channel


def _agreed(term: Term, label: Label, offered: list[list[Action]], alphabets: tuple[Alphabet, ...]) -> Iterator[Action]:
    """The ways in which the processes that have an event in their alphabet do it together."""
    needed = [number for number, alphabet in enumerate(alphabets) if label in alphabet]
    if len(needed) == 1:
        yield from (_inside(term, needed[0], action) for action in offered[needed[0]])
    else:
        for chosen in product(*(offered[number] for number in needed)):
            yield replace(_joint(term, needed, chosen, "event"), shared=label)
