"""Names in processes."""

from __future__ import annotations

from homing.core.errors import Place
from homing.languages.csp import syntax as s
from homing.languages.csp.resolving_terms import TermChecker
from homing.languages.csp.scope import Bound, a, binds, counted

RESERVED = ("init", "terminate")
"""Events that every process has: before its first step, and when it ends."""


class ProcessChecker(TermChecker):
    """Checks processes against what is declared."""

    def process(self, process: s.Process | None, bound: Bound) -> None:
        """One process, with those in it."""
        match process:
            case s.Prefix(event=event, statements=statements, then=then):
                self.event(event, bound)
                self.statements(statements, bound)
                self.process(then, bound)
            case s.Output():
                self.output(process, bound)
            case s.Input():
                self.input(process, bound)
            case s.Composition(parts=parts):
                for part in parts:
                    self.process(part, bound)
            case s.Replicated(ranges=ranges, count=count, body=body):
                self.expressions((count,), bound)
                self.process(body, self.ranges(ranges, bound))
            case s.Hiding(body=body, events=events):
                self.process(body, bound)
                self.event_sets(events, bound)
            case s.Guard(condition=condition, body=body):
                self.expression(condition, bound)
                self.process(body, bound)
            case s.Conditional(condition=condition, then=then, otherwise=otherwise):
                self.expression(condition, bound)
                self.process(then, bound)
                self.process(otherwise, bound)
            case s.Case(branches=branches, default=default):
                for condition, branch in branches:
                    self.expression(condition, bound)
                    self.process(branch, bound)
                self.process(default, bound)
            case s.Atomic(body=body):
                self.process(body, bound)
            case s.Assertion(condition=condition):
                self.expression(condition, bound)
            case s.Reference():
                self.reference(process, bound)

    def reference(self, reference: s.Reference, bound: Bound) -> None:
        """A process by its name."""
        self.expressions(reference.arguments, bound)
        definition = self.scope.definitions.get(reference.name)
        if definition is None:
            self.problems.unknown("unknown process", reference.name, reference.place, self.scope.definitions)
        else:
            wanted = len(definition.parameters)
            self.arity("process", reference.name, wanted, len(reference.arguments), reference.place)

    def event(self, event: s.EventName | None, bound: Bound) -> None:
        """An event that a process does."""
        if event is None:
            return
        self.event_name(event, bound)
        self.expressions(event.arguments, bound)
        if event.name in RESERVED:
            self.problems.add(
                f"'{event.name}' is an event that every process has, so no process can name it", event.place
            )

    def event_name(self, event: s.EventName, bound: Bound) -> None:
        """Events and values are told apart by their names, so no name can be both."""
        kind = bound.get(event.name) or self.scope.kind(event.name)
        if kind and kind != "channel":
            self.problems.add(f"event '{event.name}' has the name of {a(kind)}", event.place)

    def event_sets(self, events: tuple[s.EventSet, ...], bound: Bound) -> None:
        """Events of hiding and of alphabets, where also those of channels may stand."""
        for one in events:
            inner = self.ranges(one.ranges, bound)
            self.event_name(one.event, bound)
            self.expressions(one.event.arguments, inner)

    def output(self, output: s.Output, bound: Bound) -> None:
        """`c!e -> P`."""
        self.channel(output.channel, output.indices, output.place, bound)
        self.expressions(output.fields, bound)
        wanted = self.scope.received.get(output.channel, set())
        self.fields("is sent", output.channel, len(output.fields), wanted, output.place)
        self.statements(output.statements, bound)
        self.process(output.then, bound)

    def input(self, received: s.Input, bound: Bound) -> None:
        """`c?x -> P`."""
        self.channel(received.channel, received.indices, received.place, bound)
        wanted = self.scope.sent.get(received.channel, set())
        self.fields("receives", received.channel, len(received.fields), wanted, received.place)
        before = bound
        for field in received.fields:
            if isinstance(field, s.Name) and binds(self.scope, before, field):
                bound = self.bind(field.name, "received value", field.place, bound)
            elif isinstance(field, s.Name) and field.name in self.scope.variables and field.name not in before:
                message = f"'{field.name}' is a variable; what is received can be bound to a new name only"
                self.problems.add(message, field.place)
            else:
                self.expression(field, bound)
        self.expressions((received.guard,), bound)
        self.statements(received.statements, bound)
        self.process(received.then, bound)

    def fields(self, what: str, channel: str, given: int, wanted: set[int], place: Place) -> None:
        """PAT lets messages of one channel differ in their number of fields; but somebody has to take each of them."""
        if wanted and given not in wanted:
            counts = " or ".join(str(count) for count in sorted(wanted))
            self.problems.add(f"channel '{channel}' {what} {counted(given, 'field')} here, elsewhere {counts}", place)
