"""`./homing bench`: the table of ratios is written, and what fails does not take the others with it."""

from __future__ import annotations

import importlib
import types
from pathlib import Path

import pytest
from benchmarks import ratios, run


@pytest.fixture(autouse=True)
def _fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ratios, "found", [])


def test_rows_say_how_to_repeat_them() -> None:
    ratios.begin("tlc")
    ratios.add("a model", "TLC", "1.0 s", "13.0 s", 13.0)
    ratios.add("another", "TLC", "1.0 s", "60.0 s, stopped", "> 60")
    ratios.absent("a third", "TLC")
    text = ratios.markdown()
    assert "| a model | TLC | 1.0 s | 13.0 s | 13 | `TLA2TOOLS=tla2tools.jar ./homing bench tlc` |" in text
    assert "| > 60 |" in text
    assert "| a third | TLC | – | not to be had | – |" in text
    assert "cores" in text


def test_what_fails_is_told_and_the_rest_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> None:
        raise SystemExit("bench: TLC failed")

    mains = {"benchmarks.tlc": fails, "benchmarks.memo": lambda: ratios.add("sets", "slots", "1 s", "3 s", 3.0)}
    monkeypatch.setattr(importlib, "import_module", lambda name: types.SimpleNamespace(main=mains[name]))
    assert run.main(["tlc", "memo", "--results", str(tmp_path / "R.md")]) == 1
    text = (tmp_path / "R.md").read_text()
    assert "did not come to its end" in text
    assert "| sets | slots | 1 s | 3 s | 3 |" in text


def test_unknown_benchmarks(capsys: pytest.CaptureFixture[str]) -> None:
    assert run.main(["speed"]) == 3
    assert "unknown benchmark 'speed'; declared: chain:" in capsys.readouterr().err
