"""Zones as values of a slot, for engines that know no clocks, against the search through zones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.languages.uppaal.systems import Systems
from tests.languages.uppaal.test_random import KINDS, queries
from tests.languages.uppaal.writing import xml
from tests.scale import scaled

import homing
from homing.core.errors import ModelError
from homing.core.model import Model
from homing.core.result import Limits, Options, Result
from homing.core.verdict import Verdict
from homing.engines.local.engine import check as check_locally
from homing.engines.zones.flat import RUNS, check
from homing.timed.property import Invariant, Reachable

FEW = Options(threads=1, limits=Limits(states=3000))


def compare(model: Model) -> int:
    """How many of its properties both decide, in the same way."""
    flat = check(model, FEW, check_locally).report
    zones = homing.api.CheckedModel((model,)).check(options=Options(threads=1))
    decided = 0
    for prop, one, other in zip(model.properties, flat.results, zones.results, strict=True):
        if not isinstance(prop, Reachable | Invariant):
            assert (one.verdict, one.value, one.vacuous) == (other.verdict, other.value, other.vacuous), prop.name
            assert RUNS in flat.engine["notes"]
        elif one.verdict is not Verdict.UNKNOWN:
            assert one.verdict is other.verdict, prop.name
            assert actions(one) == actions(other), prop.name
            assert one.vacuous == other.vacuous, prop.name
            decided += 1
    return decided


def actions(result: Result) -> int | None:
    """Steps of the trace, without waits."""
    return None if result.trace is None else sum(move.event.name != "wait" for move in result.trace.moves)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: " ".join(kind) or "plain")
def test_random_systems(tmp_path: Path, kind: dict[str, Any]) -> None:
    decided = 0
    for seed in range(scaled(3)):
        drawn = Systems(seed, **kind)
        system = drawn.system()
        drawn.risky = False
        file = tmp_path / "model.xml"
        file.write_text(xml(system, [query for query, _ in queries(drawn, system)]), encoding="utf-8")
        (model,) = homing.load(file).models
        try:
            fails = homing.load(file).check().error is not None
        except ModelError as error:  # it cannot begin
            with pytest.raises(ModelError, match="the initial state violates"):
                check(model, FEW, check_locally)
            fails = "the initial state violates" in str(error)
        decided += 0 if fails else compare(model)
    assert decided
