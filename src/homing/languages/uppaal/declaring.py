"""Declarations of types and variables, and the first values of these."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.code import Run, storing
from homing.languages.uppaal.expressions import Expressions
from homing.languages.uppaal.scope import Scope, TypeName, Variable
from homing.languages.uppaal.store import Fault, Memory
from homing.languages.uppaal.text import a, counted
from homing.languages.uppaal.types import VOID, Array, Chan, Clock, Int, Struct, Type, compatible, compound


class Declarations(Expressions):
    """Adds what is declared."""

    @abstractmethod
    def function(self, node: s.Function, scope: Scope) -> None:
        """A function."""

    def declare(self, node: s.Declaration, scope: Scope) -> None:
        """A declaration of the model or of a process."""
        match node:
            case s.Typedef():
                self.typedef(node, scope)
            case s.Function():
                self.function(node, scope)
            case s.Variables():
                self._variables(node, scope)
            case s.ChannelPriority():
                raise node.error("priorities of channels are declared once, for the whole model")

    def typedef(self, node: s.Typedef, scope: Scope) -> None:
        """Names for types."""
        of = self.type(node.type, scope)
        for declared in node.declared:
            scope.declare(declared.name, TypeName(self.sized(of, declared, scope)), declared)

    def _variables(self, node: s.Variables, scope: Scope) -> None:
        base = self.type(node.type, scope)
        for declared in node.declared:
            of = self.sized(base, declared, scope)
            self.refuse_valueless(of, declared)
            values = self._initial(of, declared, scope)
            name = scope.owner + declared.name
            if "const" in node.type.prefixes:
                if declared.initial is None:
                    raise declared.error(f"the constant '{declared.name}' has no value")
                if of.has(Clock) or of.has(Chan):
                    raise declared.error(f"{a(str(of))} cannot be constant")
                address = self.store.constant(of, name, values or ())
                scope.declare(declared.name, Variable(of, address, const=True), declared)
            else:
                address = self.store.variable(of, name, values, "meta" in node.type.prefixes)
                scope.declare(declared.name, Variable(of, address), declared)

    def refuse_valueless(self, of: Type, declared: s.Declared) -> None:
        """Nor types that have no value."""
        if of.has(type(VOID)):
            raise declared.error(f"'{declared.name}' cannot be void")
        for leaf in of.leaves():
            if isinstance(leaf, Int) and leaf.low > leaf.high:
                raise declared.error(f"'{declared.name}' has the range {leaf}, which is empty")

    def _initial(self, of: Type, declared: s.Declared, scope: Scope) -> tuple[Any, ...] | None:
        """The first values of the cells, None where the usual ones are meant."""
        if declared.initial is None:
            return None
        if isinstance(of, Clock) and isinstance(declared.initial, s.Number) and declared.initial.value == 0:
            return None
        if of.has(Clock) or of.has(Chan):
            raise declared.error(f"{a(str(of))} has no first value")
        memory = self.store.start()
        values = []
        for leaf, (node, run) in zip(of.leaves(), self.flat(of, declared.initial, scope)):
            try:
                store = storing(leaf, node, f"'{declared.name}'")
                cell = Memory([None])
                store(cell, 0, run(memory))
            except Fault as fault:
                raise node.error(str(fault).split(f"{node.source.element}: ", 1)[-1]) from None
            values.append(cell[0])
        return tuple(values)

    def flat(self, of: Type, node: s.Expression, scope: Scope) -> Iterator[tuple[s.Expression, Run]]:
        """An initialiser by cells."""
        if not isinstance(node, s.Initialiser):
            code = self.expression(node, scope)
            if isinstance(code.type, Clock):
                raise node.error(f"the clock '{node.words}' stands in an integer expression")
            if not compatible(of, code.type):
                raise node.error(f"'{node.words}' is {a(str(code.type))}, where {a(str(of))} is wanted")
            if not compound(of):
                yield node, code.run
                return
            for number in range(of.cells):
                yield node, _picked(code.run, number)
            return
        if isinstance(of, Array):
            if len(node.values) != of.size:
                raise node.error(f"'{node.words}' has {counted(len(node.values), 'value')} for an array of {of.size}")
            for name, value in node.values:
                if name is not None:
                    raise node.error(f"an array has no field '{name}'")
                yield from self.flat(of.of, value, scope)
        elif isinstance(of, Struct):
            yield from self._fields(of, node, scope)
        else:
            raise node.error(f"values in braces stand where {a(str(of))} is wanted")

    def _fields(self, of: Struct, node: s.Initialiser, scope: Scope) -> Iterator[tuple[s.Expression, Run]]:
        if len(node.values) != len(of.fields):
            raise node.error(
                f"'{node.words}' has {counted(len(node.values), 'value')} for {counted(len(of.fields), 'field')}"
            )
        names = [field for field, _ in of.fields]
        given: dict[str, s.Expression] = {}
        for position, (name, value) in enumerate(node.values):
            field = names[position] if name is None else name
            if field not in names or field in given:
                raise node.error(f"the field '{field}' is unknown or given twice", names)
            given[field] = value
        for field, inner in of.fields:
            yield from self.flat(inner, given[field], scope)


def _picked(run: Run, number: int) -> Run:
    return lambda memory: run(memory)[number]
