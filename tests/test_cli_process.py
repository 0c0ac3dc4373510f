"""`homing check` as a process of its own: signals, pipes, terminals, kill -9."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.sources import FOREVER, counter, counters, write

COMMAND = [sys.executable, "-P", "-m", "homing"]
PATIENCE = 120.0
"""Seconds until a test gives up: compiling on a loaded machine takes a while."""


def run(folder: Path, *arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, check=False, **options
    )


TOGGLE = """
---- MODULE m ----
EXTENDS Naturals
VARIABLE x
Init == x = 0
Next == x' = 1 - x
Small == x < 2
====
"""
UNUSED = (
    *("lark", "numba", "oxidd", "psutil", "pyspark", "rich.console", "tomllib", "yaml"),
    *("homing.expect", "homing.languages.csp", "homing.overlay", "homing.simulating", "homing.timed.system"),
)
"""Modules that a check of an untimed model in TLA+ has no use for."""


def start(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait(condition: Callable[[], object], process: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def saved(folder: Path) -> list[Path]:
    return list(folder.glob(".homing/*.checkpoint"))


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from homing import cli; cli.run(['check', '--help']); "
        "print([name for name in ('numba', 'numpy', 'rich', 'pyspark') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert shown.stdout.splitlines()[-1] == "[]"


def test_a_check_imports_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    code = (
        "import sys; from homing import cli; assert cli.run(['check', '-q', sys.argv[1]]) == 0; "
        "print([name for name in sys.argv[2:] if name in sys.modules])"
    )
    (tmp_path / "m.tla").write_text(TOGGLE)
    (tmp_path / "m.cfg").write_text("INIT Init\nNEXT Next\nINVARIANT Small\n")
    for _ in range(2):  # the first may have to compile
        shown = subprocess.run(
            [sys.executable, "-c", code, tmp_path / "m.cfg", *UNUSED],
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=True,
        )
    assert shown.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_run_with_what_was_found(tmp_path: Path, number: signal.Signals) -> None:
    write(tmp_path / "m.py", FOREVER)
    write(tmp_path / "n.py", counter(1, 9))
    process = start(tmp_path, "check", "--python", "m.py", "n.py", "--checkpoint-every", "0.1s")
    wait(lambda: saved(tmp_path), process)
    process.send_signal(number)
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 2
    assert "UNKNOWN: interrupted\n" in out
    assert "reaches three    HOLDS after 3 steps" in out
    assert "UNKNOWN: interrupted before it began" in out
    assert "stopping with what was found" in err
    assert "Traceback" not in err


def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    endless = """
        n = build.slot("n", 0)
        @build.group("hang", [n], [n])
        def hang(value):
            open("hanging", "w").close()
            while True:
                pass
            yield
    """
    write(tmp_path / "m.py", endless)
    process = start(tmp_path, "check", "--python", "m.py")
    wait((tmp_path / "hanging").exists, process)
    process.send_signal(signal.SIGINT)
    assert process.stderr is not None
    assert any("once more" in line for line in process.stderr)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGINT


def test_kill_and_resume_reach_the_same_counts(tmp_path: Path) -> None:
    slots, limit = 8, 5
    write(tmp_path / "m.py", counters(slots, limit))
    process = start(tmp_path, "check", "--python", "m.py", "--checkpoint-every", "0.1s")
    wait(lambda: saved(tmp_path), process)
    process.kill()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == -signal.SIGKILL
    (checkpoint,) = saved(tmp_path)

    resumed = run(tmp_path, "check", "--python", "m.py", "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert "nothing to resume" not in resumed.stderr
    states, steps = (limit + 1) ** slots, slots * limit * (limit + 1) ** (slots - 1)
    assert f"{states:,} distinct states, {steps + 1:,} generated, depth {slots * limit + 1:,}; " in resumed.stdout
    assert not checkpoint.exists()


def test_nobody_reads_to_the_end(tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(2000, 1500))
    command = f"{' '.join(COMMAND)} check --quiet --python m.py --json out.json | head -1; echo ${{PIPESTATUS[0]}}"
    shown = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    assert shown.stdout == "m.py: 1 of 1 VIOLATED: stays below 1500\n1\n"
    assert shown.stderr == ""
    assert (tmp_path / "out.json").exists()


def test_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(2, 9))
    with Path("/dev/full").open("w") as full:
        ran = subprocess.run(
            [*COMMAND, "check", "--quiet", "--python", "m.py"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert ran.returncode == 3
    assert ran.stderr == "homing: [Errno 28] No space left on device\n"


def test_an_encoding_without_arrows(tmp_path: Path) -> None:
    write(tmp_path / "m.py", counter(3, 2))
    ran = run(tmp_path, "check", "--quiet", "--python", "m.py", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert ran.returncode == 1
    assert ran.stderr == ""
    assert "n  0 \\u2192 1" in ran.stdout


def on_a_terminal(folder: Path, *arguments: str, until: bytes = b"", columns: int = 80) -> tuple[int, str]:
    """The exit code and all that a terminal of this width got; what it waits for is answered by an interrupt."""
    main, terminal = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(columns), "TERM": "xterm"}
    process = subprocess.Popen(
        [*COMMAND, *arguments], cwd=folder, stdin=terminal, stdout=terminal, stderr=terminal, env=environment
    )
    os.close(terminal)
    shown = b""
    try:
        while data := os.read(main, 65536):
            shown += data
            if until and until in shown:
                process.send_signal(signal.SIGINT)
                until = b""
    except OSError:  # Linux's way to say that the other end is closed
        pass
    os.close(main)
    return process.wait(PATIENCE), shown.decode().replace("\r\n", "\n")


def test_progress_and_colour_on_a_terminal(tmp_path: Path) -> None:
    write(tmp_path / "m.py", FOREVER)
    # Not after some seconds: on a busy machine nothing may have been shown by then.
    limit = f"{PATIENCE:.0f}s"
    code, shown = on_a_terminal(tmp_path, "check", "--python", "m.py", "--time-limit", limit, until=b"frontier ")
    assert code == 2
    assert " states, " in shown
    assert "frontier " in shown
    assert "\x1b[33mUNKNOWN" in shown
    assert shown.count("\x1b[?25l") == shown.count("\x1b[?25h")
    _, quiet = on_a_terminal(tmp_path, "check", "--python", "m.py", "--time-limit", "1s", "--quiet")
    assert "frontier " not in quiet
