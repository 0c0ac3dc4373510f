"""Systems with clocks: the search through zones, wave by wave in compiled code, with its states in decision diagrams.

A state is what is discrete with the number of its zone as one more slot. Zones that lie in others are left out, so
there are as many states as the search through zones has. What speaks of runs and bounds is left to that search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from homing.core.model import Model
from homing.core.property import OnGraph, Property
from homing.core.result import Counts, Exploration, Options
from homing.core.stop import Stopped
from homing.engines.local.numbering import Interner
from homing.engines.local.watch import Watch
from homing.engines.symbolic.ordering import order_of
from homing.engines.symbolic.space import Space
from homing.engines.symbolic.tuning import Tuning, chosen, clear_up
from homing.engines.symbolic.tuples import Table
from homing.engines.zones.engine import checked
from homing.engines.zones.planning import Plan
from homing.engines.zones.reaching import Extent, Question, Reaching
from homing.engines.zones.session import Session
from homing.engines.zones.symbolic import Symbolic
from homing.engines.zones.timing import Abstraction
from homing.timed.kernels.arrays import Array, Zones
from homing.timed.property import Invariant, Reachable, Refused
from homing.timed.system import TimedSystem

RUNS = "what speaks of runs, or of bounds of clocks, was decided by the search through zones without diagrams"


def check(model: Model, options: Options, tuning: Tuning | None = None) -> Exploration:
    """The verdicts on all properties of a model with clocks."""
    session = InDiagrams(model, options, tuning or chosen())
    found = checked(session, options)
    notes = [RUNS] if any(map(_speaks_of_runs, model.properties)) else []
    return replace(found, report=replace(found.report, engine=session.measured(notes)))


def _speaks_of_runs(prop: Property) -> bool:
    return isinstance(prop, OnGraph) and not isinstance(prop, Reachable | Invariant | Refused)


@dataclass(frozen=True)
class Sizes:
    """What a search has to say of itself."""

    nodes: int = 0
    peak: int = 0
    rounds: int = 0
    evaluations: int = 0


class InDiagrams(Session):
    """One model, whose searches for what can be reached have their states in diagrams."""

    def __init__(self, model: Model, options: Options, tuning: Tuning) -> None:
        super().__init__(model, cast(TimedSystem, model.system), options, Abstraction())
        self._options, self._tuning = options, tuning
        self.search: DiagramReaching | None = None
        """The last one; there is room for the diagrams of one."""
        self._done: list[Sizes] = []

    def reaching(self, plan: Plan, questions: Sequence[Question], extents: Sequence[Extent] = ()) -> Reaching:
        if not questions or extents or plan.recording:
            return super().reaching(plan, questions, extents)
        symbolic = plan.symbolic(plan.of(self.system), self.watch.tick)
        self._let_go()
        nodes, cache = self._tuning.room(self._options.limits.memory_mb, self.watch.memory_mb)
        states = States(symbolic, nodes, cache, self._options.threads or 1)
        self.search = DiagramReaching(symbolic, self.watch, questions, states)
        return self.search

    def _let_go(self) -> None:
        if self.search is not None:
            self._done.append(self.search.sizes)
            self.search = None
            clear_up(self._done[-1].peak)

    def measured(self, notes: Sequence[str]) -> dict[str, object]:
        """What the engine has to say of itself."""
        self._let_go()
        largest = max(self._done, key=lambda sizes: sizes.nodes, default=Sizes())
        said = f"decision diagrams: {largest.nodes:,} nodes for the states, at most {largest.peak:,} in all, by levels"
        return {
            "engine": "symbolic",
            "strategy": "levels",
            "nodes": largest.nodes,
            "peak_nodes": largest.peak,
            "rounds": max((sizes.rounds for sizes in self._done), default=0),
            "evaluations": sum(sizes.evaluations for sizes in self._done),
            "notes": [*([said] if self._done else []), *notes],
        }


class _ZoneNumbers(Interner):
    """Numbers of zones, which the search gives them."""

    def __init__(self, symbolic: Symbolic) -> None:
        super().__init__()
        self._symbolic = symbolic

    def __len__(self) -> int:
        zones: Zones = self._symbolic.zones
        return int(zones.size[0])


class States:
    """The set of the states that a search through zones has found, and that no other covers."""

    def __init__(self, symbolic: Symbolic, nodes: int, cache: int, threads: int) -> None:
        self.symbolic = symbolic
        slots = symbolic.search.evaluator.numbering.slots
        order = [*order_of(symbolic.system.shape), len(slots)]
        self.space = Space([*slots, _ZoneNumbers(symbolic)], order, nodes, cache, threads)
        self.reached = self.space.keep(self.space.false, self.space.now)
        self._covered = np.zeros(0, np.bool_)
        """By state, whether it was covered when we looked last."""

    def add(self, wave: Array) -> None:
        """Takes in a wave, and lets go what has been covered since."""
        states = self.symbolic.states
        covered = states.covered[: states.size[0]] == 1
        lost = covered.copy()
        lost[: len(self._covered)] &= ~self._covered
        self._covered = covered
        self.space.fit()  # before any set is made: nothing new is numbered after that
        new, gone = (self.space.of_table(self.table(some), self.space.now) for some in (wave, np.flatnonzero(lost)))
        self.reached.set = self.reached.set & ~gone | new
        self.space.tick()

    def table(self, found: Array) -> Table:
        """The numbers of states' values, and of their zones."""
        symbolic = self.symbolic
        symbolic.discrete.fit()
        layout = symbolic.search.evaluator.layout
        rows = symbolic.discrete.rows(symbolic.states.discrete[found])
        values = rows[:, layout.word] >> layout.shift & layout.mask
        return np.column_stack([values.astype(np.int64), symbolic.states.zone[found]])

    @property
    def count(self) -> int:
        """How many there are."""
        return self.space.states(self.reached.set)


class DiagramReaching(Reaching):
    """One search for the answers to several questions, its states in diagrams."""

    def __init__(self, symbolic: Symbolic, watch: Watch, questions: Sequence[Question], states: States) -> None:
        super().__init__(symbolic, watch, questions)
        self.states = states
        states.space.watched = watch.tick

    def see(self, wave: Array) -> None:
        try:
            self.states.add(wave)
        except MemoryError:
            size = self.states.space.manager.num_inner_nodes()
            raise Stopped(f"the memory was not enough for the decision diagrams, which have {size:,} nodes") from None
        super().see(wave)

    @property
    def counts(self) -> Counts:
        return replace(super().counts, distinct=self.states.count)

    @property
    def sizes(self) -> Sizes:
        """How large it has become."""
        states, evaluations = self.states, self.symbolic.search.evaluator.evaluations
        return Sizes(states.reached.set.node_count(), states.space.peak, self.depth, evaluations)
