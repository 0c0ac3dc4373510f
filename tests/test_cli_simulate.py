"""`homing simulate`: what it prints, writes and exits with."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from homing.api import load
from homing.core import interpreter
from homing.core.verdict import Verdict
from homing.replaying.judging import judge
from homing.replaying.reading import parse
from homing.replaying.simulation import Settings
from tests.command_line import Homing, runner
from tests.sources import FOREVER, counter, write

MODELS = Path(__file__).parent.parent / "models"
REDELIVERY = MODELS / "demo" / "redelivery.py"
ACKS = MODELS / "kafka" / "acks.csp"
TRANSACTIONS = MODELS / "kafka" / "transactions_2222.cfg"
SOURCES = [
    REDELIVERY,
    MODELS / "demo" / "requests.py",
    ACKS,
    MODELS / "rtps" / "stateful_writer.csp",
    TRANSACTIONS,
    MODELS / "kafka" / "transactional_producer_zombie.cfg",
]


@pytest.fixture
def homing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Homing:
    """Runs a command line in an empty folder."""
    monkeypatch.chdir(tmp_path)
    run = runner(capsys)
    return lambda *arguments: run("simulate", "--python", *arguments)


def typed(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    """What a person answers."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("".join(f"{each}\n" for each in answers).encode())))


def first(text: str) -> str:
    return text.partition("\n")[0]


# At random


def test_the_first_line_says_what_the_walk_did(homing: Homing) -> None:
    ran = homing(REDELIVERY, "--seed", 7, "--steps", 5)
    assert (ran.code, ran.err) == (0, "")
    assert first(ran.out) == f"{REDELIVERY}: 5 steps at random, seed 7; no deadlock"
    assert ran.out.splitlines()[2:4] == ["  producer       broker       consumer", "  1  ├─publish(0)─▶│             │"]


def test_25_steps_without_a_terminal(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch)
    assert "25 steps at random, seed " in first(homing(write(Path("forever.py"), FOREVER)).out)


def test_the_same_seed_in_another_process(homing: Homing) -> None:
    """Where Python orders its sets differently."""
    command = [sys.executable, "-m", "homing", "simulate", "--python", str(SOURCES[1]), "--seed", "3"]
    found = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


def test_a_seed_that_nobody_chose_is_printed_and_works(homing: Homing) -> None:
    ran = homing(REDELIVERY, "--random")
    seed = first(ran.out).split("seed ")[1].split(";")[0].split(",")[0]
    assert homing(REDELIVERY, "--seed", seed).out == ran.out


def test_a_deadlock(homing: Homing) -> None:
    model = write(Path("count.py"), counter(3, 9))
    ran = homing(model, "--seed", 1)
    assert (ran.code, first(ran.out)) == (
        0,
        "count.py: 3 steps at random, seed 1, then a deadlock: no step is possible",
    )


def test_until(homing: Homing) -> None:
    ran = homing(REDELIVERY, "--until", "crash", "--seed", 2, "--trace", "table")
    assert ran.code == 0
    assert first(ran.out).endswith(" steps at random, seed 2, until 'crash'")
    assert ran.out.count("crash   consumer → broker") == 1
    ran = homing(REDELIVERY, "--until", "crash", "--steps", 2, "--seed", 2)
    assert ran.code == 2
    assert first(ran.out).endswith("2 steps at random, seed 2; no deadlock; 'crash' did not happen")


def test_until_as_the_notation_writes_it(homing: Homing) -> None:
    ran = homing(ACKS, "--part", "System(1)", "--until", "ComPL.msg_rep.PID.1", "--seed", 1)
    assert (ran.code, "until 'ComPL.msg_rep.PID.1'" in first(ran.out)) == (0, True)
    ran = homing(ACKS, "--until", "ComPL.nope", "--seed", 1)
    assert ran.code == 3
    assert ran.err.splitlines()[-1].startswith("--until: 'nope' in event")


def test_no_steps(homing: Homing) -> None:
    assert homing(REDELIVERY, "--steps", 0, "--seed", 1).out == (
        f"{REDELIVERY}: 0 steps at random, seed 1; no deadlock\n"
    )
    assert "initially" in homing(REDELIVERY, "--steps", 0, "--seed", 1, "--trace", "table").out


def test_what_a_model_prints_is_not_in_the_report(homing: Homing) -> None:
    body = counter(2, 9).replace("if value", "print('counting')\n            if value")
    ran = homing(write(Path("loud.py"), body), "--json", "-")
    assert json.loads(ran.out)["results"][0]["end"] == "deadlock"
    assert "counting" in ran.err


# By choice


