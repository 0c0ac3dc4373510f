"""The processes of a model: templates instantiated, with their edges compiled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from homing.languages.uppaal import parsing
from homing.languages.uppaal import syntax as s
from homing.languages.uppaal.code import NO_EFFECTS, Effects, Run
from homing.languages.uppaal.conditions import All, Atom, Conditions, Formula, Stuck, atoms, decided
from homing.languages.uppaal.reading import EdgeText, LocationText, Source, TemplateText
from homing.languages.uppaal.scope import Process, Scope, Template, Variable
from homing.languages.uppaal.store import Store
from homing.languages.uppaal.text import a, counted
from homing.languages.uppaal.types import CONSTANT, INT, Chan, Clock, Int, Scalar, Type, choices, compatible, compound

TRUE = All(())
MOST_PROCESSES = 10_000
MOST_EXPANDED = 32
"""What an edge selects from no more values than this is written out, one edge each."""


@dataclass(frozen=True, eq=False)
class Location:
    """A location of a process."""

    text: LocationText
    invariant: Formula

    @property
    def name(self) -> str:
        """As states show it."""
        return self.text.name


@dataclass(frozen=True, eq=False)
class Channel:
    """What an edge synchronises on; `region` are the channels that may be meant."""

    type: Chan
    sends: bool
    run: Run
    fixed: int | None
    region: range
    effects: Effects
    node: s.Node


@dataclass(frozen=True, eq=False)
class Edge:
    """An edge of a process, for one choice of what it selects."""

    number: int
    """Of its process, by place in the system."""
    process: Process
    text: EdgeText
    source: Location
    target: Location
    test: int | None
    """The address that says whether the process is at the source, None where it always is."""
    guard: Formula
    channel: Channel | None
    update: Run
    effects: Effects
    """Of its update."""
    choices: tuple[tuple[int, range], ...] = ()
    """What is selected when it is taken: addresses and values."""


@dataclass(eq=False)
class Member:
    """A process with its locations and edges."""

    process: Process
    initial: Location
    locations: list[Location]
    edges: list[Edge]
    priority: int


@dataclass(eq=False)
class Network:
    """A whole model."""

    file: str
    compiler: Conditions
    scope: Scope
    members: list[Member] = field(default_factory=list)
    channel_priorities: dict[int, int] = field(default_factory=dict)
    default_priority: int = 0

    @property
    def store(self) -> Store:
        """Its cells."""
        return self.compiler.store


def network(source: Source) -> Network:
    """Everything that a model declares, checked."""
    compiler = Conditions(Store())
    scope = Scope()
    found = Network(source.file, compiler, scope)
    _declare(found, parsing.declarations(source.declarations), scope)
    for text in source.templates:
        template = Template(text.name, parsing.parameters(text.parameters), text)
        scope.declare(text.name, template, s.Node(text.declarations, 0, 0))
    system = parsing.system(source.system)
    # Templates do not see what the system section declares.
    around = Scope(scope)
    for node in system.declarations:
        if isinstance(node, s.Instantiation):
            _instantiate(around, node)
        else:
            _declare(found, (node,), around)
    found.scope = around
    _processes(found, system, scope)
    if not any(cell.kind == "slot" for cell in found.store.cells):
        # Only time passes here, and yet a state has at least one slot.
        found.store.location("system", "running")
    return found


def _declare(found: Network, nodes: tuple[s.Declaration, ...], scope: Scope) -> None:
    for node in nodes:
        if isinstance(node, s.ChannelPriority):
            _channel_priority(found, node, scope)
        else:
            found.compiler.declare(node, scope)


def _channel_priority(found: Network, node: s.ChannelPriority, scope: Scope) -> None:
    for level, elements in enumerate(node.levels):
        for element in elements:
            if element is None:
                found.default_priority = level
                continue
            code = found.compiler.expression(element, scope)
            if not code.type.has(Chan) or code.target is None or code.target.fixed is None:
                raise element.error(f"'{element.words}' is no channel")
            found.channel_priorities.update(dict.fromkeys(code.target.region, level))


def _instantiate(scope: Scope, node: s.Instantiation) -> None:
    base = scope.find(node.template)
    if not isinstance(base, Template):
        at = s.Name(node.source, node.template_at, node.template_at + len(node.template), node.template)
        raise scope.missing("unknown template", node.template, at, Template)
    scope.declare(node.name, Template(node.name, node.parameters, None, base, node.arguments, node), node)


def _processes(found: Network, system: s.SystemNode, outer: Scope) -> None:
    listed: set[str] = set()
    for priority, level in enumerate(system.levels):
        for name in level:
            if name.name in listed:
                raise name.error(f"'{name.name}' is in the system twice")
            listed.add(name.name)
            template = found.scope.find(name.name)
            if not isinstance(template, Template):
                raise found.scope.missing("unknown template or process", name.name, name, Template)
            for values, scope in _expanded(found, template, name):
                called = f"{name.name}({','.join(map(str, values))})" if values else name.name
                if len(found.members) >= MOST_PROCESSES:
                    raise name.error(f"the system has more than {MOST_PROCESSES} processes")
                member = _member(found, called, template, scope, outer, priority)
                found.scope.names[called] = member.process


def _expanded(found: Network, template: Template, name: s.Name) -> Iterator[tuple[tuple[int, ...], Scope]]:
    """The values of parameters that are left free, and a scope with them."""
    outer = Scope(found.scope)
    types: list[tuple[str, Type]] = []
    for parameter in template.parameters:
        of = found.compiler.sized(found.compiler.type(parameter.type, outer), parameter.declared, outer)
        if parameter.reference or not isinstance(of, Int | Scalar) or of in (INT, CONSTANT):
            what = f"the parameter '{parameter.declared.name}' of '{template.name}' is {a(str(of))}"
            raise name.error(f"{what}, which has no small set of values: give it an argument")
        types.append((parameter.declared.name, of))
    ranges = [choices(of) or range(0) for _, of in types]
    for values in product(*ranges):
        scope = Scope(found.scope)
        for (parameter_name, of), value in zip(types, values):
            address = found.store.constant(of, parameter_name, (value,))
            scope.names[parameter_name] = Variable(of, address, const=True)
        yield values, scope


def _member(found: Network, called: str, template: Template, scope: Scope, outer: Scope, priority: int) -> Member:
    while template.base is not None:
        scope = _passed(found, template, scope, called)
        template = template.base
    text = template.text
    assert text is not None
    own = Scope(outer, dict(scope.names), f"{called}.")
    for declaration in parsing.declarations(text.declarations):
        found.compiler.declare(declaration, own)
    names = tuple(location.name for location in text.locations)
    at = found.store.location(called, text.initial.name) if len(names) > 1 else None
    process = Process(called, own, names, at)
    member = _compiled(found, process, text, priority)
    found.members.append(member)
    return member


def _passed(found: Network, template: Template, scope: Scope, called: str) -> Scope:
    """The scope of a base's parameters, given that of an instantiation of it."""
    base, node = template.base, template.node
    assert base is not None
    assert node is not None
    if len(template.arguments) != len(base.parameters):
        wanted = counted(len(base.parameters), "argument")
        raise node.error(f"'{base.name}' takes {wanted}, not {len(template.arguments)}")
    inner = Scope(found.scope)
    for parameter, argument in zip(base.parameters, template.arguments):
        # The types of parameters may speak of parameters before them.
        of = found.compiler.sized(found.compiler.type(parameter.type, inner), parameter.declared, inner)
        inner.names[parameter.declared.name] = _argument(found, parameter, of, argument, scope, called)
    return inner


