"""What may stand where: names that are free to be bound, and expressions that must not speak of a state or a step."""

from __future__ import annotations

from collections.abc import Iterable

from homing.core.errors import HomingError, Place
from homing.languages.tla.free import Free
from homing.languages.tla.scope import Bound, Builtin, Constant, Definition, Namespace, Scope, Symbol, Variable
from homing.languages.tla.syntax import Node

KINDS = {
    Variable: "a variable",
    Constant: "a constant",
    Definition: "a definition",
    Namespace: "an instance",
    Bound: "a parameter or a bound name",
}


def check_unused(names: Iterable[str], scope: Scope, place: Place) -> None:
    """Refuses to bind a name that has a meaning already, as TLA+ does; those of standard modules are not minded."""
    seen: set[str] = set()
    for name in names:
        before = scope.find(name)
        if before is not None and not isinstance(before, Builtin):
            raise HomingError(f"'{name}' is bound here, but it is the name of {KINDS[type(before)]} already", place)
        if name in seen:
            raise HomingError(f"'{name}' is bound twice here", place)
        seen.add(name)


class Levels:
    """Checks expressions whose names are looked up; what a configuration replaces does not matter."""

    def __init__(self) -> None:
        self._free = Free({})

    def check_constant(self, node: Node, what: str, place: Place) -> None:
        """Refuses what depends on a state, a step or a behaviour."""
        mentioned = self._free.mentioned(node)
        variables = sorted(symbol.name for symbol in mentioned if isinstance(symbol, Variable))
        if variables:
            raise HomingError(f"{what} must be a constant, but it depends on variable '{variables[0]}'", place)
        if "[]" in mentioned or "'" in mentioned:
            raise HomingError(f"{what} must be a constant, but it is temporal or has primes", place)

    def check_state(self, node: Node, what: str, place: Place) -> None:
        """Refuses what speaks of a step or a behaviour."""
        if self._free.is_action(node) or self._free.is_temporal(node):
            raise HomingError(f"{what} must speak of one state, but it is temporal or has primes", place)

    def parameters(self, node: Node) -> frozenset[Bound]:
        """The parameters that an expression depends on."""
        return frozenset(symbol for symbol in self._free.mentioned(node) if isinstance(symbol, Bound))

    def check_operator(self, symbol: Symbol, args: Iterable[Node], place: Place) -> None:
        """Refuses a prime below a prime."""
        if isinstance(symbol, Builtin) and symbol.function is None and symbol.name in ("'", "UNCHANGED"):
            for arg in args:
                if self._free.is_action(arg):
                    raise HomingError("a prime stands below a prime", place)
                self.check_state(arg, "what has a prime", place)
