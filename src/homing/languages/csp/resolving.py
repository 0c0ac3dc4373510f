"""Names: every one has to be declared, once, and to be used as what it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from homing.languages.csp import syntax as s
from homing.languages.csp.depth import below
from homing.languages.csp.resolving_processes import RESERVED, ProcessChecker
from homing.languages.csp.scope import CHANNEL_FUNCTIONS, Problems, Scope, counted

MOST_NODES = 100_000
"""A macro that is longer than this, written out, would take too long to evaluate."""
MOST_MACRO_LEVELS = 100
"""So that an expression as deep as allowed with a macro at its end can still be walked."""


def check(source: s.Source) -> Scope:
    """What is declared; raises HomingError for the first mistake with names in the file."""
    problems = Problems()
    scope = _declared(source, problems)
    _check_macros(scope, problems)
    problems.settle()  # the rest relies on these
    _collect_uses(source, scope)
    checker = _Checker(scope, problems)
    for part in (source.macros, source.variables, source.channels, source.definitions, source.alphabets):
        for declaration in part:
            checker.declaration(declaration)
    _check_order(source, scope, problems)
    for ask in source.assertions:
        checker.assertion(ask)
    problems.settle()
    return scope


def _declared(source: s.Source, problems: Problems) -> Scope:
    scope = Scope()
    tables: tuple[tuple[tuple[Any, ...], dict[str, Any]], ...] = (
        (source.macros, scope.macros),
        (source.variables, scope.variables),
        (source.channels, scope.channels),
        (source.definitions, scope.definitions),
    )
    everything = [(declaration, table) for declarations, table in tables for declaration in declarations]
    for declaration, table in sorted(everything, key=lambda pair: (pair[0].place.line, pair[0].place.column)):
        kind = scope.kind(declaration.name)
        if kind:
            problems.add(f"'{declaration.name}' is declared twice: it is a {kind} already", declaration.place)
        if declaration.name in CHANNEL_FUNCTIONS and table is scope.macros:
            problems.add(f"'{declaration.name}' is a function of the language already", declaration.place)
        table.setdefault(declaration.name, declaration)
    return scope


def _check_macros(scope: Scope, problems: Problems) -> None:
    """No macro may use itself, or become huge or deep when those in it are written out."""
    sizes: dict[str, tuple[int, int]] = {}
    waiting = list(scope.macros)[::-1]
    entered: set[str] = set()
    while waiting:
        name = waiting[-1]
        used = [each for each in _macros_in(scope.macros[name].body) if each in scope.macros]
        missing = [each for each in dict.fromkeys(used) if each not in sizes]
        if missing and name not in entered:
            entered.add(name)
            waiting.extend(missing)
            continue
        waiting.pop()
        if missing:
            problems.add(f"macro '{name}' uses itself", scope.macros[name].place)
        if name not in sizes:
            sizes[name] = _size(scope.macros[name].body, sizes)
            if sizes[name][0] > MOST_NODES or sizes[name][1] > MOST_MACRO_LEVELS:
                message = f"macro '{name}' becomes too large when the macros in it are written out"
                problems.add(message, scope.macros[name].place)


def _check_order(source: s.Source, scope: Scope, problems: Problems) -> None:
    """What a variable starts with may depend on those before it; twice the same alphabet would be one too many."""
    earlier: set[str] = set()
    for variable in source.variables:
        for name in _used_by(variable, scope):
            if name in scope.variables and name not in earlier:
                message = f"variable '{variable.name}' depends on '{name}', which is not declared before it"
                problems.add(message, variable.place)
        earlier.add(variable.name)
    given: set[str] = set()
    for alphabet in source.alphabets:
        if alphabet.process in given:
            problems.add(f"the alphabet of '{alphabet.process}' is given twice", alphabet.place)
        given.add(alphabet.process)


def _used_by(variable: s.Variable, scope: Scope) -> Iterator[str]:
    """The names in a declaration, and in the macros that it uses."""
    seen: set[str] = set()
    waiting: list[s.Node] = [variable]
    while waiting:
        for node, _ in below(waiting.pop()):
            name = node.function if isinstance(node, s.Call) else node.name if isinstance(node, s.Name | s.Item) else ""
            if name in seen or not name:
                continue
            seen.add(name)
            yield name
            if name in scope.macros:
                waiting.append(scope.macros[name].body)


def _macros_in(body: s.Node) -> Iterator[str]:
    for node, _ in below(body):
        if isinstance(node, s.Name | s.Call):
            yield node.name if isinstance(node, s.Name) else node.function


def _size(body: s.Node, sizes: dict[str, tuple[int, int]]) -> tuple[int, int]:
    """How many nodes and levels a macro has when those in it are written out; both cut off when too large."""
    count, depth = 0, 0
    for node, level in below(body):
        name = node.name if isinstance(node, s.Name) else node.function if isinstance(node, s.Call) else ""
        inner_count, inner_depth = sizes.get(name, (0, 0))
        count += 1 + inner_count
        depth = max(depth, level + inner_depth)
    return min(count, MOST_NODES + 1), min(depth, MOST_MACRO_LEVELS + 1)


def _collect_uses(source: s.Source, scope: Scope) -> None:
    """How processes use channels and events."""
    for definition in source.definitions:
        for node, _ in below(definition.body):
            match node:
                case s.Output(channel=channel, fields=fields):
                    scope.sent.setdefault(channel, set()).add(len(fields))
                case s.Input(channel=channel, fields=fields):
                    scope.received.setdefault(channel, set()).add(len(fields))
                case s.Prefix(event=s.EventName(name=name, arguments=arguments)):
                    scope.events.setdefault(name, set()).add(len(arguments))


class _Checker(ProcessChecker):
    def declaration(self, declaration: s.Declaration) -> None:
        match declaration:
            case s.Macro(parameters=parameters, body=body):
                self.formula(body, self._parameters(parameters, declaration))
            case s.Variable(sizes=sizes, low=low, high=high, value=value):
                self.expressions((*sizes, low, high), {})
                entries = value.entries if isinstance(value, s.Items) else ()
                for entry in entries:
                    self.expressions((entry.first, entry.times, entry.last), {})
                self.expressions((None if entries else value,), {})
            case s.Channel(sizes=sizes, capacity=capacity):
                self.expressions((*sizes, capacity), {})
            case s.Definition(parameters=parameters, body=body, bounds=bounds):
                self.expressions((bound for pair in bounds for bound in pair), {})
                self.process(body, self._parameters(parameters, declaration))
            case s.Alphabet():
                self._alphabet(declaration)

    def _parameters(self, parameters: tuple[str, ...], declaration: s.Node) -> dict[str, str]:
        bound: dict[str, str] = {}
        for name in parameters:
            bound = dict(self.bind(name, "parameter", declaration.place, bound))
        return bound

    def _alphabet(self, alphabet: s.Alphabet) -> None:
        definition = self.scope.definitions.get(alphabet.process)
        if definition is None:
            self.problems.unknown("unknown process", alphabet.process, alphabet.place, self.scope.definitions)
        else:
            self.event_sets(alphabet.events, dict.fromkeys(definition.parameters, "parameter"))

    def assertion(self, ask: s.Ask) -> None:
        self.process(ask.process, {})
        match ask:
            case s.Reaches(goal=goal, measure=measure):
                self.expressions((goal, measure), {})
            case s.Satisfies(formula=formula):
                self.formula(formula, {})
            case s.RefinesAssertion(specification=specification):
                self.process(specification, {})

    def formula(self, formula: s.Formula, bound: dict[str, str]) -> None:
        match formula:
            case s.Temporal(operands=operands):
                for operand in operands:
                    self.formula(operand, bound)
            case s.Happening(event=event, indices=indices):
                self.expressions(event.arguments, bound)
                if event.name in self.scope.channels:
                    self.channel(event.name, indices, formula.place, bound)
                    tables = (self.scope.sent, self.scope.received, self.scope.events)
                    used = set().union(*(table.get(event.name, set()) for table in tables))
                    self.fields("has", event.name, len(event.arguments), used, formula.place)
                else:
                    self._happening(formula)
            case _:
                self.expression(formula, bound)

    def _happening(self, formula: s.Happening) -> None:
        name, given = formula.event.name, len(formula.event.arguments)
        if formula.kind or formula.indices:
            self.problems.unknown("unknown channel", name, formula.place, self.scope.channels)
        elif name not in self.scope.events and name not in RESERVED:
            known = (*self.scope.events, *self.scope.channels)
            self.problems.unknown("no variable, no macro, and no process does an event", name, formula.place, known)
        elif given not in self.scope.events.get(name, {0}):
            wanted = " or ".join(str(count) for count in sorted(self.scope.events[name]))
            message = f"event '{name}' is never done with {counted(given, 'argument')}, only with {wanted}"
            self.problems.add(message, formula.place)
