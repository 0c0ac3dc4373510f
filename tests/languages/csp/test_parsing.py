"""CSP# is read as PAT reads it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.csp.printing import block, bracketed, event_set, process

from homing.core.errors import HomingError, Place
from homing.languages.common.files import text_of
from homing.languages.csp import syntax as s
from homing.languages.csp.parsing import MOST_CHARACTERS, parse
from homing.languages.csp.resolving import check
from homing.languages.csp.scope import Scope, binds

MODELS = sorted(
    file for folder in ("models", "benchmarks") for file in (Path(__file__).parents[3] / folder).rglob("*.csp")
)


def body(text: str) -> str:
    """The process P of a text, with all brackets."""
    return next(process(one.body) for one in parse(text, "t.csp").definitions if one.name == "P")


def value(text: str) -> str:
    """An expression, with all brackets."""
    found = parse(f"var v = {text};", "t.csp").variables[0].value
    assert found is not None
    return bracketed(found)


def formula(text: str) -> str:
    """A formula, with all brackets and with events in angles; x, y and goal speak of the state."""
    ask = parse(f"var x; var y; #define goal x > 0; #assert P |= {text};", "t.csp").assertions[0]
    assert isinstance(ask, s.Satisfies)
    return bracketed(ask.formula)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("A ||| B || C", "(A() ||| (B() || C()))"),
        ("A || B [] C", "(A() || (B() [] C()))"),
        ("A [] B <> C", "(A() [] (B() <> C()))"),
        ("A <> B [*] C", "(A() <> (B() [*] C()))"),
        ("A [*] B interrupt C", "(A() [*] (B() interrupt C()))"),
        ("A interrupt B; C", "(A() interrupt (B() ; C()))"),
        (r"A; B \ {e}", r"((A() ; B()) \ {e})"),
        (r"A ||| B \ {e} ||| C", r"(A() ||| (B() \ {e}) ||| C())"),
        (r"A interrupt B \ {e}", r"(A() interrupt (B() \ {e}))"),
        (r"(A \ {e}); B", r"((A() \ {e}) ; B())"),
        (r"a -> b -> A \ {a}", r"((a -> (b -> A())) \ {a})"),
        ("A ||| B ||| C", "(A() ||| B() ||| C())"),
        ("(A ||| B) ||| C", "((A() ||| B()) ||| C())"),
        ("a -> A; B", "((a -> A()) ; B())"),
        ("a -> A [] b -> B", "((a -> A()) [] (b -> B()))"),
        ("[x > 0] a -> A [] B", "(([(x > 0)] (a -> A())) [] B())"),
        ("[x > 0] A; B", "(([(x > 0)] A()) ; B())"),
        ("if (x > 0) {A} else {B}; C", "(if ((x > 0)) {A()} else {B()} ; C())"),
        ("||| i:{0..2} @ A(i); B", "(||| i:{0..2} @ (A(i) ; B()))"),
        ("||| i:{0..2} @ A(i) ||| B", "(||| i:{0..2} @ (A(i) ||| B()))"),
        ("A ||| [] i:{0..1} @ B(i) ||| C", "(A() ||| ([] i:{0..1} @ (B(i) ||| C())))"),
        ("||| i:{0..1}; j:{1, 3} @ A(i, j)", "(||| i:{0..1}; j:{1, 3} @ A(i, j))"),
        ("|||{3}@A()", "(||| {3} @ A())"),
        ("|| i:{0..1} @ A(i)", "(|| i:{0..1} @ A(i))"),
        ("<> i:{0..1} @ A(i)", "(<> i:{0..1} @ A(i))"),
        ("[*] i:{0..1} @ A(i)", "([*] i:{0..1} @ A(i))"),
    ],
)
def test_precedence_of_processes(text: str, read_as: str) -> None:
    assert body(f"P = {text};") == read_as


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("a -> b.1.x.(x+1) -> Skip", "(a -> (b.1.x.(x + 1) -> Skip))"),
        ("a.b[0][1] -> Stop", "(a.b[0][1] -> Stop)"),
        ("a.x+1.(x+1)%N -> Skip()", "(a.(x + 1).((x + 1) % N) -> Skip)"),
        ("a{x = 1} -> Stop()", "(a{x = 1;} -> Stop)"),
        ("a{x = 1; y++;} -> Stop", "(a{x = 1; y = (y + 1);} -> Stop)"),
        ("{x--} -> Stop", "(tau{x = (x - 1);} -> Stop)"),
        ("tau -> tau{;} -> Stop", "(tau -> (tau{} -> Stop))"),
        ("(a, b.1, tau) -> Stop", "((a -> Stop) [] (b.1 -> Stop) [] (tau -> Stop))"),
        ("[x > 0] (a) -> Stop", "([(x > 0)] (a -> Stop))"),
        ("c!1.x+1 -> Stop", "(c!1.(x + 1) -> Stop)"),
        ("c[i]!1{x = 1} -> Stop", "(c[i]!1{x = 1;} -> Stop)"),
        ("c?[x > y]y.5 -> Stop", "(c?[(x > y)]y.5 -> Stop)"),
        ("c[i+1]?[y > 1](y) -> Stop", "(c[(i + 1)]?[(y > 1)]y -> Stop)"),
        ("c?x == 1.2{y = x} -> Stop", "(c?(x == 1).2{y = x;} -> Stop)"),
        ("c!(x) -> (a -> Stop)", "(c!x -> (a -> Stop))"),
        ("if (x > 0) {A} else ifa (y) {B}", "if ((x > 0)) {A()} else {ifa (y) {B()}}"),
        ("ifb (x > 0) {A}", "ifb ((x > 0)) {A()}"),
        ("case {x > 0: A() !y: B() (y): C default: Stop}", "case {(x > 0): A(); (!y): B(); y: C(); default: Stop}"),
        ("case {x: a -> A [] B y: C; D}", "case {x: ((a -> A()) [] B()); y: (C() ; D())}"),
        ("atomic {a -> A ||| B}", "atomic {((a -> A()) ||| B())}"),
        ("assert(x > 0); A(1, y)", "(assert((x > 0)) ; A(1, y))"),
        (r"A \ {a, b.1, i:{0..1}; j:{2} @ c.i.j}", r"(A() \ {a, b.1, i:{0..1}; j:{2}@c.i.j})"),
        ("[|| i:{0..2}@(b[i] > 0)] A", "([(|| i:{0..2} @ (b[i] > 0))] A())"),
    ],
)
def test_processes(text: str, read_as: str) -> None:
    assert body(f"P = {text};") == read_as


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("a || b && c", "(a || (b && c))"),
        ("a && b xor c", "(a && (b xor c))"),
        ("a xor b & c", "(a xor (b & c))"),
        ("a & b | c ^ d", "(((a & b) | c) ^ d)"),
        ("a & b == 0", "(a & (b == 0))"),
        ("a == b < c", "(a == (b < c))"),
        ("a < b + 1", "(a < (b + 1))"),
        ("a - b - c", "((a - b) - c)"),
        ("a + b * c % d / e", "(a + (((b * c) % d) / e))"),
        ("-a * - 3", "((-a) * (-3))"),
        ("+a - +b", "(a - b)"),
        ("!a && !(b || c)", "((!a) && (!(b || c)))"),
        ("a<-1", "(a < (-1))"),
        ("m[1][i + 1] >= f(2, x)", "(m[1][(i + 1)] >= f(2, x))"),
        ("call(cfull, c) || call(f)", "(cfull(c) || f())"),
        ("&& i:{0..2}; j:{1}@ m[i] > 0 && b", "(&& i:{0..2}; j:{1} @ ((m[i] > 0) && b))"),
        ("a || && i:{0..2} @ m[i] || b", "(a || (&& i:{0..2} @ (m[i] || b)))"),
        ("true && false", "(true && false)"),
        ("[1(3), 2..5, N(2), x, 9..7]", "[1(3), 2..5, N(2), x, 9..7]"),
    ],
)
def test_expressions(text: str, read_as: str) -> None:
    assert value(text) == read_as


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("[] <> a", "([] (<> <a>))"),
        ("[](a -> <> b.1)", "([] (<a> -> (<> <b.1>)))"),
        # As PAT has it: one level, from left to right.
        ("a -> b || c", "((<a> -> <b>) || <c>)"),
        ("a || b && c", "((<a> || <b>) && <c>)"),
        ("a && b U c", "(<a> && (<b> U <c>))"),
        ("a U b V c", "((<a> U <b>) R <c>)"),
        ("a R b W c", "((<a> R <b>) W <c>)"),
        ("!a U X b", "((! <a>) U (X <b>))"),
        ("G F a <-> goal", "(([] (<> <a>)) <-> goal)"),
        (r"a /\ b \/ c", "((<a> && <b>) || <c>)"),
        ("[] x > 0 && y == 1", "(([] (x > 0)) && (y == 1))"),
        ("[](x + 1 > 0 && y == -1)", "([] (((x + 1) > 0) && (y == (-1))))"),
        ("!goal -> true", "((!goal) -> true)"),
        ("<> c!1.2 && c?1 || c.3", "(((<> <c!1.2>) && <c?1>) || <c.3>)"),
        ("[] d[1]!x+1 -> a", "(([] <d[1]!(x + 1)>) -> <a>)"),
        ('<> "c!1.2" && "eat.0"', "((<> <c!1.2>) && <eat.0>)"),
        ("[] call(cempty, c)", "([] cempty(c))"),
        ("U && W", "(<U> && <W>)"),
    ],
)
def test_formulas(text: str, read_as: str) -> None:
    assert formula(text) == read_as


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("x = 1", "{x = 1;}"),
        ("a[x][1] = 2;", "{a[x][1] = 2;}"),
        ("x++; a[1]--", "{x = (x + 1); a[1] = (a[1] - 1);}"),
        ("x = y = 1", "{y = 1; x = y;}"),
        ("x = y++", "{y = (y + 1); x = y;}"),
        ("if (x > 0) {x = 1} else {x = 2}", "{if ((x > 0)){x = 1;} else{x = 2;}}"),
        ("if (x) if (y) x = 1; else x = 2;", "{if (x){if (y){x = 1;} else{x = 2;}}}"),
        ("while (x < 3) x++;", "{while ((x < 3)){x = (x + 1);}}"),
        ("var t; var u = 2; x = t", "{var t; var u = 2; x = t;}"),
        ("{var t = 1; x = t} y = 1;", "{if (true){var t = 1; x = t;} y = 1;}"),
        ("reset; put(1); call(put, x)", "{x = 0; y = 0; x = 1; x = x;}"),
        ("twice(3)", "{if (true){var t = 3; x = (t + t);}}"),
    ],
)
def test_statements(text: str, read_as: str) -> None:
    macros = "#define put(v) {x = v}; #define reset {x = 0; y = 0;}; #define twice(v) {var t = v; x = t + t};"
    definition = parse(f"{macros} P = e{{{text}}} -> Skip;", "t.csp").definitions[0]
    assert isinstance(definition.body, s.Prefix)
    assert block(definition.body.statements) == read_as


def test_semicolons_end_declarations_or_make_sequences() -> None:
    text = "A = B; C; D(1); B() = Skip; C = a -> Skip; (b -> Skip); D(x) = A; channel c 0; E = A; var x; F = A;"
    found = {one.name: process(one.body) for one in parse(text, "t.csp").definitions}
    assert found["A"] == "(B() ; C() ; D(1))"
    assert found["C"] == "((a -> Skip) ; (b -> Skip))"
    assert found["D"] == found["E"] == found["F"] == "A()"


def test_constants_and_macros() -> None:
    text = "#define N 3; #define M -2; #define on true; #define goal (x) > 0; #define f(a, b) a + b; #define g (x);"
    found = [(one.name, one.parameters, bracketed(one.body)) for one in parse(text, "t.csp").macros]
    assert found == [
        ("N", (), "3"),
        ("M", (), "(-2)"),
        ("on", (), "true"),
        ("goal", (), "(x > 0)"),
        ("f", ("a", "b"), "(a + b)"),
        ("g", (), "x"),
    ]


def test_enums_count_from_zero() -> None:
    found = [(one.name, bracketed(one.body)) for one in parse("enum {a, b}; enum {c};", "t.csp").macros]
    assert found == [("a", "0"), ("b", "1"), ("c", "0")]


def test_variables() -> None:
    text = "var x; hvar y:{0..N} = 1; var a[2][N]; var b = [1, 2]; var c[2]:{..3} = [0(2)]; var d:{1..};"
    found = parse(text, "t.csp").variables
    assert [one.name for one in found] == ["x", "y", "a", "b", "c", "d"]
    assert [one.hidden for one in found] == [False, True, False, False, False, False]
    assert [len(one.sizes) for one in found] == [0, 0, 2, 0, 1, 0]
    bounds = [[None if bound is None else bracketed(bound) for bound in (one.low, one.high)] for one in found]
    assert bounds[1] == ["0", "N"]
    assert bounds[4:] == [[None, "3"], ["1", None]]


def test_channels_and_alphabets() -> None:
    source = parse("channel c 0; channel d[N] 2*N; #alphabet P {e, i:{0..2}@f.i.(i+1)};", "t.csp")
    assert [(one.name, len(one.sizes), bracketed(one.capacity)) for one in source.channels] == [
        ("c", 0, "0"),
        ("d", 1, "(2 * N)"),
    ]
    assert [event_set(one) for one in source.alphabets[0].events] == ["e", "i:{0..2}@f.i.(i + 1)"]


def test_assertions() -> None:
    text = """
    #assert P deadlockfree; #assert P() nonterminating; # assert P divergencefree; #assert P(1) deterministic;
    #assert P reaches
        goal with min(x + 1);  #assert P refines /* weakly */ Q(2); #assert P refines<F> Q; #assert P refines <FD> Q;
    //@fairness process-weak
    #assert P |= [] a; // not a pragma: //@fairness none
    #assert P |= <> a;
    """
    found = parse(text, "t.csp").assertions
    assert [one.text for one in found] == [
        "P deadlockfree",
        "P() nonterminating",
        "P divergencefree",
        "P(1) deterministic",
        "P reaches goal with min(x + 1)",
        "P refines Q(2)",
        "P refines<F> Q",
        "P refines <FD> Q",
        "P |= [] a",
        "P |= <> a",
    ]
    assert [one.sense for one in found if isinstance(one, s.RefinesAssertion)] == ["T", "F", "FD"]
    assert [one.fairness for one in found if isinstance(one, s.Satisfies)] == ["process-weak", None]
    assert [(one.sense, bracketed(one.measure)) for one in found if isinstance(one, s.Reaches)] == [("min", "(x + 1)")]


def test_comments_and_line_ends() -> None:
    text = "\ufeff//@@Name@@\r\nvar x; /* a\r\n * b; */ var\ty; // last without line end"
    found = parse(text, "t.csp").variables
    assert [one.name for one in found] == ["x", "y"]
    assert found[1].place == Place("t.csp", 3, 10)


def test_a_file_without_anything_is_a_source() -> None:
    assert parse("", "t.csp") == s.Source("t.csp", (), (), (), (), (), ())


@pytest.mark.parametrize("file", MODELS, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_models_of_this_repository(file: Path) -> None:
    check(parse(text_of(file), file.name))


def test_what_an_input_binds() -> None:
    source = parse("#define N 3; var g; channel c 0; P(i) = c?x.N.i.(i+1).x2 -> Skip;", "t.csp")
    received = source.definitions[0].body
    assert isinstance(received, s.Input)
    scope = check(source)
    assert [binds(scope, {"i"}, field) for field in received.fields] == [True, False, False, False, True]
    assert not binds(Scope(), {"x"}, received.fields[0])


def test_messages_of_one_channel_may_differ_where_each_is_taken() -> None:
    check(parse("channel c 0; P = c!1 -> c!1.2 -> Skip; Q = c?x -> Skip [] c?x.y -> Skip;", "t.csp"))


def test_reading_says_what_is_wrong_with_a_file(tmp_path: Path) -> None:
    file = tmp_path / "m.csp"
    with pytest.raises(HomingError, match=r"m\.csp: cannot be read: no such file"):
        text_of(file)
    with pytest.raises(HomingError, match="cannot be read: is a directory"):
        text_of(tmp_path)
    file.write_bytes(b"var x;\nvar \xff;")
    with pytest.raises(HomingError, match=r"m\.csp:2:5: is no UTF-8 text: byte 0xff"):
        text_of(file)
    file.write_bytes(b"\xef\xbb\xbfvar x;")
    assert text_of(file) == "var x;"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("var x = " + "(" * 10_000 + "1" + ")" * 10_000 + ";", None),
        ("var x = " + "(" * 10_000, "found the end of the file, expected an expression"),
        ("var x = " + "- " * 10_000 + "1;", "levels deep"),
        ("var x = 1" + "+1" * 10_000 + ";", "levels deep"),
        ("P = " + "a -> " * 10_000 + "Skip;", "levels deep"),
        ("P = " + "(a -> " * 5_000 + "Skip" + ")" * 5_000 + ";", "levels deep"),
        ("P = Skip" + "; Skip" * 10_000 + ";", None),
        ("#assert P |= " + "[]" * 10_000 + "a;", "levels deep"),
        ("P = a" + "{" * 10_000, "found the end of the file"),
        ("#define m {x = 1" + "+1" * 10_000 + "}; P = a{m} -> Skip;", "levels deep"),
        ("/* " * 300_000, "comment is not closed"),
        ("}" * 10_000, "found '}', expected a declaration"),
        (" " * (MOST_CHARACTERS + 1), "more than 1000000 characters"),
    ],
    ids=lambda text: str(text)[:16],
)
def test_deep_and_large_texts(text: str, message: str | None) -> None:
    if message is None:
        parse(text, "t.csp")
        return
    with pytest.raises(HomingError) as error:
        parse(text, "t.csp")
    assert message in str(error.value)


def test_what_is_as_deep_as_allowed_can_be_checked() -> None:
    check(parse("P = " + "(a -> " * 240 + "Skip" + ")" * 240 + ";", "t.csp"))
    check(parse("var x = 1" + "+1" * 240 + ";", "t.csp"))
