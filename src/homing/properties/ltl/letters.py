"""The automaton on the letters that occur: a letter says which atoms are true at a position."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from homing.core.errors import HomingError
from homing.core.formula import Formula
from homing.properties.ltl.past import Reader, now
from homing.properties.ltl.reduce import accepting, reduced
from homing.properties.ltl.terms import Term
from homing.properties.ltl.translate import Automaton, Transition, translate

Array = NDArray[Any]


@dataclass(frozen=True, eq=False)
class Table:
    """The transitions of state q on letter a are `start[q * letters + a] ..` in `target` and `mark`."""

    states: int
    letters: int
    initial: Array
    start: Array
    target: Array
    mark: Array
    marks: int
    component: Array
    """By state, its component where that can accept, else -1."""


@dataclass(frozen=True)
class Translated:
    """The automaton of a formula, on top of which each of `recurring` must be true again and again."""

    automaton: Automaton
    recurring: list[Term]
    reader: Reader

    def marks(self, true: int) -> int:
        """The marks after those of the automaton: a bit for each of `recurring` that is true."""
        found = sum(1 << bit for bit, term in enumerate(self.recurring) if self.reader.pool.evaluate(term, true))
        return found << self.automaton.marks.bit_length()


def automaton_of(formula: Formula, atoms: list[Formula]) -> Translated:
    """The reduced automaton of a formula, which may be large: then HomingError.

    G F p with a plain p is kept out of it. It would double the states for each, and needs no state at all.
    """
    reader = Reader(atoms)
    term, recurring = reader.pool.without_recurring(reader.read(formula))
    return Translated(reduced(translate(reader.pool, term)), recurring, reader)


def tabulate(formula: Formula, atoms: list[Formula], letters: list[int]) -> Table:
    """The automaton of a formula on these letters; a letter has a bit for each atom that is true."""
    found = automaton_of(formula, atoms)
    automaton, reader = found.automaton, found.reader
    choices = product((0, 1), repeat=len(reader.guesses))
    guesses = [sum(1 << guess for guess, yes in zip(reader.guesses, choice) if yes) for choice in choices]
    number = {(state, 0): position for position, state in enumerate(automaton.initial)}
    order = list(number)
    rows: list[list[list[Transition]]] = []
    for state, memory in order:  # grows while it is walked
        row = []
        for letter in letters:
            ways: dict[Transition, None] = {}
            for guess in guesses:
                true, after = now(reader.remembered, letter | guess, memory)
                marks = found.marks(true)
                for t in automaton.transitions[state]:
                    if t.true & ~true == 0 and t.false & true == 0:
                        key = (t.target, after)
                        if key not in number:
                            number[key] = len(order)
                            order.append(key)
                        ways[Transition(0, 0, number[key], t.marks | marks)] = None
            row.append(list(ways))
        rows.append(row)
    every = automaton.marks | ((1 << len(found.recurring)) - 1) << automaton.marks.bit_length()
    return _table(rows, len(automaton.initial), len(letters), every)


def _table(rows: list[list[list[Transition]]], initial: int, letters: int, marks: int) -> Table:
    outgoing = [[t for ways in row for t in ways] for row in rows]
    component, good = accepting(outgoing, marks)
    useful = set(good)
    for state in sorted(range(len(rows)), key=lambda state: component[state]):
        if any(component[t.target] in useful for t in outgoing[state]):
            useful.add(component[state])
    kept = [state for state in range(len(rows)) if component[state] in useful]
    number = {state: position for position, state in enumerate(kept)}
    cells = [[t for t in rows[state][letter] if t.target in number] for state in kept for letter in range(letters)]
    flat = [t for cell in cells for t in cell]
    if any(t.marks >> 64 for t in flat):
        raise HomingError("a formula is too large: its automaton has more than 64 acceptance marks")
    return Table(
        states=len(kept),
        letters=letters,
        initial=np.array([number[state] for state in range(initial) if state in number], np.int64),
        start=np.concatenate([[0], np.cumsum([len(cell) for cell in cells], dtype=np.int64)]).astype(np.int64),
        target=np.array([number[t.target] for t in flat], np.uint32),
        mark=np.array([t.marks for t in flat], np.uint64),
        marks=marks,
        component=np.array([component[s] if component[s] in good else -1 for s in kept], np.int64),
    )
