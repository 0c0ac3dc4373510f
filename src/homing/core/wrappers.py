"""Options as wrappers: each takes a transition system and is one."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import permutations, product

from homing.core import evaluate
from homing.core.errors import ModelError
from homing.core.system import Group, Notation, Permutation, Pure, Read, Shape, Slot, Step, TransitionSystem
from homing.core.values import Short, State, Value, encode, same, substitute


class Wrapper:
    """Passes everything on; a subclass changes the shape or watches the calls."""

    def __init__(self, system: TransitionSystem, shape: Shape) -> None:
        self.system = system
        self._shape = shape

    @property
    def shape(self) -> Shape:
        return self._shape

    def initial(self) -> Iterable[State]:
        return self.system.initial()

    def next(self, group: int, read: Short) -> Iterable[Step]:
        return self.system.next(group, read)

    def label(self, label: int, read: Short) -> bool | int:
        return self.system.label(label, read)


class Constrained(Wrapper):
    """States on which one of the labels is false are checked, but not explored further nor counted."""

    def __init__(self, system: TransitionSystem, labels: Iterable[str]) -> None:
        shape = system.shape
        known = {label.name: number for number, label in enumerate(shape.labels)}
        for name in (names := tuple(labels)):
            if name not in known:
                raise ModelError(f"unknown label '{name}' in a constraint", shape.place, known)
        super().__init__(system, replace(shape, constraints=(*shape.constraints, *(known[n] for n in names))))


class View(Wrapper):
    """Hides slots (all of a name, or one as `name[key]`): states that differ only there count as one."""

    def __init__(self, system: TransitionSystem, hide: Iterable[str]) -> None:
        shape = system.shape
        hidden = set(shape.hidden)
        for name in hide:
            found = {number for number, slot in enumerate(shape.slots) if name in (slot.name, str(slot))}
            if not found:
                raise ModelError(f"unknown slot '{name}' in a view", shape.place, map(str, shape.slots))
            hidden |= found
        super().__init__(system, replace(shape, hidden=frozenset(hidden)))


class Likened(Wrapper):
    """States for which a function of some slots has the same value count as one.

    The value is one more slot, written by every group that changes what it depends on; all others are hidden.
    Of a symmetric system it is the least value that the function has for the images of a state.
    """

    def __init__(
        self, system: TransitionSystem, name: str, slots: Iterable[int], function: Callable[[Short], Value]
    ) -> None:
        shape = system.shape
        if shape.joint:
            what = "a system of groups that move at once"
            raise ModelError(f"a view that is no choice of slots does not go with {what}", shape.place)
        self._slots, self._function = tuple(slots), function
        if shape.symmetry:
            least = _Least(shape.symmetry, self._slots, function)
            self._slots, self._function = least.slots, least
        self._value = len(shape.slots)
        self._looks = [bool({*group.writes} & {*self._slots}) for group in shape.groups]
        groups = [
            self._looking(group) if looks else group for group, looks in zip(shape.groups, self._looks, strict=True)
        ]
        super().__init__(
            system,
            replace(
                shape,
                slots=(*shape.slots, Slot(name)),
                groups=tuple(groups),
                hidden=frozenset(range(self._value)),
                symmetry=(),
                notation=self._unseen(shape),
            ),
        )

    def _unseen(self, shape: Shape) -> Notation:
        """People are shown states as they were without it."""
        notation = shape.notation
        if notation.state is not None:
            return notation
        return replace(notation, slots=tuple(map(str, shape.slots)), state=lambda state: state[: len(shape.slots)])

    def _looking(self, group: Group) -> Group:
        return replace(group, reads=(*group.reads, *map(Read, self._slots)), writes=(*group.writes, self._value))

    def initial(self) -> Iterable[State]:
        for state in self.system.initial():
            yield (*state, self._function(tuple(state[slot] for slot in self._slots)))

    def next(self, group: int, read: Short) -> Iterable[Step]:
        if not self._looks[group]:
            return self.system.next(group, read)
        own = len(read) - len(self._slots)
        return [self._seen(step, read[own:]) for step in self.system.next(group, read[:own])]

    def _seen(self, step: Step, before: Short) -> Step:
        after = tuple(self._written(step, slot, old) for slot, old in zip(self._slots, before, strict=True))
        return replace(step, writes={**step.writes, self._value: self._function(after)})

    def _written(self, step: Step, slot: int, old: Value) -> Value:
        new = step.writes.get(slot, old)
        if not isinstance(new, Pure):
            return new
        return evaluate.pure(new, old, f"written to slot '{self.shape.slots[slot]}'", self.shape.place)


class _Least:
    """The least value, by its bytes, that a function of some slots has for the images of a state."""

    def __init__(
        self, symmetry: Iterable[Permutation], slots: tuple[int, ...], function: Callable[[Short], Value]
    ) -> None:
        self._function = function
        sources = [(element, [element.slots.index(slot) for slot in slots]) for element in symmetry]
        self.slots = tuple(sorted({*slots, *(source for _, found in sources for source in found)}))
        """All that the images depend on."""
        at = {slot: position for position, slot in enumerate(self.slots)}
        self._own = [at[slot] for slot in slots]
        self._images = [(element, [(source, at[source]) for source in found]) for element, found in sources]

    def __call__(self, values: Short) -> Value:
        found = [self._function(tuple([values[position] for position in self._own]))]
        for element, sources in self._images:
            moved = tuple([element.value(slot, values[position]) for slot, position in sources])
            found.append(self._function(moved))
        return min(found, key=encode)


class Symmetric(Wrapper):
    """Names in each of the sets `permuting` are interchangeable: one state stands for its whole orbit.

    Names are strings, and every slot index and value that contains them moves along. That the system really
    is symmetric is its author's promise; only the initial states are checked.
    """

    def __init__(self, system: TransitionSystem, permuting: Iterable[Iterable[str]]) -> None:
        shape = system.shape
        if shape.symmetry:
            raise ModelError("the system is symmetric already; give all sets to one Symmetric", shape.place)
        sets = [tuple(dict.fromkeys(names)) for names in permuting]
        images = [
            {old: new for names, mixed in zip(sets, choice, strict=True) for old, new in zip(names, mixed, strict=True)}
            for choice in product(*(permutations(names) for names in sets))
        ]
        moving = [image for image in images if any(old != new for old, new in image.items())]
        elements = tuple(_permutation(shape, image) for image in moving)
        super().__init__(system, replace(shape, symmetry=elements))

    def initial(self) -> Iterable[State]:
        states = list(self.system.initial())
        known = {encode(state) for state in states}
        for permutation in self.shape.symmetry:
            for state in states:
                if encode(permutation(state)) not in known:
                    raise ModelError(
                        f"the initial states are not symmetric: {permutation(state)} is none, but {state} is",
                        self.shape.place,
                    )
        return states


def _permutation(shape: Shape, image: dict[str, str]) -> Permutation:
    numbers = {(slot.name, encode(slot.index)): number for number, slot in enumerate(shape.slots)}
    moved = []
    for slot in shape.slots:
        target = (slot.name, encode(substitute(slot.index, image)))
        if target not in numbers:
            raise ModelError(f"the symmetry moves slot '{slot}' to one that does not exist", shape.place)
        moved.append(numbers[target])

    def value(slot: int, old: Value) -> Value:
        return substitute(old, image)

    return Permutation(tuple(moved), value)


class Debugged(Wrapper):
    """Catches a group that reads or writes what it did not declare, at twice the cost.

    Reading past the declared values is caught where it happens. A group that looks elsewhere (a global, a
    counter, a random number) is caught when two evaluations of the same reads differ.
    """

    def __init__(self, system: TransitionSystem) -> None:
        super().__init__(system, system.shape)

    def next(self, group: int, read: Short) -> Iterable[Step]:
        declared = self.shape.groups[group]
        watched = Watched(read, f"group '{declared.name}'", len(declared.reads))
        once = evaluate.steps(self.system, group, watched)
        again = evaluate.steps(self.system, group, watched)
        if len(once) != len(again) or not all(map(_same_step, once, again)):
            what = f"group '{declared.name}' with {evaluate.describe(self.shape, declared.reads, read)}"
            raise ModelError(
                f"{what} yields different steps when asked twice, so it reads what it did not declare", declared.place
            )
        return once

    def label(self, label: int, read: Short) -> bool | int:
        declared = self.shape.labels[label]
        watched = Watched(read, f"label '{declared.name}'", len(declared.reads))
        once = evaluate.label(self.system, label, watched)
        if not same(once, evaluate.label(self.system, label, watched)):
            raise ModelError(
                f"label '{declared.name}' differs when asked twice, so it reads what it did not declare", declared.place
            )
        return once


def _same_step(one: Step, other: Step) -> bool:
    return one == other and all(type(value) is type(other.writes[slot]) for slot, value in one.writes.items())


class Watched(tuple[Value, ...]):
    """The values read, which complains by name when more is asked for than was declared."""

    _who: str
    _declared: int

    def __new__(cls, read: Short, who: str, declared: int) -> Watched:
        watched = super().__new__(cls, read)
        watched._who, watched._declared = who, declared
        return watched

    def __getitem__(self, index):  # type: ignore[no-untyped-def]
        if isinstance(index, int) and not -self._declared <= index < self._declared:
            raise ModelError(f"{self._who} reads value number {index}, but declares {self._declared} reads")
        return super().__getitem__(index)
