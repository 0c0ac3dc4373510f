"""`homing check` in this process: what it prints, writes and exits with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from xml.etree import ElementTree

import pytest

from homing import __version__
from tests.command_line import Homing, Ran, runner
from tests.sources import FOREVER, counter, source, write

DEMO = Path(__file__).parent.parent / "models" / "demo"
KEYS = [
    *("model", "property", "system", "verdict", "vacuous", "distinct", "generated", "depth", "seconds", "memory_mb"),
    *("trace", "value", "reason"),
]


@pytest.fixture
def homing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Homing:
    """Runs a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    return runner(capsys)


# The whole program


def test_version_and_help(homing: Homing) -> None:
    assert homing("--version") == Ran(0, f"homing {__version__}\n", "")
    assert "check" in homing("--help").out
    shown = homing("check", "--help")
    assert shown.code == 0
    assert "--time-limit" in shown.out


def test_no_command_shows_the_help(homing: Homing) -> None:
    ran = homing()
    assert ran.code == 3
    assert "Usage: homing" in ran.out + ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["chekc"], "no such command 'chekc'"),
        (["check"], "missing argument"),
        (["check", "--foo", "x.py"], "no such option: --foo"),
        (["check", "x.py", "--time-limit", "soon"], "'soon' is not a duration"),
        (["check", "x.py", "--memory-limit", "-3"], "is not a size"),
        (["check", "x.py", "--max-states", "0"], "--max-states"),
        (["check", "x.py", "--threads", "many"], "--threads"),
        (["check", "x.py", "--engine", "steam"], "'steam' is no engine; known: auto, local"),
        (["check", "x.py", "--trace", "song"], "--trace"),
        (["check", "x.py", "--json", "-", "--junit", "-"], "cannot both"),
    ],
)
def test_a_wrong_command_line_is_one_sentence(homing: Homing, arguments: list[str], words: str) -> None:
    ran = homing(*arguments)
    assert ran.code == 3
    assert words in ran.err
    assert ran.err.count("\n") == 1
    assert ran.out == ""


