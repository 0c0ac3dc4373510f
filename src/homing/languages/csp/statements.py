"""Statements of events: what they do to a store, and what they read and write."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from homing.core.errors import ModelError
from homing.core.system import Read
from homing.languages.csp.expressions import Names, Store, condition, decided, evaluate, offset, reads, slots
from homing.languages.csp.syntax import Assign, IfStatement, Item, Local, Name, Statement, While
from homing.languages.csp.values import UNKNOWN, Env, Scalar

MOST_ROUNDS = 1_000_000
"""A loop that goes on longer than this is taken to never end."""


def execute(names: Names, statements: tuple[Statement, ...], env: Env, store: Store) -> None:
    """Runs statements on a store; raises ModelError where a value does not fit or a loop does not end."""
    _Run(names, store, env).block(statements)


class _Run:
    def __init__(self, names: Names, store: Store, env: Env) -> None:
        self.names = names
        self.store = store
        self.env: dict[str, Any] = dict(env)
        self.rounds = 0

    def block(self, statements: tuple[Statement, ...]) -> None:
        """A block; what is declared in it is known to its end."""
        outer = set(self.env)
        for statement in statements:
            self.statement(statement)
        for name in self.env.keys() - outer:
            del self.env[name]

    def statement(self, statement: Statement) -> None:
        match statement:
            case Assign(target=Name(name=target), value=Name(name=value)) if self.is_array(target):
                self.copy(target, value, statement)
            case Assign(target=target, value=value):
                self.assign(target, evaluate(self.names, value, self.env, self.store), statement)
            case Local(name=name, value=None):
                self.env[name] = 0
            case Local(name=name, value=value) if value is not None:
                self.env[name] = evaluate(self.names, value, self.env, self.store)
            case IfStatement(condition=test, then=then, otherwise=otherwise):
                self.block(then if condition(self.names, test, self.env, self.store) else otherwise)
            case While(condition=test, body=body):
                while condition(self.names, test, self.env, self.store):
                    self.rounds += 1
                    if self.rounds > MOST_ROUNDS:
                        raise ModelError(f"a loop goes on for more than {MOST_ROUNDS} rounds", statement.place)
                    self.block(body)

    def is_array(self, name: str) -> bool:
        return name not in self.env and bool(self.names.variables[name].sizes)

    def copy(self, target: str, source: str, statement: Assign) -> None:
        """`a = b` of whole arrays."""
        to, origin = self.names.variables[target], self.names.variables[source]
        if to.count != origin.count:
            message = f"'{target}' has {to.count} elements, '{source}' {origin.count}; arrays of one size are wanted"
            raise ModelError(message, statement.place)
        values = [self.store.variables[origin.first + number] for number in range(origin.count)]
        for number, value in enumerate(values):
            to.check(value, statement.place)
            self.store.variables[to.first + number] = value

    def assign(self, target: Any, value: Scalar, statement: Assign) -> None:
        if target.name in self.env:
            self.env[target.name] = value
            return
        layout = self.names.variables[target.name]
        number = offset(self.names, layout, target, self.env, self.store) if isinstance(target, Item) else 0
        layout.check(value, statement.place)
        self.store.variables[layout.first + number] = value


def effects(names: Names, statements: tuple[Statement, ...], env: Env) -> tuple[set[Read], set[int]]:
    """What statements may read, and the slots that they may write, before any state is known."""
    found: tuple[set[Read], set[int]] = (set(), set())
    _effects(names, statements, env, found)
    return found


def _effects(names: Names, statements: tuple[Statement, ...], env: Env, found: tuple[set[Read], set[int]]) -> None:
    inner: dict[str, Any] = dict(env)
    for statement in statements:
        match statement:
            case Assign(target=target, value=value):
                found[0].update(reads(names, value, inner), _index_reads(names, target, inner))
                if target.name not in inner:
                    found[1].update(_written(names, target, inner))
            case Local(name=name, value=value):
                if value is not None:
                    found[0].update(reads(names, value, inner))
                inner[name] = UNKNOWN  # a loop may change it
            case IfStatement(condition=test, then=then, otherwise=otherwise):
                found[0].update(reads(names, test, inner))
                known = decided(names, test, inner)
                _effects(names, () if known is False else then, inner, found)
                _effects(names, () if known is True else otherwise, inner, found)
            case While(condition=test, body=body):
                found[0].update(reads(names, test, inner))
                _effects(names, body, inner, found)


def _index_reads(names: Names, target: Any, env: Mapping[str, Any]) -> set[Read]:
    if not isinstance(target, Item):
        return set()
    return set().union(*(reads(names, index, env) for index in target.indices))


def _written(names: Names, target: Any, env: Mapping[str, Any]) -> range:
    layout = names.variables[target.name]
    if isinstance(target, Item):
        return slots(names, layout, target, env)
    return range(layout.first, layout.first + layout.count)
