"""CSP# by its rules, one state at a time: what the front end is measured against.

It shares nothing with Homing: `reader` parses for it, into `nodes`. A state is (values of the variables, contents of
the channels, process); a process is a tuple: an operator with its operands, or a place in the syntax tree with the
values of the names that are bound there. There is no splitting into components, no sharing, no foresight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from itertools import product
from math import prod
from typing import Any, Literal, TypeAlias

from tests.languages.csp import nodes as s

Scalar: TypeAlias = int | bool
Env: TypeAlias = Mapping[str, Scalar]
Term: TypeAlias = tuple[Any, ...]
Label: TypeAlias = tuple[str, tuple[Scalar, ...]]
Store: TypeAlias = tuple[tuple[Scalar, ...], tuple[tuple[tuple[Scalar, ...], ...], ...]]
"""The variables, array elements one by one; and what is in each channel."""
State: TypeAlias = tuple[Store, Term]
Kind: TypeAlias = Literal["event", "data", "tau", "tick", "message", "out", "in"]
Receive: TypeAlias = Callable[[tuple[Scalar, ...], Store, Callable[[], Store]], tuple[Term, Store] | None]
"""Takes the fields of a message, the state that the guard sees, and how to get the one that statements start from."""

STOP: Term = ("Stop",)
SKIP: Term = ("Skip",)
DONE: Term = ("Done",)
TAU: Label = ("tau", ())
TICK: Label = ("terminate", ())


class Failure(Exception):
    """The model does what it must not: an index or a value out of range, a division by 0, a failed assert."""


class NeedsState(Exception):
    """A value depends on a variable, but there is no state."""


class NoAlphabet(Exception):
    """An event in a process of `||` has arguments that are not known before it runs."""


@dataclass(frozen=True)
class Step:
    """One way on; `in` and `out` are halves of a handshake, which are no steps by themselves."""

    kind: Kind
    label: Label
    term: Term
    store: Store
    atomic: bool = False
    receive: Receive | None = None
    who: frozenset[int] = frozenset()
    """Which operands of the outermost `|||` or `||` take part."""
    send: Callable[[], Store] | None = None
    """Runs the sender's statements; only when somebody receives."""

    def inside(self, around: Callable[[Term], Term]) -> Step:
        """The same step of a process that this one is a part of; termination ends the whole."""
        if self.kind == "tick":
            return self
        if self.receive is None:
            return replace(self, term=around(self.term))
        receive = self.receive

        def outer(message: tuple[Scalar, ...], seen: Store, before: Callable[[], Store]) -> tuple[Term, Store] | None:
            taken = receive(message, seen, before)
            return None if taken is None else (around(taken[0]), taken[1])

        return replace(self, receive=outer)


@dataclass
class Declared:
    """Where the elements of a variable or channel are."""

    first: int
    sizes: tuple[int, ...]
    low: int | None = None
    high: int | None = None
    capacity: int = 0
    hidden: bool = False

    @property
    def count(self) -> int:
        return prod(self.sizes)

    def at(self, indices: tuple[int, ...]) -> int:
        """The number of an element."""
        if len(indices) != len(self.sizes) or any(not 0 <= i < n for i, n in zip(indices, self.sizes, strict=False)):
            raise Failure("index out of range")
        number = 0
        for index, size in zip(indices, self.sizes, strict=True):
            number = number * size + index
        return self.first + number


