"""Fair cycles of a product whose pieces are in different places."""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from homing.core.temporal import Compassion, Strong, StrongGlobal
from homing.engines.spark.graph.cutting import Ahead, Begin, Collect, Colour, Drop, Trim, Within
from homing.engines.spark.graph.judging import Apply, Gather, Judge
from homing.engines.spark.graph.setting import Setting
from homing.engines.spark.graph.supersteps import Supersteps


def look(supersteps: Supersteps, setting: Setting, among: str, taken: Callable[[], None] | None = None) -> bool:
    """Whether there are fair cycles among pairs; GOOD then has pairs on some.

    Without `taken` it ends with the first ones. Otherwise that is called whenever some are found, to take pairs out of
    those that are left; what it leaves must keep its cycles.
    """
    supersteps.once(Begin(setting, among))
    found = any(supersteps.once(Within(setting)).values())
    if found:
        if taken is None:
            return True
        taken()
    pivot = _left(supersteps, setting)
    # Mostly one component is all, or most: that of a pivot takes two closures, while colours come and go. But where
    # there are many small ones, colours find many at once.
    turns = cycle((True, False))
    while pivot is not None:
        fair = _round(supersteps, setting, pivot if next(turns) else None)
        found = found or fair
        if fair and taken is None:
            supersteps.drop()
            return True
        pivot = _left(supersteps, setting)
        if fair and taken is not None and pivot is not None:
            taken()
            pivot = _left(supersteps, setting)
    return found


def exist(supersteps: Supersteps, setting: Setting, among: str) -> bool:
    """Whether there are fair cycles among pairs. Components are looked for only where strong fairness needs them: else
    what is left when all else is removed has cycles."""
    if any(isinstance(entry, Strong | Compassion | StrongGlobal) for entry in setting.fairness):
        return look(supersteps, setting, among)
    supersteps.once(Begin(setting, among))
    return any(supersteps.once(Within(setting)).values()) or _left(supersteps, setting) is not None


def _round(supersteps: Supersteps, setting: Setting, pivot: tuple[int, int] | None) -> bool:
    """Decides at least one component; whether some were fair."""
    supersteps.fix(Colour(setting, pivot))
    supersteps.fix(Collect(setting))
    supersteps.once(Gather(setting))
    fair: int = sum(supersteps.once(Judge(setting)).values())
    supersteps.once(Apply(setting))
    return fair > 0


def _left(supersteps: Supersteps, setting: Setting) -> tuple[int, int] | None:
    """Removes what cannot be on a fair cycle; one of the pairs that are left then, of the partition with the most."""
    pivot = _trimmed(supersteps, setting)
    while pivot is not None and (setting.marks or setting.fairness):
        supersteps.fix(Ahead(setting))
        if not any(supersteps.once(Drop(setting)).values()):
            break
        pivot = _trimmed(supersteps, setting)
    return pivot


def _trimmed(supersteps: Supersteps, setting: Setting) -> tuple[int, int] | None:
    reports = supersteps.fix(Trim(setting))
    part = max(reports, key=lambda part: reports[part][0], default=None)
    return None if part is None or not reports[part][0] else (part, reports[part][1])
