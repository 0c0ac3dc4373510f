"""Paths through sets of pairs, step by step, and the traces that they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from homing.core.interpreter import ReplayFailed, replay
from homing.core.witness import STUTTER, Branch, Move, Trace
from homing.engines.symbolic.arena import StepAtom
from homing.engines.symbolic.play import Condition, Link, Pairs, Play
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Set

Row = tuple[int, ...]
"""A state as the numbers of its values, which are equal only where states are; Python takes True for 1."""
Node = tuple[int, Row]
"""A state of the automaton and one of the system."""


@dataclass
class Path:
    """States of the system and the steps between them; from position `loop` on they repeat for ever."""

    states: list[Row]
    moves: list[Move] = field(default_factory=list)
    loop: int | None = None
    branches: list[tuple[int | None, str, Path]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Taken:
    """A step from one node to another."""

    link: Link
    before: Node
    after: Node
    move: Move | None = None
    """Which of the steps between them, if not any."""


class Walker:
    """Finds single paths where sets of pairs say that there are some."""

    def __init__(self, play: Play, atoms: Sequence[StepAtom]) -> None:
        self.play = play
        self.arena = play.arena
        self.world = play.arena.search.world
        self.atoms = atoms

    def at(self, row: Row) -> Set:
        """A state as a set."""
        return self.play.space.tuple(row, self.play.space.now)

    def one(self, states: Set) -> Row:
        """One of the states."""
        return self.play.space.one(states, self.play.space.now)

    def only(self, node: Node) -> Pairs:
        """A node as a set of pairs."""
        found = self.play.none()
        found[node[0]] = self.at(node[1])
        return found

    def pick(self, pairs: Pairs) -> Node:
        """One of the pairs."""
        for number, part in enumerate(pairs):
            if part.satisfiable():
                return number, self.one(part)
        raise ReplayFailed("a set of states is empty that had one")

    def route(
        self, start: Pairs, goal: Pairs, within: Pairs | None = None, cycling: bool = False, moving: bool = False
    ) -> tuple[Node, list[Taken]]:
        """A shortest path from one of the pairs to the goal through pairs `within`; `moving`: of one step or more."""
        play = self.play
        first = play.both(start, goal)
        if not moving and play.any(first):
            return self.pick(first), []
        rings, seen = [start], play.none() if moving else start
        while True:
            here = rings[-1] if within is None else play.both(rings[-1], within)
            new = play.without(play.after(here, cycling), seen)
            if not play.any(new):
                raise ReplayFailed("there is no path where one was found")
            hit = play.both(new, goal)
            if play.any(hit):
                break
            rings.append(new)
            seen = play.either(seen, new)
        node, taken = self.pick(hit), list[Taken]()
        for ring in reversed(rings):
            step = self._back(ring if within is None else play.both(ring, within), node, cycling)
            taken.append(step)
            node = step.before
        return node, taken[::-1]

    def _back(self, ring: Pairs, node: Node, cycling: bool) -> Taken:
        """A step from a pair of the ring to a node."""
        target = self.at(node[1])
        for link in self.play.links:
            if link.toward is not None and not (link.toward & target).satisfiable():
                continue
            if link.target == node[0] and (link.inside or not cycling) and ring[link.source].satisfiable():
                found = self.arena.before(self.play.kinds[link.kind], target) & link.where & ring[link.source]
                if found.satisfiable():
                    return Taken(link, (link.source, self.one(found)), node)
        raise ReplayFailed(f"no step leads to {self.world.decoded(node[1])}")

    def step(self, node: Node, within: Pairs, condition: Condition) -> Taken:
        """A step from a node that gives what a condition wants."""
        here = self.at(node[1])
        for link in self.play.links:
            if link.source == node[0] and link.inside and (here & link.where & condition.give(link)).satisfiable():
                found = self.arena.after(self.play.kinds[link.kind], here) & within[link.target]
                if link.toward is not None:
                    found = found & link.toward
                if found.satisfiable():
                    return Taken(link, node, (link.target, self.one(found)))
        raise ReplayFailed(f"no step from {self.world.decoded(node[1])} is fair")

    # Fair cycles

    def lasso(
        self, start: Pairs, fair: tuple[Pairs, Play], conditions: Sequence[Condition], within: Pairs | None = None
    ) -> tuple[Node, list[Taken], list[Taken]]:
        """A way to a fair cycle among the pairs that `Play.fair` found, and around it."""
        first, way = self.route(start, fair[0], within)
        more, cycle = Walker(fair[1], self.atoms).around(way[-1].after if way else first, fair[0], conditions)
        return first, [*way, *more], cycle

    def around(self, entry: Node, fair: Pairs, conditions: Sequence[Condition]) -> tuple[list[Taken], list[Taken]]:
        """From a node into a fair component, and around in it."""
        play, way = self.play, list[Taken]()
        while True:
            forward = play.reachable(self.only(entry), fair, cycling=True)
            component = play.both(forward, self._returning(entry, forward))
            if self.is_fair(component, conditions):
                return way, self._cycle(entry, component, conditions)
            _, more = self.route(self.only(entry), play.without(forward, component), forward, cycling=True)
            way += more
            entry = more[-1].after

    def component(self, node: Node, within: Pairs) -> Pairs:
        """The pairs that a node can reach and be reached from, by steps that a cycle may use."""
        forward = self.play.reachable(self.only(node), within, cycling=True)
        return self.play.both(forward, self._returning(node, forward))

    def _returning(self, entry: Node, within: Pairs) -> Pairs:
        play = self.play
        return play.reaching(self.only(entry), within, cycling=True)

    def is_fair(self, component: Pairs, conditions: Sequence[Condition]) -> bool:
        """Whether all that a component needs is in it, and it has a cycle at all."""
        play = self.play
        if not play.any(play.both(play.before(component, cycling=True), component)):
            return False
        for condition in conditions:
            given = play.any(play.both(play.before(component, condition.give, cycling=True), component))
            if not given and (condition.need is None or self._needs(component, condition)):
                return False
        return True

    def _needs(self, component: Pairs, condition: Condition) -> bool:
        play = self.play
        return play.any(play.both(play.before(component, condition.need, cycling=True), component))

    def _cycle(self, entry: Node, component: Pairs, conditions: Sequence[Condition]) -> list[Taken]:
        """The shortest way back; if that lacks something, to the nearest step that gives it, and so on."""
        play, taken = self.play, list[Taken]()
        _, back = self.route(self.only(entry), self.only(entry), component, cycling=True, moving=True)
        while (missing := self._missing(taken + back, conditions)) is not None:
            goal = play.both(play.before(component, missing.give, cycling=True), component)
            _, way = self.route(self.only(taken[-1].after if taken else entry), goal, component, cycling=True)
            taken += way
            taken.append(self.step(taken[-1].after if taken else entry, component, missing))
            back = []
            if taken[-1].after != entry:
                _, back = self.route(self.only(taken[-1].after), self.only(entry), component, cycling=True)
        return taken + back

    def _missing(self, steps: list[Taken], conditions: Sequence[Condition]) -> Condition | None:
        for condition in conditions:
            given = any((self.at(t.before[1]) & condition.give(t.link)).satisfiable() for t in steps)
            need = condition.need
            if not given and (need is None or any((self.at(t.before[1]) & need(t.link)).satisfiable() for t in steps)):
                return condition
        return None

    def moves(self, step: Taken) -> Iterator[Move]:
        """The steps of the system that it may stand for."""
        before, after = self.world.decoded(step.before[1]), self.world.decoded(step.after[1])
        return self.arena.moves(self.play.kinds[step.link.kind], self.atoms, before, after)

    def steps(self, node: Node, within: Pairs) -> Iterator[Taken]:
        """All steps from a node that a cycle may use, one by one."""
        space, here = self.play.space, self.at(node[1])
        for link in self.play.links:
            if link.source == node[0] and link.inside and (here & link.where).satisfiable():
                ends = self.arena.after(self.play.kinds[link.kind], here) & within[link.target]
                for row in space.rows(ends, space.now):
                    step = Taken(link, node, (link.target, row))
                    yield from (replace(step, move=move) for move in self.moves(step))

    def path(self, first: Node, steps: Sequence[Taken], loop: int | None = None) -> Path:
        """The steps as a path of the system."""
        states, taken = [first[1]], list[Move]()
        for step in steps:
            taken.append(step.move or next(self.moves(step)))
            states.append(step.after[1])
        return Path(states, taken, loop)


def trace_of(search: Search, path: Path) -> Trace:
    """The trace of a path that starts in an initial state; replayed by the plain interpreter."""
    trace = _trace(search, path)
    replay(search.system, trace)
    return trace


def _trace(search: Search, path: Path) -> Trace:
    shape = search.system.shape
    moves, loop = path.moves, path.loop
    if loop is not None and all(move == STUTTER for move in moves[loop:]):
        moves = moves[:loop]  # it stays where it is
    branches = tuple(
        Branch(None if at is None else min(at, len(moves)), why, _trace(search, branch))
        for at, why, branch in path.branches
    )
    states = tuple(map(search.world.decoded, path.states[: len(moves) + 1]))
    return Trace(tuple(map(str, shape.slots)), states, tuple(moves), loop, branches, tuple(path.notes), shape.notation)
