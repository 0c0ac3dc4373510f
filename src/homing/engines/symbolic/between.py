"""Conditions on both ends of a step, asked once for each pair of values that two labels have before and after one."""

from __future__ import annotations

from homing.core.formula import Between
from homing.engines.symbolic.arrows import Arrow
from homing.engines.symbolic.labels import Labels
from homing.engines.symbolic.space import AND, Kept, Set


class Judge:
    """One condition on steps from some states to some ends."""

    def __init__(self, labels: Labels, condition: Between, states: Kept, ends: Kept) -> None:
        self.condition = condition
        self.space = space = labels.world.space
        labels.learn(condition.before, states)
        labels.learn(condition.after, ends)
        self.fields = one, other = labels.pair(condition.before, condition.after)
        self._before = space.keep(labels.numbered(condition.before, states.set, one), (*space.now, one))
        self._after = space.keep(labels.numbered(condition.after, ends.set, other), (*space.now, other))
        self._asked = space.keep(space.false, self.fields)
        self._true = space.keep(space.false, self.fields)

    def satisfying(self, arrow: Arrow) -> Set:
        """The steps of an arrow that satisfy it, between slots before and those that are written after."""
        good = self._pairs(arrow) & self._true.set
        one, other = map(self.space.bits, zip(self.fields, strict=True))
        ends = self.space.forwards(self._after.set, arrow.slots)
        return self._before.set.apply_exists(AND, good.apply_exists(AND, ends, other), one)

    def breaking(self, arrow: Arrow) -> Set:
        """The states from which a step of an arrow does not satisfy it."""
        bad = self._pairs(arrow) & ~self._true.set
        if not bad.satisfiable():
            return bad
        one, other = map(self.space.bits, zip(self.fields, strict=True))
        ends = self._after.set.apply_exists(AND, bad, other)
        return arrow.before(ends).apply_exists(AND, self._before.set, one)

    def _pairs(self, arrow: Arrow) -> Set:
        """The pairs of values that steps have; those that are new are asked about."""
        space = self.space
        pairs = arrow.after(self._before.set).apply_exists(AND, self._after.set, space.bits(space.now))
        one, other = (field.interner.values for field in self.fields)
        good = [
            (before, after)
            for before, after in space.rows(pairs & ~self._asked.set, self.fields)
            if self.condition.holds(one[before], other[after])  # type: ignore[arg-type]
        ]
        self._true.set = self._true.set | space.of_rows(good, self.fields)
        self._asked.set = self._asked.set | pairs
        return pairs
