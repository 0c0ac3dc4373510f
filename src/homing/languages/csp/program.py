"""What a source declares, in numbers: which slots its variables and channels take, and what they start with."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from math import prod

from homing.core.errors import ModelError, Place
from homing.core.system import Slot
from homing.core.values import Value
from homing.languages.csp.expressions import Names, Store, evaluate, integer
from homing.languages.csp.layout import ChannelLayout, VariableLayout
from homing.languages.csp.points import Points
from homing.languages.csp.syntax import Alphabet, Channel, Definition, Entry, Expression, Items, Source, Variable
from homing.languages.csp.values import NeedsState, Scalar

MOST_ELEMENTS = 100_000
"""An array larger than this is taken for a mistake: each element is a slot."""


@dataclass(frozen=True)
class Program:
    """A source, ready to be unfolded."""

    source: Source
    names: Names
    points: Points
    alphabets: dict[str, Alphabet]
    ranges: dict[str, tuple[VariableLayout, ...]]
    """Of the parameters of each process that has any."""
    slots: tuple[Slot, ...]
    start: tuple[Value, ...]
    hidden: frozenset[int]


def program(source: Source) -> Program:
    """Lays out the declarations of a source; raises ModelError where a size or an initial value is no constant."""
    names = Names({macro.name: macro for macro in source.macros}, {}, {})
    layout = _Layout(names)
    for variable in source.variables:
        layout.variable(variable)
    for channel in source.channels:
        layout.channel(channel)
    alphabets = {alphabet.process: alphabet for alphabet in source.alphabets}
    return Program(
        source,
        names,
        Points(source, names),
        alphabets,
        {each.name: layout.parameters(each) for each in source.definitions if each.bounds},
        tuple(layout.slots),
        tuple(layout.start),
        frozenset(layout.hidden),
    )


class _Layout:
    def __init__(self, names: Names) -> None:
        self.names = names
        self.slots: list[Slot] = []
        self.start: list[Value] = []
        self.hidden: list[int] = []

    def variable(self, declared: Variable) -> None:
        sizes = tuple(self._size(size) for size in declared.sizes)
        values = self._initial(declared, sizes)
        if not sizes and isinstance(declared.value, Items):
            sizes = (len(values),)
        _bounded(prod(sizes), declared.name, declared.place)
        low, high = self._range(declared.name, (declared.low, declared.high), declared.place)
        laid = VariableLayout(declared.name, sizes, len(self.slots), low, high)
        for value in values:
            laid.check(value, declared.place)
        if declared.hidden:
            self.hidden += range(laid.first, laid.first + laid.count)
        self._add(declared.name, sizes, values)
        self.names.variables[declared.name] = laid

    def parameters(self, declared: Definition) -> tuple[VariableLayout, ...]:
        """Each as a variable that is nowhere in a state, but has a range."""
        pairs = zip(declared.parameters, declared.bounds, strict=True)
        return tuple(VariableLayout(name, (), 0, *self._range(name, bounds, declared.place)) for name, bounds in pairs)

    def channel(self, declared: Channel) -> None:
        sizes = tuple(self._size(size) for size in declared.sizes)
        capacity = self._constant(declared.capacity)
        if capacity < 0:
            raise ModelError(f"channel '{declared.name}' has the size {capacity}", declared.place)
        laid = ChannelLayout(declared.name, sizes, capacity, len(self.slots))
        _bounded(laid.count, declared.name, declared.place)
        if capacity:
            self._add(declared.name, sizes, [()] * laid.count)
        self.names.channels[declared.name] = laid

    def _range(
        self, name: str, bounds: tuple[Expression | None, Expression | None], place: Place
    ) -> tuple[int | None, int | None]:
        low, high = (None if bound is None else self._constant(bound) for bound in bounds)
        if low is not None and high is not None and low > high:
            raise ModelError(f"the range of '{name}' goes from {low} to {high}, so it is empty", place)
        return low, high

    def _add(self, name: str, sizes: tuple[int, ...], values: Iterable[Value]) -> None:
        self.slots += [Slot(name, index) for index in product(*map(range, sizes))]
        self.start += values

    def _initial(self, declared: Variable, sizes: tuple[int, ...]) -> list[Scalar]:
        if isinstance(declared.value, Items):
            values = [value for entry in declared.value.entries for value in self._entry(entry)]
            if sizes and len(values) != prod(sizes):
                raise ModelError(
                    f"'{declared.name}' has {prod(sizes)} elements, but {len(values)} values to start with",
                    declared.value.place,
                )
            return values
        value = 0 if declared.value is None else self._evaluated(declared.value)
        if sizes and declared.value is not None:
            raise ModelError(f"array '{declared.name}' starts with a single value", declared.place)
        _bounded(prod(sizes), declared.name, declared.place)
        return [value] * prod(sizes)

    def _entry(self, entry: Entry) -> Iterator[Scalar]:
        if entry.last is not None:
            first, last = self._constant(entry.first), self._constant(entry.last)
            _bounded(abs(last - first), "an array", entry.place)
            yield from range(first, last + 1) if first <= last else range(first, last - 1, -1)
            return
        times = 1 if entry.times is None else self._constant(entry.times)
        _bounded(times, "an array", entry.place)
        yield from [self._evaluated(entry.first)] * times

    def _size(self, expression: Expression) -> int:
        size = self._constant(expression)
        if size <= 0:
            raise ModelError(f"a size of {size}, where at least 1 is wanted", expression.place)
        return size

    def _constant(self, expression: Expression) -> int:
        try:
            return integer(evaluate(self.names, expression, {}), expression)
        except NeedsState:
            raise ModelError("a constant is wanted here, but this depends on a variable", expression.place) from None

    def _evaluated(self, expression: Expression) -> Scalar:
        """An initial value, which may use variables that were declared before."""
        return evaluate(self.names, expression, {}, Store(dict(enumerate(self.start))))


def _bounded(count: int, name: str, place: Place) -> None:
    if count > MOST_ELEMENTS:
        raise ModelError(f"'{name}' has {count} elements, more than {MOST_ELEMENTS}", place)
