"""Systems with clocks in diagrams, against the search through zones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.languages.uppaal.systems import Systems
from tests.languages.uppaal.test_random import KINDS, queries
from tests.languages.uppaal.writing import xml
from tests.scale import scaled

import homing
from homing.core.errors import ModelError
from homing.core.model import Model
from homing.core.property import Property
from homing.core.result import Limits, Options, Result
from homing.core.verdict import Verdict
from homing.engines.symbolic.clocks import RUNS, InDiagrams, check
from homing.engines.symbolic.tuning import Tuning
from homing.engines.zones.engine import check as check_zones
from homing.engines.zones.engine import checked
from homing.timed.property import Invariant, Reachable

SMALL = Tuning(nodes=1 << 18, cache=1 << 14)


def said(result: Result) -> tuple[object, ...]:
    trace = result.trace
    return result.verdict, result.value, result.vacuous, None if trace is None else trace.states, result.counts


def reached(prop: Property) -> bool:
    return isinstance(prop, Reachable | Invariant)


def compare(model: Model) -> int:
    """How many of its properties are decided in diagrams."""
    diagrams = check(model, Options(threads=1), SMALL).report
    zones = check_zones(model, Options(threads=1)).report
    assert list(map(said, diagrams.results)) == list(map(said, zones.results))
    assert str(diagrams.error) == str(zones.error)
    assert (RUNS in diagrams.engine["notes"]) == (not all(map(reached, model.properties)))
    return sum(map(reached, model.properties))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: " ".join(kind) or "plain")
def test_random_systems(tmp_path: Path, kind: dict[str, Any]) -> None:
    decided = 0
    for seed in range(scaled(2)):
        drawn = Systems(seed, **kind)
        system = drawn.system()
        drawn.risky = False
        file = tmp_path / "model.xml"
        file.write_text(xml(system, [query for query, _ in queries(drawn, system)]), encoding="utf-8")
        (model,) = homing.load(file).models
        try:
            decided += compare(model)
        except ModelError:  # it cannot begin
            with pytest.raises(ModelError, match="the initial state violates"):
                check(model, Options(threads=1), SMALL)
    assert decided


def skew() -> Model:
    (model,) = homing.load(Path(__file__).parents[3] / "models/rabbitmq/skew.xml").models
    return model


def test_the_set_has_the_states() -> None:
    """What is in the diagram is what the search keeps: some states are covered after they were taken in."""
    session = InDiagrams(skew(), Options(threads=1), SMALL)
    checked(session, Options(threads=1))
    search = session.search
    assert search is not None
    symbolic, states = search.symbolic, search.states
    left = np.flatnonzero(symbolic.states.covered[: symbolic.states.size[0]] == 0)
    rows = set(states.space.rows(states.reached.set, states.space.now))
    assert rows == set(map(tuple, states.table(left).tolist()))
    assert states.count == len(left) == 236


def test_limits() -> None:
    few = check(skew(), Options(threads=1), Tuning(nodes=1 << 6, cache=1 << 6)).report
    reasons = {result.reason for result in few.results if result.verdict is Verdict.UNKNOWN}
    assert any("the memory was not enough for the decision diagrams" in str(reason) for reason in reasons)
    short = check(skew(), Options(threads=1, limits=Limits(states=5)), SMALL).report
    assert any("limit" in str(result.reason) for result in short.results)
