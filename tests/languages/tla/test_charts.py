"""Message sequence charts: what the file beside a specification makes of its states."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint

from homing.core.witness import Trace
from homing.report.charts import chart as charts
from homing.report.charts import document, terminal

ECHO = """
EXTENDS Naturals
CONSTANTS Client, Server
VARIABLES net, got
Init == net = {} /\\ got = 0
Ask(c) == net = {} /\\ net' = {[kind |-> "ask", src |-> c, dst |-> Server, n |-> got]} /\\ UNCHANGED got
Answer(s) == \\E m \\in net : /\\ m.kind = "ask"
                           /\\ net' = (net \\ {m}) \\cup {[kind |-> "answer", src |-> s, dst |-> m.src, n |-> m.n + 1]}
                           /\\ UNCHANGED got
Take(c) == \\E m \\in net : m.kind = "answer" /\\ got' = m.n /\\ net' = net \\ {m}
Rest(c) == got = 1 /\\ net = {} /\\ got' = 5 /\\ UNCHANGED net
Next == Ask(Client) \\/ Answer(Server) \\/ Take(Client) \\/ Rest(Client)
Small == got < 5
"""
CONFIG = "CONSTANTS Client = c Server = s INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE"
SIDECAR = 'network = "net"\nfrom = "src"\nto = "dst"\nlabel = ["kind", "n"]\n'


def traced(folder: Path, spec: str, config: str, sidecar: str | None) -> Trace:
    if sidecar is not None:
        (folder / "Spec.chart.toml").write_text(sidecar)
    trace = check(folder, spec, config).results[0].trace
    assert trace is not None
    return trace


def drawn(trace: Trace) -> list[str]:
    return [str(line).rstrip() for line in terminal.lines(trace, 100)]


def test_without_a_file_there_are_no_messages(tmp_path: Path) -> None:
    assert not charts.has_messages(traced(tmp_path, ECHO, CONFIG, None))


def test_a_step_that_answers_has_two_lines(tmp_path: Path) -> None:
    trace = traced(tmp_path, ECHO, CONFIG, SIDECAR)
    assert drawn(trace) == [
        "     c                       s",
        "  1  ├─ask(0)────╮           │",
        "  2  │           ╰──────────▶│",
        "     │         ╭───answer(1)─┤",
        "  3  │◀────────╯             │",
        "  4  ■ Rest(c)               │",
    ]
    found = document.chart(charts.of(trace))
    assert (found["steps"], found["lifelines"]) == (4, ["c", "s"])
    assert [(m["from"], m["to"], m["text"], m["sent"], m["received"]) for m in found["messages"]] == [
        ("c", "s", "ask(0)", 1, 2),
        ("s", "c", "answer(1)", 2, 3),
    ]
    assert [(local["on"], local["step"]) for local in found["local"]] == [("c", 4)]


QUEUES = """
EXTENDS Naturals, Sequences, Bags
CONSTANTS A, B
VARIABLES inbox, bag, log, x
vars == <<inbox, bag, log, x>>
Init == inbox = [p \\in {A, B} |-> <<>>] /\\ bag = EmptyBag /\\ log = {} /\\ x = 0
Post(p, q) == /\\ x = 0 /\\ x' = 1 /\\ inbox' = [inbox EXCEPT ![q] = Append(@, <<"hi", 7>>)]
              /\\ bag' = bag (+) SetToBag({p}) /\\ UNCHANGED log
Read(p) == /\\ x = 1 /\\ inbox[p] # <<>> /\\ x' = 2 /\\ inbox' = [inbox EXCEPT ![p] = Tail(@)]
           /\\ log' = log \\cup {[to |-> p]} /\\ UNCHANGED bag
