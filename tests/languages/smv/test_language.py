"""One test an item of the language."""

from __future__ import annotations

import pytest
from tests.languages.smv.checking import report, states, verdicts

from homing.languages.smv import model
from homing.languages.smv.tokens import Source


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("7 / -2", "-3"),
        ("-7 / 2", "-3"),
        ("-7 mod 2", "-1"),
        ("7 mod -2", "1"),
        ("2 + 3 * 4", "14"),
        ("10 - 3 - 2", "5"),
        ("abs(-3)", "3"),
        ("min(2, 5) + max(2, 5)", "7"),
        ("count(TRUE, FALSE, 1 = 1)", "2"),
        ("toint(TRUE) + toint(FALSE)", "1"),
        ("TRUE ? 1 : FALSE ? 2 : 3", "1"),
        ("case FALSE : 1; 2 > 1 : 2; TRUE : 3; esac", "2"),
        ("sizeof(0ud5_3)", "5"),
        ("toint(0sb4_1111)", "-1"),
        ("toint(0uh8_ff)", "255"),
    ],
)
def test_numbers(expression: str, value: str) -> None:
    assert verdicts(f"MODULE main INVARSPEC ({expression}) = {value}") == "H"


@pytest.mark.parametrize(
    "truth",
    [
        "TRUE & TRUE -> FALSE | TRUE",
        "FALSE -> FALSE -> FALSE",  # to the right
        "!FALSE = TRUE",  # ! binds more tightly than =
        "!(FALSE & TRUE | FALSE)",
        "TRUE xor FALSE",
        "TRUE xnor TRUE",
        "(TRUE <-> FALSE) = FALSE",
        "a in {a, b}",
        "{a} union {b} in {a, b, 3}",
        "!(a in {b} union {3})",
        "2 in 1..3",
        "!(4 in 1..3)",
        "bool(1) & !bool(0)",
        "bool(0ub1_1)",
        "a != b",
        "0ud4_15 + 0ud4_1 = 0ud4_0",
        "0sd4_7 + 0sd4_1 = -0sd4_8",
        "(0ub4_1100 & 0ub4_1010) = 0ub4_1000",
        "(0ub4_1100 | 0ub4_1010) = 0ub4_1110",
        "(0ub4_1100 xor 0ub4_1010) = 0ub4_0110",
        "!0ub4_1100 = 0ub4_0011",
        "0ub4_1100 >> 2 = 0ub4_0011",
        "0ub4_0011 << 1 = 0ub4_0110",
        "0ub2_10 :: 0ub2_01 = 0ub4_1001",
        "0ub4_1001 [3:2] = 0ub2_10",
        "extend(0sb2_10, 2) = 0sb4_1110",
        "resize(0ub4_1011, 2) = 0ub2_11",
        "signed(0ub4_1111) = 0sb4_1111",
        "unsigned(0sb4_1111) = 0ud4_15",
        "word1(TRUE) = 0ub1_1",
        "uwconst(5, 4) = 0ud4_5",
        "swconst(-5, 4) = -0sd4_5",
        "0ud4_3 < 0ud4_12",
    ],
)
def test_truths(truth: str) -> None:
    assert verdicts(f"MODULE main CONSTANTS a, b; INVARSPEC {truth}") == "H"


def test_types_of_variables() -> None:
    text = "MODULE main VAR a : boolean; b : {x, 3, y}; c : -1..0; d : unsigned word[1]; e : signed word[1];"
    assert len(states(text)) == 2 * 3 * 2 * 2 * 2


def test_arrays() -> None:
    text = """MODULE main
    VAR a : array 1..3 of 0..3; i : 1..3; m : array 0..1 of array 0..1 of boolean;
    ASSIGN init(a[1]) := 3; init(a[2]) := 1; init(a[3]) := 2; init(i) := 1;
      next(a[1]) := a[1]; next(a[2]) := a[2]; next(a[3]) := a[3]; next(i) := a[i];
      init(m[0][0]) := TRUE; init(m[0][1]) := FALSE; init(m[1][0]) := FALSE; init(m[1][1]) := TRUE;
      next(m[0][0]) := m[0][0]; next(m[0][1]) := m[0][1]; next(m[1][0]) := m[1][0]; next(m[1][1]) := m[1][1];
    INVARSPEC m[i mod 2][i mod 2]
    LTLSPEC i = 1 & X i = 3 & X X i = 2 & X X X i = 1"""
    assert verdicts(text) == "HH"


