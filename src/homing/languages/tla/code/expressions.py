"""Writes the code of logic, operators, sets and functions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from homing.languages.tla.code.rounds import Rounds
from homing.languages.tla.frames import PLAIN
from homing.languages.tla.ir import Cell, E, Var
from homing.languages.tla.modules import numbers
from homing.languages.tla.modules.logic import DIFFER, EQUAL, MEMBER, NO_MEMBER, cardinality
from homing.languages.tla.values import LARGEST, LEAST, maker, ordered

WIDEST = 24
"""Arms of a CASE."""
COMPARED = {numbers.less: "<", numbers.at_most: "<=", numbers.more: ">", numbers.at_least: ">="}
COUNTED = {numbers.add: "+", numbers.subtract: "-"}


class Code(Rounds):
    """Writes the code of one expression; methods return the text of a value, after lines that it needs."""

    def _and(self, e: E) -> str:
        return self.junction("and", [partial(self.truth, arg) for arg in e.args]) if e.args else "True"

    def _or(self, e: E) -> str:
        return self.junction("or", [partial(self.truth, arg) for arg in e.args]) if e.args else "False"

    def _not(self, e: E) -> str:
        return f"(not {self.truth(e.args[0])})"

    def _implies(self, e: E) -> str:
        return self.junction("or", [lambda: f"(not {self.truth(e.args[0])})", partial(self.truth, e.args[1])])

    def _iff(self, e: E) -> str:
        return f"({self.truth(e.args[0])} is {self.truth(e.args[1])})"

    def _if(self, e: E) -> str:
        condition, then, other = e.args
        return self.choice(self.truth(condition), partial(self.value, then), partial(self.value, other))

    def _case(self, e: E, at: int = 0) -> str:
        if len(e.args) > 2 * WIDEST:
            return self._closure(e)
        if at == len(e.args):
            self.add("raise Declined")
            return "None"
        if at == len(e.args) - 1:
            return self.value(e.args[at])
        return self.choice(self.truth(e.args[at]), partial(self.value, e.args[at + 1]), lambda: self._case(e, at + 2))

    def _unchanged(self, e: E) -> str:
        texts = [(self._variable(var), self._variable(Var(var.number, var.path, True))) for var in e.data]
        if not all(one and other for one, other in texts):
            return self._closure(e)
        return f"({' and '.join(f'{one} == {other}' for one, other in texts) or 'True'})"

    # Operators

    def _call(self, e: E) -> str:
        symbol = e.data
        if symbol in (EQUAL, DIFFER):
            return self._compared(e)
        if symbol in (MEMBER, NO_MEMBER) and e.args[1].op == "filter" and isinstance(e.args[1].data[0], Cell):
            return self._in_part(e)
        args = [self.kept(self.value(arg) if symbol.lazy else self.plain(arg)) for arg in e.args]
        called = f"{self.constant(symbol.function)}({', '.join(args)})"
        if symbol.function in COMPARED:
            return f"({args[0]} {COMPARED[symbol.function]} {args[1]} if {_are_ints(args)} else {called})"
        if symbol.function in COUNTED:
            result, sign = self.fresh(), COUNTED[symbol.function]
            within = f"{LEAST} <= ({result} := {args[0]} {sign} {args[1]}) <= {LARGEST}"
            return f"({result} if {_are_ints(args)} and {within} else {called})"
        if symbol in (MEMBER, NO_MEMBER):
            return self._member(e, *args)
        if symbol.function is cardinality:
            return f"(len({args[0]}) if type({args[0]}) is frozenset else {called})"
        return called

    def _member(self, e: E, value: str, group: str) -> str:
        if e.args[1].op == "set":
            return self._closure(e)
        no = "" if e.data is MEMBER else "not "
        kinds = set(map(type, e.args[1].data)) if e.args[1].is_const and type(e.args[1].data) is frozenset else set()
        asked = f"member({value}, {group})"
        if len(kinds) == 1 and kinds <= PLAIN:
            asked = f"({value} in {group} if type({value}) is {kinds.pop().__name__} else {asked})"
        return f"({no}{asked})"

    def _compared(self, e: E) -> str:
        one, other = (self.kept(self.value(arg)) for arg in e.args)
        sign, no = ("==", "") if e.data is EQUAL else ("!=", "not ")
        known = [type(arg.data) for arg in e.args if arg.is_const and type(arg.data) in PLAIN]
        if known:
            name = other if e.args[0].is_const else one
            test = f"type({name}) is {known[0].__name__}"
        else:
            test = f"type({one}) is type({other}) and type({one}) in PLAIN"
        return f"({one} {sign} {other} if {test} else {no}equal({one}, {other}))"

    def _in_part(self, e: E) -> str:
        """`v \\in {x \\in S : P(x)}` asks S and P about v."""
        part, name = e.args[1], self.kept(self.plain(e.args[0]))
        domain = self.value(part.args[0])
        cell = self.binding(part.data[0])

        def test() -> str:
            self.add(f"{cell} = {name}")
            return self.truth(part.args[-1])

        found = self.junction("and", [lambda: f"member({name}, {domain})", test])
        return found if e.data is MEMBER else f"(not {found})"

    # Sets, functions

    def _set(self, e: E) -> str:
        return f"{'set_of' if len(e.args) > 1 else 'frozenset'}(({self._listing(e.args)}))"

    def _tuple(self, e: E) -> str:
        return f"({self._listing(e.args)})"

    def _listing(self, args: Iterable[E]) -> str:
        return "".join([f"{self.plain(arg)}, " for arg in args])

    def _record(self, e: E) -> str:
        fields = sorted(e.data)
        if len(set(fields)) < len(fields):
            return self._closure(e)
        parts = dict(zip(e.data, e.args))
        return f"(None, {self.constant(tuple(fields))}, ({self._listing(parts[field] for field in fields)}))"

    def _table(self, e: E) -> str:
        parts = dict(zip(e.data, e.args))
        keys = ordered(frozenset(parts))
        return f"{self.constant(maker(keys))}(({self._listing(parts[key] for key in keys)}))"

    def _apply(self, e: E) -> str:
        return f"apply({self.value(e.args[0])}, {self.plain(e.args[1])})"

    def _except(self, e: E) -> str:
        base = self.kept(self.plain(e.args[0]))
        path = self.kept(f"({self._listing(e.args[1:-1])})")
        if e.data is None:
            return f"put({base}, {path}, {self.plain(e.args[-1])})"
        cell = self.binding(e.data)
        self.add(f"{cell} = found({base}, {path})")

        def new() -> str:
            return f"put({base}, {path}, {self.plain(e.args[-1])})"

        return self.copied(self.choice(f"{cell} is UNSET", lambda: base, new))

    def _select(self, e: E) -> str:
        found = self.fresh()
        self.add(f"{found} = []")
        for value, arg in zip(e.data, e.args):
            self.add(f"if {self.truth(arg)}: {found}.append({self.constant(value)})")
        return f"frozenset({found})"


def _are_ints(args: list[str]) -> str:
    return " and ".join(f"type({arg}) is int" for arg in args if not arg.strip("(-)").isdigit()) or "True"
