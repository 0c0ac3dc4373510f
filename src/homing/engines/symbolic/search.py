"""Finds the reachable states, as sets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from homing.core import evaluate
from homing.core.errors import ModelError
from homing.core.system import Start, TransitionSystem
from homing.engines.local.numbering import Interner
from homing.engines.symbolic.described import Describing, start
from homing.engines.symbolic.labels import Labels
from homing.engines.symbolic.orbits import Orbits, numbering
from homing.engines.symbolic.ordering import better, order_of
from homing.engines.symbolic.relation import Learnt, Relation
from homing.engines.symbolic.sampling import sample
from homing.engines.symbolic.space import Kept, Set, Space
from homing.engines.symbolic.tuning import Tuning
from homing.engines.symbolic.world import World

SAMPLE = 1000
"""States from which an order is found."""
Observe = Callable[[Kept], None]
"""What is done with states that are new, before their steps are looked at."""


@dataclass(frozen=True, eq=False)
class Found:
    """States that are new after steps of a group from those known before."""

    group: Learnt
    new: Kept


class Search:
    """The sets and relations of a system, learnt while it is explored."""

    def __init__(
        self,
        system: TransitionSystem,
        nodes: int,
        cache: int,
        threads: int,
        tuning: Tuning,
        symmetric: bool = False,
    ) -> None:
        """`symmetric`: of states that the system's symmetry makes alike, one is kept."""
        values = numbering(system.shape) if symmetric else None
        slots = [Interner() for _ in system.shape.slots] if values is None else values.slots
        self.system = system
        self.tuning = tuning
        self.order = order_of(system.shape)
        """That of the slots in the beginning."""
        self.space = Space(slots, self.order, nodes, cache, threads)
        self.world = World(system, slots, self.space, values)
        self.orbits = None if values is None else Orbits(self.world, values)
        self.describing = Describing(self.world, tuning.wide)
        self.labels = Labels(self.world, self.describing)
        self.relation = Relation(self.world, tuning.cluster)
        self.initial = self.kept(self.space.false)
        self.starts = 0
        """How many initial states were listed, the same one perhaps twice."""
        self.reached = self.kept(self.space.false)
        self.complete = False
        """Whether that is all there is."""
        self.rounds = 0
        self.history: list[Found] = []
        """What was found where states are not found breadth first."""
        self.work = 0
        """Nodes of the states known after each round."""
        self._crowded = tuning.tidy
        """Nodes in all at which it is time to look at the order."""
        self._arranged = tuning.tidy // 10
        """Nodes of the states from which another order is worth while."""

    def kept(self, states: Set) -> Kept:
        """A set of states that stays right when slots get more bits."""
        return self.space.keep(states, self.space.now)

    def start(self) -> None:
        """Takes in what the system says of itself, and the initial states."""
        self.relation.begin(self.describing)
        for label in self.system.shape.constraints:
            self.labels[label]  # its projections are wanted from the start
        starts: Sequence[Start] | None = self.system.starts() if hasattr(self.system, "starts") else None
        if starts is None:
            states = evaluate.initial(self.system)
            self.starts = len(states)
            self.initial.set = self.world.of_states(states)
            return
        parts = []
        for number, part in enumerate(starts):
            found = start(self.describing, number, part.slots, part.values)
            parts.append(self.space.keep(found, (self.space.now[slot] for slot in part.slots)))
        whole = self.space.true
        for each in parts:
            whole = whole & each.set
        self.initial.set = whole
        self.starts = self.space.states(self.initial.set)
        if not self.starts:
            raise ModelError("the model has no initial state", self.system.shape.place)

    def inside(self, states: Kept) -> Set:
        """The states that satisfy the constraints, which are asked about them."""
        for label in self.system.shape.constraints:
            self.labels.learn(label, states)
        found = states.set
        for label in self.system.shape.constraints:
            found = found & self.labels.true(label)
        return found

    def outside(self) -> Set:
        """The states that are known not to satisfy a constraint."""
        found = self.space.false
        for number in self.system.shape.constraints:
            reader = self.labels[number].reader
            found = found | (reader.spread(reader.known.set) & ~self.labels.true(number))
        return found

    def expand(self, states: Kept) -> Set:
        """Where all steps from some states lead; groups are asked about what is new to them."""
        if not self.complete:
            self.relation.learn(states)
        found = self.space.false
        for arrow in self.relation.arrows():
            found = found | arrow.after(states.set)
            self.space.tick()
        return found

    def fresh(self, states: Set, seen: Set) -> Set:
        """Those of some states that are new, one of an orbit; under a view one of each that look the same, and none
        that was seen so."""
        if self.orbits is not None:
            states = self.orbits.representatives(states & ~seen)
        hidden = [self.space.now[slot] for slot in self.system.shape.hidden]
        if not hidden:
            return states & ~seen
        return self.space.one_each(states & ~seen.exists(self.space.bits(hidden)), hidden)

    def tidy(self) -> None:
        """Where diagrams have grown, puts the slots in an order that makes the states' smaller; between operations."""
        space = self.space
        if space.manager.approx_num_inner_nodes() < self._crowded:
            return
        space.manager.gc()
        if self.reached.set.node_count() > self._arranged:
            rows = sample(space, self.reached.set, space.now, SAMPLE)
            order = better(rows, space.order)
            self.arranged(order)
            self._arranged = 2 * self.reached.set.node_count()
        self._crowded = max(self._crowded, 2 * space.manager.num_inner_nodes())

    def arranged(self, order: Sequence[int]) -> list[int]:
        """Puts the slots in this order, and returns the one that was; between operations."""
        before = self.space.order
        if list(order) != before:
            self.space.manager.gc()
            self.space.rearrange(order)
        return before

    # Strategies

    def levels(self, observe: Observe) -> Iterator[Kept]:
        """Breadth first: each level once it was observed; what comes after it is looked for when the next is wanted."""
        level = self.kept(self.fresh(self.initial.set, self.space.false))
        seen = self.kept(level.set)
        while level.set.satisfiable():
            if not self.complete:
                self.reached.set = seen.set
            observe(level)
            yield level
            inside = self.kept(self.inside(level))
            found = self.expand(inside)  # first, since it may give slots more bits
            level = self.kept(self.fresh(found, seen.set))
            seen.set = seen.set | level.set
            self.rounds += 1
            self.tidy()
        self.complete = True

    def closure(self, observe: Observe) -> Iterator[None]:
        """By chaining or saturation; goes on when the next is wanted."""
        self.reached.set = self.initial.set
        seen = self.kept(self.space.false)
        rounds = self._saturated() if self.tuning.strategy == "saturation" and not self.relation.joint else None
        while (self.reached.set & ~seen.set).satisfiable():
            new = self.kept(self.reached.set & ~seen.set)
            observe(new)
            seen.set = self.reached.set
            yield
            if rounds is None:
                self._chain(new)
            else:
                next(rounds)
            self.rounds += 1
            self.work += self.reached.set.node_count()
        self.complete = True

    def _chain(self, states: Kept) -> None:
        """Every group moves once, from what those before it found too."""
        current = self.kept(self.inside(states))
        if self.relation.joint:
            found = self.expand(current)  # first, since it may give slots more bits
            self.reached.set = self.reached.set | found
            return
        for group in self.relation.groups:
            found = self._moved(group, current)
            current.set = current.set | found

    def _moved(self, group: Learnt, states: Kept) -> Set:
        """What a group newly finds from some states, and is inside the constraints."""
        group.learn(states)
        found = self.space.false
        for arrow in self.relation.of_group(group):
            found = found | arrow.after(states.set)
        new = self.kept(found & ~self.reached.set)
        self.reached.set = self.reached.set | new.set
        self.space.tick()
        self.tidy()
        if not new.set.satisfiable():
            return new.set
        self.history.append(Found(group, new))
        return self.inside(new)

    def _saturated(self) -> Iterator[None]:
        """Groups whose slots are all near the bottom of the order first, and again after each that found something."""
        groups = sorted(self.relation.groups, key=self._top, reverse=True)
        done = [self.kept(self.space.false) for _ in groups]
        allowed = self.kept(self.space.false)
        seen = self.kept(self.space.false)
        while True:
            number = 0
            while number < len(groups):
                fresh = self.kept(self.reached.set & ~seen.set)
                if fresh.set.satisfiable():
                    seen.set = self.reached.set
                    inside = self.inside(fresh)
                    allowed.set = allowed.set | inside
                mine = self.kept(allowed.set & ~done[number].set)
                done[number].set = allowed.set
                before = self.reached.set
                self._moved(groups[number], mine)
                number = number + 1 if self.reached.set == before else 0
            yield

    def _top(self, group: Learnt) -> int:
        declared = group.declared
        slots = {*(read.slot for read in declared.reads), *declared.writes}
        place = {slot: number for number, slot in enumerate(self.space.order)}
        return min((place[slot] for slot in slots), default=0)
