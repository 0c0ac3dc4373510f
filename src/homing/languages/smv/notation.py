"""States and traces as NuSMV shows them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from homing.core.errors import HomingError
from homing.core.system import Event
from homing.core.values import State, Value, same
from homing.languages.smv.closures import Compiler, Function
from homing.languages.smv.flattening import Flat
from homing.languages.smv.showing import word
from homing.languages.smv.solving import Solver
from homing.languages.smv.terms import Ref, Variable, atoms, show


class Telling:
    """Knows every variable, also those that follow from others and are in no slot."""

    def __init__(
        self, flat: Flat, slot: Mapping[Variable, int], groups: Sequence[tuple[Solver, tuple[int, ...], int]]
    ) -> None:
        self.flat = flat
        self.slot = slot
        self.groups = groups
        self.variables = [variable for variable in flat.variables if variable.kind != "IVAR"]
        self.names = tuple(variable.name for variable in self.variables)
        self.inputs = [variable for variable in flat.variables if variable.kind == "IVAR"]
        self._values = [self._value(variable) for variable in self.variables]

    def _value(self, variable: Variable) -> tuple[Compiler, Function, list[int]]:
        term = Ref(variable.type, 0, variable)
        found = sorted(atoms(term), key=lambda atom: atom[0].number)
        compiler = Compiler(self.flat.source, found)
        return compiler, compiler.single(term), [self.slot[each] for each, _ in found]

    def state(self, state: State) -> State:
        """The values of all variables, words as text."""
        return tuple(
            self._shown(variable, compiler, function, [state[slot] for slot in slots])
            for variable, (compiler, function, slots) in zip(self.variables, self._values, strict=True)
        )

    def _shown(self, variable: Variable, compiler: Compiler, function: Function, read: list[Value]) -> Value:
        try:
            return plain(variable, function(compiler.frame(read)))
        except HomingError:  # it is what the trace is about
            return "undefined"

    def lines(self, states: Sequence[State], events: Sequence[Event], loop: int | None) -> Iterator[str]:
        """A trace as NuSMV prints it: of each state what changed, and where the loop starts."""
        before: State | None = None
        for position, state in enumerate(states):
            if position and self.inputs:
                yield from self._input(position, states[position - 1], state, events[position - 1])
            if position == loop:
                yield "-- Loop starts here"
            yield f"-> State: 1.{position + 1} <-"
            now = self.state(state)
            for number, (name, value) in enumerate(zip(self.names, now, strict=True)):
                if before is None or not same(value, before[number]):
                    yield f"  {name} = {show(value)}"
            before = now
        if loop is not None and loop == len(states) - 1 and (not events or len(states) == 1):
            yield "-- and stays so for ever"

    def _input(self, position: int, before: State, after: State, event: Event) -> Iterator[str]:
        yield f"-> Input: 1.{position + 1} <-"
        found = dict(self._chosen(before, after, event))
        for variable in self.inputs:
            if variable in found:
                yield f"  {variable} = {show(plain(variable, found[variable]))}"

    def _chosen(self, before: State, after: State, event: Event) -> Iterator[tuple[Variable, Value]]:
        """The inputs of a step: as the event shows them, and of the others some that lead there."""
        for variable, value in zip(self.inputs, event.arguments, strict=False):
            if value is not None:
                yield variable, value
        shown = tuple(value for value in event.arguments if value is not None)
        for solver, slots, count in self.groups:
            if len(solver.unknown) > len(slots) + count:
                yield from self._of_group(solver, slots, before, after, shown[:count])

    def _of_group(
        self, solver: Solver, slots: tuple[int, ...], before: State, after: State, shown: tuple[Value, ...]
    ) -> Iterable[tuple[Variable, Value]]:
        known = list(solver.compiler.position)[: solver.first]
        read = [before[self.slot[variable]] for variable, _ in known]
        wanted = (*(after[slot] for slot in slots), *shown)
        variables = [variable for variable, _ in solver.unknown]
        for values in solver.solve(read):
            if values[: len(wanted)] == wanted:
                return list(zip(variables, values, strict=True))[len(wanted) :]
        return []


def plain(variable: Variable, value: Value) -> Value:
    """A value as it is shown: words as text."""
    if variable.type.kind == "word" and isinstance(value, int):
        return word(value, variable.type.width, variable.type.signed)
    return value
