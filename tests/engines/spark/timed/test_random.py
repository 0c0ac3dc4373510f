"""Random systems with clocks: partitions find what the search through zones finds."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

import pyarrow.parquet as pq
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
from homing.engines.spark.timed import tasks
from homing.engines.zones import bounds
from homing.timed.property import Bound, Forever, Inevitable, Invariant, LeadsTo, Reachable

FEATURES = {
    "plain": Features(),
    "priorities": Features(priorities=True),
    "differences": Features(diagonals=True),
    "deadlock": Features(deadlock=True),
}


@pytest.mark.parametrize("name", FEATURES)
@settings(max_examples=scaled(3))
@given(st.integers(0, 10**9), st.sampled_from([0, MANY]), st.sampled_from([0, 4]))
def test_networks(name: str, seed: int, edges: int, small: int) -> None:
    system = network(seed, FEATURES[name])
    one, other = system.condition(0), system.condition(1)
    asked = [Reachable("reachable", one), Invariant("invariant", other)]
    if not FEATURES[name].deadlock:
        asked += [Forever("forever", one), Inevitable("inevitable", other), LeadsTo("leads to", one, other)]
        asked += [Bound("sup", one, 1, True, "sup"), Bound("inf", other, 1, True, "inf")]
    model = Model("m", system, tuple(asked))
    # A clock that loops raise without end is followed to a bound; to the usual one partitions would take hours.
    with TemporaryDirectory() as folder, patch.object(bounds, "FARTHEST", 8):
        agree(checked(model, spread(Path(folder), edges, 1 << seed % 4, small)), locally(model))


SEEDS = (0, 3, 5, 42, 62)
"""One of each kind, one that fails, and two where `-->` begins at several distances."""


def uppaal(folder: Path, seed: int) -> Model:
    drawn = Systems(seed, **KINDS[seed % len(KINDS)])
    system = drawn.system()
    drawn.risky = False
    file = folder / "model.xml"
    file.write_text(xml(system, [query for query, _ in queries(drawn, system)]), encoding="utf-8")
    (model,) = homing.load(file).models
    return model


@pytest.mark.parametrize("seed", range(round(20 * SCALE)) if SCALE >= 5 else SEEDS)
def test_uppaal(tmp_path: Path, seed: int) -> None:
    model = uppaal(tmp_path, seed)
    try:
        expected = locally(model)
    except ModelError:
        with pytest.raises(ModelError):  # it cannot begin
            checked(model, spread(tmp_path))
        return
    agree(checked(model, spread(tmp_path, 0 if seed % 2 else MANY)), expected)


def test_what_begins_earliest_may_come_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "AT_ONCE", 0)
    model = uppaal(tmp_path, 15)
    model = replace(model, properties=tuple(prop for prop in model.properties if isinstance(prop, LeadsTo)))
    checked(model, spread(tmp_path))
    for search in tmp_path.glob("run/search=*"):
        state, level, stem = columns(search, "states", "state", "level", "stem")
        at = {name: number for number, name in enumerate(state)}
        earliest: dict[int, int] = {}
        for one, other in zip(*columns(search, "moves", "source", "target"), strict=True):
            source, target = at[one], at[other]
            if level[target] == level[source] + 1:
                earliest[target] = min(stem[source], earliest.get(target, stem[source]))
        assert {number: stem[number] for number in earliest} == earliest


def columns(search: Path, kind: str, *names: str) -> list[list[int]]:
    files = search.glob(f"{kind}/*/*.parquet")
    tables = [pq.read_table(file, columns=[*names], partitioning=None) for file in files]
    return [[value for table in tables for value in table.column(name).to_pylist()] for name in names]
