"""What a check returns, as data; `homing.report` renders it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from homing.core.errors import HomingError
from homing.core.showing import Shown
from homing.core.verdict import Verdict, worst
from homing.core.witness import Trace

if TYPE_CHECKING:  # numpy would make every start slower
    from homing.core.graph import Graph
    from homing.core.property import OnGraph


class Decided(Protocol):
    """What was found out about a property of the graph."""

    @property
    def verdict(self) -> Verdict: ...
    @property
    def trace(self) -> Trace | None: ...
    @property
    def vacuous(self) -> str | None: ...


class GraphChecker(Protocol):
    """Decides properties of a graph, one after the other."""

    def check(self, prop: OnGraph, specification: Graph | None = None) -> Decided: ...


Decider: TypeAlias = "Callable[[bool, Callable[[], str | None]], GraphChecker]"


@dataclass(frozen=True)
class Counts:
    """States as TLC counts them: `generated` has the initial states and every step, also to a known state;
    `depth` is the number of states on the longest of all shortest paths, so an initial state alone is 1."""

    distinct: int = 0
    generated: int = 0
    depth: int = 0
    transitions: int = 0
    deadlocks: int = 0
    evaluations: int = 0
    """How often the model itself was called; everything else was looked up."""


@dataclass(frozen=True)
class Result(Shown):
    """The verdict on one property, and the evidence."""

    model: str
    property: str
    verdict: Verdict
    counts: Counts
    seconds: float
    memory_mb: float
    trace: Trace | None = None
    value: int | None = None
    vacuous: str | None = None
    reason: str | None = None
    """Why the verdict is UNKNOWN, or why it should not be trusted."""
    part: str = ""
    """Which system of the model it is about, where there are several."""


@dataclass(frozen=True)
class Report(Shown):
    """The results on one model; `error` is set when the model failed while it was checked."""

    model: str
    results: tuple[Result, ...]
    error: HomingError | None = None
    error_trace: Trace | None = None
    checkpoint: str | None = None
    """Where a stopped run can be resumed from."""
    engine: Mapping[str, Any] = field(default_factory=dict)
    """What the engine measured of itself, by name; JSON values."""

    @property
    def verdict(self) -> Verdict:
        """The worst of the verdicts."""
        return worst(result.verdict for result in self.results)


@dataclass(frozen=True)
class Exploration:
    """What an engine found: verdicts on what it can decide, and the graph if a property needs it and all was seen."""

    report: Report
    counts: Counts
    reason: str | None = None
    """Why not all was seen."""
    graph: Graph | None = None
    complete: bool = False
    """Whether the report has a result for every property, those of the graph included."""
    left: tuple[OnGraph, ...] = ()
    """But for these, which are decided on the graph."""
    kept: tuple[OnGraph, ...] = ()
    """Properties of the graph that were seen to hold without one."""
    decider: Decider | None = None
    """Makes what decides properties of a graph that no memory holds; whether there are traces, and why to stop."""
    done: Callable[[], None] = lambda: None
    """To be called when graph and decider are needed no more."""


@dataclass(frozen=True)
class Limits:
    """Where a check stops as UNKNOWN, with all that it found; None is no limit."""

    states: int | None = None
    seconds: float | None = None
    memory_mb: float | None = None
    begun: float | None = None
    """When the time began to count, by the monotonic clock: when the model was first read. None: it has not begun."""

    def started(self) -> Limits:
        """The same limits, with the time counting from now on unless it counts already."""
        return self if self.begun is not None else replace(self, begun=time.monotonic())

    def overdue(self, needed: float = 0.0) -> str | None:
        """The reason to stop, once the time is over but for the seconds that are needed to save what was found."""
        if self.seconds is None or self.begun is None or time.monotonic() - self.begun < self.seconds - needed:
            return None
        return f"the time limit of {self.seconds:g} s was reached"


@dataclass(frozen=True)
class Distribution:
    """How a run is spread over machines."""

    master: str | None = None
    """Spark's; this machine's cores when None."""
    partitions: int | None = None
    folder: str | None = None
    """Where states are kept: a path or URI that all workers reach."""
    small: int = 50_000
    """Rounds over fewer states than this are done by whoever asks, without workers."""
    most_edges: int = 20_000_000
    """Of a graph that one memory is to hold; properties of larger ones are decided in pieces."""
    by: tuple[str, ...] = ()
    """The slots whose values decide where a state belongs; chosen from the model when empty."""


@dataclass(frozen=True)
class Options:
    """How to run; none of these changes a verdict or a count, unless a limit is reached."""

    threads: int | None = None
    """All cores when None."""
    limits: Limits = field(default_factory=Limits)
    checkpoint: Path | None = None
    """The file that the search is saved to, at intervals and when a limit ends it."""
    checkpoint_every: float = 600.0
    resume: bool = False
    """Whether to go on from the checkpoint, if there is one."""
    restart: bool = False
    """Whether a checkpoint may be replaced by one with fewer states."""
    distribution: Distribution = field(default_factory=Distribution)
    show: Callable[[Progress], None] = lambda progress: None
    interrupted: Callable[[], bool] = lambda: False


@dataclass(frozen=True)
class Progress:
    """How far a check has come."""

    model: str
    states: int
    states_per_second: float
    frontier: int
    depth: int
    memory_mb: float
    seconds: float
    note: str = field(default="")
    detail: str = field(default="")
    """What this engine has to say besides."""
