"""Program points: every process that is written somewhere has a key, and a list of bound names that it needs.

A process that waits to be run is its key with the values of those names. Names that it does not mention are left out,
so that states which cannot be told apart are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from homing.languages.csp.expressions import Names
from homing.languages.csp.syntax import (
    Input,
    Item,
    Local,
    Name,
    Node,
    Process,
    Range,
    Replicated,
    Source,
)
from homing.languages.csp.values import Env, Term


class Points:
    """The points of a source."""

    def __init__(self, source: Source, names: Names) -> None:
        self._names = names
        self.definitions = {definition.name: definition for definition in source.definitions}
        self.key: dict[Node, str] = {}
        self.node: dict[str, Process] = {}
        self.needs: dict[Node, tuple[str, ...]] = {}
        self.binds: dict[Input, tuple[str, ...]] = {}
        """The names that an input binds; its other fields have to match."""
        self._mentioned: dict[Node, frozenset[str]] = {}
        for definition in source.definitions:
            self._walk(definition.body, definition.parameters, definition.name)
        for assertion in source.assertions:
            self._walk(assertion.process, (), "#assert")
            specification = getattr(assertion, "specification", None)
            if specification is not None:
                self._walk(specification, (), "#assert")

    def closure(self, node: Process, env: Env) -> Term:
        """The process, waiting, with the values that it needs."""
        return (self.key[node], *(env[name] for name in self.needs[node]))

    def opened(self, term: Term) -> tuple[Process, Env]:
        """The process that waits, and its bound names."""
        node = self.node[term[0]]
        return node, dict(zip(self.needs[node], term[1:], strict=True))

    def needed(self, process: Process, parts: Iterable[Node]) -> tuple[str, ...]:
        """The bound names that some parts of a process need."""
        mentioned: frozenset[str] = frozenset().union(*map(self._mentions, parts))
        return tuple(name for name in self.needs[process] if name in mentioned)

    def owner(self, node: Node) -> str:
        """The definition that a process stands in."""
        return self.key[node].partition(":")[0]

    def _walk(self, node: Process, scope: tuple[str, ...], owner: str) -> None:
        waiting: list[tuple[Any, tuple[str, ...]]] = [(node, scope)]
        while waiting:
            process, bound = waiting.pop()
            self._point(process, bound, owner)
            if isinstance(process, Input):
                self.binds[process] = tuple(self._fresh(process, bound))
                bound = (*bound, *self.binds[process])
            if isinstance(process, Replicated):
                bound = (*bound, *(each.name for each in process.ranges if each.name not in bound))
            waiting += [(part, bound) for part in processes(process)]

    def _point(self, process: Process, bound: tuple[str, ...], owner: str) -> None:
        key = f"{owner}:{process.place.line}:{process.place.column}"
        while key in self.node:
            key += "'"
        self.key[process] = key
        self.node[key] = process
        mentioned = self._mentions(process)
        self.needs[process] = tuple(name for name in dict.fromkeys(bound) if name in mentioned)

    def _fresh(self, process: Input, bound: tuple[str, ...]) -> Iterator[str]:
        """As PAT: a name that stands for nothing yet is bound, every other one has to match."""
        known = {*bound, *self._names.macros, *self._names.variables}
        for field in process.fields:
            if isinstance(field, Name) and field.name not in known:
                known.add(field.name)
                yield field.name

    def _mentions(self, node: Node) -> frozenset[str]:
        """Every name in a process, however deep."""
        if node not in self._mentioned:
            stack, order = [node], []
            while stack:  # children before parents, without recursion: sources may be deep
                part = stack.pop()
                if part not in self._mentioned:
                    order.append(part)
                    stack += children(part)
            for part in reversed(order):
                inner = [self._mentioned.get(child, frozenset()) for child in children(part)]
                self._mentioned[part] = frozenset(own_names(part)).union(*inner)
        return self._mentioned[node]


def own_names(node: Node) -> Iterator[str]:
    """The names that a node itself mentions."""
    if isinstance(node, Name | Item | Local | Range):
        yield node.name


def children(node: Node) -> Iterator[Node]:
    """All that a node consists of."""
    for each in fields(node):
        yield from _nodes(getattr(node, each.name))


def _nodes(value: Any) -> Iterator[Node]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif isinstance(value, Node) and is_dataclass(value):
        yield value


def processes(node: Process) -> Iterator[Process]:
    """The processes that a process directly consists of."""
    for child in children(node):
        if isinstance(child, PROCESSES):
            yield child


PROCESSES = tuple(Process.__args__)
