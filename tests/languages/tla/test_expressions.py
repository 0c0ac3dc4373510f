"""Every kind of expression and every standard module, by value."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import value

from homing.core.errors import HomingError

VALUES = [
    # Logic
    ("TRUE /\\ ~FALSE", "TRUE"),
    ("FALSE => (1 = \"a\")", "TRUE"),
    ("(TRUE <=> FALSE) \\/ TRUE", "TRUE"),
    ("\\A x \\in 1..3, y \\in {4} : x < y", "TRUE"),
    ("\\E <<x, y>> \\in {<<1, 2>>, <<3, 3>>} : x = y", "TRUE"),
    ("\\A x \\in {} : FALSE", "TRUE"),
    # Numbers
    ("<<7 % 3, 7 \\div 2, -7 \\div 2, -7 % 3, 2^10, -3 - 4>>", "<<1, 3, -3, 2, 1024, -7>>"),
    ("3 \\in Nat /\\ -1 \\notin Nat /\\ -1 \\in Int /\\ 5 \\in Nat \\ {0}", "TRUE"),
    ("\\b101 + \\o17 + \\hFF", "275"),
    ("2..4", "{2, 3, 4}"),
    ("4..2", "{}"),
    ("999999 \\in 1..1000000", "TRUE"),
    # Sets
    ("{3, 1, 2, 1}", "{1, 2, 3}"),
    ("({1, 2} \\cup ({3} \\cap {3, 4})) \\ {4}", "{1, 2, 3}"),
    ("{x \\in 1..6 : x % 2 = 0}", "{2, 4, 6}"),
    ("{x * y : x \\in {1, 2}, y \\in {3, 4}}", "{3, 4, 6, 8}"),
    ("{<<x, y>> \\in (1..2) \\X (1..2) : x < y}", "{<<1, 2>>}"),
    ("SUBSET {1, 2}", "{{}, {1}, {2}, {1, 2}}"),
    ("UNION {{1}, {2, 3}, {}}", "{1, 2, 3}"),
    ("{1} \\subseteq {1, 2} /\\ {{1}} \\subseteq SUBSET Nat", "TRUE"),
    ("BOOLEAN", "{FALSE, TRUE}"),
    ("\"a\" \\in STRING", "TRUE"),
    ("<<1, \"a\", TRUE>> \\in Nat \\X STRING \\X BOOLEAN", "TRUE"),
    ("<<<<1, 2>>, 3>> \\in (Nat \\X Nat) \\X Nat", "TRUE"),
    # Functions, records, tuples
    ("[x \\in 0..2 |-> x * x]", "(0 :> 0 @@ 1 :> 1 @@ 2 :> 4)"),
    ("[x \\in 1..3 |-> x * x] = <<1, 4, 9>>", "TRUE"),
    ("[x \\in {1}, y \\in {2} |-> x + y][1, 2]", "3"),
    ("[a |-> 1, b |-> \"x\"].b", "\"x\""),
    ("[b |-> 2, a |-> 1] = [a |-> 1, b |-> 2]", "TRUE"),
    ("DOMAIN [a |-> 1, b |-> 2]", "{\"a\", \"b\"}"),
    ("DOMAIN <<7, 8>>", "{1, 2}"),
    ("[{1, 2} -> {TRUE}]", "{<<TRUE, TRUE>>}"),
    ("Cardinality([1..3 -> 1..2])", "8"),
    ("[1..2 -> Nat] \\cap {<<1, 2>>, <<-1, 2>>}", "{<<1, 2>>}"),
    ("[a : {1}, b : {2, 3}]", "{[a |-> 1, b |-> 2], [a |-> 1, b |-> 3]}"),
    ("[a |-> 1] \\in [a : Nat]", "TRUE"),
    ("[[a |-> [b |-> 1], c |-> 2] EXCEPT !.a.b = @ + 1, !.c = @ * 3]", "[a |-> [b |-> 2], c |-> 6]"),
    ("[<<1, 2, 3>> EXCEPT ![2] = 9]", "<<1, 9, 3>>"),
    ("[[x \\in {5} |-> <<1, 2>>] EXCEPT ![5][1] = @ + 10]", "(5 :> <<11, 2>>)"),
    # Choice
    ("CHOOSE x \\in 1..9 : x * x > 10", "4"),
    ("IF 1 = 2 THEN \"a\" ELSE \"b\"", "\"b\""),
    ("CASE 1 = 2 -> \"a\" [] 2 = 2 -> \"b\" [] OTHER -> \"c\"", "\"b\""),
    ("LET x == 3 y(z) == x + z IN y(4)", "7"),
    ("LET f[n \\in Nat] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f[6]", "720"),
    ("LET f[n \\in 0..3] == IF n = 0 THEN 1 ELSE n * f[n - 1] IN f", "(0 :> 1 @@ 1 :> 1 @@ 2 :> 2 @@ 3 :> 6)"),
    ("LET RECURSIVE s(_) s(n) == IF n = 0 THEN 0 ELSE n + s(n - 1) IN s(100)", "5050"),
    # Sequences
    ("<<Len(<<1, 2>>), Head(<<1, 2>>), Tail(<<1, 2>>)>>", "<<2, 1, <<2>>>>"),
    ("Append(<<1>>, 2) \\o <<3>>", "<<1, 2, 3>>"),
    ("SubSeq(<<1, 2, 3, 4>>, 2, 3)", "<<2, 3>>"),
    ("SubSeq(<<1>>, 2, 1)", "<<>>"),
    ("SelectSeq(<<1, 2, 3, 4>>, LAMBDA x : x > 2)", "<<3, 4>>"),
    ("<<1, 2>> \\in Seq(Nat) /\\ <<1, 3>> \\notin Seq({1, 2})", "TRUE"),
    ("Reverse(<<1, 2, 3>>)", "<<3, 2, 1>>"),
    ("FoldLeft(LAMBDA a, b : 10 * a + b, 0, <<1, 2, 3>>)", "123"),
    ("SetToSeq({3, 1, 2})", "<<1, 2, 3>>"),
    ("LongestCommonPrefix({<<1, 2, 3>>, <<1, 2, 4>>})", "<<1, 2>>"),
    # Sets, bags, TLC
    ("<<Cardinality({1, 2, 2}), IsFiniteSet({}), IsFiniteSet(Nat)>>", "<<2, TRUE, FALSE>>"),
    ("FoldSet(+, 0, {1, 2, 3})", "6"),
    ("<<Max({1, 5, 3}), Min({4, 2})>>", "<<5, 2>>"),
    ("SetToBag({1, 2}) (+) SetToBag({2})", "<<1, 2>>"),
    ("BagToSet(EmptyBag (-) EmptyBag)", "{}"),
    ("CopiesIn(2, BagAdd(SetToBag({2}), 2))", "2"),
    ("(1 :> \"a\") @@ (2 :> \"b\") @@ (1 :> \"c\")", "<<\"a\", \"b\">>"),
    ("Cardinality(Permutations({1, 2, 3}))", "6"),
    ("SortSeq(<<3, 1, 2>>, <)", "<<1, 2, 3>>"),
    ("Print(\"x\", 1) + (IF PrintT(2) THEN 1 ELSE 0)", "2"),
    ("Assert(TRUE, \"no\")", "TRUE"),
    ("ToString(<<1, {2}>>)", "\"<<1, {2}>>\""),
    ("\"a\\\"b\\\\c\"", "\"a\\\"b\\\\c\""),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "shown"), VALUES, ids=[expression for expression, _ in VALUES])
def test_value(expression: str, shown: str, tmp_path: Path) -> None:
    assert value(tmp_path, expression) == shown


DEFINITIONS = [
    ("Twice(LAMBDA x : x + 1, 5)", "Twice(F(_), x) == F(F(x))", "7"),
    ("Twice(Inc, 5)", "Inc(x) == x + 1\nTwice(F(_), x) == F(F(x))", "7"),
    ("a (+) b", "a == 1\nb == 2\nx \\prec y == x\nLOCAL P(x) == x", None),
    ("Fib[10]", "Fib[n \\in Nat] == IF n < 2 THEN n ELSE Fib[n - 1] + Fib[n - 2]", "55"),
    ("Sum({1, 2, 3})", "RECURSIVE Sum(_)\nSum(S) == IF S = {} THEN 0 ELSE LET x == CHOOSE x \\in S : TRUE "
                       "IN x + Sum(S \\ {x})", "6"),
    ("Even(10)", "RECURSIVE Even(_), Odd(_)\nEven(n) == IF n = 0 THEN TRUE ELSE Odd(n - 1)\n"
                 "Odd(n) == IF n = 0 THEN FALSE ELSE Even(n - 1)", "TRUE"),
    ("Apply(Sum2)", "Sum2(a, b) == a + b\nApply(Op(_, _)) == Op(1, Op(2, 3))", "6"),
    ("3 \\oplus 4", "a \\oplus b == a * b", "12"),
    ("Parts!2", "Parts == /\\ TRUE\n         /\\ FALSE", "FALSE"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "definitions", "shown"), DEFINITIONS, ids=[d[0] for d in DEFINITIONS])
def test_definitions(expression: str, definitions: str, shown: str | None, tmp_path: Path) -> None:
    if shown is None:
        with pytest.raises(HomingError, match="is no function"):
            value(tmp_path, expression, definitions)
    else:
        assert value(tmp_path, expression, definitions) == shown


FAULTS = [
    ("1 = \"a\"", "1, an integer, cannot be compared with \"a\", a string"),
    ("{1} = {TRUE}", "cannot be compared"),
    ("1 \\in {\"a\"}", "cannot be compared"),
    ("<<1, 2>> = <<1, \"a\">>", "cannot be compared"),
    ("1 + TRUE", "'+' is applied to TRUE, a boolean"),
    ("2147483647 + 1", "needs more than 32 bits"),
    ("2^31", "needs more than 32 bits"),
    ("5 % 0", "divides by what is not positive"),
    ("<<1, 2>>[3]", "<<1, 2>> is not defined for 3"),
    ("[a |-> 1].b", "is a record without the field \"b\""),
    ("Head(<<>>)", "Head is applied to <<>>"),
    ("CHOOSE x \\in {1, 2} : x > 2", "no element of the set satisfies the condition of this CHOOSE"),
    ("CASE FALSE -> 1", "no case of this CASE applies"),
    ("\\A x \\in Nat : x >= 0", "the elements of Nat cannot be listed"),
    ("IF 1 THEN 2 ELSE 3", "the condition is 1, an integer, where a boolean is wanted"),
    ("Cardinality(Nat)", "has no end"),
    ("Assert(FALSE, \"told you\")", "Assert failed: told you"),
    ("\\E x \\in {3} : x[1] = 2", "3, an integer, is no function to apply to 1: x[1] (with x = 3)"),
    ("LET RECURSIVE f(_) f(n) == f(n + 1) IN f(0)", "calls itself too deeply"),
    ("SUBSET (1..40) = {}", "more than 10000000 elements"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "message"), FAULTS, ids=[expression for expression, _ in FAULTS])
def test_fault(expression: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HomingError) as raised:
        value(tmp_path, expression)
    assert message in str(raised.value)
    assert raised.value.place is not None
    assert raised.value.place.line == 5


REFUSED = [
    ("JavaTime", "'JavaTime' is not supported"),
    ("RandomElement({})", "an element of {} cannot be drawn"),
    ("TLCGet(1)", "'TLCGet' is not supported"),
    ("\\E x : x = 1", "\\E without a set is not supported"),
    ("CHOOSE x : x \\notin {1}", "CHOOSE without a set is not supported"),
    ("1.5", "a number with a decimal point is not supported"),
    ("Foo(1)", "unknown operator 'Foo'"),
    ("Len(1, 2)", "'Len' takes one argument, not 2"),
    ("@", "'@' stands outside of EXCEPT"),
    ("1 +", "no TLA+"),
]  # fmt: skip


@pytest.mark.parametrize(("expression", "message"), REFUSED, ids=[expression for expression, _ in REFUSED])
def test_refused(expression: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(HomingError) as raised:
        value(tmp_path, expression)
    assert message in str(raised.value)
