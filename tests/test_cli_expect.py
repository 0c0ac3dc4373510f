"""`homing check --expect`: what it compares and exits with."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.command_line import Homing, runner
from tests.sources import counter, write


@pytest.fixture
def homing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Homing:
    """Runs a command line in a folder with a model that holds and one that does not."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "good.py", counter(3, 9))
    write(tmp_path / "bad.py", counter(5, 2))
    return runner(capsys)


GOOD = """
["good.py"]
distinct = 4
properties."stays below 9" = "HOLDS"
"""
BAD = """
["bad.py"]
properties."stays below 2" = { verdict = "VIOLATED", steps = 2 }
"""


def test_as_expected(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "expect.toml").write_text(GOOD + BAD)
    ran = homing("check", "--python", "--expect", ".")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "bad.py: as expected\ngood.py: as expected\nall 2 as expected\n"


def test_a_difference_is_a_line(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "expect.toml").write_text(GOOD.replace("4", "5") + BAD.replace("VIOLATED", "HOLDS"))
    ran = homing("check", "--python", "--expect", ".", "--junit", "out.xml")
    assert (ran.code, ran.err) == (1, "")
    assert "bad.py: stays below 2: expected HOLDS, found VIOLATED\n" in ran.out
    assert "good.py: expected distinct 5, found 4\n" in ran.out
    assert "  1  ├─count(0)─▶│\n" in ran.out
    assert ran.out.endswith("2 of 2 models differ\n")
    assert ElementTree.parse(tmp_path / "out.xml").getroot().get("failures") == "2"


def test_a_model_without_expectation_is_a_difference(homing: Homing, tmp_path: Path) -> None:
    ran = homing("check", "--python", "--expect", "good.py")
    assert ran.code == 1
    assert ran.out == "good.py: expected nothing in expect.toml, found HOLDS\n"
    (tmp_path / "expect.toml").write_text(BAD)
    assert homing("check", "--python", "--expect", "good.py").code == 1
    assert homing("check", "--python", "--expect", "bad.py").code == 0


def test_a_model_that_was_not_checked_is_a_difference(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "_hidden.py").touch()  # names that begin so are left out of a folder
    (tmp_path / "expect.toml").write_text(GOOD + BAD + '["_hidden.py"]')
    ran = homing("check", "--python", "--expect", ".")
    assert ran.code == 1
    assert "_hidden.py: expected something, but not checked\n" in ran.out
    assert homing("check", "--python", "--expect", "good.py").code == 0


def test_a_bad_file_is_said_once(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "expect.toml").write_text("x = = 1")
    ran = homing("check", "--python", "--expect", ".")
    assert ran.code == 3
    assert ran.err == "expect.toml:1:5: no TOML: Invalid value\n"


def test_a_bad_model_is_not_as_expected(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "expect.toml").write_text(GOOD + BAD)
    (tmp_path / "good.py").write_text("def model(:")
    ran = homing("check", "--python", "--expect", ".")
    assert ran.code == 3
    assert "bad.py: as expected" in ran.out
    assert "good.py:1:11: no Python" in ran.err


def test_only_the_properties_asked_about_are_compared(homing: Homing, tmp_path: Path) -> None:
    (tmp_path / "expect.toml").write_text(GOOD + BAD)
    ran = homing("check", "--python", "--expect", ".", "--property", "stays below 9")
    assert (ran.code, ran.out) == (0, "good.py: as expected\n")
