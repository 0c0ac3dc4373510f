"""The same on Spark: what workers need can be pickled, and messages find their way."""

from __future__ import annotations

import random
from typing import Any

import pytest
from tests.engines.spark.graph.agreeing import draw_system, violates
from tests.engines.spark.graph.pieces import decider
from tests.properties.structures import System

from homing.core.formula import Holds, always, eventually
from homing.core.temporal import Justice, Temporal
from homing.core.verdict import Verdict
from homing.engines.spark.rounds import OnSpark


@pytest.mark.slow
def test_formulas_are_decided_by_workers(spark: Any) -> None:
    system = draw_system(random.Random(14))
    assert isinstance(system, System)
    prop = Temporal("again", always(eventually(Holds(0))), (Justice(Holds(1)),)).resolved(system.shape)
    with decider(system, 2, (0,), most=0) as mine:
        mine.rounds = OnSpark(spark.sparkContext, mine.job.folder)
        found = mine.check(prop)
    assert found.verdict is Verdict.VIOLATED
    assert found.trace is not None
    violates(system, found.trace, prop)
