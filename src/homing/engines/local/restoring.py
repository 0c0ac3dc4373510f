"""What a checkpoint must be like before it reaches compiled code, whoever wrote it: lengths, ranges, types."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from homing.core.values import Value
from homing.engines.local import kernels
from homing.engines.local.kernels import PARTITIONS, Array
from homing.engines.local.kernels.arrays import PARTITION_BITS
from homing.engines.local.packing import WORD
from homing.engines.local.search import Search, Tally

BLOCK = 1 << 16
"""Rows that are looked at together."""


@dataclass
class Position:
    """Where a search stands: in which level, how many of its rows are expanded, whether it was observed."""

    level: int = 0
    done: int = 0
    observed: bool = False


def demand(sound: object, what: str) -> None:
    """Raises ValueError unless something fits."""
    if not sound:
        raise ValueError(f"its {what} do not fit together")


def count(number: Any) -> int:
    """A number that counts something."""
    demand(type(number) is int and 0 <= number < 1 << 62, "numbers")
    return int(number)


def position(said: Any, levels: list[tuple[Array, Array]]) -> Position:
    """Where a search stood, which is in its last level."""
    found = Position(count(said["level"]), count(said["done"]), said["observed"])
    demand(found.level == len(levels) - 1 and said["observed"] in (True, False) and len(said) == 3, "levels")
    demand(found.done <= int(levels[-1][1].sum()), "levels")
    return found


def tally(said: Any, contents: list[Array], levels: list[tuple[Array, Array]]) -> Tally:
    """What a search had counted."""
    found = Tally(**{name: count(number) for name, number in said.items()})
    states = sum(map(len, contents))
    demand(set(said) == set(asdict(found)) and found.outside <= states, "counts")
    demand(int(levels[0][1].sum()) <= found.initial and found.depth <= len(levels), "counts")
    return found


def levels(saved: dict[str, Array], contents: list[Array]) -> list[tuple[Array, Array]]:
    """By level the partitions that have rows of it, and how many: all rows but those of the level to come."""
    lengths, parts, sizes = (saved[f"level_{name}"] for name in ("lengths", "parts", "sizes"))
    for array, kind in ((lengths, np.int64), (parts, np.uint8), (sizes, np.uint32)):
        demand(array.dtype == kind and array.ndim == 1, "levels")
    demand(len(lengths) and lengths.min() >= 0 and lengths.max() <= PARTITIONS, "levels")
    demand(lengths.sum() == len(parts) == len(sizes), "levels")
    ends = np.cumsum(lengths)
    rising = np.ones(max(len(parts), 1), np.bool_)
    rising[1 : len(parts)] = parts[1:] > parts[:-1]
    rising[ends[:-1][ends[:-1] < len(parts)]] = True  # where a level begins
    demand(rising.all() and (sizes > 0).all() and len(parts) and lengths[0], "levels")
    total = np.bincount(parts, sizes, PARTITIONS).astype(np.int64)
    demand((total <= np.array([len(rows) for rows in contents])).all(), "levels")
    return list(zip(np.split(parts, ends[:-1]), np.split(sizes, ends[:-1]), strict=True))


def check_rows(layout: Array, contents: list[Array], values: list[Value]) -> None:
    """Raises ValueError unless each row has, for each slot, the number of a value."""
    slots = len(values)
    demand(layout.dtype == np.uint32 and layout.shape == (3, slots), "layout and slots")
    for rows in contents:
        demand(rows.dtype == np.uint32 and rows.ndim == 2 and rows.shape[1] == contents[0].shape[1], "rows")
        demand(1 <= rows.shape[1] and len(rows) <= kernels.MOST_ROWS, "rows")
    used = np.zeros(contents[0].shape[1], np.uint64)
    for slot, (word, shift, mask) in enumerate(layout.T.tolist()):
        demand(word < len(used) and mask & (mask + 1) == 0 and shift + mask.bit_length() <= WORD, "layout and slots")
        demand(int(used[word]) & (mask << shift) == 0, "layout and slots")
        used[word] |= np.uint64(mask << shift)
        known = values[slot]
        demand(isinstance(known, tuple), "values")
        if mask >= len(known):  # type: ignore[arg-type]
            for rows in contents:
                for start in range(0, len(rows), BLOCK):
                    ids = (rows[start : start + BLOCK, word] >> np.uint32(shift)) & np.uint32(mask)
                    demand(int(ids.max()) < len(known), "rows and values")  # type: ignore[arg-type]
    demand(all(len(known) for known in values) or not any(map(len, contents)), "rows and values")  # type: ignore[arg-type]


def check_places(search: Search) -> None:
    """Raises ValueError unless each row is in the partition of its hash, and there once."""
    plan, visible = search.evaluator.plan, search.evaluator.layout.visible
    for part, rows in enumerate(search.visited.contents()):
        if not len(rows):
            continue
        hashes = np.empty(len(rows), np.uint64)
        kernels.hash_rows(plan, rows, 0, len(rows), hashes, 0)
        demand((hashes >> np.uint64(64 - PARTITION_BITS) == part).all(), "rows")
        order = np.argsort(hashes, kind="stable")
        alike = np.flatnonzero(hashes[order[1:]] == hashes[order[:-1]])
        pairs = rows[order[alike]][:, :visible] == rows[order[alike + 1]][:, :visible]
        demand(not pairs.all(axis=1).any(), "rows")
