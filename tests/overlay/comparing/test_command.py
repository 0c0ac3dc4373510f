"""`homing overlay compare`: what it prints and writes, lookups that agree, intervals, and bad input."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from homing.core.errors import HomingError
from homing.overlay.__main__ import main
from homing.overlay.comparing import alternates, lookup, sizes
from homing.overlay.comparing.comparison import Estimate, drawn, estimate

NETWORKS = Path(__file__).parents[3] / "networks"


def test_finding_comes_first_and_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "random:10:18:seed=1", "--what", "paths", "--seeds", "2", "-o", str(tmp_path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("paths: a cut way of ")
    assert "written to" in lines[-1]
    assert len(list(tmp_path.iterdir())) == 6
    with (tmp_path / "compare-paths-cut.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert sum(float(row["y"]) for row in rows if row["series"] == "PCRT") == pytest.approx(100)


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(NETWORKS / "ring.toml"), "--what", "alternates", "--json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["rows"][0]["link %"] == {"mean": 100.0, "low": None, "high": None}
    assert found["rows"][0]["broker %"]["mean"] is None


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--what", "speed"], "unknown comparison 'speed'"),
        (["random:9:12", "--what", "lookup,tables"], "lookup and tables draw their own networks: leave NETWORK out"),
        (["random:9:12", "--what", "paths", "--seeds", "0"], "--seeds goes from 1 to 1000, and 0 was given"),
        (["random:201:300:seed=1", "--what", "paths"], "at most 200 brokers, not 201"),
        (["nowhere.toml", "--what", "paths"], "cannot read the file"),
        (["random:5:4", "--what", "paths"], "no link can fail and leave a way around it"),
        ([str(NETWORKS / "exchange.toml"), "--what", "lookup,lookup"], "lookup draw"),
    ],
)
def test_bad_input(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", *arguments]) == 3
    printed = capsys.readouterr()
    assert told in printed.err
    assert len(printed.err.strip().splitlines()) <= 2


def test_all_ways_of_looking_up_agree() -> None:
    asked = lookup.ask(20, 500)
    answers = {name: way(asked)() for name, way in lookup.WAYS.items()}
    cells = asked.addresses[asked.destinations, asked.colours]
    assert set(answers.values()) == {int(asked.entries[cells].sum(dtype=np.int64))}


def test_lookup_comparison() -> None:
    found = lookup.compare((10, 400), 2000)
    assert found.finding.startswith("a lookup takes ")
    assert [row[0] for row in found.rows] == [10, 400]
    assert found.rows[1][4:6] == ("-", "-")
    assert all(y > 0 for series in found.plots[0].series for y in series.y)


@pytest.mark.parametrize("count", [2, 5, 31, 60])
def test_intervals_are_students(count: int) -> None:
    samples = np.random.default_rng(1).normal(5, 2, count).tolist()
    found = estimate(samples)
    low, high = stats.t.interval(0.95, count - 1, np.mean(samples), stats.sem(samples))
    assert found.mean == pytest.approx(np.mean(samples))
    assert (found.low, found.high) == pytest.approx((low, high), abs=2e-3)


def test_estimates_as_text() -> None:
    assert str(Estimate(2.876, 2.8, 2.952)) == "2.88 ±0.08"
    assert str(Estimate(19899, 19899, 19899)) == "19,899 ±0"
    assert str(Estimate(0.0)) == "0"
    assert str(Estimate(float("nan"))) == "-"


def test_the_page_shows_what_is_measured() -> None:
    """Rows that are quick to measure again; every picture is there."""
    page = (NETWORKS.parent / "docs" / "comparisons.md").read_text()
    for brokers in (10, 20):
        entries = sizes.measure(brokers, 20).values()
        assert re.search(rf"^{brokers} +{' +'.join(map(re.escape, map(str, entries)))} ", page, re.MULTILINE)
    named = [str(NETWORKS / "ring.toml"), str(NETWORKS / "ospf-six.toml"), "topohub:topozoo/Abilene"]
    for row in alternates.compare(named, 1).rows:
        assert re.search(rf"^{' +'.join(map(str, row))}$", page, re.MULTILINE)
    pictures = re.findall(r"\((pictures/.+?)\)", page)
    assert len(pictures) == 8
    assert all((NETWORKS.parent / "docs" / picture).is_file() for picture in pictures)


def test_random_without_a_seed_is_many() -> None:
    assert [each.name for each in drawn("random:5:6", 2)] == ["random:5:6:seed=1", "random:5:6:seed=2"]
    assert len(drawn("random:5:6:seed=3", 9)) == 1
    with pytest.raises(HomingError, match="need 4 to 10 links"):
        drawn("random:5:60", 2)
