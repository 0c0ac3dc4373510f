"""Which slots decide who owns a state: those that seldom change, as long as they tell enough states apart."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress

import numpy as np

from homing.core import evaluate
from homing.core.errors import HomingError
from homing.core.system import Shape
from homing.core.values import encode
from homing.engines.local.evaluator import Failed
from homing.engines.local.kernels import PARTITIONS, Array
from homing.engines.local.search import Search
from homing.engines.local.visited import Level
from homing.engines.spark.cells import Cells
from homing.engines.spark.machine import hash_of

WALKERS = 512
LENGTH = 300
SECONDS = 2.0
MOST = 20_000
STATES = 100_000
SEED = 20
BITS = 8
UNSEEN = 0.1
"""Expected states of a cell that no walk came to, where each combination of values that one came to counts once."""
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


def chosen(search: Search, partitions: int, given: tuple[int, ...] = ()) -> tuple[tuple[int, ...], Cells]:
    """The slots to partition by, unless given, and the cells that their values fall into.

    The slots change seldom on shortest paths, and tell states of long runs apart. What crosses on a shortest path costs
    a round. Near the initial states few slots have many values, so how states spread is seen from random walks.
    """
    draw = np.random.default_rng(SEED)
    changing = _changes(search, draw) if not given else None
    # A walk of more steps than there are states would only come to the same states again.
    before, after = _walks(search, draw, min(LENGTH, len(search.visited) or LENGTH))
    slots = given if changing is None else _best(search, changing, after, partitions)
    cells = _cells(search, after, slots)
    # Of what walks seldom come to there may be as many states as of the rest: each combination of values counts once.
    kinds = np.unique(np.column_stack([cells, after[:, list(slots)]]), axis=0)
    return slots, _line(_cells(search, before, slots), cells, np.bincount(kinds[:, 0], minlength=1 << BITS))


def _best(search: Search, changing: Array, walked: Array, partitions: int) -> tuple[int, ...]:
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


def _cells(search: Search, numbers: Array, slots: Sequence[int]) -> Array:
    """By state the cell that machines find it in."""
    found = np.zeros(len(numbers), np.uint64)
    for slot in slots:
        values = search.evaluator.numbering.slots[slot].values
        hashes = np.array([hash_of(-1 - slot, encode(value)) for value in values], np.uint64)
        found ^= hashes[numbers[:, slot]]
    return (found >> np.uint64(64 - BITS)).astype(np.int64)


def _line(before: Array, after: Array, kinds: Array) -> Cells:
    """Puts cells in a line, such that steps lead to near ones: by the second eigenvector of the graph's Laplacian.

    Those that no walk came to are strewn in evenly.
    """
    number = 1 << BITS
    there = np.flatnonzero(kinds)
    edges = np.zeros((number, number))
    np.add.at(edges, (before, after), 1.0)
    edges = (edges + edges.T)[np.ix_(there, there)]
    degrees = np.maximum(edges.sum(axis=1), 1e-9)
    _, vectors = np.linalg.eigh(np.eye(len(there)) - edges / np.sqrt(np.outer(degrees, degrees)))
    order = there[np.argsort(vectors[:, min(1, len(there) - 1)] / np.sqrt(degrees), kind="stable")]
    places = np.arange(number) / number
    places[order] = np.cumsum(kinds[order]) / kinds.sum()
    weights = tuple(np.maximum(kinds, UNSEEN).tolist())
    return Cells(BITS, 0, (0,) * number, tuple(np.argsort(places, kind="stable").tolist()), weights)


def _mean(flags: Array) -> float:
    return float(flags.mean()) if len(flags) else 0.0


def _changes(search: Search, draw: np.random.Generator) -> Array:
    """By step, of some on shortest paths, and slot: whether the step changes the slot."""
    level, begun = search.start(), time.monotonic()
    found = [np.empty((0, len(search.system.shape.slots)), np.bool_)]
    with suppress(Failed):  # which the run will come to, and say where
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


def _walks(search: Search, draw: np.random.Generator, length: int = LENGTH) -> tuple[Array, Array]:
    """By state, of some that random walks come to, and slot: the number of its value; before and after a step."""
    first = evaluate.initial(search.system)
    starts = _numbers(search, search.rows([first[n] for n in draw.integers(0, len(first), WALKERS)]))
    walkers, begun = starts, time.monotonic()
    found, origins = [starts], [starts]
    with suppress(Failed):
        while len(found) <= length and time.monotonic() - begun < SECONDS:
            before, after = _walked(search, walkers, draw)
            origins.append(before)
            found.append(after)
            # Those that cannot go on begin anew.
            walkers = np.concatenate([after, starts[len(after) :]])
    some = draw.permutation(sum(map(len, found)))[:MOST]
    return np.concatenate(origins)[some], np.concatenate(found)[some]


def _walked(search: Search, walkers: Array, draw: np.random.Generator) -> tuple[Array, Array]:
    """Where each walker that has a step is, and gets to."""
    before, after = [walkers[:0]], [walkers[:0]]
    for found in search.steps(_rows(search, walkers)):
        for chunk, filled in enumerate(found.out.filled):
            origin = found.out.origin[chunk, :filled]
            order = draw.permutation(int(filled))
            _, picked = np.unique(origin[order], return_index=True)
            before.append(_numbers(search, found.rows[origin[order[picked]]]))
            after.append(_numbers(search, found.out.rows[chunk, order[picked]]))
    return np.concatenate(before), np.concatenate(after)


def _numbers(search: Search, rows: Array) -> Array:
    layout = search.evaluator.layout
    return (rows[:, layout.word] >> layout.shift) & layout.mask


def _rows(search: Search, numbers: Array) -> Array:
    layout = search.evaluator.layout
    rows = np.zeros((len(numbers), layout.words), np.uint32)
    for slot, (word, shift) in enumerate(zip(layout.word, layout.shift)):
        rows[:, word] |= numbers[:, slot] << shift
    return rows
