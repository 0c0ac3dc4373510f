"""Runs on which a condition always holds, in partitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from homing.core.stop import Stopped
from homing.engines.local.watch import Watch
from homing.engines.spark.folder import FAULTS
from homing.engines.spark.kernels import Array
from homing.engines.spark.timed.looking import Look, Seen
from homing.engines.spark.timed.loops import loop
from homing.engines.spark.timed.searching import Spreading, why
from homing.engines.spark.timed.site import Site
from homing.engines.spark.timed.surveying import SpreadBeginning
from homing.engines.spark.timed.work import timed_machine
from homing.engines.zones.planning import Plan
from homing.engines.zones.staying import Beginning, Ending, Stay, Staying
from homing.timed.system import TimedSystem


class SpreadStaying(Spreading, Staying):
    """A search for such runs."""

    def __init__(
        self, site: Site, system: TimedSystem, plan: Plan, watch: Watch, beginning: Beginning | None = None
    ) -> None:
        machine = timed_machine(plan, system, site.owning, site.memory)
        super().__init__(plan.symbolic(machine.system, watch.tick, machine.search), watch, beginning)  # type: ignore[arg-type]
        self.settle(site, machine, plan, Look(endings=True), None if beginning is None else beginning.prop)

    def explore_here(self, begin: Callable[[], Array]) -> None:
        if not isinstance(self.beginning, SpreadBeginning):
            super().explore_here(begin)
            return
        self.spread = self.beginning.spread(len(self.symbolic.system.clocks))
        self.save()

    def merge(self, seen: Sequence[Seen]) -> None:
        self.waiting = _earliest(self.waiting, [found.waiting for found in seen])
        self.stuck = _earliest(self.stuck, [found.stuck for found in seen])

    def rename(self, called: Array) -> None:
        self.stuck = None if self.stuck is None else int(called[self.stuck])

    def found(self) -> dict[str, Any]:
        return {"waiting": self.waiting, "stuck": self.stuck}

    def recall(self, found: dict[str, Any]) -> None:
        self.waiting, self.stuck = found["waiting"], found["stuck"]

    def _loop(self, ticking: bool) -> Stay | None:
        if self.spread is None:
            return super()._loop(ticking)
        try:
            states = loop(self.site, self.spread, ticking)
        except (Stopped, *FAULTS) as error:
            self.reason = self.reason or why(error)
            return None
        if states is None:
            return None
        retracing = self.retracing()
        root, stem = retracing.run_to(states[0])
        return Stay(Ending.LOOPS, root, retracing.around(states, ticking).after(stem))


def _earliest(known: int | None, found: Sequence[tuple[int, int] | None]) -> int | None:
    """What is known from a level before, or what begins first."""
    first = min((one for one in found if one is not None), default=None)
    return known if known is not None or first is None else first[1]