class World:
    """A source: its declarations, the values of its expressions, and the steps of its processes."""

    def __init__(self, source: s.Source) -> None:
        self.macros = {macro.name: macro for macro in source.macros}
        self.definitions = {definition.name: definition for definition in source.definitions}
        self.alphabets = {alphabet.process: alphabet for alphabet in source.alphabets}
        self.variables: dict[str, Declared] = {}
        self.channels: dict[str, Declared] = {}
        values: list[Scalar] = []
        for variable in source.variables:
            start = self._start(variable, (tuple(values), ()))
            sizes = tuple(int(self.value(size, {}, None)) for size in variable.sizes)
            if not sizes and isinstance(variable.value, s.Items):
                sizes = (len(start),)
            low, high = (None if e is None else int(self.value(e, {}, None)) for e in (variable.low, variable.high))
            if any((low is not None and v < low) or (high is not None and v > high) for v in start):
                raise Failure("out of range")
            self.variables[variable.name] = Declared(len(values), sizes, low, high, hidden=variable.hidden)
            values += start
        count = 0
        for channel in source.channels:
            sizes = tuple(int(self.value(size, {}, None)) for size in channel.sizes)
            capacity = int(self.value(channel.capacity, {}, None))
            self.channels[channel.name] = Declared(count, sizes, capacity=capacity)
            count += prod(sizes)
        self.start: Store = tuple(values), ((),) * count
        self._mentions: dict[s.Node, frozenset[str]] = {}

    def _start(self, variable: s.Variable, store: Store) -> list[Scalar]:
        if isinstance(variable.value, s.Items):
            found: list[Scalar] = []
            for entry in variable.value.entries:
                first = self.value(entry.first, {}, store)
                if entry.last is not None:
                    last = int(self.value(entry.last, {}, store))
                    found += range(int(first), last + 1) if first <= last else range(int(first), last - 1, -1)
                else:
                    found += [first] * (1 if entry.times is None else int(self.value(entry.times, {}, store)))
            return found
        start = 0 if variable.value is None else self.value(variable.value, {}, store)
        return [start] * prod(int(self.value(size, {}, None)) for size in variable.sizes)

    # Expressions

    def value(self, e: s.Expression, env: Env, store: Store | None) -> Scalar:
        match e:
            case s.Number(value=value):
                return value
            case s.Truth(value=truth):
                return truth
            case s.Name(name=name):
                return self._named(name, env, store)
            case s.Item(name=name, indices=indices):
                places = tuple(int(self.value(index, env, store)) for index in indices)
                if store is None:
                    raise NeedsState
                return store[0][self.variables[name].at(places)]
            case s.Unary(operator="!", operand=operand):
                return not self.truth(operand, env, store)
            case s.Unary(operand=operand):
                return -self.number(operand, env, store)
            case s.Binary():
                return self._binary(e, env, store)
            case s.Over(operator=operator, ranges=ranges, body=body):
                each = (self.truth(body, {**env, **inner}, store) for inner in self.instances(ranges, env))
                return all(each) if operator == "&&" else any(each)
            case s.Call():
                return self._call(e, env, store)
        raise NotImplementedError(e)

    def _named(self, name: str, env: Env, store: Store | None) -> Scalar:
        if name in env:
            return env[name]
        if name in self.macros:
            return self.value(self.macros[name].body, {}, store)
        if store is None:
            raise NeedsState
        return store[0][self.variables[name].at(())]

    def truth(self, e: s.Expression, env: Env, store: Store | None) -> bool:
        value = self.value(e, env, store)
        if not isinstance(value, bool):
            raise Failure("no truth value")
        return value

    def number(self, e: s.Expression, env: Env, store: Store | None) -> int:
        value = self.value(e, env, store)
        if isinstance(value, bool):
            raise Failure("no number")
        return value

    def _binary(self, e: s.Binary, env: Env, store: Store | None) -> Scalar:
        match e.operator:
            case "&&":
                return self.truth(e.left, env, store) and self.truth(e.right, env, store)
            case "||":
                return self.truth(e.left, env, store) or self.truth(e.right, env, store)
            case "xor":
                return self.truth(e.left, env, store) != self.truth(e.right, env, store)
            case "==" | "!=":
                left, right = self.value(e.left, env, store), self.value(e.right, env, store)
                return ((type(left), left) == (type(right), right)) == (e.operator == "==")
        left, right = self.number(e.left, env, store), self.number(e.right, env, store)
        if e.operator in ("/", "%"):
            return self._divided(e.operator, left, right)
        table: dict[str, Scalar] = {
            "<": left < right,
            "<=": left <= right,
            ">": left > right,
            ">=": left >= right,
            "+": left + right,
            "-": left - right,
            "*": left * right,
            "&": left & right,
            "|": left | right,
            "^": left ^ right,
        }
        return table[e.operator]

    def _divided(self, operator: str, left: int, right: int) -> int:
        if right == 0:
            raise Failure("division by 0")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        if operator == "/":
            return quotient
        rest = left - quotient * right
        return rest + right if rest < 0 else rest

    def _call(self, e: s.Call, env: Env, store: Store | None) -> Scalar:
        if e.function in self.macros:
            macro = self.macros[e.function]
            values = (self.value(argument, env, store) for argument in e.arguments)
            return self.value(macro.body, dict(zip(macro.parameters, values, strict=True)), store)
        channel = e.arguments[0]
        assert isinstance(channel, s.Name | s.Item)
        if e.function == "csize":
            return self.channels[channel.name].capacity
        if store is None:
            raise NeedsState
        number, declared = self._channel(channel.name, getattr(channel, "indices", ()), env, store)
        if not declared.capacity:
            raise Failure("no buffer")
        held = len(store[1][number])
        table: dict[str, Scalar] = {
            "cfull": held == declared.capacity,
            "cempty": held == 0,
            "ccount": held,
        }
        return table[e.function]

    def _channel(
        self, name: str, indices: tuple[s.Expression, ...], env: Env, store: Store | None
    ) -> tuple[int, Declared]:
        declared = self.channels[name]
        return declared.at(tuple(self.number(index, env, store) for index in indices)), declared

    def instances(self, ranges: Iterable[s.Range], env: Env) -> Iterator[dict[str, Scalar]]:
        """The values that indices take; a later range may use an earlier index."""
        first, *rest = [*ranges, None]
        if first is None:
            yield dict(env)
            return
        values: list[int] = []
        for each in first.values:
            if isinstance(each, tuple):
                low, high = (self.number(bound, env, None) for bound in each)
                values += range(low, high + 1)
            else:
                values.append(self.number(each, env, None))
        for value in sorted(values):
            yield from self.instances(rest[:-1], {**env, first.name: value})  # type: ignore[arg-type]

    # Statements

    def run(self, statements: Iterable[s.Statement] | None, env: Env, store: Store) -> Store:
        scope = dict(env)
        for statement in statements or ():
            store = self._run(statement, scope, store)
        return store

    def _run(self, statement: s.Statement, scope: dict[str, Scalar], store: Store) -> Store:
        match statement:
            case s.Local(name=name, value=value):
                scope[name] = 0 if value is None else self.value(value, scope, store)
            case s.Assign(target=target, value=value):
                assigned = self.value(value, scope, store)
                if target.name in scope:
                    scope[target.name] = assigned
                else:
                    store = self._assign(target, assigned, scope, store)
            case s.IfStatement(condition=condition, then=then, otherwise=otherwise):
                for inner in then if self.truth(condition, scope, store) else otherwise:
                    store = self._run(inner, scope, store)
            case s.While(condition=condition, body=body):
                while self.truth(condition, scope, store):
                    for inner in body:
                        store = self._run(inner, scope, store)
        return store

    def _assign(self, target: s.Name | s.Item, value: Scalar, scope: Env, store: Store) -> Store:
        declared = self.variables[target.name]
        indices = target.indices if isinstance(target, s.Item) else ()
        place = declared.at(tuple(self.number(index, scope, store) for index in indices))
        low, high = declared.low, declared.high
        if (low is not None and value < low) or (high is not None and value > high):
            raise Failure("out of range")
        return (*store[0][:place], value, *store[0][place + 1 :]), store[1]

    # Processes

    def mentions(self, node: s.Node) -> frozenset[str]:
        """The names in a part of the syntax tree."""
        if node not in self._mentions:
            self._mentions[node] = frozenset(_names(node))
        return self._mentions[node]

    def at(self, node: s.Process, env: Env) -> Term:
        """A process that waits, with what it knows."""
        known = self.mentions(node)
        return ("at", node, tuple(sorted((name, type(v), v) for name, v in env.items() if name in known)))

    def make(self, node: s.Process, env: Env) -> Term:
        match node:
            case s.Stop():
                return STOP
            case s.Skip():
                return SKIP
            case s.Hiding(body=body, events=events):
                return ("hide", self.make(body, env), self.labels(events, env), node)
            case s.Atomic(body=body):
                return SKIP if _finished(self.make(body, env)) else self.at(node, env)
            case s.Reference():
                try:
                    return self._unfolded(node, env, None)
                except NeedsState:
                    return self.at(node, env)
            case s.Composition(operator="[]") | s.Replicated(operator="[]"):
                return self.at(node, env)
            case s.Composition(operator=operator, parts=parts):
                return self._composed(operator, [(part, env) for part in parts], self.at(node, env))
            case s.Replicated(operator=operator, ranges=ranges, count=None, body=body):
                each = [(body, inner) for inner in self.instances(ranges, env)]
                return self._composed(operator, each, self.at(node, env))
            case s.Replicated(operator=operator, count=s.Node() as count, body=body):
                return self._composed(operator, [(body, env)] * self.number(count, env, None), self.at(node, env))
        return self.at(node, env)

    def _unfolded(self, node: s.Reference, env: Env, store: Store | None) -> Term:
        definition = self.definitions[node.name]
        values = [self.value(argument, env, store) for argument in node.arguments]
        for value, (low, high) in zip(values, definition.bounds, strict=False):
            if low is not None and value < self.number(low, {}, None):
                raise Failure("argument out of range")
            if high is not None and value > self.number(high, {}, None):
                raise Failure("argument out of range")
        return self.make(definition.body, dict(zip(definition.parameters, values, strict=True)))

    def _composed(self, operator: str, parts: Sequence[tuple[s.Process, Env]], origin: Term) -> Term:
        """The operands, composed; `origin` tells states apart as Homing does, and is good for nothing else."""
        if operator == "<>":
            return ("<>", tuple(self.at(*part) for part in self._alternatives(parts)))
        if operator in (";", "interrupt"):
            whole = self.make(*parts[0])
            for part, env in parts[1:]:
                whole = self.sequence(whole, part, env) if operator == ";" else (operator, whole, self.make(part, env))
            return whole
        made = tuple(self.make(*part) for part in parts)
        if operator == "||":
            return ("||", made, tuple(self.alphabet(*part, set()) for part in parts), origin)
        return (operator, made)

    def _alternatives(self, parts: Iterable[tuple[s.Process, Env]]) -> Iterator[tuple[s.Process, Env]]:
        """Internal choices between internal choices are one."""
        for node, env in parts:
            if isinstance(node, s.Composition) and node.operator == "<>":
                yield from self._alternatives((part, env) for part in node.parts)
            elif isinstance(node, s.Replicated) and node.operator == "<>":
                yield from self._alternatives((node.body, inner) for inner in self.instances(node.ranges, env))
            else:
                yield node, env

    def sequence(self, left: Term, right: s.Process, env: Env) -> Term:
        return self.make(right, env) if _finished(left) else (";", left, self.at(right, env))

    # Alphabets

    def labels(self, events: Iterable[s.EventSet], env: Env) -> frozenset[Label]:
        return frozenset(
            self.label(each.event, inner, None) for each in events for inner in self.instances(each.ranges, env)
        )

    def label(self, event: s.EventName, env: Env, store: Store | None) -> Label:
        return event.name, tuple(self.value(argument, env, store) for argument in event.arguments)

    def alphabet(self, node: s.Process, env: Env, seen: set[Any]) -> frozenset[Label]:
        """The plain events that are written in a process and in those it refers to."""
        match node:
            case s.Prefix(event=s.EventName() as event, statements=None, then=then):
                try:
                    return self.alphabet(then, env, seen) | {self.label(event, env, None)}
                except (NeedsState, KeyError):
                    raise NoAlphabet from None
            case s.Hiding(body=body, events=events):
                return self.alphabet(body, env, set()) - self.labels(events, env)
            case s.Reference():
                return self._alphabet_of(node, env, seen)
            case s.Replicated(ranges=ranges, body=body):
                return _union(self.alphabet(body, inner, seen) for inner in self.instances(ranges, env))
        return _union(self.alphabet(child, env, seen) for child in _children(node))

    def _alphabet_of(self, node: s.Reference, env: Env, seen: set[Any]) -> frozenset[Label]:
        definition = self.definitions[node.name]
        known: dict[str, Scalar] = {}
        for name, argument in zip(definition.parameters, node.arguments, strict=True):
            try:
                known[name] = self.value(argument, env, None)
            except (NeedsState, KeyError):
                continue  # an error only if it turns up in an event
        key = (node.name, *known.items())
        if key in seen:
            return frozenset()
        seen.add(key)
        if node.name in self.alphabets:
            return self.labels(self.alphabets[node.name].events, known)
        return self.alphabet(definition.body, known, seen)

    # Steps

    def steps(self, term: Term, store: Store) -> list[Step]:
        """What a process may do, with halves of handshakes."""
        match term:
            case ("Skip",):
                return [Step("tick", TICK, DONE, store)]
            case ("at", node, bound):
                return list(self._prefixed(node, {name: value for name, _, value in bound}, store))
            case (";", left, ("at", node, bound)):
                return list(self._in_sequence(left, node, {name: value for name, _, value in bound}, store))
            case ("<>", parts):
                return [Step("tau", TAU, self._resumed(part), store) for part in parts]
            case ("[*]", parts):
                return [
                    self._external(step, parts, i) for i in range(len(parts)) for step in self.steps(parts[i], store)
                ]
            case ("interrupt", left, right):
                return list(self._interrupted(left, right, store))
            case ("hide", body, hidden, origin):
                return [_hidden(step, hidden, origin) for step in self.steps(body, store)]
            case ("atomic", body):
                return [replace(step, atomic=True) for step in self._in_atomic(body, store)]
            case ("|||", parts):
                return list(self._joint(parts, (frozenset(),) * len(parts), store, lambda made: ("|||", made)))
            case ("||", parts, alphabets, origin):
                return list(self._joint(parts, alphabets, store, lambda made: ("||", made, alphabets, origin)))
        return []

    def _in_atomic(self, body: Term, store: Store) -> list[Step]:
        return [step.inside(lambda t: ("atomic", t)) for step in self.steps(body, store)]

    def _resumed(self, part: Term) -> Term:
        _, node, bound = part
        return self.make(node, {name: value for name, _, value in bound})

    def _in_sequence(self, left: Term, node: s.Process, env: Env, store: Store) -> Iterator[Step]:
        for step in self.steps(left, store):
            if step.kind == "tick":
                yield replace(step, kind="tau", label=TAU, term=self.make(node, env))
            else:
                yield step.inside(lambda t: self.sequence(t, node, env))

    def _external(self, step: Step, parts: tuple[Term, ...], at: int) -> Step:
        if step.kind != "tau":
            return step
        return step.inside(lambda t: ("[*]", (*parts[:at], t, *parts[at + 1 :])))

    def _interrupted(self, left: Term, right: Term, store: Store) -> Iterator[Step]:
        for step in self.steps(left, store):
            yield step.inside(lambda t: ("interrupt", t, right))
        for step in self.steps(right, store):
            yield step.inside(lambda t: ("interrupt", left, t)) if step.kind == "tau" else step

    def _joint(
        self,
        parts: tuple[Term, ...],
        alphabets: tuple[frozenset[Label], ...],
        store: Store,
        whole: Callable[[tuple[Term, ...]], Term],
    ) -> Iterator[Step]:
        found = [self.steps(part, store) for part in parts]

        def moved(number: int, step: Step) -> Step:
            inside = step.inside(lambda t: whole((*parts[:number], t, *parts[number + 1 :])))
            return replace(inside, who=frozenset({number}))

        for number, steps in enumerate(found):
            for step in steps:
                if step.kind == "event" and step.label in alphabets[number]:
                    yield from _together(step, number, found, alphabets, parts, whole)
                elif step.kind != "tick":
                    yield moved(number, step)
        for sender, receiver in product(range(len(parts)), repeat=2):
            if sender != receiver:
                yield from _handshakes(sender, receiver, found, parts, store, whole)
        ticks = [[step for step in steps if step.kind == "tick"] for steps in found]
        if all(ticks):
            everyone = frozenset(range(len(parts)))
            yield Step("tick", TICK, DONE, store, any(step.atomic for each in ticks for step in each), who=everyone)

    def _prefixed(self, node: s.Process, env: Env, store: Store) -> Iterator[Step]:
        match node:
            case s.Prefix(event=event, statements=statements, then=then):
                label = TAU if event is None else self.label(event, env, store)
                kind: Kind = "tau" if event is None else "event" if statements is None else "data"
                yield Step(kind, label, self.make(then, env), self.run(statements, env, store))
            case s.Output():
                yield from self._output(node, env, store)
            case s.Input():
                yield from self._input(node, env, store)
            case s.Composition(parts=parts):
                yield from (step for part in parts for step in self.steps(self.make(part, env), store))
            case s.Replicated(ranges=ranges, body=body):
                for inner in self.instances(ranges, env):
                    yield from self.steps(self.make(body, inner), store)
            case s.Atomic(body=body):
                yield from self._in_atomic(self.make(body, env), store)
            case s.Guard(condition=condition, body=body):
                if self.truth(condition, env, store):
                    yield from self.steps(self.make(body, env), store)
            case s.Conditional():
                yield from self._conditional(node, env, store)
            case s.Case(branches=branches, default=default):
                chosen = next((process for test, process in branches if self.truth(test, env, store)), default)
                yield Step("tau", TAU, SKIP if chosen is None else self.make(chosen, env), store)
            case s.Assertion(condition=condition):
                if not self.truth(condition, env, store):
                    raise Failure("assertion")
                yield from self.steps(SKIP, store)
            case s.Reference():
                yield from self.steps(self._unfolded(node, env, store), store)
            case _:
                raise NotImplementedError(node)

    def _conditional(self, node: s.Conditional, env: Env, store: Store) -> Iterator[Step]:
        true = self.truth(node.condition, env, store)
        if node.kind == "ifb" and not true:
            return
        branch = node.then if true else node.otherwise
        process = SKIP if branch is None else self.make(branch, env)
        if node.kind == "ifa":
            yield from self.steps(process, store)
        else:
            yield Step("tau", TAU, process, store)

    def _output(self, node: s.Output, env: Env, store: Store) -> Iterator[Step]:
        number, declared = self._channel(node.channel, node.indices, env, store)
        name = _channel_name(node.channel, number - declared.first, declared.sizes)
        values, channels = store
        if declared.capacity and len(channels[number]) == declared.capacity:
            return
        message = tuple(self.value(e, env, store) for e in node.fields)
        after = self.make(node.then, env)
        if declared.capacity:
            held = (*channels[number], message)
            sent = self.run(node.statements, env, (values, (*channels[:number], held, *channels[number + 1 :])))
            yield Step("message", (name + "!", message), after, sent)
        else:
            yield Step("out", (name, message), after, store, send=lambda: self.run(node.statements, env, store))

    def _input(self, node: s.Input, env: Env, store: Store) -> Iterator[Step]:
        number, declared = self._channel(node.channel, node.indices, env, store)
        name = _channel_name(node.channel, number - declared.first, declared.sizes)

        def receive(message: tuple[Scalar, ...], seen: Store, before: Callable[[], Store]) -> tuple[Term, Store] | None:
            bound = self._matched(node, message, env)
            if bound is None or (node.guard is not None and not self.truth(node.guard, bound, seen)):
                return None
            return self.make(node.then, bound), self.run(node.statements, bound, before())

        if not declared.capacity:
            yield Step("in", (name, ()), STOP, store, receive=receive)
            return
        values, channels = store
        if channels[number]:
            head, *rest = channels[number]
            taken = (values, (*channels[:number], tuple(rest), *channels[number + 1 :]))
            received = receive(head, taken, lambda: taken)
            if received is not None:
                yield Step("message", (name + "?", head), *received)

    def _matched(self, node: s.Input, message: tuple[Scalar, ...], env: Env) -> Env | None:
        if len(message) != len(node.fields):
            return None
        bound = dict(env)
        for expression, value in zip(node.fields, message, strict=True):
            if isinstance(expression, s.Name) and expression.name not in {**bound, **self.macros}:
                bound[expression.name] = value
            else:
                wanted = self.value(expression, env, None)
                if (type(wanted), wanted) != (type(value), value):
                    return None
        return bound

    # States

    def initial(self, process: s.Process) -> State:
        return self.start, self.make(process, {})

    def successors(self, state: State) -> list[tuple[Label, State]]:
        return [(step.label, (step.store, step.term)) for step in self.moves(state)]

    def moves(self, state: State) -> list[Step]:
        """The steps of the whole system: what is atomic goes first."""
        store, term = state
        found = [step for step in self.steps(term, store) if step.kind not in ("in", "out")]
        urgent = [step for step in found if step.atomic]
        return urgent or found

    def visible(self, state: State) -> tuple[Any, ...]:
        """What there is to see of a state: the variables that count, the buffers, and whether it terminated."""
        (values, channels), term = state
        hidden = {p for d in self.variables.values() if d.hidden for p in range(d.first, d.first + d.count)}
        buffers = [channels[d.first : d.first + d.count] for d in self.channels.values() if d.capacity]
        shown = [v for place, v in enumerate(values) if place not in hidden]
        return typed((*shown, *(buffer for each in buffers for buffer in each))), term == DONE


