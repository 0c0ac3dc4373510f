"""The pass over all states that finds the edges: two rounds, and a manifest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from homing.core.errors import ModelError
from homing.engines.spark.batches import column, read, rows_of
from homing.engines.spark.exploring import Run
from homing.engines.spark.graph.catalog import GRAPH, Catalog, Filed, kept
from homing.engines.spark.graph.dividing import assignments
from homing.engines.spark.graph.events import table_of
from homing.engines.spark.graph.expanding import TWICE, Expanding
from homing.engines.spark.graph.guarding import guarded, told
from homing.engines.spark.graph.messages import DOWN, packed, raw
from homing.engines.spark.kernels import Array, Owners, Produced, locate
from homing.engines.spark.partition import Partition
from homing.engines.spark.rounds import Rounds
from homing.engines.spark.work import Assignment, Job, _kept, _partition

NOWHERE = 0xFFFFFFFF
"""As the state that a ghost stands for: none, it is outside the constraints."""


@dataclass(frozen=True)
class Resolving:
    """The second round of a partition: which of its states others have as ghosts."""

    filed: Filed
    inbox: tuple[str, ...]
    weight: int
    seconds: float = 60.0


def build(job: Job, rounds: Rounds, run: Run) -> Catalog:
    """The graph of a finished exploration, from disk where it is there."""
    found = kept(job.folder, run)
    if found is not None:
        return found
    todo = assignments(job, rounds, run)
    partitions = todo[0].cells.partitions if todo else 1
    outcomes, inboxes = rounds.run(partial(expand, job), todo, partitions)
    pieces: dict[int, Filed] = {piece.part: piece for piece in told(outcomes)}
    resolving = [Resolving(pieces[part], (name,), pieces[part].size) for part, name in sorted(inboxes.items())]
    if resolving:
        outcomes, dropped = rounds.run(partial(resolve, job), resolving, partitions)
        pieces |= {piece.part: piece for piece in told(outcomes)}
        pieces |= {part: replace(pieces[part], dropped=name) for part, name in dropped.items()}
    catalog = Catalog(pieces, partitions)
    catalog.save(job.folder, run)
    job.folder.remove(inboxes.values())
    return catalog


@guarded
def expand(job: Job, todo: Assignment) -> Iterator[tuple[int, Any]]:
    """Writes a partition's piece of the graph, and tells others which of their states it leads to."""
    keeping = _kept(job)
    machine = keeping.machine

    def owners() -> Owners:
        return machine.sharing(todo.cells, todo.part)

    partition, *_ = _partition(job, todo, keeping, owners)
    found = Expanding(machine, partition, owners)
    place = f"{GRAPH}/part={todo.part:05d}"
    writer = job.folder.writer(place)
    writer.write(pa.table({name: pa.array([], pa.uint32()) for name in ("target", "group", "event")}))
    for table in found.lines():
        writer.write(table)
    foreign, messages = found.foreign()
    yield from messages
    depth = found.depth
    filed = Filed(
        todo.part,
        tuple(np.bincount(depth).tolist()) if len(depth) else (),
        found.edges,
        len(found.ghosts),
        job.folder.write(place, found.states()),
        writer.close(),
        job.folder.write(place, pa.table({"degree": found.degree})),
        job.folder.write(place, foreign),
        job.folder.write(place, table_of([event for _, event in found.events.values()])),
    )
    yield -1, filed


@guarded
def resolve(job: Job, todo: Resolving) -> Iterator[tuple[int, Any]]:
    """Finds the states that others have as ghosts; where there is none, it is outside the constraints."""
    machine = _kept(job).machine
    held = _indexed(job, todo.filed)
    columns: list[tuple[Array, Array, Array]] = []
    for message in raw(job.folder, todo.inbox):
        table = read(message)
        rows = rows_of(machine, table)
        numbers = np.empty(len(rows), np.int64)
        locate(held.held, rows, machine.hashes(rows), machine.visible, numbers)
        sender, position = column(table, "sender"), column(table, "position")
        columns.append((sender, position, numbers))
        lost = numbers < 0
        if lost.any():
            if not machine.system.shape.constraints:
                raise ModelError(TWICE)
            for data in packed(DOWN, todo.filed.part, position[lost], np.zeros(int(lost.sum()), np.uint64)):
                yield int(sender[0]), data
    sender, position, numbers = (np.concatenate(column) for column in zip(*columns))
    order = np.lexsort((position, sender))
    local = np.where(numbers < 0, NOWHERE, numbers).astype(np.uint32)
    table = pa.table({"sender": sender[order], "local": local[order]})
    yield -1, replace(todo.filed, mirrors=job.folder.write(f"{GRAPH}/part={todo.filed.part:05d}", table))


def _indexed(job: Job, filed: Filed) -> Partition:
    """The states of a piece, numbered by their position there."""
    machine = _kept(job).machine
    held = Partition(machine)
    held.activate()
    table = job.folder.read(filed.states)
    rows = rows_of(machine, table)
    none = np.zeros(len(rows), np.uint64)
    held.absorb(Produced(rows, machine.hashes(rows), none, column(table, "depth")), machine.owners(0, 0, 0))
    assert len(held) == filed.size
    return held
