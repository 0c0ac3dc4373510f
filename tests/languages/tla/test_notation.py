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


NAMES = """
EXTENDS Naturals, Sequences, TLC
CONSTANTS P
VARIABLES msgs, q, n
vars == <<msgs, q, n>>
Init == msgs = {} /\\ q = <<>> /\\ n = 0
Send(p) == n = 0 /\\ msgs' = {[to |-> p, k |-> "a"]} /\\ n' = 1 /\\ UNCHANGED q
Deliver(m) == n = 1 /\\ m.k = "a" /\\ q' = Append(q, m.to) /\\ n' = 2 /\\ UNCHANGED msgs
Drop(m, p) == n = 2 /\\ m.to = p /\\ msgs' = msgs \\ {m} /\\ n' = 3 /\\ UNCHANGED q
Both(m, p) == Deliver(m) \\/ Drop(m, p)
Pop(i, p, all) == n = 3 /\\ q' = Tail(q) /\\ p = q[i] /\\ n' = 4 /\\ UNCHANGED msgs
Next == \\/ \\E p \\in P : Send(p)
        \\/ \\E m \\in msgs : \\E p \\in P : Both(m, p)
        \\/ \\E i \\in 1..Len(q) : Pop(i, q[i], msgs)
Small == n < 4
Fair == Init /\\ [][Next]_vars /\\ WF_vars(Next)
Ends == <>(n = 4)
"""
NAMED = "CONSTANTS P = {p1} INVARIANT Small CHECK_DEADLOCK FALSE\n"
PATH = ["Send(p1)", 'Deliver([k |-> "a", to |-> p1])', 'Drop([k |-> "a", to |-> p1], p1)', "Pop(1, p1, all)"]


def test_steps_below_a_quantifier_over_the_state_have_names(tmp_path: Path) -> None:
    report = check(tmp_path, NAMES, NAMED + "SPECIFICATION Fair PROPERTY Ends")
    assert verdicts(report) == {"Small": "VIOLATED", "Ends": "HOLDS"}
    trace = report.results[0].trace
    assert trace is not None
    assert [str(move.event) for move in trace.moves] == PATH
    assert [move.group for move in trace.moves] == ["Send(p1)", "Deliver(m)", "Drop(m, p1)", "Pop(i, p, all)"]
    assert trace.moves[1].event.arguments == ((None, ("k", "to"), ("a", b"p1")),)
    assert [state["#meta"].get("action") for state in itf.document(trace)["states"]] == [None, *PATH]


def test_steps_have_the_name_of_the_only_operator_in_a_conjunction(tmp_path: Path) -> None:
    guarded = (
        ("\\E p \\in P : Send(p)", "\\E p \\in P : n < 3 /\\ n >= 0 /\\ Send(p)"),
        ("Both(m, p)\n", '(m.k = "a" /\\ Deliver(m)) \\/ (m.to = p /\\ Drop(m, p))\n'),
        ("Pop(i, q[i], msgs)", "i > 0 /\\ Pop(i, q[i], msgs)"),
    )
    source = NAMES
    for plain, conjunction in guarded:
        assert plain in source
        source = source.replace(plain, conjunction)
    trace = check(tmp_path, source, NAMED + "SPECIFICATION Fair").results[0].trace
    assert trace is not None
    assert [str(move.event) for move in trace.moves] == PATH


def test_two_operators_in_a_conjunction_give_no_name(tmp_path: Path) -> None:
    source = NAMES.replace("Send(p) ==", "Rest == UNCHANGED q\nSend(p) ==").replace(": Send(p)", ": Send(p) /\\ Rest")
    trace = check(tmp_path, source, NAMED + "SPECIFICATION Fair").results[0].trace
    assert trace is not None
    assert [str(move.event) for move in trace.moves] == ["Next", *PATH[1:]]
