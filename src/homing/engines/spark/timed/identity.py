"""What symbolic states are called: who found them first, and as which of its states; so it stays when partitions are
split, and tells where the state is written down."""

from __future__ import annotations

import numpy as np

from homing.engines.spark import kernels
from homing.engines.spark.kernels import Array
from homing.engines.spark.machine import Machine

SERIAL, PART = 38, 20
"""Bits."""
MOST_BITS = PART
ROOT = 1 << 63
"""In place of a parent: the rest says in which of its first states the search began."""


def owners(machine: Machine, rows: Array, bits: int) -> Array:
    """By row of a discrete state, which of 2 ** bits partitions it belongs to: bits of a hash of all its values, or of
    those in the slots that were named."""
    machine.refresh()
    owner = np.empty(len(rows), np.int64)
    cells = machine.owners(bits, 0, 0) if machine.owning else machine.owners(0, bits, 0)
    kernels.parts(machine.form, cells, np.ascontiguousarray(rows), owner)
    return owner


def called(bits: int, part: int, first: int, count: int) -> Array:
    """What `count` states are called that partition `part` of 2 ** bits has found, having found `first` before."""
    base = ((bits << PART | part) << SERIAL) + first
    return np.arange(base, base + count, dtype=np.uint64)


def finder(state: int) -> tuple[int, int, int]:
    """Of how many partitions (bits), which one has found a state, and as which of its states."""
    serial, rest = state & ((1 << SERIAL) - 1), state >> SERIAL
    return rest >> PART, rest & ((1 << PART) - 1), serial
