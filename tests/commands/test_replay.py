"""`homing replay` in this process: what it prints, writes and exits with."""

from __future__ import annotations

import io
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from homing.api import CheckedModel, load
from homing.core.model import Model
from homing.report import json_format
from homing.report.outcome import Outcome
from tests.command_line import Homing, Ran, runner
from tests.replaying.test_simulation import graph
from tests.sources import write

DEMO = Path(__file__).parent.parent.parent / "models" / "demo"
REDELIVERY = DEMO / "redelivery.py"
MODELS = sorted(path for folder in (DEMO, DEMO / "faults") for path in folder.glob("*.py"))


@pytest.fixture
def homing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Homing:
    """Runs a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return runner(capsys)


def replay(homing: Homing, events: str, *options: object, model: object = REDELIVERY) -> Ran:
    Path("t.trace").write_text(events)
    return homing("replay", "--python", model, "t.trace", *options)


def first(ran: Ran) -> str:
    return ran.out.partition("\n")[0].removeprefix(f"{REDELIVERY}: ")


# People


def test_a_trace(homing: Homing) -> None:
    assert replay(homing, "publish(0), deliver(0), process(0), crash, deliver(0), skip duplicate") == Ran(
        0, f"{REDELIVERY}: a trace of the model, all 6 events\n", ""
    )


def test_no_trace(homing: Homing) -> None:
    ran = replay(homing, "publish(0)\ndeliver(0) # at once\ndeliver(1)\n", "--trace", "table")
    assert (ran.code, ran.err) == (1, "")
    lines = ran.out.splitlines()
    assert lines[0].endswith("no trace of the model: event 3 'deliver(1)' is not possible after the 2 before it")
    assert lines[2:7] == ["possible there, instead of t.trace:3:1:", "  crash", "  process(0)", "  publish(1)", ""]
    assert lines[7] == "as far as it goes, 2 steps:"
    assert "  2  deliver(0)   broker → consumer" in lines


def test_the_first_event(homing: Homing) -> None:
    assert first(replay(homing, "crash")) == "no trace of the model: event 1 'crash' is not possible at the start"
    assert first(replay(homing, "publish")) == "a trace of the model, 1 event"
    assert first(replay(homing, "<>")) == "a trace of the model, 0 events"


def test_what_is_hidden(homing: Homing) -> None:
    ran = replay(homing, "publish(0), crash", "--hide", "deliver", "--hide", "process")
    assert first(ran) == "a trace of the model, all 2 events and 1 internal step"


ONE = "publish(0), deliver(0), process(0), acknowledge(0)"
ALL = ", ".join(ONE.replace("0", str(number)) for number in range(3))


def test_complete_traces(homing: Homing) -> None:
    assert replay(homing, ALL, "--ends").code == 0
    ran = replay(homing, ONE, "--ends")
    assert (ran.code, first(ran)) == (1, "no such trace of the model: all 4 events, but it does not end there")
    assert "possible after it:\n  publish(1)\n" in ran.out


def test_goals(homing: Homing) -> None:
    assert replay(homing, ALL, "--goal", "finished").code == 0
    assert first(replay(homing, ONE, "--goal", "finished")).endswith(
        "all 4 events, but 'finished' is not true after it"
    )
    assert replay(homing, ONE, "--goal", "no message is lost").code == 0
    ran = replay(homing, ONE, "--goal", "finish")
    assert ran.code == 3
    assert ran.err.startswith(f"{REDELIVERY}: unknown goal 'finish'; declared: finished, the queue keeps its bound")


def test_a_limit_is_no_answer(homing: Homing) -> None:
    ran = replay(homing, ONE, "--max-states", 3)
    assert (ran.code, first(ran)) == (
        2,
        "UNKNOWN whether it is a trace of the model: stopped at 3 states, after 3 of 4 events",
    )


def test_many_events_are_grouped(homing: Homing) -> None:
    body = """
        n = build.slot("n", 0)
        @build.group("send", [n], [n])
        def send(value):
            for number in range(9):
                yield step(Event("send", (number,)), {n: 1})
            for number in range(20):
                yield step(f"name{number:02}", {n: 1})
    """
    write(Path("many.py"), body)
    shown = replay(homing, "stop", model="many.py").out.splitlines()
    assert shown[3] == "  name00"
    assert shown[15] == "  … and events with 9 other names"
    write(Path("many.py"), body.replace("range(20)", "range(0)"))
    assert replay(homing, "stop", model="many.py").out.splitlines()[3] == (
        "  send(0), send(1), send(2), send(3) and 5 more"
    )


def test_the_run_as_a_chart(homing: Homing) -> None:
    ran = replay(homing, ONE, "--trace", "chart", "--msc", "run.svg")
    assert ran.code == 0
    assert "one such run, 4 steps:" in ran.out
    assert "consumer" in ran.out
    assert Path("run.svg").read_text().lstrip().startswith("<")


def test_from_stdin(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("⟨publish(0) → crash⟩".encode())))
    ran = homing("replay", "--python", REDELIVERY, "-")
    assert ran.code == 1
    assert "possible there, instead of stdin:1:15:" in ran.out


# Several systems


@pytest.fixture
def two(monkeypatch: pytest.MonkeyPatch) -> None:
    models = (
        replace(graph([("0", "a", "1"), ("1", "b", "2")]), part="ONE()"),
        replace(graph([("0", "a", "1"), ("1", "c", "2")], goal="2"), part="TWO()"),
        replace(graph([("0", "d", "1")]), part="SIX()"),
    )
    monkeypatch.setattr("homing.commands.replaying.load", lambda path, python, env: CheckedModel(models))


@pytest.mark.usefixtures("two")
@pytest.mark.parametrize(
    ("events", "options", "answer"),
    [
        ("a, b", [], "a trace of ONE(), all 2 events"),
        ("a, c", [], "a trace of TWO(), all 2 events"),
        ("d", [], "a trace of SIX(), 1 event"),
        ("a, d", [], "no trace of ONE(), nor of TWO() or SIX(): event 2 'd' is not possible after the 1 before it"),
        ("a, c", ["--system", "ONE"], "no trace of ONE(): event 2 'c' is not possible after the 1 before it"),
        ("a, c", ["--system", "ONE", "--system", "TWO()"], "a trace of TWO(), all 2 events"),
    ],
)
def test_several_systems(homing: Homing, events: str, options: list[str], answer: str) -> None:
    ran = replay(homing, events, *options)
    assert first(ran) == answer
    assert ran.code == (1 if answer.startswith("no") else 0)


@pytest.mark.usefixtures("two")
def test_a_document_may_name_its_system(homing: Homing) -> None:
    trace = {"moves": [{"text": "a"}]}
    Path("t.json").write_text(json.dumps({"results": [{"property": "p", "trace": trace, "system": "TWO()"}]}))
    assert first(homing("replay", "m", "t.json")) == "m: a trace of TWO(), 1 event"
    assert first(homing("replay", "m", "t.json", "--system", "SIX")).startswith("m: no trace of SIX()")


@pytest.mark.usefixtures("two")
def test_an_unknown_system(homing: Homing) -> None:
    ran = replay(homing, "a", "--system", "ZERO")
    assert ran == Ran(3, "", "graph: unknown system 'ZERO'; declared: ONE(), TWO(), SIX()\n")


# Machines


def test_json(homing: Homing) -> None:
    ran = replay(homing, "publish(0), crash", "--json", "-")
    (result,) = json.loads(ran.out)["results"]
    assert ran.code == 1
    assert (result["verdict"], result["events"], result["matched"]) == ("VIOLATED", 2, 1)
    assert result["possible"] == ["deliver(0)", "publish(1)"]
    assert [move["text"] for move in result["trace"]["moves"]] == ["publish(0)"]
    Path("again.json").write_text(ran.out)
    assert homing("replay", "--python", REDELIVERY, "again.json").code == 0


def written(path: Path) -> dict[str, Any]:
    report = load(path, python=True).check()
    document: dict[str, Any] = json.loads(json_format.render([Outcome(str(path), report)]))
    return document


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_every_trace_that_check_writes_is_one(homing: Homing, path: Path) -> None:
    document = written(path)
    Path("t.json").write_text(json.dumps(document))
    for result in document["results"]:
        if result["trace"] is not None:
            assert homing("replay", "--python", path, "t.json", "--property", result["property"]).code == 0


@pytest.fixture(scope="module")
def lasso() -> dict[str, Any]:
    """A trace with a loop."""
    results = written(DEMO / "faults" / "loses_every_message.py")["results"]
    found: dict[str, Any] = next(r["trace"] for r in results if r["trace"] and r["trace"]["loop"] is not None)
    return found


def edited(homing: Homing, trace: dict[str, Any], **changes: Any) -> Ran:
    Path("t.json").write_text(json.dumps({**trace, **changes}))
    return homing("replay", "--python", DEMO / "faults" / "loses_every_message.py", "t.json")


def test_states_groups_and_loops_have_to_fit(homing: Homing, lasso: dict[str, Any]) -> None:
    assert edited(homing, lasso).code == 0
    moves, states = lasso["moves"], lasso["states"]
    ran = edited(homing, lasso, moves=[{**moves[0], "group": "other"}, *moves[1:]])
    assert f"event 1 '{moves[0]['text']}' is possible there, but not by the group or to the state given" in ran.out
    assert "its first state is no initial state" in edited(homing, lasso, states=[states[1], *states[1:]]).out
    assert "is possible there, but not" in edited(homing, lasso, states=[*states[:1], states[0], *states[2:]]).out
    assert "but its loop does not return to state 1" in edited(homing, lasso, loop=1).out
    assert edited(homing, lasso, states=None, loop=None, slots=None).code == 0
    branch: dict[str, Any] = {
        "at": 1,
        "why": "more",
        "trace": {**lasso, "states": states[:1], "moves": [], "loop": None},
    }
    assert "its branch 'more' does not start in state 1" in edited(homing, lasso, branches=[branch]).out
    assert edited(homing, lasso, branches=[{**branch, "at": None}]).code == 0
    wrong = {**branch, "at": None, "trace": {**branch["trace"], "states": states[1:2]}}
    assert "its branch 'more' is none: its first state" in edited(homing, lasso, branches=[wrong]).out


def test_other_slots_are_another_model(homing: Homing, lasso: dict[str, Any]) -> None:
    ran = edited(homing, lasso, slots=["x"])
    assert (ran.code, ran.out) == (3, "")
    assert "the trace has other slots: x; declared: " in ran.err


# Bad input


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["replay"], "missing argument 'MODEL'"),
        (["replay", "m.py"], "missing argument 'TRACE'"),
        (["replay", "nothing.py", "t.trace"], "nothing.py: no such file"),
        (["replay", REDELIVERY, "t.trace"], "give --python to allow that"),
        (["replay", "--python", REDELIVERY, "none.trace"], "none.trace: no such file"),
        (["replay", "--python", REDELIVERY, "."], ".: cannot be read: Is a directory"),
        (["replay", "--python", REDELIVERY, "latin.trace"], "latin.trace:2: is no UTF-8 text"),
        (["replay", "--python", REDELIVERY, "t.trace", "--property", "p"], "t.trace: is no JSON"),
        (["replay", "--python", REDELIVERY, "t.trace", "--max-states", "0"], "--max-states"),
        (["replay", "--python", REDELIVERY, "t.trace", "--json", "no/such/folder"], "cannot be written"),
    ],
)
def test_bad_input_is_one_sentence(homing: Homing, arguments: list[object], words: str) -> None:
    Path("t.trace").write_text("publish(0)")
    Path("latin.trace").write_bytes(b"a\n\xe9")
    ran = homing(*arguments)
    assert ran.code == 3
    assert words in ran.err
    assert ran.err.count("\n") == 1


def test_an_unknown_name_is_one_sentence(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.replaying.test_simulation import pattern

    model: Model = replace(graph([("0", "go", "1")]), pattern=pattern)
    monkeypatch.setattr("homing.commands.replaying.load", lambda path, python, env: CheckedModel((model,)))
    ran = replay(homing, "go, walk")
    assert ran == Ran(3, "", "t.trace:1:5: unknown event 'walk'; declared: send, go\n")
