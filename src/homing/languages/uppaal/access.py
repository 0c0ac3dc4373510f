"""Names, elements and fields: where in memory something stands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.code import NO_EFFECTS, Code, Effects, Run, Target, constant, loading
from homing.languages.uppaal.scope import FunctionName, Process, Scope, Template, TypeName, Variable
from homing.languages.uppaal.store import Bounds, Fault, Memory, Ranges
from homing.languages.uppaal.text import a, unknown
from homing.languages.uppaal.types import BOOL, Array, Bool, Int, Scalar, Struct, Type, compound, numeric
from homing.languages.uppaal.typing import Types


class Access(Types):
    """Adds what has a place in memory."""

    def variable(self, node: s.Node, found: Variable) -> Code:
        """The value of a variable, and how to assign to it."""
        load = loading(found.type)
        if found.reference:
            holder = found.address
            target = Target(lambda memory: memory[holder], None, range(0), Effects(frozenset({holder})), found.const)
            return Code(node, found.type, lambda memory: load(memory, memory[holder]), target.effects, target)
        return self._at(node, found.type, found.address, found.const)

    def _at(self, node: s.Node, of: Type, address: int, const: bool) -> Code:
        load = loading(of)
        region = range(address, address + of.cells)
        target = Target(lambda _memory: address, address, region, NO_EFFECTS, const)
        effects = Effects(frozenset(self.store.changing(region)))
        return Code(node, of, lambda memory: load(memory, address), effects, target, _hull(region, of))

    def _computed(
        self, node: s.Node, of: Type, run: Run, region: range, effects: Effects, const: bool, stride: int = 0
    ) -> Code:
        """At an address that depends on values."""
        load = loading(of)
        target = Target(run, None, region, effects, const, stride)
        reads = effects.then(Effects(frozenset(self.store.changing(region))))
        return Code(node, of, lambda memory: load(memory, run(memory)), reads, target, _hull(region, of))

    def name(self, node: s.Name, scope: Scope) -> Code:
        entity = scope.find(node.name)
        if isinstance(entity, Variable):
            return self.variable(node, entity)
        if entity is None:
            raise scope.missing("unknown name", node.name, node, Variable, FunctionName, Process)
        kind = {TypeName: "a type", FunctionName: "a function", Template: "a template", Process: "a process"}[
            type(entity)
        ]
        raise node.error(f"'{node.name}' is {kind}, where a value is wanted")

    def index(self, node: s.Index, scope: Scope) -> Code:
        of, at = self.expression(node.of, scope), self.expression(node.at, scope)
        array = of.type
        if not isinstance(array, Array):
            raise node.of.error(f"'{node.of.words}' is {a(str(array))}, not an array, and has no index")
        if array.index is not None and at.type != array.index and not isinstance(node.at, s.Number):
            raise node.at.error(f"the index '{node.at.words}' is {a(str(at.type))}, not of the array's scalar set")
        if array.index is None and not numeric(at.type):
            raise node.at.error(f"the index '{node.at.words}' is {a(str(at.type))}, where a number is wanted")
        if of.target is None:
            return self._picked(node, of, array, at)
        return self._element(node, of, of.target, array, at)

    def _picked(self, node: s.Index, of: Code, array: Array, at: Code) -> Code:
        """An element of what a function returns, which has no place in memory."""
        size, run, offset = array.of.cells, of.run, self._offset(node, array, at)

        def take(memory: Memory) -> Any:
            values = run(memory)
            start = offset(memory) * size
            return values[start : start + size] if compound(array.of) else values[start]

        return Code(node, array.of, take, of.effects.then(at.effects))

    def _offset(self, node: s.Index, array: Array, at: Code) -> Callable[[Memory], int]:
        """The number of the element that an index means, from 0 on."""
        low, count, index = array.low, array.size, at.run

        def offset(memory: Memory) -> int:
            place = index(memory)
            if not low <= place < low + count:
                what = f"'{node.words}' has the index {int(place)}"
                raise Fault(node, f"{what}, but '{node.of.words}' has {low} to {low + count - 1}")
            return int(place - low)

        return offset

    def _element(self, node: s.Index, of: Code, target: Target, array: Array, at: Code) -> Code:
        size, low, count = array.of.cells, array.low, array.size
        if at.known and target.fixed is not None:
            offset = int(at.value) - low
            if 0 <= offset < count:
                return self._at(node, array.of, target.fixed + offset * size, target.const)
        base, offset_of = target.run, self._offset(node, array, at)

        def address(memory: Memory) -> int:
            place = offset_of(memory)
            return int(base(memory) + place * size)

        effects = target.effects.then(at.effects)
        stride = size if target.fixed is not None else 0
        return self._computed(node, array.of, address, target.region, effects, target.const, stride)

    def member(self, node: s.Member, scope: Scope) -> Code:
        process = self.process(node.of, scope)
        if process is not None:
            return self._of_process(node, process)
        of = self.expression(node.of, scope)
        if not isinstance(of.type, Struct):
            raise node.of.error(f"'{node.of.words}' is {a(str(of.type))}, which has no fields")
        found = of.type.offset(node.name)
        if found is None:
            known = [name for name, _ in of.type.fields]
            raise node.error(f"'{node.of.words}' has no field '{node.name}'", known)
        offset, inner = found
        target = of.target
        if target is None:
            run = of.run
            part = slice(offset, offset + inner.cells)
            take: Run = (lambda m: run(m)[part]) if compound(inner) else (lambda m: run(m)[offset])
            return Code(node, inner, take, of.effects)
        if target.fixed is not None:
            return self._at(node, inner, target.fixed + offset, target.const)
        base = target.run
        region = target.region
        if target.stride == of.type.cells and inner.cells == 1:
            region = range(region.start + offset, region.stop, target.stride)
        return self._computed(node, inner, lambda m: base(m) + offset, region, target.effects, target.const)

    def process(self, node: s.Expression, scope: Scope) -> Process | None:
        """The process that is named: `Gate` or `Train(1)`."""
        if isinstance(node, s.Name):
            entity = scope.find(node.name)
            if isinstance(entity, Template):
                raise node.error(*_instances(node.name, scope))
            return entity if isinstance(entity, Process) else None
        if isinstance(node, s.Call) and isinstance(node.of, s.Name):
            if isinstance(scope.find(node.of.name), FunctionName):
                return None
            values = [self.number_or_scalar(argument, scope) for argument in node.arguments]
            name = f"{node.of.name}({','.join(map(str, values))})"
            entity = scope.find(name)
            if isinstance(entity, Process):
                return entity
            raise scope.missing("unknown process", name, node, Process)
        return None

    def number_or_scalar(self, node: s.Expression, scope: Scope) -> int:
        """A constant that tells instances apart."""
        code = self.expression(node, scope)
        if not code.known or compound(code.type):
            raise node.error(f"'{node.words}' is no constant, but says which process is meant")
        return int(code.value)

    def _of_process(self, node: s.Member, process: Process) -> Code:
        if node.name in process.places:
            if process.at is None:
                return constant(node, BOOL, True)
            return self._at(node, BOOL, self.store.test(process.at, node.name), True)
        entity = process.scope.names.get(node.name)
        if isinstance(entity, Variable):
            return self.variable(node, entity)
        known = [*process.places, *(n for n, e in process.scope.names.items() if isinstance(e, Variable))]
        raise node.error(*unknown(f"process {process.name} has no location or variable", node.name, known))


def _hull(region: range, of: Type) -> Bounds | None:
    """The interval of what lies in any cell of a region."""
    if not isinstance(of, Int | Bool | Scalar):
        return None

    def bounds(ranges: Ranges) -> tuple[int, int]:
        ends = [ranges[address] for address in region if address in ranges]
        if not ends:
            return 0, 0
        return min(low for low, _ in ends), max(high for _, high in ends)

    return bounds


def _instances(name: str, scope: Scope) -> tuple[str, list[str]]:
    known = [process for process in scope.known(Process) if process.startswith(f"{name}(")]
    return f"'{name}' stands for several processes; say which one", known
