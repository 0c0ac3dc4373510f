"""A file's modules as one flat model: variables, assignments, constraints, specifications."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from homing.core.errors import HomingError, Place
from homing.languages.smv import syntax as s
from homing.languages.smv.instances import Deferred, Elements, Instance, Thing
from homing.languages.smv.resolving import Resolver, has_next
from homing.languages.smv.terms import (
    BOOLEAN,
    INTEGER,
    MIXED,
    SYMBOLIC,
    Pick,
    Ref,
    Scalar,
    Term,
    Type,
    Variable,
    walk,
)
from homing.languages.smv.tokens import Source

DEEPEST = 60
"""Instances inside of instances; more is a module inside of itself."""
MOST_VARIABLES = 20_000


@dataclass(frozen=True, eq=False)
class Assigned:
    """`init(x) := e` and the like."""

    variable: Variable
    kind: s.AssignKind
    term: Term
    at: int


@dataclass(frozen=True, eq=False)
class Condition:
    """INIT, INVAR or TRANS."""

    kind: str
    term: Term
    at: int


@dataclass(frozen=True, eq=False)
class Asked:
    """A specification of an instance."""

    spec: s.Specification
    scope: Instance


@dataclass(eq=False)
class Flat:
    """The whole model."""

    source: Source
    main: Instance
    resolver: Resolver
    variables: list[Variable] = field(default_factory=list)
    assigned: list[Assigned] = field(default_factory=list)
    conditions: list[Condition] = field(default_factory=list)
    fairness: list[tuple[s.Constraint, Instance]] = field(default_factory=list)
    asked: list[Asked] = field(default_factory=list)


def flatten(source: Source, modules: dict[str, s.Module]) -> Flat:
    """Instantiates main; raises HomingError on names and types that do not fit."""
    if "main" not in modules:
        raise HomingError("there is no MODULE main", Place(source.file), list(modules))
    main = modules["main"]
    if main.parameters:
        raise source.error("module 'main' has parameters, which nobody could bind", main.at)
    return _Flattener(source, modules).flat


class _Flattener:
    """First all declarations, since names may be used before they are declared; then the rest."""

    def __init__(self, source: Source, modules: dict[str, s.Module]) -> None:
        self.source = source
        self.modules = modules
        self.resolver = Resolver(source)
        self.flat = Flat(source, Instance(modules["main"], ""), self.resolver)
        self._declare(self.flat.main)
        for instance in self.flat.main.all():
            self._define_inside(instance)
        for instance in self.flat.main.all():
            self._clashes(instance)
        for instance in self.flat.main.all():
            self._body(instance)

    # Declarations

    def _declare(self, instance: Instance) -> None:
        module = instance.module
        for definition in module.definitions:
            if definition.within is None:
                self._define(instance, definition, instance)
        self.resolver.symbols.update(constant.name for constant in module.constants)
        for declaration in module.variables:
            self._symbols(declaration.type)
        for declaration in module.variables:
            name = instance.full(declaration.name)
            thing = self._thing(instance, name, declaration, declaration.type)
            self._add(instance, declaration.name, thing, declaration.at)

    def _define_inside(self, instance: Instance) -> None:
        """Definitions of other instances, when all are declared."""
        for definition in instance.module.definitions:
            if definition.within is not None:
                inner = self.resolver.thing(definition.within, instance)
                if not isinstance(inner, Instance):
                    raise self.source.error(f"what stands before '.{definition.name}' is no instance", definition.at)
                self._define(inner, definition, instance)

    def _define(self, owner: Instance, definition: s.Definition, scope: Instance) -> None:
        """A definition of an instance, in the names of another one perhaps."""
        deferred = Deferred(definition.name, definition.body, scope, shared=True)
        self._add(owner, definition.name, deferred, definition.at)

    def _add(self, instance: Instance, name: str, thing: Thing, at: int) -> None:
        if name in instance.names:
            raise self.source.error(f"'{name}' is declared twice in module '{instance.module.name}'", at)
        instance.names[name] = thing

    def _symbols(self, type_: s.Type) -> None:
        match type_:
            case s.EnumType(items=items):
                self.resolver.symbols.update(item.name for item in items if isinstance(item, s.Name))
            case s.ArrayType(element=element):
                self._symbols(element)

    def _clashes(self, instance: Instance) -> None:
        variables = instance.module.variables
        declared = [(each.name, each.at) for each in variables if not isinstance(each.type, s.InstanceType)]
        declared += [(each.name, each.at) for each in instance.module.definitions]
        for name, at in declared:
            if name in self.resolver.symbols:
                raise self.source.error(f"'{name}' is declared here and is a value of an enumeration, too", at)

    def _thing(self, instance: Instance, name: str, declaration: s.Declaration, type_: s.Type) -> Thing:
        if isinstance(type_, s.InstanceType):
            if declaration.kind != "VAR":
                raise self.source.error(f"an instance of a module is declared in VAR, not {declaration.kind}", type_.at)
            return self._instance(instance, name, type_)
        if isinstance(type_, s.ArrayType):
            low = self.resolver.constant(type_.low, instance, "a bound of an array")
            high = self.resolver.constant(type_.high, instance, "a bound of an array")
            if not 0 <= high - low < MOST_VARIABLES:
                raise self.source.error(f"an array of {high - low + 1} elements", type_.at)
            elements = (self._thing(instance, f"{name}[{n}]", declaration, type_.element) for n in range(low, high + 1))
            return Elements(low, tuple(elements))
        kind, domain = self._domain(instance, type_)
        variable = Variable(name, kind, domain, declaration.kind, self.source.place(declaration.at))
        variable.number = len(self.flat.variables)
        self.flat.variables.append(variable)
        if len(self.flat.variables) > MOST_VARIABLES:
            raise self.source.error(f"the model has more than {MOST_VARIABLES} variables", declaration.at)
        return variable

    def _domain(self, instance: Instance, type_: s.Type) -> tuple[Type, Sequence[Scalar]]:
        match type_:
            case s.BooleanType():
                return BOOLEAN, (False, True)
            case s.RangeType(low=low, high=high):
                first = self.resolver.constant(low, instance, "a bound of a range")
                last = self.resolver.constant(high, instance, "a bound of a range")
                if first > last:
                    raise self.source.error(f"the range {first}..{last} is empty", type_.at)
                return INTEGER, range(first, last + 1)
            case s.WordType(width=width, signed=signed):
                bits = self.resolver.constant(width, instance, "the width of a word")
                if not 1 <= bits <= s.MOST_BITS:
                    raise self.source.error(f"a word has 1 to {s.MOST_BITS} bits, not {bits}", type_.at)
                span = range(-(1 << (bits - 1)), 1 << (bits - 1)) if signed else range(1 << bits)
                return Type("word", bits, signed), span
            case s.EnumType(items=items):
                return self._enumeration(instance, items, type_.at)
        raise AssertionError(type_)

    def _enumeration(
        self, instance: Instance, items: tuple[s.Expression, ...], at: int
    ) -> tuple[Type, Sequence[Scalar]]:
        values: list[Scalar] = []
        for item in items:
            match item:
                case s.Name(name=name):
                    value: Scalar = name
                case s.Truth(value=truth):
                    value = truth
                case _:
                    value = self.resolver.constant(item, instance, "a value of an enumeration")
            if any(value == known and type(value) is type(known) for known in values):
                raise self.source.error(f"the value '{value}' is listed twice", item.at)
            values.append(value)
        kinds = {type(value) for value in values}
        if kinds == {bool}:
            return BOOLEAN, tuple(values)
        if bool in kinds:
            raise self.source.error("an enumeration mixes truth values with others", at)
        return {frozenset((int,)): INTEGER, frozenset((str,)): SYMBOLIC}.get(frozenset(kinds), MIXED), tuple(values)

    def _instance(self, outer: Instance, path: str, type_: s.InstanceType) -> Instance:
        module = self.modules.get(type_.module)
        if module is None:
            raise self.source.error(f"unknown module '{type_.module}'", type_.at, list(self.modules))
        if len(type_.arguments) != len(module.parameters):
            given, wanted = len(type_.arguments), len(module.parameters)
            what = f"module '{module.name}' has {wanted} parameter{'s' * (wanted != 1)}, not {given}"
            raise self.source.error(what, type_.at, list(module.parameters))
        if outer.depth >= DEEPEST:
            raise self.source.error(f"module '{module.name}' is inside of itself", type_.at)
        inner = Instance(module, path, depth=outer.depth + 1)
        outer.inner.append(inner)
        for name, argument in zip(module.parameters, type_.arguments, strict=True):
            inner.names[name] = Deferred(name, argument, outer, shared=False)
        self._declare(inner)
        return inner

    # Everything else

    def _body(self, instance: Instance) -> None:
        # Parameters that nobody uses may be anything, as in NuSMV.
        for definition in instance.module.definitions:
            if definition.within is None:
                self.resolver.known(instance.names[definition.name], definition.at)
        for assignment in instance.module.assignments:
            self._assignment(instance, assignment)
        for constraint in instance.module.constraints:
            if constraint.kind in ("JUSTICE", "COMPASSION"):
                self.flat.fairness.append((constraint, instance))
                continue
            term = self.resolver.build.boolean(self.resolver.term(constraint.conditions[0], instance))
            if constraint.kind != "TRANS":
                self.refuse(term, constraint.kind, constraint.at)
            self.flat.conditions.append(Condition(constraint.kind, term, constraint.at))
        for spec in instance.module.specifications:
            if isinstance(spec, s.Compute):
                raise self.source.error("'COMPUTE' is not supported", spec.at)
            self.flat.asked.append(Asked(spec, instance))

    def _assignment(self, instance: Instance, assignment: s.Assignment) -> None:
        left = self.resolver.term(assignment.left, instance)
        shown = {"now": "", "init": "init of ", "next": "next of "}[assignment.kind]
        if not isinstance(left, Ref):
            hint = ", not an element of an array by an index that varies" if isinstance(left, Pick) else ""
            raise self.source.error(f"what is assigned to has to be a variable{hint}", assignment.left.at)
        variable = left.variable
        if variable.kind == "IVAR":
            raise self.source.error(f"'{variable}' is an input variable, which cannot be assigned to", assignment.at)
        if variable.kind == "FROZENVAR" and assignment.kind == "next":
            raise self.source.error(f"'{variable}' is frozen, so it has no next value", assignment.at)
        if variable.kind == "FROZENVAR" and assignment.kind == "now":
            raise self.source.error(f"'{variable}' is frozen, so only its init is assigned", assignment.at)
        term = self.resolver.build.for_variable(variable, self.resolver.term(assignment.right, instance))
        if assignment.kind != "next":
            self.refuse(term, f"the {shown or 'assignment to '}'{variable}'", assignment.right.at)
        self.flat.assigned.append(Assigned(variable, assignment.kind, term, assignment.at))

    def refuse(self, term: Term, where: str, at: int) -> None:
        """No `next` and no inputs in what speaks of one state."""
        if has_next(term):
            raise self.source.error(f"'next' has no meaning in {where}", at)
        for part in walk(term):
            if isinstance(part, Ref) and part.variable.kind == "IVAR":
                raise self.source.error(f"the input variable '{part.variable}' cannot stand in {where}", part.at)
