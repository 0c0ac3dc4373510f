"""Types as they are written to types."""

from __future__ import annotations

from abc import ABC, abstractmethod

from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.code import Code
from homing.languages.uppaal.scope import Scope, TypeName
from homing.languages.uppaal.store import Fault, Store
from homing.languages.uppaal.text import a
from homing.languages.uppaal.types import (
    BOOL,
    CLOCK,
    CONSTANT,
    INT,
    MOST_CELLS,
    VOID,
    Array,
    Chan,
    Int,
    Scalar,
    Struct,
    Type,
    choices,
    numeric,
)


class Types(ABC):
    """Resolves types; sizes and bounds have to be constant."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.scalars = 0

    @abstractmethod
    def expression(self, node: s.Expression, scope: Scope) -> Code:
        """An expression, checked and compiled."""

    def number(self, node: s.Expression, scope: Scope) -> int:
        """The value of what has to be a constant number."""
        code = self.expression(node, scope)
        if not numeric(code.type):
            raise node.error(f"'{node.words}' is {a(str(code.type))}, where a number is wanted")
        if not code.known:
            self.explain(code)
            raise node.error(f"'{node.words}' is not constant")
        return int(code.value)

    def explain(self, code: Code) -> None:
        """Raises what evaluating a constant raises."""
        if not code.effects.reads and not code.effects.writes:
            try:
                code.run(self.store.memory())
            except Fault as fault:
                raise code.node.error(str(fault).partition(": ")[2].partition(": ")[2]) from None

    def type(self, node: s.TypeNode, scope: Scope) -> Type:
        """The type that is written."""
        found = self._base(node, scope)
        if node.prefixes & {"urgent", "broadcast"}:
            if not isinstance(found, Chan):
                raise node.error(f"only channels are urgent or broadcast, not '{node.words}'")
            found = Chan(found.urgent or "urgent" in node.prefixes, found.broadcast or "broadcast" in node.prefixes)
        return found

    def _base(self, node: s.TypeNode, scope: Scope) -> Type:
        if node.base == "named":
            entity = scope.find(node.name)
            if not isinstance(entity, TypeName):
                raise scope.missing("unknown type", node.name, node, TypeName)
            return entity.type
        if node.base == "int":
            if not node.bounds:
                return CONSTANT if "const" in node.prefixes else INT
            low, high = (self.number(bound, scope) for bound in node.bounds)
            return Int(low, high)
        if node.base == "scalar":
            size = self.number(node.bounds[0], scope)
            if size < 1:
                raise node.error(f"a scalar set has at least one element, not {size}")
            self.scalars += 1
            return Scalar(self.scalars, size)
        if node.base == "struct":
            return self._struct(node, scope)
        return {"bool": BOOL, "clock": CLOCK, "chan": Chan(), "void": VOID}[node.base]

    def _struct(self, node: s.TypeNode, scope: Scope) -> Struct:
        fields: dict[str, Type] = {}
        for type_node, declared in node.fields:
            if declared.name in fields:
                raise declared.error(f"the field '{declared.name}' is declared twice")
            fields[declared.name] = self.sized(self.type(type_node, scope), declared, scope)
        return Struct(tuple(fields.items()))

    def sized(self, of: Type, declared: s.Declared, scope: Scope) -> Type:
        """The type of a name that is declared with the sizes of an array."""
        for size in reversed(declared.sizes):
            of = self._array(of, size, scope)
            if of.cells > MOST_CELLS:
                raise declared.error(f"'{declared.words}' has more than {MOST_CELLS} elements")
        return of

    def _array(self, of: Type, size: s.Size, scope: Scope) -> Array:
        if isinstance(size, s.Name):
            entity = scope.find(size.name)
            if isinstance(entity, TypeName):
                return self._by_type(of, entity.type, size)
        if isinstance(size, s.TypeNode):
            return self._by_type(of, self.type(size, scope), size)
        count = self.number(size, scope)
        if count < 1:
            raise size.error(f"an array has at least one element, not {count}")
        return Array(of, 0, count)

    def _by_type(self, of: Type, index: Type, node: s.Node) -> Array:
        values = choices(index)
        if not values or index in (INT, CONSTANT):
            raise node.error(f"an array is indexed by a range or a scalar set, not by {a(str(index))}")
        return Array(of, values[0], len(values), index if isinstance(index, Scalar) else None)
