"""Which partitions the graph has: those of the exploration, divided where a piece would not fit in memory.

An exploration divides what has too many states; with its edges a state takes far more.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from homing.engines.spark.cells import Cells
from homing.engines.spark.exploring import Run
from homing.engines.spark.graph.guarding import guarded, told
from homing.engines.spark.graph.weighing import EDGE_BYTES, STATE_BYTES
from homing.engines.spark.kernels import Owners
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.work import Assignment, Job, _keep, _kept, _partition

WITH_GHOSTS = 2
"""Ghosts, and states of an automaton, are there for each state, about."""
FEWEST = 10_000
"""States of a piece that is not divided, however little memory there is."""


def assignments(job: Job, rounds: Rounds, run: Run) -> list[Assignment]:
    """The partitions whose pieces are to be made."""
    most = most_states(job, run)
    todo = [
        Assignment(number, run.cells, 0, part.closed, part.version, part.files, weight=part.states)
        for number, part in sorted(run.parts.items())
    ]
    if all(assignment.weight <= most for assignment in todo):
        return todo
    counted, _ = rounds.run(partial(count, job), todo, run.partitions)
    counts = np.sum(told(counted), axis=0)
    cells = run.cells.fitting(counts.tolist(), most)
    return [_part(number, cells, run, weight) for number, weight in enumerate(_sizes(cells)) if weight]


def most_states(job: Job, run: Run) -> int:
    """How many states a piece may have."""
    degree = int(run.by_depth(2).sum()) / max(run.states, 1)
    return max(FEWEST, int(job.cache / (WITH_GHOSTS * STATE_BYTES + EDGE_BYTES * degree)))


def _sizes(cells: Cells) -> list[int]:
    found: list[int] = np.ceil(np.bincount(cells.parts, cells.weights)).astype(int).tolist()
    return found


def _part(number: int, cells: Cells, run: Run, weight: int) -> Assignment:
    """A part of what a partition of the exploration has: it reads the same files, and takes what is its own."""
    cell = cells.parts.index(number) >> (cells.bits + cells.more - run.cells.bits - run.cells.more)
    old = run.parts[run.cells.parts[cell]]
    return Assignment(number, cells, 0, old.closed, uuid.uuid4().hex, old.files, weight=weight)


@guarded
def count(job: Job, todo: Assignment) -> Iterator[tuple[int, Any]]:
    """A partition's states by cell."""
    keeping = _kept(job)

    def owners() -> Owners:
        return keeping.machine.sharing(todo.cells, todo.part)

    partition, *_ = _partition(job, todo, keeping, owners)
    counts = partition.counts(todo.cells)
    _keep(job, keeping, todo.part, todo.version, partition)
    yield -1, counts
