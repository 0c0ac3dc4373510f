"""Decides LTL: looks for a fair path that the automaton of the negation accepts."""

from __future__ import annotations

from collections.abc import Sequence

from homing.core.errors import HomingError
from homing.core.formula import Between, Enabled, Formula, Happens, Holds, Taken
from homing.core.temporal import Fairness
from homing.engines.symbolic.arena import Arena, Class, StepAtom
from homing.engines.symbolic.cycles import explained, fair_pairs, lasso
from homing.engines.symbolic.fairness import Fair, atoms_of
from homing.engines.symbolic.paths import Path, Walker
from homing.engines.symbolic.play import Condition, Link, Pairs, Play
from homing.engines.symbolic.space import Set
from homing.properties.ltl.letters import Table, tabulate

MOST_LETTERS = 4096
"""Combinations of atoms that occur."""


class Product:
    """The arena and the automaton of a formula, and the fair cycles that it accepts."""

    def __init__(self, arena: Arena, formula: Formula, fairness: tuple[Fairness, ...]) -> None:
        self.arena = arena
        steps = atoms_of([formula], fairness)
        kinds = arena.classes(steps)
        self.fair = Fair(arena, kinds, steps, fairness)
        atoms = atoms_in(formula)
        letters = _letters(arena, atoms, kinds, steps)
        table = tabulate(formula, atoms, list(letters))
        self.play = Play(arena, kinds, table.states, _links(arena, table, list(letters.values())))
        self.walker = Walker(self.play, steps)
        self.fair.conditions += self._marks(table.marks)
        self.start = self.play.none()
        for number in table.initial.tolist():
            self.start[number] = arena.initial
        self._cycling = [component >= 0 for component in table.component.tolist()]

    def _marks(self, marks: int) -> list[Condition]:
        def condition(bit: int) -> Condition:
            return Condition(lambda link: self.arena.states if link.marks >> bit & 1 else self.arena.space.false)

        return [condition(bit) for bit in range(marks.bit_length()) if marks >> bit & 1]

    def accepted(self) -> tuple[Pairs, Play] | None:
        """The reachable pairs on fair cycles, or from which one is reached; None when there is none."""
        if not self.play.size:
            return None
        reached = self.play.reachable(self.start)
        none = self.arena.space.false
        cycling = [part if yes else none for part, yes in zip(reached, self._cycling, strict=True)]
        fair = fair_pairs(self.walker, cycling, self.fair)
        return fair if self.play.any(fair[0]) else None

    def path(self, fair: tuple[Pairs, Play]) -> Path:
        """A path to one of the cycles, and around it."""
        first, way, cycle = lasso(self.walker, self.start, fair, self.fair)
        while way and (way[-1].link.kind, way[-1].before[1]) == (cycle[-1].link.kind, cycle[-1].before[1]):
            if way[-1].after[1] != cycle[-1].after[1]:
                break
            cycle.insert(0, cycle.pop())
            way.pop()
        path = self.walker.path(first, [*way, *cycle], len(way))
        path.notes = explained(self.walker, self.fair, cycle)
        return path


def atoms_in(formula: Formula) -> list[Formula]:
    """The atoms of a formula, each once."""
    return list(
        dict.fromkeys(part for part in formula.walk() if isinstance(part, Holds | Enabled | Happens | Taken | Between))
    )


def satisfying(arena: Arena, formula: Formula, fairness: tuple[Fairness, ...]) -> Path | None:
    """A fair path from an initial state on which the formula is true, or None."""
    product = Product(arena, formula, fairness)
    fair = product.accepted()
    return None if fair is None else product.path(fair)


def satisfiable(arena: Arena, formula: Formula, fairness: tuple[Fairness, ...]) -> bool:
    """Whether there is such a path."""
    return Product(arena, formula, fairness).accepted() is not None


Letters = dict[int, dict[int, Set]]
"""By letter, whose bits are the atoms that are true, and by class of steps: the states where it occurs."""


def _letters(arena: Arena, atoms: list[Formula], kinds: Sequence[Class], steps: Sequence[StepAtom]) -> Letters:
    found: Letters = {}
    for number, kind in enumerate(kinds):
        cells = [(0, arena.states)]
        for bit, atom in enumerate(atoms):
            true = arena.on_steps(atom, steps, kind.true)
            split = [(code | 1 << bit, states & true) for code, states in cells]
            split += [(code, states & ~true) for code, states in cells]
            cells = [(code, states) for code, states in split if states.satisfiable()]
            if len(cells) > MOST_LETTERS:
                raise HomingError(f"a formula is too large: more than {MOST_LETTERS} combinations of its parts occur")
        for code, states in cells:
            found.setdefault(code, {})[number] = states
    return found


def _links(arena: Arena, table: Table, letters: list[dict[int, Set]]) -> list[Link]:
    """The automaton's transitions, those that differ only in the letter as one."""
    start, target, mark = table.start.tolist(), table.target.tolist(), table.mark.tolist()
    component = table.component.tolist()
    found: dict[tuple[int, int, int, int], Set] = {}
    for state in range(table.states):
        for letter, cells in enumerate(letters):
            cell = state * table.letters + letter
            for position in range(start[cell], start[cell + 1]):
                for kind, states in cells.items():
                    key = (state, target[position], kind, mark[position])
                    found[key] = found.get(key, arena.space.false) | states
    return [
        Link(source, to, kind, states, marks, component[source] >= 0 and component[source] == component[to])
        for (source, to, kind, marks), states in found.items()
    ]
