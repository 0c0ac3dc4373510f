"""Many seeds: the same on Spark as in a loop; and what means are worth."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from homing.overlay.readers import load
from homing.overlay.simulation import many, script
from homing.overlay.simulation.measures import Summary
from homing.overlay.simulation.settings import Settings

SIX = Path(__file__).parents[3] / "networks" / "ospf-six.toml"


def sweep() -> many.Sweep:
    network = load(str(SIX))
    changes = script.read(network, ["2-3@50"], ["2-3@100"])
    settings = Settings(until=120.0, failure_rate=0.001, traffic="poisson")
    return many.Sweep(network.to_json(), "links:1-2", ("pcrt", "ospf"), settings, changes)


def test_spark_gives_what_a_loop_gives(spark: Any) -> None:
    seeds = range(3, 5)
    here = many.run_here(sweep(), seeds)
    there = many.run_on_spark(sweep(), seeds, "local[2]").summaries
    assert [each.seeds for each in there] == [each.seeds for each in here] == [tuple(seeds)] * 2
    for mine, theirs in zip(here, there, strict=True):
        assert str(mine.measures) == str(theirs.measures)  # text: NaN is not equal to itself


def test_intervals_and_what_never_happened() -> None:
    samples = [3.0, 4.0, 4.0, 7.0]
    rows = tuple({"lost": each, "used": each if each > 3 else math.nan, "never": math.nan} for each in samples)
    found = Summary("pcrt", (1, 2, 3, 4), rows)
    lost, used = found.of("lost"), found.of("used")
    assert lost is not None and used is not None  # noqa: PT018
    low, high = stats.t.interval(0.95, 3, loc=4.5, scale=stats.sem(samples))
    assert (lost.mean, lost.low, lost.high) == pytest.approx((4.5, low, high), rel=1e-4)
    assert used.mean == 5.0
    assert found.of("never") is None


def test_differences_are_taken_seed_by_seed() -> None:
    mine = Summary("ospf", (1, 2, 3), tuple({"lost": each} for each in (4.0, 9.0, 6.0)))
    theirs = Summary("pcrt", (1, 2, 3), tuple({"lost": each} for each in (3.0, 8.0, 5.0)))
    more = mine.beside(theirs, "lost")
    assert more is not None
    assert (more.mean, more.low, more.high) == (1.0, 1.0, 1.0)