def test_by_choice(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "1", "2", "what?", "w walk.json", "w walk.svg", "w walk.txt", "q")
    ran = homing(REDELIVERY, "--choose")
    assert (ran.code, ran.err) == (0, "")
    assert first(ran.out) == str(REDELIVERY)
    assert "'what?' is no command" in ran.out
    assert "wrote walk.json\n" in ran.out
    assert "walk.txt: has another ending than .json, .itf.json or .svg\n" in ran.out
    end = ran.out.splitlines()[-5:]
    assert end == [
        f"{REDELIVERY}: 2 steps by choice; no deadlock",
        "",
        "  producer       broker       consumer",
        "  1  ├─publish(0)─▶│             │",
        "  2  │             ├─deliver(0)─▶│",
    ]
    assert Path("walk.svg").read_text().lstrip().startswith("<")
    assert len(json.loads(Path("walk.json").read_text())["results"][0]["trace"]["moves"]) == 2


def test_bytes_that_are_no_text(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe\n1\n")))
    ran = homing(REDELIVERY, "--choose")
    assert ran.code == 0
    assert "is no command" in ran.out
    assert "1 step by choice" in ran.out


def test_a_document_is_alone_on_stdout(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "1")
    ran = homing(REDELIVERY, "--choose", "--json", "-")
    assert json.loads(ran.out)["results"][0]["seed"] is None
    assert "possible next:" in ran.err


def test_nothing_was_chosen(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch)
    ran = homing(TRANSACTIONS, "--choose", "--json", "x.json")
    assert ran.code == 0
    assert ran.out.endswith(f"{TRANSACTIONS}: 0 steps by choice\n")
    assert not Path("x.json").exists()


# Which system, which initial state


def test_the_first_system_and_the_others(homing: Homing) -> None:
    ran = homing(ACKS, "--seed", 1)
    assert ran.err == "homing: System(0) is the first of 3 systems; --part takes another: System(1), System(2)\n"
    assert first(ran.out).startswith(f"{ACKS}: System(0): ")
    ran = homing(ACKS, "--part", "System(2)", "--seed", 1)
    assert (ran.err, first(ran.out).startswith(f"{ACKS}: System(2): ")) == ("", True)


def test_an_unknown_system(homing: Homing) -> None:
    ran = homing(ACKS, "--part", "System(3)")
    assert (ran.code, ran.out) == (3, "")
    assert ran.err == f"{ACKS}: unknown system 'System(3)'; declared: System(0), System(1), System(2)\n"
    assert "without a name" in homing(REDELIVERY, "--part", "A").err


def test_an_initial_state(homing: Homing) -> None:
    write(Path("starts.py"), counter(3, 9).replace('("n", 0)', '("n", 0, 1, 2)'))

    def started(*options: object) -> str:
        ran = homing("starts.py", "--steps", 0, "--trace", "table", *options)
        return ran.out.splitlines()[-1].split()[-1]

    assert [started("--initial", number) for number in (1, 2, 3)] == ["0", "1", "2"]
    assert len({started("--seed", seed) for seed in range(9)}) == 3
    ran = homing("starts.py", "--initial", 4)
    assert (ran.code, ran.err) == (3, "starts.py: there is no initial state 4: the model has 3 initial states\n")
    assert homing(REDELIVERY, "--initial", 1).code == 0


# Bad input


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--choose", "--random"), "homing: --choose and --random exclude each other"),
        (("--choose", "--steps", 3), "homing: --steps and --until are for random walks; with --choose, 'r N' takes"),
        (("--seed", "x"), "homing simulate: invalid value for '--seed'"),
        (("--steps", -1), "homing simulate: invalid value for '--steps'"),
        (("--msc", "x.png"), "homing simulate: invalid value for '--msc'"),
        (("--config", "x.cfg"), "x.cfg"),
    ],
)
def test_bad_options(homing: Homing, options: tuple[object, ...], sentence: str) -> None:
    model = REDELIVERY if "--config" not in options else MODELS / "kafka" / "transactions.tla"
    ran = homing(model, *options)
    assert (ran.code, ran.out) == (3, "")
    assert ran.err.startswith(sentence)
    assert ran.err.count("\n") == 1


def test_no_model(homing: Homing) -> None:
    assert homing("absent.csp").err == "absent.csp: no such file\n"
    assert homing("absent.csp").code == 3


FAILS = """
    n = build.slot("n", 2)
    @build.group("divide", [n], [n])
    def divide(value):
        yield step(Event("divide", (), "here", "there"), {n: value - 1 + 0 * (1 // value)})
"""


def test_a_model_that_fails(homing: Homing) -> None:
    model = write(Path("fails.py"), FAILS)
    ran = homing(model, "--seed", 1, "--json", "walk.json", "--msc", "walk.svg")
    assert ran.code == 3
    assert first(ran.out) == "fails.py: 2 steps at random, seed 1, then the model fails"
    assert ran.out.count("├─divide─▶│") == 2
    assert ran.err.startswith("fails.py:11: group 'divide' with n = 0 failed: ZeroDivisionError")
    document = json.loads(Path("walk.json").read_text())
    assert len(document["results"][0]["trace"]["moves"]) == 2
    assert len(document["errors"]) == 1
    assert Path("walk.svg").exists()


