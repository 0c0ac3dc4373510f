"""Difference bound matrices: convex sets of clock values, as n × n bounds for n - 1 clocks and the constant 0.

`d[i, j]` bounds `x_i - x_j`, coded as in `homing.timed.system`. All functions take and leave matrices in *canonical
form*: no bound can be tightened without losing a point, so that equal sets have equal matrices. Clocks are never
negative, and the set is not empty unless a function says that it is; then what is left in the matrix means nothing.

The algorithms are those of Bengtsson and Yi (Timed Automata: Semantics, Algorithms and Tools, 2004).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from homing.timed.kernels.compiling import inner
from homing.timed.system import INFINITY, NEVER

ZERO = 1
"""The bound `<= 0`."""


@inner()
def add(a: Any, b: Any) -> Any:
    """The bound on a sum: strict if one of the two is."""
    if a >= INFINITY or b >= INFINITY:
        return INFINITY
    return a + b - ((a | b) & 1)


@inner()
def negated(bound: Any) -> Any:
    """`x_i - x_j` violates the (finite) bound where `x_j - x_i` satisfies this one."""
    return 1 - bound


@inner()
def universe(d: Any) -> None:
    """All values."""
    n = len(d)
    for i in range(n):
        for j in range(n):
            d[i, j] = ZERO if i == 0 or i == j else INFINITY


@inner()
def zero(d: Any) -> None:
    """All clocks are 0."""
    n = len(d)
    for i in range(n):
        for j in range(n):
            d[i, j] = ZERO


@inner()
def assign(to: Any, source: Any) -> None:
    """Makes `to` the same as the other."""
    n = len(to)
    for i in range(n):
        for j in range(n):
            to[i, j] = source[i, j]


@inner()
def close(d: Any) -> Any:
    """Brings any matrix into canonical form (Floyd and Warshall); False when the set is empty."""
    n = len(d)
    # A copy of the row, no branches, 32 bits: so the compiler does eight bounds at a time.
    row = np.empty(n, np.int32)
    for k in range(n):
        for j in range(n):
            row[j] = d[k, j]
        for i in range(n):
            through = d[i, k]
            if through < INFINITY and i != k:
                for j in range(n):
                    more = row[j]
                    length = np.int32(through + more - ((through | more) & 1))
                    length = np.int32(INFINITY) if more >= INFINITY else length
                    bound = d[i, j]
                    d[i, j] = length if length < bound else bound
                if d[i, i] < ZERO:
                    return False
    return True


@inner()
def satisfies(d: Any, i: Any, j: Any, bound: Any) -> Any:
    """Whether some point satisfies `x_i - x_j` within the bound."""
    return add(d[j, i], bound) >= ZERO


@inner()
def constrain(d: Any, i: Any, j: Any, bound: Any) -> Any:
    """Keeps the points with `x_i - x_j` within the bound; False when there are none."""
    if d[i, j] <= bound:
        return True
    if add(d[j, i], bound) < ZERO:
        return False
    n = len(d)
    row = np.empty(n, np.int32)
    for m in range(n):
        row[m] = d[j, m]
    for k in range(n):
        # A shortest path takes the new edge at most once. Where it does not help from k to j, it does not help from k.
        through = np.int32(add(d[k, i], bound))
        if through < d[k, j]:
            for m in range(n):
                more = row[m]
                length = np.int32(through + more - ((through | more) & 1))
                length = np.int32(INFINITY) if more >= INFINITY else length
                known = d[k, m]
                d[k, m] = length if length < known else known
    return True


@inner()
def up(d: Any) -> None:
    """Lets any time pass."""
    for i in range(1, len(d)):
        d[i, 0] = INFINITY


@inner()
def down(d: Any) -> None:
    """The points from which the set is reached by letting time pass."""
    n = len(d)
    for j in range(1, n):
        least = ZERO
        for i in range(1, n):
            least = min(least, d[i, j])
        d[0, j] = least


@inner()
def reset(d: Any, clock: Any, value: Any) -> None:
    """`clock := value`, which is not negative."""
    copy(d, clock, 0, value)


@inner()
def copy(d: Any, clock: Any, source: Any, value: Any) -> None:
    """`clock := source + value`, which must not become negative; the source may be the clock itself, or 0."""
    above, below = 2 * value + 1, 1 - 2 * value
    for j in range(len(d)):
        if j != clock:
            d[clock, j] = add(d[source, j], above)
            d[j, clock] = add(d[j, source], below)


@inner()
def free(d: Any, clock: Any) -> None:
    """Forgets the clock's value."""
    for j in range(len(d)):
        if j != clock:
            d[clock, j] = INFINITY
            d[j, clock] = d[j, 0]


