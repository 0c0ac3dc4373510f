"""Compiles what goes through sets: quantifiers, filters, maps, CHOOSE, functions."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product
from typing import Any

from homing.languages.tla.comparing import member, set_of
from homing.languages.tla.frames import Frame, Frames, Run, may_be_lazy
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
    maker,
    show,
    unordered,
)

KEPT = 20_000
"""Sets with fewer elements than this are not listed again."""


class Rounds(Frames):
    """One method a kind of loop."""

    @abstractmethod
    def choices(self, e: E) -> Run:
        """The set that is gone through by an action."""

    def rounds(self, e: E, in_order: bool = False) -> Callable[[Frame], Iterator[Any]]:
        """Goes through all choices of a binder: sets its cells and yields what was chosen."""
        simple = self.single(e, in_order)
        if simple is not None:
            listed, index = simple

            def one(f: Frame) -> Iterator[Any]:
                for value in listed(f):
                    f[index] = value
                    yield value

            return one
        domains = [self._listed(e, arg, in_order) for arg in e.args[:-1]]
        guard = self.guard(e)
        patterns = [
            tuple(self.index(cell) for cell in pattern) if isinstance(pattern, tuple) else self.index(pattern)
            for pattern in e.data
        ]

        def several(f: Frame) -> Iterator[Any]:
            for chosen in product(*[list(listed(f)) for listed in domains]):
                for pattern, value in zip(patterns, chosen):
                    _bind(f, pattern, value, guard)
                yield chosen[0] if len(chosen) == 1 else chosen

        return several

    def single(self, e: E, in_order: bool = False) -> tuple[Callable[[Frame], Iterable[Any]], int] | None:
        """The elements that a binder of one name goes through, and where its cell is."""
        if len(e.args) != 2 or isinstance(e.data[0], tuple):
            return None
        return self._listed(e, e.args[0], in_order), self.index(e.data[0])

    def _listed(self, e: E, domain: E, in_order: bool) -> Callable[[Frame], Iterable[Any]]:
        listing = elements if in_order else unordered
        # Those in order are of choices, which are no part of an expression, or of CHOOSE.
        run, guard = (self.choices if in_order else self.run)(domain), self.guard(e)

        def listed(f: Frame) -> Iterable[Any]:
            try:
                return listing(run(f))
            except Fault as fault:
                raise guard(fault, f) from None

        return _kept(listed) if domain.is_const else listed

    def _forall(self, e: E) -> Run:
        return self._decided(e, False)

    def _exists(self, e: E) -> Run:
        return self._decided(e, True)

    def _decided(self, e: E, by: bool) -> Run:
        """Whether some element makes it true, or, `by` FALSE, whether none makes it false."""
        body, simple = self.truth(e.args[-1], "what is quantified"), self.single(e)
        if simple is None:
            rounds = self.rounds(e)
            return lambda f: any(body(f) is by for _ in rounds(f)) is by
        listed, index = simple

        def run(f: Frame) -> Any:
            for value in listed(f):
                f[index] = value
                if body(f) is by:
                    return by
            return not by

        return run

    def _filter(self, e: E) -> Run:
        domain, test, guard = self.run(e.args[0]), self.truth(e.args[-1], "the condition"), self.guard(e)
        names = e.data[0]
        pattern = tuple(map(self.index, names)) if isinstance(names, tuple) else self.index(names)

        def run(f: Frame) -> Any:
            base = domain(f)
            if isinstance(base, SetLike) and is_endless(base):
                copy = f[:]

                def holds(value: Value) -> Any:
                    _bind(copy, pattern, value, guard)
                    return test(copy)

                return Filtered(base, holds)
            try:
                items = unordered(base)
            except Fault as fault:
                raise guard(fault, f) from None
            found = []
            for value in items:
                _bind(f, pattern, value, guard)
                if test(f):
                    found.append(value)
            return frozenset(found)

        return run

    def _in_part(self, e: E, wanted: bool) -> Run:
        """`v \\in {x \\in S : P(x)}` asks S and P about v, and lists nothing."""
        value, part, guard = self.run(e.args[0]), e.args[1], self.guard(e)
        domain, test = self.run(part.args[0]), self.truth(part.args[-1], "the condition")
        names, inside = part.data[0], self.guard(part)
        pattern = tuple(map(self.index, names)) if isinstance(names, tuple) else self.index(names)

        def run(f: Frame) -> Any:
            try:
                found = force(value(f))
                if not member(found, domain(f)):
                    return not wanted
            except Fault as fault:
                raise guard(fault, f) from None
            _bind(f, pattern, found, inside)
            return test(f) is wanted

        return run

    def _map(self, e: E) -> Run:
        body, simple, guard = self.plain(e.args[-1]), self.single(e), self.guard(e)

        def made(items: list[Any], f: Frame) -> Any:
            try:
                return set_of(items)
            except Fault as fault:
                raise guard(fault, f) from None

        if simple is None:
            rounds = self.rounds(e)
            return lambda f: made([body(f) for _ in rounds(f)], f)
        listed, index = simple

        def run(f: Frame) -> Any:
            found = []
            for value in listed(f):
                f[index] = value
                found.append(body(f))
            return made(found, f)

        return run

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
        body, simple = self.plain(e.args[-1]), self.single(e)
        if simple is not None and e.args[0].is_const and not is_endless(e.args[0].data):
            return self._over_known_keys(e, body, simple[1])
        rounds = self.rounds(e)
        domains = [self.run(arg) for arg in e.args[:-1]]
        computed = self._made(e, None) if any(map(may_be_lazy, e.args[:-1])) else None

        def run(f: Frame) -> Any:
            if computed is not None and any(is_endless(domain(f)) for domain in domains):
                return computed(f)
            return function({key: body(f) for key in rounds(f)})

        return run

    def _over_known_keys(self, e: E, body: Run, index: int) -> Run:
        guard, known = self.guard(e), list[Any]()

        def run(f: Frame) -> Any:
            if not known:
                try:
                    keys = list(elements(e.args[0].data))
                except Fault as fault:
                    raise guard(fault, f) from None
                known.extend((keys, maker(keys)))
            keys, made = known
            values = []
            for key in keys:
                f[index] = key
                values.append(body(f))
            return made(values)

        return run

    def lazily(self, e: E) -> Run | None:
        """A function whose values are computed when asked for, where TLC has such a one; None where it has not."""
        match e.op:
            case "local" if e.data.definition is not None:
                return self.lazily(e.data.definition)
            case "const" if isinstance(e.data, FunctionLike):
                return self.run(e)
            case "fn":
                return self._made(e, None)
            case "table":
                return self._tabled(e)
            case "if":
                return self._chosen(e)
            case "except" if (base := self.lazily(e.args[0])) is not None:
                return self.changing(e, base)
        return None

    def _chosen(self, e: E) -> Run | None:
        condition, then, other = self.truth(e.args[0], "the condition"), *map(self.lazily, e.args[1:])
        if then is None and other is None:
            return None
        one, another = then or self.run(e.args[1]), other or self.run(e.args[2])
        return lambda f: one(f) if condition(f) else another(f)

    def _tabled(self, e: E) -> Run:
        keys, parts = frozenset(e.data), dict(zip(e.data, map(self.plain, e.args)))
        return lambda f: Tabled(f, keys, parts)

    @abstractmethod
    def changing(self, e: E, base: Run) -> Run:
        """`EXCEPT`, given the function that is changed."""

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


class Tabled(FunctionLike):
    """A function that has an expression for each key."""

    def __init__(self, frame: Frame, keys: frozenset[Value], parts: dict[Value, Run]) -> None:
        self.domain, self._frame, self._parts = keys, frame[:], parts

    def __str__(self) -> str:
        return "a function that is not listed"

    def at(self, key: Value) -> Value:
        if not member(key, self.domain):
            raise Fault(f"a function is not defined for {show(key)}")
        return self._parts[key](self._frame)


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


def _kept(listed: Callable[[Frame], Iterable[Any]]) -> Callable[[Frame], Iterable[Any]]:
    """The elements of a set that is always the same, kept after the first time unless they are many."""
    known: list[Any] = []

    def kept(f: Frame) -> Iterable[Any]:
        if known:
            return known[0] if known[0] is not None else listed(f)
        found = listed(f)
        if type(found) is not frozenset:
            found = list(islice(found, KEPT))
            if len(found) == KEPT:
                known.append(None)
                return listed(f)
        known.append(found)
        return found

    return kept


def _bind(f: Frame, pattern: Any, value: Value, guard: Callable[[Fault, Frame], Fault]) -> None:
    if not isinstance(pattern, tuple):
        f[pattern] = value
        return
    value = force(value)
    if type(value) is not tuple or len(value) != len(pattern) or (value and value[0] is None):
        raise guard(Fault(f"{show(value)} is no tuple of {len(pattern)}"), f)
    for index, part in zip(pattern, value):
        f[index] = part
