"""From expressions, with the names of an instance, to terms."""

from __future__ import annotations

from collections.abc import Callable

from homing.core.errors import HomingError
from homing.languages.common.names import hint
from homing.languages.smv import operators as o
from homing.languages.smv import syntax as s
from homing.languages.smv.building import Builder, described
from homing.languages.smv.expressions import TEMPORAL
from homing.languages.smv.instances import Deferred, Elements, Instance, Thing
from homing.languages.smv.terms import (
    BOOLEAN,
    INTEGER,
    SYMBOLIC,
    Constant,
    Next,
    Ref,
    Shared,
    Term,
    Type,
    Variable,
    walk,
)
from homing.languages.smv.tokens import Source


class Resolver:
    """Knows the symbols of the model; `thing` may be an instance or an array, `term` is a value."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.build = Builder(source)
        self.symbols: set[str] = set()

    def error(self, message: str, at: int, known: list[str] | None = None) -> HomingError:
        """Bad input."""
        return self.source.error(message, at, known or [])

    def term(self, expression: s.Expression, scope: Instance) -> Term:
        """The value of an expression."""
        found = self.thing(expression, scope)
        if isinstance(found, Term):
            return found
        if isinstance(expression, s.Name) and expression.name in self.symbols:
            return Constant(SYMBOLIC, expression.at, expression.name)  # an instance may be called like a value
        what = "an array" if isinstance(found, Elements) else f"an instance of module '{found.module.name}'"
        raise self.error(f"{what} stands where a value is wanted", expression.at)

    def constant(self, expression: s.Expression, scope: Instance, what: str) -> int:
        """A number that does not depend on any state."""
        term = self.build.number(self.term(expression, scope))
        if isinstance(term, Shared):
            term = term.body
        if not isinstance(term, Constant):
            raise self.error(f"{what} has to be a constant", expression.at)
        return int(term.value)

    def thing(self, expression: s.Expression, scope: Instance) -> Term | Instance | Elements:
        """What an expression stands for."""
        at = expression.at
        match expression:
            case s.Name(name=name):
                return self._name(name, at, scope)
            case s.Number(value=value):
                return Constant(INTEGER, at, value)
            case s.Truth(value=value):
                return Constant(BOOLEAN, at, value)
            case s.WordLiteral(value=value, width=width, signed=signed):
                return Constant(Type("word", width, signed), at, value)
            case s.Self():
                return scope
            case s.Field():
                return self._field(expression, scope)
            case s.Item():
                return self._item(expression, scope)
            case s.Bits():
                return self._bits(expression, scope)
            case s.Operation():
                return self._operation(expression, scope)
            case s.Call():
                return self._call(expression, scope)
            case s.Case(branches=branches):
                return self.build.case(at, [(self.term(c, scope), self.term(v, scope)) for c, v in branches])
            case s.SetOf(items=items):
                return self.build.among(at, [self.term(item, scope) for item in items])
            case s.ArrayOf(items=items):
                return Elements(0, tuple(self.thing(item, scope) for item in items))
        raise self.error("a temporal operator inside of an expression", at)

    # Names

    def _name(self, name: str, at: int, scope: Instance) -> Term | Instance | Elements:
        found = scope.names.get(name)
        if found is not None:
            return self.known(found, at)
        if name in self.symbols:
            return Constant(SYMBOLIC, at, name)
        raise self.unknown(name, at, scope, sorted({*scope.names, *self.symbols}))

    def unknown(self, name: str, at: int, scope: Instance, known: list[str]) -> HomingError:
        """A name that nobody declared."""
        first, minus, rest = name.partition("-")
        advice = hint(name, known)
        if minus and first in known:
            advice = f" (names may have a '-' inside; write '{first} - {rest}' for a difference)"
        return self.error(f"unknown name '{name}' in module '{scope.module.name}'{advice}", at, known)

    def known(self, found: Thing, at: int) -> Term | Instance | Elements:
        """What a declared thing is where it is used."""
        if isinstance(found, Variable):
            return Ref(found.type, at, found)
        if not isinstance(found, Deferred):
            return found
        if found.busy:
            what = "definition" if found.shared else "parameter"
            raise self.error(f"{what} '{found.name}' depends on itself", found.body.at)
        if found.found is None:
            found.busy = True
            try:
                inner = self.thing(found.body, found.scope)
            finally:
                found.busy = False
            if isinstance(inner, Term) and not isinstance(inner, Constant | Ref | Shared):
                inner = Shared(inner.type, inner.at, found.name, inner)
            found.found = inner
        inner_thing = found.found
        assert not isinstance(inner_thing, Variable | Deferred)
        return inner_thing

    def _field(self, expression: s.Field, scope: Instance) -> Term | Instance | Elements:
        base = self.thing(expression.base, scope)
        if not isinstance(base, Instance):
            raise self.error(f"what stands before '.{expression.name}' is no instance of a module", expression.at)
        found = base.names.get(expression.name)
        if found is None:
            raise self.unknown(expression.name, expression.at, base, sorted(base.names))
        return self.known(found, expression.at)

    def _item(self, expression: s.Item, scope: Instance) -> Term | Instance | Elements:
        base = self.thing(expression.base, scope)
        if not isinstance(base, Elements):
            hint = "; bits of a word are [high:low]" if isinstance(base, Term) and base.type.kind == "word" else ""
            raise self.error(f"what stands before '[' is no array{hint}", expression.at)
        index = self.build.number(self.term(expression.index, scope))
        if isinstance(index, Constant):
            position = int(index.value) - base.low
            if not 0 <= position < len(base.items):
                last = base.low + len(base.items) - 1
                raise self.error(f"index {index.value} is not in {base.low}..{last}", expression.index.at)
            return self.known(base.items[position], expression.at)
        return self._picked(expression.at, index, base)

    def _picked(self, at: int, index: Term, base: Elements) -> Term | Elements:
        items = [self.known(item, at) for item in base.items]
        terms = [item for item in items if isinstance(item, Term)]
        if len(terms) == len(items):
            return self.build.pick(at, index, base.low, terms)
        rows = [item for item in items if isinstance(item, Elements)]
        if len(rows) < len(items) or len({(row.low, len(row.items)) for row in rows}) > 1:
            raise self.error("the elements to choose from are not of one shape", at)
        columns = zip(*(row.items for row in rows), strict=True)
        return Elements(rows[0].low, tuple(self._picked(at, index, Elements(base.low, column)) for column in columns))

    def _bits(self, expression: s.Bits, scope: Instance) -> Term:
        base = self.build.single(self.term(expression.base, scope))
        if base.type.kind != "word":
            raise self.error(f"a word is wanted here, not {described(base.type)}", expression.at)
        high = self.constant(expression.high, scope, "the number of a bit")
        low = self.constant(expression.low, scope, "the number of a bit")
        if not 0 <= low <= high < base.type.width:
            raise self.error(f"[{high}:{low}] is no part of a word with {base.type.width} bits", expression.at)
        wanted = Type("word", high - low + 1)
        return self.build.applied(wanted, expression.at, "bits", o.bits(high, low), (base,))

    # Operators

    def _operation(self, expression: s.Operation, scope: Instance) -> Term:
        at, operator, build = expression.at, expression.operator, self.build
        if operator in TEMPORAL or operator in ("AU", "EU"):
            raise self.error(f"'{operator}' stands inside of an expression, which has no time", at)
        terms = [self.term(operand, scope) for operand in expression.operands]
        first = terms[0]
        words = first.type.kind == "word"
        match operator:
            case "next":
                return self._next(at, first)
            case "!" if words:
                return build.applied(first.type, at, "!", o.on_words(lambda value: ~value, first.type), (first,))
            case "!":
                return build.negation(at, first)
            case "neg" if words:
                return build.applied(first.type, at, "-", o.on_words(lambda value: -value, first.type), (first,))
            case "neg":
                return build.applied(INTEGER, at, "-", lambda value: -value, (build.number(first),))
            case "&" | "|" | "xor" | "xnor" | "->" | "<->" if words:
                for other in terms[1:]:
                    first = build.bitwise(operator, at, first, other)
                return first
            case "&":
                return build.conjunction(at, terms)
            case "|":
                return build.disjunction(at, terms)
            case "->":
                return build.implication(at, first, terms[1])
            case "<->" | "xnor":
                return build.equal(at, build.boolean(first), build.boolean(terms[1]))
            case "xor":
                return build.negation(at, build.equal(at, build.boolean(first), build.boolean(terms[1])))
            case "=":
                return build.equal(at, first, terms[1])
            case "!=":
                return build.negation(at, build.equal(at, first, terms[1]))
            case "<" | "<=" | ">" | ">=":
                return build.comparison(operator, at, first, terms[1])
            case "?":
                return build.case(at, [(first, terms[1]), (Constant(BOOLEAN, at, True), terms[2])])
            case "in":
                return build.member(at, first, terms[1])
            case "union":
                return build.among(at, terms)
            case "..":
                return build.span(at, first, terms[1])
            case "<<" | ">>":
                return self._shift(operator, at, first, terms[1])
            case "::":
                return self._joined(at, first, terms[1])
        return build.arithmetic(operator, at, first, terms[1])

    def _next(self, at: int, body: Term) -> Term:
        if has_next(body):
            raise self.error("'next' inside of 'next'", at)
        for part in walk(body):
            if isinstance(part, Ref) and part.variable.kind == "IVAR":
                raise self.error(f"'{part.variable}' is an input variable, which has no next value", part.at)
        return body if isinstance(body, Constant) else Next(body.type, at, self.build.single(body))

    def _shift(self, operator: str, at: int, word: Term, by: Term) -> Term:
        self._want_word(word)
        if by.type.kind != "word":
            by = self.build.number(by)
        elif by.type.signed:
            raise self.error(f"a number or an unsigned word is wanted here, not {described(by.type)}", by.at)
        if isinstance(by, Constant) and not 0 <= int(by.value) <= word.type.width:
            raise self.error(f"a shift by {by.value} of a word with {word.type.width} bits", by.at)
        function = o.shift(operator, word.type.width, word.type.signed, self.source.place(at))
        return self.build.applied(word.type, at, operator, function, (self.build.single(word), by))

    def _joined(self, at: int, left: Term, right: Term) -> Term:
        self._want_word(left)
        self._want_word(right)
        wanted = Type("word", left.type.width + right.type.width)
        if wanted.width > s.MOST_BITS:
            raise self.error(f"a word has 1 to {s.MOST_BITS} bits, not {wanted.width}", at)
        function = o.on_words(o.joined(right.type), wanted)
        return self.build.applied(wanted, at, "::", function, (left, right))

    def _want_word(self, term: Term) -> None:
        if self.build.single(term).type.kind != "word":
            raise self.error(f"a word is wanted here, not {described(term.type)}", term.at)

    # Functions

    def _call(self, call: s.Call, scope: Instance) -> Term:
        at, name, build = call.at, call.function, self.build
        if name in o.FUNCTIONS:
            count, wanted, result, function = o.FUNCTIONS[name]
            self._arity(call, count)
            assert wanted is not None
            assert result is not None
            terms = [build.single(self.term(each, scope)) for each in call.arguments]
            if name in ("min", "max") and terms[0].type.kind == "word":
                wanted = result = terms[0].type
            terms = [build.of_type(term, wanted) for term in terms]
            return build.applied(result, at, name, function, tuple(terms))
        self._arity(call, 2 if name in ("extend", "resize", "swconst", "uwconst") else 1)
        if name in ("swconst", "uwconst"):
            width = self._width(call.arguments[1], scope)
            result = Type("word", width, name == "swconst")
            value = self.constant(call.arguments[0], scope, f"what '{name}' makes a word of")
            if value not in o.representable(width, result.signed):
                raise self.error(f"'{name}' cannot make {value} a word of {width} bits", call.arguments[0].at)
            return Constant(result, at, o.fitted(value, width, result.signed))
        term = build.single(self.term(call.arguments[0], scope))
        if name in ("extend", "resize"):
            self._want_word(term)
            if name == "resize":
                width = self._width(call.arguments[1], scope)
                wanted = Type("word", width, term.type.signed)
                return build.applied(wanted, at, name, o.resized(width, term.type), (term,))
            width = self._width(call.arguments[1], scope, term.type.width)
            return self._cast(at, name, term, Type("word", width, term.type.signed))
        return self._conversion(call, term)

    def _conversion(self, call: s.Call, term: Term) -> Term:
        at, name, build = call.at, call.function, self.build
        match name:
            case "toint":
                if term.type.kind not in ("boolean", "integer", "word"):
                    raise self.error(f"'toint' takes no {described(term.type).removeprefix('a ')}", term.at)
                return term if term.type == INTEGER else build.applied(INTEGER, at, name, int, (term,))
            case "bool":
                if term.type not in (INTEGER, Type("word", 1), Type("word", 1, signed=True)):
                    what = f"'bool' takes a word of one bit or a number, not {described(term.type)}"
                    raise self.error(what, term.at)
                return build.applied(BOOLEAN, at, name, bool, (term,))
            case "word1":
                return build.applied(Type("word", 1), at, name, int, (build.boolean(term),))
            case "signed" | "unsigned":
                self._want_word(term)
                if term.type.signed == (name == "signed"):
                    raise self.error(f"this is {described(term.type)} already", term.at)
                return self._cast(at, name, term, Type("word", term.type.width, name == "signed"))
        self._want_word(term)
        return Constant(INTEGER, at, term.type.width)  # sizeof

    def _cast(self, at: int, name: str, term: Term, wanted: Type) -> Term:
        same: Callable[[int], int] = int
        return self.build.applied(wanted, at, name, o.on_words(same, wanted), (term,))

    def _arity(self, call: s.Call, count: int | None) -> None:
        if count is not None and len(call.arguments) != count:
            given = len(call.arguments)
            wanted = "one argument" if count == 1 else f"{count} arguments"
            raise self.error(f"'{call.function}' takes {wanted}, not {given}", call.at)

    def _width(self, expression: s.Expression, scope: Instance, more: int = 0) -> int:
        """A width, or by how much a word that has `more` bits gets wider."""
        width = more + self.constant(expression, scope, "the width of a word")
        if not max(1, more) <= width <= s.MOST_BITS:
            raise self.error(f"a word has 1 to {s.MOST_BITS} bits, not {width}", expression.at)
        return width


def has_next(term: Term) -> bool:
    """Whether a term speaks of the next state."""
    return any(isinstance(part, Next) for part in walk(term))
