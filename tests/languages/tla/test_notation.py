"""What traces show: ALIAS, and the Informal Trace Format; POSTCONDITION."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.command_line import Homing, runner
from tests.languages.tla.support import check, complaint, verdicts, write

from homing.report import itf, traces

SPEC = """
EXTENDS Naturals, Sequences, TLC
CONSTANTS P, N
VARIABLES x, log, at
Init == x = 0 /\\ log = <<>> /\\ at = [p \\in P |-> [seen |-> {}, ok |-> TRUE]]
Step(p) == /\\ x < N /\\ x' = x + 1
           /\\ log' = Append(log, p)
           /\\ at' = [at EXCEPT ![p].seen = @ \\cup {x}]
Next == \\E p \\in P : Step(p)
Small == x < 2
Never == x = 99
Alias == [twice |-> 2 * x, last |-> log[Len(log)], x |-> x]
Primed == [next |-> x']
Whole == x
Counted == TLCGet("distinct") = 3
Good == N = 3
Bad == N = 4 /\\ P # {}
OfState == x = 3
Live == <>(x = 99)
Spec == Init /\\ [][Next]_<<x, log, at>>
"""
VALUES = "CONSTANTS P = {p1} N = 3 CHECK_DEADLOCK FALSE\n"
SAFE = VALUES + "INIT Init NEXT Next INVARIANT Small\n"


@pytest.fixture
def homing(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Homing:
    monkeypatch.chdir(tmp_path)
    return runner(capsys)


def test_alias(tmp_path: Path) -> None:
    trace = check(tmp_path, SPEC, SAFE + "ALIAS Alias").results[0].trace
    assert trace is not None
    assert [str(line).split() for line in traces.lines(trace)][-3:] == [
        ["2", "Step(p1)"],
        ["twice", "2", "→", "4"],
        ["x", "1", "→", "2"],
    ]
    shown = trace.readable()
    assert shown.slots == ("twice", "last", "x")
    assert shown.states[1:] == ((2, b"p1", 1), (4, b"p1", 2))
    assert "no value: <<>> is not defined for 0" in str(trace.notation.show(shown.states[0][1]))
    assert itf.document(trace)["vars"] == ["twice", "last", "x"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ALIAS Primed", "ALIAS 'Primed' is not supported: it has primes or is temporal"),
        ("ALIAS Whole", "ALIAS 'Whole' is not supported: it is no record [name |-> …]"),
        ("ALIAS Nothing", "'Nothing' is not defined in Spec.tla"),
        ("POSTCONDITION Counted", "'TLCGet' is not supported"),
        ("POSTCONDITION OfState", "POSTCONDITION 'OfState' is not supported: it is no constant"),
        ("POSTCONDITION Nothing", "'Nothing' is not defined in Spec.tla"),
    ],
)
def test_what_is_refused(line: str, said: str, tmp_path: Path) -> None:
    assert said in complaint(tmp_path, SPEC, SAFE + line)


def test_postcondition(tmp_path: Path) -> None:
    for name, verdict in (("Good", "HOLDS"), ("Bad", "VIOLATED")):
        found = verdicts(check(tmp_path, SPEC, SAFE + f"POSTCONDITION {name}"))
        assert found == {"Small": "VIOLATED", f"{name} (postcondition)": verdict}


def test_nothing_is_ignored_without_a_behaviour(tmp_path: Path) -> None:
    spec = "EXTENDS Naturals\nASSUME 1 < 2\nGood == TRUE"
    assert "POSTCONDITION 'Good' is not supported without" in complaint(tmp_path, spec, "POSTCONDITION Good")


def test_itf(tmp_path: Path) -> None:
    trace = check(tmp_path, SPEC, SAFE).results[0].trace
    assert trace is not None
    found = itf.document(trace)
    assert found["vars"] == ["x", "log", "at"]
    assert "loop" not in found
    assert found["states"][2] == {
        "#meta": {"index": 2, "action": "Step(p1)"},
        "x": 2,
        "log": ["p1", "p1"],
        "at": {"#map": [["p1", {"ok": True, "seen": {"#set": [0, 1]}}]]},
    }


def test_itf_files(homing: Homing, tmp_path: Path) -> None:
    config = write(tmp_path, SPEC, VALUES + "SPECIFICATION Spec INVARIANT Never PROPERTY Live")
    target = tmp_path / "t.itf.json"
    ran = homing("check", config, "--itf", target)
    assert ran.code == 1
    assert f"wrote {target}, {tmp_path / 't-2.itf.json'}" in ran.err
    lasso = json.loads((tmp_path / "t-2.itf.json").read_text())
    assert lasso["#meta"]["description"] == "Live: VIOLATED"
    assert lasso["loop"] == len(lasso["states"]) - 1
    assert homing("check", config, "--itf", tmp_path / "t.svg").code == 3
