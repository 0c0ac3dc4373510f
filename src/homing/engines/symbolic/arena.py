"""Where temporal properties are decided: the reachable states, and steps in classes by what formulas say of them.

A class of steps agrees on all *step atoms* (an event is shown, an action is taken, a condition on both ends). States
that the constraints exclude, and steps to them, are left out; a stuttering step is added where behaviours may stand
still.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from homing.core import evaluate
from homing.core.formula import Action, Between, Constant, Enabled, Formula, Happens, Holds, Operation, Taken
from homing.core.interpreter import apply, label, moves, short
from homing.core.system import Event
from homing.core.temporal import Stuttering
from homing.core.values import State, same
from homing.core.witness import STUTTER, Move
from homing.engines.symbolic.arrows import Arrow, Still
from homing.engines.symbolic.between import Judge
from homing.engines.symbolic.described import Written
from homing.engines.symbolic.relation import Learnt
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept, Set

T = TypeVar("T")
StepAtom = Happens | Taken | Between


@dataclass(frozen=True, eq=False)
class Class:
    """Steps of which the same atoms are true: their positions are the bits of `true`."""

    true: int
    arrows: tuple[Arrow, ...]
    still: bool = False


def step_atoms(formulas: Iterable[Formula]) -> list[StepAtom]:
    """The atoms that speak of a step, each once."""
    found = (part for formula in formulas for part in formula.walk())
    return list(dict.fromkeys(part for part in found if isinstance(part, Happens | Taken | Between)))


class Arena:
    """The states of a system that was explored, in a reading of deadlock."""

    def __init__(self, search: Search, stuttering: Stuttering, known: dict[object, Any]) -> None:
        self.search = search
        self.space = search.space
        self.stuttering = stuttering
        self.states = search.inside(search.kept(search.reached.set))
        self.initial = search.initial.set & self.states
        self._known = known
        """What serves all properties."""

    def kept(self, key: object, make: Callable[[], T]) -> T:
        """What serves all properties, made once."""
        if key not in self._known:
            self._known[key] = make()
        found: T = self._known[key]
        return found

    # Formulas

    def label(self, number: int) -> Set:
        """The states in which a label is true."""
        self.search.labels.learn(number, self._everywhere)
        return self.search.labels.true(number) & self.states

    @property
    def _everywhere(self) -> Kept:
        return self.search.kept(self.states)

    def on_states(self, formula: Formula) -> Set:
        """The states in which a formula without temporal operators and steps is true."""
        return self.on_steps(formula, (), 0)

    def on_steps(self, formula: Formula, atoms: Sequence[StepAtom], true: int) -> Set:
        """The states in which a formula is true, where of a step's atoms those with these bits are."""
        match formula:
            case Constant(value=value):
                return self.states if value else self.space.false
            case Holds(label=number):
                assert isinstance(number, int)
                return self.label(number)
            case Enabled(action=action):
                return self.enabled(action)
            case Happens() | Taken() | Between():
                return self.states if true >> atoms.index(formula) & 1 else self.space.false
        assert isinstance(formula, Operation)
        parts = [self.on_steps(operand, atoms, true) for operand in formula.operands]
        return self.connected(formula.operator, parts)

    def connected(self, operator: str, parts: list[Set]) -> Set:
        """A connective of sets of states."""
        match operator:
            case "not":
                return self.states & ~parts[0]
            case "and":
                found = self.states
                for part in parts:
                    found = found & part
                return found
            case "or":
                found = self.space.false
                for part in parts:
                    found = found | part
                return found
            case "implies":
                return self.states & (~parts[0] | parts[1])
            case "iff":
                return self.states & parts[0].equiv(parts[1])
        raise AssertionError(f"{operator} is temporal")

    def enabled(self, action: Action) -> Set:
        """The states that have a step of an action."""

        def find() -> Set:
            found = self.space.false
            for kind in self.real((Taken(action),)):
                if kind.true:
                    found = found | self.before(kind, self.states)
            return found

        return self.kept(("enabled", action), find)

    # Steps

    def before(self, kind: Class, states: Set) -> Set:
        """The states that have a step of a class to these."""
        found = self.space.false
        for arrow in kind.arrows:
            found = found | (arrow.before(states) & self.states)
            self.space.tick()
        return found

    def after(self, kind: Class, states: Set) -> Set:
        """The states that steps of a class lead to from these."""
        found = self.space.false
        for arrow in kind.arrows:
            found = found | (arrow.after(states) & self.states)
            self.space.tick()
        return found

    def classes(self, atoms: Sequence[StepAtom]) -> list[Class]:
        """All steps, stuttering last."""
        real = self.real(atoms)
        if self.stuttering == "never":
            return real
        where = self.states if self.stuttering == "always" else self.ends()
        stuttering = _grouped(self._split(0, Still(self.space, where), atoms, None))
        return [*real, *(Class(kind.true, kind.arrows, True) for kind in stuttering if where.satisfiable())]

    def ends(self) -> Set:
        """The states without a step to another inside the constraints."""

        def find() -> Set:
            going = self.space.false
            for kind in self.real(()):
                going = going | self.before(kind, self.states)
            return self.states & ~going

        return self.kept("ends", find)

    def real(self, atoms: Sequence[StepAtom]) -> list[Class]:
        """The steps that are no stuttering."""
        steps = self._joint if self.search.relation.joint else self._single
        return self.kept(("classes", tuple(atoms)), lambda: _grouped(steps(atoms)))

    def _single(self, atoms: Sequence[StepAtom]) -> Iterator[tuple[int, Arrow]]:
        relation = self.search.relation
        for group in relation.groups:
            by_value: dict[int, set[int]] = {}
            for number in self._events(group):
                event = relation.events.shown[number]
                true = sum(1 << bit for bit, atom in enumerate(atoms) if _may(atom, group.number, event))
                by_value.setdefault(true, set()).add(number)
            for true, events in by_value.items():
                some = len(by_value) > 1
                arrows = relation.with_events(group, frozenset(events)) if some else relation.of_group(group)
                for arrow in arrows:
                    yield from self._split(true, arrow, atoms, group.number)

    def _events(self, group: Learnt) -> set[int]:
        relation = self.search.relation
        if isinstance(group, Written):
            return {relation.quiet}
        return {entry.event for pattern in group.patterns.values() for entry in pattern.entries}

    def _joint(self, atoms: Sequence[StepAtom]) -> Iterator[tuple[int, Arrow]]:
        relation = self.search.relation

        def value(event: Event) -> int:
            return sum(1 << bit for bit, atom in enumerate(atoms) if _may(atom, -1, event))

        by_value: dict[int, set[object]] = {}
        for event in relation.events.shown:
            by_value.setdefault(value(event), set()).add(event.key)
        for true, keys in by_value.items():
            for arrow in relation.arrows() if len(by_value) == 1 else relation.showing(keys):
                yield from self._split(true, arrow, atoms, None)

    def _split(self, true: int, whole: Arrow, atoms: Sequence[StepAtom], group: int | None) -> list[tuple[int, Arrow]]:
        """By the atoms whose truth depends on the values before and after; their bits are set where they may be."""
        dividing = any(
            isinstance(atom, Between) or (isinstance(atom, Taken) and atom.action.changing) for atom in atoms
        )
        # From states that there are: of twenty atoms all combinations are a million, but few of them have a step.
        found = [(true, whole.only(self.states) if dividing else whole)]
        for bit, atom in enumerate(atoms):
            if isinstance(atom, Between):
                holds = self._judge(atom).satisfying(whole)
            elif isinstance(atom, Taken) and atom.action.changing is not None and group is not None:
                holds = self._changing(atom.action, whole.slots)
            else:
                continue
            parts = []
            for bits, arrow in found:
                if not bits >> bit & 1 and not isinstance(atom, Between):
                    parts.append((bits, arrow))
                    continue
                parts += [(bits | 1 << bit, arrow.only(holds)), (bits & ~(1 << bit), arrow.only(~holds))]
            found = [(bits, arrow) for bits, arrow in parts if arrow.possible]
            self.space.tick()
        return found

    def _judge(self, atom: Between) -> Judge:
        return self.kept(("judge", atom), lambda: Judge(self.search.labels, atom, self._everywhere, self._everywhere))

    def _changing(self, action: Action, slots: frozenset[int]) -> Set:
        assert action.changing is not None
        found = self.space.true
        for slot in slots & action.changing:
            assert isinstance(slot, int)
            found = found & self.space.same(slot)
        return ~found

    # Steps one by one

    def moves(self, kind: Class, atoms: Sequence[StepAtom], before: State, after: State) -> Iterator[Move]:
        """The steps of a class from one state to another."""
        if kind.still:
            yield STUTTER
            return
        for number, move in self._moves(before, after):
            if all(
                self._true(atom, number, move, before, after) == bool(kind.true >> bit & 1)
                for bit, atom in enumerate(atoms)
            ):
                yield move

    def _moves(self, before: State, after: State) -> Iterator[tuple[int, Move]]:
        system = self.search.system
        if system.shape.joint:
            yield from ((-1, move) for move in moves(system, before, after))
            return
        for number, group in enumerate(system.shape.groups):
            for step in evaluate.steps(system, number, short(system.shape, group.reads, before)):
                if same(apply(system.shape, step, before), after):
                    yield number, Move(group.name, step.event)

    def _true(self, atom: StepAtom, group: int, move: Move, before: State, after: State) -> bool:
        system = self.search.system
        if isinstance(atom, Between):
            one, other = label(system, atom.before, before), label(system, atom.after, after)
            return atom.holds(int(one), int(other))
        if not _may(atom, group, move.event):
            return False
        if isinstance(atom, Happens) or atom.action.changing is None:
            return True
        return any(not same(before[s], after[s]) for s in map(int, atom.action.changing))


def _may(atom: StepAtom, group: int, event: Event) -> bool:
    """Whether an atom can be true of a step, as far as group and event tell."""
    match atom:
        case Happens():
            return atom.matches(event)
        case Taken(action=action):
            return group in action.groups and (action.event is None or action.event.matches(event))
    return False


def _grouped(found: Iterable[tuple[int, Arrow]]) -> list[Class]:
    kinds: dict[int, list[Arrow]] = {}
    for true, arrow in found:
        kinds.setdefault(true, []).append(arrow)
    return [Class(true, tuple(arrows)) for true, arrows in kinds.items()]
