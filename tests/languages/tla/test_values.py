"""Expressions whose values TLC gave: recorded/*.txt, which tools/records/tlc_values.py renews."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.languages.tla.support import check, complaint, counts, evaluated

from homing.core.errors import HomingError

RECORDED = Path(__file__).parent / "recorded"

LENIENT = frozenset(
    {
        "[a |-> 1 \\div 0, b |-> 1].b",
        "[[i \\in {0, 1} |-> 1 \\div i] EXCEPT ![0] = 7][1]",
    }
)
"""TLC evaluates what the value does not depend on, and fails there."""
STRICT = frozenset(
    {
        '<<1, "a">> \\in {1, TRUE} \\X {"a"}',
        "<<[i \\in {0, 1} |-> 1 \\div i]>>[1][1]",
        "[{} -> Nat] = [{} -> Int]",
    }
)
"""Here an error: a set of values that cannot be compared, a tuple of something without a value. (What TLC says of the
last one is wrong: both sets have one element, the function without arguments.)"""
IN_ORDER = frozenset({'{"a", "abc", "b"}'})
"""TLC sorts strings by when they were first mentioned."""


def _lines() -> list[tuple[str, str, str, str]]:
    found = []
    for path in sorted(RECORDED.glob("*.txt")):
        head, _, body = path.read_text("utf-8").partition("----\n")
        found += [(path.stem, head, *line.split("\t")) for line in body.splitlines()]
    return [(name, head, text, value) for name, head, text, value in found]


@pytest.mark.parametrize(("name", "head", "text", "value"), _lines(), ids=lambda part: part[:60].strip())
def test_as_recorded(name: str, head: str, text: str, value: str, tmp_path: Path) -> None:
    try:
        found = evaluated(tmp_path, head, text)
    except HomingError:
        found = "ERROR"
    if text in LENIENT:
        assert (value, found == "ERROR") == ("ERROR", False)
    elif text in STRICT:
        assert (value == "ERROR", found) == (False, "ERROR")
    elif text not in IN_ORDER:
        assert found.replace(" ", "") == value.replace(" ", "")


CHANGING = """
EXTENDS Integers, Sequences
VARIABLES x, y
Init == x = {x0} /\\ y = 0
Next == y < 3 /\\ y' = y + 1 /\\ x' = {new}
"""
FREE = "INIT Init NEXT Next CHECK_DEADLOCK FALSE"


def test_a_variable_may_hold_values_of_several_kinds(tmp_path: Path) -> None:
    new = 'IF y = 0 THEN <<>> ELSE IF y = 1 THEN 5 ELSE "a"'
    spec = CHANGING.format(x0="{}", new=new)
    assert counts(check(tmp_path, spec, FREE)) == (4, 4, 4)  # as TLC counts


@pytest.mark.parametrize(
    ("x0", "new"),
    [
        ("{1}", "x \\cup {TRUE}"),
        ("{TRUE}", "x \\cup {y + 1}"),
        ('{<<"a", 1>>, <<"b", 2>>}', 'x \\cup {<<"a", TRUE>>}'),
        ('{[t |-> "a", n |-> 1], [t |-> "b", n |-> 2]}', 'x \\cup {[t |-> "a", n |-> "c"]}'),
        ("{<<1>>}", "x \\ {<<TRUE>>}"),
        ("{1}", "{e : e \\in x} \\cup {i = 1 : i \\in 0..1}"),
        ("{1}", "IF TRUE \\in x THEN {} ELSE {2}"),
        ("<<1>>", 'IF x = <<TRUE>> THEN <<>> ELSE <<"a">>'),
        ("{{1}}", "UNION {x, {{TRUE}}}"),
    ],
)
def test_values_of_different_kinds_do_not_meet_in_actions(x0: str, new: str, tmp_path: Path) -> None:
    """TLC fails in the first step of each."""
    assert "cannot be compared" in complaint(tmp_path, CHANGING.format(x0=x0, new=new), FREE)
