"""Splits the next-state relation along `\\/` and `\\E` over known sets: each part is a group with a name.

A part remembers the operators, with constant arguments, that it was reached through: fairness of one of these is
fairness of all groups that were reached through it. Below `\\E m \\in S`, where S depends on the state, parts are split
where operators name them: `\\E m \\in S : A(m) \\/ B(m)` is `(\\E m \\in S : A(m)) \\/ (\\E m \\in S : B(m))`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from homing.core.values import encode
from homing.languages.tla.actions import assigned
from homing.languages.tla.ir import E, Var, const
from homing.languages.tla.modules.logic import EQUAL
from homing.languages.tla.modules.numbers import ADD
from homing.languages.tla.reading import Closure, Env
from homing.languages.tla.rewriting import with_lets
from homing.languages.tla.scope import Bound, Builtin, Definition
from homing.languages.tla.specialise import Specialiser, passed
from homing.languages.tla.syntax import Node
from homing.languages.tla.values import Fault, elements, show

WIDEST = 96
MOST = 2000
"""Groups beyond this number are not split further."""


@dataclass(frozen=True)
class Origin:
    """An operator with constant arguments."""

    definition: Definition
    arguments: tuple[Any, ...]

    @property
    def key(self) -> tuple[int, bytes]:
        """Equal for equal origins."""
        return id(self.definition), encode(self.arguments)


@dataclass(frozen=True)
class Call:
    """The innermost operator that a part was reached through; its arguments may depend on the state."""

    definition: Definition
    arguments: tuple[E, ...]

    @property
    def name(self) -> str:
        """`Deliver(c1, m)`, with parameters where arguments are not known."""
        named = zip(self.arguments, self.definition.parameters)
        return called(self.definition.name, [show(e.data) if e.is_const else p.name for e, p in named])


@dataclass(frozen=True)
class Part:
    """One disjunct of the next-state relation."""

    origins: tuple[Origin, ...]
    action: E
    call: Call | None

    @property
    def name(self) -> str:
        """What its steps are called, as far as that is known."""
        return "Next" if self.call is None else self.call.name


def deeper(action: E, level: int) -> E:
    """The action that also counts the level of its states."""
    now, later = (E("var", (), Var(level, (), primed), action.place) for primed in (False, True))
    more = E("call", (now, const(1)), ADD, action.place)
    return E("and", (action, E("call", (later, more), EQUAL, action.place)), None, action.place)


def called(name: str, arguments: Sequence[str]) -> str:
    """How an operator with its arguments is written."""
    return f"{name}({', '.join(arguments)})" if arguments else name


@dataclass(frozen=True)
class _Path:
    """How a part is reached."""

    origins: tuple[Origin, ...] = ()
    call: Call | None = None
    loops: tuple[Callable[[E], E], ...] = ()
    """The quantifiers over sets that depend on the state, from the outermost on."""

    def through(self, definition: Definition, arguments: tuple[E, ...], is_known: bool) -> _Path:
        """Into an operator. Below a loop it is not the operator alone that parts are of."""
        origins = self.origins
        if is_known and not self.loops:
            origins = (*origins, Origin(definition, tuple(e.data for e in arguments)))
        return replace(self, origins=origins, call=Call(definition, arguments))


def split(node: Node, specialiser: Specialiser, env: Env | None = None) -> Iterator[Part]:
    """The parts of an action, in the order of the text."""
    return _Splitter(specialiser).parts(node, env or {}, _Path())


class _Splitter:
    def __init__(self, specialiser: Specialiser) -> None:
        self.specialiser = specialiser
        self.count = 0

    def parts(self, node: Node, env: Env, path: _Path) -> Iterator[Part]:
        symbol = self._symbol(node)
        if isinstance(symbol, Definition):
            yield from self._definition(symbol, node, env, path)
        elif is_disjunction(node, symbol):
            for arg in node.args:
                yield from self.parts(arg, env, path)
        elif node.kind == "exists":
            yield from self._exists(node, env, path)
        elif node.kind == "let":
            inside = dict(env)
            for definition in node.data:
                inside[definition] = Closure(definition, inside)
            yield from self.parts(node.args[0], inside, path)
        else:
            yield from self._leaf(node, env, path)

    def _symbol(self, node: Node) -> Any:
        if node.kind != "ref" or isinstance(node.data, Bound):
            return None
        return self.specialiser.meanings.get(node.data, node.data)

    def _definition(self, symbol: Definition, node: Node, env: Env, path: _Path) -> Iterator[Part]:
        free = self.specialiser.free
        recursive = (symbol.recursive or symbol.function) and free.calls_itself(symbol)
        found = env.get(symbol)
        if recursive or symbol.body is None or not (found is None or isinstance(found, Closure)):
            yield from self._leaf(node, env, path)
            return
        arguments = self._arguments(node, env)
        if arguments is None:
            yield from self._leaf(node, env, path)
            return
        outer = found.env if found is not None else {bound: env[bound] for bound in symbol.outer if bound in env}
        is_known = all(arg.is_const for arg in arguments)
        inside, cells = passed(symbol.parameters, arguments, node.place)
        path = path.through(symbol, arguments, is_known)
        if cells:
            path = replace(path, loops=(*path.loops, lambda body: with_lets(body, cells, node.place)))
        yield from self.parts(symbol.body, {**outer, **inside}, path)

    def _arguments(self, node: Node, env: Env) -> tuple[E, ...] | None:
        """None for operators and actions as arguments, and for sets without end."""
        arguments = []
        for arg in node.args:
            if arg.kind == "operator" or self.specialiser.free.is_action(arg):
                return None
            e = self.specialiser.expression(arg, env)
            try:
                if e.is_const:
                    encode(e.data)
            except TypeError:
                return None
            arguments.append(e)
        return tuple(arguments)

    def _exists(self, node: Node, env: Env, path: _Path) -> Iterator[Part]:
        rounds = [dict(env)]
        for binder in node.data:
            domain = self.specialiser.expression(binder.domain, env)
            if not domain.is_const:
                yield from self._loop(node, env, path)
                return
            try:
                found = list(islice(elements(domain.data), MOST))
            except Fault:
                found = [None] * MOST
            names = [binder.names] if binder.is_tuple else list(binder.names)
            if len(rounds) * len(found) ** len(names) + self.count >= MOST:
                yield from self._leaf(node, env, path)
                return
            for name in names:
                rounds = [bound(inside, name, value) for inside in rounds for value in found]
        for inside in rounds:
            yield from self.parts(node.args[0], inside, path)

    def _loop(self, node: Node, env: Env, path: _Path) -> Iterator[Part]:
        if not self._names(node.args[0]):
            yield from self._leaf(node, env, path)
            return
        for opening in self.specialiser.choices(node, env):
            yield from self.parts(node.args[0], opening.env, replace(path, loops=(*path.loops, opening.closed)))

    def _names(self, node: Node) -> bool:
        """Whether there is an operator below that gives steps their name."""
        symbol = self._symbol(node)
        if isinstance(symbol, Definition):
            return self.specialiser.free.is_action(node)
        if _is_junction(node, symbol, "and") and len(node.args) > 1:
            return self._naming(node) is not None
        return (is_disjunction(node, symbol) or node.kind in ("exists", "let")) and any(map(self._names, node.args))

    def _naming(self, node: Node) -> Node | None:
        """The conjunct that gives steps their name: the only one that is an operator with primes."""
        applied = [part for part in self._conjuncts(node) if isinstance(self._symbol(part), Definition)]
        found = [part for part in applied if self.specialiser.free.is_action(part)]
        return found[0] if len(found) == 1 else None

    def _conjuncts(self, node: Node) -> Iterator[Node]:
        if _is_junction(node, self._symbol(node), "and"):
            for arg in node.args:
                yield from self._conjuncts(arg)
        else:
            yield node

    def _named(self, node: Node, env: Env, path: _Path) -> _Path:
        naming = self._naming(node) if _is_junction(node, self._symbol(node), "and") else None
        arguments = None if naming is None else self._arguments(naming, env)
        if naming is None or arguments is None:
            return path
        return replace(path, call=Call(self._symbol(naming), arguments))

    def _leaf(self, node: Node, env: Env, path: _Path) -> Iterator[Part]:
        path = self._named(node, env, path)
        action = self.specialiser.expression(node, env, action=True)
        for closed in reversed(path.loops):
            action = closed(action)
        for part in _disjuncts(action, len(self.specialiser.shapes.names)):
            self.count += 1
            yield Part(path.origins, part, path.call)


def is_disjunction(node: Node, symbol: Any) -> bool:
    """Whether it is `\\/`, as a list or between two; a list of one is as good with `/\\`."""
    return _is_junction(node, symbol, "or") or (node.kind == "and" and len(node.args) == 1)


def _is_junction(node: Node, symbol: Any, kind: str) -> bool:
    between = {"or": "\\/", "and": "/\\"}[kind]
    return node.kind == kind or (isinstance(symbol, Builtin) and symbol.name == between and symbol.function is None)


def _is_choice(e: E) -> bool:
    matters = any(arg.op in ("exists", "or") or arg.has_prime for arg in e.args)
    return e.op == "or" and len(e.args) <= WIDEST and matters


def _choice(e: E, variables: int) -> int | None:
    """The first conjunct that is a choice: not one that is met when all variables may have their values."""
    given: set[int] = set()
    for at, arg in enumerate(e.args):
        if len(given) == variables:
            return None
        if _is_choice(arg):
            return at
        given |= assigned(arg)[0]
    return None


def bound(env: Env, name: Any, value: Any) -> dict[Any, Any]:
    """The environment in which a name, or the names of a tuple, stand for a value."""
    if isinstance(name, tuple):
        return {**env, **{part: const(item) for part, item in zip(name, value)}}
    return {**env, name: const(value)}


def _disjuncts(e: E, variables: int) -> Iterator[E]:
    """The alternatives of an action; `A /\\ (B \\/ C)` has two, its steps being those of `A /\\ B` and `A /\\ C`."""
    if e.op == "or":
        for arg in e.args:
            yield from _disjuncts(arg, variables)
    elif e.op == "and" and (at := _choice(e, variables)) is not None:
        for arg in e.args[at].args:
            yield from _disjuncts(E("and", (*e.args[:at], arg, *e.args[at + 1 :]), None, e.place), variables)
    elif not (e.is_const and e.data is False):
        yield e
