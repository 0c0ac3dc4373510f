"""What each safety property waits for while states are found."""

from __future__ import annotations

from dataclasses import dataclass, field

from homing.core.property import Always, DeadlockFree, Extreme, Safety, Sometimes, labels_of
from homing.core.verdict import Verdict
from homing.engines.symbolic.search import Search
from homing.engines.symbolic.space import Kept, Set


@dataclass
class Finding:
    """States that decide a property, and the value where one is asked for."""

    states: Kept
    value: int | None = None
    level: int | None = None
    """The number of their level, where states are found breadth first."""


@dataclass
class Monitor:
    """Follows one property; `finding` is set once states decide it, or are the best so far."""

    prop: Safety
    search: Search
    finding: Finding | None = field(default=None)
    level: int | None = None
    """The level that is looked at."""

    @property
    def labels(self) -> tuple[int, ...]:
        """The labels to ask about every state."""
        return labels_of(self.prop)

    @property
    def decided(self) -> bool:
        """Whether no further state can change the verdict."""
        return self.finding is not None and not isinstance(self.prop, Extreme)

    @property
    def found(self) -> tuple[bool, int | None]:
        """Whether something was found, and its value."""
        return self.finding is not None, self.finding.value if self.finding else None

    def see(self, states: Kept) -> None:
        """Takes in states, about which all labels were asked."""
        if self.decided:
            return
        labels = self.search.labels
        match self.prop:
            case Always(labels=wanted):
                good = states.set
                for label in wanted:
                    good = good & labels.true(label)
                self._found(states.set & ~good)
            case Sometimes(label=label):
                self._found(states.set & labels.true(label))
            case Extreme():
                self._best(self.prop, states)

    def _found(self, states: Set, value: int | None = None) -> None:
        if states.satisfiable():
            self.finding = Finding(self.search.kept(states), value, self.level)

    def _best(self, prop: Extreme, states: Kept) -> None:
        labels = self.search.labels
        where = states.set if prop.where is None else states.set & labels.true(prop.where)
        values = labels.values(prop.label, where)
        if not values:
            return
        best = (min if prop.sense == "min" else max)(values)
        found = self.finding.value if self.finding else None
        if found is None or (best < found if prop.sense == "min" else best > found):
            self._found(values[best], best)

    def see_dead(self, states: Kept) -> None:
        """Takes in states without a step."""
        if isinstance(self.prop, DeadlockFree) and not self.decided:
            good = self.search.space.false
            if self.prop.unless is not None:
                self.search.labels.learn(self.prop.unless, states)
                good = self.search.labels.true(self.prop.unless)
            self._found(states.set & ~good)

    def verdict(self, exhaustive: bool) -> Verdict:
        """The verdict, given whether all states were seen, by this monitor too."""
        if isinstance(self.prop, Extreme):
            decided, found = exhaustive, self.finding is not None
        else:
            decided, found = exhaustive or self.decided, self.decided
        if not decided:
            return Verdict.UNKNOWN
        good = found if isinstance(self.prop, Sometimes | Extreme) else not found
        return Verdict.HOLDS if good else Verdict.VIOLATED
