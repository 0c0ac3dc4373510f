"""PCRT's heartbeat protocol: times of the dead interval, planted faults, and the run that the thesis gets wrong."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from models.pcrt._source.dead_interval import FILES
from tools.uppaal_xml import xml

import homing
from homing import cli
from homing.expect import Expectations
from tests.scale import SCALE

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models" / "pcrt"
TRACES = MODELS / "traces"


@pytest.mark.parametrize("name", [name for name in FILES if SCALE >= 2 or "two_losses" not in name])
def test_times_are_as_expected(name: str) -> None:
    checked = homing.load(MODELS / name)
    names = [prop.name for prop in checked.properties]
    assert Expectations().compare(MODELS / name, names, checked.check()) == ()


@pytest.mark.parametrize("name", FILES)
def test_files_are_what_their_descriptions_say(name: str) -> None:
    assert (MODELS / name).read_text(encoding="utf-8") == xml(FILES[name]), "run python -m models.pcrt._source"


def test_nothing_else_is_there() -> None:
    assert {str(file.relative_to(MODELS)) for file in MODELS.rglob("*.xml")} == set(FILES)


def test_every_property_that_holds_has_a_fault_that_breaks_it() -> None:
    """But for bounds, which find a number, and what weaker fairness breaks (heartbeat_weak.cfg)."""
    holding = {name for name, entry in _entries(MODELS) if _verdict(entry) == "HOLDS" and "value" not in entry}
    breaking = {name for name, entry in _entries(MODELS / "faults") if _verdict(entry) == "VIOLATED"}
    assert holding - {"IsFlooding (liveness)"} == breaking


def _entries(folder: Path) -> list[tuple[str, Any]]:
    expected = tomllib.loads((folder / "expect.toml").read_text())
    return [item for table in expected.values() for item in table["properties"].items()]


def _verdict(entry: Any) -> str:
    return entry if isinstance(entry, str) else str(entry["verdict"])


@pytest.mark.parametrize(("goal", "code"), [("Settled", 0), ("Agreed", 1)])
def test_two_failures_end_in_a_wrong_colour(goal: str, code: int, capsys: pytest.CaptureFixture[str]) -> None:
    """As the thesis has it: nobody has anything left to do, and brokers of one component disagree."""
    trace = TRACES / "two_failures.trace"
    assert cli.run(["replay", str(TRACES / "two_failures.cfg"), str(trace), "--goal", goal]) == code
    capsys.readouterr()


def test_the_ring_is_the_one_of_the_networks() -> None:
    network = tomllib.loads((ROOT / "networks" / "ring.toml").read_text())
    links = {tuple(f"b{end}" for end in link["between"]) for link in network["links"]}
    written = ", ".join("{" + ", ".join(link) + "}" for link in sorted(links))
    for file in (*MODELS.glob("*ring*.cfg"), TRACES / "two_failures.cfg"):
        assert f"    Links = {{{written}}}\n" in file.read_text(), file
