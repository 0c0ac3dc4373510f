"""Where a run stands, and its manifest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from homing.core.model import Model
from homing.core.property import OnGraph
from homing.core.values import decode, encode
from homing.engines.local.monitors import Finding
from homing.engines.spark import totals
from homing.engines.spark.cells import MOST_BITS, Cells
from homing.engines.spark.closing import Failure
from homing.engines.spark.kernels import NEVER, Array

FIRST_WINDOW = 16
CENSUS = ("states", "outside", "transitions", "deadlocks")
FILE = re.compile(r"states/part=\d+/[0-9a-f]{32}\.parquet#\d{1,18}-[0-9a-f]{8}")
MESSAGES = re.compile(r"inbox/[0-9a-f]{32}@\d{1,18}\+\d{1,18}\+[0-9a-f]{8}(,\d{1,18}\+\d{1,18}\+[0-9a-f]{8})*")


@dataclass
class Part:
    """What is known of a partition."""

    version: str = ""
    files: tuple[str, ...] = ()
    closed: int = 0
    waiting: int = NEVER
    states: int = 0
    bytes: int = 0
    stale: bool = False
    """Whether it was split off, and its states have not been counted since."""
    census: tuple[Sequence[int], ...] = ((), (), (), ())
    """By depth: states, those outside the constraints, transitions, deadlocks."""


@dataclass
class Totals(totals.Totals):
    """With how often states were expanded, and expanded again."""

    expanded: int = 0
    again: int = 0


@dataclass
class Run:
    """Where a run stands: all that its manifest says."""

    cells: Cells
    horizon: int = FIRST_WINDOW
    parts: dict[int, Part] = field(default_factory=dict)
    inboxes: dict[int, tuple[str, ...]] = field(default_factory=dict)
    nearest: int = 0
    """The least depth of what waits in inboxes."""
    findings: list[Finding | None] = field(default_factory=list)
    failure: Failure | None = None
    totals: Totals = field(default_factory=Totals)

    @property
    def partitions(self) -> int:
        return self.cells.partitions

    @property
    def states(self) -> int:
        return sum(part.states for part in self.parts.values())

    @property
    def waiting(self) -> int:
        """The least depth of a state that is yet to be expanded, or NEVER."""
        waiting = [part.waiting for part in self.parts.values()]
        return min([*waiting, self.nearest] if self.inboxes else waiting, default=NEVER)

    def part(self, number: int) -> Part:
        return self.parts.setdefault(number, Part())

    def by_depth(self, which: int) -> Array:
        """One of the counts, summed over the partitions: states, outside, transitions, deadlocks."""
        columns = [part.census[which] for part in self.parts.values()]
        total = np.zeros(max([len(column) for column in columns], default=0), np.int64)
        for column in columns:
            total[: len(column)] += np.array(column, np.int64)
        return total


def plain(run: Run) -> dict[str, Any]:
    """A run as JSON. A failure is not kept: who resumes will meet it again."""
    return {
        "cells": asdict(run.cells),
        "horizon": run.horizon,
        "nearest": run.nearest,
        "parts": {str(number): asdict(part) for number, part in run.parts.items()},
        "inboxes": {str(number): names for number, names in run.inboxes.items()},
        "findings": [
            None if found is None else {"state": encode(found.state).hex(), "level": found.level, "value": found.value}
            for found in run.findings
        ],
        "totals": asdict(run.totals),
    }


def restored(document: dict[str, Any]) -> Run:
    """The run that a manifest describes."""
    return Run(
        _cells(document["cells"]),
        document["horizon"],
        {int(number): _part(part) for number, part in document["parts"].items()},
        {int(number): tuple(names) for number, names in document["inboxes"].items()},
        document["nearest"],
        [
            None if found is None else Finding(decode(bytes.fromhex(found["state"])), found["level"], found["value"])  # type: ignore[arg-type]
            for found in document["findings"]
        ],
        None,
        Totals(**document["totals"]),
    )


def check_sound(run: Run, owning: tuple[int, ...], model: Model) -> None:
    """Raises ValueError where a manifest contradicts itself or the model: what is in it reaches compiled code."""
    cells, slots = run.cells, len(model.system.shape.slots)
    count = len(cells.parts)
    _demand(all(type(number) is int for number in (cells.bits, cells.more, *cells.parts, *cells.line)), "cells")
    _demand(all(type(weight) in (int, float) and weight >= 0 for weight in cells.weights), "cells")
    _demand(all(type(slot) is int and 0 <= slot < slots for slot in owning), "owning")
    _demand(cells.bits >= 0 and cells.more >= 0 and cells.bits + cells.more <= MOST_BITS, "cells")
    _demand(count == 1 << (cells.bits + cells.more) == len(cells.line) == len(cells.weights), "cells")
    _demand(sorted(cells.line) == list(range(count)) and min(cells.parts) >= 0, "cells")
    _demand(cells.partitions <= count, "cells")
    _demand(all(0 <= number < cells.partitions for number in (*run.parts, *run.inboxes)), "partitions")
    numbers = [run.horizon, run.nearest, *(n for part in run.parts.values() for n in _numbers(part))]
    _demand(all(type(number) is int and number >= 0 for number in numbers), "numbers")
    _demand(all(type(number) in (int, float) for number in asdict(run.totals).values()), "totals")
    for part in run.parts.values():
        _demand(len(part.census) == len(CENSUS) and type(part.stale) is bool, "counts")
        _demand(all(type(number) is int for counts in part.census for number in counts), "counts")
        _demand(all(type(name) is str and FILE.fullmatch(name) for name in part.files), "files")
    for names in run.inboxes.values():
        _demand(all(type(name) is str and all(map(MESSAGES.fullmatch, name.split())) for name in names), "messages")
    if not any(part.stale for part in run.parts.values()):
        _demand(run.states == int(run.by_depth(0).sum()), "states")
    asked = [prop for prop in model.properties if not isinstance(prop, OnGraph)]
    _demand(len(run.findings) in (0, len(asked)), "findings")
    for found in run.findings:
        if found is not None:
            _demand(len(found.state) == slots and type(found.level) is int and found.level >= 0, "findings")
            _demand(found.value is None or type(found.value) is int, "findings")


def _numbers(part: Part) -> tuple[int, ...]:
    return part.closed, part.waiting, part.states, part.bytes


def _demand(sound: bool, what: str) -> None:
    if not sound:
        raise ValueError(f"its {what} do not fit together")


def _cells(cells: dict[str, Any]) -> Cells:
    return Cells(cells["bits"], cells["more"], *(tuple(cells[name]) for name in ("parts", "line", "weights")))


def _part(part: dict[str, Any]) -> Part:
    return Part(**(part | {"files": tuple(part["files"]), "census": tuple(part["census"]), "version": ""}))