def test_an_array_of_constants() -> None:
    assert verdicts("MODULE main VAR i : 0..2; DEFINE square := [0, 1, 4]; INVARSPEC square[i] = i * i") == "H"


def test_modules_take_what_they_are_given_by_reference() -> None:
    text = """MODULE main
    VAR one : cell(FALSE, two); two : cell(!one.out, one); three : plain; n : 0..1;
    ASSIGN init(n) := 0; next(n) := 1 - n;
    INVARSPEC two.given = !one.out & three.me.x = three.x
    MODULE cell(given, other) VAR out : boolean; ASSIGN init(out) := FALSE; next(out) := given;
      INVARSPEC other.other.out = out
    MODULE plain VAR x : boolean; DEFINE me := self;"""
    assert verdicts(text) == "HHH"
    assert [result.property for result in report(text).results][1:] == [
        "other.other.out = out IN one",
        "other.other.out = out IN two",
    ]


def test_a_parameter_may_be_an_expression_of_next() -> None:
    text = """MODULE main VAR x : 0..3; d : double(x mod 2 = 0); ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
    CTLSPEC AG (d.seen <-> x mod 2 = 0)
    MODULE double(even) VAR seen : boolean; ASSIGN init(seen) := even; next(seen) := next(even);"""
    assert verdicts(text) == "H"


def test_definitions_may_come_later_and_use_others() -> None:
    assert verdicts("MODULE main INVARSPEC c DEFINE c := b & b; b := a = 3; a := 1 + 2;") == "H"


def test_definitions_inside_of_an_instance() -> None:
    text = """MODULE main VAR one : m(nobody); DEFINE one.token := x; x := TRUE; INVARSPEC one.token & one.seen
    MODULE m(unused) DEFINE seen := token;"""
    assert verdicts(text) == "H"


def test_frozen_variables_keep_their_value() -> None:
    text = """MODULE main FROZENVAR f : 0..2; VAR x : 0..2; INIT f != 1 ASSIGN init(x) := f; next(x) := f;
    LTLSPEC f = 0 | G f = 2
    LTLSPEC G f = 0"""
    assert verdicts(text) == "HV"
    assert states(text) == {(0, 0), (2, 2)}


def test_inputs_are_chosen_at_each_step() -> None:
    text = """MODULE main IVAR i : boolean; j : 0..1; VAR x : boolean; y : boolean; z : 0..1;
    ASSIGN init(x) := FALSE; init(y) := FALSE; init(z) := 0; next(x) := i; next(y) := !i; next(z) := j;
    CTLSPEC AX (x xor y)
    CTLSPEC EX (x & z = 1) & EX (x & z = 0)
    LTLSPEC G (i -> X x)
    LTLSPEC G (x -> X i)
    LTLSPEC G (i & j = 1 -> X (x & !y & z = 1))"""
    assert verdicts(text) == "HHHVH"


def test_an_input_may_be_constrained() -> None:
    text = """MODULE main IVAR i : 0..2; VAR x : 0..2; ASSIGN init(x) := 0; next(x) := i; TRANS i != x
    CTLSPEC AG AX x in {0, 1, 2} & AG (x = 1 -> AX x != 1)"""
    assert verdicts(text) == "H"


def test_an_unassigned_variable_is_free() -> None:
    assert verdicts("MODULE main VAR x : 0..2; CTLSPEC AG (EX x = 0 & EX x = 1 & EX x = 2)") == "H"


def test_assigned_sets() -> None:
    text = """MODULE main VAR x : 0..4; y : {a, b, c};
    ASSIGN init(x) := {0, 2} union 4; next(x) := case x < 4 : x..4; TRUE : 0; esac;
      init(y) := a; next(y) := y = a ? {b, c} : {a};
    CTLSPEC !EX y = a & EX y = b & EX y = c"""
    assert verdicts(text) == "H"
    assert {x for x, _ in states(text)} == {0, 1, 2, 3, 4}


