from __future__ import annotations

import sys

import pytest

from homing.core.result import Progress
from homing.report import progress
from homing.report.progress import describe, display

PROGRESS = Progress("m.py", 1_234_567, 210_000.4, 45_678, 17, 312.2, 12.34)


def test_the_line() -> None:
    assert describe(PROGRESS) == ("1,234,567 states, 210,000/s, frontier 45,678, depth 17, 312 MB, 12.3 s, m.py")
    assert describe(Progress("m.py", 0, 0, 0, 0, 200, 7)) == "starting, 7.00 s, m.py (the first run compiles)"


def test_a_pipe_gets_a_line_once_in_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [100.0]
    monkeypatch.setattr("homing.report.progress.time.monotonic", lambda: clock[0])
    with display(quiet=False) as show:
        for _ in range(12):
            clock[0] += 1
            show(PROGRESS)
    lines = capsys.readouterr().err.splitlines()
    assert lines == [f"homing: {describe(PROGRESS)}"] * 2


def test_quiet_still_tells_what_went_wrong(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "PLAIN_INTERVAL", 0.0)
    with display(quiet=True) as show:
        show(PROGRESS)
        show(Progress("m.py", 1, 1, 1, 1, 1, 1, note="no checkpoint: disk full"))
    assert capsys.readouterr().err == "homing: m.py: no checkpoint: disk full\n"


def test_what_a_model_prints_stays_off_the_report(capsys: pytest.CaptureFixture[str]) -> None:
    with display(quiet=False):
        print("hello")
    print("bye", file=sys.stdout)
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("bye\n", "hello\n")
