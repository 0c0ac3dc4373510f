"""What SANY refuses before TLC starts: names bound twice, and states where constants are expected."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint, verdicts

FRAME = """
EXTENDS Integers
VARIABLES x, y
Defined == 1
Apply(F(_)) == F(1)
{definitions}
Init == x = 0 /\\ y = 0
Next == x' = (x + 1) % 3 /\\ y' = (y + x) % 2
P == {asked}
"""
CONFIG = "INIT Init\nNEXT Next\nINVARIANT P"
INNER = "---- MODULE Inner ----\nEXTENDS Integers\nCONSTANT c\nVARIABLE w\nOp == c + w\n====\n"
CONSTANT = "---- MODULE Constant ----\nCONSTANT c\nOp == c\n====\n"


def written(folder: Path, definitions: str, asked: str = "TRUE") -> str:
    (folder / "Inner.tla").write_text(INNER, "utf-8")
    (folder / "Constant.tla").write_text(CONSTANT, "utf-8")
    return FRAME.format(definitions=definitions, asked=asked)


VARIABLE, DEFINITION, BOUND = "a variable", "a definition", "a parameter or a bound name"


@pytest.mark.parametrize(
    ("definitions", "said"),
    [
        ("Q == \\E x \\in {1} : x = 1", VARIABLE),
        ("Q == \\E <<x, z>> \\in {<<1, 2>>} : z = 1", VARIABLE),
        ("Q == CHOOSE x : x = 1", VARIABLE),
        ("Q == [x \\in {1} |-> x]", VARIABLE),
        ("f[x \\in {1}] == x", VARIABLE),
        ("Q(x) == x = 1", VARIABLE),
        ("Q == LET x == 2 IN x = 1", VARIABLE),
        ("Q == LET F(y) == y IN F(1)", VARIABLE),
        ("Q == Apply(LAMBDA x : x = 1)", VARIABLE),
        ("I(x) == INSTANCE Inner WITH c <- 1, w <- y", VARIABLE),
        ("Q == \\E Defined \\in {1} : Defined = 1", DEFINITION),
        ("Q(Defined) == Defined", DEFINITION),
        ("Q == LET Defined == 2 IN Defined", DEFINITION),
        ("Q == LET Defined[i \\in {1}] == i IN Defined[1]", DEFINITION),
        ("Q == LET a == 1 IN \\E a \\in {2} : a = 1", DEFINITION),
        ("Q(a) == \\E a \\in {1} : a = 1", BOUND),
        ("Q == \\E a \\in {1} : \\E a \\in {2} : a = 1", BOUND),
        ("Q == \\E a \\in {2} : LET a == 1 IN a = 1", BOUND),
        ("I == INSTANCE Inner WITH c <- 1, w <- y\nQ == \\E I \\in {1} : I = 1", "an instance"),
        ("Q == \\E a, a \\in {1} : a = 1", "bound twice"),
        ("Q(a, a) == a", "bound twice"),
    ],
)
def test_a_name_that_hides_another(definitions: str, said: str, tmp_path: Path) -> None:
    found = complaint(tmp_path, written(tmp_path, definitions), CONFIG)
    assert said in found
    assert found.startswith("Spec.tla:")


@pytest.mark.parametrize(
    ("definitions", "asked"),
    [
        ("Q == (\\E a \\in {1} : a = 1) /\\ (\\E a \\in {2} : a = 2)", "Q"),
        ("Q == \\E a \\in {a \\in {1} : TRUE} : a = 1", "Q"),
        ("Q(later) == later\nlater == 1", "Q(1) = 1"),
        ("Q == LET a == 1 b == a IN LET d == b IN d\nR == LET a == 2 IN a", "Q < R"),
        ("Q == LET RECURSIVE R(_) R(i) == i IN R(1)", "Q = 1"),
        ("I == INSTANCE Constant WITH c <- x", "I!Op < 3"),
        ("I == INSTANCE Inner WITH c <- 1, w <- y", "I!Op > 0"),
        ("I(p) == INSTANCE Inner WITH c <- p, w <- y", "I(1)!Op > 0"),
        ("I(p) == INSTANCE Inner WITH c <- 1, w <- p", "I(x)!Op > 0"),
        ("Q(p) == LET I == INSTANCE Inner WITH c <- p, w <- y IN I!Op", "Q(1) > 0"),
        ("Q(p) == LET r == p + y IN LET I == INSTANCE Inner WITH c <- 2, w <- r IN I!Op", "Q(x) >= 2"),
        ("Q(p) == LET I(q) == INSTANCE Inner WITH c <- q, w <- p + x IN I(2)!Op", "Q(y) >= 2"),
        ("Q == \\A k \\in {x, y} : LET I == INSTANCE Inner WITH c <- 1, w <- k IN I!Op > 0", "Q"),
    ],
)
def test_what_is_accepted(definitions: str, asked: str, tmp_path: Path) -> None:
    assert verdicts(check(tmp_path, written(tmp_path, definitions, asked), CONFIG))["P"] == "HOLDS"


STANDS = "what stands for constant 'c' of module 'Inner', which has variables, must be a constant"


@pytest.mark.parametrize(
    ("definitions", "asked", "said"),
    [
        ("ASSUME x = 0", "TRUE", "Spec.tla:7:8: an assumption must be a constant, but it depends on variable 'x'"),
        ("D == y\nASSUME D = 0", "TRUE", "an assumption must be a constant, but it depends on variable 'y'"),
        ("ASSUME x' = 0", "TRUE", "an assumption must be a constant"),
        ("ASSUME []TRUE", "TRUE", "an assumption must be a constant, but it is temporal or has primes"),
        ("I == INSTANCE Inner WITH c <- x, w <- y", "TRUE", STANDS),
        ("D == x + 1\nI == INSTANCE Inner WITH c <- D, w <- y", "TRUE", STANDS),
        ("c == x\nI == INSTANCE Inner WITH w <- y", "TRUE", STANDS),
        ("I(p) == INSTANCE Inner WITH c <- p, w <- y", "I(x)!Op >= 0", "'p', a constant of an instance, must be"),
        ("A == x' = 1\nQ == A'", "TRUE", "a prime stands below a prime"),
        ("Q == LET r == x' IN r'", "TRUE", "a prime stands below a prime"),
        ("Q == UNCHANGED (x')", "TRUE", "a prime stands below a prime"),
        ("Q == ([]TRUE)'", "TRUE", "what has a prime must speak of one state"),
        ("Q == [][TRUE]_(x')", "TRUE", "the subscript must speak of one state"),
        ("Q == WF_(x')(x' = 1)", "TRUE", "the subscript must speak of one state"),
    ],
)
def test_a_state_where_a_constant_is_expected(definitions: str, asked: str, said: str, tmp_path: Path) -> None:
    assert said in complaint(tmp_path, written(tmp_path, definitions, asked), CONFIG)
