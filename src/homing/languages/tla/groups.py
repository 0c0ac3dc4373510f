"""Splits the next-state relation along `\\/` and `\\E` over known sets: each part is a group with a name.

A part remembers the operators, with constant arguments, that it was reached through: fairness of one of these is
fairness of all groups that were reached through it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from homing.core.system import Event
from homing.core.values import encode
from homing.languages.tla.actions import assigned
from homing.languages.tla.ir import E
from homing.languages.tla.scope import Bound, Builtin, Definition
from homing.languages.tla.specialise import Closure, Env, Specialiser
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
class Part:
    """One disjunct of the next-state relation."""

    origins: tuple[Origin, ...]
    action: E

    @property
    def event(self) -> Event:
        """What its steps are called: the innermost operator that it was reached through."""
        if not self.origins:
            return Event("Next", text="Next")
        origin = self.origins[-1]
        shown = ", ".join(map(show, origin.arguments))
        name = origin.definition.name
        return Event(name, origin.arguments, text=f"{name}({shown})" if shown else name)


def split(node: Node, specialiser: Specialiser, env: Env | None = None) -> list[Part]:
    """The parts of an action, in the order of the text."""
    return list(_Splitter(specialiser).parts(node, env or {}, ()))


class _Splitter:
    def __init__(self, specialiser: Specialiser) -> None:
        self.specialiser = specialiser
        self.count = 0

    def parts(self, node: Node, env: Env, origins: tuple[Origin, ...]) -> Iterator[Part]:
        symbol = node.data if node.kind == "ref" else None
        if not isinstance(symbol, Bound) and symbol is not None:
            symbol = self.specialiser.meanings.get(symbol, symbol)
        if isinstance(symbol, Definition):
            yield from self._definition(symbol, node, env, origins)
        elif node.kind == "or" or (isinstance(symbol, Builtin) and symbol.name == "\\/" and symbol.function is None):
            for arg in node.args:
                yield from self.parts(arg, env, origins)
        elif node.kind == "exists":
            yield from self._exists(node, env, origins)
        elif node.kind == "let":
            inside = dict(env)
            for definition in node.data:
                inside[definition] = Closure(definition, inside)
            yield from self.parts(node.args[0], inside, origins)
        else:
            yield from self._leaf(node, env, origins)

    def _definition(self, symbol: Definition, node: Node, env: Env, origins: tuple[Origin, ...]) -> Iterator[Part]:
        free = self.specialiser.free
        recursive = (symbol.recursive or symbol.function) and free.calls_itself(symbol)
        arguments = [None if arg.kind == "operator" else self.specialiser.expression(arg, env) for arg in node.args]
        known = all(arg is not None and arg.is_const for arg in arguments)
        if recursive or not known or symbol.body is None:
            yield from self._leaf(node, env, origins)
            return
        found = env.get(symbol)
        inside: dict[Any, Any]
        if isinstance(found, Closure):
            inside = dict(found.env)
        elif found is not None:
            yield from self._leaf(node, env, origins)
            return
        else:
            inside = {bound: env[bound] for bound in symbol.outer if bound in env}
        inside |= dict(zip(symbol.parameters, arguments))
        try:
            origin = Origin(symbol, tuple(arg.data for arg in arguments if arg is not None))
            encode(origin.arguments)
        except TypeError:  # a set without end
            yield from self._leaf(node, env, origins)
            return
        yield from self.parts(symbol.body, inside, (*origins, origin))

    def _exists(self, node: Node, env: Env, origins: tuple[Origin, ...]) -> Iterator[Part]:
        rounds = [dict(env)]
        for binder in node.data:
            domain = self.specialiser.expression(binder.domain, env)
            if not domain.is_const:
                yield from self._leaf(node, env, origins)
                return
            try:
                found = list(islice(elements(domain.data), MOST))
            except Fault:
                found = [None] * MOST
            names = [binder.names] if binder.is_tuple else list(binder.names)
            if len(rounds) * len(found) ** len(names) + self.count >= MOST:
                yield from self._leaf(node, env, origins)
                return
            for name in names:
                rounds = [_bound(inside, name, value) for inside in rounds for value in found]
        for inside in rounds:
            yield from self.parts(node.args[0], inside, origins)

    def _leaf(self, node: Node, env: Env, origins: tuple[Origin, ...]) -> Iterator[Part]:
        action = self.specialiser.expression(node, env, action=True)
        for part in _disjuncts(action, len(self.specialiser.shapes.names)):
            self.count += 1
            yield Part(origins, part)


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


def _bound(env: Env, name: Any, value: Any) -> dict[Any, Any]:
    from homing.languages.tla.ir import const

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
