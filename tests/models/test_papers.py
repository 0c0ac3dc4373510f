"""The models of the papers and what goes beyond them: verdicts and counts are as `expect.toml` beside them says."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

import homing
from homing import cli
from homing.core.verdict import Verdict
from homing.expect import Expectations
from homing.replaying.judging import judge
from homing.replaying.reading import parse
from homing.replaying.simulation import Settings
from homing.report import json_format
from tests.scale import SCALE

MODELS = Path(__file__).parents[2] / "models"
LARGE = ("as_published_2233", "_1341", "as_published_2223_live", "_large")
LONG = ("takes_any_epoch", "init_keeps_epoch", "overwrites_the_cache", "countermeasure")
"""What takes longest, most of it the same specifications as others in larger sizes: left to larger runs of the tests,
and to `./homing check --expect models`."""
FILES = [
    file
    for pattern in ("*/*.", "*/faults/*.")
    for suffix in ("csp", "cfg")
    for file in MODELS.glob(pattern + suffix)
    if SCALE >= 2 or not any(name in file.name for name in LARGE + LONG)
]


def parameter(file: Path) -> Any:
    """Those that take longest are marked, so that they begin first."""
    slow = "2233" in file.name or file.name in ("messaging.csp", "countermeasure.csp")
    return pytest.param(file, id=str(file.relative_to(MODELS)), marks=[pytest.mark.slow] if slow else [])


@pytest.mark.parametrize("file", [parameter(file) for file in sorted(FILES)])
def test_verdicts_are_as_expected(file: Path) -> None:
    checked = homing.load(file)
    names = [prop.name for prop in checked.properties]
    report = checked.check()
    assert Expectations().compare(file, names, report) == ()
    if file.suffix == ".cfg":
        (model,) = checked.models
        for result in report.results:
            assert result.trace is not None or result.verdict is not Verdict.VIOLATED
            if result.trace is not None:  # as it is written, it replays
                story = parse(json.dumps(json_format.trace(result.trace)), "found.json")
                assert judge(model, story, Settings()).verdict is Verdict.HOLDS, result.property


@pytest.mark.parametrize("folder", ["kafka", "rtps"])
def test_every_property_that_holds_has_a_fault_that_breaks_it(folder: str) -> None:
    """By name; a formula that only speaks of the first state has none that could."""
    holding = _verdicts(MODELS / folder, "HOLDS") - EMPTY
    breaking = _verdicts(MODELS / folder / "faults", "VIOLATED")
    assert holding <= breaking, sorted(holding - breaking)


EMPTY = {"System() |= Sequentiality"}
"""As printed in the paper: without `[]`, so it is about the first state."""


def test_a_formula_about_the_first_state_holds_in_spite_of_every_fault() -> None:
    """A fault that breaks `[] p` leaves `p` as it is."""
    breaking = _verdicts(MODELS / "kafka" / "faults", "VIOLATED")
    holding = _verdicts(MODELS / "kafka" / "faults", "HOLDS")
    for name in EMPTY:
        assert name in holding
        assert name not in breaking
        assert name.replace("|= ", "|= [] ") in breaking


def _verdicts(folder: Path, verdict: str) -> set[str]:
    expected = tomllib.loads((folder / "expect.toml").read_text())
    return {
        name
        for model, table in expected.items()
        if model.endswith(".csp")
        for name, entry in table["properties"].items()
        if (entry if isinstance(entry, str) else entry["verdict"]) == verdict
    }


@pytest.mark.parametrize(("trace", "goal"), [("goal1.trace", "goal1"), ("goal2.trace", "goal2")])
def test_witnesses_that_the_paper_prints_are_traces(trace: str, goal: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = str(MODELS / "rtps" / "stateful_writer.csp")
    arguments = ["replay", model, str(MODELS / "rtps" / trace), "--goal", f"SYSTEM() reaches {goal}"]
    assert cli.run(arguments) == 0
    assert "a trace of SYSTEM()" in capsys.readouterr().out


def test_a_witness_with_a_message_missing_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = (MODELS / "rtps" / "goal1.trace").read_text().splitlines()
    shorter = tmp_path / "shorter.trace"
    shorter.write_text("\n".join(event for event in events if "ComWC" not in event))
    assert cli.run(["replay", str(MODELS / "rtps" / "stateful_writer.csp"), str(shorter)]) == 1
    assert "no trace of" in capsys.readouterr().out