def _argument(
    found: Network, parameter: s.Parameter, of: Type, node: s.Expression, scope: Scope, called: str
) -> Variable:
    code = found.compiler.expression(node, scope)
    const = "const" in parameter.type.prefixes
    both_channels = of.has(Chan) and code.type.has(Chan)
    if not compatible(of, code.type) and not (both_channels and of.cells == code.type.cells):
        raise node.error(f"'{node.words}' is {a(str(code.type))}, where {a(str(of))} is wanted")
    if parameter.reference:
        target = code.target
        if target is None or target.fixed is None or (target.const and not const):
            raise node.error(f"'{node.words}' cannot be passed by reference")
        return Variable(code.type if both_channels else of, target.fixed, const)
    if of.has(Clock) or of.has(Chan):
        raise parameter.error(f"{a(str(of))} is passed by reference: write '&' before '{parameter.declared.name}'")
    if not code.known:
        found.compiler.explain(code)
        raise node.error(f"'{node.words}' is not constant, so it cannot be passed by value")
    values = code.value if compound(of) else (code.value,)
    for leaf, value in zip(of.leaves(), values):
        if isinstance(leaf, Int) and not leaf.low <= value <= leaf.high:
            raise node.error(f"'{node.words}' is {value}, which is not within {leaf.low} to {leaf.high}")
    address = found.store.constant(of, f"{called}.{parameter.declared.name}", tuple(values))
    return Variable(of, address, const=True)


