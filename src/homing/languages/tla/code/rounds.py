"""Writes the code of what goes through sets, as loops."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

from homing.languages.tla.code.leaves import Leaves
from homing.languages.tla.frames import may_be_lazy
from homing.languages.tla.ir import Cell, E
from homing.languages.tla.sets import is_endless
from homing.languages.tla.values import elements, maker

LISTED = 20_000
"""Elements of a constant set that are listed once and for all."""


class Rounds(Leaves):
    """One method a kind of loop."""

    def binding(self, cell: Cell) -> str:
        self.bound.add(cell)
        return self._name(cell)

    @contextmanager
    def _loop(self, e: E, in_order: bool = False) -> Iterator[str]:
        """Goes through all choices of a binder; yields what stands for the one that is chosen."""
        domains = [self._elements(arg, in_order) for arg in e.args[:-1]]
        names = [self.binding(pattern) if isinstance(pattern, Cell) else self.fresh() for pattern in e.data]
        head, chosen = domains[0], names[0]
        if len(names) > 1:
            head, chosen = f"product({', '.join(domains)})", f"({', '.join(names)})"
        with self.block(f"for {chosen} in {head}:"):
            for pattern, name in zip(e.data, names):
                if not isinstance(pattern, Cell):
                    self.add(f"if type({name}) is not tuple or {name}[:1] == (None,): raise Declined")
                    self.add(f"{', '.join(map(self.binding, pattern))}, = {name}")
            yield chosen

    def _elements(self, domain: E, in_order: bool) -> str:
        if domain.is_const:
            found = list(islice(elements(domain.data), LISTED)) if not is_endless(domain.data) else [None] * LISTED
            if len(found) < LISTED:
                return self.constant(found)
        name = self.kept(self.value(domain))
        return f"elements({name})" if in_order else f"({name} if type({name}) is frozenset else unordered({name}))"

    def _forall(self, e: E) -> str:
        return self._decided(e, "not ", "False")

    def _exists(self, e: E) -> str:
        return self._decided(e, "", "True")

    def _decided(self, e: E, sign: str, by: str) -> str:
        found = self.fresh()
        self.add(f"{found} = {'True' if by == 'False' else 'False'}")
        with self._loop(e), self.block(f"if {sign}{self.truth(e.args[-1])}:"):
            self.add(f"{found} = {by}")
            self.add("break")
        return found

    def _filter(self, e: E) -> str:
        if may_be_lazy(e.args[0]) and not e.args[0].is_const:
            return self._closure(e)
        found = self.fresh()
        self.add(f"{found} = []")
        with self._loop(e) as chosen:
            self.add(f"if {self.truth(e.args[-1])}: {found}.append({chosen})")
        return f"frozenset({found})"

    def _map(self, e: E) -> str:
        found = self.fresh()
        self.add(f"{found} = []")
        with self._loop(e):
            self.add(f"{found}.append({self.plain(e.args[-1])})")
        return f"set_of({found})"

    def _choose(self, e: E) -> str:
        found = self.fresh()
        with self._loop(e, in_order=True) as chosen, self.block(f"if {self.truth(e.args[-1])}:"):
            self.add(f"{found} = {chosen}")
            self.add("break")
        self.add("else: raise Declined")
        return found

    def _fn(self, e: E) -> str:
        if any(may_be_lazy(arg) if not arg.is_const else is_endless(arg.data) for arg in e.args[:-1]):
            return self._closure(e)
        found, known = self.fresh(), len(e.args) == 2 and e.args[0].is_const and isinstance(e.data[0], Cell)
        self.add(f"{found} = {'[]' if known else '{}'}")
        with self._loop(e, in_order=known) as chosen:
            value = self.plain(e.args[-1])
            self.add(f"{found}.append({value})" if known else f"{found}[{chosen}] = {value}")
        if known:
            return f"{self.constant(maker(list(elements(e.args[0].data))))}({found})"
        return f"function({found})"
