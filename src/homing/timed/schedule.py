"""From the actions of a run to times at which they can happen, and back: does it run at these times?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from homing.core.errors import HomingError
from homing.timed.picking import Interval, simplest
from homing.timed.system import INFINITY, Action, Constraint, Constraints, Reset


@dataclass(frozen=True)
class Stay:
    """Where a run is between two actions: the invariant there, and whether time may pass.

    A run ends when the `goal` of its last stay holds; elsewhere it says nothing.
    """

    invariant: Constraints = ()
    delay: bool = True
    goal: Constraints = ()


def schedule(clocks: int, stays: Sequence[Stay], actions: Sequence[Action]) -> list[Fraction] | None:
    """A delay for each stay, early and easy to read, such that the run is possible; None when there are none.

    It starts with all clocks 0, waits in the first stay, takes the first action, and so on.
    """
    times = _Times(len(stays) + 1)
    for difference in _differences(clocks, stays, actions):
        times.require(*difference)
    if not times.feasible():
        return None
    picked = times.picked()
    return [after - before for before, after in pairwise(picked)]


Origin: TypeAlias = tuple[int, int]
"""Of a clock: the moment when it was set, and to what."""


def _differences(
    clocks: int, stays: Sequence[Stay], actions: Sequence[Action]
) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """All constraints on a run as (a, b, bound): the time of moment a less that of b is within the bound.

    Moment 0 is the start, moment k when stay k begins, the last one the end.
    """
    origins: list[Origin] = [(0, 0)] * (clocks + 1)
    for number, stay in enumerate(stays):
        yield number, number + 1, (0, 0)
        if not stay.delay:
            yield number + 1, number, (0, 0)
        # Constraints are convex: what holds at both ends holds all the time.
        yield from _at(number, origins, stay.invariant)
        yield from _at(number + 1, origins, stay.invariant)
        if number < len(actions):
            yield from _at(number + 1, origins, actions[number].guard)
            for reset in actions[number].resets:
                moment, value = origins[reset.source] if reset.source else (number + 1, 0)
                origins[reset.clock] = (moment, value + reset.value)
        else:
            yield from _at(number + 1, origins, stay.goal)


def _at(moment: int, origins: Sequence[Origin], constraints: Constraints) -> Iterator[tuple[int, int, tuple[int, int]]]:
    """The same constraints as differences of times: a clock is the time since it was set, and what it was set to."""
    for left, right, bound in constraints:
        if bound < INFINITY:
            began_left, value_left = origins[left] if left else (moment, 0)
            began_right, value_right = origins[right] if right else (moment, 0)
            strictness = 0 if bound & 1 else -1
            yield began_right, began_left, ((bound >> 1) - value_left + value_right, strictness)


Bound: TypeAlias = tuple[Fraction | int, int]
"""A number and minus how many times a little less than that: sums and order are those of pairs, and a cycle of length
0 with a strict bound on it is shorter than 0."""


MANY = 200
"""Moments of a run."""


class _Times:
    """Times of moments under bounds on their differences; moment 0 is at 0."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.above: list[dict[int, Bound]] = [{} for _ in range(count)]  # b: {a: bound on a - b}
        self.below: list[dict[int, Bound]] = [{} for _ in range(count)]  # a: {b: bound on a - b}
        self.high: dict[int, Bound] = {0: (0, 0)}  # bound on the time
        self.low: dict[int, Bound] = {0: (0, 0)}  # bound on minus the time

    def require(self, a: int, b: int, bound: Bound) -> None:
        if a not in self.above[b] or bound < self.above[b][a]:
            self.above[b][a] = self.below[a][b] = bound

    def feasible(self) -> bool:
        # Every moment has a lower bound, since moments are in order; so this finds every negative cycle.
        return self._shorten(self.low, self.below, 0) and self._shorten(self.high, self.above, 0)

    def _shorten(self, lengths: dict[int, Bound], edges: list[dict[int, Bound]], start: int) -> bool:
        """Shortest paths from `start` on (Bellman, Ford, Moore); False when a cycle is shorter than 0."""
        queue, waiting = deque([start]), {start}
        rounds, left = 0, 1
        while queue:
            node = queue.popleft()
            waiting.discard(node)
            number, strictness = lengths[node]
            for other, (more, stricter) in edges[node].items():
                length = (number + more, strictness + stricter)
                if other not in lengths or length < lengths[other]:
                    lengths[other] = length
                    if other not in waiting:
                        waiting.add(other)
                        queue.append(other)
            left -= 1
            if left == 0:
                # A shortest path has fewer edges than there are moments.
                rounds, left = rounds + 1, len(queue)
                if rounds > self.count:
                    return False
        return True

    def picked(self) -> list[Fraction]:
        """The earliest times, if there are such; otherwise one after the other, so that each is easy to read.

        Picking takes time that grows with the square of their number. Many are all as early as they can be, where
        "a little" is so little that all that comes together is less than 1.
        """
        most = -min(strictness for _, strictness in self.low.values())
        if most == 0 or self.count > MANY:
            little = Fraction(1, most + 1)
            lows = [self.low[moment] for moment in range(self.count)]
            return [-number - strictness * little for number, strictness in lows]
        return [self._pick(moment) for moment in range(self.count)]

    def _pick(self, moment: int) -> Fraction:
        """Fixes the time of a moment, and with it what is possible for others."""
        (low, strict_low), high = self.low[moment], self.high.get(moment)
        interval = Interval(
            Fraction(-low),
            strict_low < 0,
            None if high is None else Fraction(high[0]),
            high is not None and high[1] < 0,
        )
        # Without need, nothing waits: not even for a whole number.
        time = simplest(interval) if interval.open_low else interval.low
        if (-time, 0) < self.low[moment]:
            self.low[moment] = (-time, 0)
            self._shorten(self.low, self.below, moment)
        if high is None or (time, 0) < high:
            self.high[moment] = (time, 0)
            self._shorten(self.high, self.above, moment)
        return time


