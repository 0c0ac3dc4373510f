"""Each file in `failing` goes wrong when it is checked, and says in its first line how that is told."""

from __future__ import annotations

from pathlib import Path

import pytest

import homing
from homing.core.result import Options
from homing.languages.csp import statements

FILES = sorted((Path(__file__).parent / "failing").glob("*.csp"))
EXPECT = "// expect: "


def _error(file: Path) -> str:
    try:
        return str(homing.load(file).check(options=Options(threads=1)).error)
    except homing.HomingError as error:
        return str(error)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_failing_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statements, "MOST_ROUNDS", 10_000)  # a tenth of a second and not four
    first = file.read_text().partition("\n")[0]
    assert first.startswith(EXPECT)
    expected = first.removeprefix(EXPECT)
    assert _error(file).startswith(f"{file}:{expected}" if expected[0].isdigit() else f"{file}: {expected}")


def test_hiding_the_same_again_adds_nothing(tmp_path: Path) -> None:
    file = tmp_path / "hiding.csp"
    file.write_text("P() = (a -> b -> P()) \\ {a};\n#assert P() divergencefree;\n")
    assert homing.load(file).check(options=Options(threads=1)).results[0].counts.distinct == 4
