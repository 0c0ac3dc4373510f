from __future__ import annotations

import json

from homing.core.errors import HomingError
from homing.core.system import Event
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.report import json_format
from homing.report.json_format import plain
from homing.report.outcome import Outcome
from tests.report.results import report, result


def test_values() -> None:
    assert plain((1, True, None, "x", (2,))) == [1, True, None, "x", [2]]
    assert plain(b"\x00\xff") == {"bytes": "00ff"}
    assert plain(frozenset({3, 1, 2})) == {"set": [1, 2, 3]}
    assert plain(frozenset({("a", frozenset())})) == {"set": [["a", {"set": []}]]}


def test_a_document() -> None:
    trace = Trace(("s",), ((frozenset(),), (frozenset({b"m"}),)), (Move("g", Event("send", (b"m",), "a", "b")),))
    outcomes = [
        Outcome("m.py", report(result("p", Verdict.VIOLATED, trace=trace), result("q", vacuous="empty", value=-1))),
        Outcome("bad.py", error=HomingError("is bad")),
    ]
    document = json.loads(json_format.render(outcomes))
    assert [found["verdict"] for found in document["results"]] == ["VIOLATED", "HOLDS"]
    assert document["results"][0]["trace"]["states"] == [[{"set": []}], [{"set": [{"bytes": "6d"}]}]]
    assert document["results"][0]["trace"]["moves"] == [
        {
            "group": "g",
            "event": "send",
            "text": str(trace.moves[0].event),
            "arguments": [{"bytes": "6d"}],
            "sender": "a",
            "receiver": "b",
            "channel": None,
        }
    ]
    assert document["results"][1]["vacuous"] == "empty"
    assert document["results"][1]["value"] == -1
    assert document["errors"] == ["is bad"]


def test_nothing_checked() -> None:
    assert json.loads(json_format.render([])) == {"version": 1, "results": [], "runs": [], "errors": []}
