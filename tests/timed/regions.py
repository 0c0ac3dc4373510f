"""The region graph (Alur and Dill, 1994): slow, exact, without zones; for systems without diagonal constraints.

A region is written as one of its points, always the same: a clock above its greatest constant M stands at M + 1, and
the fractions of the others are 1/k, 2/k, … in their order, where k is more than there are clocks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from tests.timed.discrete import Asked, Option, after, holds

from homing.core.values import State
from homing.timed.system import Cell, TimedSystem

Region: TypeAlias = tuple[int, ...]
"""By clock, from number 0 on, in k-th parts; then the ticking clock, if there is one."""
Node: TypeAlias = tuple[State, Region]


@dataclass
class RegionGraph:
    """All that a system can do, region by region.

    With `ticking`, one more clock goes from 0 to 1 again and again: time diverges on the cycles where it comes round.
    """

    system: TimedSystem
    labels: Collection[int] = ()
    """Of the conditions that will be asked about."""
    ticking: bool = False
    asked: Asked = field(init=False)

    def __post_init__(self) -> None:
        self.asked = Asked(self.system)
        self.most = self.asked.greatest(tuple(self.labels)) + [1] * self.ticking
        self.unit = len(self.most) + 1
        self._edges: dict[Node, list[Node]] = {}
        self._deadlocked: dict[Node, bool] = {}

    # Regions

    def region(self, values: Sequence[int], unit: int) -> Region:
        """The region of a point whose clocks are counted in parts of 1."""
        known = [clock for clock, value in enumerate(values) if value <= self.most[clock] * unit]
        fractions = sorted({0} | {values[clock] % unit for clock in known})
        region = [(most + 1) * self.unit for most in self.most]
        for clock in known:
            region[clock] = values[clock] // unit * self.unit + fractions.index(values[clock] % unit)
        return tuple(region)

    def later(self, region: Region) -> Region:
        """The next region that time leads to: the same if there is none."""
        moving = [clock for clock in range(1, len(region)) if region[clock] <= self.most[clock] * self.unit]
        if not moving:
            return region
        fractions = {region[clock] % self.unit for clock in moving}
        # Half a part is less than any fraction; those that are furthest reach the next whole number first.
        step = 1 if 0 in fractions else 2 * (self.unit - max(fractions))
        return self.region([0] + [2 * value + step for value in region[1:]], 2 * self.unit)

    def ticks(self, region: Region) -> bool:
        """Whether the ticking clock is at 1, which is where it goes back to 0."""
        return self.ticking and region[-1] == self.unit

    # Steps

    @cached_property
    def initial(self) -> list[Node]:
        zero = self.region([0] * len(self.most), self.unit)
        return [(state, zero) for state in self.system.initial() if self.allowed(state, zero)]

    def allowed(self, state: State, region: Region) -> bool:
        return holds(region, self.asked.timing(state).invariant, self.unit)

    def waits(self, node: Node) -> Node | None:
        """Where time leads to, if it may pass: to the node itself, if it may pass for ever."""
        state, region = node
        if not self.asked.timing(state).delay:
            return None
        region = self.later(region)
        if self.ticks(region):
            region = (*region[:-1], 0)
            region = self.region(region, self.unit)
        return (state, region) if self.allowed(state, region) else None

    def possible(self, node: Node) -> list[tuple[Option, Node]]:
        """The actions that can be taken, those of the highest priority, and where they lead."""
        state, region = node
        found = []
        for option in self.asked.timing(state).options:
            if holds(region, option.action.guard, self.unit):
                changed = self.region(after(region, option.action, self.unit), self.unit)
                if self.allowed(option.target, changed):
                    found.append((option, (option.target, changed)))
        most = max((option.action.priority for option, _ in found), default=0)
        return [(option, target) for option, target in found if option.action.priority == most]

    def edges(self, node: Node) -> list[Node]:
        """What comes next: after an action, or when time has passed."""
        if node not in self._edges:
            waited = self.waits(node)
            self._edges[node] = [target for _, target in self.possible(node)] + ([waited] if waited else [])
        return self._edges[node]

    # Questions

    @cached_property
    def reachable(self) -> set[Node]:
        return self.reached(self.initial)

    def reached(self, start: Collection[Node], within: int | None = None) -> set[Node]:
        """From these nodes, if the condition with this label holds all the time, at both ends, too."""
        found = {node for node in start if within is None or self.satisfied(within, node)}
        waiting = list(found)
        while waiting:
            for target in self.edges(waiting.pop()):
                if target not in found and (within is None or self.satisfied(within, target)):
                    found.add(target)
                    waiting.append(target)
        return found

    def satisfied(self, label: int, node: Node) -> bool:
        return any(self._inside(cell, node) for cell in self.asked.cells(label, node[0]))

    def _inside(self, cell: Cell, node: Node) -> bool:
        if not holds(node[1], cell.constraints, self.unit):
            return False
        return cell.deadlock is None or cell.deadlock == self.deadlocked(node)

    def deadlocked(self, node: Node) -> bool:
        """Whether no action is possible, now or after any delay."""
        if node not in self._deadlocked:
            seen: list[Node] = []
            current: Node | None = node
            while current is not None and current not in seen and not self.possible(current):
                seen.append(current)
                current = self.waits(current)
            self._deadlocked[node] = current is None or current in seen
        return self._deadlocked[node]

    def is_reachable(self, label: int) -> bool:
        """E<> p."""
        return any(self.satisfied(label, node) for node in self.reachable)

    def can_stay(self, label: int, start: Collection[Node] | None = None, *, divergent: bool = False) -> bool:
        """E[] p: on some maximal run p holds throughout; it may have to be one on which time diverges.

        A run is maximal if it is infinite, waits for ever, or is stuck: time cannot pass, nor can anything be done.
        """
        nodes = self.reached(self.initial if start is None else start, label)
        if divergent:
            assert self.ticking
            return any(self._comes_round(component, nodes) for component in self._components(nodes))
        stuck = any(not self.edges(node) for node in nodes)
        return stuck or any(True for _ in self._components(nodes))

    def leads_to(self, where: int, until: int) -> bool:
        """p --> q, given p and not q."""
        start = [node for node in self.reachable if self.satisfied(where, node)]
        return not self.can_stay(until, start)

    def _comes_round(self, component: set[Node], nodes: set[Node]) -> bool:
        """Whether the ticking clock goes back to 0 on an edge inside the component."""
        for node in component:
            waited = self.waits(node)
            if waited in component and waited in nodes and self.ticks(self.later(node[1])):
                return True
        return False

    def _components(self, nodes: set[Node]) -> Iterator[set[Node]]:
        """The strongly connected components that have an edge (Kosaraju, Sharir)."""
        order: list[Node] = []
        seen: set[Node] = set()
        for root in nodes:
            if root in seen:
                continue
            stack = [(root, iter(self.edges(root)))]
            seen.add(root)
            while stack:
                node, rest = stack[-1]
                following = next((target for target in rest if target in nodes and target not in seen), None)
                if following is None:
                    order.append(node)
                    stack.pop()
                else:
                    seen.add(following)
                    stack.append((following, iter(self.edges(following))))
        back: dict[Node, list[Node]] = {}
        for node in nodes:
            for target in self.edges(node):
                back.setdefault(target, []).append(node)
        left = set(nodes)
        for root in reversed(order):
            if root in left:
                component, waiting = {root}, [root]
                left.discard(root)
                while waiting:
                    for source in back.get(waiting.pop(), ()):
                        if source in left:
                            left.discard(source)
                            component.add(source)
                            waiting.append(source)
                if len(component) > 1 or root in self.edges(root):
                    yield component
