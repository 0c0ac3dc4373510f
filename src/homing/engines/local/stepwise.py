"""Conditions on every step, followed while the search goes on: where all steps satisfy them, no graph is built."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from homing.core.errors import HomingError
from homing.core.formula import Between
from homing.core.property import Property
from homing.core.temporal import EveryStep
from homing.engines.local.evaluator import Failed
from homing.engines.local.expander import Round
from homing.engines.local.kernels import Array
from homing.engines.local.search import Search
from homing.engines.local.visited import Level

MOST_PAIRS = 1 << 24
"""Pairs of values that are marked in a table; more are sorted."""


def followed(properties: Sequence[Property]) -> tuple[EveryStep, ...]:
    """Those to follow: not where the steps that are found are others than those that the conditions are about."""
    return tuple(prop for prop in properties if isinstance(prop, EveryStep) and prop.among is None)


class Steps:
    """What is known of the conditions. One that a step breaks, or that fails, is left to whoever has the graph."""

    def __init__(self, properties: tuple[EveryStep, ...], search: Search) -> None:
        self.kept = properties
        self.broken = False
        self._search = search
        self._known: dict[Between, dict[tuple[int, int], bool]] = {}

    def begin(self, level: Level) -> None:
        """Looks at the initial states."""
        for prop in self.kept:
            try:
                looks = self._search.observed(level, prop.initially) if prop.initially else ()
                if not all((values != 0).all() for _, values in looks):
                    self._leave(prop)
            except Failed:
                self._leave(prop)

    def see(self, found: Round) -> None:
        """Looks at steps."""
        if not self.kept or not found.steps:
            return
        out = found.out
        origin, after = (
            np.concatenate([column[chunk, :filled] for chunk, filled in enumerate(out.filled)])
            for column in (out.origin, out.rows)
        )
        for prop in self.kept:
            try:
                if not all(self._holds(condition, found.rows, origin, after) for condition in prop.steps):
                    self._leave(prop)
            except (Failed, HomingError):
                self._leave(prop)

    def _holds(self, condition: Between, rows: Array, origin: Array, after: Array) -> bool:
        # Labels make no new values of slots, so the layout of the rows stays.
        before = self._search.observe(rows, [condition.before])[1][0][origin]
        pairs = _pairs(before, self._search.observe(after, [condition.after])[1][0])
        known = self._known.setdefault(condition, {})
        for pair in pairs:
            if pair not in known:
                known[pair] = bool(condition.holds(*pair))
            if not known[pair]:
                return False
        return True

    def forget(self) -> None:
        """Leaves all: an earlier run saw steps that nobody looked at."""
        for prop in self.kept:
            self._leave(prop)

    def _leave(self, prop: EveryStep) -> None:
        self.kept = tuple(other for other in self.kept if other is not prop)
        self.broken = True


def _pairs(one: Array, other: Array) -> list[tuple[int, int]]:
    """The pairs that occur."""
    least, width = int(other.min()), int(other.max()) - int(other.min()) + 1
    first = int(one.min())
    codes = (one.astype(np.int64) - first) * width + (other.astype(np.int64) - least)
    size = (int(one.max()) - first + 1) * width
    if size <= MOST_PAIRS:
        marked = np.zeros(size, np.bool_)
        marked[codes] = True
        found = np.flatnonzero(marked)
    else:
        found = np.unique(codes)
    return [(first + code // width, least + code % width) for code in found.tolist()]
