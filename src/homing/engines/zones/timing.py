"""What discrete states say about time: each combination of what their processes say is a *timing*, numbered once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from homing.engines.zones.growing import Growing, Lists
from homing.engines.zones.numbers import Numbers
from homing.timed.kernels.arrays import Array, Timings
from homing.timed.system import NEVER, TimedSystem

FAILED = 2**31 - 1
"""In place of what the labels of a state say, where one of them fails."""
IMPOSSIBLE = (0, 0, 0)
"""The constraint 0 < 0."""


@dataclass(frozen=True)
class Abstraction:
    """How symbolic states are made finite, and fewer. Verdicts do not depend on it, if it is allowed at all."""

    extrapolation: Literal["lu", "m", "none"] = "lu"
    """`lu` keeps what can be reached. `m`, for which both constants of a clock are the greater one, gains only points
    in the regions of points that were there, so that it also keeps what runs there are and where they end (Behrmann,
    Bouyer, Larsen and Pelánek, 2006). `none` is exact and may never end."""
    inclusion: bool = True
    """Whether a zone inside another of the same discrete state is left out; not for what speaks of runs."""
    forgetful: bool = True
    """Whether clocks are forgotten where nobody will look at them before they are reset."""


@dataclass(frozen=True)
class Constants:
    """By clock, the greatest constants that conditions compare it with."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]


class Parts:
    """What processes say, by the numbers that the system gives to that, in arrays."""

    def __init__(self, system: TimedSystem) -> None:
        self._system = system
        clocks = len(system.clocks) + 1
        self._rows: dict[int, int] = {}
        self._invariants = Lists(3)
        self._lower, self._upper = Growing(np.int32, clocks), Growing(np.int32, clocks)
        self._flags = Growing(np.bool_, 2)

    def rows(self, numbers: Array) -> Array:
        """By number, which row of the other arrays it has."""
        known, where = np.unique(numbers, return_inverse=True)
        return np.array([self._row(int(number)) for number in known], np.int64)[where].reshape(numbers.shape)

    def _row(self, number: int) -> int:
        row = self._rows.get(number)
        if row is None:
            row = self._rows[number] = len(self._rows)
            part = self._system.part(number)
            self._invariants.append(part.invariant)
            self._lower.extend([part.lower])
            self._upper.extend([part.upper])
            self._flags.extend([(part.delay and not part.committed, part.committed)])
        return row

    def are_committed(self, rows: Array) -> Array:
        """By state (column), whether one of its parts is committed."""
        committed: Array = self._flags.array[rows, 1].any(axis=0)
        return committed

    def allow_delay(self, rows: Array) -> Array:
        """By state, whether all of its parts let time pass."""
        allowed: Array = self._flags.array[rows, 0].all(axis=0)
        return allowed

    def greatest(self, rows: Array, least: Constants) -> tuple[Array, Array]:
        """By state and clock, the greatest constants of all parts."""
        count = rows.shape[1]
        lower, upper = (np.tile(np.array(bounds, np.int32), (count, 1)) for bounds in (least.lower, least.upper))
        for row in rows:
            np.maximum(lower, self._lower.array[row], out=lower)
            np.maximum(upper, self._upper.array[row], out=upper)
        return lower, upper

    def invariants(self, rows: Array) -> tuple[Array, Array]:
        """The constraints of all parts, state by state, and how many each state has."""
        start, constraints = self._invariants.start, self._invariants.rows
        by_state = rows.T.ravel()
        many = start[by_state + 1] - start[by_state]
        before = np.cumsum(many) - many
        chosen = np.repeat(start[by_state] - before, many) + np.arange(many.sum())
        return constraints[chosen], many.reshape(rows.T.shape).sum(axis=1)


class TimingTable:
    """All timings that have turned up. `within` is whether the last label is a condition that has to hold always."""

    def __init__(self, system: TimedSystem, constants: Constants, within: bool, abstraction: Abstraction) -> None:
        self._parts = Parts(system)
        self._count = len(system.parts)
        self._within = within
        self._abstraction = abstraction
        least = NEVER if abstraction.forgetful else 0
        lower, upper = (tuple(max(bound, least) for bound in bounds) for bounds in (constants.lower, constants.upper))
        self._constants = Constants(lower, upper)
        self._numbers = Numbers(self._count + within + 1)
        self._invariants = Lists(3)
        clocks = len(system.clocks) + 1
        self._lower, self._upper = Growing(np.int32, clocks), Growing(np.int32, clocks)
        self._delay, self._cells = Growing(np.bool_), Growing(np.int64)

    def are_committed(self, values: Array) -> Array:
        """By state, whether it is in a committed location, from what its labels say."""
        return self._parts.are_committed(self._parts.rows(values[: self._count]))

    def of(self, values: Array, stopped: Array) -> Array:
        """The timing of each state, by what its labels say and whether an urgent action stops the time."""
        before = self._numbers.count
        rows = np.concatenate([values, stopped[None, :].astype(np.int32)]).T.astype(np.uint32)
        timings = self._numbers.of(rows)
        new = self._numbers.rows[before:].astype(np.int64).T
        if new.shape[1]:
            self._add(new[: self._count], new[self._count] if self._within else None, new[-1] == 1)
        return timings

    def failed(self) -> Array:
        """The timing of a state whose labels fail: nothing may be there."""
        before = self._numbers.count
        rows = np.full((1, self._count + self._within + 1), FAILED, np.uint32)
        timing = self._numbers.of(rows)
        if self._numbers.count > before:
            self._invariants.append([IMPOSSIBLE])
            self._lower.extend([self._constants.lower])
            self._upper.extend([self._constants.upper])
            self._delay.extend([False])
            self._cells.extend([1])
        return timing

    def _add(self, values: Array, conditions: Array | None, stopped: Array) -> None:
        count = len(stopped)
        rows = self._parts.rows(values)
        self._invariants.extend(*self._parts.invariants(rows))
        lower, upper = self._parts.greatest(rows, self._constants)
        if self._abstraction.extrapolation == "m":
            lower = upper = np.maximum(lower, upper)
        lower[:, 0] = upper[:, 0] = 0
        self._lower.extend(lower)
        self._upper.extend(upper)
        self._delay.extend(self._parts.allow_delay(rows) & ~stopped)
        self._cells.extend(np.ones(count, np.int64) if conditions is None else conditions)

    @property
    def arrays(self) -> Timings:
        """For the kernels."""
        return Timings(
            self._invariants.start,
            self._invariants.rows,
            self._delay.array,
            self._lower.array,
            self._upper.array,
            self._cells.array,
        )
