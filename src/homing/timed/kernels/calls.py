"""What Python calls of zones: few functions, since each costs a compilation."""

from __future__ import annotations

from typing import Any

from homing.timed.kernels.compiling import kernel
from homing.timed.kernels.dbm import (
    close,
    constrain,
    copy,
    down,
    extrapolate_lu,
    free,
    hashed,
    includes,
    satisfies,
    unbounded,
    universe,
    up,
    zero,
)
from homing.timed.kernels.federations import delay_all, without

UNIVERSE, ZEROS, CLOSE, CONSTRAIN, UP, DOWN, COPY, FREE, SATISFIES, UNBOUNDED = range(10)


@kernel()
def perform(d: Any, operations: Any) -> bool:
    """Changes the zone by operations (code, clock, clock, number) until one answers False; whether none did."""
    done = True
    for k in range(len(operations)):
        code, i, j, number = operations[k]
        if code == UNIVERSE:
            universe(d)
        elif code == ZEROS:
            zero(d)
        elif code == CLOSE:
            done = close(d)
        elif code == CONSTRAIN:
            done = constrain(d, i, j, number)
        elif code == UP:
            up(d)
        elif code == DOWN:
            down(d)
        elif code == COPY:
            copy(d, i, j, number)
        elif code == FREE:
            free(d, i)
        elif code == SATISFIES:
            done = satisfies(d, i, j, number)
        elif code == UNBOUNDED:
            done = unbounded(d)
        if not done:
            return False
    return True


@kernel()
def extrapolate(d: Any, lower: Any, upper: Any) -> None:
    """As `extrapolate_lu`."""
    extrapolate_lu(d, lower, upper)


@kernel()
def hash_of(d: Any) -> Any:
    return hashed(d)


@kernel()
def is_included(small: Any, big: Any) -> Any:
    return includes(big, small)


@kernel()
def pieces_without(d: Any, zones: Any) -> Any:
    """As `without`."""
    left, size = without(d, zones, len(zones))
    return left[:size]


@kernel()
def delays(pieces: Any, owner: Any, cells: Any) -> Any:
    """As `delay_all`."""
    pieces, owner, size = delay_all(pieces, owner, len(pieces), cells, len(cells))
    return pieces[:size], owner[:size]
