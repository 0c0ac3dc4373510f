"""Refinement and determinism: they compare what is possible after each trace, and are decided on the graph of all
states, as everywhere. Diagrams say how many there are; if these are not too many, the local engine lists them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from homing.core.errors import HomingError
from homing.core.graph import Graph
from homing.core.model import Model
from homing.core.property import OnGraph, Property
from homing.core.result import Counts, Exploration, Options
from homing.core.temporal import DivergenceFree, EveryStep, Temporal

LISTED = "what compares traces (refinement, determinism) was decided on a list of all states, without diagrams"


@dataclass(frozen=True)
class Listed:
    """The graph, or why there is none."""

    graph: Graph | None = None
    reason: str | None = None


def compares_traces(prop: Property) -> bool:
    """Whether it is decided on the graph, which others may want for a specification."""
    return isinstance(prop, OnGraph) and not isinstance(prop, Temporal | EveryStep | DivergenceFree)


def listed(model: Model, options: Options, counts: Counts) -> Listed:
    """The graph of a system with so many states."""
    most = options.distribution.most_edges
    if max(counts.distinct, counts.transitions) > most:
        steps = f" and {counts.transitions:,} steps" if counts.transitions else ""
        return Listed(
            None, f"its {counts.distinct:,} states{steps} are too many to be listed, which comparing traces needs"
        )
    try:
        found = _explored(model, options)
    except HomingError as error:
        return Listed(None, str(error))
    why = found.report.error or found.reason
    return Listed(found.graph, None if why is None else str(why))


def _explored(model: Model, options: Options) -> Exploration:
    # Compiled code takes a while to load, and is seldom wanted here.
    from homing.engines.local.engine import check

    options = replace(options, checkpoint=None, resume=False)
    return check(replace(model, properties=(OnGraph("graph"),)), options)
