"""Terms as Python functions of a frame: a list with the values of what they read, and of definitions once known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import eq
from typing import Any, TypeAlias

from homing.core.errors import ModelError, Place
from homing.languages.smv.terms import (
    Among,
    Apply,
    Atom,
    Choice,
    Constant,
    Equal,
    Logical,
    Member,
    Next,
    Pick,
    Ref,
    Shared,
    Span,
    Term,
    Variable,
    atoms,
    may_fail,
    show,
)
from homing.languages.smv.tokens import Source

Frame: TypeAlias = list[Any]
Function: TypeAlias = Callable[[Frame], Any]

UNSET = object()
"""In place of a definition's value that is not known yet."""
SMALL = 4
"""Definitions with no more parts than this are evaluated anew: that is as fast as looking."""


class Compiler:
    """Compiles terms for frames of one layout: first the atoms, then the definitions."""

    def __init__(self, source: Source, known: Iterable[Atom]) -> None:
        self.source = source
        self.position = {atom: number for number, atom in enumerate(known)}
        self.atoms = len(self.position)
        self._cached: dict[tuple[int, bool], int] = {}
        self._functions: dict[tuple[int, bool], tuple[object, Function]] = {}
        """Of definitions, with what they are of: an identity is one's own only as long as that lives."""
        self.spoilt: dict[int, list[int]] = {}
        """By position of an atom, where definitions are that depend on it."""

    @property
    def size(self) -> int:
        """How long a frame is."""
        return self.atoms + len(self._cached)

    def frame(self, values: Iterable[Any]) -> Frame:
        """A frame with the values of the first atoms."""
        frame = list(values)
        frame += [UNSET] * (self.size - len(frame))
        return frame

    def single(self, term: Term, primed: bool = False) -> Function:
        """The value of a term that is no set."""
        return _KINDS[type(term)](self, term, primed)

    def several(self, term: Term, primed: bool = False) -> Function:
        """The values of a term, as a tuple without doubles."""
        if not term.is_set:
            one = self.single(term, primed)
            return lambda frame: (one(frame),)
        match term:
            case Among(items=items):
                return self._among(items, primed)
            case Span(low=low, high=high):
                first, last = self.single(low, primed), self.single(high, primed)
                return lambda frame: tuple(range(first(frame), last(frame) + 1))
            case Choice():
                return self._choice(term, primed, self.several)
            case Shared(body=body):
                return self.several(body, primed)
            case Pick():
                return self._pick(term, primed, self.several)
        raise AssertionError(term)

    def _among(self, items: tuple[Term, ...], primed: bool) -> Function:
        values = [item.value for item in items if isinstance(item, Constant)]
        if len(values) == len(items):
            listed = tuple(dict.fromkeys(values))
            return lambda frame: listed
        parts = [self.several(item, primed) for item in items]
        return lambda frame: tuple(dict.fromkeys(value for part in parts for value in part(frame)))

    # One kind of term after the other

    def _constant(self, term: Constant, primed: bool) -> Function:
        value = term.value
        return lambda frame: value

    def _ref(self, term: Ref, primed: bool) -> Function:
        variable = term.variable
        if variable.body is not None:
            return self._once(variable, primed, self._determined)
        position = self.position[variable, primed and not variable.still]
        return lambda frame: frame[position]

    def _determined(self, variable: Variable, primed: bool) -> Function:
        """A variable that always is something else, which has to be one of its values."""
        body, allows = variable.body, variable.allows
        assert body is not None
        place = self.source.place(body.at)
        inner, position = self.single(body, primed), self._reserve((id(variable), primed), body, primed)

        def value(frame: Frame) -> Any:
            found = frame[position]
            if found is UNSET:
                found = inner(frame)
                if not allows(found):
                    raise out_of_domain(variable, found, place)
                frame[position] = found
            return found

        return value

    def _reserve(self, key: tuple[int, bool], body: Term, primed: bool) -> int:
        position = self._cached[key] = self.atoms + len(self._cached)
        for atom in atoms(body, primed):
            self.spoilt.setdefault(self.position[atom], []).append(position)
        return position

    def _next(self, term: Next, primed: bool) -> Function:
        return self.single(term.body, True)

    def _once(self, what: Any, primed: bool, make: Callable[[Any, bool], Function]) -> Function:
        key = (id(what), primed)
        if key not in self._functions:
            self._functions[key] = (what, make(what, primed))
        return self._functions[key][1]

    def _shared(self, term: Shared, primed: bool) -> Function:
        return self._once(term, primed, self._defined)

    def _defined(self, term: Shared, primed: bool) -> Function:
        body = self.single(term.body, primed)
        if _is_small(term.body):
            return body
        position = self._reserve((id(term), primed), term, primed)

        def value(frame: Frame) -> Any:
            found = frame[position]
            if found is UNSET:
                found = frame[position] = body(frame)
            return found

        return value

    def _apply(self, term: Apply, primed: bool) -> Function:
        function = term.function
        parts = [self.single(operand, primed) for operand in term.operands]
        if len(parts) == 2:
            left, right = parts
            return lambda frame: function(left(frame), right(frame))
        if len(parts) == 1:
            (only,) = parts
            return lambda frame: function(only(frame))
        return lambda frame: function(*[part(frame) for part in parts])

    def _logical(self, term: Logical, primed: bool) -> Function:
        parts = [self.single(operand, primed) for operand in term.operands]
        first = parts[0]
        if term.operator != "not" and any(map(may_fail, term.operands)):
            return _guarded(parts, term.operator)
        match term.operator:
            case "not":
                return lambda frame: not first(frame)
            case "implies":
                second = parts[1]
                return lambda frame: not first(frame) or second(frame)
            case "and" if len(parts) == 2:
                second = parts[1]
                return lambda frame: first(frame) and second(frame)
            case "or" if len(parts) == 2:
                second = parts[1]
                return lambda frame: first(frame) or second(frame)
            case "and":
                return lambda frame: all(part(frame) for part in parts)
        return lambda frame: any(part(frame) for part in parts)

    def _equal(self, term: Equal, primed: bool) -> Function:
        left = self.single(term.left, primed)
        if isinstance(term.right, Constant):
            value = term.right.value
            return lambda frame: left(frame) == value
        right = self.single(term.right, primed)
        return lambda frame: eq(left(frame), right(frame))

    def _member(self, term: Member, primed: bool) -> Function:
        right = self.several(term.right, primed)
        if not term.left.is_set:
            left = self.single(term.left, primed)
            return lambda frame: left(frame) in right(frame)
        several = self.several(term.left, primed)
        return lambda frame: set(several(frame)) <= set(right(frame))

    def _choices(self, term: Choice, primed: bool) -> Function:
        return self._choice(term, primed, self.single)

    def _choice(self, term: Choice, primed: bool, how: Callable[[Term, bool], Function]) -> Function:
        branches = [(self.single(condition, primed), how(value, primed)) for condition, value in term.branches]
        if len(branches) == 2 and isinstance(term.branches[1][0], Constant):
            (test, chosen), (_, other) = branches
            return lambda frame: chosen(frame) if test(frame) else other(frame)
        place = self.source.place(term.at)

        def value(frame: Frame) -> Any:
            for condition, chosen in branches:
                if condition(frame):
                    return chosen(frame)
            raise ModelError("no branch of this 'case' applies", place)

        return value

    def _picks(self, term: Pick, primed: bool) -> Function:
        return self._pick(term, primed, self.single)

    def _pick(self, term: Pick, primed: bool, how: Callable[[Term, bool], Function]) -> Function:
        index, low = self.single(term.index, primed), term.low
        elements = [how(element, primed) for element in term.elements]
        place = self.source.place(term.at)

        def value(frame: Frame) -> Any:
            position = index(frame) - low
            if not 0 <= position < len(elements):
                last = low + len(elements) - 1
                raise ModelError(f"index {position + low} is not in {low}..{last}", place)
            return elements[position](frame)

        return value


