"""Which files make a model, and what a folder of them stands for."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.command_line import Homing, runner
from tests.languages.tla.support import write

from homing import languages, load
from homing.core.errors import HomingError
from homing.languages import Reading
from homing.languages.tla.parse import PIECE, parse
from homing.languages.tla.syntax import Operator

SPEC = """
EXTENDS Naturals
CONSTANT N
VARIABLE x
Step == x < N /\\ x' = x + 1
Init == x = 0
Next == Step
Small == x < 2
"""
CONFIG = "CONSTANT N = 3 INIT Init NEXT Next INVARIANT Small\n"


@pytest.fixture
def homing(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Homing:
    monkeypatch.chdir(tmp_path)
    return runner(capsys)


def found(path: Path, reading: Reading | None = None) -> list[str]:
    return [file.name for file in languages.find(path, reading)]


def test_a_folder_has_a_model_a_configuration(tmp_path: Path) -> None:
    write(tmp_path, SPEC, CONFIG)
    (tmp_path / "Spec_large.cfg").write_text(CONFIG)
    (tmp_path / "Module.tla").write_text("---- MODULE Module ----\n====\n")
    (tmp_path / "faults").mkdir()
    (tmp_path / "faults" / "Fault.cfg").write_text(CONFIG)
    assert found(tmp_path) == ["Spec.cfg", "Spec_large.cfg"]


def test_a_cfg_file_of_something_else_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "setup.cfg").write_text("[tool]\n")
    (tmp_path / "m.csp").write_text("P = Stop;\n")
    assert found(tmp_path) == ["m.csp"]


def test_modules_alone_are_no_model(tmp_path: Path) -> None:
    (tmp_path / "Module.tla").write_text("---- MODULE Module ----\n====\n")
    with pytest.raises(HomingError, match=r"specifications in TLA\+, but no configuration"):
        languages.find(tmp_path)


def test_a_specification_and_its_configuration_are_one(homing: Homing, tmp_path: Path) -> None:
    config = write(tmp_path, SPEC, CONFIG)
    assert found(tmp_path / "Spec.tla") == ["Spec.cfg"]
    ran = homing("check", tmp_path / "Spec.tla", config, tmp_path)
    assert (ran.code, ran.out.count("Spec.cfg: ")) == (1, 1)


def test_a_specification_whose_configuration_is_another_s(tmp_path: Path) -> None:
    write(tmp_path, SPEC, "\\* SPEC Other.tla\n" + CONFIG)
    (tmp_path / "Other.tla").write_text("---- MODULE Other ----\n====\n")
    assert found(tmp_path / "Spec.tla") == ["Spec.tla"]


def test_config_option(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path, SPEC, CONFIG)
    other = tmp_path / "small.txt"
    other.write_text("CONSTANT N = 1 INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE")
    ran = homing("check", tmp_path / "Spec.tla", "--config", other)
    assert ran.code == 0
    assert "2 distinct states" in ran.out
    assert homing("check", tmp_path / "Spec.tla", "--config", tmp_path / "none.cfg").code == 3
    for path in (tmp_path, tmp_path / "Spec.cfg"):
        ran = homing("check", path, "--config", other)
        assert (ran.code, "is no specification (.tla)" in ran.err) == (3, True)


def test_fairness_is_the_specification_s_own(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path, SPEC, CONFIG)
    for name in ("Spec.tla", "Spec.cfg"):
        ran = homing("check", tmp_path / name, "--fairness", "process-weak")
        assert (ran.code, "so --fairness means nothing for it" in ran.err) == (3, True)


def test_no_deadlock_option(homing: Homing, tmp_path: Path) -> None:
    config = write(tmp_path, SPEC, "CONSTANT N = 1 INIT Init NEXT Next INVARIANT Small")
    assert homing("check", config).code == 1
    ran = homing("check", config, "--no-deadlock")
    assert (ran.code, "deadlock free" in ran.out) == (0, False)


def test_a_fault_extends_what_is_in_the_folder_above(homing: Homing, tmp_path: Path) -> None:
    write(tmp_path, SPEC, CONFIG)
    config = "CONSTANTS N = 1 Step <- Broken INIT Init NEXT Next INVARIANT Small CHECK_DEADLOCK FALSE"
    for folder in ("faults", "others"):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder, "EXTENDS Spec\nBroken == x < 5 /\\ x' = x + 2", config, "Fault")
    ran = homing("check", tmp_path / "faults" / "Fault.cfg")
    assert (ran.code, "Small" in ran.out) == (1, True)
    ran = homing("check", tmp_path / "others" / "Fault.cfg")
    assert (ran.code, "there is no module 'Spec'" in ran.err) == (3, True)


@pytest.mark.parametrize("length", [PIECE - 200, PIECE, 3 * PIECE, 20 * PIECE])
def test_names_are_the_same_wherever_they_stand_in_a_long_module(length: int) -> None:
    lines = [f"Definition{number} == <<{number}, Definition{max(0, number - 1)}>>" for number in range(length // 40)]
    [module] = parse(("---- MODULE Long ----\n" + "\n".join(lines) + "\n====\n").encode(), "Long.tla")
    assert [unit.name for unit in module.units if isinstance(unit, Operator)] == [
        f"Definition{number}" for number in range(length // 40)
    ]


def test_an_error_far_down_in_a_long_module_shows_its_text() -> None:
    text = "---- MODULE Long ----\n" + "A == 1\n" * PIECE + "B == [x: {1}, y: [{2} |-> 3], z: {4}]\n====\n"
    with pytest.raises(HomingError) as caught:
        parse(text.encode(), "Long.tla")
    assert caught.value.place is not None
    assert (caught.value.place.line, str(caught.value).count("{2} |-> 3")) == (PIECE + 2, 1)


@pytest.mark.parametrize("field", ["Nat", "Int", "Real", "Natural"])
@pytest.mark.parametrize("padding", ["", "(* long *)\n" * PIECE], ids=["short", "long"])
def test_fields_named_as_sets_of_numbers(tmp_path: Path, field: str, padding: str) -> None:
    spec = f"""
