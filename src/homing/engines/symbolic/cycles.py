"""Fair cycles, whatever the fairness, and single ones of them."""

from __future__ import annotations

from homing.engines.symbolic import everywhere
from homing.engines.symbolic.fairness import Fair
from homing.engines.symbolic.paths import Node, Taken, Walker
from homing.engines.symbolic.play import Pairs, Play


def fair_pairs(walker: Walker, pairs: Pairs, fair: Fair) -> tuple[Pairs, Play]:
    """Pairs on fair cycles among these, perhaps with some that only lead to them; and the steps to use."""
    if fair.everywhere:
        return everywhere.fair(walker, pairs, fair.conditions), walker.play
    return walker.play.fair(pairs, fair.conditions)


def lasso(
    walker: Walker, start: Pairs, found: tuple[Pairs, Play], fair: Fair, within: Pairs | None = None
) -> tuple[Node, list[Taken], list[Taken]]:
    """A way to a fair cycle among those found, and around it."""
    first, way, cycle = walker.lasso(start, found, fair.conditions, within)
    if fair.everywhere:
        entry = cycle[0].before
        tour = everywhere.tour(walker, entry, walker.component(entry, found[0]))
        fair.shown = tour is not None
        cycle = cycle if tour is None else tour
    return first, way, cycle


def explained(walker: Walker, fair: Fair, cycle: list[Taken]) -> list[str]:
    """How a cycle is fair."""
    return fair.explain([(step.link, walker.at(step.before[1])) for step in cycle])
