"""What an expression depends on before it is specialised; each is looked at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from homing.languages.tla.modules.tlc import TLC_GET
from homing.languages.tla.scope import Binder, Bound, Builtin, Definition, Symbol, Variable
from homing.languages.tla.syntax import Node

LEVEL = 'TLCGet("level")'
TEMPORAL = frozenset({"[]", "<>", "~>", "-+->"})


class Free:
    """Answers what nodes and definitions mention, directly or through what they call."""

    def __init__(self, meanings: Mapping[Symbol, Any]) -> None:
        self.meanings = meanings
        self.reached = False
        """Whether a file is read or written."""
        self.drew = False
        """Whether something is drawn at random."""
        self.constants: dict[tuple[Definition, bool], Any] = {}
        """Values of definitions that have been computed, by whether it was for an action."""
        self._found: dict[int, frozenset[Any]] = {}
        self._nodes: list[Node] = []
        self._called: dict[Definition, frozenset[Definition]] = {}

    def is_stateful(self, node: Node, env: Mapping[Any, Any]) -> bool:
        """Whether its value depends on the state."""
        for symbol in self.mentioned(node):
            if isinstance(symbol, Variable) or symbol is LEVEL:
                return True
            found = env.get(symbol)
            if found is not None and getattr(found, "reads", None):
                return True
        return False

    def is_action(self, node: Node, env: Mapping[Any, Any] | None = None) -> bool:
        """Whether it speaks of the next state, given what formulas parameters stand for."""
        return self._has("'", node, env or {})

    def _has(self, mark: str, node: Node, env: Mapping[Any, Any]) -> bool:
        mentioned = self.mentioned(node)
        if mark in mentioned:
            return True
        closures = [env[symbol] for symbol in mentioned if isinstance(symbol, Bound) and symbol in env]
        return any(self._has(mark, one.symbol.body, one.env) for one in closures if _is_formula(one))

    def asks_enabled(self, node: Node) -> bool:
        """Whether ENABLED is in it."""
        return "ENABLED" in self.mentioned(node)

    def needs_level(self, node: Node) -> bool:
        """Whether it asks how far from an initial state it is."""
        return LEVEL in self.mentioned(node)

    def is_temporal(self, node: Node, env: Mapping[Any, Any] | None = None) -> bool:
        """Whether it speaks of behaviours, given what formulas parameters stand for."""
        return self._has("[]", node, env or {})

    def calls_itself(self, definition: Definition) -> bool:
        """Whether a definition can lead back to itself."""
        return definition in self.called(definition)

    def called(self, definition: Definition) -> frozenset[Definition]:
        """The definitions that it calls, directly or through others."""
        if definition not in self._called:
            self._called[definition] = frozenset(self._calls(definition))
        return self._called[definition]

    def _calls(self, definition: Definition) -> Iterator[Definition]:
        seen, waiting = set[Definition](), [definition]
        while waiting:
            current = waiting.pop()
            for symbol in self._direct(current.body) if current.body is not None else ():
                symbol = self._meaning(symbol)
                if isinstance(symbol, Definition) and symbol not in seen:
                    seen.add(symbol)
                    waiting.append(symbol)
                    yield symbol

    def _meaning(self, symbol: Any) -> Any:
        return self.meanings.get(symbol, symbol) if isinstance(symbol, Definition | Builtin) else symbol

    def _direct(self, node: Node) -> Iterator[Any]:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if node.kind in ("ref", "operator"):
                yield node.data
                if node.kind == "operator" and isinstance(node.data, Definition) and node.data.name == "LAMBDA":
                    assert node.data.body is not None
                    waiting.append(node.data.body)
            waiting += parts(node)

    def mentioned(self, node: Node) -> frozenset[Any]:
        """Variables and bound names that it depends on, and marks: `'`, `[]` for temporal ones, ENABLED, LEVEL."""
        found = self._found.get(id(node))
        if found is None:
            self._nodes.append(node)  # so that no other node gets its number
            self._found[id(node)] = frozenset()
            found = self._found[id(node)] = self._mentioned(node)
        return found

    def _mentioned(self, node: Node) -> frozenset[Any]:
        found: set[Any] = set()
        for part in parts(node):
            found |= self.mentioned(part)
        if node.kind == "ref" and isinstance(node.data, Builtin) and node.data.name == "ENABLED":
            found.discard("'")
            found.add("ENABLED")
        if node.kind in ("box", "angle"):
            found.add("'")
        if node.kind in ("WF", "SF"):
            found.add("[]")
        if node.kind in ("ref", "operator"):
            found |= self._symbol(node.data)
            if node.data is TLC_GET and any(arg.kind == "const" and arg.data == "level" for arg in node.args):
                found.add(LEVEL)
        return frozenset(found)

    def _symbol(self, symbol: Any) -> frozenset[Any]:
        symbol = self._meaning(symbol)
        if isinstance(symbol, Definition) and symbol.body is not None:
            return self.mentioned(symbol.body) - frozenset(symbol.parameters)
        if isinstance(symbol, Builtin):
            if symbol.name in ("'", "UNCHANGED", "\\cdot"):
                return frozenset({"'"})
            return frozenset({"[]"}) if symbol.name in TEMPORAL and symbol.function is None else frozenset()
        return frozenset({symbol}) if isinstance(symbol, Variable | Bound) else frozenset()


def _is_formula(found: Any) -> bool:
    """Whether a parameter stands for an expression that is not read yet, or for an operator: a closure."""
    return isinstance(getattr(found, "symbol", None), Definition) and found.symbol.body is not None


def parts(node: Node) -> list[Node]:
    """The nodes directly below."""
    below = list(node.args)
    if isinstance(node.data, tuple):
        below += [binder.domain for binder in node.data if isinstance(binder, Binder)]
    return below
