from __future__ import annotations

from pathlib import Path

import pytest

from homing.core.errors import HomingError
from homing.core.result import Counts, Report, Result
from homing.core.system import Event
from homing.core.verdict import Verdict
from homing.core.witness import Move, Trace
from homing.expect import Expectations, read

TRACE = Trace(("x",), ((0,), (1,)), (Move("g", Event("e")),))
RESULT = Result("m.py", "p", Verdict.VIOLATED, Counts(10, 20, 3), 0.1, 1.0, trace=TRACE)
VALUE = Result("m.py", "q", Verdict.HOLDS, Counts(10, 20, 3), 0.1, 1.0, value=4, vacuous="empty")


def compare(folder: Path, text: str, *results: Result) -> list[str]:
    (folder / "m.py").touch()
    (folder / "expect.toml").write_text(text)
    found = Report("m.py", results or (RESULT, VALUE))
    return [str(difference) for difference in Expectations().compare(folder / "m.py", ["p", "q"], found)]


def test_as_expected(tmp_path: Path) -> None:
    text = """
        ["m.py"]
        distinct = 10
        generated = 20
        depth = 3
        ["m.py".properties]
        p = { verdict = "VIOLATED", steps = 1, distinct = 10 }
        q = { verdict = "HOLDS", value = 4, vacuous = true }
    """
    assert compare(tmp_path, text) == []


def test_every_difference_is_named(tmp_path: Path) -> None:
    text = """
        ["m.py"]
        distinct = 1000
        depth = 4
        [ "m.py".properties ]
        p = { verdict = "HOLDS", steps = 2, value = 1 }
        q = { verdict = "UNKNOWN", value = 5, vacuous = false, generated = 21 }
    """
    assert compare(tmp_path, text) == [
        "p: expected HOLDS, found VIOLATED",
        "p: expected steps 2, found 1",
        "p: expected value 1, found none",
        "q: expected UNKNOWN, found HOLDS",
        "q: expected value 5, found 4",
        "q: expected vacuous false, found true",
        "q: expected generated 21, found 20",
        "expected distinct 1,000, found 10",
        "expected depth 4, found 3",
    ]


def test_what_is_not_mentioned_is_a_difference(tmp_path: Path) -> None:
    source = tmp_path / "expect.toml"
    assert compare(tmp_path, '["m.py".properties]\nq = "HOLDS"') == [f"p: expected nothing in {source}, found VIOLATED"]
    assert compare(tmp_path, "") == [f"expected nothing in {source}, found VIOLATED"]
    source.unlink()
    found = Expectations().compare(tmp_path / "m.py", ["q"], Report("m.py", (VALUE,)))
    assert [str(difference) for difference in found] == [f"expected nothing in {source}, found HOLDS"]


def test_properties_that_were_not_asked_about_are_not_compared(tmp_path: Path) -> None:
    assert compare(tmp_path, '["m.py".properties]\np = "HOLDS"\nq = "HOLDS"', VALUE) == []


def test_why_unknown(tmp_path: Path) -> None:
    stopped = Result("m.py", "p", Verdict.UNKNOWN, Counts(), 0.1, 1.0, reason="interrupted")
    assert compare(tmp_path, '["m.py".properties]\np = "HOLDS"', stopped) == [
        "p: expected HOLDS, found UNKNOWN (interrupted)"
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("a = 1\nb = = 2", ":2:5: no TOML: Invalid value"),
        ("a = [", ": no TOML: Invalid value (at end of document)"),
        ('["n.py"]', ": expects something of 'n.py', which is no model beside it; declared: m.py"),
        ('["m.py".properties]\nr = "HOLDS"', ": 'm.py' has no property 'r'; declared: p, q"),
        (
            '["m.py"]\nstates = 3',
            ": 'm.py' has an unknown key 'states'; declared: distinct, generated, depth, properties",
        ),
        ('["m.py"]\ndistinct = "3"', ": distinct of 'm.py' is '3', where a whole number is wanted"),
        ('["m.py"]\ndistinct = true', ": distinct of 'm.py' is True, where a whole number is wanted"),
        ('["m.py".properties]\np = "holds"', ": 'p' of 'm.py' expects the verdict 'holds'; declared: HOLDS, "),
        ('["m.py".properties]\np = { steps = 1 }', ": 'p' of 'm.py' expects no verdict; declared: HOLDS, "),
        ('["m.py".properties]\np = { verdict = ["HOLDS"] }', ": 'p' of 'm.py' expects the verdict ['HOLDS']"),
        ('["m.py".properties]\np = 3', ": 'p' of 'm.py' is 3, where a table is wanted"),
        (
            '["m.py".properties]\np = { verdict = "HOLDS", vacuous = 1 }',
            ": vacuous of 'p' of 'm.py' is 1, where true or",
        ),
        ('"m.py" = 3', ": 'm.py' is 3, where a table is wanted"),
        ('["m.py"]\nproperties = "HOLDS"', ": the properties of 'm.py' is 'HOLDS', where a table is wanted"),
    ],
)
def test_a_bad_file_is_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(HomingError) as raised:
        compare(tmp_path, text)
    assert str(raised.value).startswith(f"{tmp_path / 'expect.toml'}{sentence}")


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "expect.toml").write_bytes(b"\xff")
    with pytest.raises(HomingError, match="is not UTF-8 at byte 0"):
        read(tmp_path / "expect.toml")
    with pytest.raises(HomingError, match="cannot be read: Is a directory"):
        read(tmp_path)
