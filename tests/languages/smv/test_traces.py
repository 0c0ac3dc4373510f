"""Traces print as NuSMV's do."""

from __future__ import annotations

from pathlib import Path

from tests.languages.smv.checking import report

from homing.api import load
from homing.core.interpreter import replay
from homing.languages.smv import model
from homing.languages.smv.tokens import Source
from homing.report import json_format, traces

TEXT = """MODULE main
IVAR push : boolean; colour : {red, blue};
VAR light : boolean; last : {none, red, blue}; w : unsigned word[3]; lit : boolean;
ASSIGN
  init(light) := FALSE; next(light) := push ? !light : light;
  init(last) := none; next(last) := push ? colour : last;
  init(w) := 0ud3_6; next(w) := w + 0ud3_1;
  lit := light;
INVARSPEC NAME never := !(lit & last = blue)
LTLSPEC NAME later := F last = red
"""


def told(number: int) -> list[str]:
    result = report(TEXT).results[number]
    assert result.trace is not None
    return [str(line).rstrip() for line in traces.lines(result.trace)]


def test_changed_variables_only() -> None:
    assert told(0) == [
        "  -> State: 1.1 <-",
        "    light = FALSE",
        "    last = none",
        "    w = 0ud3_6",
        "    lit = FALSE",
        "  -> Input: 1.2 <-",
        "    push = TRUE",
        "    colour = blue",
        "  -> State: 1.2 <-",
        "    light = TRUE",
        "    last = blue",
        "    w = 0ud3_7",
        "    lit = TRUE",
    ]


def test_where_the_loop_starts() -> None:
    lines = told(1)
    assert lines.count("  -- Loop starts here") == 1
    assert lines.index("  -- Loop starts here") == 0
    assert lines[-2:] == ["  -> State: 1.9 <-", "    w = 0ud3_6"]
    assert not any("last = red" in line for line in lines)


def test_json_has_all_variables() -> None:
    trace = report(TEXT).results[0].trace
    assert trace is not None
    document = json_format.trace(trace)
    assert document["slots"] == ["light", "last", "w", "lit"]
    assert document["states"] == [[False, "none", "0ud3_6", False], [True, "blue", "0ud3_7", True]]
    assert [move["text"] for move in document["moves"]] == ["push = TRUE"]


def test_every_trace_is_a_path() -> None:
    system = model(Source("x.smv", TEXT)).system
    for result in report(TEXT).results:
        assert result.trace is not None
        replay(system, result.trace)


def test_a_branch_and_an_end() -> None:
    text = """MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x + 1 | (x != 1 & next(x) = x)
    CTLSPEC !(EX x = 0 & EF EX x = 1)
    INVARSPEC x < 2"""
    results = report(text).results
    assert [result.verdict.name for result in results] == ["VIOLATED", "VIOLATED"]
    assert all(result.trace is not None for result in results)


def test_through_the_api(tmp_path: Path) -> None:
    file = tmp_path / "x.smv"
    file.write_text(TEXT, encoding="utf-8")
    results = load(file).check()
    assert results is not None