def test_a_variable_as_a_whole() -> None:
    """It follows from the others: as a value, or as a choice."""
    text = """MODULE main VAR x : 0..3; odd : boolean; any : {0, 1, 2, 3};
    ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; odd := x mod 2 = 1; any := odd ? {0, 1} : x;
    INVARSPEC odd -> any < 2
    CTLSPEC AG (!odd -> EX any = 0 & EX any = 1)"""
    assert verdicts(text) == "HH"
    assert states(text) == {(0, False, 0), (1, True, 0), (1, True, 1), (2, False, 2), (3, True, 0), (3, True, 1)}


def test_next_of_another_variable() -> None:
    text = "MODULE main VAR x : 0..3; y : 0..3; ASSIGN next(x) := {0, 1}; next(y) := next(x) + 1; LTLSPEC X G y = x + 1"
    assert verdicts(text) == "H"


def test_constraints() -> None:
    text = """MODULE main VAR x : 0..9; y : 0..9; z : 0..9;
    INIT x + y = 3 & z = 0
    INVAR x <= y
    TRANS next(x) + next(y) = 4 | next(x) + next(y) = 3
    TRANS (x = 0 -> next(x) != 0) & next(z) = z"""
    assert states(text) == {(0, 3, 0), (1, 2, 0), (2, 2, 0), (1, 3, 0), (0, 4, 0)}


def test_steps_as_a_disjunction() -> None:
    """As interleaving is written."""
    count = 9
    names = [f"v{n}" for n in range(count)]
    steps = " | ".join(
        f"(v{n} < 1 & next(v{n}) = v{n} + 1 & " + " & ".join(f"next({x}) = {x}" for x in names if x != f"v{n}") + ")"
        for n in range(count)
    )
    text = "MODULE main VAR " + " ".join(f"{name} : 0..1;" for name in names)
    text += " INIT " + " & ".join(f"{name} = 0" for name in names) + f" TRANS {steps}"
    assert len(states(text)) == 2**count


def test_old_truth_values() -> None:
    """0 and 1 where truth values are wanted, as older versions have it."""
    text = """MODULE main VAR x : boolean; ASSIGN init(x) := 0; next(x) := case x = 1 : 0; 1 : {0, 1}; esac;
    SPEC AG (x -> AX !x)"""
    assert verdicts(text) == "H"


def test_comments_names_and_semicolons() -> None:
    text = """/-- a comment
    over lines --/ MODULE main -- and one to the end
    VAR a-b : boolean; x$1 : boolean; INIT a-b; INVAR a-b
    ;;SPEC AG a-b; LTLSPEC a-b->F a-b"""
    assert verdicts(text) == "HH"


def test_the_order_of_temporal_operators() -> None:
    """Less tightly than `=`, more than `&`."""
    text = "MODULE main VAR x : 0..1; ASSIGN init(x) := 0; next(x) := 1 - x; SPEC {} LTLSPEC {}"
    assert verdicts(text.format("AF x = 1 & !AG x = 1", "F x = 1 & !G x = 1 & x = 0 U x = 1")) == "HH"


def test_ctl() -> None:
    text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := {x, (x + 1) mod 4}; " + "".join(
        f"CTLSPEC {formula}\n"
        for formula in (
            "EX x = 1",
            "AX x = 1",
            "EG x = 0",
            "AF x = 1",
            "AG EF x = 0",
            "E [x < 3 U x = 3]",
            "A [x < 3 U x = 3]",
            "EBF 0..2 x = 3",
            "EBF 0..3 x = 3",
            "EBF 3..3 x = 3",
            "ABG 0..2 x < 3",
            "ABF 0..9 x = 1",
            "EBG 1..4 x = 1",
            "E [x < 3 BU 3..5 x = 3]",
            "A [x < 3 BU 0..9 x = 3]",
        )
    )
    assert verdicts(text) == "HVHVHHVVHHHVHHV"