def typed(value: Any) -> Any:
    """A value in which True is not 1."""
    return tuple(map(typed, value)) if isinstance(value, tuple) else (type(value), value)


def _names(node: Any) -> Iterator[str]:
    if isinstance(node, s.Name | s.Item):
        yield node.name
    if isinstance(node, tuple):
        for each in node:
            yield from _names(each)
    elif is_dataclass(node):
        for each in fields(node):
            if each.name != "place":
                yield from _names(getattr(node, each.name))


def _children(node: Any) -> Iterator[s.Process]:
    match node:
        case s.Composition(parts=parts):
            yield from parts
        case s.Case(branches=branches, default=default):
            yield from [process for _, process in branches]
            if default is not None:
                yield default
        case s.Conditional(then=then, otherwise=otherwise):
            yield then
            if otherwise is not None:
                yield otherwise
        case s.Prefix(then=then) | s.Output(then=then) | s.Input(then=then):
            yield then
        case s.Guard(body=body) | s.Atomic(body=body):
            yield body


def _union(sets: Iterable[frozenset[Label]]) -> frozenset[Label]:
    return frozenset().union(*sets)


def _finished(term: Term) -> bool:
    """Whether nothing is left but to terminate, so that what comes next goes on without a step."""
    match term:
        case ("Skip",):
            return True
        case ("|||" | "||" | "[*]", parts, *_):
            return all(map(_finished, parts))
        case ("atomic", body):
            return _finished(body)
    return False


