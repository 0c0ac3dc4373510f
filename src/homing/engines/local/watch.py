"""Limits, interruption and progress, looked at between pieces of work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from homing.core.result import Limits, Progress
from homing.core.stop import Stopped, settle
from homing.memory import physical_mb, resident_mb

INTERVAL = 0.2
"""Seconds between two looks; each costs a system call."""
DEFAULT_SHARE = 0.8
"""Part of the machine's memory that a check may take when no limit is given."""


def available_mb(root: Path = Path("/")) -> float:
    """The memory of the machine, or less where a control group that this process is in, or one above, allows less."""
    total = physical_mb() * 2**20
    for file in _limits(root):
        with suppress(OSError, ValueError):  # other systems, or no limit ("max")
            total = min(total, int(file.read_text()))
    return total / 2**20


def _limits(root: Path) -> Iterator[Path]:
    """The files that may limit this process: a container often shows its own group only, and as the topmost."""
    mounted = root / "sys/fs/cgroup"
    versions = {"": (mounted, "memory.max"), "memory": (mounted / "memory", "memory.limit_in_bytes")}
    groups = dict.fromkeys(versions, "/")
    with suppress(OSError):
        for line in (root / "proc/self/cgroup").read_text().splitlines():  # "4:memory:/one/two", or "0::/one/two"
            _, controllers, group = line.split(":", 2)
            groups |= {name: group for name in controllers.split(",") if name in versions}
    for name, (folder, file) in versions.items():
        lowest = PurePosixPath(groups[name].lstrip("/"))
        yield from (folder / each / file for each in (lowest, *lowest.parents))


@dataclass
class Watch:
    """Raises Stopped when it is time to end."""

    model: str
    limits: Limits
    show: Callable[[Progress], None]
    interrupted: Callable[[], bool]
    saving: Callable[[], float] = lambda: 0.0
    """Returns the seconds that it would take to save what was found."""

    def __post_init__(self) -> None:
        self.limits = self.limits.started()
        self._start = time.monotonic()
        self._looked = self._start if self.limits.overdue() is None else self._start - INTERVAL
        self._memory_limit = self.limits.memory_mb or DEFAULT_SHARE * available_mb()
        self._armed = True
        self.memory_mb = 0.0
        self.states = 0
        self.frontier = 0
        self.depth = 0
        self._before = 0
        self.measure()

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._start

    def measure(self) -> None:
        """Takes in the memory in use; the peak is kept."""
        self.memory_mb = max(self.memory_mb, resident_mb())

    def resumed(self, states: int) -> None:
        """States found by an earlier run do not count for this one's speed."""
        self._before = states

    @property
    def due(self) -> bool:
        """Whether it is time for another look."""
        return time.monotonic() - self._looked >= INTERVAL

    def tick(self) -> None:
        """Looks at the clock, and once in a while at everything else."""
        if self.due:
            self._looked = time.monotonic()
            self.look()

    def look(self) -> None:
        """Measures, shows and stops where a limit is reached."""
        self.measure()
        self.show(self.progress())
        if not self._armed:
            return
        if self.interrupted():
            raise Stopped("interrupted")
        overdue = self.limits.overdue(self.saving())
        if overdue is not None:
            raise Stopped(overdue)
        if self.memory_mb >= self._memory_limit:
            raise Stopped(f"the memory limit of {self._memory_limit:.0f} MB was reached")

    def disarm(self) -> None:
        """The search is over: what is left, telling what it found, is not to be stopped."""
        self._armed = False
        settle()

    def progress(self, note: str = "", detail: str = "") -> Progress:
        """How far the search has come."""
        speed = (self.states - self._before) / max(self.seconds, 1e-9)
        counts = (self.states, speed, self.frontier, self.depth)
        return Progress(self.model, *counts, self.memory_mb, self.seconds, note, detail)

    def count(self, states: int, frontier: int, depth: int) -> None:
        """Takes in how far the search has come; stops where there are too many states."""
        self.states, self.frontier, self.depth = states, frontier, depth
        if self.limits.states is not None and states >= self.limits.states:
            raise Stopped(f"the limit of {self.limits.states} states was reached")
        self.tick()