def test_ltl_with_past() -> None:
    text = "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; " + "".join(
        f"LTLSPEC {formula}\n"
        for formula in (
            "G (x = 2 -> Y x = 1)",
            "Y TRUE",
            "Z FALSE",
            "G (x = 3 -> O x = 1)",
            "G H x < 3",
            "G (x = 3 -> x > 0 S x = 1)",
            "x = 3 V x < 3",
            "G (x = 1 -> (x = 1 T x < 2))",
            "F [0, 2] x = 3",
            "F [1, 3] x = 3",
            "G [2, 3] x > 1",
            "G (x = 3 -> O [1, 2] x = 1)",
            "G [4, inf] x < 9",
            "x < 3 U x = 3",
        )
    )
    assert verdicts(text) == "HVHHVHVHVHHHHH"


def test_fairness() -> None:
    """CTL speaks of fair paths, too."""
    text = """MODULE main VAR x : boolean; y : boolean; INIT !x {}
    CTLSPEC AG AF x
    LTLSPEC G F x
    LTLSPEC (G F y) -> G F x
    CTLSPEC EG !x"""
    assert verdicts(text.format("")) == "VVVH"
    assert verdicts(text.format("FAIRNESS x")) == "HHHV"
    assert verdicts(text.format("JUSTICE x;")) == "HHHV"
    assert verdicts(text.format("COMPASSION (y, x)")) == "VVHH"


def test_fairness_of_inputs() -> None:
    text = (
        "MODULE main IVAR i : boolean; VAR x : boolean; ASSIGN next(x) := i; FAIRNESS i CTLSPEC AG AF x LTLSPEC G F x"
    )
    assert verdicts(text) == "HH"


def test_names_of_specifications() -> None:
    text = """MODULE main VAR x : boolean; CTLSPEC NAME one := AG x; LTLSPEC NAME two := G  x;
    INVARSPEC NAME three := x; SPEC AG -- comment
       x; SPEC AG x"""
    names = [result.property for result in report(text).results]
    assert names == ["one", "two", "three", "AG x", "AG x (line 3)"]


def test_a_file_that_asks_nothing() -> None:
    """It is asked for states without successor, which NuSMV warns of."""
    text = "MODULE main VAR x : 0..1; INIT x = 0 TRANS next(x) > x"
    assert [(r.property, r.verdict.name) for r in report(text).results] == [
        ("the transition relation is total", "VIOLATED")
    ]


def test_only_infinite_paths_count() -> None:
    text = """MODULE main VAR x : 0..3; INIT x = 0
    TRANS (x = 0 & next(x) in {1, 2}) | (x = 2 & next(x) = 2)
    CTLSPEC AX x = 2
    CTLSPEC EF x = 1
    LTLSPEC X x = 2
    INVARSPEC x != 1"""
    assert verdicts(text) == "HVHV"
    reasons = {result.reason for result in report(text).results if result.reason is not None}
    assert reasons == {
        "the transition relation is not total: a state has no successor, such as x = 1; paths that end do not count"
    }


def test_groups_read_little() -> None:
    """Each variable is a group, unless something ties it to others; what never changes is written by none."""
    text = """MODULE main VAR a : boolean; b : boolean; c : boolean; d : boolean; e : boolean; f : boolean; g : boolean;
    ASSIGN next(a) := b; next(b) := next(c); next(d) := d; e := a & b; TRANS next(f) = a INVAR a | g"""
    shape = model(Source("x.smv", text)).system.shape
    assert [str(slot) for slot in shape.slots] == ["a", "b", "c", "d", "f", "g"]
    written = [{str(shape.slots[slot]) for slot in group.writes} for group in shape.groups]
    assert sorted(map(sorted, written)) == [["a", "g"], ["b", "c"], ["f"]]


def test_deep_definitions_are_evaluated_once() -> None:
    chain = " ".join(f"d{n} := (d{n - 1} xor x) | (d{n - 1} & y);" for n in range(1, 200))
    assert verdicts(f"MODULE main VAR x : boolean; y : boolean; DEFINE d0 := x; {chain} INVARSPEC d199 | TRUE") == "H"
