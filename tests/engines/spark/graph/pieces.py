"""Explores small systems in partitions, in this process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory
from unittest.mock import patch
from uuid import uuid4

from homing.core.system import TransitionSystem
from homing.engines.spark import work
from homing.engines.spark.cells import Cells
from homing.engines.spark.exploring import Explorer, Run
from homing.engines.spark.folder import Folder
from homing.engines.spark.graph import Decider, dividing
from homing.engines.spark.machine import Machine
from homing.engines.spark.preparing import Same
from homing.engines.spark.rounds import Here
from homing.engines.spark.work import Job


@contextmanager
def decider(
    system: TransitionSystem, bits: int, owning: tuple[int, ...], most: int, cache: int = 1 << 30
) -> Iterator[Decider]:
    """Decides properties of a system's graph, whose pieces lie in a folder for the time being; where the cache is
    small, these are parts of what partitions have."""
    with TemporaryDirectory() as folder, patch.object(dividing, "FEWEST", 6):
        work._runs.clear()
        job = Job("", uuid4().hex, Same(system), owning, Folder(folder), (), False, 1 << 30, cache)
        every = tuple(range(1 << bits))
        cells = Cells(bits, 0, every, every, (1.0,) * len(every))
        explorer = Explorer(job, Here(job.folder), Run(cells), bool(system.shape.constraints))
        machine = Machine(system, owning)
        explorer.begin(machine)
        while explorer.advance():
            pass
        yield Decider(job, explorer.rounds, explorer.run, machine, most=most)
