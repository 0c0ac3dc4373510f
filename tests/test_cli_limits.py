"""A time limit and a signal end a run wherever it is; without them, each of these runs would go on for minutes."""

from __future__ import annotations

import signal
from pathlib import Path
from subprocess import TimeoutExpired

import pytest

from tests.sources import write
from tests.test_cli_process import PATIENCE, run, start

TERM = "(\\A a \\in {1} : \\E b \\in {2}: a # b)"
LONG = """
---- MODULE m ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Inv == %s
====
"""
ENDLESS = """
    n = build.slot("n", 0)
    @build.group("count", [n], [n])
    def count(value):
        %s
        yield step(Event("count"), {n: value + 1})
    build.deadlock_free()
"""


def long(folder: Path) -> None:
    """A text that the parser takes minutes for."""
    (folder / "m.tla").write_text(LONG % " /\\ ".join([TERM] * 10_000))
    (folder / "m.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Inv\n")


def test_a_limit_ends_the_parser(tmp_path: Path) -> None:
    long(tmp_path)
    found = run(tmp_path, "check", "m.cfg", "--time-limit", "1s")
    assert found.returncode == 2
    assert "UNKNOWN: the time limit of 1 s was reached while the model was read" in found.stdout
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_parser(tmp_path: Path, number: signal.Signals) -> None:
    long(tmp_path)
    process = start(tmp_path, "check", "m.cfg")
    with pytest.raises(TimeoutExpired):
        process.communicate(timeout=3.0)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2, err
    assert "UNKNOWN: interrupted while the model was read" in out


@pytest.mark.parametrize("body", ["while True: pass", "sum(i for i in iter(int, 1))"])
def test_a_limit_ends_a_model_that_computes_for_ever(tmp_path: Path, body: str) -> None:
    write(tmp_path / "m.py", ENDLESS % body)
    found = run(tmp_path, "check", "--python", "m.py", "--time-limit", "1s")
    assert found.returncode == 2, found.stderr
    assert "UNKNOWN: the time limit of 1 s was reached" in found.stdout


def test_one_limit_holds_for_all_systems_of_a_file(tmp_path: Path) -> None:
    processes = "".join(f"P{i}() = a{{while (x >= 0) {{x = {i};}}}} -> P{i}();\n" for i in range(3))
    asserts = "".join(f"#assert P{i}() deadlockfree;\n" for i in range(3))
    (tmp_path / "m.csp").write_text(f"var x = 0;\n{processes}{asserts}")
    found = run(tmp_path, "check", "m.csp", "--time-limit", "1s")
    assert found.returncode == 2, found.stderr
    assert found.stdout.count("the time limit of 1 s was reached") >= 1