def _hidden(step: Step, hidden: frozenset[Label], origin: s.Process) -> Step:
    step = step.inside(lambda t: ("hide", t, hidden, origin))
    if step.label in hidden and step.kind in ("event", "data", "message"):
        return replace(step, kind="tau", label=TAU)
    return step


def _channel_name(name: str, element: int, sizes: tuple[int, ...]) -> str:
    indices: list[int] = []
    for size in reversed(sizes):
        element, index = divmod(element, size)
        indices.insert(0, index)
    return name + "".join(f"[{index}]" for index in indices)


def _replaced(parts: tuple[Term, ...], new: Mapping[int, Term]) -> tuple[Term, ...]:
    return tuple(new.get(number, part) for number, part in enumerate(parts))


def _together(
    step: Step,
    number: int,
    found: list[list[Step]],
    alphabets: tuple[frozenset[Label], ...],
    parts: tuple[Term, ...],
    whole: Callable[[tuple[Term, ...]], Term],
) -> Iterator[Step]:
    """The event with all who share it; the first of them counts, so that each combination comes once."""
    sharers = [other for other, alphabet in enumerate(alphabets) if step.label in alphabet]
    if number != sharers[0]:
        return
    others = [[s for s in found[o] if s.kind == "event" and s.label == step.label] for o in sharers[1:]]
    for combination in product(*others):
        everyone = dict(zip(sharers, (step, *combination), strict=True))
        after = whole(_replaced(parts, {who: each.term for who, each in everyone.items()}))
        atomic = any(each.atomic for each in everyone.values())
        yield replace(step, term=after, atomic=atomic, who=frozenset(sharers))


