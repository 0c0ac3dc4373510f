"""Compiles actions: formulas that give the variables of the next state their values, left to right, as TLC does.

The first `x' = e` or `x' \\in S` that is met gives x its value, later ones are tests. Disjunctions and `\\E` are
choices, but not in a conjunct that is met when all variables have their values: that one is a test, so TLC counts one
step for it. Each part is compiled with what comes after it, so that a choice calls that once for each alternative.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from homing.languages.tla.closures import Compiler
from homing.languages.tla.comparing import equal, member
from homing.languages.tla.frames import NEXT, UNSET, Frame, Run
from homing.languages.tla.ir import E, Routine, Var
from homing.languages.tla.modules.logic import EQUAL, MEMBER
from homing.languages.tla.values import Fault, elements, force

Then = Callable[[Frame], None]

NONE: frozenset[int] = frozenset()
CHOICES = frozenset({"or", "exists", "forall", "if", "case", "let", "implies", "invoke"})
"""What may have several ways to be true."""


class Target(Protocol):
    """Takes the values that an action gives to variables."""

    def given(self, number: int, e: E) -> Run:
        """Computes what to note for `x' = e`; what it returns is what a later `x'` reads, unless nobody does."""

    def chosen(self, number: int, e: E) -> Callable[[Frame, Any], Any]:
        """Turns one of the elements of e into what to note for `x' \\in e`."""

    def kept(self, var: Var) -> Run:
        """Computes what to note for `UNCHANGED x`."""


class Values:
    """Notes the values themselves: for Init and ENABLED."""

    def __init__(self, compiler: Compiler) -> None:
        self.compiler = compiler

    def given(self, number: int, e: E) -> Run:
        return self.compiler.result(e)

    def chosen(self, number: int, e: E) -> Callable[[Frame, Any], Any]:
        return lambda f, value: value

    def kept(self, var: Var) -> Run:
        return self.compiler.run(E("var", (), var))


class ActionCompiler:
    """Compiles one action for a target."""

    def __init__(self, compiler: Compiler, target: Target, variables: int) -> None:
        self.compiler = compiler
        self.target = target
        self.variables = variables
        self._all = frozenset(range(variables))
        self._before = _NOTHING
        self._calls: dict[Routine, _Calls] = {}

    def action(self, e: E, then: Then) -> Then:
        """Runs `then` once for each way to make e true."""
        handler: Callable[[E, Then], Then] | None = getattr(self, f"_{e.op}", None)
        return self._test(e, then) if handler is None else handler(e, then)

    def _test(self, e: E, then: Then) -> Then:
        truth = self.compiler.condition(e, "a part of an action")

        def run(f: Frame) -> None:
            if truth(f):
                then(f)

        return run

    def _const(self, e: E, then: Then) -> Then:
        if e.data is True:
            return then
        return _never if e.data is False else self._test(e, then)

    def _and(self, e: E, then: Then) -> Then:
        outside, given = self._before, [self._before]
        for arg in e.args:
            given.append(given[-1].and_then(arg))
        for arg, before in zip(reversed(e.args), reversed(given[:-1])):
            self._before = before
            then = self._conjunct(arg, then)
        self._before = outside
        return then

    def _conjunct(self, e: E, then: Then) -> Then:
        if e.op not in CHOICES or not self._before.perhaps >= self._all:
            return self.action(e, then)
        test = self._test(e, then)
        if self._before.surely >= self._all:
            return test
        choice, variables = self.action(e, then), self.variables

        def run(f: Frame) -> None:
            if UNSET in f[NEXT][:variables]:
                choice(f)
            else:
                test(f)

        return run

    def _or(self, e: E, then: Then) -> Then:
        choices = [self.action(arg, then) for arg in e.args]

        def run(f: Frame) -> None:
            for choice in choices:
                choice(f)

        return run

    def _exists(self, e: E, then: Then) -> Then:
        # A choice of the body may set the cells again before it comes back, so they are read once, by the generator.
        rounds, body = self.compiler.rounds(e, in_order=True), self.action(e.args[-1], then)

        def run(f: Frame) -> None:
            for _ in rounds(f):
                body(f)

        return run

    def _forall(self, e: E, then: Then) -> Then:
        if not e.has_prime:
            return self._test(e, then)
        rounds = self.compiler.rounds(e, in_order=True)
        waiting: list[list[Any]] = []

        def proceed(f: Frame) -> None:
            if not waiting[-1]:
                last = waiting.pop()
                then(f)
                waiting.append(last)
                return
            snapshot, rest = waiting[-1][0], waiting[-1][1:]
            waiting[-1], kept = rest, waiting[-1]
            f[2:] = [old if n not in changed else new for n, (old, new) in enumerate(zip(f[2:], snapshot))]
            body(f)
            waiting[-1] = kept

        changed = {index - 2 for index in self._indexes(e)}
        body = self.action(e.args[-1], proceed)

        def run(f: Frame) -> None:
            waiting.append([f[2:] for _ in rounds(f)])
            proceed(f)
            waiting.pop()

        return run

    def _indexes(self, e: E) -> list[int]:
        cells = [cell for pattern in e.data for cell in (pattern if isinstance(pattern, tuple) else (pattern,))]
        return [self.compiler.index(cell) for cell in cells]

    def _if(self, e: E, then: Then) -> Then:
        condition = self.compiler.condition(e.args[0], "the condition")
        yes, no = self.action(e.args[1], then), self.action(e.args[2], then)

        def run(f: Frame) -> None:
            if condition(f):
                yes(f)
            else:
                no(f)

        return run

    def _case(self, e: E, then: Then) -> Then:
        arms = [
            (self.compiler.condition(e.args[n], "the condition of a CASE"), self.action(e.args[n + 1], then))
            for n in range(0, len(e.args) - 1, 2)
        ]
        other = self.action(e.args[-1], then) if len(e.args) % 2 else None
        guard = self.compiler.guard(e)

        def run(f: Frame) -> None:
            for condition, chosen in arms:
                if condition(f):
                    chosen(f)
                    return
            if other is None:
                raise guard(Fault("no case of this CASE applies, and there is no OTHER"), f)
            other(f)

        return run

    def _implies(self, e: E, then: Then) -> Then:
        condition, follows = self.compiler.condition(e.args[0], "a side of =>"), self.action(e.args[1], then)

        def run(f: Frame) -> None:
            if condition(f):
                follows(f)
            else:
                then(f)

        return run

    def _let(self, e: E, then: Then) -> Then:
        index, body = self.compiler.index(e.data), self.action(e.args[1], then)

        def run(f: Frame) -> None:
            f[index] = UNSET
            body(f)

        return run

    def _invoke(self, e: E, then: Then) -> Then:
        """A recursive action: one body for all calls, which goes on where the last call that has not ended says."""
        routine: Routine = e.data
        if routine not in self._calls:
            calls = self._calls[routine] = _Calls(self.compiler.activation(routine).indexes)
            outside, self._before = self._before, Given(NONE, self._all)
            assert routine.body is not None
            calls.body = self.action(routine.body, calls.proceed)
            self._before = outside
        calls, guard = self._calls[routine], self.compiler.guard(e)
        args = [self.compiler.run(arg) for arg in e.args]

        def run(f: Frame) -> None:
            try:
                calls.call(f, [arg(f) for arg in args], then)
            except RecursionError:
                raise guard(Fault(f"'{routine.name}' calls itself too deeply"), f) from None

        return run

    # Assignments

    def _unchanged(self, e: E, then: Then) -> Then:
        for var in reversed(e.data):
            then = self._keep(var, then) if not var.path else self._test(E("unchanged", (), (var,), e.place), then)
        return then

    def _keep(self, var: Var, then: Then) -> Then:
        number, kept = var.number, self.target.kept(var)
        before = self.compiler.access.variable(var, E("var", (), var).place) if self._tested(number) else None

        def run(f: Frame) -> None:
            now = f[NEXT]
            if now[number] is UNSET:
                now[number] = kept(f)
                then(f)
                now[number] = UNSET
            elif before is not None and equal(force(before(f)), now[number]):
                then(f)

        return run

    def _call(self, e: E, then: Then) -> Then:
        if e.data in (EQUAL, MEMBER) and is_next(e.args[0]):
            number = e.args[0].data.number
            return self._assign(number, e, then) if e.data is EQUAL else self._pick(number, e, then)
        return self._test(e, then)

    def _tested(self, number: int) -> bool:
        """Whether a variable may get a value twice, so that the second is compared with the first."""
        return number in getattr(self.target, "needed", (number,))

    def _assign(self, number: int, e: E, then: Then) -> Then:
        value = self.target.given(number, e.args[1])
        again = self.compiler.result(e.args[1]) if self._tested(number) else None
        guard = self.compiler.guard(e)

        def run(f: Frame) -> None:
            now = f[NEXT]
            if now[number] is UNSET:
                now[number] = value(f)
                then(f)
                now[number] = UNSET
            elif again is not None:
                try:
                    same = equal(now[number], again(f))
                except Fault as fault:
                    raise guard(fault, f) from None
                if same:
                    then(f)

        return run

    def _pick(self, number: int, e: E, then: Then) -> Then:
        choices, chosen = self.compiler.choices(e.args[1]), self.target.chosen(number, e.args[1])
        guard = self.compiler.guard(e)

        def run(f: Frame) -> None:
            now = f[NEXT]
            try:
                group = choices(f)
                if now[number] is not UNSET:
                    options, holds = [], member(now[number], group)
                else:
                    options, holds = list(elements(group)), False
            except Fault as fault:
                raise guard(fault, f) from None
            if holds:
                then(f)
            for value in options:
                now[number] = chosen(f, value)
                then(f)
                now[number] = UNSET

        return run


class _Calls:
    """The calls of a recursive action that have not ended: what comes after each, and the cells around it."""

    def __init__(self, indexes: list[int]) -> None:
        self.body: Then = _never
        self._indexes = indexes
        self._waiting: list[tuple[Then, list[Any]]] = []

    def call(self, f: Frame, values: list[Any], then: Then) -> None:
        saved = self._swapped(f, values)
        self._waiting.append((then, saved))
        try:
            self.body(f)
        finally:
            self._waiting.pop()
            self._swapped(f, saved)

    def proceed(self, f: Frame) -> None:
        """Goes on after the last call, as if it had ended; then that may have other ways to be true."""
        then, saved = self._waiting.pop()
        inside = self._swapped(f, saved)
        try:
            then(f)
        finally:
            self._swapped(f, inside)
            self._waiting.append((then, saved))

    def _swapped(self, f: Frame, values: list[Any]) -> list[Any]:
        """Sets the cells, of which the first are the parameters; returns what they held."""
        before = [f[index] for index in self._indexes]
        for index, value in zip(self._indexes, values):
            f[index] = value
        return before


def _never(f: Frame) -> None:
    """No way to make it true."""


def is_next(e: E) -> bool:
    """Whether it is a variable with a prime."""
    return e.op == "var" and e.data.primed and not e.data.path


@lru_cache(maxsize=1 << 14)
def assigned(e: E) -> tuple[frozenset[int], frozenset[int]]:
    """The variables that an action may give a value to, and those that it may give one to twice."""
    if e.op == "unchanged":
        return frozenset(var.number for var in e.data if not var.path), NONE
    if e.op == "call":
        return (frozenset({e.args[0].data.number}) if e.data in (EQUAL, MEMBER) and is_next(e.args[0]) else NONE), NONE
    if e.op == "invoke":  # it may come by the same assignment again
        given = frozenset(var.number for var in e.reads if var.primed)
        return given, given
    if e.op not in ("and", *CHOICES):
        return NONE, NONE
    found, twice = set[int](), set[int]()
    for arg in e.args:
        here, again = assigned(arg)
        twice |= again
        if e.op == "and":
            twice |= found & here
        found |= here
        if e.op == "forall":
            twice |= here
    return frozenset(found), frozenset(twice)


@lru_cache(maxsize=1 << 14)
def surely(e: E) -> frozenset[int]:
    """The variables that have a value whenever an action gets to its end."""
    match e.op:
        case "unchanged" | "call":
            return assigned(e)[0]
        case "and":
            return NONE.union(*map(surely, e.args))
        case "or":
            return frozenset.intersection(*map(surely, e.args))
        case "exists" | "let":
            return surely(e.args[-1])
        case "if":
            return surely(e.args[1]) & surely(e.args[2])
        case "case":
            values = [*e.args[1::2], *([e.args[-1]] if len(e.args) % 2 else [])]
            return frozenset.intersection(*map(surely, values))
    return NONE


@dataclass(frozen=True)
class Given:
    """The variables that have a value for sure, and those that may have one."""

    surely: frozenset[int]
    perhaps: frozenset[int]

    def and_then(self, e: E) -> Given:
        """After an action more."""
        return Given(self.surely | surely(e), self.perhaps | assigned(e)[0])


_NOTHING = Given(frozenset(), frozenset())
