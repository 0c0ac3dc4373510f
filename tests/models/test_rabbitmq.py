"""RabbitMQ with Kerberos in timed automata: verdicts, the traces that the paper prints, and files that are as written."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

import homing
from benchmarks.uppaal import textbook
from homing.core.result import Result
from homing.expect import Expectations
from models.rabbitmq._source.files import FILES
from tools.uppaal_xml import Model, xml

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models" / "rabbitmq"
TEXTBOOK = ROOT / "benchmarks" / "uppaal"
WRITTEN = [(MODELS / name, model) for name, model in FILES.items()]
WRITTEN += [(TEXTBOOK / name, model) for name, model in textbook.FILES.items()]
SLOW = ("kerberos.xml", "kerberos_valid_ids.xml", "authenticated.xml")


def parameter(file: Path) -> Any:
    """Those that take longest are marked, so that they begin first."""
    marks = [pytest.mark.slow] if file.name in SLOW else []
    return pytest.param(file, id=str(file.relative_to(ROOT)), marks=marks)


@pytest.mark.parametrize("file", [parameter(file) for file, _ in WRITTEN])
def test_verdicts_are_as_expected(file: Path) -> None:
    checked = homing.load(file)
    names = [prop.name for prop in checked.properties]
    assert Expectations().compare(file, names, checked.check()) == ()


@pytest.mark.parametrize(("file", "model"), WRITTEN, ids=lambda value: value.name if isinstance(value, Path) else "")
def test_files_are_what_their_descriptions_say(file: Path, model: Model) -> None:
    assert file.read_text(encoding="utf-8") == xml(model), "run python -m models.rabbitmq._source"


@pytest.mark.parametrize("folder", [MODELS, TEXTBOOK], ids=lambda folder: folder.name)
def test_nothing_else_is_there(folder: Path) -> None:
    assert set(folder.rglob("*.xml")) == {file for file, _ in WRITTEN if file.is_relative_to(folder)}


def test_every_property_that_holds_has_a_fault_that_breaks_it() -> None:
    holding, breaking = _verdicts(MODELS, "HOLDS"), _verdicts(MODELS / "faults", "VIOLATED")
    assert holding - EMPTY - BOUNDS <= breaking


def _verdicts(folder: Path, verdict: str) -> set[str]:
    expected = tomllib.loads((folder / "expect.toml").read_text())
    return {
        name
        for table in expected.values()
        for name, entry in table["properties"].items()
        if (entry if isinstance(entry, str) else entry["verdict"]) == verdict
    }


def _entries(folder: Path) -> dict[str, dict[str, Any]]:
    expected = tomllib.loads((folder / "expect.toml").read_text())
    entries = {name: entry for table in expected.values() for name, entry in table["properties"].items()}
    return {name: entry if isinstance(entry, dict) else {} for name, entry in entries.items()}


EMPTY = {name for name, entry in _entries(MODELS).items() if entry.get("vacuous")}
"""As printed in the paper, they hold in the first state already, whatever the fault."""
BOUNDS = {name for name in _entries(MODELS) if name.startswith(("sup", "inf"))}
"""They find a number, and `expect.toml` has it."""


FIGURE_13 = {
    ("kerberos.xml", "E<> Producer(1).Error"): [
        {},
        {"Producer(1)": "ClientReq", "AS(1)": "ReceiveReq"},
        {"Producer(1)": "Error", "AS(1)": "Error"},
    ],
    ("kerberos.xml", "E<> Consumer(3).Error"): [
        {},
        {"AS(3)": "ReceiveReq", "Consumer(3)": "ClientReq"},
        {"AS(3)": "Error", "Consumer(3)": "Error"},
    ],
    ("kerberos_valid_ids.xml", "E<> Producer(1).Error"): [
        {},
        {"Producer(1)": "ClientReq", "AS(1)": "ReceiveReq"},
        {"Producer(1)": "ReceiveAB", "AS(1)": "AsSendAB"},
        {"Producer(1)": "Error", "AS(1)": "AsSendAB"},
    ],
    ("kerberos_valid_ids.xml", "E<> Consumer(3).Error"): [
        {},
        {"AS(3)": "ReceiveReq", "Consumer(3)": "ClientReq"},
        {"AS(3)": "AsSendAB", "Consumer(3)": "ReceiveAB"},
        {"AS(3)": "AsSendAB", "Consumer(3)": "Error"},
    ],
}


@pytest.mark.parametrize(("file", "query"), FIGURE_13, ids=["a", "b", "c", "d"])
def test_the_traces_of_figure_13(file: str, query: str) -> None:
    (result,) = homing.load(MODELS / file).check([query]).results
    assert _elsewhere(result) == FIGURE_13[file, query]


def _elsewhere(result: Result) -> list[dict[str, str]]:
    """Which processes are not in Init, state by state."""
    assert result.trace is not None
    trace = result.trace.readable()
    return [
        {slot: str(value) for slot, value in zip(trace.slots, state) if _is_process(slot) and value != "Init"}
        for state in trace.states
    ]


def _is_process(slot: str) -> bool:
    return "." not in slot and slot.split("(")[0] in {template.name for template in FILES["kerberos.xml"].templates}
