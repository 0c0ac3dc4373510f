"""What can be reached, in partitions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from homing.engines.local.watch import Watch
from homing.engines.spark.kernels import Array
from homing.engines.spark.timed.looking import Look, Seen, take_in
from homing.engines.spark.timed.searching import Spreading
from homing.engines.spark.timed.site import Site
from homing.engines.spark.timed.surveying import SpreadBeginning, Waiting
from homing.engines.spark.timed.work import timed_machine
from homing.engines.zones.planning import Plan
from homing.engines.zones.reaching import Extent, Question, Reaching
from homing.engines.zones.staying import Beginning
from homing.timed.property import Bound, LeadsTo
from homing.timed.system import TimedSystem


class SpreadReaching(Spreading, Reaching):
    """One search for the answers to several questions."""

    def __init__(
        self,
        site: Site,
        system: TimedSystem,
        plan: Plan,
        watch: Watch,
        questions: Sequence[Question],
        extents: Sequence[Extent] = (),
    ) -> None:
        machine = timed_machine(plan, system, site.owning, site.memory)
        super().__init__(plan.symbolic(machine.system, watch.tick, machine.search), watch, questions, extents)  # type: ignore[arg-type]
        labels = tuple(question.label for question in questions)
        self.settle(site, machine, plan, Look(labels, tuple((one.label, one.of, one.clock) for one in extents)))

    def known(self) -> frozenset[int]:
        return frozenset(number for number, question in enumerate(self.questions) if question.state is not None)

    def merge(self, seen: Sequence[Seen]) -> None:
        asked = min(found.asked for found in seen)
        for found in seen:
            take_in(found, asked, self.questions, self.extents)

    def rename(self, called: Array) -> None:
        for question in self.questions:
            if question.state is not None:
                question.state = int(called[question.state])
        for extent in self.extents:
            extent.endless = []
            if extent.least is not None:
                extent.least_at, extent.most_at = int(called[extent.least_at]), int(called[extent.most_at])

    def found(self) -> dict[str, Any]:
        return {"questions": list(map(asdict, self.questions)), "extents": list(map(asdict, self.extents))}

    def recall(self, found: dict[str, Any]) -> None:
        for question, known in zip(self.questions, found["questions"], strict=True):
            question.state, question.deadlock = known["state"], known["deadlock"]
            question.goal = tuple((i, j, bound) for i, j, bound in known["goal"])
        for extent, known in zip(self.extents, found["extents"], strict=True):
            for name in ("least", "most", "least_at", "most_at"):
                setattr(extent, name, known[name])

    # What is asked when all was seen

    def beginning(self, prop: LeadsTo) -> Beginning:
        if self.spread is None:
            return super().beginning(prop)
        return SpreadBeginning(self, prop)

    def waits(self, prop: Bound, extent: Extent) -> bool:
        if self.spread is None:
            return super().waits(prop, extent)
        return any(self.survey(Waiting(prop), (prop.where,))[0])
