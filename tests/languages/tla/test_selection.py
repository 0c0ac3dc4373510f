"""Names of parts of definitions: labels and positions. Verdicts and refusals are TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint, counts, verdicts

SPEC = """
EXTENDS Integers
VARIABLES x, y
Lab(a) == \\E u \\in 0..3 : lab(u) :: (u = a /\\ inner :: x = u)
Plain == LET r == x + y IN l1 :: r > 1
Quant == \\E i, j \\in 0..2 : i + j = x
Two == \\A <<i, j>> \\in {<<0,1>>} : \\E k \\in 0..x : k >= i
Ca == CASE x = 0 -> 10 [] x = 1 -> 20 [] OTHER -> 30
Rc == [a |-> x, b |-> x + 5]
If == IF x = 0 THEN 5 ELSE 7
Conj == /\\ x = 1
        /\\ \\/ y = 1
           \\/ y = 2
Infix == x + 3 * y
Ap(p) == p + 2 * p
St == {x, y + 7}
Fn == [k \\in 0..3 |-> k + x]
Ex == [Fn EXCEPT ![1] = 5]
Fa == Fn[x]
Act(v) == /\\ x' = v
          /\\ set :: y' = x
Let2(z) == LET q == z + 1 IN [a |-> q, b |-> q + z]
Sub == [k \\in {0,1} |-> LET m == k + x IN lam(k) :: m * 2]
J(p) == INSTANCE Inner WITH w <- p
Init == x = 0 /\\ y = 0
Next == x' = (x + 1) % 3 /\\ y' = (y + x) % 3
"""
INNER = """---- MODULE Inner ----
EXTENDS Integers
VARIABLE w
F(k) == w + k
G == /\\ w > 1
     /\\ gl :: w < 5
====
"""
CONFIG = "INIT Init\nNEXT {next}\nCHECK_DEADLOCK FALSE\n{asked}"
TRUE = """
Lab(1)!1 = 0..3; Quant!1 = 0..2; Two!(0,1); Two!(0,1)!(0); Two!(0,1)!1 = 0..x; Ca!1!2 > 3; Ca!3!2 = 30; If!2 < If!3
Ap(x)!2!<< = 2; Ex!1 = Fn; Fa!1 = Fn; Fa!2 = x; J(x)!G!gl
"""
FALSE = """
Lab(1)!lab(2); Lab(2)!lab(2)!inner; Lab(1)!(1); Lab(1)!(1)!2; Plain!l1; Quant!(1, 0); Ca!2!1; Rc!2 < 7; If!1; Conj!1
Conj!2!1; Conj!2!<<; Conj!2!>>; Infix!1 > 0; Infix!2 > 0; Infix!>>!2 > 0; Ap(x)!2 > 2; St!1 < 2; Fn!(2) > 2; Plain!:
Let2(x)!1!1 > 1; Let2(x)!1!2 > 1; Sub!(1) > 2; Sub!lam(1) > 2; J(x)!F(1)!1 > 1; J(x)!G!1; J(x)!F(2)!: > 2
Plain!1!1 > 1
"""


def listed(text: str) -> list[str]:
    return [part.strip() for part in text.strip().replace("\n", ";").split(";")]


@pytest.mark.parametrize(("parts", "wanted"), [(TRUE, "HOLDS"), (FALSE, "VIOLATED")])
def test_parts_of_definitions(parts: str, wanted: str, tmp_path: Path) -> None:
    (tmp_path / "Inner.tla").write_text(INNER, "utf-8")
    named = {f"P{number}": part for number, part in enumerate(listed(parts))}
    spec = SPEC + "".join(f"{name} == {part}\n" for name, part in named.items())
    found = verdicts(check(tmp_path, spec, CONFIG.format(next="Next", asked=f"INVARIANTS {' '.join(named)}")))
    assert {named[name]: verdict for name, verdict in found.items()} == dict.fromkeys(named.values(), wanted)


@pytest.mark.parametrize("action", ["Act(1)!1 /\\ Act(2)!set", "Act(1)!1 /\\ Act(2)!2"])
def test_parts_of_actions(action: str, tmp_path: Path) -> None:
    (tmp_path / "Inner.tla").write_text(INNER, "utf-8")
    report = check(tmp_path, f"{SPEC}\nOther == {action}\n", CONFIG.format(next="Other", asked=""))
    assert counts(report) == (3, 4, 3)


@pytest.mark.parametrize("asked", ["[][Infix!1' > 0]_x", "[][UNCHANGED Let2(x)!1!2]_x"])
def test_parts_with_primes(asked: str, tmp_path: Path) -> None:
    (tmp_path / "Inner.tla").write_text(INNER, "utf-8")
    report = check(tmp_path, f"{SPEC}\nP == {asked}\n", CONFIG.format(next="Next", asked="PROPERTY P"))
    assert verdicts(report) == {"P": "VIOLATED"}


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("Ca!1", "an arm of CASE has two parts"),
        ("Ca!3!1", "an arm of CASE has two parts"),
        ("Quant!(1)", "has 1 arguments for 2 bound names"),
        ("Lab(1)!lab", "label 'lab' takes 1 arguments, not 0"),
        ("Lab(1)!lob(1)", "'Lab' has no label 'lob'"),
        ("Nope!1", "unknown operator 'Nope'"),
        ("Conj!3", "'Conj' has no part 3 here"),
        ("Conj!0", "'Conj' has no part 0 here"),
        ("x!1", "'x' is no instance of a module and no definition"),
        ("Conj!(1)", "can only follow something that binds names"),
        ("Ap!1", "'Ap' takes one argument, not 0"),
        ("Ex!2", "'Ex' has no part 2 here"),
        ("Conj!@", "'!@' is not supported as a name of a subexpression"),
        ("\\E v \\in {1} : l :: v = 1", "l(v) is expected"),
        ("\\E v \\in {1} : l(x) :: v = 1", "l(v) is expected"),
        ("(l :: x = 1) /\\ (l :: x = 1)", "label 'l' stands twice in one definition"),
    ],
)
def test_parts_that_there_are_not(part: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "Inner.tla").write_text(INNER, "utf-8")
    spec = f"{SPEC}\nP == {part}\n"
    assert said in complaint(tmp_path, spec, CONFIG.format(next="Next", asked="INVARIANT P"))
