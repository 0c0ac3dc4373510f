"""Traces of TLA+: what `check --json` writes is what `replay` reads."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import Homing, runner
from tests.languages.tla.support import write

KAFKA = Path(__file__).parents[2] / "models" / "kafka"


@pytest.fixture
def homing(capsys: pytest.CaptureFixture[str]) -> Homing:
    return runner(capsys)


def round_trip(homing: Homing, config: Path, folder: Path) -> dict[str, Any]:
    """Checks, and replays every trace; the traces by property."""
    target = folder / "found.json"
    homing("check", config, "--json", target)
    traces = {one["property"]: one["trace"] for one in json.loads(target.read_text())["results"] if one["trace"]}
    for name in traces:
        ran = homing("replay", config, target, "--property", name)
        assert ran.code == 0, ran.out + ran.err
    return traces


@pytest.mark.parametrize("name", ["transactional_producer_unfair.cfg", "faults/producer_end_keeps_epoch.cfg"])
def test_traces_of_kafka_come_back(name: str, homing: Homing, tmp_path: Path) -> None:
    """A lasso and a path by the commands; `tests/models/test_papers.py` replays those of all others."""
    assert round_trip(homing, KAFKA / name, tmp_path)


SPEC = """
EXTENDS Naturals, Sequences
CONSTANTS C, None
VARIABLES msgs, by, last, log, n
Init == msgs = {} /\\ by = [c \\in C |-> {}] /\\ last = None /\\ log = <<>> /\\ n = 0
Send(c, k) == /\\ n < 2 /\\ n' = n + 1 /\\ msgs' = msgs \\cup {[kind |-> k, from |-> c]}
              /\\ by' = [by EXCEPT ![c] = @ \\cup {k}]
              /\\ last' = c /\\ log' = Append(log, <<c, n = 0>>)
Take(m) == msgs' = msgs \\ {m} /\\ UNCHANGED <<by, last, log, n>>
Next == \\/ \\E c \\in C, k \\in {"ask", "ack"} : Send(c, k)
        \\/ \\E m \\in msgs : Take(m)
Two == ~(n = 2 /\\ msgs = {})
"""
CONFIG = "CONSTANTS C = {c1, c2} None = None INIT Init NEXT Next INVARIANT Two CHECK_DEADLOCK FALSE"


def test_values_are_written_for_people(homing: Homing, tmp_path: Path) -> None:
    trace = round_trip(homing, write(tmp_path, SPEC, CONFIG), tmp_path)["Two"]
    assert trace["slots"] == ["msgs", "by[c1]", "by[c2]", "last", "log", "n"]
    states = [dict(zip(trace["slots"], state)) for state in trace["states"]]
    assert (states[0]["last"], states[0]["msgs"], states[0]["log"]) == ("None", {"#set": []}, [])
    taken = next(move for move in trace["moves"] if move["event"] == "Take")
    assert set(taken["arguments"][0]) == {"kind", "from"}
    assert states[-1]["log"][0][1] is True


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda trace: trace["states"][-1].__setitem__(3, "c9"), "but not by the group or to the state given"),
        (lambda trace: trace["states"][0].__setitem__(3, "c1"), "its first state is no initial state"),
        (lambda trace: trace["moves"][0]["arguments"].__setitem__(0, "c9"), "event 1 'Send("),
    ],
)
def test_another_value_is_another_trace(change: Any, said: str, homing: Homing, tmp_path: Path) -> None:
    config = write(tmp_path, SPEC, CONFIG)
    trace = round_trip(homing, config, tmp_path)["Two"]
    change(trace)
    (tmp_path / "other.json").write_text(json.dumps(trace))
    ran = homing("replay", config, tmp_path / "other.json")
    assert (ran.code, said in ran.out) == (1, True), ran.out + ran.err