def test_a_model_that_fails_by_choice(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch, "1", "1", "1")
    ran = homing(write(Path("fails.py"), FAILS), "--choose")
    assert ran.code == 3
    assert "fails.py: 2 steps by choice, then the model fails\n" in ran.out
    assert ran.err.startswith("fails.py:11: group 'divide' with n = 0 failed: ZeroDivisionError")


# Documents


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_what_is_written_replays(homing: Homing, source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    model = load(source, python=True).models[0]
    for seed in (1, 2, 3):
        assert homing(source, "--seed", seed, "--steps", 12, "--json", "walk.json").code == 0
        result = judge(model, parse(Path("walk.json").read_text(), "walk.json"), Settings())
        assert result.verdict is Verdict.HOLDS
        interpreter.replay(model.system, result.trace)
    ran = runner(capsys)("replay", "--python", source, "walk.json")
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_a_state_that_is_another_does_not_replay(
    homing: Homing, source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    homing(source, "--seed", 1, "--steps", 5, "--json", "walk.json")
    document = json.loads(Path("walk.json").read_text())
    states = document["results"][0]["trace"]["states"]
    states[3] = [*states[3][:-1], ["other"]]
    Path("walk.json").write_text(json.dumps(document))
    assert runner(capsys)("replay", "--python", source, "walk.json").code == 1


def test_forms(homing: Homing) -> None:
    walked = (REDELIVERY, "--seed", 7, "--steps", 3)
    assert "\n  3  " in homing(*walked, "--trace", "table").out
    assert len(json.loads(homing(*walked, "--trace", "json").out.splitlines()[2])["moves"]) == 3
    ran = homing(*walked, "--msc", "a.svg", "--itf", "a.itf.json")
    assert ran.err == "homing: wrote a.svg\nhoming: wrote a.itf.json\n"
    assert "a random walk, seed 7" in Path("a.svg").read_text()
    assert len(json.loads(Path("a.itf.json").read_text())["states"]) == 4
    assert homing(*walked, "--json", "no/such/folder.json").code == 3


def test_the_page(homing: Homing, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(MODELS.parent)
    page = Path("docs/simulate.md").read_text()
    walked, talked = re.findall(r"^```\n\$ ([^\n]+)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert homing(*shlex.split(walked[0])[3:]).out == walked[1]
    printf, command = talked[0].split(" | ")
    typed(monkeypatch, *shlex.split(printf)[1].split("\\n")[:-1])
    assert homing(*shlex.split(command)[3:]).out.endswith(talked[1].removeprefix("…\n"))


# On a terminal


def on_terminal(*arguments: object, keys: bytes, tmp_path: Path) -> tuple[int, str]:
    """Types the keys once the first question is there; the exit code, and what was on the screen."""
    interrupts = keys == b"\x03"
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "homing", "simulate", "--python", *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=tmp_path, start_new_session=True
    )
    os.close(theirs)
    shown, until = b"", time.monotonic() + 60
    # Never waits for the process alone: one that hangs would take the whole run of tests with it.
    while time.monotonic() < until:
        if not select.select([ours], [], [], 1.0)[0]:
            if keys == b"" and interrupts:
                # Between a question and waiting for its answer Python may overlook one; people press it again.
                process.send_signal(signal.SIGINT)
            continue
        try:
            part = os.read(ours, 65536)
        except OSError:  # how Linux tells the end
            break
        shown += part
        if keys and shown.endswith(b")> "):
            if interrupts:
                process.send_signal(signal.SIGINT)
            else:
                os.write(ours, keys)
            keys = b""
    else:
        process.kill()
    os.close(ours)
    return process.wait(10), shown.decode().replace("\r\n", "\n")


def test_a_terminal_is_asked(tmp_path: Path) -> None:
    code, shown = on_terminal(REDELIVERY, keys=b"1\n\n\x04", tmp_path=tmp_path)
    assert code == 0
    assert "2 steps by choice; no deadlock" in shown


def test_ctrl_c(tmp_path: Path) -> None:
    code, shown = on_terminal(REDELIVERY, keys=b"\x03", tmp_path=tmp_path)
    assert code == 0
    assert "0 steps by choice; no deadlock" in shown
    assert "Traceback" not in shown


def test_a_seed_on_a_terminal_asks_nothing(tmp_path: Path) -> None:
    code, shown = on_terminal(REDELIVERY, "--seed", 7, keys=b"", tmp_path=tmp_path)
    assert code == 0
    assert "at random, seed 7" in shown


def test_ctrl_c_ends_a_long_walk(tmp_path: Path) -> None:
    model = write(tmp_path / "forever.py", FOREVER)
    command = [sys.executable, "-m", "homing", "simulate", "--python", str(model), "--steps", "1000000000"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, err) == (2, "")
    assert first(out).endswith(", interrupted")
