"""The same on Spark: what workers need can be pickled, and messages find their way."""

from __future__ import annotations

import random
from typing import Any

from tests.engines.spark.graph.agreeing import draw_system, violates
from tests.engines.spark.graph.pieces import decider
from tests.properties.structures import System

from homing.core.formula import Holds, always, eventually, on_all_paths, on_some_path
from homing.core.temporal import Justice, Temporal
from homing.core.verdict import Verdict
from homing.engines.local.graph import explore
from homing.engines.spark.rounds import OnSpark
from homing.properties.checker import Checker


def test_formulas_are_decided_by_workers(spark: Any) -> None:
    system = draw_system(random.Random(8))
    assert isinstance(system, System)
    again = Temporal("again", always(eventually(Holds(0))), (Justice(Holds(1)),)).resolved(system.shape)
    possible = Temporal("possible", on_all_paths(always(on_some_path(eventually(Holds(1)))))).resolved(system.shape)
    checker = Checker(system, explore(system))
    with decider(system, 2, (0,), most=0) as mine:
        mine.rounds = OnSpark(spark.sparkContext, mine.job.folder)
        for prop in (again, possible):
            found = mine.check(prop)
            assert found.verdict is checker.check(prop).verdict
            if prop is again:
                assert found.verdict is Verdict.VIOLATED
                assert found.trace is not None
                violates(system, found.trace, prop)
