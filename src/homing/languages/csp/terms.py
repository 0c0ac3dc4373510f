"""Processes as values: what a process has become after some steps.

A term is a tuple. What has not begun is a *closure*: the key of a program point, with the values of the names that it
needs (`points`). Operators whose operands go on by themselves are `(operator, operands…)`:

    ("Stop",)  ("Skip",)  ("Done",)           nothing; termination; after it
    (";", t, u, …)                            t goes on, then the closures u, …
    ("|||", t, …)  ("[*]", t, …)  ("interrupt", t, u)  ("atomic", t)
    ("||", key, values, t, …)                 key and values say which alphabets
    ("\\", key, values, t)                    … and which events are hidden
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from homing.core.errors import ModelError
from homing.languages.csp.alphabets import Alphabet, collected, listed
from homing.languages.csp.expressions import evaluate, instances, integer, reads
from homing.languages.csp.program import Program
from homing.languages.csp.syntax import Atomic, Composition, Hiding, Process, Reference, Replicated, Skip, Stop
from homing.languages.csp.values import UNKNOWN, Env, Lazy, NeedsState, NotKnown, Term

STOP, SKIP, DONE = ("Stop",), ("Skip",), ("Done",)
IDLE, LAUNCHED = ("Idle",), ("Launched",)
"""A component that has not begun, and one that has become others (`components.Launch`)."""
OPERANDS = {";": 1, "|||": 1, "[*]": 1, "interrupt": 1, "atomic": 1, "||": 3, "\\": 3}
"""Where in a term its operands begin."""
STATIC = frozenset({"|||", "||", "[*]"})
DEEPEST = 100
"""References that lead to each other without an event in between, more often than this, never come to one."""


class Terms:
    """Makes terms of the processes of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.names = program.names
        self.points = program.points
        self._depth = 0
        self.alphabets = lru_cache(maxsize=None)(self._alphabets)
        self._marks = lru_cache(maxsize=None)(self._names_of_mark)
        self.hidden = lru_cache(maxsize=None)(self._hidden)

    def make(self, node: Process, env: Env) -> Term:
        """The term that a process is when it begins: references are replaced by what they refer to."""
        match node:
            case Stop():
                return STOP
            case Skip():
                return SKIP
            case Reference():
                arguments = self.arguments(node, env)
                lazy = any(isinstance(value, Lazy) for value in arguments)
                return self.points.closure(node, env) if lazy else self.unfolded(node, arguments)
            case Composition(operator=operator) | Replicated(operator=operator) if operator not in ("[]", "<>"):
                return self._composed(node, operator, env)
            case Atomic(body=body) if finished(self.make(body, env)):
                return SKIP
            case Hiding(body=body):
                return ("\\", *self._marked(node, env), self.make(body, env))
        return self.points.closure(node, env)

    def enter(self, closure: Term) -> Term:
        """The term that a closure is when it begins."""
        return self.make(*self.points.opened(closure)) if closure[0] in self.points.node else closure

    def unfolded(self, node: Reference, arguments: tuple[Any, ...]) -> Term:
        """The body of what is referred to."""
        definition = self.points.definitions[node.name]
        self._depth += 1
        try:
            if self._depth > DEEPEST:
                raise unguarded(node.name, node)
            return self.make(definition.body, dict(zip(definition.parameters, arguments, strict=True)))
        finally:
            self._depth -= 1

    def arguments(self, node: Reference, env: Env) -> tuple[Any, ...]:
        """The arguments: values, where they read no variable."""
        values = [self._argument(argument, env) for argument in node.arguments]
        ranges = self.program.ranges.get(node.name, ())
        for number, (value, within) in enumerate(zip(values, ranges)):
            if isinstance(value, Lazy):
                values[number] = Lazy(value.expression, value.env, within)
            elif value is not UNKNOWN:
                within.check(value, node.arguments[number].place)
        return tuple(values)

    def _argument(self, argument: Any, env: Env) -> Any:
        try:
            return evaluate(self.names, argument, env)
        except NeedsState:
            return Lazy(argument, env)
        except NotKnown:
            return self.left_open(argument, env)

    def left_open(self, argument: Any, env: Env) -> Any:
        """An argument that is not known before the process runs; what it may read then is known."""
        return Lazy(argument, env) if reads(self.names, argument, env) else UNKNOWN

    def operands(self, node: Composition | Replicated, env: Env) -> list[tuple[Process, Env]]:
        """The processes that are composed, each with its bound names."""
        if isinstance(node, Composition):
            return [(part, env) for part in node.parts]
        if node.count is not None:
            count = integer(evaluate(self.names, node.count, env), node.count)
            if count < 0:
                raise ModelError(f"{count} copies of a process are wanted", node.place)
            return [(node.body, env)] * count
        try:
            return [(node.body, inner) for inner in instances(self.names, node.ranges, env)]
        except NeedsState:
            raise ModelError("the range of an index depends on a variable", node.place) from None

    def _composed(self, node: Composition | Replicated, operator: str, env: Env) -> Term:
        operands = self.operands(node, env)
        if operator == ";":
            (first, inner), *rest = operands
            return self.sequence(self.make(first, inner), *(self.points.closure(part, each) for part, each in rest))
        made = [self.make(part, inner) for part, inner in operands]
        if not made:
            return SKIP  # `|||{0}@P`
        if operator == "||":
            return ("||", *self._marked(node, env), *made)
        if operator != "interrupt":
            return (operator, *made)
        term = made[0]
        for interrupting in made[1:]:
            term = ("interrupt", term, interrupting)
        return term

    def settled(self, term: Term) -> Term:
        """A term whose arguments became known, as it would have been made with them."""
        start = OPERANDS.get(term[0])
        if start is None:
            return self.enter(term)
        if term[0] == ";":
            return self.sequence(self.settled(term[1]), *term[2:])
        return (*term[:start], *map(self.settled, term[start:]))

    def sequence(self, term: Term, *rest: Term) -> Term:
        """The term, then the closures; one that has nothing left to do but to terminate is gone at once, as in PAT."""
        while rest and finished(term):
            term, rest = self.enter(rest[0]), rest[1:]
        return (";", term, *rest) if rest else term

    def _marked(self, node: Process, env: Env) -> tuple[str, Term]:
        return self.points.key[node], tuple(env[name] for name in self._marks(node))

    def _names_of_mark(self, node: Process) -> tuple[str, ...]:
        """The bound names that alphabets depend on, or what is hidden; states do not differ by others."""
        return self.points.needed(node, node.events) if isinstance(node, Hiding) else self.points.needs[node]

    def _alphabets(self, key: str, values: Term) -> tuple[Alphabet, ...]:
        """Of each operand of the `||` at a point."""
        node, env = self.points.opened((key, *values))
        assert isinstance(node, Composition | Replicated)
        try:
            return tuple(collected(self.program, part, inner) for part, inner in self.operands(node, env))
        except ModelError:
            if UNKNOWN in values:  # it may be known when the process runs
                raise NotKnown from None
            raise

    def _hidden(self, key: str, values: Term) -> Alphabet:
        node = self.points.node[key]
        assert isinstance(node, Hiding)
        env = dict(zip(self._marks(node), values, strict=True))
        try:
            return listed(self.program, node.events, env)
        except ModelError as error:
            if UNKNOWN in values:
                raise NotKnown from None
            raise ModelError("the arguments of the events that are hidden are not constant", error.place) from None