@inner()
def includes(big: Any, small: Any) -> Any:
    """Whether every point of the small set is in the big one."""
    n = len(big)
    for i in range(n):
        for j in range(n):
            if small[i, j] > big[i, j]:
                return False
    return True


@inner()
def equal(a: Any, b: Any) -> Any:
    """Whether both are the same set."""
    n = len(a)
    for i in range(n):
        for j in range(n):
            if a[i, j] != b[i, j]:
                return False
    return True


@inner()
def meet(d: Any, other: Any) -> Any:
    """Keeps the points that are in the other set, too; False when there are none."""
    n = len(d)
    for i in range(n):
        for j in range(n):
            if not constrain(d, i, j, other[i, j]):
                return False
    return True


@inner()
def unbounded(d: Any) -> Any:
    """Whether time may diverge: no clock has an upper bound."""
    for i in range(1, len(d)):
        if d[i, 0] < INFINITY:
            return False
    return True


@inner()
def hashed(d: Any) -> Any:
    """64 well mixed bits."""
    n = len(d)
    h = np.uint64(0x9E3779B97F4A7C15)
    for i in range(n):
        for j in range(0, n, 2):
            word = np.uint64(np.uint32(d[i, j]))
            if j + 1 < n:
                word |= np.uint64(np.uint32(d[i, j + 1])) << np.uint64(32)
            h = (h ^ word) * np.uint64(0xFF51AFD7ED558CCD)
            h ^= h >> np.uint64(32)
    h *= np.uint64(0xD6E8FEB86659FD93)
    return h ^ (h >> np.uint64(32))


@inner()
def extrapolate_lu(d: Any, lower: Any, upper: Any) -> None:
    """Extra⁺_LU of Behrmann, Bouyer, Larsen and Pelánek (2006): by clock the greatest constants that it is compared
    with from below (`x > c`) and above (`x < c`), or NEVER. Right only without constraints on differences of clocks.

    A point is matched by one that differs in some clocks if each of these is either smaller, but still above its
    lower constant, or greater, where it was above its upper constant before. So, with L and U those of the clock:

    * what bounds x_i from above (row i) goes if the bound is greater than L, or all points have x_i > L;
    * what bounds x_j from below (column j) goes if all points have x_j > U; there remains x_j > U.

    The paper asks for lower bounds greater than L and U. The bound `> L` itself will do, since a point matches another
    when its clock is above L, however little; the proof is the same. NEVER is minus infinity: a clock with neither
    constant is free.
    """
    n = len(d)
    changed = False
    # The bounds that decide, `d[0, i]`, are in no row that is cleared, and in one column each.
    for i in range(1, n):
        above = lower[i] == NEVER or d[0, i] <= -2 * lower[i]
        for j in range(n):
            if j != i and d[i, j] < INFINITY and (above or d[i, j] > 2 * lower[i] + 1):
                d[i, j] = INFINITY
                changed = True
    for j in range(1, n):
        if upper[j] == NEVER or d[0, j] <= -2 * upper[j]:
            for i in range(1, n):
                if i != j:
                    d[i, j] = INFINITY
            d[0, j] = ZERO if upper[j] == NEVER else -2 * upper[j]
            changed = True
    if changed:
        close(d)