def test_a_bug_says_that_it_is_one(homing: Homing, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("homing.commands.running.load", fail)
    write(tmp_path / "m.py", counter(2, 9))
    ran = homing("check", "--python", "m.py")
    assert ran.code == 70
    assert "bug in Homing" in ran.err
    assert "HOMING_TRACEBACK=1" in ran.err
    assert "Traceback" not in ran.err
    monkeypatch.setenv("HOMING_TRACEBACK", "1")
    assert "Traceback" in homing("check", "--python", "m.py").err


# Verdicts


def test_all_hold(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(3, 9))
    ran = homing("check", "--python", "m.py")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "m.py: the property holds"
    assert "stays below 9   HOLDS" in lines
    assert any(line.startswith("4 distinct states, 4 generated, depth 4; ") for line in lines)


def test_violated_shows_what_changed(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(5, 2))
    ran = homing("check", "--python", "m.py", "--trace", "table")
    assert ran.code == 1
    assert ran.out.splitlines()[0] == "m.py: 1 of 1 VIOLATED: stays below 2"
    trace = ran.out[ran.out.index("  0  initially") :]
    assert trace.splitlines() == [
        "  0  initially",
        "       n  0",
        "  1  count(0)   here → there",
        "       n  0 → 1",
        "  2  count(1)   here → there",
        "       n  1 → 2",
        "",
    ]


def test_unknown_says_why_and_how_to_go_on(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", FOREVER)
    ran = homing("check", "--python", "m.py", "--max-states", "50")
    assert ran.code == 2
    assert "UNKNOWN: the limit of 50 states was reached" in ran.out
    assert "--resume" in ran.out
    (saved,) = (tmp_path / ".homing").glob("m-*.checkpoint")
    assert saved.name in ran.out
    assert (tmp_path / ".homing" / ".gitignore").read_text() == "*\n"


def test_time_limit(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", FOREVER)
    ran = homing("check", "--python", "m.py", "--time-limit", "0.5s")
    assert ran.code == 2
    assert "the time limit of 0.5 s was reached" in ran.out
    assert "reaches three    HOLDS after 3 steps" in ran.out
    assert "so far" in ran.out


def test_memory_limit(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", FOREVER)
    ran = homing("check", "--python", "m.py", "--memory-limit", "1M")
    assert ran.code == 2
    assert "the memory limit of 1 MB was reached" in ran.out


def test_resume_goes_on(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(300, 999))
    stopped = homing("check", "--python", "m.py", "--max-states", "50")
    assert stopped.code == 2
    resumed = homing("check", "--python", "m.py", "--resume")
    assert resumed.code == 0
    assert resumed.err.startswith("homing: m.py: resuming from .homing/")
    assert "301 distinct states, 301 generated, depth 301" in resumed.out
    again = homing("check", "--python", "m.py", "--resume")
    assert again.code == 0
    assert "nothing to resume" in again.err


def test_resume_refuses_an_edited_model(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(300, 999))
    homing("check", "--python", "m.py", "--max-states", "50")
    write(tmp_path / "m.py", counter(301, 999))
    ran = homing("check", "--python", "m.py", "--resume")
    assert ran.code == 3
    assert "another model" in ran.err


def test_vacuous_and_values_are_shown(homing: Homing, tmp_path: Path) -> None:
    body = """
        n = build.slot("n", 7)
        build.sometimes("trivial", [n], lambda value: True)
        build.extreme("least", "min", [n], lambda value: value)
        build.sometimes("impossible", [n], lambda value: False)
    """
    write(tmp_path / "m.py", body)
    ran = homing("check", "--python", "m.py")
    assert ran.code == 1
    assert "trivial      HOLDS (vacuous: true in an initial state)" in ran.out
    assert "least        HOLDS, value 7 after 0 steps" in ran.out
    assert "impossible   VIOLATED, no reachable state shows it" in ran.out


def test_a_model_that_fails_shows_where_and_keeps_what_was_found(homing: Homing, tmp_path: Path) -> None:
    body = """
        n = build.slot("n", 0)
        @build.group("count", [n], [n])
        def count(value):
            if value == 2:
                raise KeyError("boo")
            yield step("count", {n: value + 1})
        build.always("below one", [n], lambda value: value < 1)
        build.always("true", [n], lambda value: True)
    """
    write(tmp_path / "m.py", body)
    ran = homing("check", "--python", "m.py")
    assert ran.code == 3
    assert ran.err.splitlines()[0] == "m.py:12: group 'count' with n = 2 failed: KeyError: 'boo'"
    assert "  2  count" in ran.err
    assert "below one   VIOLATED after 1 step" in ran.out


def test_debug_catches_undeclared_reads(homing: Homing, tmp_path: Path) -> None:
    body = """
        n = build.slot("n", 0)
        calls = []
        @build.group("count", [n], [n])
        def count(value):
            calls.append(value)
            if len(calls) < 9:
                yield step("count", {n: len(calls)})
    """
    write(tmp_path / "m.py", body)
    ran = homing("check", "--python", "--debug", "m.py")
    assert ran.code == 3
    assert "did not declare" in ran.err


# Which models, which properties


def test_property_selects(homing: Homing) -> None:
    ran = homing("check", "--python", DEMO, "--property", "no message is lost", "--json", "-")
    assert ran.code == 0
    assert [result["property"] for result in json.loads(ran.out)["results"]] == ["no message is lost"]


def test_an_unknown_property_is_bad_input(homing: Homing) -> None:
    one = homing("check", "--python", DEMO / "requests.py", "--property", "nonsense")
    assert one.code == 3
    assert "requests.py: unknown property 'nonsense'; declared: a reply is to the last attempt, " in one.err
    several = homing("check", "--python", DEMO, "--property", "nonsense", "--property", "deadlock free")
    assert several.code == 3
    assert "unknown property 'nonsense'; declared: " in several.err
    assert "deadlock free" in several.out


def test_a_bad_file_does_not_keep_the_others(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def model(:")
    write(tmp_path / "b.py", counter(5, 2))
    ran = homing("check", "--python", "missing.py", ".")
    assert ran.code == 3
    assert "missing.py: no such file or folder" in ran.err
    assert "a.py:1:11: no Python: invalid syntax" in ran.err
    assert "b.py: 1 of 1 VIOLATED" in ran.out
    assert "3 models: 2 bad input, 1 VIOLATED" in ran.out


def test_a_name_that_is_no_text(homing: Homing, tmp_path: Path) -> None:
    name = os.fsdecode(b"m\xff.py")
    write(tmp_path / name, counter(5, 2))
    ran = homing("check", "--python", tmp_path, "--json", "out.json", "--junit", "out.xml", "--max-states", 2)
    assert ran.code == 2
    assert "m\\udcff.py: 1 of 1 UNKNOWN" in ran.out
    assert json.loads((tmp_path / "out.json").read_text())["results"][0]["model"].endswith("m\udcff.py")
    ElementTree.parse(tmp_path / "out.xml")


def test_a_file_given_twice_is_checked_once(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(1, 9))
    ran = homing("check", "--python", ".", "m.py", tmp_path / "m.py")
    assert ran.out.count("the property holds") == 1


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("m.txt", "", "m.txt: is in no notation known here, by its ending '.txt'; declared: .py"),
        ("m.py", "x = 1", "m.py: defines no function model() that returns a Model"),
        ("m.py", "def model():\n    return 3", "m.py: model() returns 3, which is no Model"),
        ("m.py", "def model():\n    return 1 / 0", "m.py:2: model() failed: ZeroDivisionError: division by zero"),
        ("m.py", "import sys\nsys.exit(0)", "m.py:2: failed to load: SystemExit: 0"),
        ("m.py", 'build.slot("n", [1])', "m.py: the initial value of slot 'n' cannot be encoded: [1] is a list"),
        (
            "m.py",
            'n = build.slot("n", 0)\nbuild.group("g", [n], [n])(lambda value: [step("e", {n: 0.5})])',
            "m.py:9: what group 'g' writes to slot 'n' cannot be encoded: 0.5 is a float",
        ),
        (
            "m.py",
            'n = build.slot("n", 0)\nbuild.group("g", [7], [n])(lambda value: [])',
            "m.py:9: group 'g' reads slot number 7, but slots go from 0 to 0; declared: n",
        ),
        (
            "m.py",
            'n = build.slot("n", 0)\nbuild.group("g", [n], [])(lambda value: [step("e", {n: 1})])',
            "m.py:9: group 'g' writes slot 'n', which it did not declare",
        ),
        (
            "m.py",
            'n = build.slot("n", 0)\nbuild.group("g", [n])(lambda value: exit(0))',
            "m.py",  # ended by the model: not as if all was well
        ),
    ],
)
def test_bad_input_is_one_sentence(homing: Homing, tmp_path: Path, name: str, text: str, sentence: str) -> None:
    (tmp_path / name).write_text(source(text) if "build." in text else text)
    ran = homing("check", "--python", name)
    assert ran.code == 3
    assert ran.err.splitlines()[0].startswith(sentence)
    assert "Traceback" not in ran.err


def test_a_folder_that_looks_like_a_file_is_searched(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "m.py").mkdir()
    known = ".py, .csp, .cfg, .tla, .xml, .smv"
    assert homing("check", "--python", "m.py").err == f"m.py: the folder holds no model; declared: {known}\n"


def test_an_unreadable_file(homing: Homing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "m.py", counter(1, 9))

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")  # root may read everything, so mode 0 would not do

    monkeypatch.setattr(Path, "read_bytes", refuse)
    ran = homing("check", "--python", "m.py")
    assert (ran.code, ran.err) == (3, "m.py: cannot be read: Permission denied\n")


def test_python_is_not_executed_unless_allowed(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text("open('executed', 'w')")
    ran = homing("check", "m.py")
    assert ran.code == 3
    assert "give --python to allow that" in ran.err
    assert homing("check", ".").code == 3
    assert not (tmp_path / "executed").exists()


# Documents


def test_json_has_exactly_this_shape(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(5, 2))
    ran = homing("check", "--python", "m.py", "missing.py", "--json", "out.json")
    assert ran.code == 3
    document = json.loads((tmp_path / "out.json").read_text())
    assert list(document) == ["version", "results", "runs", "errors"]
    assert document["version"] == 1
    assert document["errors"] == ["missing.py: no such file or folder"]
    (result,) = document["results"]
    assert list(result) == KEYS
    assert (result["model"], result["property"], result["verdict"]) == ("m.py", "stays below 2", "VIOLATED")
    assert (result["vacuous"], result["value"], result["reason"]) == (None, None, None)
    assert (result["distinct"], result["generated"], result["depth"]) == (3, 3, 3)
    move = {"group": "count", "event": "count", "sender": "here", "receiver": "there", "channel": None}
    assert result["trace"] == {
        "slots": ["n"],
        "states": [[0], [1], [2]],
        "moves": [{**move, "text": f"count({number})", "arguments": [number]} for number in (0, 1)],
        "loop": None,
        "notes": [],
        "branches": [],
    }


def test_json_on_stdout_is_alone_there(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "m.py", 'print("loading")\n' + counter(2, 9).replace("\n        ", "\n"))
    ran = homing("check", "--python", "m.py", "--json", "-")
    assert ran.code == 0
    assert json.loads(ran.out)["results"][0]["verdict"] == "HOLDS"
    assert "loading" in ran.err


@pytest.mark.parametrize("option", ["--json", "--junit"])
def test_a_document_that_cannot_be_written(homing: Homing, tmp_path: Path, option: str) -> None:
    write(tmp_path / "m.py", counter(2, 9))
    for target in ("missing/out", "."):
        ran = homing("check", "--python", "m.py", option, target)
        assert ran.code == 3
        assert f"{target}: cannot be written: " in ran.err
        assert ran.out.splitlines()[0] == "m.py: the property holds"
    assert {file.name for file in tmp_path.iterdir()} == {"m.py"}


def test_junit(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path / "bad.py", counter(5, 2))
    write(tmp_path / "unknown.py", FOREVER)
    ran = homing(
        "check", "--python", "bad.py", "unknown.py", "missing.py", "--max-states", 30, "--junit", tmp_path / "out.xml"
    )
    assert ran.code == 3
    root = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "5",
        "failures": "1",
        "errors": "3",
    }
    assert [suite.get("name") for suite in root] == ["bad.py", "unknown.py", "missing.py"]
    failure = root.find("testsuite/testcase/failure")
    assert failure is not None
    assert failure.get("message") == "VIOLATED after 2 steps"
    assert "count(1)   here → there" in (failure.text or "")


@pytest.mark.parametrize("form", ["chart", "table", "json"])
def test_trace_shows_also_what_was_asked_for(homing: Homing, form: str) -> None:
    ran = homing("check", "--python", DEMO / "requests.py", "--trace", form)
    assert ran.code == 0
    assert "all clients get a reply: HOLDS after 6 steps" in ran.out
    if form == "json":
        traces = [json.loads(line) for line in ran.out.splitlines() if line.startswith("{")]
        assert [len(trace["moves"]) for trace in traces] == [6, 4]
    else:
        assert ("  6  reply(" in ran.out) == (form == "table")
        assert ("───reply(1)───▶│" in ran.out) == (form == "chart")