Next == Read(B) \\/ Post(A, B)
Small == x < 2
"""


@pytest.mark.parametrize(
    ("sidecar", "messages"),
    [
        ('network = "inbox"\nkeys = 1\nto = "@1"', [("a", "b", '<<"hi", 7>>', 1, 2)]),
        ('network = "bag"', [("a", None, "a", 1, None)]),
        (
            'network = "bag"\nreceived = "log"\nto = "to"',
            [("a", None, "a", 1, None), (None, "b", "[to |-> b]", None, 2)],
        ),
    ],
)
def test_networks_of_other_kinds(sidecar: str, messages: list[object], tmp_path: Path) -> None:
    config = "CONSTANTS A = a B = b INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE"
    found = document.chart(charts.of(traced(tmp_path, QUEUES, config, sidecar)))
    assert [(m["from"], m["to"], m["text"], m["sent"], m["received"]) for m in found["messages"]] == messages


@pytest.mark.parametrize(
    ("sidecar", "said"),
    [
        ("", "Spec.chart.toml: does not say which variable is the 'network'; declared: net, got"),
        ('network = "sea"', "'sea' is no variable of the specification; declared: net, got"),
        ('network = "net"\nfrmo = "src"', "unknown key 'frmo'"),
        ('network = "net"\nfrom = 1', "'from' is a name, not 1"),
        ('network = "net"\nfrom = "@1"', "'@1' is no key of the network, which has 0"),
        ('network = "net"\nkeys = -1', "'keys' is how many there are, from 0 to 100, not -1"),
        ('network = "net"\nlabel = "kind"', "'label' is a list of fields, not 'kind'"),
        ('network = "net"\nlost = "Lose"', "'lost' is a list of actions, not 'Lose'"),
        ("network = ", "Spec.chart.toml: no TOML"),
    ],
)
def test_a_bad_file_is_told(sidecar: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "Spec.chart.toml").write_text(sidecar)
    assert said in complaint(tmp_path, ECHO, CONFIG)


LOSSY = """
EXTENDS Naturals
VARIABLES net, seen, lost
Init == net = {} /\\ seen = 0 /\\ lost = 0
Send(p) == net = {} /\\ net' = {[from |-> p, n |-> seen + lost]} /\\ UNCHANGED <<seen, lost>>
Take(m) == m.n > 1 /\\ net' = net \\ {m} /\\ seen' = 1 /\\ UNCHANGED lost
Lose(m) == lost = 1 /\\ seen = 0 /\\ net' = net \\ {m} /\\ seen' = 1 /\\ UNCHANGED lost
Drop(m) == lost = 0 /\\ net' = net \\ {m} /\\ UNCHANGED <<seen, lost>>
Tick == lost = 0 /\\ seen = 0 /\\ lost' = 1 /\\ UNCHANGED <<net, seen>>
Next == Send("p") \\/ Tick \\/ \\E m \\in net : Take(m) \\/ Lose(m) \\/ Drop(m)
Small == seen = 0
Kept == [][net = {} \\/ net' # {}]_net
"""
LOSING = 'network = "net"\nfrom = "from"\nlabel = ["n"]\n'


def test_a_message_that_nobody_notices_the_end_of_is_lost(tmp_path: Path) -> None:
    config = "INIT Init NEXT Next PROPERTY Kept CHECK_DEADLOCK FALSE"
    found = document.chart(charts.of(traced(tmp_path, LOSSY, config, LOSING)))
    assert [(m["from"], m["to"], m["sent"], m["received"], m["lost"]) for m in found["messages"]] == [
        ("p", None, 1, None, 2)
    ]
    assert [local["text"] for local in found["local"]] == ['Drop([from |-> "p", n |-> 0])']


@pytest.mark.parametrize(("sidecar", "ends"), [("", ("others", 3, None)), ('lost = ["Lose"]\n', (None, None, 3))])
def test_the_file_names_actions_that_lose(sidecar: str, ends: tuple[object, ...], tmp_path: Path) -> None:
    config = "INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE"
    trace = traced(tmp_path, LOSSY, config, LOSING + sidecar)
    (message,) = document.chart(charts.of(trace))["messages"]
    assert (message["to"], message["received"], message["lost"]) == ends
    assert any("lost in step 3" in line for line in drawn(trace)) == bool(sidecar)
