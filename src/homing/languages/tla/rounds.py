"""Compiles what goes through sets: quantifiers, filters, maps, CHOOSE, functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import product
from typing import Any

from homing.languages.tla.frames import Frame, Frames, Run
from homing.languages.tla.ir import Cell, E
from homing.languages.tla.sets import Filtered, is_endless
from homing.languages.tla.values import (
    Fault,
    FunctionLike,
    SetLike,
    Value,
    elements,
    force,
    function,
    member,
    show,
)


class Rounds(Frames):
    """One method a kind of loop."""

    def rounds(self, e: E, in_order: bool = False) -> Callable[[Frame], Iterator[Any]]:
        """Goes through all choices of a binder: sets its cells and yields what was chosen."""
        listing = elements if in_order else _in_any_order
        domains = [self.run(arg) for arg in e.args[:-1]]
        guard = self.guard(e)
        patterns = [
            tuple(self.index(cell) for cell in pattern) if isinstance(pattern, tuple) else self.index(pattern)
            for pattern in e.data
        ]

        def listed(f: Frame, domain: Run) -> Any:
            try:
                return listing(domain(f))
            except Fault as fault:
                raise guard(fault, f) from None

        if len(domains) == 1 and not isinstance(patterns[0], tuple):
            (only,), index = domains, patterns[0]

            def simple(f: Frame) -> Iterator[Any]:
                for value in listed(f, only):
                    f[index] = value
                    yield value

            return simple

        def several(f: Frame) -> Iterator[Any]:
            for chosen in product(*[list(listed(f, domain)) for domain in domains]):
                for pattern, value in zip(patterns, chosen):
                    _bind(f, pattern, value, guard)
                yield chosen[0] if len(chosen) == 1 else chosen

        return several

    def _forall(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.truth(e.args[-1], "what is quantified")

        def run(f: Frame) -> bool:
            return all(body(f) for _ in rounds(f))

        return run

    def _exists(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.truth(e.args[-1], "what is quantified")

        def run(f: Frame) -> bool:
            return any(body(f) for _ in rounds(f))

        return run

    def _filter(self, e: E) -> Run:
        rounds, test = self.rounds(e), self.truth(e.args[-1], "the condition")
        domain, pattern = self.run(e.args[0]), e.data[0]

        def run(f: Frame) -> Any:
            base = domain(f)
            if isinstance(base, SetLike) and is_endless(base):
                copy = f[:]

                def holds(value: Value) -> Any:
                    copy[self.index(pattern)] = value
                    return test(copy)

                return Filtered(base, holds)
            return frozenset([value for value in rounds(f) if test(f)])

        return run

    def _map(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.plain(e.args[-1])
        return lambda f: frozenset([body(f) for _ in rounds(f)])

    def _choose(self, e: E) -> Run:
        rounds, guard = self.rounds(e, in_order=True), self.guard(e)
        test = self.truth(e.args[-1], "the condition")

        def run(f: Frame) -> Any:
            for value in rounds(f):
                if test(f):
                    return value
            raise guard(Fault("no element of the set satisfies the condition of this CHOOSE"), f)

        return run

    def _fn(self, e: E) -> Run:
        rounds, body = self.rounds(e), self.plain(e.args[-1])
        domains = [self.run(arg) for arg in e.args[:-1]]
        single = self._made(e, None) if len(domains) == 1 else None

        def run(f: Frame) -> Any:
            if single is not None and is_endless(domains[0](f)):
                return single(f)
            return function({key: body(f) for key in rounds(f)})

        return run

    def _recfn(self, e: E) -> Run:
        return self._made(e, e.data[0])

    def _made(self, e: E, this: Cell | None) -> Run:
        """A function whose values are computed when asked for."""
        patterns = e.data if this is None else e.data[1:]
        indexes = [
            tuple(self.index(cell) for cell in pattern) if isinstance(pattern, tuple) else self.index(pattern)
            for pattern in patterns
        ]
        domains, body = [self.run(arg) for arg in e.args[:-1]], self.plain(e.args[-1])
        own = None if this is None else self.index(this)
        guard = self.guard(e)

        def run(f: Frame) -> Any:
            return Computed(f, domains, indexes, body, own, guard)

        return run


class Computed(FunctionLike):
    """A function that remembers what it computed."""

    def __init__(
        self,
        frame: Frame,
        domains: list[Run],
        indexes: list[Any],
        body: Run,
        own: int | None,
        guard: Callable[[Fault, Frame], Fault],
    ) -> None:
        self._frame = frame[:]
        self._indexes, self._body, self._guard = indexes, body, guard
        self._known: dict[Value, Value] = {}
        if own is not None:
            self._frame[own] = self
        self._parts = [domain(frame) for domain in domains]
        if len(self._parts) == 1:
            self.domain = self._parts[0]
        else:
            from homing.languages.tla.sets import Product

            self.domain = Product(*self._parts)

    def __str__(self) -> str:
        return "a function that is not listed"

    def at(self, key: Value) -> Value:
        if key not in self._known:
            if not member(key, self.domain):
                raise Fault(f"a function is not defined for {show(key)}")
            frame = self._frame[:]
            chosen = (key,) if len(self._indexes) == 1 else key
            for index, value in zip(self._indexes, chosen):
                _bind(frame, index, value, self._guard)
            try:
                self._known[key] = self._body(frame)
            except RecursionError:
                raise Fault(f"a recursive function calls itself too deeply at {show(key)}") from None
        return self._known[key]


def _in_any_order(group: Value) -> Iterable[Value]:
    """The elements of a set, where their order changes nothing: sorting would cost more than the rest."""
    return group if type(group) is frozenset else elements(group)


def _bind(f: Frame, pattern: Any, value: Value, guard: Callable[[Fault, Frame], Fault]) -> None:
    if not isinstance(pattern, tuple):
        f[pattern] = value
        return
    value = force(value)
    if type(value) is not tuple or len(value) != len(pattern) or (value and value[0] is None):
        raise guard(Fault(f"{show(value)} is no tuple of {len(pattern)}"), f)
    for index, part in zip(pattern, value):
        f[index] = part
