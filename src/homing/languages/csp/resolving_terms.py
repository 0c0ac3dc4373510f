"""Names in expressions and statements."""

from __future__ import annotations

from collections.abc import Iterable

from homing.core.errors import Place
from homing.languages.csp import syntax as s
from homing.languages.csp.scope import CHANNEL_FUNCTIONS, LOCAL, Bound, Problems, Scope, a, counted, dimensions


class TermChecker:
    """Checks expressions and statements against what is declared."""

    def __init__(self, scope: Scope, problems: Problems) -> None:
        self.scope = scope
        self.problems = problems

    def expressions(self, all_of: Iterable[s.Expression | None], bound: Bound) -> None:
        """Each of them, where there is one."""
        for expression in all_of:
            if expression is not None:
                self.expression(expression, bound)

    def expression(self, expression: s.Expression, bound: Bound) -> None:
        """One expression."""
        match expression:
            case s.Name():
                self.name(expression, bound)
            case s.Item():
                self.item(expression, bound)
            case s.Unary(operand=operand):
                self.expression(operand, bound)
            case s.Binary(left=left, right=right):
                self.expression(left, bound)
                self.expression(right, bound)
            case s.Call():
                self.call(expression, bound)
            case s.Over(ranges=ranges, body=body):
                self.expression(body, self.ranges(ranges, bound))
            case s.Items(place=place):
                self.problems.add("an array literal stands where a single value is wanted", place)

    def name(self, written: s.Name, bound: Bound) -> None:
        """A name without index or arguments."""
        name, scope = written.name, self.scope
        if name in bound:
            return
        if name in scope.variables:
            if dimensions(scope.variables[name]):
                self.problems.add(f"'{name}' is an array; an element is '{name}[…]'", written.place)
        elif name in scope.macros:
            self.arity("macro", name, len(scope.macros[name].parameters), 0, written.place)
        else:
            self.no_value(name, written.place, bound)

    def no_value(self, name: str, place: Place, bound: Bound) -> None:
        """A name that stands for no value."""
        kind = self.scope.kind(name)
        if kind:
            self.problems.add(f"'{name}' is a {kind}, where a value is wanted", place)
        else:
            known = (*bound, *self.scope.variables, *self.scope.macros)
            self.problems.unknown("unknown variable", name, place, known)

    def item(self, item: s.Item, bound: Bound) -> None:
        """An element of an array."""
        self.expressions(item.indices, bound)
        if item.name in bound:
            self.problems.add(f"'{item.name}' is {a(bound[item.name])}, no array", item.place)
        elif item.name in self.scope.variables:
            self.indices("variable", item.name, dimensions(self.scope.variables[item.name]), item.indices, item.place)
        elif item.name in self.scope.macros:
            self.problems.add(f"'{item.name}' is a constant or macro, no array", item.place)
        else:
            self.no_value(item.name, item.place, {})

    def indices(self, what: str, name: str, wanted: int, given: tuple[s.Expression, ...], place: Place) -> None:
        """The number of indices."""
        if not wanted and given:
            self.problems.add(f"{what} '{name}' is no array, so it has no index", place)
        elif wanted != len(given):
            self.problems.add(f"{what} '{name}' has {counted(wanted, 'index')}, not {len(given)}", place)

    def arity(self, what: str, name: str, wanted: int, given: int, place: Place) -> None:
        """The number of arguments."""
        if wanted != given:
            self.problems.add(f"{what} '{name}' takes {counted(wanted, 'argument')}, not {given}", place)

    def call(self, call: s.Call, bound: Bound) -> None:
        """A macro with arguments, or a question about a channel."""
        if call.function in CHANNEL_FUNCTIONS:
            self.arity("function", call.function, 1, len(call.arguments), call.place)
            for argument in call.arguments:
                self.asked_channel(call.function, argument, bound)
            return
        self.expressions(call.arguments, bound)
        if call.function in self.scope.macros:
            wanted = len(self.scope.macros[call.function].parameters)
            self.arity("macro", call.function, wanted, len(call.arguments), call.place)
        else:
            known = (*self.scope.macros, *CHANNEL_FUNCTIONS)
            self.problems.unknown("unknown macro", call.function, call.place, known)

    def asked_channel(self, function: str, argument: s.Expression, bound: Bound) -> None:
        """What `call(cfull, c)` asks about."""
        if not isinstance(argument, s.Name | s.Item):
            self.problems.add(f"'{function}' asks about a channel", argument.place, self.scope.channels)
            return
        indices = argument.indices if isinstance(argument, s.Item) else ()
        self.channel(argument.name, indices, argument.place, bound)

    def channel(self, name: str, indices: tuple[s.Expression, ...], place: Place, bound: Bound) -> None:
        """A channel, or an element of a channel array."""
        self.expressions(indices, bound)
        if name in self.scope.channels:
            self.indices("channel", name, len(self.scope.channels[name].sizes), indices, place)
        else:
            self.problems.unknown("unknown channel", name, place, self.scope.channels)

    # What binds names

    def bind(self, name: str, kind: str, place: Place, bound: Bound) -> Bound:
        """The bound names with one more."""
        if name in bound:
            self.problems.add(f"'{name}' is bound twice: it is {a(bound[name])} already", place)
        elif name in self.scope.variables or name in self.scope.macros:
            self.problems.add(f"{kind} '{name}' has the name of a {self.scope.kind(name)}", place)
        return {**bound, name: kind}

    def ranges(self, ranges: tuple[s.Range, ...], bound: Bound) -> Bound:
        """Indices; each may be used in the ranges after it."""
        for one in ranges:
            for value in one.values:
                self.expressions(value if isinstance(value, tuple) else (value,), bound)
            bound = self.bind(one.name, "index", one.place, bound)
        return bound

    # Statements

    def statements(self, statements: tuple[s.Statement, ...] | None, bound: Bound) -> None:
        """A block; what is declared in it is known to its end."""
        for statement in statements or ():
            match statement:
                case s.Assign(target=target, value=value):
                    if not (self.whole_array(target, bound) and self.whole_array(value, bound)):
                        self.assigned(target, bound)
                        self.expression(value, bound)
                case s.Local(name=name, value=value):
                    self.expressions((value,), bound)
                    bound = self.bind(name, LOCAL, statement.place, bound)
                case s.IfStatement(condition=condition, then=then, otherwise=otherwise):
                    self.expression(condition, bound)
                    self.statements(then, bound)
                    self.statements(otherwise, bound)
                case s.While(condition=condition, body=body):
                    self.expression(condition, bound)
                    self.statements(body, bound)

    def whole_array(self, written: s.Expression, bound: Bound) -> bool:
        """Whether a name stands for all elements of an array, as both sides of `a = b` may."""
        declared = self.scope.variables.get(written.name) if isinstance(written, s.Name) else None
        return declared is not None and declared.name not in bound and dimensions(declared) > 0

    def assigned(self, target: s.Name | s.Item, bound: Bound) -> None:
        """What is assigned to has to be a variable."""
        kind = bound.get(target.name) or ("constant or macro" if target.name in self.scope.macros else None)
        if kind and kind != LOCAL:
            self.problems.add(f"cannot assign to '{target.name}', which is {a(kind)}", target.place)
        else:
            self.expression(target, bound)