def _handshakes(
    sender: int,
    receiver: int,
    found: list[list[Step]],
    parts: tuple[Term, ...],
    store: Store,
    whole: Callable[[tuple[Term, ...]], Term],
) -> Iterator[Step]:
    for out, into in product(found[sender], found[receiver]):
        if out.send is None or into.receive is None or out.label[0] != into.label[0]:
            continue
        taken = into.receive(out.label[1], store, out.send)
        if taken is not None:
            after = whole(_replaced(parts, {sender: out.term, receiver: taken[0]}))
            both = frozenset({sender, receiver})
            yield Step("message", out.label, after, taken[1], out.atomic or into.atomic, who=both)


# Graphs


@dataclass
class Graph:
    """States by number, 0 first, with what is seen of them; and how deep each is."""

    states: list[Any] = field(default_factory=list)
    seen: list[Any] = field(default_factory=list)
    edges: list[list[tuple[Label, int]]] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)

    @property
    def transitions(self) -> int:
        """How many steps there are, those that look alike counted once."""
        return sum(len(set(out)) for out in self.edges)

    def deadlocks(self) -> list[int]:
        """States without a step that are no successful ends."""
        return [number for number, out in enumerate(self.edges) if not out and not self.seen[number][-1]]

    def diverging(self) -> set[int]:
        """States that may do taus for ever: what remains when all without a tau are taken away, again and again."""
        silent = {n: self.after(n, TAU) for n in range(len(self.edges))}
        while ends := [n for n, after in silent.items() if not after & silent.keys()]:
            for n in ends:
                del silent[n]
        return set(silent)

    def after(self, number: int, event: Label) -> set[int]:
        return {following for label, following in self.edges[number] if label == event}

    def offers(self, number: int) -> set[Label]:
        return {label for label, _ in self.edges[number]}

    def closed(self, numbers: Iterable[int]) -> frozenset[int]:
        """The states, and all that taus lead to."""
        found, waiting = set(numbers), list(numbers)
        while waiting:
            new = self.after(waiting.pop(), TAU) - found
            found |= new
            waiting += new
        return frozenset(found)

    def deterministic(self) -> bool:
        return all(len({label for label, _ in set(out)}) == len(set(out)) for out in self.edges)

    def levels(self) -> list[list[str]]:
        """The events of the steps out of each level of a breadth-first search."""
        found: list[list[str]] = [[] for _ in range(max(self.depth) + 1)]
        for number, out in enumerate(self.edges):
            found[self.depth[number]] += [repr(label) for label, _ in set(out)]
        return [sorted(level) for level in found]

    def traces(self, length: int) -> set[tuple[Label, ...]]:
        """The visible traces up to a length."""
        found: set[tuple[Label, ...]] = set()
        waiting: list[tuple[tuple[Label, ...], int]] = [((), 0)]
        known = set(waiting)
        while waiting:
            trace, number = waiting.pop()
            found.add(trace)
            for label, after in self.edges[number]:
                longer = trace if label == TAU else (*trace, label)
                if len(longer) <= length and (longer, after) not in known:
                    known.add((longer, after))
                    waiting.append((longer, after))
        return found


