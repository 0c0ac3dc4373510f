"""Recursive operators as actions: their disjunctions and `\\E` are choices, as in TLC, whose counts these are."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint, counts, verdicts

FRAME = """
EXTENDS Integers, FiniteSets
VARIABLES x, y
{definitions}
Init == x = 0 /\\ y = 0
Next == {next}
P == {asked}
"""
CHOICE = "RECURSIVE A(_)\nA(i) == IF i = 0 THEN x' = 0 ELSE (x' = i) \\/ A(i - 1)"
BOTH = "RECURSIVE A(_)\nA(i) == IF i = 0 THEN x' = 0 /\\ y' = (y + 1) % 3 ELSE (x' = i /\\ y' = y) \\/ A(i - 1)"
TEXT = "IF i = 0 THEN x' = 0 /\\ y' = (y + 1) % 3 ELSE (x' = i /\\ y' = y) \\/ A(i - 1)"


def spec(definitions: str, action: str, asked: str = "TRUE") -> str:
    return FRAME.format(definitions=definitions, next=action, asked=asked)


@pytest.mark.parametrize(
    ("definitions", "action", "wanted"),
    [
        (BOTH, "A(2)", (9, 28, 4)),
        (BOTH, "\\E k \\in 0..2 : A(k)", (9, 55, 4)),
        (BOTH, "A(y)", (6, 15, 4)),
        ("", f"LET RECURSIVE A(_) A(i) == {TEXT} IN A(y)", (6, 15, 4)),
        ("RECURSIVE A(_)\nA(i) == IF i = 0 THEN x' = (x + 1) % 3 ELSE A(i - 1)", "A(y) /\\ y' = x", (4, 5, 4)),
        (
            "RECURSIVE A(_, _)\n"
            "A(i, s) == IF i = 0 THEN x' = s % 4 ELSE \\E k \\in 1..i : A(i - k, s + k) \\/ A(i - 1, s)",
            "A(x, y) /\\ y' = (y + 1) % 3",
            (12, 124, 7),
        ),
        (
            "RECURSIVE A(_)\nA(S) == IF S = {} THEN UNCHANGED x ELSE LET e == CHOOSE e \\in S : \\A f \\in S : e <= f "
            "IN IF e = 2 THEN x' = e ELSE A(S \\ {e})",
            "A({x, y, 1}) /\\ y' = (y + 1) % 3",
            (6, 7, 6),
        ),
        (
            "RECURSIVE A(_)\nA(i) == IF i = 0 THEN TRUE ELSE x' = (x + y) % 3 /\\ A(i - 1)",
            "A(y + 1) /\\ y' = (y + 1) % 3",
            (3, 4, 3),
        ),
        (CHOICE, "A(y) /\\ \\E k \\in 0..2 : y' = k", (9, 55, 3)),
        (CHOICE, "x' \\in 0..2 /\\ y' = IF ENABLED A(y) THEN 1 ELSE 0", (4, 13, 2)),
        (
            "RECURSIVE A(_)\nRECURSIVE C(_)\nA(i) == IF i = 0 THEN x' = 0 ELSE (x' = i) \\/ C(i - 1)\n"
            "C(i) == IF i = 0 THEN x' = y ELSE A(i - 1)",
            "A(y) /\\ \\E k \\in 0..2 : y' = k",
            (9, 46, 3),
        ),
        (
            "RECURSIVE A(_)\nA(i) == IF i = 0 THEN TRUE ELSE (i > 0) \\/ A(i - 1)",
            "A(y) /\\ x' = (x + 1) % 3 /\\ y' = x",
            (4, 8, 4),
        ),
    ],
)
def test_recursive_actions(definitions: str, action: str, wanted: tuple[int, int, int], tmp_path: Path) -> None:
    report = check(tmp_path, spec(definitions, action), "INIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE")
    assert counts(report) == wanted


@pytest.mark.parametrize(("asked", "wanted"), [("[][A(2)]_<<x, y>>", "HOLDS"), ("[][A(y)]_<<x, y>>", "VIOLATED")])
def test_recursive_actions_as_properties(asked: str, wanted: str, tmp_path: Path) -> None:
    text = spec(CHOICE, "x' \\in 0..2 /\\ y' = x", asked)
    assert verdicts(check(tmp_path, text, "INIT Init\nNEXT Next\nPROPERTY P\nCHECK_DEADLOCK FALSE"))["P"] == wanted


def test_a_recursive_action_that_does_not_end(tmp_path: Path) -> None:
    text = spec("RECURSIVE A(_)\nA(i) == A(i + 1) \\/ x' = i", "A(y) /\\ y' = y")
    assert "'A' calls itself too deeply" in complaint(tmp_path, text, "INIT Init\nNEXT Next")
