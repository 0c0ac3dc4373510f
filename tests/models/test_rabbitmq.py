"""RabbitMQ with Kerberos in timed automata: verdicts, the traces of the paper, and files that are as described."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from benchmarks.uppaal import textbook
from models.rabbitmq._source.files import FILES
from tools.uppaal_xml import Model, xml

import homing
from homing.expect import Expectations
from tests.scale import SCALE

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "models" / "rabbitmq"
TEXTBOOK = ROOT / "benchmarks" / "uppaal"
WRITTEN = [(MODELS / name, model) for name, model in FILES.items()]
WRITTEN += [(TEXTBOOK / name, model) for name, model in textbook.FILES.items()]
SLOW = ("kerberos.xml", "kerberos_valid_ids.xml", "authenticated.xml")
LONG = "kerberos_valid_ids.xml"


def parameter(file: Path) -> Any:
    """Those that take longest are marked, so that they begin first."""
    marks = [pytest.mark.slow] if file.name in SLOW else []
    if file.name == LONG:
        marks.append(pytest.mark.skipif(SCALE < 2, reason="as kerberos.xml, and takes twice as long"))
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


FIGURE_13: dict[tuple[str, str], list[str | dict[str, str]]] = {
    ("kerberos.xml", "E<> Producer(1).Error"): [
        {},
        "clientReqAs[1]: Producer(1) → AS(1)",
        {"Producer(1)": "ClientReq", "AS(1)": "ReceiveReq"},
        "sendError[1]: AS(1) → Producer(1)",
        {"Producer(1)": "Error", "AS(1)": "Error"},
    ],
    ("kerberos.xml", "E<> Consumer(3).Error"): [
        {},
        "clientReqAs[3]: Consumer(3) → AS(3)",
        {"AS(3)": "ReceiveReq", "Consumer(3)": "ClientReq"},
        "sendError[3]: AS(3) → Consumer(3)",
        {"AS(3)": "Error", "Consumer(3)": "Error"},
    ],
    ("kerberos_valid_ids.xml", "E<> Producer(1).Error"): [
        {},
        "clientReqAs[1]: Producer(1) → AS(1)",
        {"Producer(1)": "ClientReq", "AS(1)": "ReceiveReq"},
        "asSendMsg[1]: AS(1) → Producer(1)",
        {"Producer(1)": "ReceiveAB", "AS(1)": "AsSendAB"},
        "Producer(1)",
        {"Producer(1)": "Error", "AS(1)": "AsSendAB"},
    ],
    ("kerberos_valid_ids.xml", "E<> Consumer(3).Error"): [
        {},
        "clientReqAs[3]: Consumer(3) → AS(3)",
        {"AS(3)": "ReceiveReq", "Consumer(3)": "ClientReq"},
        "asSendMsg[3]: AS(3) → Consumer(3)",
        {"AS(3)": "AsSendAB", "Consumer(3)": "ReceiveAB"},
        "Consumer(3)",
        {"AS(3)": "AsSendAB", "Consumer(3)": "Error"},
    ],
}
"""States, as the processes that are not in Init, and what happens between them."""


@pytest.mark.parametrize(("file", "query"), FIGURE_13, ids=["a", "b", "c", "d"])
def test_the_traces_of_figure_13(file: str, query: str) -> None:
    (result,) = homing.load(MODELS / file).check([query]).results
    assert result.trace is not None
    trace = result.trace.readable()
    states = [
        {slot: value for slot, value in zip(trace.slots, state) if slot in COLUMNS and value != "Init"}
        for state in trace.states
    ]
    # UPPAAL shows a step of one process by its name alone.
    events = [move.event.sender if move.event.receiver is None else str(move.event) for move in trace.moves]
    rows, moves = FIGURE_13[file, query][::2], FIGURE_13[file, query][1::2]
    assert (states, events) == (rows, moves)


COLUMNS = [
    *("Producer(0)", "Producer(1)", "AS(0)", "AS(1)", "AS(2)", "AS(3)", "TGS(0)", "TGS(1)", "TGS(2)", "TGS(3)"),
    *("BrokerP(0)", "BrokerP(1)", "Queue", "Consumer(2)", "Consumer(3)", "BrokerC(2)", "BrokerC(3)"),
]


def test_processes_are_in_the_order_of_the_columns_of_figure_13() -> None:
    (result,) = homing.load(MODELS / "kerberos.xml").check(["E<> Producer(1).Error"]).results
    assert result.trace is not None
    assert [slot for slot in result.trace.readable().slots if slot in COLUMNS] == COLUMNS
