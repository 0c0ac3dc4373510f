"""What the names in expressions stand for.

What comes out are nodes without names: `ref` has the symbol as its data, binders have `Binder`s.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from homing.core.errors import HomingError, Place
from homing.languages.tla import syntax
from homing.languages.tla.levels import Levels, check_unused
from homing.languages.tla.modules import home_of
from homing.languages.tla.scope import Binder, Bound, Builtin, Definition, Namespace, Scope, Symbol, Variable, unknown
from homing.languages.tla.selection import BINDERS, Labels, Selection
from homing.languages.tla.syntax import Node


class Lookup(ABC):
    """Looks names up in scopes; what LET defines and instances is as in modules."""

    def __init__(self) -> None:
        self.levels = Levels()
        self.labels = [Labels()]
        """Of the definition that is read, and of the labels around what is read of it."""

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
                check_unused([bound.name], scope, node.place)
                inside = scope.inside([(bound.name, bound)])
                with self.labels[-1].inside([bound]):
                    body = self.expression(node.args[0], inside)
                return Node("choose_any", (body,), bound, node.place)
            case "lambda":
                raise HomingError("a LAMBDA can only be an argument of an operator", node.place)
            case "unbounded":
                return node
            case "label":
                return self._label(node, scope)
            case "except":
                return self._except(node, scope)
            case "let":
                return self._let(node, scope)
            case "at":
                symbol = scope.find("@")
                if symbol is None:
                    raise HomingError("'@' stands outside of EXCEPT", node.place)
                return Node("ref", (), symbol, node.place)
        args = tuple(self.expression(arg, scope) for arg in node.args)
        if node.kind in ("box", "angle", "WF", "SF"):
            self.levels.check_state(args[node.kind in ("box", "angle")], "the subscript", node.place)
        return Node(node.kind, args, node.data, node.place)

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
        self.levels.check_operator(symbol, args, node.place)
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
        """`I!Op`, an operator of an instance, or `Op!2`, a part of a definition, or a part of one of an instance."""
        inside, extra, steps = scope, list[Node](), list(node.args)
        while len(steps) > 1 and isinstance(symbol := self._step(steps[0], scope, inside), Namespace):
            part = steps.pop(0)
            if symbol.arity != len(part.args):
                raise _wrong_arity(part.data, symbol.arity, len(part.args), part.place)
            for arg, p in zip(part.args, symbol.parameters):
                extra.append(self.operator(arg, scope, p.arity) if p.arity else self.expression(arg, scope))
                if p in symbol.scope.constant:
                    self.levels.check_constant(extra[-1], f"'{p.name}', a constant of an instance,", part.place)
            inside = symbol.scope
        if steps[0].kind != "op":
            raise HomingError("a part can only be named of a definition", steps[0].place)
        given = inside.outer[len(inside.outer) - len(extra) :]
        if len(steps) > 1:
            found = self._selected(steps, self._step(steps[0], scope, inside), scope)
            return Node("within", (found, *extra), given, node.place) if extra else found
        if not extra:
            return self._application(steps[0], inside, scope)
        found = self._application(steps[0], inside, scope, tuple(extra))
        return Node("within", found.args, given, node.place)

    def _step(self, part: Node, scope: Scope, inside: Scope) -> Symbol:
        """The symbol of a name before `!`."""
        symbol = inside.find(part.data) if inside is scope else inside.names.get(part.data)
        if symbol is None:
            raise self._unknown(part.data, inside, part.place)
        return symbol

    def _selected(self, steps: list[Node], symbol: Symbol, scope: Scope) -> Node:
        first, *others = steps
        if not isinstance(symbol, Definition) or symbol.body is None:
            said = f"'{first.data}' is no instance of a module and no definition, so '!' cannot follow"
            raise HomingError(said, first.place)
        if symbol.arity != len(first.args):
            raise _wrong_arity(first.data, symbol.arity, len(first.args), first.place)
        given = [self.operator(a, scope, p.arity) if p.arity else self.expression(a, scope)
                 for a, p in zip(first.args, symbol.parameters)]  # fmt: skip
        selection = Selection(symbol.name, symbol.body, symbol.labels, list(symbol.parameters), given)
        for step in others:
            arguments = [self.expression(arg, scope) for arg in step.args]
            if step.kind == "op":
                selection.label(step, arguments)
            elif step.kind == "arguments":
                selection.bound(step, arguments)
            elif step.kind == "position":
                selection.position(step, step.data)
        definition = selection.definition(symbol)
        if definition.parameters or definition.outer:
            return Node("ref", tuple(selection.arguments), definition, first.place)
        assert definition.body is not None
        return definition.body

    def operator(self, node: Node, scope: Scope, arity: int) -> Node:
        """An operator that is an argument: its symbol is the data."""
        if node.kind == "lambda":
            if len(node.data) != arity:
                raise HomingError(
                    f"a LAMBDA with {len(node.data)} parameters stands where one with {arity} is wanted", node.place
                )
            parameters = tuple(Bound(p.name) for p in node.data)
            check_unused([p.name for p in parameters], scope, node.place)
            with self.labels[-1].inside(parameters):
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
        check_unused([name for name, _ in inside], scope, node.place)
        with self.labels[-1].inside([name for binder in binders for name in binder.names]):
            body = self.expression(node.args[0], scope.inside(inside))
        return Node(node.kind, (body,), tuple(binders), node.place)

    def _label(self, node: Node, scope: Scope) -> Node:
        """What a label names; others refer to it as to a part of the definition around it."""
        around = self.labels[-1]
        parameters = tuple(bound for name in node.data[1] if isinstance(bound := scope.find(name), Bound))
        self.labels.append(Labels())
        body = self.expression(node.args[0], scope)
        around.add(node, parameters, body, self.labels.pop().found)
        return body

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
        known = set(self.labels[-1].found)
        let = Node("let", (self.expression(node.args[0], inside),), tuple(definitions), node.place)
        self.labels[-1].wrap(let, known)
        return let

    def _unknown(self, name: str, scope: Scope, place: Place) -> HomingError:
        home = home_of(name)
        if home is not None:
            return HomingError(f"unknown operator '{name}': it is in the module {home}, which is not extended", place)
        return unknown(f"unknown operator '{name}'", name, scope.known(), place)


def _arguments(number: int) -> str:
    return "one argument" if number == 1 else f"{number} arguments"


def _wrong_arity(name: str, wanted: int, given: int, place: Place) -> HomingError:
    return HomingError(f"'{name}' takes {_arguments(wanted)}, not {given}", place)
