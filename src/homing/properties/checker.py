"""Decides one property of a graph after the other."""

from __future__ import annotations

from collections.abc import Callable

from homing.core.errors import HomingError
from homing.core.graph import Graph
from homing.core.property import OnGraph
from homing.core.system import TransitionSystem
from homing.core.temporal import Deterministic, DivergenceFree, EveryStep, Refines, Temporal
from homing.properties import determinism, refinement, steps, temporal
from homing.properties.arena import Columns
from homing.properties.finding import Finding


class Checker:
    """Decides properties of one graph, sharing what they have in common.

    Without `tracing` there are no traces: under a symmetry or a view the graph has steps that are no steps.
    """

    def __init__(
        self,
        system: TransitionSystem,
        graph: Graph,
        tracing: bool = True,
        stopped: Callable[[], str | None] = lambda: None,
    ) -> None:
        self.system = system
        self.stopped = stopped
        """Why to stop in the middle of a property, if there is a reason."""
        self.columns = Columns(graph, system.shape, stopped=stopped)
        self.tracing = tracing

    def check(self, prop: OnGraph, specification: Graph | None = None) -> Finding:
        """The verdict on a property, with names resolved; a refinement needs the graph of its specification."""
        system = self.system if self.tracing else None
        match prop:
            case Temporal():
                return temporal.check(prop, self.columns, system)
            case EveryStep():
                return steps.check(prop, self.columns, self.system, self.stopped)
            case Refines():
                assert specification is not None
                return refinement.check(prop, self.columns, specification, system, self.stopped)
            case Deterministic():
                return determinism.check(prop, self.columns, system)
            case DivergenceFree():
                return refinement.check_divergence(prop, self.columns, system)
        raise HomingError(f"'{prop.name}' is a property that nobody here can decide: {type(prop).__name__}")
