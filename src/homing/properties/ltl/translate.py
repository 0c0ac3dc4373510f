"""From a term to a small generalised Büchi automaton with marks on its transitions.

By way of a very weak alternating automaton, as in Gastin and Oddoux, "Fast LTL to Büchi automata translation" (2001): a
state of the result is a set of terms that must all hold from here on. A transition carries the mark of an until when it
does not put it off.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from homing.core.errors import HomingError
from homing.properties.ltl.terms import FALSE, TRUE, Pool, Term

Terms = frozenset[int]
MOST = 10_000
"""Transitions of an automaton; each F or U of a conjunction can double them."""
MOST_WAYS = 2_000
"""Transitions from one state."""


class Way(NamedTuple):
    """The propositions that must be true, those that must be false, and the terms that must hold next."""

    true: int
    false: int
    next: Terms


class Transition(NamedTuple):
    """One of the automaton: `marks` has a bit for each until that it fulfils."""

    true: int
    false: int
    target: int
    marks: int


@dataclass(frozen=True)
class Automaton:
    """Accepts a path with a run that takes transitions with each of the marks again and again."""

    initial: tuple[int, ...]
    transitions: tuple[tuple[Transition, ...], ...]
    marks: int
    """The bits of all marks."""


def translate(pool: Pool, term: Term) -> Automaton:
    """The automaton of a term."""
    return _Translation(pool).of(term)


class _Translation:
    def __init__(self, pool: Pool) -> None:
        self.pool = pool
        self._ways: dict[Term, list[Way]] = {}

    def _guard(self, size: int, most: int) -> None:
        if size > most:
            raise HomingError(f"a formula is too large: its automaton has more than {most} transitions")

    def of(self, term: Term) -> Automaton:
        untils = self._untils(term)
        starts = self._sets(term)
        state: dict[Terms, int] = {}
        """By set of terms its state; sets with the same ways on are one."""
        known: dict[frozenset[tuple[Way, int]], int] = {}
        found: list[list[tuple[Way, int]]] = []
        waiting = list(starts)
        for terms in waiting:  # grows while it is walked
            if terms in state:
                continue
            marked = [(way, self._marks(way, untils)) for way in self._of_set(terms)]
            kept = [(way, marks) for way, marks in marked if not _covered(way, marks, marked)]
            state[terms] = known.setdefault(frozenset(kept), len(found))
            if state[terms] == len(found):
                found.append(kept)
                waiting += (way.next for way, _ in kept)
                self._guard(sum(map(len, found)), MOST)
        transitions = tuple(
            tuple(Transition(way.true, way.false, state[way.next], marks) for way, marks in kept) for kept in found
        )
        return Automaton(tuple(dict.fromkeys(state[terms] for terms in starts)), transitions, (1 << len(untils)) - 1)

    def _untils(self, term: Term) -> list[Term]:
        """All parts that are untils."""
        seen, waiting = {term}, [term]
        while waiting:
            kind, parts = self.pool.nodes[waiting.pop()]
            if kind != "literal":
                waiting += set(parts) - seen
                seen |= set(parts)
        return sorted(part for part in seen if self.pool.nodes[part][0] == "U")

    def _marks(self, way: Way, untils: list[Term]) -> int:
        marks = 0
        for bit, until in enumerate(untils):
            if until not in way.next or any(self._serves(own, way, until) for own in self._of(until)):
                marks |= 1 << bit
        return marks

    def _serves(self, own: Way, way: Way, until: Term) -> bool:
        """Whether the transition fulfils the until by one of the until's own ways that does not put it off."""
        fits = own.true & ~way.true == 0 and own.false & ~way.false == 0
        return fits and until not in own.next and own.next <= way.next

    def _of_set(self, terms: Terms) -> list[Way]:
        ways = [Way(0, 0, frozenset())]
        for term in sorted(terms):
            ways = _both(ways, self._of(term))
            self._guard(len(ways), MOST_WAYS)
        return ways

    def _of(self, term: Term) -> list[Way]:
        """The ways on from a term."""
        if term not in self._ways:
            self._ways[term] = _least(self._make(term))
        return self._ways[term]

    def _make(self, term: Term) -> Iterable[Way]:
        kind, parts = self.pool.nodes[term]
        itself = [Way(0, 0, frozenset({term}))]
        match kind:
            case "true":
                return [Way(0, 0, frozenset())]
            case "false":
                return []
            case "literal":
                bit = 1 << parts[0]
                return [Way(bit, 0, frozenset()) if parts[1] else Way(0, bit, frozenset())]
            case "and":
                return self._of_set(frozenset(parts))
            case "or":
                return [way for part in parts for way in self._of(part)]
            case "X":
                return [Way(0, 0, terms) for terms in self._sets(parts[0])]
            case "U":
                return [*self._of(parts[1]), *_both(self._of(parts[0]), itself)]
        return _both(self._of(parts[1]), [*self._of(parts[0]), *itself])

    def _sets(self, term: Term) -> list[Terms]:
        """The term as a disjunction of sets of terms that are neither `and` nor `or`."""
        if term == FALSE:
            return []
        if term == TRUE:
            return [frozenset()]
        kind, parts = self.pool.nodes[term]
        if kind not in ("and", "or"):
            return [frozenset({term})]
        if kind == "or":
            sets = [terms for part in parts for terms in self._sets(part)]
        else:
            sets = [frozenset()]
            for part in parts:
                sets = [one | other for one in sets for other in self._sets(part)]
        unique = list(dict.fromkeys(sets))
        return [terms for terms in unique if not any(other < terms for other in unique)]


def _both(some: list[Way], others: list[Way]) -> list[Way]:
    """The ways that are one of each."""
    ways = []
    for one in some:
        for other in others:
            true, false = one.true | other.true, one.false | other.false
            if true & false == 0:
                ways.append(Way(true, false, one.next | other.next))
    return list(dict.fromkeys(ways))


def _least(ways: Iterable[Way]) -> list[Way]:
    """Without those that ask for more than another."""
    unique = list(dict.fromkeys(ways))
    return [way for way in unique if not any(other != way and _easier(other, way) for other in unique)]


def _easier(one: Way, other: Way) -> bool:
    return one.true & ~other.true == 0 and one.false & ~other.false == 0 and one.next <= other.next


def _covered(way: Way, marks: int, among: list[tuple[Way, int]]) -> bool:
    """Whether another transition asks for less and fulfils as much."""
    return any(other != way and _easier(other, way) and marks & ~more == 0 for other, more in among)
