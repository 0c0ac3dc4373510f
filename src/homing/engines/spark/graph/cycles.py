"""Fair cycles of a product whose pieces are in different places."""

from __future__ import annotations

from collections.abc import Callable

from homing.engines.spark.graph.cutting import Begin, Collect, Colour, Trim, Within
from homing.engines.spark.graph.judging import Apply, Gather, Judge
from homing.engines.spark.graph.setting import Setting
from homing.engines.spark.graph.supersteps import Supersteps


def look(supersteps: Supersteps, setting: Setting, among: str, taken: Callable[[], None] | None = None) -> bool:
    """Whether there are fair cycles among pairs; GOOD then has pairs on some.

    Without `taken` it ends with the first ones. Otherwise that is called whenever some are found, to take pairs out of
    those that are left; what it leaves must keep its cycles.
    """
    supersteps.once(Begin(setting, among))
    if not _left(supersteps, setting):
        return False
    found = any(supersteps.once(Within(setting)).values())
    if found:
        if taken is None:
            return True
        taken()
        if not _left(supersteps, setting):
            return True
    while True:
        fair = _round(supersteps, setting)
        found = found or fair
        if fair and taken is None:
            supersteps.drop()
            return True
        left = _left(supersteps, setting)
        if fair and taken is not None and left:
            taken()
            left = _left(supersteps, setting)
        if not left:
            return found


def _round(supersteps: Supersteps, setting: Setting) -> bool:
    """Decides at least one component; whether some were fair."""
    supersteps.fix(Colour(setting))
    supersteps.fix(Collect(setting))
    supersteps.once(Gather(setting))
    fair: int = sum(supersteps.once(Judge(setting)).values())
    supersteps.once(Apply(setting))
    return fair > 0


def _left(supersteps: Supersteps, setting: Setting) -> int:
    """How many pairs are left once those that are on no cycle are gone."""
    return sum(supersteps.fix(Trim(setting)).values())