def unguarded(name: str, node: Process) -> ModelError:
    """The error for a process that never comes to an event."""
    return ModelError(f"process '{name}' comes back to itself without an event in between", node.place)


def finished(term: Term) -> bool:
    """Whether a term can do nothing but terminate."""
    if term[0] in STATIC or term[0] == "atomic":
        return all(map(finished, operands_of(term)))
    return term == SKIP


def operands_of(term: Term) -> Term:
    """The operands of an operator that go on by themselves; of a sequence only the first."""
    start = OPERANDS.get(term[0])
    if start is None:
        return ()
    return term[1:2] if term[0] == ";" else term[start:]


def replaced(term: Term, number: int, operand: Term) -> Term:
    """The term with one operand replaced; hiding the same twice is hiding it once."""
    if term[0] == "\\" and operand[:3] == term[:3]:
        return operand
    position = OPERANDS[term[0]] + number
    return (*term[:position], operand, *term[position + 1 :])


def leaves(term: Term) -> Iterator[Term]:
    """What a term consists of, down to closures."""
    waiting = [term]
    while waiting:
        part = waiting.pop()
        start = OPERANDS.get(part[0])
        if start is None:
            yield part
        else:
            waiting += part[start:]


def largest_share(term: Term) -> tuple[int, str]:
    """How many parts a term has, and the definition that most of them are of."""
    owners = Counter(str(leaf[0]).partition(":")[0] for leaf in leaves(term))
    named = Counter({owner: count for owner, count in owners.items() if (owner,) not in (SKIP, STOP, DONE)}) or owners
    return owners.total(), named.most_common(1)[0][0]
