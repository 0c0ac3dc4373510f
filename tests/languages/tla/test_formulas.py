"""Operators whose arguments are formulas: temporal ones, actions, conditions on states. The verdicts are TLC's."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, verdicts

SPEC = """
EXTENDS Integers
VARIABLES x, y
M == INSTANCE Inner WITH z <- x
N(p) == INSTANCE Inner WITH z <- p
Init == x = 0 /\\ y = 0
Next == x' = (x + 1) % 3 /\\ y' = (y + x) % 2
Same(F) == F
Twice(F) == Same(Same(F))
Both(F, k) == F /\\ <>(x = k)
Leads(p, n) == p ~> n
Always(p) == []p
Box(A, v) == [][A]_v
Fair(A, v) == WF_v(A)
Spec == Init /\\ [][Next]_<<x, y>> /\\ Fair(Next, <<x, y>>)
"""
INNER = """---- MODULE Inner ----
EXTENDS Integers
VARIABLE z
Leads(p, n) == p ~> n
Often == []<>(z = 1)
Step == Leads(z = 0, z = 2)
====
"""


@pytest.mark.parametrize(
    ("asked", "wanted"),
    [
        ("Same([]<>(x = 2))", "HOLDS"),
        ("Same([]<>(x = 5))", "VIOLATED"),
        ("Twice([]<>(x = 2))", "HOLDS"),
        ("Both([]<>(x = 2), y)", "HOLDS"),
        ("Leads(x = 0, x = 2)", "HOLDS"),
        ("Leads(x = 0, x = 7)", "VIOLATED"),
        ("\\A k \\in 0..1 : Leads(x = k, x = k + 1)", "HOLDS"),
        ("LET r == x IN Leads(r = 0, r = 2)", "HOLDS"),
        ("Always(x < 3)", "HOLDS"),
        ("Always(x < 2)", "VIOLATED"),
        ("Box(x' = (x + 1) % 3, x)", "HOLDS"),
        ("Box(x' = x, x)", "VIOLATED"),
        ("Fair(Next, <<x, y>>) => <>(x = 1)", "HOLDS"),
        ("M!Step", "HOLDS"),
        ("N(x)!Often", "HOLDS"),
        ("N(x + 5)!Often", "VIOLATED"),
        ("N(x)!Step", "HOLDS"),
    ],
)
def test_formulas_as_arguments(asked: str, wanted: str, tmp_path: Path) -> None:
    (tmp_path / "Inner.tla").write_text(INNER, "utf-8")
    assert verdicts(check(tmp_path, f"{SPEC}\nP == {asked}\n", "SPECIFICATION Spec\nPROPERTY P"))["P"] == wanted
