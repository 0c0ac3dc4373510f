"""Random systems with clocks: partitions find what the search through zones finds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.spark.timed.agreeing import MANY, agree, checked, locally, spread
from tests.languages.uppaal.systems import Systems
from tests.languages.uppaal.test_random import KINDS, queries
from tests.languages.uppaal.writing import xml
from tests.scale import SCALE, scaled
from tests.timed.systems import Features, network

import homing
from homing.core.errors import ModelError
from homing.core.model import Model
from homing.timed.property import Bound, Forever, Inevitable, Invariant, LeadsTo, Reachable

FEATURES = {
    "plain": Features(),
    "priorities": Features(priorities=True),
    "differences": Features(diagonals=True),
    "deadlock": Features(deadlock=True),
}


@pytest.mark.parametrize("name", FEATURES)
@settings(max_examples=scaled(3))
@given(st.integers(0, 10**9), st.sampled_from([0, MANY]))
def test_networks(name: str, seed: int, edges: int) -> None:
    system = network(seed, FEATURES[name])
    one, other = system.condition(0), system.condition(1)
    asked = [Reachable("reachable", one), Invariant("invariant", other)]
    if not FEATURES[name].deadlock:
        asked += [Forever("forever", one), Inevitable("inevitable", other), LeadsTo("leads to", one, other)]
        asked += [Bound("sup", one, 1, True, "sup"), Bound("inf", other, 1, True, "inf")]
    model = Model("m", system, tuple(asked))
    with TemporaryDirectory() as folder:
        agree(checked(model, spread(Path(folder), edges, partitions=1 << seed % 4)), locally(model))


SEEDS = (0, 3, 5, 42, 62)
"""One of each kind, one that fails, and two where `-->` begins at several distances."""


@pytest.mark.parametrize("seed", range(round(20 * SCALE)) if SCALE >= 5 else SEEDS)
def test_uppaal(tmp_path: Path, seed: int) -> None:
    drawn = Systems(seed, **KINDS[seed % len(KINDS)])
    system = drawn.system()
    drawn.risky = False
    file = tmp_path / "model.xml"
    file.write_text(xml(system, [query for query, _ in queries(drawn, system)]), encoding="utf-8")
    (model,) = homing.load(file).models
    try:
        expected = locally(model)
    except ModelError:
        with pytest.raises(ModelError):  # it cannot begin
            checked(model, spread(tmp_path))
        return
    agree(checked(model, spread(tmp_path, edges=0 if seed % 2 else MANY)), expected)
