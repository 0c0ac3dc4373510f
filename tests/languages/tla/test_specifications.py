"""Specifications from end to end: counts, verdicts, traces.

The counts of CHECKS, ACTIONS and NETWORK were compared with TLC (one worker), which stops at the first violation: where
there is one, the counts are those of the same specification without it.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint, counts, verdicts, write

from homing.core.errors import HomingError
from homing.languages.tla import load_one
from homing.languages.tla.parse import parse_expression

COUNTER = """
EXTENDS Naturals
CONSTANTS N, P
VARIABLES x, pc
vars == <<x, pc>>
TypeOK == x \\in 0..N /\\ pc \\in [P -> {"a", "b"}]
Init == x = 0 /\\ pc = [p \\in P |-> "a"]
Inc(p) == pc[p] = "a" /\\ x < N /\\ x' = x + 1 /\\ pc' = [pc EXCEPT ![p] = "b"]
Back(p) == pc[p] = "b" /\\ pc' = [pc EXCEPT ![p] = "a"] /\\ UNCHANGED x
Next == \\E p \\in P : Inc(p) \\/ Back(p)
Spec == Init /\\ [][Next]_vars
Fair == Spec /\\ \\A p \\in P : WF_vars(Inc(p)) /\\ WF_vars(Back(p))
Hidden == Spec /\\ WF_vars(\\E p \\in P : Inc(p))
Full == <>(x = N)
Never2 == [][x' # 2]_x
Grows == [][x' >= x]_vars
Small == x < 2
View == x
Symmetric == {[p \\in P |-> IF p = q THEN r ELSE IF p = r THEN q ELSE p] : q, r \\in P}
Slow == x' <= 2
====
"""
VALUES = "CONSTANTS N = 3 P = {p1, p2}\n"

CHECKS = [
    ("SPECIFICATION Spec INVARIANT TypeOK", (12, 21, 7), {"deadlock free": "VIOLATED", "TypeOK": "HOLDS"}),
    ("INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE", None, {"Small": "VIOLATED"}),
    ("SPECIFICATION Fair PROPERTY Full CHECK_DEADLOCK FALSE", (12, 21, 7), {"Full": "HOLDS"}),
    ("SPECIFICATION Spec PROPERTY Full CHECK_DEADLOCK FALSE", (12, 21, 7), {"Full": "VIOLATED"}),
    ("SPECIFICATION Hidden PROPERTY Full CHECK_DEADLOCK FALSE", (12, 21, 7), {"Full": "VIOLATED"}),
    ("SPECIFICATION Spec PROPERTIES Never2 Grows CHECK_DEADLOCK FALSE", (12, 21, 7),
     {"Never2": "VIOLATED", "Grows": "HOLDS"}),
    ("SPECIFICATION Spec CONSTRAINT Small CHECK_DEADLOCK FALSE", (4, 9, 3), {"no error": "HOLDS"}),
    ("SPECIFICATION Spec ACTION_CONSTRAINT Slow CHECK_DEADLOCK FALSE", (8, 17, 5), {"no error": "HOLDS"}),
    ("SPECIFICATION Spec VIEW View CHECK_DEADLOCK FALSE", (3, 7, 3), {"no error": "HOLDS"}),
    ("SPECIFICATION Spec SYMMETRY Symmetric CHECK_DEADLOCK FALSE", (9, 16, 7), {"no error": "HOLDS"}),
]  # fmt: skip


@pytest.mark.parametrize(("config", "counted", "decided"), CHECKS, ids=[config for config, _, _ in CHECKS])
def test_configuration(
    config: str, counted: tuple[int, int, int] | None, decided: dict[str, str], tmp_path: Path
) -> None:
    report = check(tmp_path, COUNTER, VALUES + config)
    assert verdicts(report) == decided
    if counted is not None:
        assert counts(report) == counted


def test_trace_names_action_and_values(tmp_path: Path) -> None:
    report = check(tmp_path, COUNTER, VALUES + "SPECIFICATION Spec PROPERTY Never2 CHECK_DEADLOCK FALSE")
    trace = report.results[0].trace
    assert trace is not None
    assert [str(move.event) for move in trace.moves] == ["Inc(p1)", "Inc(p2)"]
    assert trace.slots == ("x", "pc[p1]", "pc[p2]")
    assert [trace.notation.show(value) for value in trace.states[2]] == ["2", '"b"', '"b"']


NETWORK = """
EXTENDS Naturals, FiniteSets
CONSTANTS Nodes
VARIABLES sent, got, done
vars == <<sent, got, done>>
Init == sent = {} /\\ got = [n \\in Nodes |-> 0] /\\ done = {}
Send(a, b) == /\\ a # b /\\ ~\\E m \\in sent \\cup done : m.from = a
              /\\ sent' = sent \\cup {[kind |-> "ping", from |-> a, to |-> b, hop |-> 1]}
              /\\ UNCHANGED <<got, done>>
Receive(n) == \\E m \\in sent :
    /\\ m.to = n
    /\\ got' = [got EXCEPT ![n] = @ + m.hop]
    /\\ done' = done \\cup {m}
    /\\ IF m.hop = 1
       THEN sent' = (sent \\ {m}) \\cup {[kind |-> "pong", from |-> n, to |-> m.from, hop |-> 2]}
       ELSE sent' = sent \\ {m}
Next == \\E a \\in Nodes : Receive(a) \\/ \\E b \\in Nodes : Send(a, b)
Spec == Init /\\ [][Next]_vars /\\ WF_vars(Next)
Few == Cardinality(sent) <= 2
Kinds == \\A m \\in sent : m.kind \\in {"ping", "pong"}
Known == \\A n \\in Nodes : got[n] <= 4
====
"""


def test_a_network_is_split_by_kind_of_message(tmp_path: Path) -> None:
    config = "SPECIFICATION Spec CONSTANT Nodes = {a, b, c} INVARIANTS Few Kinds Known CHECK_DEADLOCK FALSE"
    model = load_one(write(tmp_path, NETWORK, config))
    receive = [group for group in model.system.shape.groups if group.name == "Receive(a)"]
    assert len(receive) > 1
    assert all(len(group.reads) <= 4 for group in receive)
    report = check(tmp_path, NETWORK, config)
    assert verdicts(report) == {"Few": "VIOLATED", "Kinds": "HOLDS", "Known": "HOLDS"}
    assert counts(report) == (343, 739, 10)
    trace = report.results[0].trace
    assert trace is not None
    assert trace.readable().slots == ("sent", "got[a]", "got[b]", "got[c]", "done")


MODULES = """
EXTENDS Naturals
CONSTANT Limit
VARIABLE hr
Init == hr \\in 0..Limit
Next == hr' = IF hr = Limit THEN 0 ELSE hr + 1
Spec == Init /\\ [][Next]_hr /\\ WF_hr(Next)
"""

CLOCK = """
EXTENDS Naturals
VARIABLES h, m
Init == h = 0 /\\ m = 0
Next == /\\ m' = (m + 1) % 3
        /\\ h' = IF m = 2 THEN (h + 1) % 4 ELSE h
Spec == Init /\\ [][Next]_<<h, m>> /\\ WF_<<h, m>>(Next)
Hours(n) == INSTANCE Hour WITH hr <- h, Limit <- n
Coarse == Hours(3)!Spec
Wrong == Hours(2)!Spec
"""


def test_refinement_of_an_instance_with_parameters(tmp_path: Path) -> None:
    (tmp_path / "Hour.tla").write_text(f"---- MODULE Hour ----\n{MODULES}\n====\n", "utf-8")
    report = check(tmp_path, CLOCK, "SPECIFICATION Spec PROPERTIES Coarse Wrong")
    assert verdicts(report) == {
        "deadlock free": "HOLDS",
        "Coarse": "HOLDS",
        "Coarse (liveness)": "HOLDS",
        "Wrong": "VIOLATED",
        "Wrong (liveness)": "HOLDS",
    }


SMALL = "VARIABLE x\nInit == x = 0\nNext == x' = (x + 1) % 3\n"
TEMPORAL = [
    ("[]<>(x = 0)", "HOLDS"),
    ("<>[](x = 0)", "VIOLATED"),
    ("(x = 1) ~> (x = 0)", "HOLDS"),
    ("\\A i \\in 0..2 : []<>(x = i)", "HOLDS"),
    ("\\E i \\in 0..2 : <>[](x = i)", "VIOLATED"),
    ("[](ENABLED (x' = x + 1 /\\ x < 2) <=> x < 2)", "HOLDS"),
    ("<><<x' = 2>>_x", "HOLDS"),
    ("[][x' = 2 => x = 1]_x", "HOLDS"),
    ("WF_x(x' = 2 /\\ x = 1)", "HOLDS"),
    ("[](x = 0 => <>(x = 2)) /\\ x = 0", "HOLDS"),
    ("[](x < 2)", "VIOLATED"),
    ("x = 1", "VIOLATED"),
]  # fmt: skip


@pytest.mark.parametrize(("formula", "verdict"), TEMPORAL, ids=[formula for formula, _ in TEMPORAL])
def test_temporal(formula: str, verdict: str, tmp_path: Path) -> None:
    spec = f"EXTENDS Naturals\n{SMALL}Spec == Init /\\ [][Next]_x /\\ WF_x(Next)\nProp == {formula}\n"
    found = verdicts(check(tmp_path, spec, "SPECIFICATION Spec PROPERTY Prop CHECK_DEADLOCK FALSE"))
    assert set(found.values()) == {verdict}


ACTIONS = [
    # Disjunctions and \E are choices, each counted, whatever they say.
    ("x = 0", "(TRUE \\/ TRUE) /\\ x' = 1", (2, 5, 2)),
    ("x \\in {0, 1}", "\\E y \\in {1, 2} : x' = x", (2, 6, 1)),
    ("x = 0 \\/ x = 0", "x' = x", (1, 3, 1)),
    ("x = 0", "x' \\in 0..3", (4, 17, 2)),
    ("x = 0", "x' = 1 - x /\\ x' \\in {0, 1}", (2, 3, 2)),
    ("x = 0", "IF x = 0 THEN x' = 1 ELSE UNCHANGED x", (2, 3, 2)),
    ("x = 0", "CASE x = 0 -> x' = 1 [] OTHER -> x' = 0", (2, 3, 2)),
    ("x = 0", "LET y == x + 1 IN y < 3 /\\ x' = y", (3, 3, 3)),
    ("x = <<>>", "Len(x) < 2 /\\ \\E i \\in 1..2 : x' = Append(x, i)", (7, 7, 3)),
    ("x = [a |-> 0, b |-> {}]", "x.a < 2 /\\ x' = [x EXCEPT !.a = @ + 1, !.b = @ \\cup {x.a}]", (3, 3, 3)),
    ("x = [i \\in 1..2 |-> 0]", "\\E i \\in 1..2 : x[i] = 0 /\\ x' = [x EXCEPT ![i] = 1 - x[3 - i]]", (3, 5, 2)),
    ("x = 0", "\\A i \\in {1, 2} : x' = 1", (2, 3, 2)),
    ("x = {}", "\\E s \\in SUBSET {1, 2} : s # x /\\ x' = s", (4, 13, 2)),
    ("x \\in [{1, 2} -> BOOLEAN]", "x' = [i \\in {1, 2} |-> ~x[i]]", (4, 8, 1)),
    ("x = 0", "[x' = 1]_x", (2, 5, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("init", "action", "counted"), ACTIONS, ids=[f"{i}, {a}" for i, a, _ in ACTIONS])
def test_actions(init: str, action: str, counted: tuple[int, int, int], tmp_path: Path) -> None:
    spec = f"EXTENDS Naturals, Sequences\nVARIABLE x\nInit == {init}\nNext == {action}\n"
    assert counts(check(tmp_path, spec, "INIT Init NEXT Next CHECK_DEADLOCK FALSE")) == counted


def test_replacing_definitions(tmp_path: Path) -> None:
    spec = """
    EXTENDS Naturals
    CONSTANTS C, Op(_, _)
    VARIABLE x
    Limit == CHOOSE n : n > 0
    MyNat == 0..3
    Add(a, b) == (a + b) % 4
    Init == x = C
    Next == x < Limit /\\ x' = Op(x, 1) /\\ x' \\in Nat
    ASSUME C \\in Nat
    """
    config = "INIT Init NEXT Next CONSTANTS C = 1 Limit = 9 Op <- Add Nat <- MyNat CHECK_DEADLOCK FALSE"
    assert counts(check(tmp_path, spec, config)) == (4, 5, 4)


BAD = [
    ("Init == x = 0\nNext == y' = 1", "INIT Init NEXT Next", "Spec.tla:5:9: unknown operator 'y'"),
    ("Init == x = 0\nNext == TRUE", "INIT Init NEXT Next", "x got no value for the next state: TRUE, in"),
    ("Init == TRUE\nNext == x' = 1", "INIT Init NEXT Next", "Init gives x no value"),
    ("Init == x = 0\nNext == x' = 1", "INIT Init NEXT Nxt", "Spec.cfg:1:16: 'Nxt' is not defined in Spec.tla"),
    ("Init == x = 0\nNext == x' = x + \"a\"", "INIT Init NEXT Next", "Spec.tla:5:14: '+' is applied to \"a\""),
    ("CONSTANT C\nInit == x = C\nNext == x' = 1", "INIT Init NEXT Next", "Spec.tla:4:10: Spec.cfg gives constant 'C'"),
    ("CONSTANT Client\nInit == x = 0", "INIT Init NEXT Init CONSTANT Clients = 1", "no value; did you mean 'Clients'?"),
    ("Init == x = 0\nNext == x' = 1", "INIT Init NEXT Next CONSTANT C <- Next", "'C' is not defined in Spec.tla"),
    ("Initially == x = 0\nNext == initially", "INIT Init NEXT Next", "operator 'initially'; did you mean 'Initially'?"),
    ("Init == x = 0\nNext == x' = 1", "INIT init NEXT Next", "1:6: 'init' is not defined in Spec.tla; did you mean"),
    ("Init == x = 0\nNext == x' = Cardinality({})", "INIT Init NEXT Next", "it is in the module FiniteSets, which"),
    ("Init == x = 0\nNext == Print(1, x' = 1)", "INIT Init NEXT Next", "'Print': it is in the module TLC"),
    ("Init == x = 0\nNext == x' = Len(<<>>)", "INIT Init NEXT Next", "'Len': it is in the module Sequences"),
    ("Init == x = 0 \\/ x = 1 /\\ x = 2", "INIT Init NEXT Init", "Spec.tla:4:15: '\\/' and '/\\' stand side by side"),
    ("Init == x = 0\nNext == x' = 1\nASSUME 1 = 2", "INIT Init NEXT Next", "the assumption is false"),
    ("Init == x = 0\nNext == x' = 1", "INIT Init NEXT Next FOO bar", "'FOO' stands where a section should begin"),
    ("Init == x = 0\nNext == x' = 1", "INVARIANT Init", "says neither SPECIFICATION nor INIT and NEXT"),
    ("Init == x = 0\nNext == x' = 1", "INIT Init NEXT Next INVARIANT Next", "invariant 'Next' is no state predicate"),
    ("Init == x = 0\nNext == x' = x'' + 1", "INIT Init NEXT Next", "a prime stands below a prime"),
    ("Init == x = 0\nA == x' = 1\nNext == x' = 1 /\\ ~(A \\cdot A)", "INIT Init NEXT Next", "action composition"),
    ("Init == x = 0\nNext == \\E y \\in {1, 2} : x' = y[1]", "INIT Init NEXT Next", "to apply to 1: y[1] (with y = 1)"),
    ("Init == x = 0\nA(z) == x' = CHOOSE y \\in {x} : y > z\nNext == A(3)", "INIT Init NEXT Next", "(with z = 3)"),
    ("Init == x = 0\nNext == x' = (x + )", "INIT Init NEXT Next", "5:18: no TLA+: an expression is missing here"),
    ("Init == x \\in Nat\nNext == x' = x", "INIT Init NEXT Next", "the elements of Nat cannot be listed"),
    ("Init == x = 0\nNext == x' = Foo!Bar", "INIT Init NEXT Next", "unknown operator 'Foo'"),
    ("Init == x = 0\nInit == x = 1", "INIT Init NEXT Init", "'Init' is declared or defined twice"),
    ("Loop(n) == Loop(n)\nInit == x = 0", "INIT Init NEXT Init", "unknown operator 'Loop'"),
    ("Init == x = 0 /\\ /\\\nNext == 3", "INIT Init NEXT Next", "no TLA+"),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "config", "message"), BAD, ids=[message for _, _, message in BAD])
def test_bad_input(spec: str, config: str, message: str, tmp_path: Path) -> None:
    assert message in complaint(tmp_path, f"EXTENDS Naturals\nVARIABLE x\n{spec}", config)


UNCLEAR = ["1 = 1 = TRUE", "{1} \\cup {2} \\cap {3}", "8 \\div 2 \\div 2", "7 % 3 % 2", "1 < 2 < 3", "2 ^ 3 ^ 4",
           "TRUE => TRUE => TRUE", "[]TRUE = FALSE", "{1} \\ {2} \\ {3}"]  # fmt: skip
CLEAR = ["1 - 2 - 3 + 4", "2 * 3 % 4", "- 2 * 3 = 1", "~x = 0 /\\ TRUE", "1 .. 2 + 3", "~a \\/ ~b", "x = -1",
         "a /\\ b /\\ c => d <=> e", "SUBSET {1} \\cup {2}", "A \\X B \\X C", "a :> b @@ c :> d",
         "[]x => <>y"]  # fmt: skip


@pytest.mark.parametrize("expression", UNCLEAR)
def test_parentheses_are_wanted(expression: str) -> None:
    with pytest.raises(HomingError, match="say with parentheses"):
        parse_expression(expression)


@pytest.mark.parametrize("expression", CLEAR)
def test_parentheses_are_not_wanted(expression: str) -> None:
    parse_expression(expression)


def test_a_module_without_an_end(tmp_path: Path) -> None:
    (tmp_path / "Spec.tla").write_text("---- MODULE Spec ----\nVARIABLE x\nInit == x = 0\nNext == x' = 1\n\n")
    (tmp_path / "Spec.cfg").write_text("INIT Init NEXT Next")
    with pytest.raises(HomingError, match=r"Spec\.tla:4: no TLA\+: the module does not end: a line ==== is missing"):
        load_one(tmp_path / "Spec.cfg")


def test_a_module_in_a_file_of_another_name(tmp_path: Path) -> None:
    path = write(tmp_path, "VARIABLE x\nInit == x = 0", "INIT Init NEXT Init")
    (tmp_path / "Other.tla").write_text((tmp_path / "Spec.tla").read_text())
    with pytest.raises(HomingError, match=r"Other\.tla:1:1: module 'Spec' is in a file of another name"):
        load_one(tmp_path / "Other.tla", path)


def test_a_value_for_a_name_that_nothing_has_is_ignored(tmp_path: Path) -> None:
    spec = "VARIABLE x\nInit == x = 0\nNext == x' = 1"
    assert counts(check(tmp_path, spec, "INIT Init NEXT Next CONSTANT Foo = 3")) == (2, 3, 2)


@pytest.mark.parametrize("order", ["Len(s) > 0 /\\ s[Len(s)] = 1", "IF Len(s) > 0 THEN s[Len(s)] = 1 ELSE FALSE"])
def test_conjuncts_of_an_invariant_count_from_left_to_right(order: str, tmp_path: Path) -> None:
    actions = "Init == s = <<>>\nNext == Len(s) < 2 /\\ s' = Append(s, 1)"
    spec = f"EXTENDS Naturals, Sequences\nVARIABLE s\n{actions}\nInv == {order}"
    report = check(tmp_path, spec, "INIT Init NEXT Next INVARIANT Inv CHECK_DEADLOCK FALSE")
    assert verdicts(report) == {"Inv": "VIOLATED"}
    negated = spec.replace("Inv == ", "Inv == ~(").rstrip() + ")"
    found = check(tmp_path, negated, "INIT Init NEXT Next INVARIANT Inv CHECK_DEADLOCK FALSE")
    assert verdicts(found) == {"Inv": "VIOLATED"}
    assert found.results[0].trace is not None
    assert len(found.results[0].trace) == 1


def test_one_specification_has_many_configurations(tmp_path: Path) -> None:
    write(tmp_path, COUNTER, VALUES + "SPECIFICATION Spec", "counter")
    (tmp_path / "counter_small.cfg").write_text("SPECIFICATION Spec CONSTANTS N = 1 P = {p1}", "utf-8")
    (tmp_path / "other.cfg").write_text("\\* SPEC counter.tla\nSPECIFICATION Spec CONSTANTS N = 1 P = {p1}", "utf-8")
    names = [load_one(tmp_path / file).name for file in ("counter.tla", "counter_small.cfg", "other.cfg")]
    assert [Path(name).name for name in names] == ["counter.cfg", "counter_small.cfg", "other.cfg"]


OPEN = """
EXTENDS Naturals
VARIABLES open, n, at
Init == open = {{}} /\\ n = 0 /\\ at = [t \\in 1..40 |-> 0]
Start == n < 40 /\\ n' = n + 1 /\\ open' = open \\cup {{n + 1}} /\\ UNCHANGED at
Go(t) == at[t] < 1 /\\ at' = [at EXCEPT ![t] = @ + 1] /\\ UNCHANGED <<open, n>>
End(t) == open' = open \\ {{t}} /\\ UNCHANGED <<n, at>>
Next == (open = {{}} /\\ Start) \\/ \\E t \\in {domain} : Go(t) \\/ End(t)
Spec == Init /\\ [][Next]_<<open, n, at>>
Known == \\A t \\in {domain} : at[t] <= {most} \\/ t < 35
"""


@pytest.mark.parametrize(("most", "verdict"), [(1, "HOLDS"), (0, "VIOLATED")])
def test_a_loop_over_a_set_is_split_by_elements_that_were_seen_and_has_the_others(
    tmp_path: Path, most: int, verdict: str
) -> None:
    """No walk gets as far as 35; and a set that is computed is not split."""
    config = "SPECIFICATION Spec\nINVARIANT Known\nCONSTRAINT Small\nCHECK_DEADLOCK FALSE"
    found = []
    for domain in ("open", "{u \\in open : TRUE}"):
        small = "Small == \\A t \\in 1..40 : t >= n - 2 \\/ at[t] = 0\n"
        report = check(tmp_path, OPEN.format(domain=domain, most=most) + small, config)
        assert verdicts(report) == {"Known": verdict}
        found.append((counts(report), None if report.results[0].trace is None else len(report.results[0].trace)))
    assert found[0] == found[1]
    split = load_one(write(tmp_path, OPEN.format(domain="open", most=1), "SPECIFICATION Spec"))
    names = [group.name for group in split.system.shape.groups]
    assert {"Go(1)", "Go(t)"} <= set(names)


SENT = """
EXTENDS Naturals
VARIABLES msgs, n
Message == [to : {{1, 2}}, kind : {{"ask"}}, n : 0..{most}] \\cup [to : {{1, 2}}, kind : {{"answer"}}]
Init == msgs = {{}} /\\ n = 0
Ask(p) == n < 3 /\\ n' = n + 1 /\\ msgs' = msgs \\cup {{[to |-> p, kind |-> "ask", n |-> n]}}
Answer(m) == m.kind = "ask" /\\ msgs' = msgs \\cup {{[to |-> 3 - m.to, kind |-> "answer"]}} /\\ n' = n
Next == (\\E p \\in 1..2 : Ask(p)) \\/ \\E m \\in msgs : Answer(m)
Spec == Init /\\ [][Next]_<<msgs, n>>
Typed == msgs \\in SUBSET Message
Within == msgs \\subseteq Message
"""


@pytest.mark.parametrize(("most", "verdict"), [(2, "HOLDS"), (1, "VIOLATED")])
def test_the_type_of_a_set_that_is_split_is_asked_slot_by_slot(tmp_path: Path, most: int, verdict: str) -> None:
    config = "SPECIFICATION Spec\nINVARIANTS Typed Within\nCHECK_DEADLOCK FALSE"
    model = load_one(write(tmp_path, SENT.format(most=most), config))
    assert all(len(label.reads) == 1 for label in model.system.shape.labels)
    report = check(tmp_path, SENT.format(most=most), config)
    assert verdicts(report) == {"Typed": verdict, "Within": verdict}
    if verdict == "HOLDS":
        assert counts(report)[:2] == (45, 147)  # as TLC counts


def test_a_set_whose_elements_come_to_be_of_another_kind(tmp_path: Path) -> None:
    """A loop over it asks nothing that the text does not ask; the counts are TLC's."""
    spec = """
        EXTENDS Naturals
        VARIABLES s, n
        Init == s = {"a"} /\\ n = 0
        Go(t) == n < 30 /\\ n' = n + 1 /\\ s' = (IF n = 26 THEN {7} ELSE s)
        Next == \\E t \\in s : Go(t)
        Spec == Init /\\ [][Next]_<<s, n>>
        Fine == \\A t \\in s : n <= 30 \\/ t = t
    """
    report = check(tmp_path, spec, "SPECIFICATION Spec\nINVARIANT Fine\nCHECK_DEADLOCK FALSE")
    assert (verdicts(report), counts(report)) == ({"Fine": "HOLDS"}, (31, 31, 31))