_KINDS: dict[type[Term], Callable[[Compiler, Any, bool], Function]] = {
    Constant: Compiler._constant,
    Ref: Compiler._ref,
    Next: Compiler._next,
    Shared: Compiler._shared,
    Apply: Compiler._apply,
    Logical: Compiler._logical,
    Equal: Compiler._equal,
    Member: Compiler._member,
    Choice: Compiler._choices,
    Pick: Compiler._picks,
}


def out_of_domain(variable: Variable, value: Any, place: Place) -> ModelError:
    """A value that a variable cannot have."""
    return ModelError(f"'{variable}' is given {show(value)}, but its values are {variable.choices}", place)


def _guarded(parts: list[Function], operator: str) -> Function:
    """`and`, `or`, `implies` where a part may fail: as in NuSMV, that is no error where another part decides."""
    deciding = operator != "and"
    if operator == "implies":
        condition, then = parts
        parts = [lambda frame: not condition(frame), then]

    def value(frame: Frame) -> Any:
        failed = None
        for part in parts:
            try:
                if part(frame) == deciding:
                    return deciding
            except ModelError as error:
                failed = failed or error
        if failed is not None:
            raise failed
        return not deciding

    return value


def _is_small(term: Term) -> bool:
    waiting, count = [term], 0
    while waiting:
        count += 1
        if count > SMALL:
            return False
        part = waiting.pop()
        if isinstance(part, Shared):
            return False
        waiting += part.parts
    return True
