"""The notebook runs, and gives what it shows."""

from __future__ import annotations

import copy

from tools.docs import notebook
from tools.docs.screens import ROOT

SHOWN = {
    "durable": ("System(1) |= [] Durable", "VIOLATED", "<svg", "<table"),
    "trace": ("<svg", "LPartition(1, 0)"),
    "counter": ("stays small", "0 → 1", "<table"),
    "verify": ("single point of failure", "F(risk, branch)", "<svg"),
    "super": ("next hop", "core-b"),
    "sizes": ("normal table + changes",),
}


def test_the_notebook_runs_and_shows_what_it_shows() -> None:
    kept = notebook.read()
    fresh = notebook.executed(kept)
    assert notebook.same(kept, fresh), "./homing docs write would change it"


def test_results_show_themselves() -> None:
    html = {cell["id"]: str(cell.get("outputs")) for cell in notebook.read()["cells"]}
    for cell, texts in SHOWN.items():
        assert "text/html" in html[cell]
        assert all(text in html[cell] for text in texts), cell


def test_a_difference_is_seen() -> None:
    kept = notebook.read()
    other = copy.deepcopy(kept)
    (cell,) = (cell for cell in other["cells"] if cell["id"] == "verify")
    html = str(cell["outputs"][0]["data"]["text/html"])
    cell["outputs"][0]["data"]["text/html"] = html.replace("VIOLATED", "HOLDS", 1)
    assert not notebook.same(kept, other)


def test_no_path_of_a_machine_is_kept() -> None:
    assert str(ROOT) not in notebook.FILE.read_text()