class NotARun(HomingError):
    """A run is not possible with these delays."""


def replay(clocks: int, stays: Sequence[Stay], actions: Sequence[Action], delays: Sequence[Fraction]) -> None:
    """Does the run as it is told; raises NotARun at the first thing that is not allowed."""
    if not len(stays) == len(actions) + 1 == len(delays):
        raise NotARun(f"{len(stays)} stays, {len(actions)} actions and {len(delays)} delays do not make a run")
    now = [Fraction(0)] * (clocks + 1)
    for number, (stay, delay) in enumerate(zip(stays, delays)):
        _demand(now, stay.invariant, f"the invariant when stay {number} begins")
        if delay < 0 or (delay > 0 and not stay.delay):
            raise NotARun(f"stay {number} cannot last {delay}")
        now = [Fraction(0)] + [value + delay for value in now[1:]]
        _demand(now, stay.invariant, f"the invariant when stay {number} ends")
        if number < len(actions):
            _demand(now, actions[number].guard, f"the guard of action {number}, {actions[number]},")
            now = _after(now, actions[number].resets)
        else:
            _demand(now, stay.goal, "the goal")


def _after(now: Sequence[Fraction], resets: Sequence[Reset]) -> list[Fraction]:
    values = list(now)
    for reset in resets:
        values[reset.clock] = values[reset.source] + reset.value
    return values


def _demand(now: Sequence[Fraction], constraints: Constraints, what: str) -> None:
    for constraint in constraints:
        if not _holds(now, constraint):
            left, right, bound = constraint
            sign = "<=" if bound % 2 else "<"
            said = f"clock {left} - clock {right} {sign} {bound // 2}"
            raise NotARun(f"{what} does not hold: {said}, but they are {now[left]} and {now[right]}")


def _holds(now: Sequence[Fraction], constraint: Constraint) -> bool:
    left, right, bound = constraint
    if bound == INFINITY:
        return True
    difference = now[left] - now[right]
    return difference <= bound // 2 if bound % 2 else difference < bound // 2
