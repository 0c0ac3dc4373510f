"""Looks every name up: modules, what they extend, and instances of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from homing.core.errors import HomingError, Place
from homing.languages.tla import files, parse, syntax
from homing.languages.tla.levels import check_unused
from homing.languages.tla.lookup import Lookup
from homing.languages.tla.modules import BASE, STANDARD
from homing.languages.tla.scope import Bound, Builtin, Constant, Definition, Namespace, Scope, Symbol, Variable, unknown
from homing.languages.tla.selection import Labels
from homing.languages.tla.syntax import Node


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
    standard: set[str] = field(default_factory=set)
    """The standard modules that it uses."""


def resolve(path: Path) -> Specification:
    """The specification in a file, with the modules beside it."""
    modules = parse.read(path)
    return _Resolver(path, modules).specification(_main(modules, path))


def _main(modules: list[syntax.Module], path: Path) -> syntax.Module:
    """The module that has the name of its file."""
    for module in modules:
        if module.name == path.stem:
            return module
    last = modules[-1]
    raise HomingError(f"module '{last.name}' is in a file of another name; it belongs in {last.name}.tla", last.place)


class _Resolver(Lookup):
    """Knows the modules read so far, and collects what belongs to the specification as a whole."""

    def __init__(self, path: Path, modules: list[syntax.Module]) -> None:
        super().__init__()
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
            scope.names |= _not_hiding(scope.names, self._extended(name, place, scope, declare, inner))
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
            self.result.standard.add(name)
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
                said = f"there is no module '{name}' beside {self.path.name}, nor is it a standard one"
                raise unknown(said, name, known, place)
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
                self.instance(unit, scope, inner)
            case syntax.Assumption():
                body = self.expression(unit.body, scope)
                self.levels.check_constant(body, "an assumption", unit.body.place)
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
        check_unused([p.name for p in unit.parameters], scope, unit.place)
        if module == "LET" and scope.parent is not None:
            check_unused([unit.name], scope.parent, unit.place)
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
        self.labels.append(Labels())
        body = self.expression(unit.body, inside)
        definition.labels = self.labels.pop().found
        if definition is not before:
            self._add(scope, unit.name, definition, unit.place)
        definition.body = body
        if unit.local:
            scope.local.add(unit.name)
        self.result.definitions.append(definition)
        return definition

    # Instances

    def instance(self, unit: syntax.Instance, scope: Scope, inner: dict[str, syntax.Module]) -> None:
        if unit.module in STANDARD and unit.module not in inner:
            self.result.standard.add(unit.module)
            found = Scope(names=dict(STANDARD[unit.module]))
        else:
            found = self._instanced(unit, scope, inner)
        if unit.name is not None:
            parameters = tuple(
                p for p in found.outer[len(found.outer) - len(unit.parameters) :] if isinstance(p, Bound)
            )
            self._add(scope, unit.name, Namespace(unit.name, parameters, found), unit.place)
            if unit.local:
                scope.local.add(unit.name)
            return
        for name, symbol in _not_hiding(scope.names, dict(found.exported())).items():
            if not isinstance(symbol, Variable | Constant) and name not in found.given:
                if isinstance(scope.names.get(name), Definition) and not isinstance(symbol, Builtin):
                    continue  # the same module, instanced and extended
                scope.names[name] = symbol
                if unit.local:
                    scope.local.add(name)

    def _instanced(self, unit: syntax.Instance, scope: Scope, inner: dict[str, syntax.Module]) -> Scope:
        module = self._find(unit.module, unit.place, inner)
        parameters = tuple(Bound(p.name, p.arity) for p in unit.parameters)
        check_unused([p.name for p in unit.parameters], scope, unit.place)
        within = scope.inside([(p.name, p) for p in parameters])
        given = dict(unit.substitutions)
        outer = (*scope.outer, *scope.captured(), *parameters)
        used: set[str] = set()
        constants: dict[str, Symbol] = {}

        def declare(target: Scope, declaration: syntax.Constants | syntax.Variables) -> None:
            for parameter in declaration.declared:
                used.add(parameter.name)
                symbol = self._substituted(parameter, given, within, unit, outer)
                if isinstance(declaration, syntax.Variables):
                    symbol = _for_variable(symbol, parameter.name, unit)
                else:
                    constants[parameter.name] = symbol
                target.names[parameter.name] = symbol
                target.given.add(parameter.name)

        fresh = Scope(parent=Scope(names=dict(BASE)), outer=outer)
        found = self.module(module, fresh, declare, inner)
        for name in given.keys() - used:
            raise HomingError(
                f"module '{unit.module}' declares no constant or variable '{name}' to substitute", unit.place, used
            )
        if len(constants) < len(used):
            found.constant = self._constants(constants, unit)
        return found

    def _constants(self, symbols: dict[str, Symbol], unit: syntax.Instance) -> frozenset[Bound]:
        """Checks what stands for the constants of a module with variables; returns the parameters in it."""
        found: set[Bound] = set()
        for name, symbol in symbols.items():
            what = f"what stands for constant '{name}' of module '{unit.module}', which has variables,"
            node = Node("ref", (), symbol, unit.place)
            self.levels.check_constant(node, what, unit.place)
            found |= self.levels.parameters(node)
        return frozenset(found)

    def _substituted(
        self,
        parameter: syntax.Parameter,
        given: dict[str, Node],
        scope: Scope,
        unit: syntax.Instance,
        outer: tuple[Bound | Definition, ...],
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
            symbol = self.operator(node, scope, parameter.arity).data
            assert isinstance(symbol, Definition | Builtin | Bound | Constant)
            return symbol
        return Definition(parameter.name, (), self.expression(node, scope), unit.place, unit.module, outer=outer)


def _not_hiding(names: dict[str, Symbol], more: dict[str, Symbol]) -> dict[str, Symbol]:
    """What a standard module has, without what the specification has defined itself: versions of them differ."""
    return {
        name: symbol
        for name, symbol in more.items()
        if not isinstance(symbol, Builtin) or isinstance(names.get(name, symbol), Builtin)
    }


def _for_variable(symbol: Symbol, name: str, unit: syntax.Instance) -> Symbol:
    """What stands for a variable of an instance; another instance may have the same for something else."""
    if not isinstance(symbol, Definition) or symbol.parameters:
        return symbol
    body = Node("ref", (), symbol, unit.place)
    return Definition(name, (), body, unit.place, unit.module, outer=symbol.outer, variable=True)
