"""Traces of any notation in the Informal Trace Format."""

from __future__ import annotations

import json
from pathlib import Path

from homing.core.system import Event
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.report import files, itf
from homing.report.outcome import Outcome
from tests.report.results import report, result

TRACE = Trace(
    ("n", "queue"),
    ((0, ()), (1, ((1, True),)), (2**60, frozenset({"a"})), (1, ((1, True),))),
    tuple(Move("g", Event(name)) for name in ("put", "take", "back")),
    loop=1,
)


def test_document() -> None:
    found = json.loads(itf.render(result("p", Verdict.VIOLATED, trace=TRACE)))
    assert found["#meta"]["source"] == "m.py"
    assert found["vars"] == ["n", "queue"]
    assert found["states"] == [
        {"#meta": {"index": 0}, "n": 0, "queue": {"#tup": []}},
        {"#meta": {"index": 1, "action": "put"}, "n": 1, "queue": {"#tup": [{"#tup": [1, True]}]}},
        {"#meta": {"index": 2, "action": "take"}, "n": {"#bigint": str(2**60)}, "queue": {"#set": ["a"]}},
        {"#meta": {"index": 3, "action": "back"}, "n": 1, "queue": {"#tup": [{"#tup": [1, True]}]}},
    ]
    assert found["loop"] == 2  # the last state is state 1 again


def test_what_the_format_has_no_word_for() -> None:
    assert [itf.plain(None), itf.plain(b"\x01")] == [{"#unserializable": "None"}, {"#unserializable": "01"}]


def test_a_file_a_trace(tmp_path: Path) -> None:
    some = [result("p", trace=TRACE), result("q"), result("r", trace=TRACE)]
    written = itf.save(str(tmp_path / "t.json"), [Outcome("m.py", report(*some))])
    assert [Path(name).name for name in written] == ["t.json", "t-2.json"]
    assert all(json.loads(Path(name).read_text())["loop"] == 2 for name in written)


def test_numbered_names() -> None:
    names = [files.numbered(name, 2) for name in ("a.svg", "d.x/a.itf.json", "a.b.json", ".json")]
    assert names == ["a-2.svg", "d.x/a-2.itf.json", "a.b-2.json", ".json-2"]
