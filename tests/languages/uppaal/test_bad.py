"""Models with one mistake each, and how it is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.uppaal.support import Source, Template

CLOCKS = "clock x, y; int n; const int N = 2; chan c; urgent chan u; int a[2]; typedef struct { int f; } S; S s;\n"
FUNCTIONS = "int one(int i) { return i; } void set(int &i) { i = 1; }\n"


@pytest.mark.parametrize(
    ("kind", "text", "mistake"),
    [
        ("guard", "m > 0", "unknown name 'm'; declared: x, y, n, N, c, u, a, s, one, set"),
        ("guard", "sett > 0", "unknown name 'sett' (did you mean 'set'?); declared: x, y, n, N, c, u, a, s, one, set"),
        ("guard", "x + 1", "the clock 'x' stands in an integer expression"),
        ("guard", "a[x] > 0", "the index 'x' is a clock, where a number is wanted"),
        ("guard", "x * 2 > 3", "the clock 'x' stands in an integer expression"),
        ("guard", "n[0] > 1", "'n' is an int, not an array, and has no index"),
        ("guard", "n.f > 1", "'n' is an int, which has no fields"),
        ("guard", "s.g > 1", "'s' has no field 'g'; declared: f"),
        ("guard", "s > 1", "'s' is a struct { int f; }, where a number or truth value is wanted"),
        ("guard", "a == s", "'a == s' compares an array of int with a struct { int f; }"),
        ("guard", "c", "'c' is a chan, where a condition is wanted"),
        ("guard", "n = 1", "'n = 1' changes variables, which a condition must not"),
        ("guard", "x == 1.5", "the number 1.5 is no integer; floating point is not supported"),
        ("guard", "n > 99999999999", "the number 99999999999 needs more than 32 bits"),
        ("guard", "n ** 2 > 3", "the operator '**' is not supported"),
        ("guard", "one(1, 2) > 0", "'one' takes 1 argument, not 2"),
        ("guard", "one(x) > 0", "the clock 'x' stands in an integer expression"),
        ("guard", "one(a) > 0", "'a' is an array of int, where an int is wanted"),
        ("guard", "two(1) > 0", "unknown function 'two'; declared: one, set"),
        ("guard", "n(1) > 0", "'n' is no function"),
        ("guard", "S > 0", "'S' is a type, where a value is wanted"),
        ("guard", "one > 0", "'one' is a function, where a value is wanted"),
        ("guard", "deadlock", "'deadlock' belongs into queries"),
        ("guard", "n >", "found the end, expected an expression"),
        ("guard", "n > 1)", "found ')', which does not fit here"),
        ("guard", "n > 1 /* open", "this comment is not closed by '*/'"),
        ("guard", "n § 1", "no use for the character '§' here"),
        ("guard", "forall (i : clock) i > 1", "'i' ranges over a clock, which has no finite set of values"),
        ("guard", "forall (i : T) i > 1", "unknown type 'T'; declared: S"),
        ("update", "N = 3", "'N' is constant and cannot be assigned to"),
        ("update", "n + 1 = 3", "'n + 1' cannot be assigned to"),
        ("update", "n = x", "the clock 'x' stands in an integer expression"),
        ("update", "x += 1", "a clock is set by '=', not by '+='"),
        ("update", "x = a", "'x = a' assigns an array of int to a clock"),
        ("update", "a = 1", "'a = 1' assigns an int[1,1] to an array of int"),
        ("update", "c = 1", "the channel 'c' cannot be assigned to"),
        ("update", "set(3)", "'3' cannot be passed by reference"),
        ("update", "set(N)", "'N' cannot be passed by reference"),
        ("update", "s.f++, x++", "'x' is a clock, where a number is wanted"),
        ("update", "n = set(n)", "'n = set(n)' assigns a void to an int"),
        ("sync", "n!", "'n' is an int, where a channel is wanted"),
        ("sync", "c", "found the end, expected '!' or '?'"),
        ("select", "i : int[0,100000]", "'i' ranges over more than 100000 values"),
        ("select", "i", "found the end, expected ':'"),
        ("probability", "3", "probabilities are stochastic, which is not supported"),
    ],
)
def test_labels_of_edges(tmp_path: Path, kind: str, text: str, mistake: str) -> None:
    source = Source([Template("P", ["A", "B"], [("A", "B", {kind: text})])], CLOCKS + FUNCTIONS)
    place, _, told = source.mistake(tmp_path).partition(" of the edge A → B of template P: ")
    assert told == mistake
    assert place.startswith("model.xml:11:")
    assert place.endswith({"sync": "synchronisation"}.get(kind, kind))


def test_a_clock_with_an_urgent_channel(tmp_path: Path) -> None:
    source = Source([Template("P", ["A"], [("A", "A", {"guard": "x > 1", "sync": "u!"})])], CLOCKS)
    assert source.mistake(tmp_path) == (
        "model.xml:9:67: the guard of the edge A → A of template P: the channel 'u' is urgent, so no clock may be in"
        " the guard"
    )


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("x != 5", "'x != 5': an invariant compares clocks by <, <=, > and >="),
        ("x == 5", "'x == 5': an invariant compares clocks by <, <=, > and >="),
        ("!(x == 5)", "'x == 5': an invariant compares clocks by <, <=, > and >="),
        ("x < 5 || y < 5", "'x < 5 || y < 5': an invariant is no disjunction of bounds on clocks"),
        ("x' == 0", "'x' == 0': a clock that stops or runs at another rate than 1 is not supported"),
        ("x' == n && x < 5", "'x' == n': a clock that stops or runs at another rate than 1 is not supported"),
        ("deadlock", "'deadlock' belongs into queries"),
    ],
)
def test_invariants(tmp_path: Path, text: str, mistake: str) -> None:
    source = Source([Template("P", [f"A: {text}"])], CLOCKS)
    place, _, told = source.mistake(tmp_path).partition(": the invariant of the location A of template P: ")
    assert told == mistake
    assert place.startswith("model.xml:7:")


@pytest.mark.parametrize(
    ("text", "mistake"),
    [
        ("int n; bool n;", "3:31: the declarations: 'n' is declared twice"),
        ("int n = m;", "3:27: the declarations: unknown name 'm'"),
        ("const int n;", "3:29: the declarations: the constant 'n' has no value"),
        ("int[3,2] n;", "3:28: the declarations: 'n' has the range int[3,2], which is empty"),
        ("int a[0];", "3:25: the declarations: an array has at least one element, not 0"),
        ("int m; int a[m];", "3:32: the declarations: 'm' is not constant"),
        ("int a[1 / 0];", "3:25: the declarations: '1 / 0' divides 1 by zero"),
        ("int a[2] = {1};", "3:30: the declarations: '{1}' has 1 value for an array of 2"),
        ("int n = {1};", "3:27: the declarations: values in braces stand where an int is wanted"),
        ("int[0,3] n = 4;", "3:32: the declarations: '4' gives 'n' the value 4, which is not within 0 to 3"),
        (
            "struct { int f; } s = {g: 1};",
            "3:41: the declarations: the field 'g' is unknown or given twice; declared: f",
        ),
        ("void v;", "3:24: the declarations: 'v' cannot be void"),
        ("double d;", "3:19: the declarations: the type 'double' is not supported"),
        ("hybrid clock x;", "3:19: the declarations: hybrid clocks are not supported"),
        ("clock x = 3;", "3:25: the declarations: a clock has no first value"),
        ("const clock x;", "3:31: the declarations: the constant 'x' has no value"),
        ("urgent int n;", "3:19: the declarations: only channels are urgent or broadcast, not 'urgent int'"),
        ('import "lib" { int f(); };', "3:19: the declarations: external functions ('import') are not supported"),
        ("dynamic T();", "3:19: the declarations: dynamic templates are not supported"),
        ("int f() { return f(); }", "3:36: the declarations: the function 'f' calls itself, which is not possible"),
        ("int f() { return; }", "3:29: the declarations: a value of the type int has to be returned"),
        ("void f() { return 1; }", "3:30: the declarations: a void function returns no value"),
        ("void f() { clock x; }", "3:36: the declarations: a clock cannot be declared within a function"),
        ("void f(clock x) { }", "3:26: the declarations: a clock is passed by reference: write '&' before 'x'"),
        ("void f() { g(); } void g() { }", "3:30: the declarations: unknown function 'g'; declared: f"),
        ("int f() { spawn P(); }", "3:29: the declarations: processes that are spawned are not supported"),
        ("int n", "3:24: the declarations: found the end, expected '=', ':=', ',', '(', '[' or ';'"),
        ("int int;", "3:23: the declarations: found 'int', expected '[' or a name"),
        ("chan priority c;", "3:33: the declarations: unknown name 'c'"),
        (
            "scalar[2] s; int a[2]; int f() { return a[s]; }",
            "3:61: the declarations: the index 's' is a scalar[2], where a number is wanted",
        ),
    ],
)
def test_declarations(tmp_path: Path, text: str, mistake: str) -> None:
    assert Source([Template("P")], text).mistake(tmp_path) == f"model.xml:{mistake}"


@pytest.mark.parametrize(
    ("parameters", "system", "mistake"),
    [
        ("", "system Q;", "unknown template or process 'Q'; declared: P"),
        ("", "system P, P;", "'P' is in the system twice"),
        ("", "R = Q(); system R;", "unknown template 'Q'; declared: P"),
        ("", "R = P(1); system R;", "'P' takes 0 arguments, not 1"),
        (
            "const int i",
            "system P;",
            "the parameter 'i' of 'P' is an int, which has no small set of values: give it an argument",
        ),
        ("const int[0,1] i", "R = P(2); system R;", "'2' is 2, which is not within 0 to 1"),
        ("int &i", "R = P(2); system R;", "'2' cannot be passed by reference"),
        ("const int i", "R = P(n); system R;", "'n' is not constant, so it cannot be passed by value"),
        ("const int i", "R = P(x); system R;", "'x' is a clock, where an int is wanted"),
        ("", "R = P();", "found the end, expected a declaration or 'system'"),
        ("", "", "found the end, expected a declaration or 'system'"),
    ],
)
def test_systems(tmp_path: Path, parameters: str, system: str, mistake: str) -> None:
    source = Source([Template("P", parameters=parameters)], "int n; clock x;", system or " ")
    _, _, told = source.mistake(tmp_path).partition(": the system section: ")
    assert told == mistake


def test_clocks_as_values(tmp_path: Path) -> None:
    source = Source([Template("P", parameters="clock c")], "clock x;", "R = P(x); system R;")
    assert source.mistake(tmp_path) == (
        "model.xml:4:36: the parameters of template P: a clock is passed by reference: write '&' before 'c'"
    )


def test_a_deep_expression(tmp_path: Path) -> None:
    source = Source([Template("P", ["A"], [("A", "A", {"guard": "(" * 3000 + "true" + ")" * 3000})])])
    assert source.load(tmp_path).events() == ["P: A → A"]
    source = Source([Template("P", ["A"], [("A", "A", {"guard": "!" * 30_000 + "true"})])])
    assert source.mistake(tmp_path) == "model.xml: an expression nests too deeply"
