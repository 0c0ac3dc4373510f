"""Which slots decide who owns a state: those that seldom change, as long as they tell enough states apart."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np

from homing.core import evaluate
from homing.core.errors import HomingError
from homing.core.system import Shape
from homing.engines.local.kernels import PARTITIONS, Array
from homing.engines.local.search import Search
from homing.engines.local.visited import Level

WALKERS = 512
LENGTH = 300
SECONDS = 2.0
MOST = 20_000
STATES = 100_000
SEED = 20
MOST_SHARE = 0.5
"""Of the states that walks come to, in one cell: those with the same values in the slots chosen."""


def named(shape: Shape, names: Sequence[str]) -> tuple[int, ...]:
    """The slots that a person named; the name of a function that was split stands for all its parts."""
    found: list[int] = []
    for name in names:
        slots = [n for n, slot in enumerate(shape.slots) if name in (str(slot), slot.name)]
        if not slots:
            raise HomingError(f"unknown slot '{name}' to partition by", shape.place, map(str, shape.slots))
        found += slots
    hidden = [name for name, slot in zip(names, found) if slot in shape.hidden]
    if hidden:
        what = f"slot '{hidden[0]}' is hidden by the view, so states cannot be partitioned by it"
        raise HomingError(what, shape.place)
    return tuple(dict.fromkeys(found))


def chosen(search: Search, partitions: int) -> tuple[int, ...]:
    """The slots to partition by: they change seldom on shortest paths, and tell states of long runs apart.

    What crosses on a shortest path costs a round. Near the initial states few slots have many values, so how states
    spread is seen from random walks.
    """
    draw = np.random.default_rng(SEED)
    changing, walked = _changes(search, draw), _walks(search, draw)
    visible = [slot for slot in range(walked.shape[1]) if slot not in search.system.shape.hidden]
    slots: list[int] = []
    cells, crossing, share = np.zeros(len(walked), np.int64), np.zeros(len(changing), np.bool_), 1.0
    while share > MOST_SHARE or cells.max() + 1 < partitions:
        best = None
        for slot in visible:
            _, parts, counts = np.unique(cells * (1 << 20) + walked[:, slot], return_inverse=True, return_counts=True)
            largest = float(counts.max()) / len(walked)
            moving = crossing | changing[:, slot]
            gain = np.log(share / largest) / (_mean(moving) - _mean(crossing) + 0.01)
            if gain > 0 and (best is None or gain > best[0]):
                best = gain, slot, parts.reshape(-1).astype(np.int64), moving, largest
        if best is None:
            break
        _, slot, cells, crossing, share = best
        slots.append(slot)
    return tuple(slots)


def _mean(flags: Array) -> float:
    return float(flags.mean()) if len(flags) else 0.0


def _changes(search: Search, draw: np.random.Generator) -> Array:
    """By step, of some on shortest paths, and slot: whether the step changes the slot."""
    level, begun = search.start(), time.monotonic()
    found = [np.empty((0, len(search.system.shape.slots)), np.bool_)]
    while len(level) and len(search.visited) < STATES and time.monotonic() - begun < SECONDS:
        for _ in search.expand(level, 0, lambda dead: None):
            pass
        known, level = level, search.visited.close_level()
        found.append(_onwards(search, known, draw))
    return np.concatenate(found)


def _onwards(search: Search, level: Level, draw: np.random.Generator) -> Array:
    """The same for some steps from a level to the next one."""
    found = [np.empty((0, len(search.system.shape.slots)), np.bool_)]
    skip = int(draw.integers(0, max(1, len(level) - WALKERS)))
    base = np.arange(PARTITIONS, dtype=np.int64) << 32
    for round_ in search.rounds(level, skip, min(WALKERS, len(level)), recording=True):
        out, at = round_.out, 0
        places = search.visited.locate(search.evaluator.plan, out, base, search.pool)
        nearer = (places & 0xFFFFFFFF) >= level.high[places >> 32]
        for chunk, filled in enumerate(out.filled):
            after = out.rows[chunk, :filled][nearer[at : at + filled]]
            before = round_.rows[out.origin[chunk, :filled][nearer[at : at + filled]]]
            found.append(_numbers(search, before) != _numbers(search, after))
            at += int(filled)
    return np.concatenate(found)


def _walks(search: Search, draw: np.random.Generator) -> Array:
    """By state, of some that random walks come to, and slot: the number of its value."""
    first = evaluate.initial(search.system)
    starts = _numbers(search, search.rows([first[n] for n in draw.integers(0, len(first), WALKERS)]))
    walkers, begun = starts, time.monotonic()
    found = [starts]
    for _ in range(LENGTH):
        if time.monotonic() - begun > SECONDS:
            break
        after = _walked(search, walkers, draw)
        found.append(after)
        # Those that cannot go on begin anew.
        walkers = np.concatenate([after, starts[len(after) :]])
    every = np.concatenate(found)
    return every[draw.permutation(len(every))[:MOST]]


def _walked(search: Search, walkers: Array, draw: np.random.Generator) -> Array:
    """Where each walker that has a step gets to."""
    after = [walkers[:0]]
    for found in search.steps(_rows(search, walkers)):
        for chunk, filled in enumerate(found.out.filled):
            origin = found.out.origin[chunk, :filled]
            order = draw.permutation(int(filled))
            _, picked = np.unique(origin[order], return_index=True)
            after.append(_numbers(search, found.out.rows[chunk, order[picked]]))
    return np.concatenate(after)


def _numbers(search: Search, rows: Array) -> Array:
    layout = search.evaluator.layout
    return (rows[:, layout.word] >> layout.shift) & layout.mask


def _rows(search: Search, numbers: Array) -> Array:
    layout = search.evaluator.layout
    rows = np.zeros((len(numbers), layout.words), np.uint32)
    for slot, (word, shift) in enumerate(zip(layout.word, layout.shift)):
        rows[:, word] |= numbers[:, slot] << shift
    return rows
