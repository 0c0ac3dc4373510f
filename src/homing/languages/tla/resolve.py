"""Looks every name up: modules, instances, scopes and arities.

What comes out are nodes without names: `ref` has the symbol as its data, binders have `Binder`s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.languages.tla import files, parse, syntax
from homing.languages.tla.modules import BASE, STANDARD
from homing.languages.tla.scope import Bound, Builtin, Constant, Definition, Namespace, Scope, Symbol, Variable
from homing.languages.tla.syntax import Node

BINDERS = frozenset({"forall", "exists", "fn", "filter", "map", "choose"})


@dataclass(frozen=True)
class Binder:
    """`x, y \\in S` with its names as symbols."""

    names: tuple[Bound, ...]
    is_tuple: bool
    domain: Node


@dataclass
class Specification:
    """A module with all that it extends, names looked up."""

    name: str
    scope: Scope
    variables: list[Variable] = field(default_factory=list)
    constants: list[Constant] = field(default_factory=list)
    assumptions: list[tuple[str, Node]] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)


def resolve(path: Path) -> Specification:
    """The specification in a file, with the modules beside it."""
    modules = parse.read(path)
    return _Resolver(path, modules).specification(modules[-1] if len(modules) == 1 else _main(modules, path))


def _main(modules: list[syntax.Module], path: Path) -> syntax.Module:
    return next((module for module in modules if module.name == path.stem), modules[-1])


class _Resolver:
    """Knows the modules read so far, and collects what belongs to the specification as a whole."""

    def __init__(self, path: Path, modules: list[syntax.Module]) -> None:
        self.path = path
        self.modules = {module.name: module for module in modules}
        self.result = Specification(path.stem, Scope(), files=[path])
        self.extended: dict[str, Scope] = {}
        self.open: list[str] = []

    def specification(self, module: syntax.Module) -> Specification:
        self.result.name = module.name
        self.result.scope = self.module(module, Scope(parent=Scope(names=dict(BASE))), self._declare, {})
        return self.result

    # Modules

    def module(
        self,
        module: syntax.Module,
        scope: Scope,
        declare: Callable[[Scope, syntax.Constants | syntax.Variables], None],
        inner: dict[str, syntax.Module],
    ) -> Scope:
        """The scope of a module; `declare` says what its constants and variables stand for."""
        if module.name in self.open:
            circle = " -> ".join([*self.open[self.open.index(module.name) :], module.name])
            raise HomingError(f"module '{module.name}' needs itself: {circle}", module.place)
        self.open.append(module.name)
        inner = inner | module.inner
        for name, place in module.extends:
            scope.names |= self._extended(name, place, scope, declare, inner)
        for unit in module.units:
            self._unit(unit, scope, module, declare, inner)
        self.open.pop()
        for definition in scope.names.values():
            if isinstance(definition, Definition) and definition.body is None:
                raise HomingError(f"'{definition.name}' is declared RECURSIVE but not defined", definition.place)
        return scope

    def _extended(
        self,
        name: str,
        place: Place,
        scope: Scope,
        declare: Callable[[Scope, syntax.Constants | syntax.Variables], None],
        inner: dict[str, syntax.Module],
    ) -> dict[str, Symbol]:
        if name in STANDARD and name not in inner:
            return dict(STANDARD[name])
        # A module that two others extend is one module: its constants and variables are declared once.
        known = self.extended if declare == self._declare else {}
        if name not in known:
            module = self._find(name, place, inner)
            fresh = Scope(parent=Scope(names=dict(BASE)), outer=scope.outer)
            known[name] = self.module(module, fresh, declare, inner)
        return self._exported(known[name], scope)

    def _exported(self, found: Scope, scope: Scope) -> dict[str, Symbol]:
        names = dict(found.exported())
        scope.given |= found.given
        return names

    def _find(self, name: str, place: Place, inner: dict[str, syntax.Module]) -> syntax.Module:
        if name in inner:
            return inner[name]
        if name not in self.modules:
            file = files.module(name, self.path)
            if file is None:
                known = sorted([*STANDARD, *self.modules, *(f.stem for f in self.path.parent.glob("*.tla"))])
                raise HomingError(
                    f"there is no module '{name}' beside {self.path.name}, nor is it a standard one", place, known
                )
            self.result.files.append(file)
            found = {module.name: module for module in parse.read(file)}
            if name not in found:
                raise HomingError(f"holds no module '{name}'", Place(str(file)), found)
            self.modules |= found
        return self.modules[name]

    def _unit(
        self,
        unit: syntax.Unit,
        scope: Scope,
        module: syntax.Module,
        declare: Callable[[Scope, syntax.Constants | syntax.Variables], None],
        inner: dict[str, syntax.Module],
    ) -> None:
        match unit:
            case syntax.Constants() | syntax.Variables():
                declare(scope, unit)
            case syntax.Recursive():
                for parameter in unit.declared:
                    bounds = tuple(Bound(f"_{n}") for n in range(parameter.arity))
                    definition = Definition(parameter.name, bounds, None, parameter.place, module.name, True)
                    definition.outer = scope.outer
                    scope.names[parameter.name] = definition
            case syntax.Operator():
                self.define(unit, scope, module.name)
            case syntax.Instance():
                self._instance(unit, scope, inner)
            case syntax.Assumption():
                body = self.expression(unit.body, scope)
                if declare == self._declare:
                    self.result.assumptions.append((unit.name or "ASSUME", body))

    def _declare(self, scope: Scope, unit: syntax.Constants | syntax.Variables) -> None:
        for parameter in unit.declared:
            if isinstance(unit, syntax.Variables):
                variable = Variable(parameter.name, len(self.result.variables), parameter.place)
                self.result.variables.append(variable)
                self._add(scope, parameter.name, variable, parameter.place)
            else:
                constant = Constant(parameter.name, parameter.arity, parameter.place)
                self.result.constants.append(constant)
                self._add(scope, parameter.name, constant, parameter.place)

    def _add(self, scope: Scope, name: str, symbol: Symbol, place: Place) -> None:
        before = scope.names.get(name)
        if before is not None and not isinstance(before, Builtin):
            raise HomingError(f"'{name}' is declared or defined twice", place)
        scope.names[name] = symbol

    def define(self, unit: syntax.Operator, scope: Scope, module: str) -> Definition:
        """Adds a definition to a scope."""
        parameters = tuple(Bound(p.name, p.arity) for p in unit.parameters)
        before = scope.names.get(unit.name)
        if isinstance(before, Definition) and before.body is None:
            if before.arity != len(parameters):
                raise HomingError(
                    f"'{unit.name}' is declared RECURSIVE with {before.arity} arguments, not {len(parameters)}",
                    unit.place,
                )
            definition = before
            definition.parameters = parameters
        else:
            definition = Definition(unit.name, parameters, None, unit.place, module)
            definition.outer = scope.outer
        if unit.function:
            definition.function = True
        inside = scope.inside([(p.name, p) for p in parameters])
        if unit.function:
            inside.names[unit.name] = definition
        body = self.expression(unit.body, inside)
        if definition is not before:
            self._add(scope, unit.name, definition, unit.place)
        definition.body = body
        if unit.local:
            scope.local.add(unit.name)
        self.result.definitions.append(definition)
        return definition

    # Instances

    def _instance(self, unit: syntax.Instance, scope: Scope, inner: dict[str, syntax.Module]) -> None:
        if unit.module in STANDARD and unit.module not in inner:
            found = Scope(names=dict(STANDARD[unit.module]))
        else:
            found = self._instanced(unit, scope, inner)
        if unit.name is not None:
            parameters = found.outer[len(scope.outer) :]
            self._add(scope, unit.name, Namespace(unit.name, parameters, found), unit.place)
            if unit.local:
                scope.local.add(unit.name)
            return
        for name, symbol in found.exported():
            if not isinstance(symbol, Variable | Constant) and name not in found.given:
                if isinstance(scope.names.get(name), Definition) and not isinstance(symbol, Builtin):
                    continue  # the same module, instanced and extended
                scope.names[name] = symbol
                if unit.local:
                    scope.local.add(name)

    def _instanced(self, unit: syntax.Instance, scope: Scope, inner: dict[str, syntax.Module]) -> Scope:
        module = self._find(unit.module, unit.place, inner)
        parameters = tuple(Bound(p.name, p.arity) for p in unit.parameters)
        within = scope.inside([(p.name, p) for p in parameters])
        given = dict(unit.substitutions)
        outer = (*scope.outer, *parameters)
        used: set[str] = set()

        def declare(target: Scope, declaration: syntax.Constants | syntax.Variables) -> None:
            for parameter in declaration.declared:
                used.add(parameter.name)
                symbol = self._substituted(parameter, given, within, unit)
                if isinstance(declaration, syntax.Variables):
                    symbol = _for_variable(symbol, parameter.name, unit)
                if isinstance(symbol, Definition):
                    symbol.outer = outer
                target.names[parameter.name] = symbol
                target.given.add(parameter.name)

        fresh = Scope(parent=Scope(names=dict(BASE)), outer=outer)
        found = self.module(module, fresh, declare, inner)
        for name in given.keys() - used:
            raise HomingError(
                f"module '{unit.module}' declares no constant or variable '{name}' to substitute", unit.place, used
            )
        return found

    def _substituted(
        self, parameter: syntax.Parameter, given: dict[str, Node], scope: Scope, unit: syntax.Instance
    ) -> Symbol:
        node = given.get(parameter.name)
        if node is None:
            symbol = scope.find(parameter.name)
            if symbol is None:
                raise HomingError(
                    f"the instance of '{unit.module}' has nothing for its '{parameter.name}'", unit.place, given
                )
            return symbol
        if parameter.arity:
            symbol = self._operator(node, scope, parameter.arity).data
            assert isinstance(symbol, Definition | Builtin | Bound | Constant)
            return symbol
        return Definition(parameter.name, (), self.expression(node, scope), unit.place, unit.module)

    # Expressions

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
            self._operator(arg, arguments, want) if want else self.expression(arg, arguments)
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
                self._operator(arg, scope, p.arity) if p.arity else self.expression(arg, scope)
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

    def _operator(self, node: Node, scope: Scope, arity: int) -> Node:
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
                self._instance(unit, inside, {})
        body = self.expression(node.args[0], inside)
        return Node("let", (body,), tuple(definitions), node.place)

    def _unknown(self, name: str, scope: Scope, place: Place) -> HomingError:
        known = scope.known()
        close = get_close_matches(name, known, 5) or known
        home = next((module for module, names in STANDARD.items() if name in names), None)
        hint = f" (it is in the standard module {home}, which is not extended)" if home else ""
        return HomingError(f"unknown operator '{name}'{hint}", place, close)


def _arguments(number: int) -> str:
    return "one argument" if number == 1 else f"{number} arguments"


def _wrong_arity(name: str, wanted: int, given: int, place: Place) -> HomingError:
    return HomingError(f"'{name}' takes {_arguments(wanted)}, not {given}", place)


def _for_variable(symbol: Symbol, name: str, unit: syntax.Instance) -> Symbol:
    """What stands for a variable of an instance; another instance may have the same for something else."""
    if not isinstance(symbol, Definition) or symbol.parameters:
        return symbol
    body = Node("ref", (), symbol, unit.place)
    return Definition(name, (), body, unit.place, unit.module, outer=symbol.outer, variable=True)