EXTENDS Naturals
VARIABLE x
Record == [a |-> 1, {field} |-> 2]
Init == x = [{field} |-> 0, b |-> Record.{field}]
Next == x.{field} < 2 /\\ x' = [x EXCEPT !.{field} = x.{field} + 1]
Kept == x.b = 2 /\\ DOMAIN x = {{"b", "{field}"}}
Small == x.{field} \\in Nat \\ {{2}}
{padding}"""
    write(tmp_path, spec, "INIT Init NEXT Next INVARIANT Kept Small CHECK_DEADLOCK FALSE\n")
    report = load(next(tmp_path.glob("*.cfg"))).check()
    assert [(result.property, result.verdict.name) for result in report.results] == [
        ("Kept", "HOLDS"),
        ("Small", "VIOLATED"),
    ]


@pytest.mark.parametrize(
    "after", ["use this one:\n---- MODULE Spec ----\nEXTENDS Other", "---- MODULE Spec ----\nVARIABLE", "x == = 1"]
)
def test_what_follows_the_first_module_is_a_comment(after: str) -> None:
    [module] = parse(f"---- MODULE Spec ----\nA == 1\n====\n\n{after}\n".encode(), "Spec.tla")[:1]
    assert [unit.name for unit in module.units if isinstance(unit, Operator)] == ["A"]


def test_an_error_before_the_first_module_ends_is_refused() -> None:
    with pytest.raises(HomingError, match=r"Spec.tla:2:"):
        parse(b"---- MODULE Spec ----\nA == = 1\n====\n\n---- MODULE Other ----\nB == 1\n====\n", "Spec.tla")


def test_an_error_in_a_later_module_is_refused() -> None:
    with pytest.raises(HomingError, match=r"Spec.tla:6:"):
        parse(b"---- MODULE Spec ----\nA == 1\n====\n\n---- MODULE Other ----\nB == = 1\n====\n", "Spec.tla")