def _compiled(found: Network, process: Process, text: TemplateText, priority: int) -> Member:
    locations = {each.id: Location(each, _invariant(found, process, each)) for each in text.locations}
    number = len(found.members)
    edges = [
        edge
        for each in text.edges
        for edge in _edges(found, process, number, each, locations[each.source.id], locations[each.target.id])
    ]
    return Member(process, locations[text.initial.id], list(locations.values()), edges, priority)


def _invariant(found: Network, process: Process, text: LocationText) -> Formula:
    if text.invariant is None:
        return TRUE
    node = parsing.expression(text.invariant)
    formula = found.compiler.formula(node, process.scope)
    _check_invariant(formula, node)
    return formula


def _check_invariant(formula: Formula, node: s.Node, convex: bool = True) -> None:
    match formula:
        case Stuck():
            raise node.error("'deadlock' belongs into queries")
        case Atom(operator=operator, left=left, right=right):
            difference = left is not None and right is not None
            if operator == "!=" or (operator == "==" and not difference):
                raise formula.node.error(f"'{formula.node.words}': an invariant compares clocks by <, <=, > and >=")
        case All(parts=parts, conjunction=conjunction):
            if not conjunction and sum(any(atoms(part)) for part in parts) > 1:
                raise node.error(f"'{node.words}': an invariant is no disjunction of bounds on clocks")
            for part in parts:
                _check_invariant(part, node)


def _edges(
    found: Network, process: Process, number: int, text: EdgeText, source: Location, target: Location
) -> Iterator[Edge]:
    compiler = found.compiler
    selects = parsing.selects(text.select) if text.select is not None else ()
    for scope, chosen in _selected(compiler, selects, process.scope):
        guard = TRUE if text.guard is None else compiler.formula(parsing.expression(text.guard), scope)
        if decided(guard) is False:
            continue
        if any(isinstance(part, Stuck) for part in _parts(guard)):
            raise text.guard.error(0, "'deadlock' belongs into queries")  # type: ignore[union-attr]
        update, effects = _update(compiler, text, scope)
        channel = _channel(compiler, text, scope, guard)
        test = None if process.at is None else found.store.test(process.at, source.name)
        yield Edge(number, process, text, source, target, test, guard, channel, update, effects, chosen)


def _parts(formula: Formula) -> Iterator[Formula]:
    yield formula
    if isinstance(formula, All):
        for part in formula.parts:
            yield from _parts(part)


def _selected(
    compiler: Conditions, selects: tuple[s.Select, ...], scope: Scope, room: int = MOST_EXPANDED
) -> Iterator[tuple[Scope, tuple[tuple[int, range], ...]]]:
    """The scopes of an edge: one for each choice, or one with what is chosen later where there are too many."""
    if not selects:
        yield Scope(scope, {}, scope.owner), ()
        return
    first, rest = selects[0], selects[1:]
    of, values = compiler.bound_values(first, scope)
    if len(values) <= room:
        for value in values:
            inner = compiler.binding(first.name, of, value, scope)
            yield from _selected(compiler, rest, inner, room // len(values))
        return
    address = compiler.store.local(of, first.name)
    compiler.store.facts.append(((address,), lambda _ranges: (values[0], values[-1])))
    inner = Scope(scope, {first.name: Variable(of, address, const=True)}, scope.owner)
    for found, chosen in _selected(compiler, rest, inner, room):
        yield found, ((address, values), *chosen)


def _update(compiler: Conditions, text: EdgeText, scope: Scope) -> tuple[Run, Effects]:
    if text.update is None:
        return (lambda _memory: None), NO_EFFECTS
    return compiler.evaluation(parsing.updates(text.update), scope)


def _channel(compiler: Conditions, text: EdgeText, scope: Scope, guard: Formula) -> Channel | None:
    if text.sync is None:
        return None
    node = parsing.sync(text.sync)
    code = compiler.expression(node.channel, scope)
    if not isinstance(code.type, Chan):
        raise node.error(f"'{node.channel.words}' is {a(str(code.type))}, where a channel is wanted")
    target = code.target
    assert target is not None
    if code.type.urgent and any(atoms(guard)):
        raise text.guard.error(0, f"the channel '{node.channel.words}' is urgent, so no clock may be in the guard")  # type: ignore[union-attr]
    return Channel(code.type, node.sends, target.run, target.fixed, target.region, target.effects, node)
