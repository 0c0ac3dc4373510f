"""Compiles specialised expressions to Python closures of a frame: logic, operators, sets and functions."""

from __future__ import annotations

from typing import Any

from homing.languages.tla.code import often
from homing.languages.tla.comparing import equal, set_of
from homing.languages.tla.frames import PLAIN, Frame, Run
from homing.languages.tla.ir import E, Routine, Var
from homing.languages.tla.modules.logic import DIFFER, EQUAL, MEMBER, NO_MEMBER
from homing.languages.tla.rounds import Rounds
from homing.languages.tla.values import Fault, Value, apply, changed, maker, ordered, record


class Compiler(Rounds):
    """Compiles the expressions of one frame."""

    def condition(self, e: E, what: str = "this", read_after: bool = False) -> Run:
        """`truth`, for an expression that is no part of one that is compiled."""
        return often(self, e, self.truth(e, what), "truth", read_after)

    def choices(self, e: E) -> Run:
        """`run`, for an expression that is no part of one that is compiled."""
        return often(self, e, self.run(e), "value")

    def result(self, e: E) -> Run:
        """`plain`, for an expression that is no part of one that is compiled."""
        return often(self, e, self.plain(e), "plain")

    def _and(self, e: E) -> Run:
        parts = [self.truth(arg, "a conjunct") for arg in e.args]
        if len(parts) == 2:
            one, other = parts
            return lambda f: one(f) and other(f)

        def run(f: Frame) -> bool:
            for part in parts:  # noqa: SIM110 (a generator costs more than what most parts do)
                if not part(f):
                    return False
            return True

        return run

    def _or(self, e: E) -> Run:
        parts = [self.truth(arg, "a disjunct") for arg in e.args]

        def run(f: Frame) -> bool:
            for part in parts:  # noqa: SIM110
                if part(f):
                    return True
            return False

        return run

    def _not(self, e: E) -> Run:
        part = self.truth(e.args[0], "what is negated")
        return lambda f: not part(f)

    def _implies(self, e: E) -> Run:
        left, right = (self.truth(arg, "a side of =>") for arg in e.args)
        return lambda f: right(f) if left(f) else True

    def _iff(self, e: E) -> Run:
        left, right = (self.truth(arg, "a side of <=>") for arg in e.args)
        return lambda f: left(f) is right(f)

    def _if(self, e: E) -> Run:
        condition, then = self.truth(e.args[0], "the condition"), self.run(e.args[1])
        other = self.run(e.args[2])
        return lambda f: then(f) if condition(f) else other(f)

    def _case(self, e: E) -> Run:
        arms = [
            (self.truth(e.args[n], "the condition of a CASE"), self.run(e.args[n + 1]))
            for n in range(0, len(e.args) - 1, 2)
        ]
        other = self.run(e.args[-1]) if len(e.args) % 2 else None
        guard = self.guard(e)

        def run(f: Frame) -> Any:
            for condition, value in arms:
                if condition(f):
                    return value(f)
            if other is None:
                raise guard(Fault("no case of this CASE applies, and there is no OTHER"), f)
            return other(f)

        return run

    def _unchanged(self, e: E) -> Run:
        pairs = [
            (self.access.variable(var, e.place), self.access.variable(Var(var.number, var.path, True), e.place))
            for var in e.data
        ]
        return lambda f: all(before(f) == after(f) for before, after in pairs)

    def _enabled(self, e: E) -> Run:
        assert self.enabling is not None
        return self.enabling(self, e)

    # Operators

    def _call(self, e: E) -> Run:
        symbol, guard = e.data, self.guard(e)
        if symbol in (MEMBER, NO_MEMBER) and e.args[1].op == "filter":
            return self._in_part(e, wanted=symbol is MEMBER)
        if symbol in (MEMBER, NO_MEMBER) and e.args[1].op == "set":
            return self._listed_there(e, wanted=symbol is MEMBER)
        if symbol in (EQUAL, DIFFER):
            return self._compared(e, wanted=symbol is EQUAL)
        compiled = [(self.run(arg) if symbol.lazy else self.plain(arg)) for arg in e.args]
        called = symbol.function
        if len(compiled) == 1:
            one = compiled[0]

            def unary(f: Frame) -> Any:
                try:
                    return called(one(f))
                except Fault as fault:
                    raise guard(fault, f) from None

            return unary
        if len(compiled) == 2:
            left, right = compiled

            def binary(f: Frame) -> Any:
                try:
                    return called(left(f), right(f))
                except Fault as fault:
                    raise guard(fault, f) from None

            return binary

        def run(f: Frame) -> Any:
            try:
                return called(*[arg(f) for arg in compiled])
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _compared(self, e: E, wanted: bool) -> Run:
        (left, right), guard = map(self.run, e.args), self.guard(e)

        def run(f: Frame) -> bool:
            try:
                one, other = left(f), right(f)
                if type(one) is type(other) and type(one) in PLAIN:
                    return (one == other) is wanted
                return equal(one, other) is wanted
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _listed_there(self, e: E, wanted: bool) -> Run:
        """`v \\in {a, b}` asks whether v is a, or b: what comes later than v need not be of its kind, as in TLC."""
        value, guard = self.run(e.args[0]), self.guard(e)
        parts = [self.run(arg) for arg in e.args[1].args]

        def run(f: Frame) -> bool:
            found, items = value(f), [part(f) for part in parts]
            try:
                return any(equal(item, found) for item in items) is wanted
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _operator(self, e: E) -> Run:
        """A Python function for an operator that is an argument."""
        cells, body = [self.index(cell) for cell in e.data], self.plain(e.args[0])

        def run(f: Frame) -> Any:
            def call(*values: Any) -> Any:
                before = [f[cell] for cell in cells]
                for cell, value in zip(cells, values):
                    f[cell] = value
                try:
                    return body(f)
                finally:
                    for cell, value in zip(cells, before):
                        f[cell] = value

            return call

        return run

    def _invoke(self, e: E) -> Run:
        routine: Routine = e.data
        args = [self.run(arg) for arg in e.args]
        activation = self.activation(routine)
        if not activation.bodies:
            activation.bodies.append(_later)  # while the body is compiled, which may call it
            assert routine.body is not None
            activation.bodies[0] = self.run(routine.body)
        bodies, indexes, guard = activation.bodies, activation.indexes, self.guard(e)

        def run(f: Frame) -> Any:
            values = [arg(f) for arg in args]
            saved = [f[index] for index in indexes]
            for index, value in zip(indexes, values):
                f[index] = value
            try:
                return bodies[0](f)
            except RecursionError:
                raise guard(Fault(f"'{routine.name}' calls itself too deeply"), f) from None
            finally:
                for index, value in zip(indexes, saved):
                    f[index] = value

        return run

    # Sets, functions

    def _set(self, e: E) -> Run:
        parts = [self.plain(arg) for arg in e.args]
        if len(parts) == 1:
            one = parts[0]
            return lambda f: frozenset((one(f),))
        guard = self.guard(e)

        def run(f: Frame) -> Any:
            items = [part(f) for part in parts]
            try:
                return set_of(items)
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _tuple(self, e: E) -> Run:
        parts = [self.plain(arg) for arg in e.args]
        return lambda f: tuple([part(f) for part in parts])

    def _record(self, e: E) -> Run:
        pairs = sorted(zip(e.data, e.args), key=lambda pair: pair[0])
        fields = tuple(field for field, _ in pairs)
        parts = [self.plain(arg) for _, arg in pairs]
        if len(set(fields)) < len(fields):
            return lambda f: record(fields, [part(f) for part in parts])
        return lambda f: (None, fields, tuple([part(f) for part in parts]))

    def _table(self, e: E) -> Run:
        parts = dict(zip(e.data, map(self.plain, e.args)))
        keys = ordered(frozenset(parts))
        made, runs = maker(keys), [parts[key] for key in keys]
        return lambda f: made([run(f) for run in runs])

    def _apply(self, e: E) -> Run:
        called, key, guard = self.run(e.args[0]), self.plain(e.args[1]), self.guard(e)
        lazily = self.lazily(e.args[0]) if self.access.projected(e.args[0]) is None else None

        def run(f: Frame) -> Any:
            try:
                return apply(called(f), key(f))
            except Fault as fault:
                if lazily is None:
                    raise guard(fault, f) from None
            # The function may have a value at this key though it has none at others.
            try:
                return apply(lazily(f), key(f))
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _except(self, e: E) -> Run:
        return self.changing(e, self.plain(e.args[0]))

    def changing(self, e: E, base: Run) -> Run:
        path = [self.plain(arg) for arg in e.args[1:-1]]
        new, guard = self.plain(e.args[-1]), self.guard(e)
        cell = None if e.data is None else self.index(e.data)

        def run(f: Frame) -> Any:
            def update(old: Value) -> Value:
                if cell is not None:
                    f[cell] = old
                return new(f)

            try:
                return changed(base(f), tuple([key(f) for key in path]), update)
            except Fault as fault:
                raise guard(fault, f) from None

        return run

    def _select(self, e: E) -> Run:
        parts = [(value, self.truth(arg, "the condition")) for value, arg in zip(e.data, e.args)]
        return lambda f: frozenset([value for value, part in parts if part(f)])

    def _first(self, e: E) -> Run:
        parts = [(value, self.truth(arg, "the condition")) for value, arg in zip(e.data, e.args)]
        guard = self.guard(e)

        def run(f: Frame) -> Any:
            for value, part in parts:
                if part(f):
                    return value
            raise guard(Fault("no element of the set satisfies the condition of this CHOOSE"), f)

        return run


def _later(f: Frame) -> Any:
    raise AssertionError("a recursive operator is called while it is compiled")