def refines(one: Graph, spec: Graph, sense: str) -> bool:
    """Whether all that one does and refuses the other may, for `T`, `F` and `FD`: all pairs with a common trace."""
    diverging, chaos = one.diverging(), spec.diverging()
    start = (0, spec.closed([0]))
    waiting, seen = [start], {start}
    while waiting:
        state, allowed = waiting.pop()
        if sense == "FD" and allowed & chaos:
            continue  # anything goes
        if sense == "FD" and state in diverging:
            return False
        offers = one.offers(state)
        if sense != "T" and TAU not in offers and not any(spec.offers(n) <= offers for n in allowed):
            return False
        for label, after in one.edges[state]:
            following = allowed if label == TAU else spec.closed([n for s in allowed for n in spec.after(s, label)])
            if not following:
                return False
            if (after, following) not in seen:
                seen.add((after, following))
                waiting.append((after, following))
    return True


def graph(
    initial: Any,
    successors: Callable[[Any], Iterable[tuple[Label, Any]]],
    visible: Callable[[Any], Any],
    identity: Callable[[Any], Any],
    most: int,
) -> Graph | None:
    """Everything reachable; None when that is more than `most` states."""
    found = Graph([initial], depth=[0])
    numbers = {identity(initial): 0}
    for number, state in enumerate(found.states):
        found.seen.append(visible(state))
        found.edges.append([])
        for label, after in successors(state):
            key = identity(after)
            if key not in numbers:
                if len(found.states) == most:
                    return None
                numbers[key] = len(found.states)
                found.states.append(after)
                found.depth.append(found.depth[number] + 1)
            found.edges[number].append((label, numbers[key]))
    return found


def explore(source: s.Source, process: s.Process, most: int = 2000) -> Graph | None:
    """The state graph of a process."""
    world = World(source)
    return graph(
        world.initial(process), world.successors, world.visible, lambda state: (world.visible(state), state[1]), most
    )
