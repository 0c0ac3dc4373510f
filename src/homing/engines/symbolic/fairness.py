"""Fairness as conditions on cycles, and how a cycle is fair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from homing.core.formula import Action, Formula, Taken
from homing.core.temporal import Compassion, Fairness, Justice, Strong, StrongGlobal, Weak
from homing.engines.symbolic.arena import Arena, Class, StepAtom, step_atoms
from homing.engines.symbolic.play import Condition, Link
from homing.engines.symbolic.space import Set

EVERYWHERE = "every step from every state of the loop is taken in the loop"
NOT_SHOWN = (
    "the loop shown is one of many between states that no step leaves; a fair behaviour takes them all, again and again"
)


def atoms_of(formulas: Iterable[Formula], fairness: Iterable[Fairness]) -> list[StepAtom]:
    """All that is said of steps."""
    found: list[Formula] = list(formulas)
    for entry in fairness:
        match entry:
            case Weak(action=action) | Strong(action=action):
                found.append(Taken(action))
            case Justice(formula=formula):
                found.append(formula)
            case Compassion(when=when, then=then):
                found += [when, then]
    return step_atoms(found)


def is_feasible(arena: Arena, fairness: Iterable[Fairness]) -> bool:
    """Whether every path can surely go on fairly: see `homing.properties.fairness`."""
    return arena.stuttering != "never" and not any(isinstance(entry, Justice | Compassion) for entry in fairness)


class Fair:
    """The conditions of fairness in an arena whose steps are in these classes."""

    def __init__(
        self, arena: Arena, kinds: Sequence[Class], atoms: Sequence[StepAtom], fairness: Iterable[Fairness]
    ) -> None:
        self.arena = arena
        self.kinds = kinds
        self.atoms = atoms
        self.fairness = tuple(dict.fromkeys(fairness))
        self.everywhere = any(isinstance(entry, StrongGlobal) for entry in self.fairness)
        """Whether a cycle has to take every step of each of its states."""
        self.shown = True
        """Whether a cycle that was found does so: too long ones are not shown."""
        self.conditions = [self._condition(entry) for entry in self.fairness if not isinstance(entry, StrongGlobal)]
        self._known: dict[tuple[Formula, int], Set] = {}

    def _condition(self, entry: Fairness) -> Condition:
        """Weak fairness is generalised Büchi (taken or disabled), strong fairness is Streett."""
        match entry:
            case Weak(action=action):
                return Condition(lambda link: self._taken(action, link) | ~self.arena.enabled(action))
            case Strong(action=action):
                return Condition(lambda link: self._taken(action, link), lambda link: self.arena.enabled(action))
            case Justice(formula=formula):
                return Condition(lambda link: self.on(formula, link))
        assert isinstance(entry, Compassion)
        when, then = entry.when, entry.then
        plain = not step_atoms([when])
        return Condition(lambda link: self.on(then, link), lambda link: self.on(when, link), plain)

    def _taken(self, action: Action, link: Link) -> Set:
        return self.on(Taken(action), link)

    def on(self, formula: Formula, link: Link) -> Set:
        """The states in which a formula is true when a step of a link is taken."""
        true = self.kinds[link.kind].true
        key = (formula, true)
        if key not in self._known:
            self._known[key] = self.arena.on_steps(formula, self.atoms, true)
        return self._known[key]

    def explain(self, steps: Sequence[tuple[Link, Set]]) -> list[str]:
        """How a cycle of these steps, each with the state it is taken in, is fair: a sentence a condition."""
        notes = []
        for entry in self.fairness:
            match entry:
                case Weak(action=action) | Strong(action=action):
                    enabled = self.arena.enabled(action)
                    if any((state & self._taken(action, link)).satisfiable() for link, state in steps):
                        how = "taken in the loop"
                    elif not any((state & enabled).satisfiable() for _, state in steps):
                        how = "never enabled in the loop"
                    else:
                        how = "disabled in the loop again and again"
                case Compassion(when=when, then=then):
                    happens = any((state & self.on(when, link)).satisfiable() for link, state in steps)
                    how = f"{then} in the loop" if happens else f"never {when} in the loop"
                case Justice():
                    how = "true in the loop"
                case _:
                    how = EVERYWHERE if self.shown else NOT_SHOWN
            notes.append(f"{entry}: {how}")
        return notes
