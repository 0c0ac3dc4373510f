"""What the names in expressions stand for.

What comes out are nodes without names: `ref` has the symbol as its data, binders have `Binder`s.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass

from homing.core.errors import HomingError, Place
from homing.languages.tla import syntax
from homing.languages.tla.modules import home_of
from homing.languages.tla.scope import Bound, Builtin, Definition, Namespace, Scope, Symbol, Variable, unknown
from homing.languages.tla.syntax import Node

BINDERS = frozenset({"forall", "exists", "fn", "filter", "map", "choose"})


@dataclass(frozen=True)
class Binder:
    """`x, y \\in S` with its names as symbols."""

    names: tuple[Bound, ...]
    is_tuple: bool
    domain: Node


class Lookup(ABC):
    """Looks names up in scopes; what LET defines and instances is as in modules."""

    @abstractmethod
    def define(self, unit: syntax.Operator, scope: Scope, module: str) -> Definition:
        """Adds a definition to a scope."""

    @abstractmethod
    def instance(self, unit: syntax.Instance, scope: Scope, inner: dict[str, syntax.Module]) -> None:
        """Adds what an instance has to a scope."""

    def expression(self, node: Node, scope: Scope) -> Node:
        """The expression with symbols for names."""
        match node.kind:
            case "op":
                return self._application(node, scope, scope)
            case "qualified":
                return self._qualified(node, scope)
            case kind if kind in BINDERS:
                return self._binder(node, scope)
            case "choose_any":
                bound = Bound(node.data[0])
                inside = scope.inside([(bound.name, bound)])
                return Node("choose_any", (self.expression(node.args[0], inside),), bound, node.place)
            case "lambda":
                raise HomingError("a LAMBDA can only be an argument of an operator", node.place)
            case "unbounded":
                return node
            case "subexpression":
                return self._subexpression(node, scope)
            case "except":
                return self._except(node, scope)
            case "let":
                return self._let(node, scope)
            case "at":
                symbol = scope.find("@")
                if symbol is None:
                    raise HomingError("'@' stands outside of EXCEPT", node.place)
                return Node("ref", (), symbol, node.place)
        return Node(node.kind, tuple(self.expression(arg, scope) for arg in node.args), node.data, node.place)

    def _application(self, node: Node, scope: Scope, arguments: Scope, extra: tuple[Node, ...] = ()) -> Node:
        name = node.data
        symbol = scope.find(name)
        if symbol is None:
            raise self._unknown(name, scope, node.place)
        if isinstance(symbol, Namespace):
            raise HomingError(f"'{name}' is an instance of a module, no operator", node.place)
        arity = 0 if isinstance(symbol, Variable) else symbol.arity
        if arity != len(node.args):
            raise _wrong_arity(name, arity, len(node.args), node.place)
        wanted = self._wanted(symbol)
        args = [
            self.operator(arg, arguments, want) if want else self.expression(arg, arguments)
            for arg, want in zip(node.args, wanted)
        ]
        if extra:
            assert isinstance(symbol, Definition | Builtin)
            return Node("within", (Node("ref", tuple(args), symbol, node.place), *extra), scope.outer, node.place)
        return Node("ref", tuple(args), symbol, node.place)

    def _wanted(self, symbol: Symbol) -> tuple[int, ...]:
        """By argument, the arity of the operator that it must be, 0 for a value."""
        if isinstance(symbol, Definition):
            return tuple(parameter.arity for parameter in symbol.parameters)
        if isinstance(symbol, Builtin) and symbol.operators:
            return symbol.operators
        return (0,) * getattr(symbol, "arity", 0)

    def _qualified(self, node: Node, scope: Scope) -> Node:
        inside, extra = scope, list[Node]()
        for part in node.args[:-1]:
            symbol = inside.find(part.data) if inside is scope else inside.names.get(part.data)
            if symbol is None:
                raise self._unknown(part.data, inside, part.place)
            if not isinstance(symbol, Namespace):
                raise HomingError(f"'{part.data}' is no instance of a module, so '!' cannot follow", part.place)
            if symbol.arity != len(part.args):
                raise _wrong_arity(part.data, symbol.arity, len(part.args), part.place)
            extra += [
                self.operator(arg, scope, p.arity) if p.arity else self.expression(arg, scope)
                for arg, p in zip(part.args, symbol.parameters)
            ]
            inside = symbol.scope
        last = node.args[-1]
        if last.kind != "op":
            raise HomingError("a subexpression named by its position is not supported", last.place)
        if not extra:
            return self._application(last, inside, scope)
        found = self._application(last, inside, scope, tuple(extra))
        return Node("within", found.args, inside.outer[len(inside.outer) - len(extra) :], node.place)

    def _subexpression(self, node: Node, scope: Scope) -> Node:
        for name in node.args[:-1]:
            found = scope.find(name.data)
            if not isinstance(found, Namespace) or found.arity:
                raise HomingError(f"'{name.data}' is no instance of a module", name.place)
            scope = found.scope
        last = node.args[-1]
        symbol = scope.find(last.data)
        if not isinstance(symbol, Definition) or symbol.body is None or symbol.arity or last.args:
            raise HomingError(f"'{last.data}' is no definition without arguments to name a part of", node.place)
        body = symbol.body
        for step in node.data:
            if step == 0:
                continue
            if step > len(body.args) or body.kind not in ("and", "or", "ref", "tuple", "set"):
                raise HomingError(f"'{last.data}' has no part {step} that can be named", node.place)
            body = body.args[step - 1]
        return body

    def operator(self, node: Node, scope: Scope, arity: int) -> Node:
        """An operator that is an argument: its symbol is the data."""
        if node.kind == "lambda":
            if len(node.data) != arity:
                raise HomingError(
                    f"a LAMBDA with {len(node.data)} parameters stands where one with {arity} is wanted", node.place
                )
            parameters = tuple(Bound(p.name) for p in node.data)
            body = self.expression(node.args[0], scope.inside([(p.name, p) for p in parameters]))
            definition = Definition("LAMBDA", parameters, body, node.place, "")
            return Node("operator", (), definition, node.place)
        inside = scope
        if node.kind == "qualified":
            for part in node.args[:-1]:
                symbol = inside.find(part.data)
                if not isinstance(symbol, Namespace) or symbol.arity:
                    raise HomingError("this cannot be an operator's argument", node.place)
                inside = symbol.scope
            node = node.args[-1]
        if node.kind != "op" or node.args:
            raise HomingError(f"an operator with {arity} arguments is wanted here, not an expression", node.place)
        found = inside.find(node.data)
        if found is None:
            raise self._unknown(node.data, inside, node.place)
        have = 0 if isinstance(found, Variable) else found.arity
        if have != arity:
            raise HomingError(
                f"'{node.data}' takes {_arguments(have)}, but an operator that takes {_arguments(arity)} is wanted",
                node.place,
            )
        return Node("operator", (), found, node.place)

    def _binder(self, node: Node, scope: Scope) -> Node:
        binders, inside = [], list[tuple[str, Symbol]]()
        for bounds in node.data:
            names = tuple(Bound(name) for name in bounds.names)
            binders.append(Binder(names, bounds.is_tuple, self.expression(bounds.domain, scope)))
            inside += [(name.name, name) for name in names]
        body = self.expression(node.args[0], scope.inside(inside))
        return Node(node.kind, (body,), tuple(binders), node.place)

    def _except(self, node: Node, scope: Scope) -> Node:
        args = [self.expression(node.args[0], scope)]
        marks, position = [], 1
        for length in node.data:
            at = Bound("@")
            args += [self.expression(arg, scope) for arg in node.args[position : position + length]]
            args.append(self.expression(node.args[position + length], scope.inside([("@", at)])))
            marks.append((length, at))
            position += length + 1
        return Node("except", tuple(args), tuple(marks), node.place)

    def _let(self, node: Node, scope: Scope) -> Node:
        inside = scope.inside([])
        definitions = []
        for unit in node.data:
            if isinstance(unit, syntax.Operator):
                definitions.append(self.define(unit, inside, "LET"))
            elif isinstance(unit, syntax.Recursive):
                for parameter in unit.declared:
                    bounds = tuple(Bound(f"_{n}") for n in range(parameter.arity))
                    fresh = Definition(parameter.name, bounds, None, parameter.place, "LET", True)
                    inside.names[parameter.name] = fresh
            else:
                self.instance(unit, inside, {})
        body = self.expression(node.args[0], inside)
        return Node("let", (body,), tuple(definitions), node.place)

    def _unknown(self, name: str, scope: Scope, place: Place) -> HomingError:
        home = home_of(name)
        if home is not None:
            return HomingError(f"unknown operator '{name}': it is in the module {home}, which is not extended", place)
        return unknown(f"unknown operator '{name}'", name, scope.known(), place)


def _arguments(number: int) -> str:
    return "one argument" if number == 1 else f"{number} arguments"


def _wrong_arity(name: str, wanted: int, given: int, place: Place) -> HomingError:
    return HomingError(f"'{name}' takes {_arguments(wanted)}, not {given}", place)
