"""Sets of pairs of a state and an automaton's state, the steps between them, and fair cycles.

Where there is no automaton, it has one state. A set of pairs is a list: by the automaton's state, a set of states.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from homing.engines.symbolic.arena import Arena, Class
from homing.engines.symbolic.arrows import Arrow
from homing.engines.symbolic.recurring import recurring
from homing.engines.symbolic.space import Set

Pairs: TypeAlias = list[Set]


@dataclass(frozen=True, eq=False)
class Link:
    """Steps of a class, from some states, with which the automaton goes from one state to another."""

    source: int
    target: int
    kind: int
    where: Set
    marks: int = 0
    inside: bool = True
    """Whether a cycle may use it."""
    toward: Set | None = None
    """The states that it may lead to, if not all."""


Where: TypeAlias = Callable[[Link], Set]
Ways: TypeAlias = list[tuple[int, int, Link]]
"""Links, each with the automaton's state at the end where one is and at the other."""


@dataclass(frozen=True, eq=False)
class Condition:
    """A cycle with a step in `need` must have one in `give`; without `need`, every cycle must."""

    give: Where
    need: Where | None = None
    by_state: bool = True
    """Whether `need` depends on the state alone."""


class Play:
    """A product of the arena with an automaton."""

    def __init__(self, arena: Arena, kinds: Sequence[Class], size: int, links: Sequence[Link]) -> None:
        self.arena = arena
        self.space = arena.space
        self.kinds = kinds
        self.size = size
        self.links = [link for link in links if link.where.satisfiable()]

    # Pairs

    def none(self) -> Pairs:
        """No pairs."""
        return [self.space.false] * self.size

    def both(self, some: Pairs, others: Pairs) -> Pairs:
        """The pairs in both."""
        return [one & other for one, other in zip(some, others, strict=True)]

    def either(self, some: Pairs, others: Pairs) -> Pairs:
        """The pairs in one of them."""
        return [one | other for one, other in zip(some, others, strict=True)]

    def without(self, some: Pairs, others: Pairs) -> Pairs:
        """The pairs in the one that are not in the other."""
        return [one & ~other for one, other in zip(some, others, strict=True)]

    def any(self, pairs: Pairs) -> bool:
        """Whether there is one."""
        return any(part.satisfiable() for part in pairs)

    # Steps

    def before(self, pairs: Pairs, where: Where | None = None, cycling: bool = False) -> Pairs:
        """Those that a step leads from to some pair, only steps from `where`."""
        found = self.none()
        images: dict[tuple[int, Set], Set] = {}
        for link in self.links:
            if (cycling and not link.inside) or not pairs[link.target].satisfiable():
                continue
            ends = pairs[link.target] if link.toward is None else pairs[link.target] & link.toward
            key = (link.kind, ends)
            if key not in images:
                images[key] = self.arena.before(self.kinds[link.kind], ends)
            here = images[key] & link.where
            found[link.source] = found[link.source] | (here if where is None else here & where(link))
        return found

    def after(self, pairs: Pairs, cycling: bool = False) -> Pairs:
        """Those that a step leads to from some pair."""
        sources: dict[tuple[int, int, Set | None], Set] = {}
        for link in self.links:
            if (cycling and not link.inside) or not pairs[link.source].satisfiable():
                continue
            key = (link.kind, link.target, link.toward)
            sources[key] = sources.get(key, self.space.false) | (pairs[link.source] & link.where)
        found = self.none()
        for (kind, target, toward), states in sources.items():
            if states.satisfiable():
                ends = self.arena.after(self.kinds[kind], states)
                found[target] = found[target] | (ends if toward is None else ends & toward)
        return found

    def reachable(self, pairs: Pairs, within: Pairs | None = None, cycling: bool = False) -> Pairs:
        """Those that a path leads to from some, itself in `within`."""
        ways = [(link.source, link.target, link) for link in self.links if link.inside or not cycling]

        def ends(link: Link, arrow: Arrow, states: Set) -> Set:
            found = arrow.after(states & link.where)
            return found if link.toward is None else found & link.toward

        return self._closed(pairs, within or [self.arena.states] * self.size, ways, ends)

    def reaching(self, pairs: Pairs, within: Pairs, cycling: bool = False) -> Pairs:
        """Those in `within` from which a path in it leads to some pair, which need not be in it."""
        ways = [(link.target, link.source, link) for link in self.links if link.inside or not cycling]

        def starts(link: Link, arrow: Arrow, states: Set) -> Set:
            return arrow.before(states if link.toward is None else states & link.toward) & link.where

        return self._closed(pairs, within, ways, starts)

    def _closed(self, pairs: Pairs, within: Pairs, ways: Ways, step: Callable[[Link, Arrow, Set], Set]) -> Pairs:
        """All that steps lead to again and again; what one arrow finds counts before the next one moves (chaining)."""
        found, new = list(pairs), list(pairs)
        while self.any(new):
            current, new = new, self.none()
            for one, other, link in ways:
                for arrow in self.kinds[link.kind].arrows:
                    if not current[one].satisfiable():
                        break
                    more = step(link, arrow, current[one]) & within[other] & ~found[other]
                    self.space.tick()
                    if more.satisfiable():
                        found[other], new[other] = found[other] | more, new[other] | more
                        current[other] = current[other] | more
        return found

    # Fair cycles

    def fair(self, pairs: Pairs, conditions: Sequence[Condition]) -> tuple[Pairs, Play]:
        """Pairs from which a fair path stays among these, with all that lie on fair cycles; and the steps to use.

        What a cycle cannot use is removed until nothing is left to remove: pairs without a way on, those that need what
        they cannot reach, and steps that are on no cycle. In what remains, a component that cannot be left has all that
        it needs. For justice this is Emerson and Lei's fixpoint ("Efficient model checking in fragments of the
        propositional mu-calculus", 1986); for compassion see Kesten, Pnueli and Raviv ("Algorithmic verification of
        linear temporal logic specifications", 1998).
        """
        left, links, goals = self.lasting(pairs), self.links, dict[int, Pairs]()
        while True:
            old, before = left, links
            play = self._on_cycles(links, left) if conditions else self
            for number, condition in enumerate(conditions):
                gives = self.both(play.before(left, condition.give, cycling=True), left)
                reach = play.reaching(gives, left, cycling=True)
                if condition.need is None:
                    left = reach
                elif condition.by_state:
                    left = self.either(self.both(left, reach), self._without_need(left, condition))
                elif goals.get(number) != reach:
                    goals[number] = reach
                    links = self._restricted(conditions, goals)
                    play = Play(self.arena, play.kinds, self.size, links)
            left = play.lasting(left)
            if left == old and links is before:
                return left, play

    def _on_cycles(self, links: Sequence[Link], pairs: Pairs) -> Play:
        """With the steps that may be on a cycle among some pairs."""
        states = self.space.false
        for part in pairs:
            states = states | part
        return Play(self.arena, recurring(self.space, self.kinds, states), self.size, links)

    def lasting(self, pairs: Pairs) -> Pairs:
        """Those from which a path stays among them."""
        while True:
            left = self.both(pairs, self.before(pairs, cycling=True))
            if left == pairs:
                return left
            pairs = left

    def _without_need(self, pairs: Pairs, condition: Condition) -> Pairs:
        assert condition.need is not None
        need = condition.need(self.links[0]) if self.links else self.space.false
        return [part & ~need for part in pairs]

    def _restricted(self, conditions: Sequence[Condition], goals: dict[int, Pairs]) -> list[Link]:
        """Without the steps that need what cannot be had where they lead."""
        links = list(self.links)
        for number, goal in goals.items():
            need = conditions[number].need
            assert need is not None
            split = []
            for link in links:
                toward = goal[link.target] if link.toward is None else link.toward & goal[link.target]
                split.append(replace(link, where=link.where & ~need(link)))
                split.append(replace(link, where=link.where & need(link), toward=toward))
            links = split
        return links
